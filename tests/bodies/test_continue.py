# SPDX-License-Identifier: MIT
"""Expect: 100-continue (RFC 9110 section 10.1.1)."""

import pytest

from tests.bodies.support import FORM, OCTETS, chunked, noise, posted, told
from tests.support import parsed
from whit.wire.http import request
from whit_testbed.engine import Engine
from whit_testbed.trace import Peer

CONTINUE = b"HTTP/1.1 100 \r\n\r\n"
EXPECT = "Expect: 100-continue"
CONTENT = noise(1000)
WHOLE = posted("/upload", CONTENT, OCTETS, EXPECT)
HEAD = WHOLE[: -len(CONTENT)]
SAID = told((b"", b"application/octet-stream", CONTENT))


def invited(engine: Engine) -> Peer:
    """A client that was asked for its body; it has not acknowledged that."""
    peer = Peer(engine)
    peer.handshake()
    peer.send("PA", seq=1, ack=1, payload=HEAD)
    peer.expect("PA", seq=1, ack=1 + len(HEAD), payload=CONTINUE)
    peer.expect_nothing()
    return peer


def upload(peer: Peer, ack: int) -> bytes:
    """Sends the body, and takes the answer behind position `ack`."""
    for at in range(0, len(CONTENT), 200):
        peer.send("PA", seq=1 + len(HEAD) + at, ack=ack, payload=CONTENT[at : at + 200])
    return peer.receive(seq=1 + len(WHOLE), at=1 + len(CONTINUE))


def test_body_comes_when_it_is_asked_for(bodies: Engine) -> None:
    peer = invited(bodies)
    assert parsed(upload(peer, 1 + len(CONTINUE))).body == SAID
    assert bodies.counters["count_requests"] == 1
    assert bodies.counters["count_refused"] == 0
    assert sum(bodies.meter.held) == 0


def test_acknowledged_alone(bodies: Engine) -> None:
    peer = invited(bodies)
    peer.send("A", seq=1 + len(HEAD), ack=1 + len(CONTINUE))
    peer.expect_nothing(5000)
    assert parsed(upload(peer, 1 + len(CONTINUE))).body == SAID


def test_it_comes_again_when_it_was_lost(bodies: Engine) -> None:
    peer = invited(bodies)
    peer.expect("PA", seq=1, payload=CONTINUE, within=1100)
    peer.expect("PA", seq=1, payload=CONTINUE, within=2100)
    assert parsed(upload(peer, 1 + len(CONTINUE))).body == SAID


def test_client_that_does_not_wait_for_it(bodies: Engine) -> None:
    """A client whose 100 (Continue) was lost sends its body anyway. Octets that fit are taken, and the answer follows
    the 100."""
    peer = invited(bodies)
    peer.send("PA", seq=1 + len(HEAD), ack=1, payload=CONTENT[:100])
    assert {segment.ack for segment in peer.take_all()} == {1 + len(HEAD) + 100}
    peer.expect("PA", seq=1, payload=CONTINUE, within=1100)
    assert parsed(upload(peer, 1 + len(CONTINUE))).body == SAID


def test_body_that_comes_with_the_head(bodies: Engine) -> None:
    peer = Peer(bodies)
    peer.handshake()
    octets = posted("/form", b"octet=1", FORM, EXPECT)
    peer.send("PA", seq=1, ack=1, payload=octets)
    assert parsed(peer.receive(seq=1 + len(octets))).body == b"post 1 0 [] run 1"


@pytest.mark.parametrize(
    "octets",
    [
        posted("/form", b"octet=1", FORM, EXPECT)[:-7].replace(b"HTTP/1.1", b"HTTP/1.0"),
        posted("/form", b"", FORM, EXPECT),
    ],
)
def test_nothing_to_wait_for(bodies: Engine, octets: bytes) -> None:
    peer = Peer(bodies)
    peer.handshake()
    peer.send("PA", seq=1, ack=1, payload=octets)
    assert not any(b" 100 " in segment.payload for segment in peer.take_all(500))


@pytest.mark.parametrize(
    ("octets", "status"),
    [
        (posted("/nothing", b"x", EXPECT)[:-1], 404),
        (posted("/page.txt", b"x", EXPECT)[:-1], 405),
        (posted("/form", b"x", EXPECT)[:-1], 415),
        (request("/form", FORM, EXPECT, "Content-Length: 20001", method="POST"), 413),
    ],
)
def test_refusals_come_at_once(bodies: Engine, octets: bytes, status: int) -> None:
    peer = Peer(bodies)
    peer.handshake()
    peer.send("PA", seq=1, ack=1, payload=octets)
    response = parsed(peer.receive(seq=1 + len(octets)))
    assert (response.status, response.field("connection")) == (status, "close")


def test_client_that_goes_away(bodies: Engine) -> None:
    peer = invited(bodies)
    peer.send("FA", seq=1 + len(HEAD), ack=1 + len(CONTINUE))
    assert parsed(peer.receive(seq=2 + len(HEAD), at=1 + len(CONTINUE))).status == 400
    peer = Peer(bodies, port=40001)
    peer.handshake()
    peer.send("PA", seq=1, ack=1, payload=HEAD)
    peer.wait(200_000)  # no peer acknowledges
    assert sum(bodies.meter.held) == 0


def test_chunked_and_pipelined(bodies: Engine) -> None:
    octets = chunked("/upload", CONTENT, OCTETS, EXPECT)
    head = octets.index(b"\r\n\r\n") + 4
    octets += request("/form?octet=4")
    peer = Peer(bodies)
    peer.handshake()
    peer.send("PA", seq=1, ack=1, payload=octets[:head])
    peer.expect("PA", seq=1, payload=CONTINUE)
    at = 1 + len(CONTINUE)
    for begin in range(head, len(octets), 150):
        peer.send("PA", seq=1 + begin, ack=at, payload=octets[begin : begin + 150])
    stream = peer.receive(seq=1 + len(octets), at=at)
    assert SAID in stream
    assert stream.endswith(b"4 0 []")
