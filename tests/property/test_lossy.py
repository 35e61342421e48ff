# SPDX-License-Identifier: MIT
"""57 kB over a line that loses frames, to three clients that keep their connections: how long the median one takes."""

from statistics import median

import pytest

from tests.http.test_methods import Make
from tests.property.lossy import visits
from tests.support import BIG


@pytest.mark.parametrize(("loss", "seconds"), [(0.0, 0.004), (0.05, 0.01), (0.2, 0.9)])
def test_median_time(make_engine: Make, loss: float, seconds: float) -> None:
    """The round trip takes a millisecond: nearly all of it is waiting for a timer."""
    visitors = visits(make_engine(connections=4), "/n57254.bin", len(BIG), loss)
    taken = [second for visitor in visitors for second in visitor.seconds]
    assert len(taken) == 60
    assert median(taken) <= seconds
