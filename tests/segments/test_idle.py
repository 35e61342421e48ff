# SPDX-License-Identifier: MIT
"""Idle and closing connections: recognised by exact numbers, forgotten when they are active, answered once more."""

import pytest

from tests.harness import Make
from tests.segments.test_connections import REQUEST, use
from tests.support import get, parsed
from whit_testbed.engine import Engine
from whit_testbed.trace import Peer

SHIFTS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1), (1, 1), (2, 0), (0, 2), (1000, 0), (0, -1000), (65536, 0)]


@pytest.mark.parametrize("shift", SHIFTS)
@pytest.mark.parametrize("idle", [4, 65])
def test_request_with_shifted_numbers_is_not_taken(make_engine: Make, shift: tuple[int, int], idle: int) -> None:
    """A tag identifies both numbers exactly: a request with other numbers is never read, even if the errors
    cancel out."""
    engine = make_engine(idle=idle)
    peer = Peer(engine)
    peer.handshake()
    at, position = use(peer, 1, 1)
    answered = engine.counters["count_requests"]
    peer.send("PA", seq=at + shift[0], ack=position + shift[1], payload=REQUEST)
    assert all(not segment.payload for segment in peer.take_all(within=100))
    assert engine.counters["count_requests"] == answered
    use(peer, at, position)


def test_tag_is_free_while_its_connection_is_active(make_engine: Make) -> None:
    """One idle place serves two connections that take turns: none is evicted."""
    engine = make_engine(connections=2, idle=1)
    first, second = Peer(engine, port=30_001), Peer(engine, port=30_002)
    first.handshake()
    at, position = use(first, 1, 1)  # idle
    octets = get("/n4000.bin")
    first.send("PA", seq=at, ack=position, payload=octets)  # active again: its place is free
    flight = first.take_all()
    second.handshake()
    use(second, 1, 1)  # idle in that place
    assert engine.counters["count_tag_evicted"] == 0
    end = flight[-1].seq + len(flight[-1].payload)
    first.send("A", seq=at + len(octets), ack=end)
    first.expect_nothing()
    assert engine.counters["count_tag_evicted"] == 1  # now both are idle


@pytest.mark.parametrize("payload", [b"", b"\0"], ids=["no octet", "one octet"])
def test_keep_alive_probe_before_the_first_request(engine: Engine, payload: bytes) -> None:
    """RFC 9293 section 3.8.4: the probe repeats the octet before SND.NXT, here the SYN."""
    peer = Peer(engine)
    peer.handshake()
    for _ in range(3):
        peer.send("A", seq=0, ack=1, payload=payload)
        peer.expect("A", seq=1, ack=1, length=0)
        peer.wait(10_000)
    use(peer, 1, 1)


@pytest.mark.parametrize("payload", [b"", b"\0"], ids=["no octet", "one octet"])
def test_keep_alive_probe_of_an_idle_connection(engine: Engine, payload: bytes) -> None:
    peer = Peer(engine)
    peer.handshake()
    at, position = use(peer, 1, 1)
    for _ in range(3):
        peer.send("A", seq=at - 1, ack=position, payload=payload)
        peer.expect("A", seq=position, ack=at, length=0)
        peer.wait(20_000)
    use(peer, at, position)


@pytest.mark.parametrize("connections", [1, 2])
def test_fin_that_comes_again_after_its_slot_is_free(make_engine: Make, connections: int) -> None:
    """The peer's FIN came with its request; the acknowledgment of our FIN frees the slot."""
    engine = make_engine(connections=connections)
    peer = Peer(engine)
    peer.handshake()
    at = 1 + len(REQUEST)
    peer.send("FPA", seq=1, ack=1, payload=REQUEST)
    answer = peer.expect("FA", seq=1, ack=at + 1)
    end = 2 + len(answer.payload)
    assert parsed(answer.payload).status == 200
    peer.send("A", seq=at + 1, ack=end)
    peer.expect_nothing()
    peer.send("FA", seq=at, ack=end)  # our acknowledgment of it was lost
    peer.expect("A", seq=end, ack=at + 1, length=0)
    other = Peer(engine, port=30_999)
    other.handshake()
    use(other, 1, 1)


def test_fin_that_comes_again_while_another_has_the_slot(make_engine: Make) -> None:
    engine = make_engine(connections=1)
    peer = Peer(engine)
    peer.handshake()
    at = 1 + len(REQUEST)
    peer.send("FPA", seq=1, ack=1, payload=REQUEST)
    end = 2 + len(peer.expect("FA", seq=1, ack=at + 1).payload)
    peer.send("A", seq=at + 1, ack=end)
    other = Peer(engine, port=30_999)
    other.handshake()
    other.send("PA", seq=1, ack=1, payload=get("/n4000.bin"))
    assert other.take_all()
    peer.send("FA", seq=at, ack=end)
    peer.expect("A", seq=end, ack=at + 1, length=0)
