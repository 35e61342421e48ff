# SPDX-License-Identifier: MIT
"""`whit test`: linters, types, then every test. The first that fails ends it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from rich.console import Console

from whit.errors import WhitError
from whit.machines.machines import why_no_machine
from whit.paths import ROOT
from whit.setup.packages import PYTESTS, TEST_OPTIONS
from whit.setup.pytest_words import mistake
from whit.suggest import meant

LINTED = ("tools", "tests", "fuzz", "whit")
DURATIONS = ("--durations=15", "--durations-min=5")  # what to make cheaper first
CHECKS = ROOT / "tests" / "checks"
"""Scripts that each look at the tree for one rule, such as who may include whom; exit code 0: it holds."""


IN_PROCESS = (
    *("segments", "http", "bodies", "strategies", "hostile", "property", "sim/test_busy_driver.py"),
    *(f"database/test_{name}.py" for name in ("hostile", "kept", "login", "pool", "recorded", "values")),
)
"""What of tests/ gives octets to C that is part of an image, and starts no other program: all tests together run it on
a sanitized one only, as what differs is that more is caught. The rest of tests/sim looks at the simulation, which is
Python."""


ON_AVR = (
    *(f"segments/test_{name}.py" for name in ("blind", "close", "data", "handshake", "link", "window")),
    "http/test_methods.py",
)
"""What of tests/ runs once more, on an engine on an emulated AVR: an int of 16 bits, constants that loads do not
reach."""


QUICK = ("compiler", "sim", "segments", "http")
"""Directories of tests/ that `--quick` runs: an edit of the compiler or the engine breaks them first."""
LONG = (
    "http/test_pipeline.py",
    *(f"compiler/test_{name}.py" for name in ("hostile_files", "page_places", "coder")),
)
"""Their files that `--quick` leaves out: their cases together take as long as two thirds of the others."""


USUAL = (
    "compiler",
    *ON_AVR,
    *(f"host/test_{name}.py" for name in ("run", "apps", "new", "messages", "persistent", "services", "live", "steps")),
    *(f"targets/test_{name}.py" for name in ("avr", "gba", "qemu", "network")),
    *("certificate/test_command.py", "https/test_https.py", "https/test_clients.py"),
    *("database/test_run.py", "browser/test_contacts.py", "browser/test_apps.py", "ladder"),
)
"""Parts of tests/ that a plain `whit test` runs: they show that the compilers, emulators, browsers and the database of
this machine work with Whit."""


CODES = {2: 2, 4: 2, 5: 2, 130: 130}
"""Exit codes of pytest and linters that are no failed test: files that do not load, arguments that are wrong, no test
that is meant. docs/command-line.md has another meaning for 4."""


@dataclass(frozen=True)
class Part:
    """A program and what it needs in its environment."""

    name: str
    command: list[str]
    environment: dict[str, str] = field(default_factory=dict)
    beside: bool = False  # runs while the others do, and has its say after them

    @property
    def shown(self) -> str:
        """As one would type it at the root of the tree."""
        words = [f"{name}={value}" for name, value in self.environment.items()]
        words += [".venv/bin/python" if word == sys.executable else _relative(word) for word in self.command]
        return " ".join(words)


class Scope(Enum):
    """A selection of tests."""

    QUICK = "quick"
    USUAL = "usual"
    REST = "rest"
    """All but the usual ones."""
    ALL = "all"


def test(console: Console, scope: Scope, pytest_arguments: Sequence[str], first: Sequence[str] = ()) -> int:
    """Returns the exit code of the first part that failed, or 0. With pytest arguments, those tests run alone. first:
    files of tests that run before the others."""
    _check_options(pytest_arguments)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell starts in the background ignores it
    parts = [Part("tests", _pytest(pytest_arguments))] if pytest_arguments else _parts(scope, console)
    if first:
        parts.insert(0, Part("tests of what changed", _pytest(["-x", *(str(ROOT / name) for name in first)])))
    return _run_all(parts, console)


def _parts(scope: Scope, console: Console) -> list[Part]:
    if scope == Scope.QUICK:
        long = [f"--ignore={path}" for path in _named(LONG)]
        quick = Part("tests", _pytest(["-m", "not slow and not browser", *long, *_named(QUICK)]))
        return [*_checks(beside=True), quick]
    if scope == Scope.USUAL:
        return [Part("tests", _pytest([*DURATIONS, *_named(USUAL)]))]
    left_out = IN_PROCESS + (USUAL if scope == Scope.REST else ())
    others = [f"--ignore={path}" for path in _named(left_out)]
    tests = Part("tests", _pytest([*DURATIONS, *others]))
    peers = Part("peers", [sys.executable, "-m", "whit_lab.peers"])
    return [*_checks(beside=False), peers, tests, *_sanitized(), *_on_avr(console)]


def _run_all(parts: list[Part], console: Console) -> int:
    started = time.monotonic()
    beside = {part.name: _start(part) for part in parts if part.beside}
    parts.sort(key=lambda part: part.beside)  # they are judged last
    taken_s: list[float] = []
    code = 0
    for number, part in enumerate(parts, 1):
        console.print(f"[bold]{part.name}[/bold] (part {number} of {len(parts)})", highlight=False)
        console.file.flush()
        begun = time.monotonic()
        code = _end(beside.pop(part.name), console) if part.beside else _run(part)
        taken_s.append(time.monotonic() - begun)
        if code != 0:
            break
    for process in beside.values():
        process.kill()
    for part, seconds in zip(parts, taken_s, strict=False):
        console.print(f"{seconds:7.1f} s  {part.name}", highlight=False)
    if code != 0:
        failed = parts[len(taken_s) - 1]
        code = CODES.get(code, 1)
        console.print(f"{failed.name}: failed. Again: {failed.shown}", style="red", markup=False, soft_wrap=True)
    else:
        console.print(f"all passed in {time.monotonic() - started:.0f} s", highlight=False)
    return code


def _named(names: Sequence[str]) -> list[str]:
    """Returns the paths of parts of tests/."""
    return [str(ROOT / "tests" / name) for name in names if (ROOT / "tests" / name).exists()]


def _check_options(arguments: Sequence[str]) -> None:
    """WhitError: an option that is nearly one of ours, or what pytest does not take."""
    for argument in arguments:
        guess = meant(argument, TEST_OPTIONS) if argument.startswith("--") and "=" not in argument else None
        if guess is not None and guess != argument and argument not in PYTESTS:
            raise WhitError(f"{argument}: no such option; did you mean {guess}?")
    if arguments and (wrong := mistake(arguments)):
        raise WhitError(wrong)


def _checks(*, beside: bool) -> list[Part]:
    linted = [name for name in LINTED if (ROOT / name).exists()]
    parts = [
        Part("ruff", [sys.executable, "-m", "ruff", "check", "--quiet", *linted]),
        Part("mypy", [sys.executable, "-m", "mypy", "--no-error-summary", "tools"], beside=beside),
    ]
    parts.append(Part("imports", [str(Path(sys.executable).with_name("lint-imports")), "--no-logo"]))
    return parts + [
        Part(f"check {path.stem}", [sys.executable, str(path)]) for path in sorted(CHECKS.glob("[a-z]*.py"))
    ]


def under_sanitizers() -> dict[str, str]:
    """The environment of such tests. AddressSanitizer must be in the process before the engine's library is loaded."""
    compiler = os.environ.get("CC", "gcc")
    library = subprocess.run([compiler, "-print-file-name=libasan.so"], capture_output=True, text=True).stdout.strip()
    return {
        "WHIT_SANITIZE": "1",
        "LD_PRELOAD": str(Path(library).resolve()),
        "ASAN_OPTIONS": "detect_leaks=0:malloc_context_size=2:quarantine_size_mb=16",  # the engine has no heap
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }


