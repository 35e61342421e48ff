# SPDX-License-Identifier: MIT
"""Requests with a body, and the expected answers of tests/apps/bodies."""

import random

from tests.support import exchange
from whit.wire.http import Response, request
from whit.wire.packet import Flags
from whit.wire.units import SECOND
from whit_testbed.engine import Engine
from whit_testbed.http import Client
from whit_testbed.link import Deadlock
from whit_testbed.trace import Peer

FORM = "Content-Type: application/x-www-form-urlencoded"
OCTETS = "Content-Type: application/octet-stream"
BOUNDARY = b"-----XyZ"
MULTIPART = f"Content-Type: multipart/form-data; boundary={BOUNDARY.decode()}"

Part = tuple[bytes, bytes | None, bytes]  # file name, media type, octets


def posted(target: str, body: bytes, *fields: str, method: str = "POST") -> bytes:
    return request(target, *fields, f"Content-Length: {len(body)}", method=method, body=body)


def chunked(
    target: str, body: bytes, *fields: str, size: int = 100, extension: bytes = b"", tail: bytes = b""
) -> bytes:
    octets = b"".join(
        b"%x%s\r\n%s\r\n" % (len(body[at : at + size]), extension, body[at : at + size])
        for at in range(0, len(body), size)
    )
    octets += b"0\r\n" + tail + b"\r\n"
    return request(target, *fields, "Transfer-Encoding: chunked", method="POST", body=octets)


def multipart(*parts: Part, boundary: bytes = BOUNDARY) -> bytes:
    octets = b""
    for name, media, content in parts:
        octets += b"--" + boundary + b'\r\nContent-Disposition: form-data; name="f"; filename="' + name + b'"\r\n'
        octets += b"Content-Type: " + media + b"\r\n" if media else b""
        octets += b"\r\n" + content + b"\r\n"
    return octets + b"--" + boundary + b"--\r\n"


def digest(content: bytes) -> int:
    value = 0
    for octet in content:
        value = value * 31 + octet & 0xFFFFFFFF
    return value


def told(*parts: Part) -> bytes:
    """Returns the expected answer of /upload."""
    types = [0 if media == b"application/octet-stream" else 1 for _, media, _ in parts]
    lines = [
        b"%d %d %s %d %d \n" % (number, types[number], name, len(content), digest(content))
        for number, (name, _, content) in enumerate(parts)
    ]
    return b"%d\n" % types[-1] + b"".join(lines)


def ask(engine: Engine, octets: bytes, *, for_s: float = 300) -> Response:
    """Returns the one response to a request, and frees the memory kept for it."""
    client = exchange(engine, octets, "POST", for_s=for_s)
    client.connection.loop.run(for_us=SECOND)
    response = client.responses[0]
    assert sum(engine.meter.held) == 0
    return response


def body_of(engine: Engine, octets: bytes) -> bytes:
    response = ask(engine, octets)
    assert response.status == 200, response
    return response.body


def finished(client: Client, for_s: float = 600) -> None:
    """Lets time pass until the client has its responses."""
    client.connection.loop.run(lambda: not client.waiting or client.ended, for_us=int(for_s * SECOND))


def pieces(engine: Engine, octets: bytes, cuts: list[int], *, port: int = 40000, split: int | None = None) -> bytes:
    """Sends octets in segments that end at the cuts, retransmits as needed, and returns the whole stream."""
    peer = Peer(engine, port=port)
    peer.handshake()
    peer.split = split
    stream, at, acked, fin = bytearray(), 0, 0, False
    bounds = [*cuts, len(octets)]
    for _ in range(10 * len(octets) + 200):
        for segment in peer.take_all():
            acked = max(acked, segment.ack - 1)
            if segment.seq == 1 + len(stream):
                stream += segment.payload
                fin = fin or bool(segment.flags & Flags.F)
        if acked >= len(octets) or fin:
            peer.send("A", seq=1 + acked, ack=1 + len(stream) + fin)
            if not peer.queue:
                break
            continue
        at = acked
        end = next(bound for bound in bounds if bound > at)
        peer.send("PA", seq=1 + at, ack=1 + len(stream), payload=octets[at:end])
        if not peer.queue:
            peer.wait(50)
    else:
        raise Deadlock(f"{acked} of {len(octets)} octets were taken")
    peer.send("R", seq=1 + acked)
    assert sum(engine.meter.held) == 0
    return bytes(stream)


def noise(length: int, seed: int = 0) -> bytes:
    """Octets that often look like the beginning of a delimiter."""
    rng = random.Random(seed * 100_000 + length)
    likely = [b"\r", b"\n", b"\r\n", b"\r\n-", b"\r\n--", b"\r\n--" + BOUNDARY[:5], b"-", b"--" + BOUNDARY, b"\0", b"x"]
    octets = b""
    while len(octets) < length:
        octets += rng.choice(likely) if rng.random() < 0.6 else rng.randbytes(rng.randrange(20))
    return octets[:length].replace(b"\r\n--" + BOUNDARY, b"\r\n--" + BOUNDARY[:-1] + b"!")
