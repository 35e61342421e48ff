# SPDX-License-Identifier: MIT
"""The reduced form keeps its bounds, the curves follow the paper's equation, and its sender is no better than the
equation."""

from math import ceil, inf

import pytest

from tests.lab.reduced import measured, reduced
from whit_lab.experiment import Lines, Result
from whit_lab.experiments.sending_time import (
    FEW,
    FIGURE_1,
    FULL,
    HALF,
    HALF_MSS,
    HALVED,
    LONE_MSS,
    NEAR_PERCENT,
    arrival_s,
    built,
    cut,
    measure,
    measure_sender,
    point,
    st_s,
)
from whit_lab.kept import kept, same

pytestmark = pytest.mark.xdist_group("lab")  # its builds once


@pytest.fixture(scope="module", name="reduced")
def reduced_result() -> Result:
    return reduced("sending-time")


def test_bounds(reduced: Result) -> None:
    assert {figure.name: (figure.limit, figure.least) for figure in reduced.figures} == {
        "engine_st_deviation_percent": (NEAR_PERCENT, None),
        "engine_arrival_deviation_percent": (NEAR_PERCENT, None),
        "engine_over_model_percent": (NEAR_PERCENT, None),
        "sender_deviation_percent": (NEAR_PERCENT, None),
        "odd_over_even": (None, 1.1),
        "engine_odd_over_even": (1.01, None),
    }
    assert {figure.name for figure in reduced.figures if not figure.holds} == set()


def test_same_seed_same_bytes(reduced: Result) -> None:
    again = same(measured("sending-time"))
    assert kept(again) == kept(reduced)


def test_ours_is_worse_only_behind_an_odd_last_segment(reduced: Result) -> None:
    assert [row.name for row in reduced.compared if row.worse] == ["3079 B in 3 segments, no limit: st"]
    charts = [chart for chart in reduced.series if isinstance(chart, Lines)]
    assert len(charts) == len(reduced.series)
    assert {line.whose for chart in charts for line in chart.lines} == {"ours", "model", "peer", "paper"}


def test_the_ladders_show_both_windows(reduced: Result) -> None:
    """Four segments in windows of three: the engine's, and the sender's three and two halves."""
    engine, sender = ([step for step in one.steps if step.kind == "data"] for one in reduced.ladders)
    assert (len(engine), len(sender)) == (4, 5)
    assert sender[3].begin_us - engine[3].begin_us > 100_000, "it waits for the late acknowledgment"


def test_one_is_in_flight_and_two_halves() -> None:
    """Each by its client's window; a lone one waits for its late acknowledgment, the halves do not."""
    image, size = built().image, FEW[-1]
    lone, halves = (measure(image, size, in_flight, FULL, 1) for in_flight in (1, HALVED))
    octets = len(lone.response.raw)
    assert len(lone.arrivals) - 1 == lone.segment_cnt == lone.ack_cnt == ceil(octets / LONE_MSS)
    assert len(halves.arrivals) - 1 == ceil(octets / HALF_MSS)
    assert 3 * point(halves).st_s < st_s(octets, 1, FULL)
    assert point(lone).st_s > (lone.segment_cnt - 1) * (FIGURE_1.delayed_ack_s + FIGURE_1.rtt_s)


def test_the_curves_by_hand() -> None:
    """T(4380, 3) = 45 ms, two acknowledgments, a round trip and 200 ms; then 2920 octets in two segments."""
    assert st_s(7300, 3, HALF) == pytest.approx(0.2958 + 0.0804)
    assert st_s(7300, 3, FULL) == pytest.approx(0.2950 + 0.0800)
    assert st_s(1000, inf, HALF) == pytest.approx(0.0612), "an even number, though one would do"
    assert st_s(1000, inf, HALF, even=False) == pytest.approx(0.2608)
    assert arrival_s(7300, 3, HALF) == pytest.approx(0.2958 + 0.030 + 0.025)
    assert arrival_s(4380, 3, HALF) == pytest.approx(0.045 + 0.025), "the last window is a whole one"


def test_the_rest_is_cut_in_two() -> None:
    octets = bytes(2 * FIGURE_1.mss + 1001)
    assert [len(piece) for piece in cut(octets, 2)] == [1460, 1460, 501, 500]
    assert [len(piece) for piece in cut(octets, 1)] == [1460, 1460, 1001]
    assert [len(piece) for piece in cut(octets, 3)] == [1307, 1307, 1307], "no fourth where three is the most"
    assert len(cut(octets, inf)) == 4


@pytest.mark.parametrize("duplex", [HALF, FULL])
def test_a_window_that_slides_beats_one_after_the_other(duplex: str) -> None:
    """Three in flight: the sender of the equations waits 200 ms for each window, and misses the curve of two."""
    size = FEW[-1]
    ours = measure(built().image, size, 3, duplex, 1)
    theirs = point(measure_sender(ours.response.raw, size, 3, duplex, 1))
    assert theirs.st_s > 2 * point(ours).st_s
    assert theirs.st_s > st_s(theirs.octets, 2, duplex) * 2


def test_an_odd_last_segment_is_late_and_no_user_waits() -> None:
    size = FEW[0]
    ours = point(measure(built().image, size, inf, HALF, 1))
    assert ours.st_s > ours.arrival_s + FIGURE_1.delayed_ack_s / 2
    assert st_s(ours.octets, inf, HALF) < ours.st_s <= 1.01 * st_s(ours.octets, inf, HALF, even=False)
