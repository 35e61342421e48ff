# SPDX-License-Identifier: MIT
"""Checks that C is formatted by .clang-format, and Python by ruff."""

import contextlib
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ("tools", "tests", "fuzz", "whit")
SHOWN_MOST = 20


def sources() -> list[str]:
    """Returns the paths of all C of the tree, from its root."""
    with contextlib.suppress(OSError):
        named = subprocess.run(["git", "ls-files", "*.c", "*.h"], cwd=ROOT, capture_output=True, text=True)
        if named.returncode == 0:
            return [name for name in named.stdout.split() if (ROOT / name).exists()]
    made = {"build", ".venv", ".whit"}
    found = (path.relative_to(ROOT) for path in ROOT.rglob("*.[ch]"))
    return sorted(str(path) for path in found if not made & {*path.parts})


def complaints(command: list[str], way_out: str) -> str:
    """Returns the changes of a formatter, and the command that makes them."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode == 0:
        return ""
    said = [
        line for line in (done.stdout + done.stderr).splitlines() if ".c:" in line or ".h:" in line or ".py" in line
    ]
    return "\n".join([*said[:SHOWN_MOST], f"expected another format: {way_out}"])


def main() -> int:
    clang_format = Path(sys.executable).with_name("clang-format")
    found = [
        complaints([str(clang_format), "--dry-run", "-Werror", *sources()], ".venv/bin/clang-format -i FILE"),
        complaints([sys.executable, "-m", "ruff", "format", "--check", *PYTHON], ".venv/bin/ruff format FILE"),
    ]
    print("".join(f"{text}\n" for text in found if text), end="")
    return 1 if any(found) else 0


if __name__ == "__main__":
    sys.exit(main())
