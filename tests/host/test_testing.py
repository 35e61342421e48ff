# SPDX-License-Identifier: MIT
"""`./whit test` tells which part runs, how many there are, and how long each took."""

import io
import re

import pytest
from rich.console import Console
from whit.commands import testing
from whit.paths import ROOT

pytestmark = pytest.mark.slow
FAST = str(ROOT / "tests" / "sim" / "test_codec.py")


def run(*arguments: str) -> tuple[int, str]:
    said = io.StringIO()
    code = testing.test(Console(file=said, width=160), quick=False, pytest_arguments=arguments)
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
    for name in (*testing.IN_PROCESS, *testing.ON_AVR, *testing.QUICK):
        assert (ROOT / "tests" / name).exists(), name
