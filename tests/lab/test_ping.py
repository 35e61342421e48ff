# SPDX-License-Identifier: MIT
"""Pings of emulated devices: the bounds, the shape, and that the parts are the whole."""

import pytest

from tests.lab.reduced import measured, reduced
from tests.targets.machines import WHY_NOT
from whit.errors import WhitError
from whit.wire.packet import Ipv4, checksum
from whit_lab.experiment import Lines, Result, Stacks
from whit_lab.experiments.ping import (
    ADDED_PERCENT,
    DRIVERS,
    LARGE,
    SMALL,
    STRAIGHT_PERCENT,
    USUAL,
    measure,
    slope,
    straight_percent,
)
from whit_lab.experiments.ping.echo import LARGEST, Pinged, Work, echo_request
from whit_lab.kept import kept

WHY = WHY_NOT["gba"]() or WHY_NOT["avr"]()
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(WHY), reason=WHY),
    pytest.mark.xdist_group("lab"),
]


@pytest.fixture(scope="module")
def result() -> Result:
    return reduced("ping")


def test_bounds(result: Result) -> None:
    assert {figure.name: figure.limit or figure.least for figure in result.figures} == {
        "added_percent_max": ADDED_PERCENT,
        "straight_percent_max": STRAIGHT_PERCENT,
        "largest_echo_octets": LARGEST,
    }
    assert {figure.name for figure in result.figures if not figure.holds} == set()


def test_shape(result: Result) -> None:
    """A processor on a line does nearly all of its work while octets arrive; pieces of a card cost less."""
    charts = {chart.title: chart for chart in result.series}
    work = charts[f"The processor's cycles for an echo of {LARGE} octets"]
    trips, added = (
        charts["Round trip by size, serial lines (003 Fig. 6)"],
        charts["What the processor adds to the line's time"],
    )
    assert isinstance(work, Stacks) and isinstance(trips, Lines) and isinstance(added, Lines)
    for device in USUAL:
        whole = next(dict(line.points)[LARGE] for line in trips.lines if line.name == device.short)
        percent = next(dict(line.points)[LARGE] for line in added.lines if line.name == device.short)
        line, card = (sum(work.amounts[f"{device.processor}, {driver}"].values()) for driver in DRIVERS.values())
        assert 0 < whole * percent / (100 + percent) < line / (device.hz / 1000) / 10
        assert card < line / 4


def test_one_packet_in_flight_is_bent_without_a_delay(result: Result) -> None:
    """003 says so of figures 5 and 4."""
    chart = next(chart for chart in result.series if isinstance(chart, Lines) and "in flight" in chart.title)
    for line, least, most in zip(chart.lines, (3, 1), (100, 1.6), strict=True):
        rates = {size: rate / size for size, rate in line.points}
        assert least < rates[256] / rates[1400] < most


def test_same_bytes(result: Result) -> None:
    again = measured("ping")
    assert kept(again) == kept(result)


def test_no_answer_is_told() -> None:
    device = USUAL[0]
    with pytest.raises(WhitError, match="a ping of 1457 octets was not answered"):
        measure(Pinged(device, device.build()), [LARGEST, LARGEST + 1])


def test_reckoning() -> None:
    assert straight_percent({0: 100, 10: 120, 20: 120}) == pytest.approx(100 / 11)
    assert slope({8: Work(100, 5, 10), 18: Work(200, 5, 20)}) == 11
    request = Ipv4.parse(echo_request(b"\x0a\x07\x00\x01", b"\x0a\x07\x00\x02", 1, SMALL))
    assert len(request.payload) == 8 + SMALL and checksum(request.payload) == 0
