# SPDX-License-Identifier: MIT
"""Repeated RSTs (repeats.c), and the peers asked often before a newcomer gets a slot."""

import itertools

from tests.harness import Make
from tests.segments.test_newcomers import LARGE, host, waits_ms
from tests.segments.test_retransmit import warm
from tests.support import ask, get
from whit.wire.packet import Flags
from whit_testbed.engine import Engine
from whit_testbed.trace import Peer


def reset_reader(engine: Engine) -> tuple[Peer, list[int]]:
    """Returns a reader evicted for a newcomer, and the times of its RSTs, in ms since then."""
    reader = host(engine, 1)
    ask(reader, LARGE, wnd=1)
    reader.take_all()
    told: list[int] = []
    assert waits_ms(engine, host(engine, 200)) <= 2000
    begun = engine.now_ms
    for _ in range(1200):
        told += [engine.now_ms - begun for segment in reader.take_all(within=1) if segment.flags & Flags.R]
        engine.advance(9)
    return reader, told


def test_a_reset_is_repeated(make_engine: Make) -> None:
    """A client that waits for its response sends no segment that would draw another RST."""
    _, told = reset_reader(make_engine(connections=1, repeats=4))
    assert len(set(told)) == 6  # where the peer was known to be, and from the second on also where it is when all came
    assert told[-1] - told[0] >= 7000


def test_a_reset_reaches_a_client_whose_acknowledgments_were_lost(make_engine: Make) -> None:
    """The client has received more than the engine knows: the first RST is outside of its window (RFC 9293, 3.10.7.4).
    Another RST, at the end of the sent octets, is exact or draws a challenge ACK."""
    engine = make_engine(connections=1, repeats=4)
    reader, newcomer = host(engine, 1), host(engine, 200)
    ask(reader, LARGE)
    begin, *_, last = reader.take_all()
    end = last.seq + len(last.payload)
    for _ in range(40):
        ask(newcomer, get("/n33.bin"))
        engine.advance(200)
        if engine.counters["count_slot_evicted"]:
            break
    resets = {segment.seq for segment in reader.take_all(within=600) if segment.flags & Flags.R}
    assert resets == {begin.seq, end}
    reader.send("A", seq=1 + len(LARGE), ack=last.seq)  # its challenge ACK
    (told,) = reader.take_all()
    assert told.flags & Flags.R
    assert told.seq == last.seq


def test_a_reset_is_not_repeated_without_places(make_engine: Make) -> None:
    _, told = reset_reader(make_engine(connections=1, repeats=0))
    assert len(told) == 1


def test_a_new_connection_ends_the_repetition(make_engine: Make) -> None:
    engine = make_engine(connections=1, repeats=4)
    reader = host(engine, 1)
    ask(reader, LARGE, wnd=1)
    assert waits_ms(engine, host(engine, 200)) <= 2000
    assert any(segment.flags & Flags.R for segment in reader.take_all())
    again = host(engine, 1)
    assert not any(segment.flags & Flags.R for segment in again.take_all(within=10_000))


def test_a_peer_that_missed_two_timeouts_keeps_its_slot(make_engine: Make) -> None:
    """Two timeouts are normal at 20 % loss. While a newcomer waits, the peer is probed each 300 ms, and given up at
    last."""
    engine = make_engine(connections=1)
    reader, newcomer = host(engine, 1), host(engine, 200)
    ask(reader, LARGE)
    first = reader.take_all()
    engine.advance(3100)
    assert engine.counters["count_retransmit_timeout"] == 2
    for _ in range(2):
        ask(newcomer, get("/n33.bin"))
        engine.advance(200)
    assert engine.counters["count_slot_evicted"] + engine.counters["count_given_up"] == 0
    assert engine.counters["count_retransmit_timeout"] >= 3
    reader.send("A", seq=1 + len(LARGE), ack=first[1].seq)
    assert any(segment.payload for segment in reader.take_all(within=300))
    for _ in range(20):
        ask(newcomer, get("/n33.bin"))
        engine.advance(200)
    assert engine.counters["count_slot_evicted"] == 1


def test_the_first_timeouts_of_a_measured_peer_do_not_double(make_engine: Make) -> None:
    """Four timeouts have the same length if there is memory for `repeats`; each later one is longer, up to 10 s."""
    engine = make_engine(repeats=4)
    peer = Peer(engine)
    peer.handshake()
    at, position = warm(peer, 20, 12)
    peer.send("PA", seq=at, ack=position, payload=get("/n33.bin"))
    times = [engine.now_ms]
    while engine.counters["count_given_up"] == 0:
        peer.next_segment(within=61_000)
        times.append(engine.now_ms)
    gaps = [later - earlier for earlier, later in itertools.pairwise(times[2:])]
    assert all(260 <= gap <= 276 for gap in gaps[:4])
    assert [round(gap / gaps[0]) for gap in gaps[4:10]] == [2, 4, 8, 8, 16, 16]
    assert max(gaps) <= 10_000
    assert 100_000 <= times[-1] - times[0] <= 200_000
