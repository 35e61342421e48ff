# SPDX-License-Identifier: MIT
"""Data both ways on a connection opened by the engine: loss, order, windows, wrong numbers (RFC 9293 section 3.10.7.4,
5681, 6298)."""

from itertools import pairwise

import pytest

from tests.harness import engine_of, opened
from whit.wire.packet import Segment, flags_of
from whit_testbed.engine import Engine

from .origins import APP, Asking, Origin

engine = engine_of(APP)


def open_to(engine: Engine, target: str = "/fetch", **accept: int) -> tuple[Origin, Asking]:
    """Opens the connection, and acknowledges its first output if that is the usual five octets."""
    origin, asking = Origin(engine), Asking(engine, target)
    origin.accept(**accept)
    if "len=" not in target:
        origin.expect("PA", seq=1, ack=1, payload=b"aaaab")
        origin.send("A", seq=1, ack=6)
        origin.expect_nothing()
    return origin, asking


def sent(origin: Origin) -> list[tuple[int, int]]:
    """Returns the data segments received: number and octets."""
    return [(segment.seq, len(segment.payload)) for segment in origin.take_all() if segment.payload]


def test_data_come_twice_and_overlap(engine: Engine) -> None:
    origin, asking = open_to(engine)
    origin.send("PA", seq=1, ack=6, payload=b"abcd")
    origin.send("PA", seq=1, ack=6, payload=b"abcd")
    origin.send("PA", seq=3, ack=6, payload=b"cdef")
    origin.send("PA", seq=2, ack=6, payload=b"bc")
    assert [segment.ack for segment in origin.take_all()] == [5, 5, 7, 7]
    assert asking.body() == b"abcdef"


def test_data_ahead_of_a_gap_are_acknowledged_at_once_and_come_again(engine: Engine) -> None:
    origin, asking = open_to(engine)
    origin.send("PA", seq=5, ack=6, payload=b"efgh")
    origin.expect("A", seq=6, ack=1)
    origin.send("FPA", seq=9, ack=6, payload=b"i")
    origin.expect("A", seq=6, ack=1)
    assert engine.counters["drop_tcp_sequence"] == 2
    origin.send("A", seq=1, ack=6, payload=b"abcd")
    origin.expect("A", seq=6, ack=5)
    assert asking.body() == b"abcd"
    origin.send("A", seq=5, ack=6, payload=b"efgh")
    origin.send("FPA", seq=9, ack=6, payload=b"i")
    assert asking.body() == b"abcdefghi|ended"


def test_a_driver_that_keeps_frames_keeps_them(engine: Engine) -> None:
    engine.keeps_frames = True
    origin, asking = open_to(engine)
    origin.send("FPA", seq=9, ack=6, payload=b"i")
    origin.send("A", seq=5, ack=6, payload=b"efgh")
    origin.send("A", seq=1, ack=6, payload=b"abcd")
    origin.wait(20)
    assert origin.take_all()[-1].ack in (10, 11)
    assert asking.body() == b"abcdefghi|ended"


def test_a_corrupt_segment_changes_nothing(engine: Engine) -> None:
    origin, asking = open_to(engine)
    origin.send("FPA", seq=1, ack=6, payload=b"wrong", sum=0x1234)
    origin.send("RA", seq=1, ack=6, sum=0x1234)
    origin.expect_nothing()
    origin.send("PA", seq=1, ack=6, payload=b"right")
    assert asking.body() == b"right"
    assert engine.counters["drop_tcp_checksum"] == 2


def test_frames_in_pieces(engine: Engine) -> None:
    origin, asking = open_to(engine)
    stream = bytes(range(48, 112)) * 4
    for at in range(0, len(stream), 64):
        origin.split = 1 + at // 64 * 5
        origin.send("PA", seq=1 + at, ack=6, payload=stream[at : at + 64])
    assert asking.body() == stream


def test_a_segment_of_ours_is_lost(engine: Engine) -> None:
    """RFC 6298: after the RTO, then twice that; the least is 200 ms."""
    origin, asking = Origin(engine), Asking(engine)
    origin.accept()
    asking.body()
    times = []
    for _ in range(4):
        origin.expect("PA", seq=1, payload=b"aaaab", within=3000)
        times.append(engine.now_ms)
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert gaps == [pytest.approx(200, abs=8), pytest.approx(400, abs=8), pytest.approx(800, abs=8)]
    origin.send("PA", seq=1, ack=6, payload=b"ok")
    origin.expect("A", ack=3)
    assert asking.body() == b"ok"


