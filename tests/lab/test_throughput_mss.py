# SPDX-License-Identifier: MIT
"""The reduced form keeps its bounds; its reference takes the time of the papers' formula; there is one limit."""

from dataclasses import replace

import pytest

from tests.lab.reduced import measured
from tests.lab.reduced import reduced as result_of
from whit.wire.units import SECOND
from whit_lab.experiment import Lines, Result
from whit_lab.experiments.throughput_mss import (
    LINE,
    MINI,
    ONE,
    ONE_LATE,
    OURS,
    OVER_LIMIT_PERCENT,
    PEERS,
    built,
    client,
    limit_s,
    measure,
    over_limit,
)
from whit_lab.kept import kept, same
from whit_lab.model import dynaweb

pytestmark = pytest.mark.xdist_group("lab")  # its builds once


@pytest.fixture(scope="module")
def reduced() -> Result:
    return result_of("throughput-mss")


def test_bounds(reduced: Result) -> None:
    assert {figure.name: figure.limit for figure in reduced.figures} == {
        "seconds_1460": 7.2,
        "seconds_200": 9.0,
        "seconds_1460_uart": 7.2,
        "seconds_200_uart": 9.0,
        "over_limit_percent_max": OVER_LIMIT_PERCENT,
    }
    assert {figure.name for figure in reduced.figures if not figure.holds} == set()
    names = [figure.name for figure in [*reduced.figures, *reduced.beside]]
    assert len(names) == len(set(names))


def test_charts_have_the_papers_points_beside_ours(reduced: Result) -> None:
    charts = [chart for chart in reduced.series if isinstance(chart, Lines)]
    assert len(charts) == len(reduced.series)
    assert len([step for step in reduced.ladders[0].steps if step.kind == "data"]) >= 40
    assert {line.whose for line in charts[0].lines} == {"ours", "paper", "peer", "model"}


def test_same_seed_same_bytes(reduced: Result) -> None:
    again = same(measured("throughput-mss"))
    assert kept(again) == kept(reduced)


@pytest.mark.parametrize("mss", [200, 1460])
def test_one_in_flight_is_the_papers_formula(mss: int) -> None:
    """alpha = beta = 1, with the request, two more segments and SLIP's two octets for each datagram."""
    exchange = measure(PEERS[ONE_LATE], LINE, client(mss, late=True), 1)
    seconds = exchange.arrivals[-1][1] / dynaweb.throughput(mss, *dynaweb.ONE_IN_FLIGHT, rate=LINE)
    assert (exchange.whole_us - exchange.first_us) / SECOND == pytest.approx(seconds, rel=0.04)
    assert measure(PEERS[ONE], LINE, client(mss), 1).whole_us < exchange.whole_us


def test_nothing_is_faster_than_the_limit() -> None:
    """An unlimited window of full segments without a client's delay: that is the limit, and ours can miss it."""
    every = replace(client(200), window=65535)
    assert 0 <= over_limit(measure(PEERS[MINI], LINE, every, 1), LINE, 200) < 1
    narrow = measure(built().image, LINE, replace(client(160), window=160), 1)  # one in flight: it is not halved
    assert over_limit(narrow, LINE, 160) > OVER_LIMIT_PERCENT
    assert limit_s(narrow, LINE, 1460) < limit_s(narrow, LINE, 200)


def test_ours_is_worse_where_the_table_says_so(reduced: Result) -> None:
    worse = {row.source for row in reduced.compared if row.worse}
    assert worse <= {f"{MINI}, same run"}
    assert OURS not in PEERS
