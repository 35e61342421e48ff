# SPDX-License-Identifier: MIT
"""`./whit test` prints the running part, the number of parts, and their times."""

import io
import re
import subprocess

import pytest
from rich.console import Console

from whit.paths import ROOT
from whit_testbed import testing

pytestmark = pytest.mark.slow
FAST = str(ROOT / "tests" / "sim" / "test_codec.py")


def run(*arguments: str) -> tuple[int, str]:
    said = io.StringIO()
    code = testing.test(Console(file=said, width=160), testing.Scope.USUAL, arguments)
    return code, said.getvalue()


def test_parts_and_their_times_are_told() -> None:
    code, said = run(FAST)
    assert code == 0
    assert "tests (part 1 of 1)" in said
    assert re.search(r"^ +\d+\.\d s  tests$", said, re.MULTILINE)
    assert "all passed" in said


def test_part_that_fails_is_told_last_with_its_command() -> None:
    code, said = run(FAST, "-k", "there_is_no_such_test")
    assert code != 0
    assert re.search(r"^ +\d+\.\d s  tests$", said, re.MULTILINE)
    assert said.splitlines()[-1].startswith("tests: failed. Again: ") and "tests/sim/test_codec.py" in said


def test_what_runs_again_is_there() -> None:
    """A file that was renamed would be left out in silence."""
    for name in (*testing.IN_PROCESS, *testing.ON_AVR, *testing.QUICK, *testing.LONG, *testing.USUAL):
        assert (ROOT / "tests" / name).exists(), name


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("--nope", "--nope: no such option; expected one of ./whit test --help, or of pytest"),
        ("tests/sim -k one --nope=3", "--nope=3: no such option; expected one of ./whit test --help, or of pytest"),
        ("-Z", "-Z: no such option; expected one of ./whit test --help, or of pytest"),
        ("tests/sim -k", "-k: expected one argument"),
        ("tests/sim --maxfail=x", "--maxfail: invalid int value: 'x'"),
        ("tests/nowhere.py", f"tests/nowhere.py: no such file or directory in {ROOT}"),
        ("tests/sim tests/nowhere.py::test_it -q", f"tests/nowhere.py::test_it: no such file or directory in {ROOT}"),
    ],
)
def test_what_pytest_does_not_take(words: str, expected: str) -> None:
    """A wrong option gives one line before packages are installed, and the exit code of a mistake."""
    done = subprocess.run([ROOT / "whit", "test", *words.split()], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"whit: {expected}\n")


def test_no_such_test_is_a_mistake_too() -> None:
    """pytest has 4 and 5 for them, which mean something else here (docs/command-line.md)."""
    assert run(f"{FAST}::test_there_is_none")[0] == 2
    assert run(FAST, "-k", "there_is_no_such_test")[0] == 2
