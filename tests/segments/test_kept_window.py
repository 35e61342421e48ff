# SPDX-License-Identifier: MIT
"""A host's next response begins with the window of its last ones, with `link.keep_window = true` (RFC 5681 section 4.1,
RFC 7661, RFC 9040)."""

import pytest

from tests.harness import Make, engine_of, on_target
from tests.support import BIG, get, parsed
from whit.wire.packet import Segment
from whit_testbed.engine import Engine
from whit_testbed.trace import Peer

REQUEST, SMALL = get("/n57254.bin"), get("/n33.bin")
WHOLE, INITIAL = 40, 10  # segments of the file with its head; of a new connection: RFC 6928
RTO_MS = 250  # after round trips of two ticks: 200 ms, three round trips, and the grain


class Asker:
    """A client that keeps its connection, and acknowledges every second segment."""

    def __init__(self, engine: Engine, port: int = 40000, address: str = "10.0.0.2", mss: int = 1460) -> None:
        self.peer = Peer(engine, port=port, address=address)
        self.peer.handshake(mss=mss)
        self.at = self.position = 1
        self.stream = bytearray()

    def ask(self, octets: bytes = REQUEST) -> list[Segment]:
        """Sends a request, and returns the segments that the engine sends at once."""
        self.peer.send("PA", seq=self.at, ack=self.position, payload=octets)
        self.at += len(octets)
        self.stream.clear()
        return self.peer.take_all()

    def acknowledge(self, segments: list[Segment]) -> list[Segment]:
        """Acknowledges the segments, and returns the next ones that the engine sends."""
        self.peer.wait(8)
        for number, segment in enumerate(segments, 1):
            self.stream += segment.payload[self.position - segment.seq :]
            self.position = segment.seq + len(segment.payload)
            if number % 2 == 0 or number == len(segments):
                self.peer.send("A", seq=self.at, ack=self.position)
        return self.peer.take_all()

    def flights(self, octets: bytes = REQUEST) -> list[int]:
        """Asks, and receives the response: segments of each flight."""
        return self.rest(self.ask(octets))

    def rest(self, segments: list[Segment]) -> list[int]:
        flights = []
        while segments:
            flights.append(len(segments))
            segments = self.acknowledge(segments)
        assert parsed(bytes(self.stream)).status == 200
        return flights


def grown(client: Asker) -> Asker:
    """Asks until the whole response leaves at once."""
    while client.flights() != [WHOLE]:
        pass
    return client


keeping = engine_of("application", start=on_target, link__keep_window=True)


def test_next_response_leaves_at_once(keeping: Engine) -> None:
    """The next response starts with the window that the last one reached."""
    client = Asker(keeping)
    assert client.flights() == [INITIAL, 2 * INITIAL, WHOLE - 3 * INITIAL]
    at_once = [client.flights()[0] for _ in range(4)]
    assert at_once == sorted(at_once) and at_once[0] > 2 * INITIAL and at_once[-1] == WHOLE
    assert parsed(bytes(client.stream)).body == BIG


@pytest.mark.parametrize("recovery", ["full", "small"])
def test_devices_begin_anew(make_engine: Make, recovery: str) -> None:
    client = Asker(make_engine(recovery=recovery))
    assert client.flights() == client.flights()


def test_small_recovery_has_no_window_to_keep(make_engine: Make) -> None:
    client = Asker(make_engine(recovery="small", link__keep_window=True))
    assert client.flights() == client.flights()


@pytest.mark.parametrize(("idle_ms", "kept"), [(RTO_MS - 60, True), (RTO_MS, False), (100_000, False)])
def test_window_is_kept_for_an_rto(keeping: Engine, idle_ms: int, kept: bool) -> None:
    client = grown(Asker(keeping))
    client.peer.wait(idle_ms)
    assert len(client.ask()) == (WHOLE if kept else INITIAL)


def test_responses_that_need_no_window_prove_none(keeping: Engine) -> None:
    """Each acknowledgment enlarges the window, but not beyond the octets that were in flight (RFC 7661)."""
    client = Asker(keeping)
    for _ in range(100):
        assert client.flights(SMALL) == [1]
    assert len(client.ask()) <= INITIAL + 2


def test_window_that_was_not_used_for_long_is_forgotten(keeping: Engine) -> None:
    client = grown(Asker(keeping))
    for _ in range(100):
        client.flights(SMALL)
    assert len(client.ask()) <= INITIAL + 2


def lost_first(client: Asker) -> list[Segment]:
    """Loses a response's first segment, which fast retransmit repairs. Returns the segments after all is
    acknowledged.
    """
    sent = client.ask()
    first = sent[0]
    for _ in sent[1:5]:
        client.peer.send("A", seq=client.at, ack=client.position)
    again = client.peer.take_all()
    assert first.seq in [segment.seq for segment in again]
    for segment in sorted({segment.seq: segment for segment in (*sent, *again)}.values(), key=lambda one: one.seq):
        client.stream += segment.payload
        client.position = segment.seq + len(segment.payload)
    client.peer.send("A", seq=client.at, ack=client.position)
    return client.peer.take_all()


def test_loss_leaves_seven_tenths_of_it(keeping: Engine) -> None:
    """RFC 9438 section 4.6; a slot keeps the number rounded down."""
    client = grown(Asker(keeping))
    assert lost_first(client) == []
    assert 0.6 * WHOLE < len(client.ask()) <= 0.7 * WHOLE


def test_after_a_loss_a_round_trip_brings_half_a_segment(keeping: Engine) -> None:
    """RFC 9438 section 4.3."""
    client = Asker(keeping, mss=200)
    flights = client.rest(lost_first(client))[:-1]
    assert len(flights) > 10 and flights[0] >= 0.6 * INITIAL
    assert len(flights) / 4 < flights[-1] - flights[0] < len(flights) * 3 / 4


def test_timeout_ends_it(keeping: Engine) -> None:
    client = grown(Asker(keeping))
    flight = client.ask()
    client.peer.wait(2000)
    client.peer.take_all()
    client.position = flight[-1].seq + len(flight[-1].payload)
    client.peer.send("A", seq=client.at, ack=client.position)
    client.peer.take_all()
    assert len(client.ask()) == INITIAL


def test_connections_of_a_host_share_what_one_had(make_engine: Make) -> None:
    engine = make_engine(link__keep_window=True, connections=3)
    clients = [Asker(engine, port) for port in (40000, 40001, 40002)]
    grown(clients[0])
    flights = [client.ask() for client in clients]
    assert len(flights[0]) == WHOLE  # alone when it began
    assert WHOLE // 2 <= len(flights[1]) <= WHOLE // 2 + 2
    assert WHOLE // 3 <= len(flights[2]) <= WHOLE // 3 + 2
    for client, flight in zip(clients, flights, strict=True):
        client.rest(flight)
        assert parsed(bytes(client.stream)).body == BIG


def test_another_host_begins_as_ever(keeping: Engine) -> None:
    grown(Asker(keeping))
    assert len(Asker(keeping, address="10.0.0.3").ask()) == INITIAL


def test_host_that_loses_its_place_begins_anew(make_engine: Make) -> None:
    engine = make_engine(link__keep_window=True, connections=1)
    client = grown(Asker(engine))
    Asker(engine, address="10.0.0.3").flights(SMALL)
    assert len(client.ask()) == INITIAL


def test_many_slots(make_engine: Make) -> None:
    """The same with the tables of a large build."""
    client = grown(Asker(make_engine(link__keep_window=True, connections=100)))
    assert len(Asker(client.peer.engine, address="10.0.0.3").ask()) == INITIAL
