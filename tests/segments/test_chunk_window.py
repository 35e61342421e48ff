# SPDX-License-Identifier: MIT
"""Invariant 6 at its limit: a window of exactly one chunk needs no checksum at run time; one octet less does."""

import pytest

from tests.harness import engine_of
from tests.support import MADE_FILES, get, parsed, target
from whit_testbed.engine import Engine
from whit_testbed.trace import Peer

CHUNK = 128


pytestmark = pytest.mark.skipif(target() != "inprocess", reason="the meter is in builds for this machine only")
engine = engine_of("application", chunk=CHUNK)


def read_with(engine: Engine, wnd: int) -> bytes:
    """Returns the whole response, through a window of `wnd` octets."""
    peer = Peer(engine)
    peer.handshake(wnd=wnd)
    octets = get("/n752.bin")
    peer.send("PA", seq=1, ack=1, payload=octets, wnd=wnd)
    stream = bytearray()
    for _ in range(200):
        segments = peer.take_all() or peer.take_all(within=3000)
        if not segments:
            break
        for segment in segments:
            assert segment.seq + len(segment.payload) <= 1 + len(stream) + wnd
            if segment.seq <= 1 + len(stream):
                stream += segment.payload[1 + len(stream) - segment.seq :]
        peer.send("A", seq=1 + len(octets), ack=1 + len(stream), wnd=wnd)
    return bytes(stream)


@pytest.mark.parametrize("wnd", [CHUNK, CHUNK + 1, 2 * CHUNK - 1, 2 * CHUNK])
def test_a_window_of_a_chunk_needs_no_sum(engine: Engine, wnd: int) -> None:
    assert parsed(read_with(engine, wnd)).body == MADE_FILES["n752.bin"]
    assert engine.static_checksum_octets == 0


def test_a_window_below_a_chunk_needs_one(engine: Engine) -> None:
    """The meter works: the test above depends on it."""
    assert parsed(read_with(engine, CHUNK // 2)).body == MADE_FILES["n752.bin"]
    assert engine.static_checksum_octets > 0
