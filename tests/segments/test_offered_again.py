# SPDX-License-Identifier: MIT
"""Frames that the driver kept and offers again, after acknowledgments of responses of any length."""

import pytest

from tests.segments.test_data import REQUEST, driver_keeps, idle_peer, open_peer
from tests.support import MADE_FILES, ask, parsed
from whit_testbed.engine import Engine

WHIT_WAITS = 3  # enum whit_taken
AGES = (1, 40, 0xFFFF, 0x10000, 0x10001, 0x10000 * 20 + 7, 1 << 31, (1 << 32) - 1)


@driver_keeps
@pytest.mark.parametrize("old", [0, 10])
@pytest.mark.parametrize("acked", AGES)
def test_a_refused_frame_of_an_idle_connection_is_old_by_any_number_of_octets(
    engine: Engine, acked: int, old: int
) -> None:
    """A regression: a request lacking one octet was read after acknowledgments of 65 536 octets."""
    peer, seq, ack = idle_peer(engine)
    engine.again(WHIT_WAITS)
    peer.send("PA", seq=seq - old, ack=ack - acked, payload=REQUEST[len(REQUEST) - old :] + REQUEST)
    answer = peer.expect("A", seq=ack, ack=seq + len(REQUEST))
    assert parsed(answer.payload).body == MADE_FILES["n33.bin"]


@driver_keeps
@pytest.mark.parametrize("acked", AGES)
def test_a_refused_frame_of_a_busy_connection_is_old_by_any_number_of_octets(engine: Engine, acked: int) -> None:
    """The frame is recognized as old beyond 65 535 octets too."""
    peer = open_peer(engine)
    ask(peer, REQUEST)
    seq, ack = 1 + len(REQUEST), 1 + len(peer.expect("A").payload)
    engine.again(WHIT_WAITS)
    peer.send("PA", seq=seq, ack=1 - acked, payload=REQUEST)
    peer.expect("A", seq=ack, ack=seq + len(REQUEST), length=0)
    peer.send("A", seq=seq + len(REQUEST), ack=ack)
    assert parsed(peer.expect("A", seq=ack).payload).body == MADE_FILES["n33.bin"]


@driver_keeps
def test_numbers_of_which_the_sum_is_right(engine: Engine) -> None:
    """A segment with one octet too few that acknowledges 65 536 octets less has the sum that a tag keeps."""
    peer, seq, ack = idle_peer(engine)
    peer.send("PA", seq=seq + 1, ack=ack - 0x10000, payload=REQUEST[1:])
    peer.expect("R", seq=ack - 0x10000)  # out of its window, if it is a late copy