def test_three_duplicates_bring_the_lost_one_back_at_once(engine: Engine) -> None:
    origin, _ = open_to(engine, "/fetch?len=2000", mss=400)
    flight = sent(origin)
    assert flight == [(1, 400), (401, 400), (801, 400), (1201, 400)]  # RFC 5681 section 3.1
    for _ in range(2):
        origin.send("A", seq=1, ack=1)
        assert sent(origin) == []
    origin.send("A", seq=1, ack=1)
    assert sent(origin) == [(1, 400)]
    origin.send("A", seq=1, ack=1)
    assert sent(origin) == []
    origin.send("A", seq=1, ack=1601)
    assert sent(origin) == [(1601, 400)]
    assert engine.counters["count_retransmit_fast"] == 1


def test_a_timeout_closes_the_congestion_window(engine: Engine) -> None:
    origin, _ = open_to(engine, "/fetch?len=2000", mss=400)
    assert len(sent(origin)) == 4
    origin.wait(250)
    assert sent(origin) == [(1, 400)]
    origin.send("A", seq=1, ack=401)
    assert sent(origin) == [(401, 400), (801, 400)]


def test_the_congestion_window_grows_octet_by_octet(engine: Engine) -> None:
    """The window grows by the octets acknowledged below ssthresh, then by SMSS * SMSS / cwnd (RFC 5681 section 3.1)."""
    mss = 100
    origin, _ = open_to(engine, "/fetch?len=9000&timeout=60000", mss=mss)
    una, end, cwnd, ssthresh = 1, 1, 4 * mss, 65535
    for turn in range(60):
        origin.wait(40)  # the thread writes as much as fits
        for at, length in sent(origin):
            assert (at, length) == (end, mss)
            end += length
        assert (end - una) // mss == cwnd // mss, turn
        if turn == 5:  # the segment at una is lost
            for _ in range(3):
                origin.send("A", seq=1, ack=una)
            assert sent(origin) == [(una, mss)]
            cwnd = ssthresh = (end - una) // 2
            una = end
            origin.send("A", seq=1, ack=una)
        else:
            una += mss
            origin.send("A", seq=1, ack=una)
        cwnd += mss if cwnd < ssthresh else mss * mss // cwnd + 1


def test_the_congestion_window_ends_at_what_a_window_can_be(engine: Engine) -> None:
    """The window stays at 65 535, not 68 000, and the ring's octets keep leaving."""
    origin, _ = open_to(engine, "/fetch?len=65000&timeout=60000", mss=1000)
    una = end = 1
    flights = []
    while end < 65001:
        origin.wait(40)
        end += sum(length for _, length in sent(origin))
        flights.append(end - una)
        una = min(una + 1000, end)
        origin.send("A", seq=1, ack=una)
    assert min(flights) >= 2000  # of 2 048 that the ring holds; the last one has what is left


def test_a_partial_acknowledgment(engine: Engine) -> None:
    origin, _ = open_to(engine, "/fetch?len=500")
    assert sent(origin) == [(1, 500)]
    origin.send("A", seq=1, ack=101)
    assert sent(origin) == []
    origin.wait(250)
    assert sent(origin) == [(101, 400)]


def test_the_peer_gets_no_more_than_its_window(engine: Engine) -> None:
    origin, _ = open_to(engine, "/fetch?len=2000", mss=400, wnd=1000)
    assert sent(origin) == [(1, 400), (401, 400)]
    origin.send("A", seq=1, ack=401, wnd=600)
    assert sent(origin) == []
    origin.send("A", seq=1, ack=801, wnd=500)
    assert sent(origin) == [(801, 400)]


@pytest.mark.parametrize(("seq", "ack"), [(1, 401), (5, 801)])
def test_an_old_segment_tells_no_window(engine: Engine, seq: int, ack: int) -> None:
    """A segment with an older acknowledgment or older octets does not update the window (SND.WL1, SND.WL2 of
    RFC 9293)."""
    origin, asking = open_to(engine, "/fetch?len=2000", mss=400)
    asking.body()
    assert len(sent(origin)) == 4
    origin.send("A", seq=1, ack=801, payload=b"12345678")
    origin.take_all()
    origin.send("A", seq=9 if seq == 1 else seq, ack=ack, wnd=0, payload=b"" if seq == 1 else b"56789")
    assert sent(origin) == []
    origin.wait(250)
    assert sent(origin) == [(801, 400)]  # and not a probe of one octet


