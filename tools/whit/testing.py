# SPDX-License-Identifier: MIT
"""`whit test`: linters, types, then every test. The first that fails ends it."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from whit.errors import WhitError
from whit.paths import ROOT

LINTED = ("tools", "tests", "fuzz", "whit")
CHECKS = ROOT / "tests" / "checks"
"""Scripts that each look at the tree for one rule, such as who may include whom; exit code 0: it holds."""


def test(console: Console, *, quick: bool, pytest_arguments: Sequence[str]) -> int:
    """The exit code of the first part that failed, or 0. With pytest arguments, those tests alone."""
    started = time.monotonic()
    parts = [] if pytest_arguments else _checks()
    parts.append(("tests", _pytest(quick, pytest_arguments)))
    for name, command in parts:
        console.print(f"[bold]{name}[/bold]", highlight=False)
        console.file.flush()
        code = _run(command)
        if code != 0:
            console.print(f"{name}: failed. Again: {_shown(command)}", style="red", markup=False, soft_wrap=True)
            return code
    console.print(f"all passed in {time.monotonic() - started:.0f} s", highlight=False)
    return 0


def _checks() -> list[tuple[str, list[str]]]:
    linted = [name for name in LINTED if (ROOT / name).exists()]
    parts = [
        ("ruff", [sys.executable, "-m", "ruff", "check", "--quiet", *linted]),
        ("mypy", [sys.executable, "-m", "mypy", "--no-error-summary", "tools"]),
    ]
    parts += [(f"check {path.stem}", [sys.executable, str(path)]) for path in sorted(CHECKS.glob("[a-z]*.py"))]
    return parts


def _pytest(quick: bool, arguments: Sequence[str]) -> list[str]:
    command = [sys.executable, "-m", "pytest", "-q"]
    if quick:
        command += ["-m", "not slow and not browser"]
    if not _chooses_workers(arguments):
        command += ["-n", str(min(os.cpu_count() or 1, 4)), "--dist", "loadgroup"]
    return [*command, *arguments]


def _chooses_workers(arguments: Sequence[str]) -> bool:
    return any(argument.startswith(("-n", "--pdb", "-s", "--capture=no")) for argument in arguments)


def _run(command: list[str]) -> int:
    try:
        return subprocess.run(command, cwd=ROOT).returncode
    except KeyboardInterrupt:
        raise WhitError("interrupted", 130) from None


def _shown(command: Sequence[str]) -> str:
    python = ".venv/bin/python"
    return " ".join([python if part == sys.executable else _relative(part) for part in command])


def _relative(part: str) -> str:
    path = Path(part)
    shown = str(path.relative_to(ROOT)) if path.is_absolute() and path.is_relative_to(ROOT) else part
    return f"'{shown}'" if " " in shown else shown
