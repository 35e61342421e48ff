# SPDX-License-Identifier: MIT
"""A copy of the tree, with builds of its own, in which pytest runs."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from whit.paths import ROOT

_LEFT_OUT = {"build", ".venv", ".git", ".whit", "__pycache__"}


class Copy:
    """A copy of the tree. `changed`: files with other contents, by their names in the tree."""

    def __init__(self, directory: Path, changed: Mapping[str, str]) -> None:
        self.root = directory
        wanted = {str(path.relative_to(ROOT)): path for path in _files(ROOT)}
        for path in list(_files(directory)):
            name = str(path.relative_to(directory))
            if name not in wanted and name not in changed:
                path.unlink()
        for name, path in wanted.items():
            self.put(name, changed[name].encode() if name in changed else path.read_bytes())
            shutil.copymode(path, directory / name)
        for name in set(changed) - set(wanted):
            self.put(name, changed[name].encode())

    def put(self, name: str, octets: bytes) -> None:
        """Writes a file. An equal file keeps its time, so no image is built again."""
        path = self.root / name
        if not path.exists() or path.read_bytes() != octets:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(octets)

    def python(
        self, arguments: Sequence[str], for_s: float, environment: Mapping[str, str] | None = None
    ) -> tuple[int | None, str]:
        """Runs Python. Returns the exit code, or None after the time limit, and the output."""
        everywhere = {"PYTHONPATH": str(self.root / "tools"), "PYTHONDONTWRITEBYTECODE": "1"}
        process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=self.root,
            env=os.environ | everywhere | dict(environment or {}),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        try:
            said, _ = process.communicate(timeout=for_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # its workers and compilers too
            process.communicate()
            return None, ""
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        return process.returncode, said

    def pytest(
        self, arguments: Sequence[str], for_s: float, environment: Mapping[str, str] | None = None
    ) -> tuple[int | None, str]:
        usual = ["-m", "pytest", "-q", "--tb=no", "-rfE", "-p", "no:cacheprovider", "-p", "whit_lab.mutants.watch"]
        return self.python([*usual, "-m", "not browser and not root", *arguments], for_s, environment)


def _files(root: Path) -> Iterator[Path]:
    for directory, names, files in os.walk(root):
        names[:] = [name for name in names if name not in _LEFT_OUT and not name.endswith("_cache")]
        yield from (Path(directory) / name for name in files if (Path(directory) / name).is_file())
