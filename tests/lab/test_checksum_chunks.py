# SPDX-License-Identifier: MIT
"""Sums by chunks on two processors: the bounds, the papers' shape, and the same again."""

import pytest

from tests.lab.reduced import measured
from tests.lab.reduced import reduced as result_of
from tests.targets.machines import WHY_NOT
from whit_lab.experiment import Result
from whit_lab.kept import kept, same

WHY = WHY_NOT["gba"]() or WHY_NOT["avr"]()
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(WHY), reason=WHY),
    pytest.mark.xdist_group("lab"),
]


@pytest.fixture(scope="module")
def result() -> Result:
    return result_of("checksum-chunks")


def test_bounds(result: Result) -> None:
    assert [figure.least for figure in result.figures] == [97, 29]
    assert all(figure.holds for figure in result.figures), result.figures


@pytest.mark.parametrize("processor", ["console", "AVR"])
def test_shape(result: Result, processor: str) -> None:
    """Sending octets is the dearest phase, and a sum that is known costs next to nothing, whatever the chunk."""
    rows = {row.name: row.ours for row in result.compared}
    phases = {phase: rows[f"{processor}: {phase}"] for phase in ("IP header", "TCP header", "checksum", "data")}
    assert min(phases.values()) > 0
    assert max(phases, key=lambda phase: phases[phase]) == "data"
    assert sum(phases.values()) == pytest.approx(rows[f"{processor}: all"], abs=0.001)
    for chunk in (4, 128):
        assert 0 < rows[f"{processor}, chunks of {chunk}: checksum"] < 20
        assert rows[f"{processor}, chunks of {chunk}: saved of it"] > 97


def test_memory_is_the_papers(result: Result) -> None:
    sums = [row for row in result.compared if row.name.startswith("sums")]
    assert len(sums) == 2
    assert all(row.ours == pytest.approx(row.theirs, rel=0.01) for row in sums)


def test_the_same_again(result: Result) -> None:
    again = same(measured("checksum-chunks"))
    assert kept(again) == kept(result)
