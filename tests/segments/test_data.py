# SPDX-License-Identifier: MIT
"""Data in: overlaps, duplicates, gaps, acknowledgments (RFC 9293 section 3.10.7.4)."""

import pytest

from tests.harness import Make
from tests.support import MADE_FILES, ask, get, parsed, served, target
from whit_testbed.engine import Engine
from whit_testbed.trace import Peer

REQUEST = get("/n33.bin")
WHIT_NO_SLOT, WHIT_AHEAD = 0, 4  # enum whit_taken
driver_keeps = pytest.mark.skipif(
    target() != "inprocess", reason="a device's engine is not built for a driver that keeps frames"
)


def open_peer(engine: Engine, port: int = 40000) -> Peer:
    peer = Peer(engine, port=port)
    peer.handshake()
    return peer


def test_response_carries_the_ack_of_its_request(engine: Engine) -> None:
    peer = open_peer(engine)
    ask(peer, REQUEST)
    answer = peer.expect("PA", seq=1, ack=1 + len(REQUEST))
    assert parsed(answer.payload).body == MADE_FILES["n33.bin"]
    peer.expect_nothing()


def test_part_of_a_request_is_acknowledged_at_once(engine: Engine) -> None:
    peer = open_peer(engine)
    ask(peer, REQUEST[:10])
    peer.expect("A", seq=1, ack=11, length=0)
    peer.expect_nothing(2000)
    ask(peer, REQUEST[10:], at=11)
    peer.expect("A", ack=1 + len(REQUEST))


def test_old_octets_are_trimmed(engine: Engine) -> None:
    peer = open_peer(engine)
    ask(peer, REQUEST[:20])
    peer.expect("A", ack=21)
    ask(peer, REQUEST[10:], at=11)
    assert parsed(peer.expect("A", ack=1 + len(REQUEST)).payload).body == MADE_FILES["n33.bin"]


def test_old_duplicate_is_acknowledged_and_dropped(engine: Engine) -> None:
    peer = open_peer(engine)
    ask(peer, REQUEST[:20])
    peer.expect("A", ack=21)
    for begin, end in ((0, 20), (0, 10), (19, 20)):
        peer.send("PA", seq=1 + begin, ack=1, payload=b"x" * (end - begin))
        peer.expect("A", seq=1, ack=21, length=0)
    ask(peer, REQUEST[20:], at=21)
    assert parsed(peer.expect("A").payload).status == 200


def test_nothing_of_an_old_segment_counts(engine: Engine) -> None:
    """RFC 9293 section 3.10.7.4, first check: it is answered by an acknowledgment, its window is not looked at."""
    peer = open_peer(engine)
    octets = get("/n57254.bin")
    ask(peer, octets, wnd=3000)
    assert peer.take_all()[0].payload
    ask(peer, octets, wnd=65535)
    assert [(segment.ack, segment.payload) for segment in peer.take_all()] == [(1 + len(octets), b"")]
    assert engine.counters["drop_tcp_sequence"] == 1


def test_ahead_of_a_gap(engine: Engine) -> None:
    peer = open_peer(engine)
    ask(peer, REQUEST[:20])
    peer.expect("A", ack=21)
    peer.send("PA", seq=71, ack=1, payload=b"ahead")
    peer.expect("A", seq=1, ack=21, length=0)
    peer.expect_nothing()
    ask(peer, REQUEST[20:], at=21)
    assert parsed(peer.expect("A", ack=1 + len(REQUEST)).payload).status == 200


def idle_peer(engine: Engine) -> tuple[Peer, int, int]:
    """A connection that a tag remembers, and its numbers."""
    peer = open_peer(engine)
    ask(peer, REQUEST)
    seq, ack = 1 + len(REQUEST), 1 + len(peer.expect("A").payload)
    peer.send("A", seq=seq, ack=ack)
    return peer, seq, ack


def test_ahead_of_a_gap_of_an_idle_connection(engine: Engine) -> None:
    """RFC 5681 section 4.2: a duplicate acknowledgment, at once. The tag knows where the next request begins."""
    peer, seq, ack = idle_peer(engine)
    peer.send("PA", seq=seq + 10, ack=ack, payload=REQUEST[10:])
    peer.expect("A", seq=ack, ack=seq, length=0)
    peer.expect_nothing()
    peer.send("PA", seq=seq, ack=ack, payload=REQUEST[:10])
    peer.expect("A", ack=seq + 10)


def test_ahead_of_a_gap_before_the_first_request(engine: Engine) -> None:
    """A duplicate acknowledgment leaves at once (RFC 5681 section 4.2). The cookie gives the gap's begin."""
    peer = open_peer(engine)
    peer.send("PA", seq=11, ack=1, payload=REQUEST[10:])
    peer.expect("A", seq=1, ack=1, length=0)
    peer.expect_nothing()
    ask(peer, REQUEST[:10])
    peer.expect("A", ack=11)


