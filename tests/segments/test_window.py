# SPDX-License-Identifier: MIT
"""The peer's window: closed, reopened, shrunk, tiny; and congestion control (RFC 5681, 6928)."""

import itertools

import pytest

from tests.harness import Make
from tests.segments.test_retransmit import END, LOST, REQUEST, begin, drain
from tests.support import BIG, ask, get, parsed, served
from whit.model.policy import AckPolicy, Options
from whit.wire.packet import Segment
from whit.wire.units import MS
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment
from whit_testbed.net import Net
from whit_testbed.trace import Peer


def test_window_closed_with_the_request(engine: Engine) -> None:
    peer, first = begin(engine, wnd=0)
    assert sum(len(segment.payload) for segment in first) == 0
    probes = [segment for segment in peer.take_all(within=7000) if segment.payload]
    assert len(probes) >= 2
    assert all(len(segment.payload) == 1 and segment.seq == 1 for segment in probes)
    peer.send("A", seq=END, ack=1, wnd=65535)
    stream = bytearray()
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


def test_probe_that_is_taken(engine: Engine) -> None:
    """The octet of a probe counts when the peer takes it."""
    peer, _ = begin(engine, wnd=0)
    stream = bytearray(peer.expect("A", within=3000, length=1).payload)
    peer.send("A", seq=END, ack=2, wnd=0)
    stream += peer.expect("A", seq=2, within=2500, length=1).payload  # the round trip that was measured is short
    peer.send("A", seq=END, ack=3, wnd=65535)
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


WINDOW = 5840  # of ours


@pytest.mark.parametrize(("beyond", "counts"), [(WINDOW, True), (WINDOW + 1, False)])
def test_acknowledgment_of_a_peer_that_has_sent_all_of_our_window(engine: Engine, beyond: int, counts: bool) -> None:
    """A peer that pipelined more than the window acknowledges with numbers at its edge. These acknowledgments must
    count, without a repeated request."""
    peer = Peer(engine)
    peer.handshake()
    octets = get("/n752.bin")
    ask(peer, octets)
    length = len(peer.expect("A").payload)
    peer.send("A", seq=1 + len(octets) + beyond, ack=1 + length)
    repeated = sum(len(segment.payload) for segment in peer.take_all(within=2000))
    assert (repeated == 0) == counts


def test_window_closed_in_mid_transfer_and_the_update_lost(engine: Engine) -> None:
    peer, first = begin(engine, wnd=4000)
    stream = bytearray(b"".join(segment.payload for segment in first))
    assert 2500 < len(stream) <= 4000
    peer.send("A", seq=END, ack=1 + len(stream), wnd=0)
    peer.expect_nothing(200)  # a round trip of less than a tick is known
    probe = peer.expect("A", seq=1 + len(stream), length=1, within=3000)
    peer.send("A", seq=END, ack=probe.seq, wnd=30_000)
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


def test_closed_window_is_probed_for_a_long_time_and_not_for_ever(engine: Engine) -> None:
    peer, _ = begin(engine, wnd=0)
    times = []
    for _ in range(40):
        peer.wait(60_000)
        while peer.queue:
            times.append(peer.queue[0][0])
            segment = peer.next_segment()
            if segment.flags & 4:
                assert times[-1] - times[0] > 100_000
                served(peer)
                return
    raise peer.error("probes never end")


def test_closed_window_whose_probes_are_answered(make_engine: Make) -> None:
    """RFC 9293 section 3.8.6.1: the connection stays while the peer answers, but a newcomer may evict it."""
    engine = make_engine(connections=1)
    peer, _ = begin(engine, wnd=0)
    for _ in range(10):
        peer.expect("A", within=61_000, length=1)
        peer.send("A", seq=END, ack=1, wnd=0)
    peer.send("A", seq=END, ack=1, wnd=65535)
    stream = bytearray()
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


@pytest.mark.parametrize("shrunk", [0, 1, 200, 1000])
def test_window_shrunk_in_flight(engine: Engine, shrunk: int) -> None:
    peer, first = begin(engine, wnd=4096)
    assert first
    peer.send("A", seq=END, ack=1, wnd=shrunk)
    again = [segment for segment in peer.take_all(within=3000) if segment.payload]
    assert again
    assert all(segment.seq - 1 + len(segment.payload) <= max(shrunk, 1) for segment in again), shrunk
    peer.send("A", seq=END, ack=1, wnd=65535)
    stream = bytearray()
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


@pytest.mark.parametrize("wnd", [1, 2, 87, 100, 536])
def test_tiny_window_then_a_large_one(engine: Engine, wnd: int) -> None:
    peer, first = begin(engine, wnd=wnd)
    stream = bytearray(b"".join(segment.payload for segment in first) or peer.expect("A", within=3000).payload)
    assert 1 <= len(stream) <= wnd
    peer.send("A", seq=END, ack=1 + len(stream), wnd=65535)
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


