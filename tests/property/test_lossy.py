# SPDX-License-Identifier: MIT
"""The median time of 57 kB to three clients that keep their connections, on a line that loses frames."""

from statistics import median

import pytest

from tests.harness import Make
from tests.property.lossy import visits
from tests.support import BIG


@pytest.mark.parametrize(
    ("rtt_ms", "loss", "seconds", "without"),
    [(1, 0.0, 0.004, 0.004), (1, 0.05, 0.006, 0.01), (1, 0.2, 0.1, 0.9), (20, 0.2, 0.4, 1.2)],
)
@pytest.mark.parametrize("sack", [True, False])
def test_median_time(make_engine: Make, rtt_ms: int, loss: float, seconds: float, without: float, sack: bool) -> None:
    """Timers take nearly all of the time when the round trip is a millisecond."""
    engine = make_engine(connections=4)
    visitors = visits(engine, "/n57254.bin", len(BIG), loss, sack=sack, rtt_ms=rtt_ms)
    taken = [second for visitor in visitors for second in visitor.seconds]
    assert len(taken) == 60
    assert median(taken) <= (seconds if sack else without)
