# SPDX-License-Identifier: MIT
"""Many connections on a slow line: frames that arrive while the driver is busy wait there, without useless answers."""

from collections import Counter

import pytest

from tests.harness import Make
from tests.support import BIG, MADE_FILES
from whit.wire.http import Response, request
from whit.wire.packet import IPV4, Ethernet, Flags, Ipv4, Segment
from whit.wire.units import MS, SECOND
from whit_testbed.browser import Browser, Item
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment
from whit_testbed.net import Net

CONNECTIONS = 6
NAMES = ("n0.bin", "n1.bin", "n31.bin", "n32.bin", "n33.bin", "n752.bin", "n4000.bin")
PAGE = (Item("/index.html"), *(Item(f"/{name}", ("/index.html",)) for name in NAMES))


def ask(target: str, known: Response | None) -> bytes:
    return request(target)


class Line:
    """An engine on a slow line, and how often the SYN of each port was sent to it."""

    def __init__(self, engine: Engine, rate: int, half_duplex: bool) -> None:
        self.net = Net(engine, up=Impairment(delay_us=10 * MS, rate=rate), half_duplex=half_duplex)
        self.net.up.tap = self._see
        self.syn_cnt: Counter[int] = Counter()

    def _see(self, time_us: int, frame: bytes) -> None:
        ethernet = Ethernet.parse(frame) if self.net.engine.link == "ethernet" else None
        if ethernet and ethernet.ethertype != IPV4:
            return
        datagram = Ipv4.parse(ethernet.payload if ethernet else frame)
        segment = Segment.parse(datagram.payload, datagram.src, datagram.dst)
        if segment.flags & Flags.S:
            self.syn_cnt[segment.sport] += 1


@pytest.mark.parametrize("link", ["ethernet", "slip"])
@pytest.mark.parametrize("half_duplex", [False, True])
@pytest.mark.parametrize("rate", [10_000, 100_000, 1_000_000])
def test_six_syns_come_at_once(make_engine: Make, rate: int, half_duplex: bool, link: str) -> None:
    """The driver has two places: the answers go one after the other, and no SYN is sent twice."""
    engine = make_engine(link=link, connections=CONNECTIONS)
    line = Line(engine, rate, half_duplex)
    browser = Browser(line.net.host(), line.net.loop, PAGE, ask, connection_max=CONNECTIONS)
    seconds = browser.load()
    assert list(line.syn_cnt.values()) == [1] * CONNECTIONS
    assert engine.counters["drop_no_slot"] == 0
    for name in NAMES:
        assert browser.responses[f"/{name}"].body == MADE_FILES[name]
    assert seconds < (line.net.down.octet_cnt + line.net.up.octet_cnt) / rate + 0.5


@pytest.mark.parametrize("half_duplex", [False, True])
def test_a_syn_comes_amid_a_response(make_engine: Make, half_duplex: bool) -> None:
    """A segment waiting in the driver leaves before those waiting in the engine."""
    line = Line(make_engine(), 10_000, half_duplex)
    host = line.net.host()
    first = host.client()
    first.ask("/n57254.bin", host="whit")
    line.net.idle(1)
    second = host.client()
    begun_us = line.net.loop.now_us
    second.wait(lambda connection: connection.opened_us is not None)
    assert line.net.loop.now_us - begun_us < SECOND  # by then the SYN would have been retransmitted
    assert line.net.get(second, "/n33.bin").body == MADE_FILES["n33.bin"]
    assert list(line.syn_cnt.values()) == [1, 1]
    line.net.run(first)
    assert first.responses[0].body == BIG
