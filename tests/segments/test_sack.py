# SPDX-License-Identifier: MIT
"""Selective acknowledgments (RFC 2018, 2883, 6675): the engine retransmits the gaps between one segment's blocks."""

import struct

import pytest

from tests.harness import Make
from tests.segments.test_retransmit import END, REQUEST, begin, drain, span, warm
from tests.support import BIG, get, parsed, served
from whit.wire.packet import MASK32, SACK_PERMITTED, Segment, sack_option
from whit_testbed.engine import Engine
from whit_testbed.trace import Peer


def told(peer: Peer, at: int, *blocks: tuple[int, int], seq: int = END, wnd: int = 65535) -> list[Segment]:
    """Acknowledges `at`, with blocks, and returns the engine's segments."""
    irs = peer.irs or 0
    option = sack_option((irs + low, irs + high) for low, high in blocks)
    peer.send("A", seq=seq, ack=at, wnd=wnd, options=option)
    return peer.take_all()


def warm_flight(engine: Engine, rtt_ms: int, rounds: int) -> tuple[Peer, int, int, list[Segment]]:
    """Returns a connection with a known round trip, one after a request for 4 000 octets. The tuple: the peer, SND.NXT,
    RCV.NXT, and the segments received."""
    peer = Peer(engine)
    peer.handshake()
    at, position = warm(peer, rtt_ms, rounds)
    octets = get("/n4000.bin")
    peer.send("PA", seq=at, ack=position, payload=octets)
    first = peer.take_all()
    peer.wait(rtt_ms)
    return peer, at + len(octets), position, first


def block(segments: list[Segment]) -> tuple[int, int]:
    return segments[0].seq, segments[-1].seq + len(segments[-1].payload)


def again(segments: list[Segment], end: int) -> list[tuple[int, int]]:
    """Returns the spans of the retransmitted segments."""
    return span([segment for segment in segments if segment.seq < end])


@pytest.mark.parametrize("before", [True, False])
def test_syn_ack_permits_what_the_syn_did(engine: Engine, before: bool) -> None:
    """RFC 2018 section 2; the option may come before the MSS, or after it."""
    peer = Peer(engine)
    if before:
        peer.send("S", options=SACK_PERMITTED + b"\2\4" + (1460).to_bytes(2, "big"))
    else:
        peer.send("S", mss=1460, options=SACK_PERMITTED)
    answer = peer.expect("SA", ack=1, mss=1460)
    assert answer.raw_options[4:] == b"\1\1" + SACK_PERMITTED
    other = Peer(engine, port=peer.port + 1)
    other.send("S", mss=1460)
    assert other.expect("SA", ack=1).raw_options[4:] == b""


def test_small_recovery_permits_nothing(make_engine: Make) -> None:
    peer = Peer(make_engine(recovery="small"))
    peer.send("S", mss=1460, options=SACK_PERMITTED)
    assert peer.expect("SA", ack=1).raw_options[4:] == b""


def test_repeated_syn_ack_permits_as_the_first_did(make_engine: Make) -> None:
    engine = make_engine(idle=65)
    first, second = Peer(engine), Peer(engine, port=40_001)
    first.send("S", mss=1460, options=SACK_PERMITTED)
    second.send("S", mss=1460)
    assert first.expect("SA").raw_options[4:] == b"\1\1" + SACK_PERMITTED
    second.expect("SA")
    first.wait(260)
    assert first.expect("SA").raw_options[4:] == b"\1\1" + SACK_PERMITTED
    assert second.expect("SA").raw_options[4:] == b""


def test_each_hole_is_sent_again_once(engine: Engine) -> None:
    """Four of ten are lost: each acknowledgment brings one of them, from the first on, and nothing is sent twice."""
    peer, first = begin(engine)
    end = block(first)[1]
    lost = [0, 2, 3, 5]
    sent: list[tuple[int, int]] = []
    arrived: list[tuple[int, int]] = []
    for number, segment in enumerate(first):
        if number not in lost:
            one = block([segment])
            if arrived and arrived[0][1] == one[0]:
                one = arrived.pop(0)[0], one[1]
            arrived.insert(0, one)
            sent += again(told(peer, 1, *arrived), end)
    assert sent == span([first[number] for number in lost])
    assert engine.counters["count_retransmit_fast"] == 1
    assert engine.counters["count_retransmit_timeout"] == 0
    assert again(told(peer, first[2].seq, *arrived), end) == []
    stream = bytearray(b"".join(segment.payload for segment in first))
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


def test_one_acknowledgment_of_three_segments_is_enough(engine: Engine) -> None:
    """The other segments are lost: the number of octets received decides (RFC 6675 section 5, IsLost)."""
    peer, first = begin(engine)
    assert again(told(peer, 1, block(first[1:3])), first[9].seq) == []
    assert again(told(peer, 1, block(first[1:4])), first[9].seq) == span(first[:1])
    assert engine.counters["count_retransmit_fast"] == 1