@pytest.mark.parametrize("wnd", [1, 50, 1000, 2000, 5000])
def test_window_that_stays_small(make_engine: Make, wnd: int) -> None:
    peer = Peer(make_engine())
    peer.handshake(wnd=wnd)
    octets = get("/n752.bin")
    ask(peer, octets, wnd=wnd)
    stream = bytearray()
    for _ in range(2000):
        segments = peer.take_all() or peer.take_all(within=3000)
        if not segments:
            break
        assert sum(len(segment.payload) for segment in segments) <= wnd
        for segment in segments:
            stream += segment.payload[len(stream) - (segment.seq - 1) :]
        peer.send("A", seq=1 + len(octets), ack=1 + len(stream), wnd=wnd)
    assert len(parsed(bytes(stream)).body) == 752


def test_old_segment_does_not_move_the_window_back(engine: Engine) -> None:
    """RFC 9293 section 3.10.7.4: the window comes from the newest segment; here an old one arrives late."""
    peer, first = begin(engine, wnd=8000)
    stream = bytearray(b"".join(segment.payload for segment in first))
    peer.send("A", seq=END, ack=1 + len(stream), wnd=20_000)
    more = b"".join(segment.payload for segment in peer.take_all())
    peer.send("A", seq=END, ack=1000, wnd=0)  # ack below SND.UNA: old
    stream += more
    peer.send("A", seq=END, ack=1 + len(stream), wnd=20_000)
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


# ---------------------------------------------------------------- congestion control


@pytest.mark.parametrize(("mss", "chunk"), [(1460, 4), (536, 4), (88, 4), (1460, 32)])
def test_initial_window_is_ten_segments(make_engine: Make, mss: int, chunk: int) -> None:
    _, first = begin(make_engine(chunk=chunk), mss=mss)
    assert len(first) == 10
    assert sum(len(segment.payload) for segment in first) <= 10 * mss


def test_slow_start_doubles_each_round_trip(engine: Engine) -> None:
    peer, flight = begin(engine, mss=200)
    sizes = [len(flight)]
    for _ in range(3 if len(BIG) > 50_000 else 2):
        new = []
        for segment in flight:
            peer.send("A", seq=END, ack=segment.seq + len(segment.payload))
            new += peer.take_all()
        flight = new
        sizes.append(len(flight))
    assert sizes[0] == 10
    assert all(1.8 <= b / a <= 2.2 for a, b in itertools.pairwise(sizes)), sizes


def test_stretch_acks_do_not_burst(engine: Engine) -> None:
    """RFC 3465 with L = 2: one acknowledgment of ten segments opens the window by two at most."""
    peer, flight = begin(engine, mss=200)
    peer.send("A", seq=END, ack=flight[-1].seq + len(flight[-1].payload))
    assert 10 < len(peer.take_all()) <= 12


def test_congestion_avoidance_after_a_timeout(engine: Engine) -> None:
    """Slow start runs up to half of the octets in flight, then adds a segment a round trip."""
    peer, flight = begin(engine, mss=200)
    first = flight[0]
    flight = peer.take_all(within=LOST)[:1]
    assert flight[0].seq == first.seq
    sizes = []
    for _ in range(9):
        sizes.append(len(flight))
        new: list[Segment] = []
        for segment in flight:
            peer.send("A", seq=END, ack=segment.seq + len(segment.payload))
            new += peer.take_all()
        flight = new
    assert sizes[:3] == [1, 2, 4]
    assert max(b - a for a, b in itertools.pairwise(sizes)) <= 2, sizes


def test_57_kB_take_three_round_trips(make_engine: Make) -> None:
    """The file takes 10 segments, 20, and the rest, without the handshake (RFC 6928)."""
    for local, limit in ((False, 3), (True, 2)):
        net = Net(make_engine(link__local=local), up=Impairment(delay_us=10 * MS))
        client = net.host().client(Options())
        client.wait(lambda connection: connection.opened_us is not None)
        begun = net.loop.now_us
        assert net.get(client, "/n57254.bin").body == BIG
        assert (net.loop.now_us - begun) / (20 * MS) <= limit


@pytest.mark.parametrize("policy", AckPolicy)
@pytest.mark.parametrize("mss", [88, 536, 1460])
def test_every_ack_policy(make_engine: Make, policy: AckPolicy, mss: int) -> None:
    net = Net(make_engine(), up=Impairment(delay_us=15 * MS))
    client = net.host().client(Options(mss=mss, ack=policy))
    for _ in range(3):
        assert net.get(client, "/n57254.bin").body == BIG
    assert net.engine.counters["count_retransmit_timeout"] == 0
    assert net.engine.counters["count_retransmit_fast"] == 0


def test_slow_serial_line_is_kept_busy(make_engine: Make) -> None:
    """115 200 Bd, half a second of queue: the line is used to nine tenths without a spurious retransmission."""
    rate = 11_520
    net = Net(make_engine(link="slip"), up=Impairment(delay_us=2 * MS, rate=rate))
    client = net.host().client(Options())
    begun = net.loop.now_us
    assert net.get(client, "/n57254.bin").body == BIG
    seconds = (net.loop.now_us - begun) / 1e6
    assert seconds < len(BIG) * 1.03 / rate / 0.9
    assert net.down.octet_cnt < len(BIG) * 1.12


def test_request_is_answered_when_the_driver_was_busy(make_engine: Make) -> None:
    engine = make_engine()
    peer = Peer(engine)
    peer.handshake()
    engine.limit(0)
    ask(peer, REQUEST)
    peer.expect_nothing(100)
    engine.limit(256)
    engine.pump()
    peer.collect()
    stream = bytearray()
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG
