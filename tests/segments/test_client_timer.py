# SPDX-License-Identifier: MIT
"""Timeouts of a connection that the engine opened: round-trip times, and the host's MAC address."""

from whit.wire.packet import Ethernet
from whit_testbed.engine import Engine

from .test_client_data import engine, open_to, sent

__all__ = ["engine"]  # a fixture


def test_what_was_sent_again_tells_no_round_trip(engine: Engine) -> None:
    """Karn's algorithm (RFC 6298 section 3): a late acknowledgment does not change the RTO."""
    origin, _ = open_to(engine, "/fetch?len=600", mss=400)
    segments = sent(origin)
    assert segments[0] == (1, 400)
    again: list[int] = []
    while again.count(1) < 4:
        origin.wait(50)
        again += [seq for seq, _ in sent(origin)]
    origin.send("A", seq=1, ack=401)
    assert sent(origin) == [(401, 200)]
    origin.expect("PA", seq=401, within=300)


def test_a_host_that_does_not_answer_is_looked_for(engine: Engine) -> None:
    """ARP asks again after two timeouts; a host that answers gets the retransmission (RFC 1122 section 2.3.2.1)."""
    origin, asking = open_to(engine, "/fetch?len=5")
    asking.body()
    origin.expect("PA", seq=1, payload=b"aaaab")
    before, origin.mac = origin.mac, bytes.fromhex("0200aabbccee")  # a new card
    for _ in range(40):
        origin.wait(40)
    assert len(origin.asked_at) == 2
    assert [Ethernet.parse(frame).dst for _, frame in origin.queue] == [before, before, origin.mac]
    origin.send("PA", seq=1, ack=6, payload=b"here")
    assert asking.body() == b"here"
