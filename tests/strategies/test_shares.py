# SPDX-License-Identifier: MIT
"""Several threads at once share the room; a thread without room waits for its turn."""

import pytest

from tests.harness import Make
from tests.strategies.conftest import text
from whit.model.policy import AckPolicy, Options
from whit.wire.http import request
from whit.wire.units import MS, SECOND
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment
from whit_testbed.net import Net
from whit_testbed.trace import Peer

LINUX = Options(window=64240, ack=AckPolicy.LINUX, rto_min=200 * MS, sack=True)
TIMEOUT_MS = 15_000  # request_timeout_s
TURNS = 4  # that a request waits for room at most


class Reader:
    """Reads one stream, a flight at a time."""

    def __init__(self, engine: Engine, number: int, length: int = 8000) -> None:
        self.peer = Peer(engine, address=f"10.0.0.{10 + number}", mac=bytes((2, 0, 0, 0, 0, number)))
        self.peer.handshake()
        self.stream = b""
        octets = request(f"/thread_persistent?len={length}")
        self.next = 1 + len(octets)
        self.peer.send("PA", seq=1, ack=1, payload=octets)

    @property
    def got(self) -> int:
        return 1 + len(self.stream)

    def flight(self) -> int:
        """Octets of the flight that is on its way, for the first time."""
        before = self.got
        self.peer.collect()
        for segment in self.peer.take_all():
            if segment.seq <= self.got < segment.seq + len(segment.payload):
                self.stream += segment.payload[self.got - segment.seq :]
        return self.got - before

    def acknowledge(self, *, wnd: int = 65535) -> None:
        self.peer.send("A", seq=self.next, ack=self.got, wnd=wnd)

    def round_trip(self) -> int:
        """Acknowledges a flight, and returns the length of the next one."""
        self.flight()
        self.acknowledge()
        return self.flight()


@pytest.mark.parametrize("heads", ["octets", "code"])
def test_two_threads_get_half_of_the_room_each(make: Make, heads: str) -> None:
    """Both kinds share evenly: the small one, and the fast one, which counts other threads by blocks of the buffer."""
    engine = make(connections=4, buffer=2048, heads=heads)
    first = Reader(engine, 1)
    alone = first.round_trip()
    second = Reader(engine, 2)
    assert second.flight() == 0
    first.round_trip()
    second.round_trip()
    halves = first.round_trip(), second.round_trip()
    assert all(0.4 * alone < half < 0.55 * alone for half in halves)


@pytest.mark.parametrize("heads", ["octets", "code"])
def test_who_comes_last_finds_a_share(make: Make, heads: str) -> None:
    engine = make(connections=4, buffer=2048, heads=heads)
    readers = [Reader(engine, number) for number in range(4)]
    for _ in range(3):
        flights = [reader.round_trip() for reader in readers]
    assert min(flights) > 0.6 * max(flights), flights


def test_a_thread_whose_client_is_silent_holds_no_more_than_its_share(make: Make) -> None:
    engine = make(connections=4, buffer=2048)
    silent, other = Reader(engine, 1), Reader(engine, 2, 3000)
    silent.round_trip()
    while b"\r\n0\r\n\r\n" not in other.stream:
        assert other.round_trip() > 0
    assert engine.now_ms < 1500


def test_a_thread_that_is_alone_again_gets_all_of_the_room(make: Make) -> None:
    engine = make(connections=4, buffer=2048)
    first = Reader(engine, 1)
    alone = first.round_trip()
    second = Reader(engine, 2)
    first.round_trip()
    second.round_trip()
    assert second.round_trip() < 0.65 * alone
    first.peer.send("RA", seq=first.next, ack=first.got)
    assert second.round_trip() > 0.98 * alone


def test_a_request_waits_its_turn_as_long_as_others_move(make: Make) -> None:
    """The room holds one stream at a time. Each takes less than a request may wait; all together take longer."""
    engine = make(connections=4, buffer=512)
    readers = [Reader(engine, 1 + number, 2000) for number in range(4)]
    begun: list[Reader] = []
    while engine.now_ms < TIMEOUT_MS * 5 // 2:
        for reader in readers:
            if reader.round_trip() and reader not in begun:
                begun.append(reader)
        engine.advance(500)
    assert begun == readers and all(b"HTTP/1.1 200" in reader.stream for reader in readers)
    assert engine.counters["count_refused"] == 0


@pytest.mark.parametrize("moves", [False, True])
def test_a_request_is_refused_when_nothing_moves_or_after_four_turns(make: Make, moves: bool) -> None:
    """A reader that takes nothing, or an octet now and then, keeps others waiting no longer than that."""
    engine = make(connections=4, buffer=512)
    first, second = Reader(engine, 1), Reader(engine, 2)
    first.round_trip()
    first.acknowledge(wnd=1 if moves else 0)
    asked_ms = engine.now_ms
    while not second.flight():
        engine.advance(1000)
        if first.flight() and moves:
            first.acknowledge(wnd=1)
    assert second.stream.startswith(b"HTTP/1.1 503")
    waited = engine.now_ms - asked_ms
    assert abs(waited - TIMEOUT_MS * (TURNS if moves else 1)) <= 1500


@pytest.mark.parametrize(("loss", "most_s"), [(0.05, 3), (0.2, 15)])
def test_three_clients_on_a_bad_wire(make: Make, loss: float, most_s: int) -> None:
    """Each gets its stream, in the time that three round the same buffer may take."""
    engine = make(connections=4, buffer=1024)
    net = Net(engine, up=Impairment(delay_us=MS // 2, loss=loss), seed=1)
    clients = [net.host(f"10.0.0.{2 + number}").client(LINUX) for number in range(3)]
    run = 0
    for _ in range(5):
        for client in clients:
            client.ask("/thread_persistent?len=8000")
        begun_us = net.loop.now_us
        net.run(*clients)
        run += 3
        bodies = [client.responses[-1].body.partition(b":")[2] for client in clients]
        assert bodies == [text(8000)] * 3
        assert net.loop.now_us - begun_us <= most_s * SECOND
    assert engine.counters["count_requests"] == run
