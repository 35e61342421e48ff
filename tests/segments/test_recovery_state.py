# SPDX-License-Identifier: MIT
"""The state of loss recovery (marks, duplicates, probes) is reset in time."""

import itertools

import pytest

from tests.segments.test_retransmit import END, LOST, begin, drain, span, warm
from tests.support import BIG, get, parsed
from whit.wire.packet import Segment
from whit_testbed.engine import Engine
from whit_testbed.trace import Peer


def acknowledge_each(peer: Peer, flight: list[Segment]) -> list[Segment]:
    """Sends one acknowledgment for each segment; returns the segments that they release."""
    new: list[Segment] = []
    for segment in flight:
        peer.send("A", seq=END, ack=segment.seq + len(segment.payload))
        new += peer.take_all()
    return new


def test_congestion_avoidance_goes_on_growing(engine: Engine) -> None:
    """RFC 5681 section 3.1: above ssthresh the window grows by a segment in every round trip."""
    peer, _ = begin(engine, mss=200)
    flight = peer.take_all(within=LOST)[:1]
    sizes = []
    for _ in range(14):
        sizes.append(len(flight))
        flight = acknowledge_each(peer, flight)
    ssthresh = 5  # half of the ten segments in flight
    linear = sizes[sizes.index(next(size for size in sizes if size >= ssthresh)) :]
    assert len(linear) >= 8, sizes
    assert all(later - earlier in (0, 1) for earlier, later in itertools.pairwise(linear)), sizes
    assert linear[-1] >= linear[0] + len(linear) - 2, sizes


def test_window_is_halved_by_fast_retransmit(engine: Engine) -> None:
    """The window after recovery is half of the octets in flight (RFC 5681 section 3.2)."""
    peer, flight = begin(engine, mss=200)
    flight = acknowledge_each(peer, flight)
    assert len(flight) == 20
    for _ in range(4):
        peer.send("A", seq=END, ack=flight[0].seq)
    sent = peer.take_all()
    highest = max(segment.seq + len(segment.payload) for segment in flight + sent)
    peer.send("A", seq=END, ack=highest)
    after = peer.take_all()
    assert 8 <= len(after) <= 12
    after = acknowledge_each(peer, after)
    assert 8 <= len(after) <= 13  # congestion avoidance, not slow start


def test_duplicates_before_a_timeout_do_not_count_after_it(engine: Engine) -> None:
    """Two duplicates, a timeout, one more: no fast retransmit (RFC 6582 section 3.2 step 1 needs three in a row)."""
    peer, first = begin(engine)
    for _ in range(2):
        peer.send("A", seq=END, ack=1)
    peer.take_all()
    assert span(peer.take_all(within=1500))[0] == span(first)[0]
    peer.send("A", seq=END, ack=1)
    assert peer.take_all() == []
    assert engine.counters["count_retransmit_fast"] == 0
    stream = bytearray()
    peer.send("A", seq=END, ack=1 + len(first[0].payload))
    stream += first[0].payload
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


def test_duplicates_are_counted_anew_after_an_acknowledgment(engine: Engine) -> None:
    peer, first = begin(engine)
    for _ in range(2):
        peer.send("A", seq=END, ack=first[0].seq)
    peer.send("A", seq=END, ack=first[1].seq)
    peer.take_all()
    for _ in range(2):
        peer.send("A", seq=END, ack=first[1].seq)
    sent = peer.take_all()
    assert first[1].seq not in {segment.seq for segment in sent}
    assert engine.counters["count_retransmit_fast"] == 0
    peer.send("A", seq=END, ack=first[1].seq)
    assert first[1].seq in {segment.seq for segment in peer.take_all()}
    assert engine.counters["count_retransmit_fast"] == 1


def test_second_fast_retransmit_in_a_later_flight(engine: Engine) -> None:
    """Duplicates find the next loss after a recovery."""
    peer, first = begin(engine)
    position = 1
    for turn in (1, 2):
        flight = first if turn == 1 else peer.take_all()
        assert len(flight) >= 4, turn
        for _ in range(4):
            peer.send("A", seq=END, ack=position)
        sent = peer.take_all()
        assert flight[0].seq in {segment.seq for segment in sent}, turn
        assert engine.counters["count_retransmit_fast"] == turn
        position = max(segment.seq + len(segment.payload) for segment in flight + sent)
        peer.send("A", seq=END, ack=position)
    assert engine.counters["count_retransmit_timeout"] == 0


def test_timeout_sends_the_whole_flight_again(engine: Engine) -> None:
    """A timeout discards all marks of the old flight: each of its octets is retransmitted."""
    peer, first = begin(engine)
    end = first[-1].seq + len(first[-1].payload)
    again = peer.take_all(within=LOST)
    position = 1
    stream = bytearray()
    for _ in range(40):
        for segment in again:
            if segment.seq == position:
                stream += segment.payload
                position += len(segment.payload)
        if position >= end:
            break
        peer.send("A", seq=END, ack=position)
        again = peer.take_all()
        assert again, f"silence at {position} of {end}"
        assert again[0].seq <= position
    sent = b"".join(segment.payload for segment in first)
    assert bytes(stream[: len(sent)]) == sent
    assert engine.counters["count_retransmit_timeout"] == 1


