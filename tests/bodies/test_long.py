# SPDX-License-Identifier: MIT
"""Forms that are longer than the window, in buffers that are smaller: their senders are not left to their timers."""

import pytest

from tests.bodies.support import FORM, posted
from tests.harness import Make
from tests.support import parsed
from whit_testbed.engine import Engine
from whit_testbed.trace import Peer

BODY = b"octet=7&x=" + b"y" * 9000
MSS = 1460


def useful(window: int) -> int:
    """Returns the octets of a window that a peer uses at once: half of the largest announced (RFC 9293 section
    3.8.6.2.1). Linux uses all of one up to 536."""
    return window // 2 if window > 536 else window


def told_windows(engine: Engine, window: int, octets: bytes) -> tuple[list[int], int]:
    """Returns the windows that the engine announces while it reads octets, and how often a segment was sent. Each
    flight fills the window; segments that were not accepted are retransmitted after three duplicates."""
    peer = Peer(engine)
    peer.handshake()
    at, told, sent = 0, [], 0
    while at < len(octets):
        flight = octets[at : at + window]
        for begin in range(0, len(flight), MSS):
            peer.send("PA", seq=1 + at + begin, ack=1, payload=flight[begin : begin + MSS])
            sent += 1
        answers = peer.take_all(within=20)
        told += [answer.wnd for answer in answers if not answer.payload]
        stream = b"".join(answer.payload for answer in answers)
        if stream:
            assert parsed(stream).status == 200
            break
        before, at = at, answers[-1].ack - 1
        assert at > before or answers[-1].wnd == 0
        window = answers[-1].wnd
    return told, sent


@pytest.mark.parametrize("window", [536, 1460, 5840])
@pytest.mark.parametrize("buffer", [1280, 3072])
def test_windows_are_of_use(make: Make, buffer: int, window: int) -> None:
    """The engine may take less than it announces, and asks for the rest at once."""
    told, _ = told_windows(make(buffer=buffer, receive_window=window), window, posted("/form", BODY, FORM))
    assert told
    assert min(told) >= useful(window)


def test_another_body_beside_it(make: Make) -> None:
    """Another body uses part of the room for a time; a peer with a smaller window then gets all of it back."""
    engine = make(buffer=1280, receive_window=1460)
    other = Peer(engine, port=40001)
    other.handshake()
    half = posted("/form", BODY, FORM)
    other.send("PA", seq=1, ack=1, payload=half[:300])
    other.take_all()
    told, _ = told_windows(engine, 1460, posted("/form", BODY, FORM))
    assert min(told) >= useful(1460)


@pytest.mark.parametrize("pause_ms", [1000, 1900])
def test_a_trickle_ends(make: Make, pause_ms: int) -> None:
    """A body has fifteen seconds, and 16 ms for each octet. A trickling client does not keep its slot."""
    engine = make()
    peer = Peer(engine)
    peer.handshake()
    octets = posted("/form", BODY, FORM)
    at = len(octets) - 1000
    for begin in range(0, at, 500):
        peer.send("PA", seq=1 + begin, ack=1, payload=octets[begin : min(at, begin + 500)])
        peer.take_all()
    waited = 0
    while waited < 20_000:
        peer.send("PA", seq=1 + at, ack=1, payload=octets[at : at + 1])
        at += 1
        answers = [answer for answer in peer.take_all(within=pause_ms) if answer.payload]
        waited += pause_ms
        if answers:
            break
    assert answers[0].payload.startswith(b"HTTP/1.1 408")
    assert 14_000 <= waited <= 17_000


def test_a_trickle_gives_way(make: Make) -> None:
    """A trickling client loses its slot to a newcomer that finds none."""
    engine = make(connections=1)
    peer, newcomer = Peer(engine), Peer(engine, port=40001)
    peer.handshake()
    octets = posted("/form", BODY, FORM)
    for at in range(400):
        peer.send("PA", seq=1 + at, ack=1, payload=octets[at : at + 1])
        peer.take_all()
    for at in range(400, 403):
        peer.take_all(within=900)
        peer.send("PA", seq=1 + at, ack=1, payload=octets[at : at + 1])
    newcomer.handshake()
    page = b"GET /page.txt HTTP/1.1\r\nHost: a\r\n\r\n"
    newcomer.send("PA", seq=1, ack=1, payload=page)
    assert any(answer.payload.startswith(b"HTTP/1.1 200") for answer in newcomer.take_all(within=100))
