# SPDX-License-Identifier: MIT
"""RSTs that are sent again (repeats.c), and who is asked often before a newcomer gets a slot."""

from collections.abc import Callable

from whit.sim.engine import Engine
from whit.sim.packet import Flags
from whit.sim.trace import Peer

from tests.segments.test_newcomers import LARGE, host, waits_ms
from tests.support import ask, get

Make = Callable[..., Engine]


def reset_reader(engine: Engine) -> tuple[Peer, list[int]]:
    """A reader that gave way to a newcomer, and when it was told, in ms since then."""
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
    """A client that waits for the rest of its response has nothing to say that would draw another."""
    _, told = reset_reader(make_engine(connections=1, repeats=4))
    assert len(told) == 6
    assert told[-1] - told[0] >= 7000


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
    """At 20 % loss that is little; while a newcomer waits, it is asked each 300 ms, and given up at last."""
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