def test_timeout_after_a_window_was_reopened(engine: Engine) -> None:
    """A closed window ends timing and recovery. After it opens, the timer finds a lost flight as usual."""
    peer, first = begin(engine, wnd=4000)
    position = first[-1].seq + len(first[-1].payload)
    peer.send("A", seq=END, ack=position, wnd=0)
    peer.expect("A", seq=position, length=1, within=3000)
    peer.send("A", seq=END, ack=position, wnd=20_000)
    flight = peer.take_all()
    assert flight[0].seq == position
    timeouts = engine.counters["count_retransmit_timeout"]
    again = peer.take_all(within=4000)
    assert position in {segment.seq for segment in again}
    assert engine.counters["count_retransmit_timeout"] > timeouts
    peer.send("A", seq=END, ack=position + len(flight[0].payload), wnd=20_000)
    stream = bytearray(b"".join(segment.payload for segment in first) + flight[0].payload)
    drain(peer, stream, wnd=20_000)
    assert parsed(bytes(stream)).body == BIG


def test_fast_retransmit_after_a_window_was_reopened(engine: Engine) -> None:
    peer, first = begin(engine, wnd=4000)
    position = first[-1].seq + len(first[-1].payload)
    peer.send("A", seq=END, ack=position, wnd=0)
    peer.expect("A", seq=position, length=1, within=3000)
    peer.send("A", seq=END, ack=position, wnd=30_000)
    flight = peer.take_all()
    assert len(flight) >= 4
    for _ in range(3):
        peer.send("A", seq=END, ack=position, wnd=30_000)
    assert position in {segment.seq for segment in peer.take_all()}
    assert engine.counters["count_retransmit_fast"] == 1


@pytest.mark.parametrize("turns", [2, 3])
def test_each_lost_tail_is_probed(engine: Engine, turns: int) -> None:
    """The probe of one flight is not that of the next (RFC 8985 section 7.3: TLP.end_seq is reset)."""
    peer = Peer(engine)
    peer.handshake()
    at, position = warm(peer, 50, 8)
    octets = get("/n4000.bin")
    for turn in range(1, turns + 1):
        peer.send("PA", seq=at, ack=position, payload=octets)
        at += len(octets)
        flight = peer.take_all()
        last = flight[-1]
        peer.wait(50)
        peer.send("A", seq=at, ack=last.seq)
        probe = peer.expect("A", seq=last.seq, within=150)
        assert probe.payload == last.payload
        assert engine.counters["count_tail_probe"] == turn
        position = last.seq + len(last.payload)
        peer.wait(50)
        peer.send("A", seq=at, ack=position)
    assert engine.counters["count_retransmit_timeout"] == 0


def test_a_lone_fin_that_is_lost_is_probed(engine: Engine) -> None:
    """The FIN counts as an octet in flight, and does not wait for the timer."""
    peer = Peer(engine)
    peer.handshake()
    at, position = warm(peer, 40, 8)
    octets = get("/n4000.bin", "Connection: close")
    peer.send("PA", seq=at, ack=position, payload=octets)
    last = peer.take_all()[-1]
    fin = last.seq + len(last.payload)
    peer.wait(40)
    peer.send("A", seq=at + len(octets), ack=fin)
    peer.expect("FA", seq=fin, length=0, within=120)
    assert engine.counters["count_tail_probe"] == 1


def test_a_flight_is_probed_again_after_progress(engine: Engine) -> None:
    """An answered probe allows another one for the remaining flight."""
    peer = Peer(engine)
    peer.handshake()
    at, position = warm(peer, 50, 8)
    octets = get("/n4000.bin")
    peer.send("PA", seq=at, ack=position, payload=octets)
    at += len(octets)
    flight = peer.take_all()
    assert len(flight) == 3
    for turn in (1, 2):
        peer.wait(30)
        peer.send("A", seq=at, ack=flight[turn].seq)
        peer.take_all()
        peer.expect("A", within=100)
        assert engine.counters["count_tail_probe"] == turn


def test_a_probe_that_is_lost_is_followed_by_the_timer(engine: Engine) -> None:
    """A flight gets one probe; then the retransmission timer runs from the first segment on."""
    peer = Peer(engine)
    peer.handshake()
    at, position = warm(peer, 50, 8)
    octets = get("/n4000.bin")
    peer.send("PA", seq=at, ack=position, payload=octets)
    at += len(octets)
    flight = peer.take_all()
    probe = peer.expect("A", within=400)
    assert span([probe])[0][1] == span(flight)[-1][1]
    again = peer.expect("A", within=2500)
    assert again.seq == flight[0].seq
    assert engine.counters["count_tail_probe"] == 1
    assert engine.counters["count_retransmit_timeout"] == 1


def test_a_retransmitted_octet_is_not_timed(engine: Engine) -> None:
    """Karn: the acknowledgment of a retransmission gives no sample, so the RTO stays near its minimum."""
    peer = Peer(engine)
    peer.handshake()
    at, position = warm(peer, 20, 8)
    for _ in range(4):
        octets = get("/n33.bin")
        peer.send("PA", seq=at, ack=position, payload=octets)
        at += len(octets)
        segment = peer.take_all(within=2500)[0]  # timed out at least once
        position += len(segment.payload)
        peer.send("A", seq=at, ack=position)
    at2, position2 = at, position
    peer.send("PA", seq=at2, ack=position2, payload=get("/n4000.bin"))
    peer.take_all()
    before = engine.counters["count_retransmit_timeout"]
    peer.wait(500)
    assert engine.counters["count_retransmit_timeout"] == before + 1
