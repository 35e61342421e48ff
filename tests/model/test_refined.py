# SPDX-License-Identifier: MIT
"""The refined model agrees with the engine itself, in virtual time."""

from pathlib import Path

import pytest

from whit.image.build import build
from whit.model import refined
from whit.model.policy import AckPolicy, Options
from whit.model.refined import Client, Item, Link, Server
from whit.paths import ROOT
from whit.wire.http import Response, request
from whit.wire.units import MS
from whit_lab.experiments.contacts.runs import PAGE
from whit_lab.experiments.strategies.runs import (
    RATE,
    RTT_MS,
    S0,
    S1,
    S2,
    S3,
    S3_300,
    S4,
    Case,
    image_of,
    measure,
    measure_classic,
)
from whit_lab.instruments.exchange import datagram_len, link
from whit_lab.instruments.instructions import request as page_request
from whit_lab.model import comparison
from whit_lab.model.comparison import Question
from whit_testbed.browser import Browser
from whit_testbed.engine import Engine
from whit_testbed.net import Net

pytestmark = pytest.mark.xdist_group("lab")  # its builds once


CASES = (S0, S1, S2, S3, S3_300, S4)


@pytest.mark.parametrize("case", CASES, ids=[case.key for case in CASES])
def test_every_strategy_within_2_percent(case: Case) -> None:
    measured = measure(image_of(case), case, 1)
    raw = measured.exchange.response.raw
    head = raw.index(b"\r\n\r\n") + 4
    item = Item(case.key, len(request(case.target)), head, case.size, case.key[:2].upper())
    said = refined.response(Link(RATE, RTT_MS / 1000), Client(), Server(buffer=case.buffer), item)
    assert said.whole_s == pytest.approx(measured.exchange.whole_us / 1e6, rel=0.02)
    assert said.acked_s == pytest.approx(measured.exchange.acked_us / 1e6, rel=0.02)
    assert len(said.segments) == measured.exchange.segment_cnt
    assert said.charge_bs == pytest.approx(measured.charge["content"], rel=0.02)


def test_a_server_with_one_segment_in_flight_within_2_percent() -> None:
    """The model server sends the same octets."""
    raw = measure(image_of(S0), S0, 1).exchange.response.raw
    measured = measure_classic([raw], S0.size, 1)
    question = Question(
        Link(RATE, RTT_MS / 1000), Client(), Server(), S0.size, len(request(S0.target)), len(raw) - S0.size
    )
    said = comparison.refined(question, comparison.ONE)
    assert said is not None
    assert said.st_s == pytest.approx(measured.served_us / 1e6, rel=0.02)
    assert said.whole_s == pytest.approx(measured.whole_us / 1e6, rel=0.02)
    assert said.charge_bs == pytest.approx(measured.charge, rel=0.02)
    assert said.segments == measured.segment_cnt


def ask(target: str, known: Response | None) -> bytes:
    etag = known.field("etag") if known else None
    return page_request(target, f"If-None-Match: {etag}\r\n" if etag else "")


def item_of(target: str, after: tuple[str, ...], known: Response | None, got: Response) -> Item:
    strategy = "S2" if target.startswith("/cb_") else "S0"
    head = len(got.raw) - len(got.body)
    return Item(target, len(ask(target, known)), head, len(got.body), strategy, after)


@pytest.fixture(scope="module")
def contacts() -> Path:
    return build(ROOT / "apps" / "contacts", target="inprocess", meter=True).image


