# SPDX-License-Identifier: MIT
"""The shapes of charts agree with their numbers."""

import pytest
from matplotlib import pyplot
from matplotlib.patches import Rectangle

from whit_lab.experiment import Bars
from whit_lab.plot import _bars

AMOUNTS = {"ours": 0.25, "theirs": 24.0, "others": 3.0}


@pytest.mark.parametrize("log", [False, True])
def test_bars_begin_at_zero_or_are_dots(log: bool) -> None:
    figure, at = pyplot.subplots()
    _bars(at, Bars("Bars", "octets", AMOUNTS, log))
    bars = [patch for patch in at.patches if isinstance(patch, Rectangle)]
    dots = [point for dots in at.collections for point in dots.get_offsets()]  # type: ignore[attr-defined]
    low = at.get_xlim()[0]
    pyplot.close(figure)
    assert len(bars) == (0 if log else len(AMOUNTS))
    assert len(dots) == (len(AMOUNTS) if log else 0)
    if not log:
        assert low == 0
        assert {bar.get_x() for bar in bars} == {0}
