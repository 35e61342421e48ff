# SPDX-License-Identifier: MIT
"""The findings of a run are shown by kind, with tables in a terminal of 80 columns."""

import io

import pytest
from rich.console import Console

from tests.lab.test_page import EXPERIMENT
from whit_lab import registry
from whit_lab.experiment import Bars, Beside, Figure, Result, Row, Sheet, collected
from whit_lab.show import experiments_table, print_result

NAME = "line_only_error_percent_max"
FIGURE = Figure(NAME, "the model's error for files, had it not been told what the processor takes", 10.96, "%", 12)
ROW = Row("a kept-alive GET of the page", 19036, 6000, "cycles", "a server that has a long name")


@pytest.mark.parametrize("width", [80, 140])
def test_no_name_is_broken_and_no_line_is_wide(width: int) -> None:
    console = Console(file=io.StringIO(), width=width)
    print_result(console, EXPERIMENT, Result({}, [FIGURE], [], [FIGURE], [ROW]))
    console.print(experiments_table([registry.find(name) for name in registry.NAMES], width < 110))
    assert isinstance(console.file, io.StringIO)
    text = console.file.getvalue()
    assert max(map(len, text.splitlines())) <= width
    assert text.count(NAME) == 2
    for words in ("19 036 cycles", "10.96 %", "at most 12", *registry.NAMES):
        assert words in text


def test_what_is_found_has_its_place() -> None:
    """Findings of each kind keep their order, whatever comes between."""
    beside, sheet, chart = Beside("by", "beside", 1, "B"), Sheet("sheet", ["a"], [["1"]]), Bars("bars", "B", {"a": 1})
    other = Figure("other", "another", 2, "B")
    result = collected([{"seed": 1}, "first", FIGURE, beside, ROW, chart, "second", {"more": 2}, other, sheet])
    assert (result.settings, result.notes) == ({"seed": 1, "more": 2}, ["first", "second"])
    assert (result.figures, result.beside, result.compared) == ([FIGURE, other], [beside], [ROW])
    assert (result.series, result.sheets, result.ladders) == ([chart], [sheet], [])
