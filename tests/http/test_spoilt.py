# SPDX-License-Identifier: MIT
"""Invariant 1: a segment with a wrong checksum has no effect on a request, whichever field it contains."""

import pytest

from tests.support import MADE_FILES, get, parsed
from whit.wire.packet import Flags
from whit_testbed.engine import Engine
from whit_testbed.trace import Peer

HEAD = b"GET /n33.bin HTTP/1.1\r\nHost: w\r\n"
LINES = [
    b"Content-Length: 5\r\n",
    b"Content-Length: 99999999\r\n",
    b"Transfer-Encoding: chunked\r\n",
    b"Connection: close\r\n",
    b'If-Match: "00000000"\r\n',
    b"If-None-Match: *\r\n",
    b"Accept-Encoding: gzip\r\n",
    b"Host: two\r\n",
    b"bad line\r\n",
    b"Content-Length: 5\r\n\r\n",
    b"\r\n",
]


def spoil(peer: Peer, *, seq: int, payload: bytes) -> None:
    """The segment with one bit of its checksum wrong."""
    right = peer.make("PA", seq=seq, ack=1, payload=payload)
    packed = bytearray(right.pack(peer.address, peer.server))
    packed[16] ^= 0x40
    peer.ipv4(6, bytes(packed))
    peer.expect_nothing()


@pytest.mark.parametrize("line", LINES)
def test_a_spoilt_field_line_followed_by_none(engine: Engine, line: bytes) -> None:
    """The corrupted segment contains a field line; its retransmission contains none."""
    peer = Peer(engine)
    peer.handshake()
    peer.send("PA", seq=1, ack=1, payload=HEAD)
    at = 1 + len(HEAD)
    peer.expect("A", ack=at)
    spoil(peer, seq=at, payload=line)
    peer.send("PA", seq=at, ack=1, payload=b"\r\n")
    answer = peer.expect("A", seq=1, ack=at + 2)
    response = parsed(answer.payload)
    assert (response.status, response.body) == (200, MADE_FILES["n33.bin"])
    assert response.field("content-encoding") is None
    assert not answer.flags & Flags.F
    end = 1 + len(answer.payload)
    octets = get("/n31.bin")
    peer.send("PA", seq=at + 2, ack=end, payload=octets)
    assert parsed(peer.expect("A", seq=end, ack=at + 2 + len(octets)).payload).body == MADE_FILES["n31.bin"]


@pytest.mark.parametrize("cut", [1, 4, 9, 20, len(HEAD) - 3])
def test_a_spoilt_part_of_another_request(engine: Engine, cut: int) -> None:
    """A corrupted segment has another request at the same place; then the true one arrives."""
    peer = Peer(engine)
    peer.handshake()
    true, other = HEAD + b"\r\n", b"POST /clock HTTP/1.0\r\nContent-Length: 7\r\n\r\n"
    peer.send("PA", seq=1, ack=1, payload=true[:cut])
    peer.expect("A", ack=1 + cut)
    spoil(peer, seq=1 + cut, payload=other)
    peer.send("PA", seq=1 + cut, ack=1, payload=true[cut:])
    assert parsed(peer.expect("A", seq=1).payload).body == MADE_FILES["n33.bin"]
