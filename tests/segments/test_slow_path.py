# SPDX-License-Identifier: MIT
"""Lines on which a segment takes longer than the first RTO, and round trips that are longer: nothing is sent twice that
was not lost."""

import pytest
from whit.sim.link import MS, Impairment
from whit.sim.net import Net

from tests.http.test_methods import Make
from tests.support import BIG, MADE_FILES

BODY = MADE_FILES["n4000.bin"]
RECOVERIES = pytest.mark.parametrize("recovery", ["full", "small"])
HEADERS_MOST = 1.15  # octets on the line, for each of content: heads, headers, SLIP, acknowledgments of requests


@RECOVERIES
@pytest.mark.parametrize("connections", [1, 3])
@pytest.mark.parametrize("baud", [2400, 9600, 115_200])
def test_a_serial_line_carries_each_octet_once(make_engine: Make, baud: int, connections: int, recovery: str) -> None:
    """Its rate is known when the image is built. What waits at the driver is read before more is sent."""
    net = Net(
        make_engine(link="slip", recovery=recovery, link__baud=baud), up=Impairment(delay_us=5 * MS, rate=baud // 10)
    )
    clients = [net.host().client() for _ in range(connections)]
    for _ in range(3):
        before = net.down.octet_cnt
        for client in clients:
            client.ask("/n4000.bin")
        net.run(*clients)
        assert net.down.octet_cnt - before < HEADERS_MOST * len(BODY) * connections
    assert all(response.body == BODY for client in clients for response in client.responses)


@RECOVERIES
@pytest.mark.parametrize("rtt_ms", [1300, 1500, 2200, 2600])
def test_a_long_round_trip_is_learned(make_engine: Make, rtt_ms: int, recovery: str) -> None:
    """The first RTO is a second, which is too short: a timeout sends a segment again, and its acknowledgment nothing
    more. The RTO that was backed off is kept until a round trip is measured."""
    net = Net(make_engine(recovery=recovery), up=Impairment(delay_us=rtt_ms * MS // 2))
    client = net.host().client()
    for number in range(3):
        before, begun_us = net.down.octet_cnt, net.loop.now_us
        assert net.get(client, "/n57254.bin").body == BIG
        assert net.loop.now_us - begun_us < (24 if recovery == "small" else 4 if number else 11) * rtt_ms * MS
        assert net.down.octet_cnt - before < (1.06 if number else 1.2) * len(BIG)
