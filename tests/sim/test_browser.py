# SPDX-License-Identifier: MIT
"""A browser asks again when a connection ends before its response does, but not without end."""

from collections.abc import Callable
from typing import cast

import pytest

from whit.wire.packet import IPV4, MASK32, Ethernet, Flags, Ipv4, Malformed, Segment
from whit.wire.units import MS
from whit_testbed.browser import Browser, Item
from whit_testbed.chain import lengthen
from whit_testbed.classic import Behaviour, Classic, Close
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment
from whit_testbed.net import Net

BODY = b"b" * 3000
WHOLE = b"HTTP/1.1 200 OK\r\nContent-Length: 3000\r\n\r\n" + BODY
CUT = b"HTTP/1.1 200 OK\r\nContent-Length: 3000\r\n\r\n" + BODY[:1000]
PAGE = (Item("/"), Item("/a", ("/",)), Item("/b", ("/",)))


def browser_on(
    answer: Callable[[str], list[bytes]], close: Close = Close.NEVER, **settings: int
) -> tuple[Net, Browser]:
    server = Classic(answer, Behaviour(close=close))
    net = Net(cast(Engine, server), up=Impairment(delay_us=10 * MS))
    ask = lambda target, known: f"GET {target} HTTP/1.1\r\nHost: x\r\n\r\n".encode()  # noqa: E731
    return net, Browser(net.host(), net.loop, PAGE, ask, **settings)


def reset_first(net: Net, port: int) -> None:
    """Instead of its third frame, the connection from this port gets a RST."""
    deliver, left = net.down.deliver, [3]

    def delivered(frame: bytes, begun_us: int) -> None:
        try:
            ethernet = Ethernet.parse(frame)
            ip = Ipv4.parse(ethernet.payload)
            segment = Segment.parse(ip.payload, ip.src, ip.dst)
        except Malformed:
            return deliver(frame, begun_us)
        left[0] -= segment.dport == port
        if segment.dport == port and left[0] == 0:
            rst = Segment(segment.sport, segment.dport, segment.seq, segment.ack, Flags.R | Flags.A, 0)
            octets = Ipv4(ip.src, ip.dst, ip.protocol, rst.pack(ip.src, ip.dst)).pack()
            frame = Ethernet(ethernet.dst, ethernet.src, ethernet.ethertype, octets).pack()
        return deliver(frame, begun_us)

    net.down.deliver = delivered


@pytest.mark.parametrize("connection_max", [1, 3])
def test_a_reset_connection_is_replaced_by_another(connection_max: int) -> None:
    net, browser = browser_on(lambda target: [WHOLE], connection_max=connection_max)
    reset_first(net, 49153)
    browser.load()
    assert {target: response.body for target, response in browser.responses.items()} == {
        item.target: BODY for item in PAGE
    }
    assert browser.again_cnt == 1
    assert not browser.failed


def test_it_gives_up_what_is_always_cut() -> None:
    """`/a` is always cut: the browser asks three times, and loads all other files."""
    asked: list[str] = []

    def answer(target: str) -> list[bytes]:
        asked.append(target)
        return [CUT if target == "/a" else WHOLE]

    _, browser = browser_on(answer, Close.SENT, try_max=3)
    browser.load()
    assert asked.count("/a") == 3
    assert browser.failed == {"/a"}
    assert set(browser.responses) == {"/", "/b"}


@pytest.mark.parametrize("late", [False, True])
def test_a_request_waits_for_its_connection_or_takes_the_first_that_is_free(late: bool) -> None:
    """The second connection's SYN is lost for a second; the first has long been idle by then."""
    net, browser = browser_on(lambda target: [WHOLE], connection_max=2, late=late)
    syns = []

    def lost(frame: bytes) -> bool:
        segment = frame[34:]
        syns.append(segment[13] & Flags.S != 0)
        return syns[-1] and sum(syns) == 2

    net.up.drop = lost
    assert (browser.load() < 1) is late
    assert set(browser.responses) == {item.target for item in PAGE}


@pytest.mark.parametrize("late", [False, True])
def test_a_server_that_refuses_is_asked_so_many_times(late: bool) -> None:
    net, browser = browser_on(lambda target: [WHOLE], late=late)
    net.engine.frame_in = refuse(net)  # type: ignore[method-assign]
    browser.load()
    assert browser.failed == {"/"}
    assert len(net.host().connections) == 3


def refuse(net: Net) -> Callable[..., None]:
    """Every segment gets a RST; ARP is answered."""
    take = net.engine.frame_in

    def frame_in(frame: bytes, split: object = None) -> None:
        try:
            ip = Ipv4.parse(Ethernet.parse(frame).payload)
        except Malformed:
            return take(frame)
        syn = Segment.parse(ip.payload, ip.src, ip.dst)
        rst = Segment(syn.dport, syn.sport, 0, syn.seq + 1 & MASK32, Flags.R | Flags.A, 0)
        octets = Ipv4(ip.dst, ip.src, ip.protocol, rst.pack(ip.dst, ip.src)).pack()
        assert net.engine.on_frame
        return net.engine.on_frame(Ethernet(frame[6:12], frame[:6], IPV4, octets).pack())

    return frame_in


def test_frames_take_every_hop() -> None:
    """Five hops have five times the delay and the loss of five; the same seed loses the same frames."""
    loads = []
    for hops, loss in ((1, 0.0), (5, 0.0), (5, 0.02), (5, 0.02)):
        net, browser = browser_on(lambda target: [WHOLE], connection_max=1)
        hop = Impairment(delay_us=10 * MS, loss=loss)
        net.up.impairment = net.down.impairment = hop
        chain = lengthen(net, hops - 1, hop, seed=3)
        loads.append((browser.load(for_s=1000), chain.lost_cnt))
    assert loads[1][0] == pytest.approx(5 * loads[0][0])
    assert loads[2] == loads[3]
    assert loads[2][1] > 0 and loads[2][0] > loads[1][0]
