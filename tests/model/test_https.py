# SPDX-License-Identifier: MIT
"""The model's extra time for HTTPS equals the time that OpenSSL takes with the engine itself, in virtual time."""

from dataclasses import replace

import pytest

from whit.image.build import BuildResult, build
from whit.model import refined
from whit.model.parties import Client, Item, Link, Server, Tls
from whit.model.prediction import show
from whit.model.prediction.lengths import Length
from whit.model.prediction.page import pages
from whit.model.prediction.predict import Setting, predict
from whit.paths import ROOT
from whit.wire.http import request
from whit.wire.units import SECOND
from whit_lab.instruments import secured
from whit_lab.instruments.exchange import datagram_len
from whit_lab.instruments.secured import Secured
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment
from whit_testbed.net import Net

APP = ROOT / "apps" / "contacts"
FILES = ("/", "/style.css", "/script.js", "/logo.png")
RATE, RTT_S = 10_000, 0.005
WITHIN = 0.03


@pytest.fixture(scope="module")
def built() -> BuildResult:
    return build(APP, target="inprocess", overrides=secured.settings())


def test_a_first_visit_and_the_next_one(built: BuildResult) -> None:
    way = Impairment(delay_us=int(RTT_S * SECOND / 2), rate=RATE)
    with Engine(built.image, key=secured.device_key()) as engine:
        net = Net(engine, up=way, down=way)
        for link in (net.up, net.down):
            link.wire_len = datagram_len
        plain = net.host().client()
        found = {target: net.get(plain, target) for target in FILES}
        client = Secured(net)
        took_s = []
        for _ in range(2):
            begun_us = net.loop.now_us
            for target in FILES:
                assert client.get(target).status == 200
            took_s.append((net.loop.now_us - begun_us) / SECOND)
            net.idle(2)
    tls = show.tls_of(built)
    assert tls and (tls.record, tls.segment(1460)) == (464, 1458)
    items: list[Item] = []
    for target, response in found.items():
        head, content = response.raw.index(b"\r\n\r\n") + 4, len(response.body)
        asked, after = len(request(target)) + Tls.AROUND, (items[-1].name,) if items else ()
        items.append(Item(target, asked, head, content + tls.over(head + content), after=after))
    link, one = Link(RATE, RTT_S), Client(mss=tls.segment(Client().mss), connections=1)
    for took, again in zip(took_s, (False, True), strict=True):
        predicted = refined.page_s(link, one, Server(), items, warm=again, tls=tls)
        assert predicted == pytest.approx(took, rel=WITHIN), (took_s, again)


def test_each_connection_begins_with_a_handshake() -> None:
    link, server, tls = Link(10_000, 0.1), Server(), Tls(514, 900)
    items = [Item("/", 400, 90, 500), *(Item(f"/{n}", 400, 90, 500, after=("/",)) for n in range(5))]
    for cnt in (1, 2, 6):
        client = replace(Client(), connections=cnt)
        plain, secure = (refined.page_s(link, client, server, items, tls=one) for one in (None, tls))
        assert secure - plain > 0.1 + (tls.hello + tls.flight) / 10_000
        assert refined.page_s(link, client, server, items, warm=True, tls=tls) == refined.page_s(
            link, client, server, items, warm=True
        )


def test_a_page_by_https_takes_longer(built: BuildResult) -> None:
    """The report has both."""
    (page,) = pages(built.application)
    setting = Setting(Link(RATE, RTT_S), built.application.limits)
    none: dict[str, Length] = {}
    plain, secure = (predict(page, one, none) for one in (setting, replace(setting, tls=show.tls_of(built))))
    for one, other in zip(plain.visits, secure.visits, strict=True):
        assert one.first_s + 0.15 < other.first_s < 1.9 * one.first_s + 0.5
        assert one.again_s < other.again_s < 1.5 * one.again_s


def test_the_report_says_both(built: BuildResult) -> None:
    said = show.prediction(built, "10kB/s,5ms", (), secured.settings())
    assert any("full handshake on each connection" in str(line) for line in said)
    plain = build(APP, target="inprocess", link="slip")
    assert not any("handshake" in str(line) for line in show.prediction(plain, "10kB/s,5ms", (), {}))
