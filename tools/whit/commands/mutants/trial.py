# SPDX-License-Identifier: MIT
"""A copy of the tree in which one fault at a time is tried."""

import enum
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from whit.errors import WhitError
from whit.paths import ROOT

from .concern import tests_of
from .fault import Fault

TEST_S = 60  # a test that takes longer hangs
TRIAL_S = 1500  # so do all of them together
_LEFT_OUT = shutil.ignore_patterns("build", ".venv", ".git", ".whit", "__pycache__", ".*_cache")


class Verdict(enum.Enum):
    CAUGHT = "caught by a test"
    UNBUILDABLE = "caught by the compiler"
    HUNG = "caught as it hung"
    SURVIVED = "survived"


@dataclass(frozen=True)
class Trial:
    fault: Fault
    verdict: Verdict
    by: str  # the test that failed, or what the compiler said


class Copy:
    """A copy of the tree, with builds of its own."""

    def __init__(self, directory: Path) -> None:
        self.root = directory
        directory.mkdir(parents=True, exist_ok=True)
        for old in directory.iterdir():
            if old.name not in ("build", ".whit"):
                shutil.rmtree(old) if old.is_dir() else old.unlink()
        shutil.copytree(ROOT, directory, ignore=_LEFT_OUT, dirs_exist_ok=True, symlinks=True)

    def check(self, tests: tuple[str, ...]) -> None:
        """Without a fault the tests pass; WhitError where they do not. Builds what they need."""
        code, said = self._run(tests)
        if code != 0:
            raise WhitError(f"--mutants: without a fault, {' '.join(tests)} fail: {_first_failure(said)}", 1)

    def attempt(self, fault: Fault) -> Trial:
        path = self.root / fault.file
        text = path.read_text()
        path.write_text(fault.applied(text))
        try:
            code, said = self._run(tests_of(fault.file))
        finally:
            path.write_text(text)
        if code is None:
            return Trial(fault, Verdict.HUNG, f"after {TRIAL_S} s")
        if code == 0:
            return Trial(fault, Verdict.SURVIVED, "")
        failure = _first_failure(said)
        if "WhitError" in failure or "the compiler" in failure:
            return Trial(fault, Verdict.UNBUILDABLE, failure)
        return Trial(fault, Verdict.CAUGHT, failure)

    def _run(self, tests: tuple[str, ...]) -> tuple[int | None, str]:
        """Exit code of pytest, None when it took too long, and what it printed."""
        here = [name for name in tests if (self.root / name).exists()]
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", f"--timeout={TEST_S}"]
        command += ["-m", "not slow and not browser and not root", *here]
        environment = os.environ | {"PYTHONPATH": str(self.root / "tools"), "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            done = subprocess.run(
                command, cwd=self.root, env=environment, capture_output=True, text=True, timeout=TRIAL_S
            )
        except subprocess.TimeoutExpired:
            return None, ""
        return done.returncode, done.stdout + done.stderr


def _first_failure(said: str) -> str:
    lines = [line for line in said.splitlines() if line.startswith(("FAILED ", "ERROR ", "E  "))]
    chosen = next((line for line in lines if line.startswith(("FAILED", "ERROR"))), lines[0] if lines else "")
    return chosen.removeprefix("FAILED ").removeprefix("ERROR ")[:200] or "\n".join(said.splitlines()[-3:])
