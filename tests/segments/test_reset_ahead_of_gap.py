# SPDX-License-Identifier: MIT
"""An evicted connection is reset, even if its numbers match a known connection's, ahead of a gap."""

import pytest

from tests.segments.test_data import REQUEST, idle_peer, open_peer
from whit_testbed.engine import Engine


@pytest.mark.parametrize("idle", [False, True])
def test_who_repeats_for_seconds_what_seems_to_be_ahead_of_a_gap_is_reset(engine: Engine, idle: bool) -> None:
    """A living peer would retransmit the missing octets: the numbers belong to an evicted connection."""
    peer, seq, ack = idle_peer(engine) if idle else (open_peer(engine), 1, 1)
    for wait_ms in (0, 200, 400, 800, 1600):
        engine.advance(wait_ms)
        peer.send("PA", seq=seq + 10, ack=ack, payload=REQUEST[10:])
        peer.expect("A", seq=ack, ack=seq, length=0)
    engine.advance(3200)
    peer.send("PA", seq=seq + 20, ack=ack, payload=REQUEST[20:])  # another one
    peer.expect("A", seq=ack, ack=seq, length=0)
    peer.send("PA", seq=seq + 10, ack=ack, payload=REQUEST[10:])
    peer.expect("A", seq=ack, ack=seq, length=0)
    engine.advance(5000)
    peer.send("PA", seq=seq + 10, ack=ack, payload=REQUEST[10:])
    peer.expect("R", seq=ack)
