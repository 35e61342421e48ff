# SPDX-License-Identifier: MIT
"""A response that keeps its connection open reserves an idle place, where few are remembered."""

import pytest

from tests.harness import Make
from tests.segments.test_connections import REQUEST, use
from tests.support import parsed
from whit.model.policy import Options
from whit.wire.units import MS
from whit_testbed.http import Client
from whit_testbed.link import Impairment
from whit_testbed.net import Net
from whit_testbed.trace import Peer

CLOSE = b"Connection: close\r\n"


@pytest.mark.parametrize(("connections", "idle"), [(1, 2), (4, 2), (1, 4), (2, 3)])
def test_no_client_of_a_crowd_is_reset(make_engine: Make, connections: int, idle: int) -> None:
    """Six clients keep their connections: each is answered, and learns the end of its connection."""
    engine = make_engine(connections=connections, idle=idle)
    engine.keeps_frames = True
    net = Net(engine, up=Impairment(delay_us=MS, duplicate=0.2, reorder=0.2), seed=idle)
    clients: list[Client | None] = [None] * 6
    closed = kept = 0
    for turn in range(120):
        number = turn * 5 % 6 if turn < 60 else turn % 3
        client = clients[number] or net.host(f"10.0.0.{2 + number}").client(Options(rto_min=200 * MS))
        response = net.get(client, "/n752.bin", for_s=30)
        assert response.status == 200
        if ("connection", "close") in response.fields:
            closed += 1
            client.connection.close()
            clients[number] = None
        else:
            kept += 1
            clients[number] = client
    assert engine.counters["count_tag_evicted"] == 0
    assert closed > 0 and kept > 60 // 3, "three fit, or two of three"


def test_the_last_place_is_for_connections_that_end(make_engine: Make) -> None:
    """Else a late copy of their first request would be answered again."""
    engine = make_engine(connections=1, idle=2)
    first, second = Peer(engine, port=30_001), Peer(engine, port=30_002)
    first.handshake()
    places = use(first, 1, 1)
    second.handshake()
    second.send("PA", seq=1, ack=1, payload=REQUEST)
    answer = second.expect("FA")
    assert CLOSE in answer.payload
    second.send("FA", seq=1 + len(REQUEST), ack=2 + len(answer.payload))
    second.expect("A")
    second.send("PA", seq=1, ack=1, payload=REQUEST)
    assert all(not segment.payload for segment in second.take_all(within=100))
    use(first, *places)


def test_who_has_rested_for_long_makes_room(make_engine: Make) -> None:
    engine = make_engine(connections=1, idle=2)
    for number in range(4):
        peer = Peer(engine, port=30_000 + number)
        peer.handshake()
        use(peer, 1, 1)
        engine.advance(17_000)
    assert engine.counters["count_tag_evicted"] == 2


def test_of_many_places_nothing_is_promised(make_engine: Make) -> None:
    engine = make_engine(connections=1, idle=5)
    for number in range(7):
        peer = Peer(engine, port=30_000 + number)
        peer.handshake()
        peer.send("PA", seq=1, ack=1, payload=REQUEST)
        answer = peer.expect("A")
        assert CLOSE not in answer.payload and parsed(answer.payload).status == 200
        peer.send("A", seq=1 + len(REQUEST), ack=1 + len(answer.payload))
    assert engine.counters["count_tag_evicted"] == 2
