# SPDX-License-Identifier: MIT
"""The engine evicts a slot for a newcomer when all slots are taken (docs/internals/security.md)."""

from collections.abc import Callable

import pytest

from tests.harness import Make
from tests.support import ask, get, parsed, target
from whit.wire.packet import Flags
from whit_testbed.engine import Engine
from whit_testbed.trace import Peer

LARGE = get("/n57254.bin")
TRIES_MS = (0, 200, 400, 800, 1600, 3200)  # the pauses before each try of a client whose round trip is short


def host(engine: Engine, number: int, port: int = 40000, mss: int = 1460) -> Peer:
    """Returns a host, one of many addresses, several of which end alike."""
    peer = Peer(engine, address=f"10.{number}.0.{number}", mac=bytes([2, 0, 0, 0, 9, number]), port=port + number)
    peer.handshake(mss=mss)
    return peer


def waits_ms(engine: Engine, newcomer: Peer, meanwhile: Callable[[], None] = lambda: None) -> int:
    """Returns a newcomer's wait for its first octet. Calls `meanwhile` each 100 ms."""
    begun = engine.now_ms
    for pause in TRIES_MS:
        for _ in range(pause // 100):
            engine.advance(100)
            meanwhile()
        newcomer.queue.clear()
        ask(newcomer, get("/n33.bin"))
        newcomer.collect()
        if newcomer.queue:
            assert parsed(newcomer.next_segment().payload).status == 200
            return engine.now_ms - begun
    raise AssertionError("the newcomer was never served")


@pytest.mark.parametrize("slots", [4, 64])
def test_slow_readers_of_other_hosts(make_engine: Make, slots: int) -> None:
    """Each slot has a reader of an octet a second; no other client has room."""
    engine = make_engine(connections=slots)
    readers = [host(engine, number) for number in range(1, slots + 1)]
    taken = dict.fromkeys(readers, 0)
    for reader in readers:
        ask(reader, LARGE, wnd=1)

    def read() -> None:
        if engine.now_ms % 1000 < 100:
            for reader in readers:
                reader.queue.clear()
                taken[reader] += 1
                reader.send("A", seq=1 + len(LARGE), ack=1 + taken[reader], wnd=1)

    newcomer = host(engine, 200)
    assert waits_ms(engine, newcomer, read) <= 2000
    assert engine.counters["count_slot_evicted"] == 1


@pytest.mark.parametrize("slots", [4, 64])
def test_hosts_that_vanished(make_engine: Make, slots: int) -> None:
    engine = make_engine(connections=slots)
    for number in range(1, slots + 1):
        peer = host(engine, number)
        ask(peer, LARGE)
    engine.advance(600)
    assert waits_ms(engine, host(engine, 200)) <= 3000


def test_many_that_send_an_octet_a_second(make_engine: Make) -> None:
    """A hundred hosts on four slots: their requests never end, and each comes back when it lost its slot."""
    engine = make_engine(connections=4)
    places: dict[int, tuple[Peer, int]] = {}
    opened = 0

    def reopen(number: int) -> None:
        nonlocal opened
        opened += 1
        places[number] = (host(engine, number, port=2000 + 200 * (opened % 200)), 0)

    for number in range(1, 101):
        reopen(number)

    def trickle() -> None:
        for number in range(1 + engine.now_ms // 100 % 10, 101, 10):
            peer, sent = places[number]
            peer.queue.clear()
            peer.send("PA", seq=1 + sent, ack=1, payload=LARGE[sent : sent + 1])
            peer.collect()
            answers = peer.take_all()
            if any(segment.flags & Flags.R for segment in answers):
                reopen(number)
            elif any(segment.ack == peer.iss + 2 + sent for segment in answers):
                places[number] = (peer, min(sent + 1, 30))

    for _ in range(50):
        engine.advance(100)
        trickle()
    assert waits_ms(engine, host(engine, 200), trickle) <= 2000


@pytest.mark.parametrize("slots", [2, 4])
def test_one_host_does_not_hold_all(make_engine: Make, slots: int) -> None:
    """A host without a slot gets one after a second, although the other's transfers progress; a second host waits."""
    engine = make_engine(connections=slots)
    browser = [host(engine, 1, port=40000 + 10 * number) for number in range(slots)]
    for peer in browser:
        ask(peer, LARGE)
    newcomer, same = host(engine, 200), host(engine, 1, port=50000)
    ask(same, get("/n33.bin"))
    engine.advance(500)
    assert engine.counters["count_slot_evicted"] == 0
    moved = [1]

    def read() -> None:
        moved[0] += 1460
        for peer in browser:
            peer.send("A", seq=1 + len(LARGE), ack=moved[0])

    assert 500 <= waits_ms(engine, newcomer, read) <= 2000
    assert engine.counters["count_slot_evicted"] == 1


def test_the_only_slot_of_a_host_is_not_taken_while_it_moves(make_engine: Make) -> None:
    engine = make_engine(connections=2)
    readers = [host(engine, 1), host(engine, 2)]
    for reader in readers:
        ask(reader, LARGE)
    newcomer, moved = host(engine, 200), 1
    for _ in range(30):
        engine.advance(200)
        moved += 1460
        for reader in readers:
            reader.send("A", seq=1 + len(LARGE), ack=moved)
        ask(newcomer, get("/n33.bin"))
    assert engine.counters["count_slot_evicted"] == 0


@pytest.mark.parametrize("which", [0, 7, 19])
def test_whoever_stalls_is_found_whichever_slot_it_has(make_engine: Make, which: int) -> None:
    """A newcomer checks 16 of more slots, and others with each tick; connections that make progress keep theirs."""
    engine = make_engine(connections=20)
    peers = [host(engine, number) for number in range(1, 21)]
    for number, peer in enumerate(peers):
        ask(peer, LARGE[:-2] if number == which else LARGE)
    newcomer, moved = host(engine, 200), 1
    for _ in range(24):
        engine.advance(4)
        ask(newcomer, get("/n33.bin"))
    assert engine.counters["count_slot_evicted"] == 0
    for _ in range(4):
        engine.advance(500)
        moved += 1460
        for number, peer in enumerate(peers):
            if number != which:
                peer.send("A", seq=1 + len(LARGE), ack=moved)
    newcomer.queue.clear()
    for _ in range(6):
        engine.advance(4)
        ask(newcomer, get("/n33.bin"))
    assert engine.counters["count_slot_evicted"] == 1
    assert parsed(newcomer.next_segment().payload).status == 200
    peers[which].queue.clear()
    peers[which].send("PA", seq=len(LARGE) - 1, ack=1, payload=LARGE[-2:])
    assert peers[which].next_segment().flags & Flags.R


@pytest.mark.parametrize(("ahead", "found"), [(-1, False), (0, True), (1, True), (15, True), (16, False)])
def test_a_newcomer_looks_at_sixteen_slots(make_engine: Make, ahead: int, found: bool) -> None:
    """The newcomer starts at the slot whose number is the tick; only the slot `ahead` of it stalls."""
    engine, stalled = make_engine(connections=20), 3
    peers = [host(engine, number) for number in range(1, 21)]
    for number, peer in enumerate(peers):
        ask(peer, LARGE[:-2] if number == stalled else LARGE)
    newcomer = host(engine, 200)
    engine.now_ms += 2000 + 4 * ((stalled - ahead - (engine.now_ms + 2000) // 4) % 20)
    for number, peer in enumerate(peers):
        if number != stalled:
            peer.send("A", seq=1 + len(LARGE), ack=1461)
    ask(newcomer, get("/n33.bin"))
    assert engine.counters["count_slot_evicted"] == found


@pytest.mark.skipif(target() != "inprocess", reason="its driver keeps no frames")
def test_who_asks_again_at_once_waits_behind_the_others(make_engine: Make) -> None:
    """Three clients on one slot. The next request of each comes with the acknowledgment of its response."""
    engine = make_engine(connections=1)
    engine.keeps_frames = True
    request = get("/n33.bin")
    peers = [host(engine, number) for number in (1, 2, 3)]
    places = dict.fromkeys(peers, (1, 1))
    for peer in peers:
        ask(peer, request)
    answered = []
    for _ in range(30):
        engine.advance(4)
        for peer in peers:
            for answer in peer.take_all():
                assert not answer.flags & Flags.R
                if answer.payload:
                    answered.append(peer)
                    places[peer] = (places[peer][0] + len(request), answer.seq + len(answer.payload))
                    seq, ack = places[peer]
                    peer.send("PA", seq=seq, ack=ack, payload=request)
    assert len(answered) >= 20
    assert answered == [peers[turn % 3] for turn in range(len(answered))]
