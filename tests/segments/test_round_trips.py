# SPDX-License-Identifier: MIT
"""What is made of measured round trips (RFC 6298 section 2), seen in the times at which a lone segment comes again."""

import pytest
from whit.sim.engine import Engine
from whit.sim.trace import Peer

from tests.support import get

DELAYED_ACK = 200  # ms that a peer may wait with the acknowledgment of a lone segment
GRAIN = 16  # ms: of the stamp, while the RTO is longer than 1020 ms


def expected_ms(round_trips: list[int]) -> tuple[float, float]:
    """The probe of a lone segment, and the retransmission timer after it: by (2.2) and (2.3), and the least (DESIGN.md
    section 4)."""
    srtt, rttvar = float(round_trips[0]), round_trips[0] / 2
    for trip in round_trips[1:]:
        rttvar = 0.75 * rttvar + 0.25 * abs(srtt - trip)
        srtt = 0.875 * srtt + 0.125 * trip
    return 2 * srtt + DELAYED_ACK, srtt + max(4 * rttvar, 200 + 2 * srtt)


@pytest.mark.parametrize("round_trips", [[800], [800, 100], [800, 100, 100], [800, 100, 800], [400, 50]])
def test_timers_by_the_first_round_trips(engine: Engine, round_trips: list[int]) -> None:
    peer = Peer(engine)
    peer.handshake()
    octets = get("/n33.bin")
    at, position = 1, 1
    for trip in [*round_trips, None]:
        peer.send("PA", seq=at, ack=position, payload=octets)
        at += len(octets)
        length = len(peer.expect("A", seq=position, ack=at).payload)
        if trip is None:
            break
        peer.wait(trip)
        position += length
        peer.send("A", seq=at, ack=position)
        peer.expect_nothing()
    probe, rto = expected_ms(round_trips)
    for number, (time, grain) in enumerate(((probe, GRAIN), (rto, GRAIN), (2 * rto, 2 * GRAIN))):
        assert abs(engine.next_ms() - time) <= grain, number
        assert len(peer.next_segment(within=10_000).payload) == length