@driver_keeps
def test_a_kept_frame_ahead_of_a_gap_is_read_when_the_gap_is_filled(engine: Engine) -> None:
    """A driver that keeps frames needs only the lost segment retransmitted."""
    engine.keeps_frames = True
    peer = open_peer(engine)
    ask(peer, REQUEST[:5])
    peer.expect("A", ack=6)
    for at in (20, 30):
        ask(peer, REQUEST[at : at + 10], at=1 + at)
        peer.expect("A", seq=1, ack=6, length=0)
    peer.expect_nothing(100)  # they are offered again, without another acknowledgment
    ask(peer, REQUEST[5:20], at=6)
    answers = peer.take_all(within=20)
    assert answers[-1].ack == 1 + len(REQUEST)
    assert parsed(b"".join(segment.payload for segment in answers)).status == 200


@driver_keeps
@pytest.mark.parametrize(("octets", "kept"), [(1, False), (2, True), (3, True)])
@pytest.mark.parametrize("idle", [False, True])
def test_the_least_that_is_kept_ahead_of_a_gap(engine: Engine, octets: int, kept: bool, idle: bool) -> None:
    """One octet is a keep-alive probe's, which no handler waits for."""
    engine.keeps_frames = True
    peer, seq, ack = idle_peer(engine) if idle else (open_peer(engine), 1, 1)
    end = len(REQUEST) - octets
    peer.send("PA", seq=seq + end, ack=ack, payload=REQUEST[end:])
    peer.expect("A", seq=ack, ack=seq, length=0)
    peer.send("PA", seq=seq, ack=ack, payload=REQUEST[:end])
    answers = peer.take_all(within=100)
    assert answers[-1].ack == seq + (len(REQUEST) if kept else end)
    assert any(segment.payload for segment in answers) == kept


@pytest.mark.parametrize("ahead", [5_839, 5_840, 5_841, 30_000, -1, -30, -30_000])
def test_outside_the_window_of_an_idle_connection(engine: Engine, ahead: int) -> None:
    """RFC 9293 section 3.10.7.4: an unacceptable segment draws an acknowledgment. One without data is no question."""
    peer, seq, ack = idle_peer(engine)
    peer.send("PA", seq=seq + ahead, ack=ack, payload=b"outside")
    peer.expect("A", seq=ack, ack=seq, length=0)
    if ahead != -1:  # a keep-alive probe
        peer.send("A", seq=seq + ahead, ack=ack)
    peer.expect_nothing()
    peer.send("PA", seq=seq, ack=ack, payload=REQUEST)
    assert parsed(peer.expect("A").payload).status == 200


@pytest.mark.parametrize(("seq_off", "ack_off"), [(100_000, 0), (-100_000, 0), (0, 1), (0, -1), (10, -20), (0, -300)])
def test_other_numbers_than_an_idle_connection_has(engine: Engine, seq_off: int, ack_off: int) -> None:
    """The tag may belong to another connection now: then the peer must get a RST. Or the segment is a late copy, which
    acknowledges less: then the RST is outside of the sender's window. Without data no peer waits."""
    peer, seq, ack = idle_peer(engine)
    peer.send("A", seq=seq + seq_off, ack=ack + ack_off)
    peer.expect_nothing()
    peer.send("PA", seq=seq + seq_off, ack=ack + ack_off, payload=REQUEST)
    peer.expect("R", seq=ack + ack_off)
    peer.expect_nothing()
    assert engine.counters["count_requests"] == 1
    peer.send("PA", seq=seq, ack=ack, payload=REQUEST)
    assert parsed(peer.expect("A").payload).status == 200


@pytest.mark.parametrize("lost", [1, 30])
def test_a_fin_ahead_of_lost_data_on_an_idle_connection(engine: Engine, lost: int) -> None:
    peer, seq, ack = idle_peer(engine)
    peer.send("FA", seq=seq + lost, ack=ack)
    peer.expect("A", seq=ack, ack=seq, length=0)
    peer.send("PA", seq=seq, ack=ack, payload=REQUEST)
    assert parsed(peer.expect("A").payload).status == 200


@driver_keeps
def test_a_refused_frame_proves_nothing_but_itself(make_engine: Make) -> None:
    """Older acknowledgment numbers open an idle connection for a frame that was refused before, and for no other."""
    engine = make_engine(connections=1, buffer=64)
    engine.keeps_frames = True
    peer, seq, ack = idle_peer(engine)
    peer.send("PA", seq=seq, ack=ack - 40, payload=REQUEST)
    peer.expect("R", seq=ack - 40)
    peer.send("PA", seq=seq + 20, ack=ack, payload=REQUEST)  # gets the position, and waits for a while
    peer.expect("A", seq=ack, ack=seq, length=0)
    peer.expect_nothing(1500)
    peer.send("PA", seq=seq, ack=ack, payload=REQUEST)
    assert parsed(peer.expect("A").payload).status == 200


