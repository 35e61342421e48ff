# SPDX-License-Identifier: MIT
"""A path MTU below the MSS, without ICMP: after two timeouts in a row the engine allows routers to fragment."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.harness import Make, opened
from tests.https.secured import Secured, started
from tests.property.test_fire import stamps
from tests.segments.test_client_data import engine as asking_engine
from tests.segments.test_client_data import open_to, sent
from tests.segments.test_large import make_large
from tests.segments.test_retransmit import END, begin, drain
from tests.support import BIG, get, parsed, target
from whit.model.policy import Options
from whit.paths import ROOT
from whit.wire.packet import Ipv4, Segment
from whit.wire.units import MS, SECOND
from whit_testbed.engine import Engine
from whit_testbed.net import Net
from whit_testbed.trace import Peer

__all__ = ["asking_engine", "make_large"]  # fixtures
WHOLE = 0x4000  # don't fragment
FIRE = ROOT / "tests" / "apps" / "fire"
KINDS = ["persistent_thread", "volatile", "volatile_index", "idempotent", "idempotent_thread"]


def black_hole(mtu: int, frame: bytes) -> bool:
    """True if the router drops a frame silently: it is too large, and must not be fragmented. The client reassembles
    fragments."""
    return len(frame) > 14 + mtu and bool(Ipv4.parse(frame[14:]).fragment & WHOLE)


def behind(engine: Engine, mtu: int) -> Net:
    net = Net(engine)
    net.down.drop = partial(black_hole, mtu)
    return net


@pytest.mark.parametrize("recovery", ["full", "small"])
@pytest.mark.parametrize("mtu", [576, 1280, 1499])
@pytest.mark.parametrize("mss", [1460, 1459])
def test_a_file_arrives_within_seconds(make_engine: Make, mtu: int, mss: int, recovery: str) -> None:
    net = behind(make_engine(recovery=recovery), mtu)
    host, begun_us = net.host(), net.loop.now_us
    client = host.client(Options(mss=mss))
    assert net.get(client, "/n57254.bin").body == BIG
    assert net.loop.now_us - begun_us < 4 * SECOND
    begun_us = net.loop.now_us
    assert net.get(client, "/n57254.bin").body == BIG
    assert net.loop.now_us - begun_us < 400 * MS, "it is remembered of the host"
    begun_us = net.loop.now_us
    assert net.get(host.client(Options(mss=mss)), "/n57254.bin").body == BIG
    assert net.loop.now_us - begun_us < 400 * MS, "and holds for its other connections"


@pytest.mark.parametrize("chunk", [4, 128])
def test_segments_may_be_cut_after_the_second_timeout(make_engine: Make, chunk: int) -> None:
    """The segments' size remains: loss alone makes no transfer slower."""
    peer, first = begin(make_engine(chunk=chunk))
    full = 1460 // chunk * chunk
    assert {len(segment.payload) for segment in first} == {full} | {len(first[0].payload)}
    parts = []
    for wait_ms in (1100, 2100):
        peer.wait(wait_ms)
        datagrams = iter_datagrams(peer)
        segment = Segment.parse(datagrams[0].payload, datagrams[0].src, datagrams[0].dst)
        assert segment.payload == first[0].payload and len(segment.payload) > 1300
        parts.append(datagrams[0].fragment)
    assert parts == [WHOLE, 0]
    stream = bytearray(segment.payload)
    peer.send("A", seq=END, ack=1 + len(segment.payload))
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


def test_one_timeout_changes_nothing(engine: Engine) -> None:
    peer, _ = begin(engine)
    peer.wait(1100)
    again = iter_datagrams(peer)[0]
    assert len(again.payload) > 1400 and again.fragment == WHOLE
    peer.send("A", seq=END, ack=1 + len(again.payload) - 20)
    found = iter_datagrams(peer)
    assert {(len(datagram.payload), datagram.fragment) for datagram in found} == {(1460, WHOLE)}


