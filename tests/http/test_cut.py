# SPDX-License-Identifier: MIT
"""However a request is cut, the answer is the same, octet for octet."""

import pytest

from tests.harness import Make
from whit.wire.http import request
from whit.wire.packet import Flags
from whit_testbed.engine import Engine
from whit_testbed.trace import Peer

REQUESTS = {
    "plain": request("/n752.bin", "Accept: */*", "Connection: keep-alive"),
    "coded": request("/prose.txt", "Accept-Encoding: deflate;q=0.1, gzip;q=0.8 , x", "Connection: close"),
    "absolute": request(
        "http://whit:80/%70age.html?a=%20&b", 'If-None-Match: "x", W/"00000000"', "Content-Length: 000"
    ),
    "typed": request("/typed?octet=200&number=-300&text=a+%62c&flag=1"),
    "head": request("/n33.bin", method="HEAD"),
    "refused": request("/n33.bin", "X: 1", "Na me: x", "Y: 2"),
    "absolute, secure": request("hTTps://[fe80::1]:443/n33.bin?a=https://b"),
    "missing": request("/n33.binx"),
    "empty line": b"\r\n" + request("/n1.bin"),
    "argument": request("/typed?octet=256&number=0&text="),
    "body": request("/n1.bin", "Content-Length: 7", body=b"GET / H"),
}


def answer(engine: Engine, pieces: list[bytes], *, split: int | None = None, port: int = 40000) -> bytes:
    """Sends each piece as a segment, retransmits as needed, and returns the whole response."""
    peer = Peer(engine, port=port)
    peer.handshake()
    octets = b"".join(pieces)
    stream, at, acked, fin = bytearray(), 1, 1, False

    def take() -> bool:
        nonlocal acked, fin
        before = len(stream)
        for segment in peer.take_all():
            acked = max(acked, segment.ack)
            if segment.seq == 1 + len(stream):
                stream.extend(segment.payload)
                fin = fin or bool(segment.flags & Flags.F)
        return len(stream) > before

    for piece in pieces:
        peer.split = split
        peer.send("PA", seq=at, ack=1, payload=piece)
        peer.split = None
        at += len(piece)
        take()
    for _ in range(1000):
        if acked < at and not fin:
            peer.send("PA", seq=acked, ack=1 + len(stream) + fin, payload=octets[acked - 1 :])
        else:
            peer.send("A", seq=at, ack=1 + len(stream) + fin)
        if not take() and acked == at:
            break
    peer.send("R", seq=at)
    return bytes(stream)


@pytest.mark.parametrize("name", REQUESTS)
@pytest.mark.parametrize("link", ["ethernet", "slip"])
def test_cut_at_every_octet(make_engine: Make, name: str, link: str) -> None:
    octets = REQUESTS[name]
    engine = make_engine(link=link)
    whole = answer(engine, [octets])
    assert whole.startswith(b"HTTP/1.1 ")
    for cut in range(1, len(octets)):
        got = answer(engine, [octets[:cut], octets[cut:]], port=40000 + cut)
        assert got == whole, cut


@pytest.mark.parametrize("name", REQUESTS)
def test_one_octet_a_segment(make_engine: Make, name: str) -> None:
    octets = REQUESTS[name]
    engine = make_engine()
    assert answer(engine, [octets[i : i + 1] for i in range(len(octets))]) == answer(engine, [octets], port=40001)


@pytest.mark.parametrize("name", REQUESTS)
@pytest.mark.parametrize("link", ["ethernet", "slip"])
@pytest.mark.parametrize("split", [1, 2, 7])
def test_frame_in_pieces(make_engine: Make, name: str, link: str, split: int) -> None:
    """The driver gives the frame in pieces, each of which ends at a page that cannot be read."""
    octets = REQUESTS[name]
    engine = make_engine(link=link)
    assert answer(engine, [octets], split=split) == answer(engine, [octets], port=40001)


def test_two_requests_cut_at_every_octet(make_engine: Make) -> None:
    octets = request("/n33.bin") + request("/typed?octet=1&number=2&text=three")
    engine = make_engine()
    whole = answer(engine, [octets])
    assert whole.count(b"HTTP/1.1 200 ") == 2
    for cut in range(1, len(octets)):
        assert answer(engine, [octets[:cut], octets[cut:]], port=40000 + cut) == whole, cut
