# SPDX-License-Identifier: MIT
"""A driver that keeps segments has them acknowledged: segments in order at once, one behind a gap by a SACK block."""

from tests.harness import engine_of, on_target
from tests.support import get
from whit.wire.packet import SACK_PERMITTED, Segment
from whit_testbed.engine import Engine
from whit_testbed.scoreboard import blocks
from whit_testbed.trace import Peer

LARGE = get("/n57254.bin")
WINDOW = 5840  # octets, as it is announced
PART = 100  # octets of a segment


# A buffer of 64 octets keeps no input.
engine = engine_of("application", start=on_target, connections=1, buffer=64, keeps_frames=True)


def shake_hands(peer: Peer, options: bytes) -> None:
    peer.send("S", mss=1460, options=options)
    peer.expect("SA", ack=1, length=0)
    peer.send("A", seq=1, ack=1)
    peer.expect_nothing()


def opened(engine: Engine, options: bytes = SACK_PERMITTED) -> Peer:
    """A peer that has got a part of an answer."""
    peer = Peer(engine)
    shake_hands(peer, options)
    peer.send("PA", seq=1, ack=1, payload=LARGE)
    peer.take_all()
    return peer


def send(peer: Peer, number: int) -> list[Segment]:
    """Sends a segment behind the request, and returns the engine's answer."""
    peer.send("PA", seq=1 + len(LARGE) + number * PART, ack=1, payload=(LARGE * 40)[number * PART :][:PART])
    return peer.take_all()


def told(peer: Peer, segment: Segment) -> tuple[int, list[tuple[float, float]], int]:
    """Segments of PART octets that it acknowledges, blocks, and the right edge of the window."""
    begin = (peer.iss + 1 + len(LARGE)) & 0xFFFFFFFF
    found = [((low - begin) / PART, (high - begin) / PART) for low, high in blocks(segment.options)]
    behind = segment.ack - 1 - len(LARGE)
    return behind // PART, found, behind + segment.wnd


def test_in_order(engine: Engine) -> None:
    """The window's right edge stays in place, and moves as the engine reads octets."""
    peer = opened(engine)
    for number in range(3):
        assert told(peer, send(peer, number)[-1]) == (number + 1, [], WINDOW)


def test_behind_a_gap(engine: Engine) -> None:
    peer = opened(engine)
    assert told(peer, send(peer, 0)[-1])[:2] == (1, [])
    for number in (2, 3, 5):
        (segment,) = send(peer, number)
        assert told(peer, segment) == (1, [(number, number + 1)], WINDOW)
    assert told(peer, send(peer, 1)[-1])[:2] == (4, [])
    assert told(peer, send(peer, 4)[-1])[:2] == (6, [])


def test_a_peer_that_permits_no_blocks_gets_none(engine: Engine) -> None:
    """RFC 2018 section 2. A later connection of its port may permit them."""
    peer = opened(engine, options=b"")
    (segment,) = send(peer, 1)
    assert told(peer, segment)[:2] == (0, [])
    peer.send("R", seq=1 + len(LARGE))
    peer = opened(engine)
    (segment,) = send(peer, 1)
    assert told(peer, segment)[:2] == (0, [(1, 2)])


def test_on_an_idle_connection(engine: Engine) -> None:
    peer = Peer(engine)
    shake_hands(peer, SACK_PERMITTED)
    peer.send("PA", seq=1 + PART, ack=1, payload=LARGE)
    (segment,) = peer.take_all()
    assert segment.ack == 1
    begin = peer.iss + 1 + PART
    assert list(blocks(segment.options)) == [(begin, begin + len(LARGE))]
