# SPDX-License-Identifier: MIT
"""A path whose MTU is below the MSS, and nobody tells: after timeouts in a row segments are small, and may be cut on
their way (RFC 8899 in spirit)."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from whit.paths import ROOT
from whit.sim.engine import Engine
from whit.sim.link import MS, SECOND
from whit.sim.net import Net
from whit.sim.packet import Flags, Ipv4
from whit.sim.policy import Options
from whit.sim.trace import Peer

from tests.http.test_methods import Make
from tests.https.secured import Secured, started
from tests.property.test_fire import stamps
from tests.segments.test_client_data import engine as asking_engine
from tests.segments.test_client_data import open_to, sent
from tests.segments.test_large import make_large
from tests.segments.test_retransmit import END, begin, drain
from tests.support import BIG, ask, built, get, parsed, target

__all__ = ["asking_engine", "make_large"]  # fixtures
SMALL = 512  # octets of a cautious segment
WHOLE = 0x4000  # don't fragment
FIRE = ROOT / "tests" / "apps" / "fire"
KINDS = ["persistent_thread", "volatile", "volatile_index", "idempotent", "idempotent_thread"]


def black_hole(mtu: int, frame: bytes) -> bool:
    """A router's: it cuts what it may cut, and nobody hears of the rest. Parts are put together again by the client."""
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
    client, begun_us = net.host().client(Options(mss=mss)), net.loop.now_us
    assert net.get(client, "/n57254.bin").body == BIG
    assert net.loop.now_us - begun_us < 4 * SECOND
    begun_us = net.loop.now_us
    assert net.get(client, "/n57254.bin").body == BIG
    assert net.loop.now_us - begun_us < 400 * MS, "the connection remembers it"


@pytest.mark.parametrize("chunk", [4, 128])
def test_segments_are_small_after_the_second_timeout(make_engine: Make, chunk: int) -> None:
    peer, first = begin(make_engine(chunk=chunk))
    assert {len(segment.payload) for segment in first} == {1460 // chunk * chunk} | {len(first[0].payload)}
    sizes = []
    for wait_ms in (1100, 2100):
        peer.wait(wait_ms)
        segments = peer.take_all()
        assert segments[0].seq == 1
        sizes.append(len(segments[0].payload))
    assert sizes[0] > 1300 and SMALL - chunk < sizes[1] <= SMALL
    stream = bytearray()
    peer.send("A", seq=END, ack=1 + sizes[1])
    stream += segments[0].payload
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


def test_one_timeout_changes_nothing(engine: Engine) -> None:
    peer, _ = begin(engine)
    peer.wait(1100)
    again = peer.expect("A", seq=1)
    assert len(again.payload) > 1400
    peer.send("A", seq=END, ack=1 + len(again.payload))
    assert {len(segment.payload) for segment in peer.take_all()} == {1440}


def test_where_a_part_has_arrived_it_takes_six_timeouts(engine: Engine) -> None:
    """Loss is more likely then: a segment of full size got through."""
    peer, first = begin(engine)
    at = 1 + len(first[0].payload)
    peer.send("A", seq=END, ack=at)
    peer.take_all()
    sizes: list[int] = []
    while len(sizes) < 6:
        sizes += [len(segment.payload) for segment in peer.take_all(within=50) if segment.seq == at]
    assert sizes[-1] <= SMALL and set(sizes[:-1]) == {1440}


def test_a_closed_window_tells_nothing_of_the_path(engine: Engine) -> None:
    peer, first = begin(engine)
    at = 1 + sum(len(segment.payload) for segment in first)
    peer.send("A", seq=END, ack=at, wnd=0)
    peer.wait(20_000)
    peer.take_all()
    peer.send("A", seq=END, ack=at, wnd=65535)
    assert len(peer.next_segment().payload) > 1400


@pytest.mark.skipif(target() != "inprocess", reason="of fast kinds")
def test_large_frames_are_cut_small(make_large: Callable[..., Engine]) -> None:
    """Those of a card: whit_driver_cut() is told of the smaller segments."""
    net = behind(make_large(), 600)
    client = net.host().client()
    assert net.get(client, "/n57254.bin", for_s=5).body == BIG
    assert net.get(client, "/n57254.bin", for_s=1).body == BIG


@pytest.mark.parametrize("size", [600, 1300, 9000])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_generated_arrives_as_one_run_said_it(kind: str, size: int) -> None:
    """Also what says another thing each time: its segment leaves whole, and may be cut by a router."""
    if size > 1800 and kind == "volatile":
        size = 1500  # all of it must be kept
    with Engine(built(FIRE).image) as fire:
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


@pytest.mark.parametrize("acked", [0, 1])
def test_only_small_segments_may_be_cut(engine: Engine, acked: int) -> None:
    """RFC 6864: of those that may, no two have one identification."""
    if not generates(engine):
        return
    peer, _ = begin(engine)
    peer.wait(3200)
    peer.queue.clear()
    peer.send("A", seq=END, ack=1 + SMALL * acked)
    peer.wait(30_000)
    found = []
    while peer.queue:
        datagram = peer.next_datagram()
        assert len(datagram.payload) <= 20 + SMALL and datagram.fragment == 0
        found.append(datagram.identification)
    assert len(found) > 1 and len(set(found)) == len(found)


def generates(engine: Engine) -> bool:
    """Only images with outputs that cannot be cut send segments that can."""
    peer = Peer(engine, port=41000)
    peer.handshake(mss=500)
    ask(peer, get("/n33.bin"))
    return peer.next_datagram().fragment == 0


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
    sizes: list[int] = []
    while len(sizes) < 2:
        origin.wait(50)
        sizes += [length for _, length in sent(origin)]
    assert sizes == [1000, SMALL]
    origin.send("A", seq=1, ack=1 + SMALL)
    rest = origin.next_datagram()
    assert len(rest.payload) == 20 + 1000 - SMALL and rest.fragment == 0
    assert Flags.P in Flags(rest.payload[13])


@pytest.mark.parametrize("heads", ["", "code"])
@pytest.mark.parametrize(("mtu", "seconds"), [(576, 4), (1280, 5)])
def test_records_arrive_whole(application: Path, mtu: int, seconds: int, heads: str) -> None:
    """They are as long as they were when segments become smaller. At 1280 the handshake gets through, so that the round
    trip is known, and so does the last segment of a flight, which looks like loss of the others: the fourth timeout
    tells."""
    engine = started(application, heads=heads)
    net = behind(engine, mtu)
    client = Secured(net)
    client.say(get("/n57254.bin"))
    net.loop.run(lambda: BIG in client.heard or client.error is not None, for_us=seconds * SECOND)
    assert parsed(client.heard).body == BIG and client.error is None
    engine.close()
