# SPDX-License-Identifier: MIT
"""The functionality matrix: bounds, that a check can fail, and the same again."""

import pytest

from tests.lab.reduced import measured, reduced
from whit.image.build import build
from whit_lab.experiment import Result
from whit_lab.experiments.functions import checks as function_checks
from whit_lab.experiments.functions.checks import application
from whit_lab.kept import kept, same
from whit_lab.papers import FUNCTIONS
from whit_testbed.engine import Engine

pytestmark = pytest.mark.xdist_group("lab")


def run() -> Result:
    return same(measured("functions"))


@pytest.fixture(scope="module")
def result() -> Result:
    return reduced("functions")


def test_bounds(result: Result) -> None:
    assert all(figure.holds for figure in result.figures), result.figures


def test_every_row_of_the_papers_table(result: Result) -> None:
    assert list(function_checks.TABLE) == list(FUNCTIONS)
    table = result.sheets[0]
    ours = {row[0]: row[4] for row in table.rows}
    assert [name for name, mark in ours.items() if mark != "√"] == ["UDP", "IP reassembly"]
    assert all(row[-1] for row in table.rows)


def test_a_check_can_fail() -> None:
    """The check fails for an engine without ping, and for a recovery without measurement."""
    image = build(application(), target="inprocess", meter=True, overrides={"ping": False, "recovery": "small"}).image
    for check in (function_checks.icmp, function_checks.rtt_estimation):
        with Engine(image) as engine:
            assert not check(engine).has


def test_the_same_again(result: Result) -> None:
    assert kept(run()) == kept(result)