@pytest.mark.parametrize("half_duplex", [False, True])
@pytest.mark.parametrize("policy", list(AckPolicy), ids=[policy.name for policy in AckPolicy])
@pytest.mark.parametrize("connections", [1, 2, 4])
def test_pages_within_5_percent(contacts: Path, connections: int, policy: AckPolicy, half_duplex: bool) -> None:
    """Frames wait while the driver of a slow line is busy, even a third connection's handshake."""
    with Engine(contacts) as engine:
        net = Net(engine, up=link(10_000, 5), half_duplex=half_duplex)
        net.up.wire_len = net.down.wire_len = datagram_len
        options = Options(ack=policy)
        browser = Browser(net.host(), net.loop, PAGE, ask, options=options, connection_max=connections)
        cold_s = browser.load()
        cold = dict(browser.responses)
        net.idle(2)
        warm_s = browser.load()
        warm = dict(browser.responses)
    where = Link(10_000, 0.005, half_duplex=half_duplex, resolve=True)
    client, server = Client(ack=policy, connections=connections), Server(buffer=512)
    first = [item_of(item.target, item.after, None, cold[item.target]) for item in PAGE]
    again = [item_of(item.target, item.after, cold[item.target], warm[item.target]) for item in PAGE]
    assert refined.page_s(where, client, server, first) == pytest.approx(cold_s, rel=0.05)
    assert refined.page_s(where, client, server, again, warm=True) == pytest.approx(warm_s, rel=0.05)


def test_what_is_never_asked_for_is_an_error() -> None:
    with pytest.raises(ValueError, match="never asked for, by what must be there before: b"):
        refined.page(Link(1e4, 0.01), Client(), Server(), [Item("a", 1, 1, 1), Item("b", 1, 1, 1, after=("c",))])


def test_more_of_anything_is_not_faster() -> None:
    def whole(link_: Link, content: int = 20_000, **client: int) -> float:
        return refined.response_s(link_, Client(**client), Server(), 400, 100, content)  # type: ignore[arg-type]

    plain = whole(Link(10_000, 0.05))
    for slower in (
        Link(9000, 0.05),
        Link(10_000, 0.06),
        Link(10_000, 0.05, half_duplex=True),
        Link(1e4, 0.05, loss=0.01),
    ):
        assert whole(slower) > plain
    assert whole(Link(10_000, 0.05), 21_000) > plain
    assert whole(Link(100_000, 0.05), window=2920) > whole(Link(100_000, 0.05))
    assert refined.response_s(Link(1e4, 0.05), Client(), Server(request_s=0.1), 400, 100, 20_000) == pytest.approx(
        plain + 0.1
    )
    assert refined.response_s(Link(1e4, 0.05), Client(), Server(), 400, 100, 20_000, warm=False) > plain + 0.05


def test_initial_window_of_an_engine_that_has_no_rate_limit() -> None:
    """57 254 octets in three round trips, in two on a local link: as `lab engine` counts them."""
    far = Link(None, 0.02)
    client = Client(ack=AckPolicy.EVERY)
    trips = [refined.response_s(far, client, Server(local=local), 60, 110, 57_254) / 0.02 for local in (False, True)]
    assert trips == [pytest.approx(3), pytest.approx(1)]


def test_loss_is_foreseen_within_a_third() -> None:
    """The mean of many requests for a file, less the time without loss."""
    image = image_of(S0)
    loss, cnt = 0.02, 300
    options = Options(ack=AckPolicy.DELAYED, rto_min=1000 * MS)
    total = 0
    with Engine(image) as engine:
        net = Net(engine, up=link(RATE, RTT_MS, loss), seed=3)
        net.up.wire_len = net.down.wire_len = datagram_len
        client = net.host().client(options)
        net.get(client, S0.target)
        net.idle(2)
        for _ in range(cnt):
            begin = net.loop.now_us
            net.get(client, S0.target)
            total += net.loop.now_us - begin
            net.idle(2)
    item = (len(request(S0.target)), 145, S0.size)
    free_s = refined.response_s(Link(RATE, RTT_MS / 1000), Client(), Server(), *item)
    said_s = refined.response_s(Link(RATE, RTT_MS / 1000, loss=loss), Client(), Server(), *item)
    assert said_s - free_s == pytest.approx(total / cnt / 1e6 - free_s, rel=0.34)
