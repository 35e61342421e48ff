# SPDX-License-Identifier: MIT
"""What is missing on a machine is named with the command that installs it."""

import contextlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import ROOT

ASK = """
import sys
sys.path.insert(0, sys.argv[1])
from whit import environment
absent = environment.Package("libabsent-dev", lambda: False)
present = environment.Package("gcc", lambda: True)
needed, useful = ((present, absent), ()) if sys.argv[2] == "needed" else ((present,), (absent,))
environment._install_packages(needed, useful)
print("goes on")
"""


def ask(kind: str) -> subprocess.CompletedProcess[str]:
    """As a user who may not install anything."""
    assert PYTHON is not None
    return run_as_nobody(PYTHON, "-I", "-c", ASK, str(ROOT / "tools"), kind)


def run_as_nobody(*command: str) -> subprocess.CompletedProcess[str]:
    user = 65534 if os.geteuid() == 0 else None
    return subprocess.run(command, capture_output=True, text=True, user=user, cwd="/")


def find_python() -> str | None:
    """A Python that such a user may start, and that may read this tree."""
    for python in (sys.executable, "/usr/bin/python3"):
        with contextlib.suppress(OSError):
            if (
                run_as_nobody(python, "-c", f"open({str(ROOT / 'tools' / 'whit' / 'environment.py')!r})").returncode
                == 0
            ):
                return python
    return None


PYTHON = find_python()
readable = pytest.mark.skipif(PYTHON is None, reason="a user without privileges cannot read this tree, or start Python")


@readable
def test_missing_package_is_named_with_its_command() -> None:
    done = ask("needed")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "sudo apt-get install -y --no-install-recommends libabsent-dev" in done.stderr


@readable
def test_missing_package_that_is_only_useful_does_not_stop() -> None:
    done = ask("useful")
    assert done.returncode == 0 and "goes on" in done.stdout
    assert "skipped" in done.stderr and "libabsent-dev" in done.stderr


def test_every_requirement_is_pinned() -> None:
    lines = [line for line in (ROOT / "requirements.lock").read_text().splitlines() if not line.startswith("#")]
    assert lines and all("==" in line for line in lines)


def test_lock_holds_what_the_project_names() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = project["dependencies"] + project["optional-dependencies"]["test"]
    pinned = {
        line.partition("==")[0].lower().replace("_", "-")
        for line in Path(ROOT / "requirements.lock").read_text().splitlines()
    }
    assert {name.lower() for name in named} <= pinned