@driver_keeps
def test_a_frame_that_came_ahead_of_a_gap_proves_less(engine: Engine) -> None:
    """A tag knows the sum of both numbers. Ahead of the gap any 16 bits of it fit; so it never opens the connection."""
    peer, seq, ack = idle_peer(engine)
    engine.again(WHIT_AHEAD)
    peer.send("PA", seq=seq - 10, ack=ack, payload=REQUEST[-10:] + REQUEST)
    peer.expect_nothing()  # it was answered when it came first
    engine.again(WHIT_NO_SLOT)
    peer.send("PA", seq=seq - 10, ack=ack, payload=REQUEST[-10:] + REQUEST)
    assert parsed(peer.expect("A").payload).status == 200


@driver_keeps
@pytest.mark.parametrize("idle", [False, True])
def test_a_request_of_two_segments_that_finds_no_slot(make_engine: Make, idle: bool) -> None:
    """Both wait in the driver; neither is retransmitted when the slot is free."""
    engine = make_engine(connections=1)
    engine.keeps_frames = True
    holder, other = open_peer(engine, 40001), open_peer(engine, 40002)
    seq = ack = 1
    if idle:
        ask(other, REQUEST)
        seq, ack = 1 + len(REQUEST), 1 + len(other.expect("A").payload)
        other.send("A", seq=seq, ack=ack)
    ask(holder, REQUEST)
    size = len(holder.expect("A").payload)
    other.send("A", seq=seq, ack=ack, payload=REQUEST[:20])
    other.send("PA", seq=seq + 20, ack=ack, payload=REQUEST[20:])
    other.expect("A", seq=ack, ack=seq, length=0)  # the second frame gets the connection's position
    other.expect_nothing(50)
    holder.send("A", seq=1 + len(REQUEST), ack=1 + size)
    answers = other.take_all(within=20)
    assert parsed(b"".join(segment.payload for segment in answers)).status == 200


