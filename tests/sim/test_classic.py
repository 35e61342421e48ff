# SPDX-License-Identifier: MIT
"""The model servers behave as the papers describe their originals."""

from typing import cast

import pytest

from whit.model.policy import windows_xp
from whit.wire.packet import Ipv4, Segment
from whit_testbed.browser import Browser, Item
from whit_testbed.classic import MINIWEB, UIP, Behaviour, Classic
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment
from whit_testbed.net import Net

HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 3000\r\nConnection: close\r\n\r\n"
BODY = bytes(range(250)) * 12


def net_of(behaviour: Behaviour, loss: float = 0.0, seed: int = 1) -> tuple[Net, Classic, list[int]]:
    server = Classic(lambda target: [HEAD, BODY], behaviour, link="slip")
    net = Net(cast(Engine, server), up=Impairment(rate=10_000, loss=loss), seed=seed, half_duplex=True)
    lengths: list[int] = []

    def sent(begin_us: int, frame: bytes) -> None:
        datagram = Ipv4.parse(frame)
        if payload := Segment.parse(datagram.payload, datagram.src, datagram.dst).payload:
            lengths.append(len(payload))

    net.down.tap = sent
    return net, server, lengths


@pytest.mark.parametrize("behaviour", [Behaviour(), Behaviour(in_flight=2), UIP, MINIWEB])
@pytest.mark.parametrize("seed", range(3))
def test_any_behaviour_survives_loss(behaviour: Behaviour, seed: int) -> None:
    net, server, _ = net_of(behaviour, 0.05, seed)
    for _ in range(3):
        client = net.host().client(windows_xp())
        assert net.get(client, "/").body == BODY
        client.connection.close()
        net.idle(100)
        assert client.connection.finished
    assert server.held == 0


@pytest.mark.parametrize(("in_flight", "seconds"), [(1, 0.637), (2, 0.342), (4, 0.342)])
def test_segments_in_flight_are_as_many_as_said(in_flight: int, seconds: float) -> None:
    net, server, _ = net_of(Behaviour(in_flight=in_flight))
    client = net.host().client(windows_xp())
    net.loop.run(lambda: client.connection.opened_us is not None)
    begin_us, most = net.loop.now_us, 0
    client.ask("/")
    while client.waiting:
        net.loop.step()
        most = max(most, *(len(one.flight) for one in server._connections.values()))
    assert most == in_flight
    assert (net.loop.now_us - begin_us) / 1e6 == pytest.approx(seconds, abs=0.002)


def test_miniweb_sends_200_octets_whatever_the_client_takes_and_closes() -> None:
    net, server, lengths = net_of(MINIWEB)
    client = net.host().client(windows_xp())
    assert net.get(client, "/").body == BODY
    assert set(lengths) == {200, len(HEAD)}
    net.idle(1)
    assert client.connection.peer_closed
    assert server.held == 0


def test_uip_closes_when_all_is_acknowledged() -> None:
    net, _, lengths = net_of(UIP)
    client = net.host().client(windows_xp())
    net.get(client, "/")
    assert lengths == [len(HEAD), 1460, 1460, 80]
    assert not client.connection.peer_closed
    net.idle(1)
    assert client.connection.peer_closed


@pytest.mark.parametrize("connection_max", [1, 6])
def test_a_browser_opens_a_connection_again_that_a_server_closed(connection_max: int) -> None:
    net, _, _ = net_of(UIP)
    items = [Item("/"), *(Item(f"/{name}", ("/",)) for name in "abcdefgh")]
    ask = lambda target, known: f"GET {target} HTTP/1.1\r\nHost: x\r\n\r\n".encode()  # noqa: E731
    browser = Browser(net.host(), net.loop, items, ask, options=windows_xp(), connection_max=connection_max)
    browser.load()
    assert {target for target, response in browser.responses.items() if response.body == BODY} == {
        item.target for item in items
    }
    assert len(net.host().connections) == 9