def test_blocks_with_a_new_acknowledgment(engine: Engine) -> None:
    peer, first = begin(engine)
    assert again(told(peer, first[2].seq, block(first[3:7])), block(first)[1]) == span(first[2:3])


def test_all_that_is_missing_between_four_blocks(engine: Engine) -> None:
    peer, first = begin(engine)
    blocks = [block(first[number : number + 1]) for number in (8, 6, 4, 2)]
    sent = []
    for _ in range(6):
        sent += again(told(peer, first[1].seq, *blocks), block(first)[1])
    assert sent[:4] == span([first[number] for number in (1, 3, 5, 7)])


def test_what_was_sent_again_and_lost_again(engine: Engine) -> None:
    """New octets that arrive were sent later: a segment still missing is lost again (RFC 8985 section 6.2)."""
    peer, first = begin(engine)
    end = block(first)[1]
    sent = told(peer, 1, block(first[1:5]))
    assert again(sent, end) == span(first[:1])
    for number in range(5, 10):
        sent = told(peer, 1, block(first[1 : number + 1]))
        assert again(sent, end) == []
    new = [segment for segment in sent if segment.seq >= end] or told(peer, 1, block(first[1:]), wnd=64_000)
    assert new, "new octets keep the acknowledgments coming"
    assert again(told(peer, 1, (first[1].seq, block(new)[1])), end) == span(first[:1])
    assert engine.counters["count_retransmit_timeout"] == 0


def test_of_two_that_were_sent_again_the_second_arrives(engine: Engine) -> None:
    """The first was sent before it: it is lost again."""
    peer, first = begin(engine, get("/n4000.bin"), mss=536)
    at = 1 + len(get("/n4000.bin"))
    end = block(first)[1]
    blocks = [block(first[3:]), block(first[1:2])]
    sent = again(told(peer, 1, *blocks, seq=at), end)
    sent += again(told(peer, 1, *blocks, seq=at), end)
    assert sent == span([first[0], first[2]])
    assert again(told(peer, 1, block(first[1:]), seq=at), end) == span(first[:1])


def test_lone_loss_that_is_lost_again_waits_for_no_timeout(engine: Engine) -> None:
    """A peer with a gap delays no acknowledgment: the time is that of the round trips, without a minimum."""
    peer, at, position, first = warm_flight(engine, 20, 12)
    sent = told(peer, position, block(first[1:]), seq=at)
    sent += peer.take_all(within=8)
    assert again(sent, 1 << 30) == span(first[:1])
    lost_ms = engine.now_ms
    assert span([peer.expect("A", within=100)]) == span(first[:1])
    assert 16 <= engine.now_ms - lost_ms <= 80
    assert engine.counters["count_retransmit_timeout"] == 0


def test_a_hole_is_lost_after_the_reordering_window(engine: Engine) -> None:
    """Two of three segments are missing: the first is retransmitted after a quarter of a round trip (RFC 8985 section
    6.2)."""
    peer = Peer(engine)
    peer.handshake()
    at, position = warm(peer, 40, 12)
    octets = get("/n4000.bin")
    peer.send("PA", seq=at, ack=position, payload=octets)
    at += len(octets)
    first = peer.take_all()
    assert len(first) == 3
    peer.wait(40)
    assert told(peer, position, block(first[2:]), seq=at) == []
    told_ms = engine.now_ms
    assert span([peer.expect("A", within=30)]) == span(first[:1])
    assert 8 <= engine.now_ms - told_ms <= 20


def test_after_a_timeout_blocks_are_passed_over(engine: Engine) -> None:
    peer, first = begin(engine)
    end = block(first)[1]
    sent = peer.take_all(within=1500)
    assert span(sent)[0] == span(first)[0]
    held = block(first[2:])
    sent = told(peer, first[1].seq, held)
    assert again(sent, end)[:1] == span(first[1:2])
    for _ in range(4):
        assert again(told(peer, first[1].seq, held), first[9].seq) in ([], span(first[1:2]))


def test_a_dsack_is_no_duplicate(engine: Engine) -> None:
    """RFC 2883: the first block is below the acknowledgment, or inside of the second. It shows nothing missing."""
    peer, first = begin(engine)
    for _ in range(6):
        assert again(told(peer, first[3].seq, block(first[1:2])), block(first)[1]) == []
    assert engine.counters["count_retransmit_fast"] == 0
    sent = told(peer, first[3].seq, block(first[5:6]), block(first[4:8]))
    assert again(sent, block(first)[1]) == span(first[3:4])


