# SPDX-License-Identifier: MIT
"""The strategies' figures in a short form, and a check of the references that they are compared with."""

import json
from pathlib import Path
from typing import cast

import pytest

from tests.lab.reduced import measured, reduced
from whit.wire.units import MS, SECOND
from whit_lab.experiment import Bars, Curves, Figure, Result
from whit_lab.experiments.strategies.runs import (
    CASES,
    MSS,
    RATE,
    RTT_MS,
    S0,
    S1,
    S3,
    Case,
    answered,
    image_of,
    measure,
    measure_classic,
    options,
)
from whit_lab.instruments.exchange import Visitor, link
from whit_lab.instruments.served import LARGE, SMALL, generated
from whit_lab.kept import kept, same
from whit_lab.plot import draw
from whit_testbed.classic import Classic
from whit_testbed.engine import Engine
from whit_testbed.http import Client
from whit_testbed.net import Net

pytestmark = pytest.mark.xdist_group("lab")  # its builds once

BOUNDS = {  # at most, at least
    "s0_speedup_8k": (None, 11.2),
    "s1_speedup_600": (None, 4.5),
    "s3_speedup_8k": (None, 4.1),
    "s3_300_speedup_8k": (None, 1.0),
    "s4_over_s0_time": (1.03, None),
    "s0_charge_bs": (0, None),
    "s2_charge_bs": (0, None),
    "s4_charge_bs": (0, None),
    "rerun_point_bytes": (16, None),
    "s3_held_bytes": (1460, None),
    "s3_300_held_bytes": (300, None),
    "loss_complete_percent": (None, 100),
}


@pytest.fixture(scope="module", name="reduced")
def reduced_result() -> Result:
    return reduced("strategies")


def test_every_figure_has_its_bound_and_holds(reduced: Result) -> None:
    figures = [figure for figure in reduced.figures if not figure.name.startswith(("model_", "measured_"))]
    assert {figure.name: (figure.limit, figure.least) for figure in figures} == BOUNDS
    assert {figure.name for figure in figures if not figure.holds} == set()
    written = json.loads(json.dumps(kept(reduced)))
    assert [figure.get("least") for figure in written["figures"]][: len(BOUNDS)] == [
        least for _, least in BOUNDS.values()
    ]
    names = [figure.name for figure in reduced.figures]
    assert len(names) == len(set(names))


def test_ours_is_nowhere_worse(reduced: Result) -> None:
    """No row is worse, except the ones that test_ratios.py names."""
    assert {row.name for row in reduced.compared if row.worse and not row.source.startswith("001 §4.3")} == set()
    assert {row.source for row in reduced.compared} >= {"001 §4.3", "one segment in flight, same run"}


def test_figures_can_be_missed_on_both_sides() -> None:
    assert [Figure("a", "", value, "", limit=3).holds for value in (3, 3.01)] == [True, False]
    assert [Figure("a", "", value, "", least=3).holds for value in (3, 2.99)] == [True, False]


def test_same_seed_same_figures(reduced: Result) -> None:
    again = same(measured("strategies"))
    assert kept(again) == kept(reduced)


def test_charts(reduced: Result, tmp_path: Path) -> None:
    assert [type(chart) for chart in reduced.series[:4]] == [Bars, Curves, Bars, Curves]
    for suffix, magic in ((".svg", b"<svg"), (".png", b"\x89PNG")):
        path = tmp_path / f"plot{suffix}"
        draw("strategies", reduced.series, path)
        assert path.read_bytes().startswith(magic)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.key)
def test_the_meter_agrees_with_what_is_seen(case: Case) -> None:
    """The engine's own integral equals the integral of its reported memory after each event, to 1 ms."""
    measured = measure(image_of(case), case, seed=3)
    grain = 0.002 * measured.held_most  # its beginning and its end
    assert measured.charge["content"] == pytest.approx(measured.exchange.charge, rel=0.005, abs=grain)


def test_small_output_is_held_while_it_is_in_flight() -> None:
    """The meter reads 0 for S2, and can read more: S1 holds the same content for at least a round trip."""
    measured = measure(image_of(S1), S1, seed=1)
    assert SMALL <= measured.held_most <= SMALL + 64
    assert measured.charge["content"] > SMALL * RTT_MS / 1000


# ---------------------------------------------------------------- the server that they are compared with


@pytest.mark.parametrize("writes", [[8192], [230, 8192], [600], [1460], [1461]])
def test_one_segment_in_flight_takes_what_the_papers_formula_says(writes: list[int]) -> None:
    """T(s, 1) = t(s, 1) + t(0, 1) + RTT + 0.2 s for each segment."""
    content = generated(sum(writes) - 100)
    head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(content)}\r\nX: ".encode()
    octets = head.ljust(96, b"x") + b"\r\n\r\n" + content
    pieces, at = [], 0
    for length in writes:
        pieces.append(octets[at : at + length])
        at += length
    exchange = measure_classic(pieces, len(content), seed=1)
    segments = [min(MSS, length - at) for length in writes for at in range(0, length, MSS)]
    seconds = sum((40 + length) / RATE + 40 / RATE + RTT_MS / 1000 + 0.2 for length in segments)
    assert exchange.served_us == pytest.approx(seconds * SECOND, abs=len(segments))
    assert exchange.segment_cnt == len(segments)
    charge = sum(length * ((80 + length) / RATE + RTT_MS / 1000 + 0.2) for length in segments)
    assert exchange.charge == pytest.approx(charge, rel=0.001)


@pytest.mark.parametrize("seed", range(4))
def test_the_model_survives_loss(seed: int) -> None:
    body = generated(5000)
    server = Classic(lambda target: [b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n", body])
    net = Net(cast(Engine, server), up=link(RATE, RTT_MS, 0.1), seed=seed)
    client: Client = net.host().client(options())
    for _ in range(5):
        assert net.get(client, "/").body == body
    client.connection.close()
    net.idle(60)
    assert client.connection.finished
    assert server.held == 0


def test_what_is_held_is_seen() -> None:
    server = Classic(lambda target: [b"HTTP/1.1 200 OK\r\nContent-Length: 600\r\n\r\n" + generated(600)])
    net = Net(cast(Engine, server), up=link(RATE, RTT_MS), seed=1)
    exchange = Visitor(net, options(), lambda: server.held).get("/", generated(600))
    assert exchange.held_most == 600 + 40
    assert exchange.held[-1][1] == 0


# ---------------------------------------------------------------- what measures


@pytest.mark.parametrize("case", [S0, S3], ids=lambda case: case.key)
def test_loss_costs_time_and_nothing_else(case: Case) -> None:
    image = image_of(case)
    assert answered(image, link(RATE, RTT_MS, 0.1), options(), case.target, generated(LARGE), 5, 3) == 3
    assert answered(image, link(RATE, RTT_MS, 0.1), options(), case.target, generated(LARGE - 1), 5, 3) == 0


def test_a_link_counts_datagrams() -> None:
    """The request's first octet and the response's are apart by the request's length on the link and the delay."""
    exchange = measure(image_of(S0), S0, seed=1).exchange
    request = len(f"GET {S0.target} HTTP/1.1\r\nHost: whit\r\n\r\n") + 40
    assert exchange.first_us == pytest.approx(request * SECOND / RATE + RTT_MS * MS / 2, abs=10)