def test_a_closed_window_tells_nothing_of_the_path(engine: Engine) -> None:
    peer, first = begin(engine)
    at = 1 + sum(len(segment.payload) for segment in first)
    peer.send("A", seq=END, ack=at, wnd=0)
    peer.wait(20_000)
    peer.take_all()
    peer.send("A", seq=END, ack=at, wnd=65535)
    assert len(peer.next_segment().payload) > 1400


@pytest.mark.skipif(target() != "inprocess", reason="of fast kinds")
def test_segments_of_large_frames_may_be_cut(make_large: Callable[..., Engine]) -> None:
    """Segments of a card's large frames may be cut; its driver copies the header to each."""
    net = behind(make_large(), 600)
    client = net.host().client()
    assert net.get(client, "/n57254.bin", for_s=5).body == BIG
    assert net.get(client, "/n57254.bin", for_s=1).body == BIG


@pytest.mark.parametrize("size", [600, 1300, 9000])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_generated_arrives_as_one_run_said_it(kind: str, size: int) -> None:
    """Generated content arrives as one run made it. A volatile segment leaves whole, and a router may fragment it."""
    if size > 1800 and kind == "volatile":
        size = 1500  # all of it must be kept
    with opened(FIRE) as fire:
        net = behind(fire, 1280)
        client = net.host().client(Options(verify=False))
        begun_us = net.loop.now_us
        body = net.get(client, f"/{kind}?id=3&len={size}").body
        assert net.loop.now_us - begun_us < 8 * SECOND
        if kind == "volatile_index":
            assert len(body) == size
            return
        assert len(body) == 1 + size and stamps(body[1:]) == {body[0]}
        assert fire.counters["count_changed"] == 0


def test_what_may_be_cut_has_identifications(engine: Engine) -> None:
    """Segments that may be fragmented have different identifications (RFC 6864)."""
    peer, _ = begin(engine)
    peer.wait(3200)
    peer.queue.clear()
    peer.wait(30_000)
    found = [datagram.identification for datagram in iter_datagrams(peer) if datagram.fragment == 0]
    assert len(found) > 1 and len(set(found)) == len(found)


def test_others_leave_whole(engine: Engine) -> None:
    peer = Peer(engine)
    peer.send("S", mss=1460)
    assert [datagram.fragment for datagram in iter_datagrams(peer)] == [WHOLE]
    peer, _ = begin(engine)
    peer.wait(1100)
    assert {datagram.fragment for datagram in iter_datagrams(peer)} == {WHOLE}


def iter_datagrams(peer: Peer) -> list[Ipv4]:
    found = []
    while peer.queue:
        found.append(peer.next_datagram())
    return found


def test_what_the_server_asks_arrives_too(asking_engine: Engine) -> None:
    origin, _ = open_to(asking_engine, "/fetch?len=1000", mss=1460)
    assert [length for _, length in sent(origin)] == [1000]
    again: list[Ipv4] = []
    while len(again) < 2:
        origin.wait(50)
        again += iter_datagrams(origin)
    assert [(len(datagram.payload), datagram.fragment) for datagram in again] == [(1020, WHOLE), (1020, 0)]


@pytest.mark.parametrize("heads", ["", "code"])
@pytest.mark.parametrize(("mtu", "seconds"), [(576, 4), (1280, 4)])
def test_records_arrive_whole(application: Path, mtu: int, seconds: int, heads: str) -> None:
    """The handshake passes at 1280, and so does the last segment of a flight. This looks like loss of the others."""
    engine = started(application, heads=heads)
    net = behind(engine, mtu)
    client = Secured(net)
    client.say(get("/n57254.bin"))
    net.loop.run(lambda: BIG in client.heard or client.error is not None, for_us=seconds * SECOND)
    assert parsed(client.heard).body == BIG and client.error is None
    engine.close()
