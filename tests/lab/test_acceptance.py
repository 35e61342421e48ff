# SPDX-License-Identifier: MIT
"""Each row of the papers' list with a figure has an experiment that names it."""

import re

from whit.paths import ROOT
from whit_lab import registry
from whit_lab.acceptance import FORMULAS, ITEMS

FIGURES = {
    *(f"D{number}" for number in (1, 4, 6, 7, 8, 9, 11, 13, *range(15, 20), 22, 25, 27, 28, 33)),
    *(f"S{number}" for number in (3, 4, *range(7, 15), 17, *range(23, 32))),
    *(f"B{number}" for number in (2, 7, *range(11, 19))),
    *(f"U{number}" for number in range(1, 7)),
    *(f"W{number}" for number in (5, 6, 9, 10, 11, 12)),
}


def test_every_row_with_a_figure_is_there() -> None:
    rows = [item.row for item in ITEMS]
    assert set(rows) == FIGURES
    assert len(rows) == len(set(rows))


def test_every_row_is_answered_by_experiments_that_say_so() -> None:
    claims = {name: set(registry.find(name).rows) for name in registry.NAMES}
    unanswered = {item.row: item.by for item in ITEMS if not any(item.row in claims[name] for name in item.by)}
    assert unanswered == {}
    unsaid = {(item.row, name) for item in ITEMS for name in item.by if item.row not in claims[name]}
    assert unsaid == set(), "the table names an experiment that does not claim the row"
    unlisted = {
        (row, name)
        for name, rows in claims.items()
        for row in rows & FIGURES
        if name not in next(item.by for item in ITEMS if item.row == row)
    }
    assert unlisted == set(), "an experiment claims a row for which the table does not name it"


def test_formulas_lead_to_experiments() -> None:
    assert {name for item in [*ITEMS, *FORMULAS] for name in item.by} <= set(registry.NAMES)


def test_each_one_is_described() -> None:
    text = (ROOT / "docs" / "lab.md").read_text()
    assert re.findall(r"^\| \[`([\w-]+)`\]\(#", text, re.MULTILINE) == list(registry.NAMES)
    assert re.findall(r"^## `([\w-]+)`$", text, re.MULTILINE) == list(registry.NAMES)