def test_a_closed_window_is_probed_and_opens(engine: Engine) -> None:
    origin, asking = open_to(engine, "/fetch?timeout=60000&len=2000", mss=400, wnd=0)
    origin.expect("A", seq=1, length=0)
    times = []
    for _ in range(4):
        origin.expect("A", seq=1, ack=1, length=1, within=3000)
        times.append(engine.now_ms)
        origin.send("A", seq=1, ack=1, wnd=0)
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert gaps == [pytest.approx(400, abs=8), pytest.approx(800, abs=8), pytest.approx(1600, abs=8)]
    origin.send("A", seq=1, ack=1, wnd=900)
    assert sent(origin) == [(1, 400), (401, 400)]
    origin.send("A", seq=1, ack=801, wnd=0)
    probe = origin.next_segment(3000)
    assert (probe.seq - (origin.irs or 0), len(probe.payload)) == (801, 1)
    origin.send("A", seq=1, ack=802, wnd=65535)  # it took the probe
    assert sent(origin) == [(802, 400), (1202, 400), (1602, 399)]
    assert asking.body() == b""


def test_a_window_that_is_never_opened(engine: Engine) -> None:
    origin, asking = open_to(engine, "/fetch?timeout=3000&len=2000", wnd=0)
    for _ in range(30):
        origin.wait(100)
        for segment in origin.take_all():
            if not segment.flags & flags_of("R"):
                origin.send("A", seq=1, ack=1, wnd=0)
    assert asking.body(200) == b"|failed"


def read_slowly(engine: Engine, origin: Origin, asking: Asking, stream: bytes, size: int) -> list[Segment]:
    """Fills the window without a reader, and returns the acknowledgments."""
    acks: list[Segment] = []
    at = 0
    while at < len(stream):
        origin.send("A", seq=1 + at, ack=6, payload=stream[at : at + size])
        more = origin.take_all()
        acks += more
        if not more or more[-1].ack - 1 <= at:
            break
        at = more[-1].ack - 1
    return acks


def test_data_beyond_the_window_are_not_taken(engine: Engine) -> None:
    """The asking client stops reading: its thread has no room, the ring fills, the window closes and opens."""
    origin, asking = open_to(engine)
    asking.peer.send("A", seq=1 + len(asking.octets), ack=1, wnd=0)
    stream = bytes(range(256)) * 40
    acks = read_slowly(engine, origin, asking, stream, 700)
    taken = acks[-1].ack - 1
    assert 2048 <= taken < len(stream)
    edges = [ack.ack + ack.wnd for ack in acks]
    assert edges == sorted(edges)  # it never moves back
    assert acks[-1].wnd == 0
    origin.send("A", seq=1 + taken, ack=6, payload=stream[taken : taken + 1])  # a window probe
    assert origin.expect("A", ack=1 + taken).wnd == 0
    assert asking.body() == stream[: len(asking.body())]
    updates = origin.take_all()
    assert updates and updates[-1].wnd >= 1024
    assert asking.body() == stream[:taken]


@pytest.mark.parametrize("ack", [7, 1000, 2**31 - 1, 2**31 + 5, 6 - 0x20000])
def test_acknowledgments_that_cannot_be(engine: Engine, ack: int) -> None:
    """A segment with an impossible acknowledgment is dropped; the engine answers with its position once each 64 ms."""
    origin, asking = open_to(engine)
    for _ in range(5):
        origin.send("FPA", seq=1, ack=ack % 2**32, payload=b"wrong")
    answers = origin.take_all()
    assert [(segment.seq, segment.ack) for segment in answers] == [(6, 1)]
    assert engine.counters["drop_tcp_ack"] == 5
    origin.send("PA", seq=1, ack=6, payload=b"right")
    assert asking.body() == b"right"


@pytest.mark.parametrize("seq", [2 + 2048, 5000, 2**31 - 1, 2**31 + 1, -2000, -1])
def test_segments_out_of_the_window(engine: Engine, seq: int) -> None:
    origin, asking = open_to(engine)
    origin.send("A", seq=seq % 2**32, ack=6)
    origin.send("FPA", seq=seq % 2**32, ack=6, payload=b"x")
    assert {(segment.seq, segment.ack) for segment in origin.take_all()} == {(6, 1)}
    origin.send("PA", seq=1, ack=6, payload=b"right")
    assert asking.body() == b"right"