def test_four_segments_in_reverse_order(engine: Engine) -> None:
    peer = open_peer(engine)
    size = -(-len(REQUEST) // 4)
    pieces = [(at, REQUEST[at : at + size]) for at in range(0, len(REQUEST), size)]
    got = b""
    for _ in range(8):
        for at, piece in reversed(pieces):
            ask(peer, piece, at=1 + at)
            for segment in peer.take_all():
                if segment.payload and segment.seq == 1 + len(got):
                    got += segment.payload
        if got:
            break
    assert parsed(got).body == MADE_FILES["n33.bin"]
    assert engine.counters["count_requests"] == 1


def test_each_segment_three_times(engine: Engine) -> None:
    peer = open_peer(engine)
    octets = get("/count")
    for at in range(0, len(octets), 7):
        for _ in range(3):
            ask(peer, octets[at : at + 7], at=1 + at)
    said = {segment.seq: segment.payload for segment in peer.take_all() if segment.payload}
    assert parsed(b"".join(said[seq] for seq in sorted(said))).body == b"run 1"
    assert engine.persistent_writes == 1


@pytest.mark.parametrize("begin", [0, 1, 15, 31])
def test_overlap_of_answered_request_and_next(engine: Engine, begin: int) -> None:
    """The retransmission of a request together with the next one, in one segment."""
    peer = open_peer(engine)
    ask(peer, REQUEST)
    first = peer.expect("A", seq=1)
    end = 1 + len(first.payload)
    peer.send("A", seq=1 + len(REQUEST), ack=end)
    following = get("/n31.bin")
    peer.send("PA", seq=1 + begin, ack=end, payload=(REQUEST + following)[begin:])
    got = b"".join(s.payload for s in peer.take_all(within=100) if s.seq == end)
    if not got:  # an idle connection is recognised by the octet that it waits for
        peer.send("PA", seq=1 + len(REQUEST), ack=end, payload=following)
        got = peer.expect("A", seq=end, ack=1 + len(REQUEST) + len(following)).payload
    assert parsed(got).body == MADE_FILES["n31.bin"]


def test_wrong_checksum_changes_nothing(engine: Engine) -> None:
    peer = open_peer(engine)
    ask(peer, REQUEST[:20])
    peer.expect("A", ack=21)
    good = peer.make("PA", seq=21, ack=1, payload=REQUEST[20:])
    good.payload = good.payload[:-1] + b"X"
    right = int.from_bytes(good.pack(peer.address, peer.server)[16:18], "big")
    for wrong in (right ^ 1, right ^ 0x8000, 0 if right else 1):
        good.sum = wrong
        peer.segment(good)
        peer.expect_nothing()
    assert engine.counters["drop_tcp_checksum"] == 3
    ask(peer, REQUEST[20:], at=21)
    assert parsed(peer.expect("A").payload).status == 200


@pytest.mark.parametrize("offset", [0, 1, 4, 7, 15])
def test_wrong_data_offset(engine: Engine, offset: int) -> None:
    peer = open_peer(engine)
    peer.send("PA", seq=1, ack=1, payload=b"GE", offset=offset)
    peer.expect_nothing(500)
    served(peer)


@pytest.mark.parametrize("length", [0, 1, 8, 19])
def test_tcp_shorter_than_its_header(engine: Engine, length: int) -> None:
    peer = open_peer(engine)
    peer.ipv4(6, peer.make("A", seq=1, ack=1).pack(peer.address, peer.server)[:length])
    peer.expect_nothing()


def test_data_without_ack_is_dropped(engine: Engine) -> None:
    peer = open_peer(engine)
    ask(peer, REQUEST[:20])
    peer.expect("A", ack=21)
    peer.send("P", seq=21, payload=REQUEST[20:])
    peer.expect_nothing(1000)
    ask(peer, REQUEST[20:], at=21)
    assert parsed(peer.expect("A").payload).status == 200


def test_options_of_every_kind_are_skipped(engine: Engine) -> None:
    options = (
        b"\1\1\x08\x0a\0\0\0\1\0\0\0\0",
        b"\x05\x12" + b"\xff" * 16,
        b"\xfd\x06abcd",
        b"\0" * 40,
        b"\1" * 40,
        b"\x1e\x04zz",
    )
    peer = open_peer(engine)
    at = 1
    for i, each in enumerate(options):
        piece = REQUEST[i : i + 1]
        peer.send("PA", seq=at, ack=1, payload=piece, options=each)
        at += 1
        peer.expect("A", ack=at)


def test_keep_alive_probe_is_answered(engine: Engine) -> None:
    """The probe is one octet before the next one expected (RFC 9293 section 3.8.4), on a busy and on an idle
    connection."""
    peer = open_peer(engine)
    ask(peer, REQUEST[:20])
    peer.expect("A", ack=21)
    for payload in (b"", b"\0"):
        peer.send("A", seq=20, ack=1, payload=payload)
        peer.expect("A", seq=1, ack=21)
    ask(peer, REQUEST[20:], at=21)
    end = 1 + len(peer.expect("A").payload)
    peer.send("A", seq=1 + len(REQUEST), ack=end)
    peer.wait(10_000)
    for payload in (b"", b"\0"):
        peer.send("A", seq=len(REQUEST), ack=end, payload=payload)
        peer.expect("A", seq=end, ack=1 + len(REQUEST), length=0)


def test_urgent_pointer_is_only_a_pointer(engine: Engine) -> None:
    for number, urgent in enumerate((0, 1, 3, 100, 65535)):
        peer = open_peer(engine, port=41000 + number)
        peer.send("PAU", seq=1, ack=1, payload=REQUEST, urgent=urgent)
        assert parsed(peer.expect("A").payload).status == 200
        peer.send("AU", seq=1 + len(REQUEST), ack=1, urgent=urgent)
        peer.send("RU", seq=1 + len(REQUEST), urgent=urgent)


def test_pipelined_octets_are_kept_or_come_again(make_engine: Make) -> None:
    for buffer in (64, 512):
        engine = make_engine(buffer=buffer)
        peer = open_peer(engine)
        following = get("/n31.bin")
        octets = REQUEST + following
        ask(peer, octets)
        first = peer.expect("A", seq=1)
        assert 1 + len(REQUEST) <= first.ack <= 1 + len(octets)  # any part may be kept
        end = 1 + len(first.payload)
        peer.send("A", seq=1 + len(octets), ack=end)
        if first.ack != 1 + len(octets):
            peer.send("PA", seq=first.ack, ack=end, payload=octets[first.ack - 1 :])
        second = peer.expect("A", seq=end, ack=1 + len(octets))
        assert parsed(second.payload).body == MADE_FILES["n31.bin"]


def test_segment_larger_than_our_mss_or_window(make_engine: Make) -> None:
    engine = make_engine(receive_window=536)
    peer = open_peer(engine)
    octets = get("/n33.bin", "X: " + "y" * 1000)
    peer.send("PA", seq=1, ack=1, payload=octets)
    acked = 1
    for _ in range(6):
        segments = peer.take_all()
        acked = max([acked, *(segment.ack for segment in segments)])
        if any(segment.payload for segment in segments):
            break
        peer.send("PA", seq=acked, ack=1, payload=octets[acked - 1 :])
    else:
        raise peer.error("never answered")
