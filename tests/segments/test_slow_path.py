# SPDX-License-Identifier: MIT
"""Lines with segments or round trips longer than the first RTO: only lost segments are retransmitted."""

import pytest

from tests.harness import Make
from tests.support import BIG, MADE_FILES, get
from whit.wire.units import MS
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment
from whit_testbed.net import Net
from whit_testbed.trace import Peer

BODY = MADE_FILES["n4000.bin"]
RECOVERIES = pytest.mark.parametrize("recovery", ["full", "small"])
HEADERS_MOST = 1.15  # octets on the line, for each of content: heads, headers, SLIP, acknowledgments of requests


@RECOVERIES
@pytest.mark.parametrize("connections", [1, 3])
@pytest.mark.parametrize("baud", [2400, 9600, 115_200])
def test_a_serial_line_carries_each_octet_once(make_engine: Make, baud: int, connections: int, recovery: str) -> None:
    """The line's rate is known when the image is built. Frames waiting at the driver are read before more is sent."""
    net = Net(
        make_engine(link="slip", recovery=recovery, link__baud=baud), up=Impairment(delay_us=5 * MS, rate=baud // 10)
    )
    clients = [net.host().client() for _ in range(connections)]
    for _ in range(3):
        before = net.down.octet_cnt
        for client in clients:
            client.ask("/n4000.bin")
        net.run(*clients)
        assert net.down.octet_cnt - before < HEADERS_MOST * len(BODY) * connections
    assert all(response.body == BODY for client in clients for response in client.responses)


@RECOVERIES
@pytest.mark.parametrize("rtt_ms", [1300, 1500, 2200, 2600])
def test_a_long_round_trip_is_learned(make_engine: Make, rtt_ms: int, recovery: str) -> None:
    """The first RTO, a second, is too short: a timeout retransmits a segment, and its acknowledgment nothing more. The
    doubled RTO stays until a round trip is measured."""
    net = Net(make_engine(recovery=recovery), up=Impairment(delay_us=rtt_ms * MS // 2))
    client = net.host().client()
    for number in range(3):
        before, begun_us = net.down.octet_cnt, net.loop.now_us
        assert net.get(client, "/n57254.bin").body == BIG
        assert net.loop.now_us - begun_us < (24 if recovery == "small" else 4 if number else 11) * rtt_ms * MS
        assert net.down.octet_cnt - before < (1.06 if number else 1.2) * len(BIG)


TRIP, KEPT = 1240, 2000  # ms: a round trip beyond the first RTO, and what is kept of that RTO once it has doubled
GRAIN = 8  # ms: two ticks


class _Host(Peer):
    """A host with an unmeasured round trip: the first response was sent twice. The first copy is acknowledged."""

    def __init__(self, engine: Engine, trip: int = TRIP) -> None:
        super().__init__(engine)
        self.handshake()
        self.at = self.position = 1
        self.ask("/n33.bin")
        (length,) = self.flight()
        self.wait(trip)
        self.queue.clear()
        self.acknowledge(length)
        self.expect_nothing()

    def ask(self, target: str) -> None:
        octets = get(target)
        self.send("PA", seq=self.at, ack=self.position, payload=octets)
        self.at += len(octets)

    def flight(self) -> list[int]:
        """Octets of the segments that are sent now."""
        lengths: list[int] = []
        while self.queue:
            segment = self.expect("A", seq=self.position + sum(lengths), ack=self.at)
            lengths.append(len(segment.payload))
        return lengths

    def sent_again_after(self, within: int = 60_000) -> int:
        """Time until the first segment that is not acknowledged is sent once more."""
        begun = self.engine.now_ms
        assert self.next_segment(within=within).payload
        return self.engine.now_ms - begun

    def acknowledge(self, octets: int) -> None:
        self.position += octets
        self.send("A", seq=self.at, ack=self.position)


def test_what_was_lost_with_a_segment_is_sent_when_its_copy_arrives(engine: Engine) -> None:
    """A whole flight is lost each time, so no round trip is measured. The copy is acknowledged after a round trip, and
    the rest is sent at once. The RTO that is kept grows by a sixteenth, and does not double each time."""
    host = _Host(engine)
    for number in range(5):
        host.ask("/n4000.bin")
        lengths = host.flight()
        assert len(lengths) == 3
        assert host.sent_again_after() == pytest.approx(KEPT * (17 / 16) ** number, abs=GRAIN + 4 * number)
        host.wait(TRIP)
        host.acknowledge(lengths[0])
        assert host.flight() == lengths[1:]
        host.wait(TRIP)
        host.acknowledge(sum(lengths[1:]))
        host.expect_nothing()


@pytest.mark.parametrize(("trip", "kept"), [(1240, 2000), (2900, 2900), (6500, 6500)])
def test_what_is_kept_of_an_rto_is_no_shorter_than_the_round_trip(engine: Engine, trip: int, kept: int) -> None:
    """A backed-off RTO (RFC 6298 section 5), or the time since the first copy was sent, if that is longer."""
    host = _Host(engine, trip)
    host.ask("/n4000.bin")
    assert len(host.flight()) == 3
    assert host.sent_again_after() == pytest.approx(kept, abs=GRAIN)


def test_a_path_that_becomes_slower_is_learned_again(engine: Engine) -> None:
    """No segment is lost, but a round trip exceeds the kept RTO, until the RTO has grown."""
    host, trip, again = _Host(engine), 3500, []
    for _ in range(10):
        host.ask("/n4000.bin")
        lengths = host.flight()
        assert len(lengths) == 3
        host.wait(trip)
        again.append(len(host.queue))
        host.queue.clear()
        host.acknowledge(sum(lengths))
        host.expect_nothing()
    assert again[0] == 1
    assert again[7:] == [0, 0, 0]


def test_a_first_acknowledgment_that_is_late_sends_nothing_more(engine: Engine) -> None:
    """The host is unknown: the acknowledgment counts for the first copy, and the others are still in flight."""
    host = Peer(engine)
    host.handshake()
    octets = get("/n4000.bin")
    host.send("PA", seq=1, ack=1, payload=octets)
    first = len(host.next_segment().payload)
    host.queue.clear()
    host.wait(TRIP)
    assert len(host.queue) == 1
    host.queue.clear()
    host.send("A", seq=1 + len(octets), ack=1 + first)
    host.expect_nothing()