def hostile(first: list[Segment], number: int) -> list[tuple[int, int]]:
    low, high = block(first)
    return [
        [(high + 1, high + 2000), (high + 5000, high + 9000)],  # never sent
        [(low + 3000, high + 1)],  # one octet too many
        [(low + 5000, low + 3000), (low + 9000, low + 9000)],  # its end before its begin, or nothing
        [(low, high)],  # what it acknowledges as missing
        [(low - 4000, low + 4000)],  # from before
        [(low + 0x80000000, low + 0x80000100), (low + 3000 + 0x10000, low + 6000 + 0x10000)],  # far away
    ][number]


@pytest.mark.parametrize("number", range(6))
def test_blocks_that_cannot_be_are_ignored(engine: Engine, number: int) -> None:
    peer, first = begin(engine)
    for _ in range(8):
        assert again(told(peer, 1, *hostile(first, number)), block(first)[1]) == []
    assert engine.counters["count_retransmit_fast"] == 0
    stream = bytearray(b"".join(segment.payload for segment in first))
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


def test_a_right_block_among_wrong_ones_counts(engine: Engine) -> None:
    peer, first = begin(engine)
    low, high = block(first)
    blocks = [(high, high + 9), (low + 9, low + 3), block(first[2:6]), block(first[3:7])]
    assert again(told(peer, 1, *blocks), high) == span(first[:1])


def test_overlapping_blocks_hide_nothing(engine: Engine) -> None:
    """Overlapping blocks count twice, and octets outside of all blocks are retransmitted."""
    peer, first = begin(engine)
    blocks = [block(first[4:7]), block(first[1:5]), block(first[2:4]), block(first[8:])]
    sent = []
    for _ in range(4):
        sent += again(told(peer, 1, *blocks), block(first)[1])
    assert sent[:2] == span([first[0], first[7]])


def test_who_goes_back_on_his_word_gets_it_all(engine: Engine) -> None:
    """A receiver may discard octets of a block (RFC 2018 section 8). The timer retransmits them."""
    peer, first = begin(engine)
    for number in range(2, 10):
        told(peer, 1, block(first[1:number]))
    peer.take_all()
    stream = bytearray(first[0].payload)
    peer.send("A", seq=END, ack=1 + len(stream))  # nothing of the blocks any more
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


@pytest.mark.parametrize("length", [3, 6, 9, 11, 17, 33, 34, 38])
def test_options_of_odd_lengths(engine: Engine, length: int) -> None:
    peer, first = begin(engine)
    edges = b"".join(struct.pack("!I", (peer.irs or 0) + edge & MASK32) for edge in (1461, 5841) * 4)
    for _ in range(4):
        peer.send("A", seq=END, ack=1, options=(bytes([5, length]) + edges)[:36])
    peer.take_all()
    stream = bytearray(b"".join(segment.payload for segment in first))
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG
    served(peer)


def test_endless_acknowledgments_without_progress_are_given_up(engine: Engine) -> None:
    """A client that flips its SACK blocks forever gets at most one segment for each, and the timer keeps running."""
    peer, first = begin(engine)
    peer.take_all()
    for turn in range(4000):
        sent = told(peer, 1, block(first[1 + turn % 2 : 5 + turn % 3]), wnd=20_000)
        assert len(again(sent, block(first)[1])) <= 1
        if engine.counters["count_given_up"]:
            break
        peer.take_all(within=50)
    assert engine.counters["count_given_up"] == 1
    served(peer)


def test_data_with_blocks(engine: Engine) -> None:
    """A pipelined request brings blocks as well."""
    peer, first = begin(engine)
    option = sack_option([tuple((peer.irs or 0) + edge for edge in block(first[1:6]))])  # type: ignore[list-item]
    peer.send("PA", seq=END, ack=1, payload=REQUEST, options=option)
    assert again(peer.take_all(), block(first)[1]) == span(first[:1])


def test_a_hole_that_is_shorter_than_a_segment(engine: Engine) -> None:
    """A retransmission that overlaps the next block must not count as the sender of that block."""
    peer, first = begin(engine)
    low, end = first[0].seq + 64, block(first)[1]
    assert again(told(peer, 1, (low, first[4].seq)), end) == span(first[:1])
    for segment in first[4:9]:
        assert again(told(peer, 1, (low, block([segment])[1])), end) == []


def test_the_second_try_has_twice_the_time(engine: Engine) -> None:
    peer, at, position, first = warm_flight(engine, 40, 12)
    assert span(told(peer, position, block(first[1:]), seq=at)) == span(first[:1])
    times = [engine.now_ms]
    while len(times) < 3:
        peer.expect("A", seq=position, within=300)
        times.append(engine.now_ms)
    assert 1.7 <= (times[2] - times[1]) / (times[1] - times[0]) <= 2.3
    assert engine.counters["count_retransmit_timeout"] == 0


def test_blocks_tell_the_round_trip(engine: Engine) -> None:
    """The first segment to an unknown host is lost; the second was sent with it, and is timed instead."""
    peer, first = begin(engine)
    peer.wait(40)
    told(peer, 1, block(first[1:5]))
    assert engine.next_ms() <= 200
