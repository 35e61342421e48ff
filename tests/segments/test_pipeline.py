# SPDX-License-Identifier: MIT
"""Pipelined requests of which the shared buffer stores a part: no octet is lost, none is read twice."""

import pytest

from tests.harness import Make
from tests.support import MADE_FILES, get, parsed
from whit.wire.packet import Flags
from whit_testbed.trace import Peer

NAMES = ["n33.bin", "n31.bin", "n1.bin", "n752.bin", "n32.bin", "n0.bin"] * 4


def answers(peer: Peer, octets: bytes, segment_len: int) -> bytes:
    """Sends octets from the last acknowledged one on, as a sender with a timer does, and takes the stream."""
    stream, acked = bytearray(), 0
    for _ in range(600):
        for segment in peer.take_all():
            acked = max(acked, segment.ack - 1)
            if segment.seq <= 1 + len(stream) < segment.seq + len(segment.payload):
                stream += segment.payload[1 + len(stream) - segment.seq :]
            assert not segment.flags & Flags.R
        if acked >= len(octets):
            peer.send("A", seq=1 + acked, ack=1 + len(stream))
            if not peer.queue:
                return bytes(stream)
        else:
            peer.send("PA", seq=1 + acked, ack=1 + len(stream), payload=octets[acked : acked + segment_len])
            if not peer.queue:
                peer.wait(20)
    raise peer.error(f"{acked} of {len(octets)} octets were taken")


@pytest.mark.parametrize("segment_len", [97, 200, 333, 512, 1460])
@pytest.mark.parametrize("buffer", [256, 300])
def test_partly_stored_pipelined_requests(make_engine: Make, buffer: int, segment_len: int) -> None:
    engine = make_engine(buffer=buffer)
    octets = b"".join(get("/" + name) for name in NAMES)
    peer = Peer(engine)
    peer.handshake()
    stream = answers(peer, octets, segment_len)
    for name in NAMES:
        response = parsed(stream)
        assert (response.status, response.body) == (200, MADE_FILES[name])
        stream = stream[len(response.raw) :]
    assert stream == b""
    assert engine.counters["count_requests"] == len(NAMES)


def test_pipelined_requests_run_a_persistent_generator_once_each(make_engine: Make) -> None:
    engine = make_engine(buffer=300)
    peer = Peer(engine)
    peer.handshake()
    stream = answers(peer, get("/count") * 9, 250)
    numbers = []
    while stream:
        response = parsed(stream)
        numbers.append(int(response.body.split()[1]))
        stream = stream[len(response.raw) :]
    assert numbers == list(range(numbers[0], numbers[0] + 9))
    assert engine.persistent_writes == 9