def _sanitized() -> list[Part]:
    return [Part("tests under sanitizers", _pytest([*DURATIONS, *_named(IN_PROCESS)]), under_sanitizers())]


def _on_avr(console: Console) -> list[Part]:
    if lacks := why_no_machine("avr"):
        console.print(f"tests on an AVR: skipped, {lacks}", highlight=False)
        return []
    return [Part("tests on an AVR", _pytest(_named(ON_AVR)), {"WHIT_TARGET": "avr-inprocess"})]


def _pytest(arguments: Sequence[str]) -> list[str]:
    command = [sys.executable, "-m", "pytest", "-q"]
    if not _chooses_workers(arguments):
        command += ["-n", str(min((os.cpu_count() or 1) + 1, 4)), "--dist", "loadgroup"]  # one of them often waits
    return [*command, *arguments]


def _chooses_workers(arguments: Sequence[str]) -> bool:
    return any(argument.startswith(("-n", "--pdb", "-s", "--capture=no")) for argument in arguments)


def _run(part: Part) -> int:
    try:
        return subprocess.run(part.command, cwd=ROOT, env=os.environ | part.environment).returncode
    except KeyboardInterrupt:
        raise WhitError("interrupted", 130) from None


def _start(part: Part) -> subprocess.Popen[str]:
    environment = os.environ | part.environment
    return subprocess.Popen(
        part.command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def _end(process: subprocess.Popen[str], console: Console) -> int:
    said, _ = process.communicate()
    console.print(said, end="", markup=False, highlight=False, soft_wrap=True)
    return process.returncode


def _relative(word: str) -> str:
    path = Path(word)
    shown = str(path.relative_to(ROOT)) if path.is_absolute() and path.is_relative_to(ROOT) else word
    return f"'{shown}'" if " " in shown else shown
