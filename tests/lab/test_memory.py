# SPDX-License-Identifier: MIT
"""Memory beside the papers': the bounds, that parts are the whole, and that what is worse is told."""

import shutil

import pytest
from whit.lab.experiment import Result

from tests.lab.reduced import reduced as result_of
from tests.targets.machines import WHY_NOT

WHY = WHY_NOT["gba"]() or WHY_NOT["avr"]()
pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("lab"),
    pytest.mark.skipif(bool(WHY) or not shutil.which("arm-none-eabi-gcc"), reason=WHY or "needs arm-none-eabi-gcc"),
]


@pytest.fixture(scope="module")
def result() -> Result:
    return result_of("memory")


def test_bounds(result: Result) -> None:
    assert {figure.name: figure.limit for figure in result.figures} == {"slot_bytes": 32, "idle_bytes": 8}
    assert all(figure.holds for figure in result.figures), result.figures


def test_parts_are_the_whole(result: Result) -> None:
    ours = [dict(zip(result.sheets[0].columns, row, strict=True)) for row in result.sheets[0].rows[:2]]
    for row in ours:
        assert int(row["globals"]) + int(row["stack"]) == int(row["RAM"])
        assert int(row["code"]) + int(row["RO data"]) == int(row["flash"])
    painted = {row["server"]: row["painted"] for row in ours}
    assert 100 < int(painted["contacts, AVR"]) <= int(ours[1]["stack"])


def test_what_is_worse_has_a_note(result: Result) -> None:
    worse = {row.name.rpartition(" ")[2] for row in result.compared if row.worse}
    for what in worse & {"RAM", "flash"}:
        assert any(note.lower().startswith(f"{what.lower()} is worse") for note in result.notes)