def test_without_acknowledgment_nothing_counts(engine: Engine) -> None:
    origin, asking = open_to(engine)
    origin.send("P", seq=1, payload=b"wrong")
    origin.expect_nothing()
    assert engine.counters["drop_tcp_header"] == 1
    origin.send("PA", seq=1, ack=6, payload=b"right")
    assert asking.body() == b"right"


def test_a_syn_is_challenged(engine: Engine) -> None:
    """RFC 5961 section 4.2."""
    origin, asking = open_to(engine)
    for seq in (0, 1, 500, 100_000):
        origin.send("S", seq=seq, mss=1460)
        origin.send("SA", seq=seq, ack=1, mss=1460)
    assert [(segment.seq, segment.ack) for segment in origin.take_all()] == [(6, 1)]
    origin.send("PA", seq=1, ack=6, payload=b"right")
    assert asking.body() == b"right"


def test_two_connections_do_not_mix() -> None:
    with opened(APP, buffer=16384) as engine:
        first, second = Origin(engine, port=7001), Origin(engine, port=7002, iss=9000)
        asking = [Asking(engine, f"/fetch?port=700{i}", port=40000 + i) for i in (1, 2)]
        first.accept()
        second.accept()
        first.send("PA", seq=1, ack=6, payload=b"first")
        second.send("PA", seq=1, ack=6, payload=b"second")
        first.port, second.port = second.port, first.port  # each other's ports: no connection's
        first.send("PA", seq=6, ack=6, payload=b"wrong")
        assert asking[0].body() == b"first"
        assert asking[1].body() == b"second"


def test_a_card_that_changes_is_followed(engine: Engine) -> None:
    origin, asking = open_to(engine)
    origin.mac = bytes.fromhex("0200aabbccee")
    origin.send("PA", seq=1, ack=6, payload=b"here")
    origin.expect("A", ack=5)
    assert len(origin.asked_at) == 1
    assert asking.body() == b"here"


def test_a_segment_that_is_not_taken_moves_no_card(engine: Engine) -> None:
    origin, asking = open_to(engine)
    mac, origin.mac = origin.mac, bytes.fromhex("0200aabbccee")
    origin.send("PA", seq=1, ack=2**31, payload=b"wrong")
    origin.send("PA", seq=30_000, ack=6, payload=b"wrong")
    origin.mac = mac
    origin.take_all()
    origin.send("PA", seq=1, ack=6, payload=b"right")
    origin.expect("A", ack=6)
    assert asking.body() == b"right"


@pytest.mark.parametrize("split", [100, 2048])
@pytest.mark.parametrize(("first", "then"), [(300, 2048), (1, 2048), (2047, 2048), (2048, 1), (0, 2048)])
def test_all_that_a_ring_holds_can_be_waited_for(engine: Engine, first: int, then: int, split: int) -> None:
    """The window is updated in large steps, unless a handler waits for more than it allows."""
    origin, asking = Origin(engine), Asking(engine, f"/whole?first={first}&then={then}")
    origin.accept()
    origin.expect("A", seq=1, ack=1)
    at, edge = 1, 1 + 2048
    while at < 1 + first + then:
        length = min(edge - at, split, 1 + first + then - at)
        assert length > 0, f"{at - 1} octets of {first + then}"
        origin.send("A", seq=at, ack=1, payload=bytes(length))
        at += length
        acks = origin.take_all()
        assert acks[-1].ack >= at
        edge = max(ack.ack + ack.wnd for ack in acks)
        if edge == at:
            origin.wait(30)
            edge = max([edge, *(ack.ack + ack.wnd for ack in origin.take_all())])
    assert asking.body(30) == b"%d" % then


def test_a_driver_that_refuses_gets_it_later(engine: Engine) -> None:
    origin, asking = Origin(engine), Asking(engine)
    origin.expect_syn()
    engine.limit(0)
    origin.send("SA", ack=1, mss=1460)
    origin.expect_nothing(100)
    engine.limit(256)
    engine.pump()
    origin.collect()
    origin.expect("PA", seq=1, ack=1, payload=b"aaaab")
    assert asking.body() == b""
