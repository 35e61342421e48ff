# SPDX-License-Identifier: MIT
"""A host whose MAC address was forgotten while its response is in flight: the engine asks for it (RFC 826)."""

from collections.abc import Callable, Iterator

import pytest
from whit.sim.engine import Engine, Identity
from whit.sim.packet import ARP, IPV4, Arp, Ethernet, Ipv4, ip
from whit.sim.trace import Peer, Raw

from tests.support import Build, ask, get


@pytest.fixture
def forgetful(make_build: Callable[..., Build]) -> Iterator[Engine]:
    """It knows the MAC addresses of two hosts, and has four slots; 10.0.0.254 is the gateway."""
    image = make_build(peers=2, connections=4).image
    engine = Engine(image, identity=Identity(gateway=ip("10.0.0.254"), prefix_len=16))
    yield engine
    engine.close()


def unknown(engine: Engine, *addresses: str) -> list[Peer]:
    """Two hosts that take all room for MAC addresses, and others, whose responses wait for theirs; the two leave."""
    peers = []
    for number, address in enumerate(("10.0.0.2", "10.0.0.3", *addresses)):
        peer = Peer(engine, address=address, mac=bytes([2, 0, 0, 0, 9, number]), port=40000 + number)
        peer.handshake()
        ask(peer, get("/n4000.bin"))
        peers.append(peer)
    for peer in peers[:2]:
        peer.send("R", seq=1 + len(get("/n4000.bin")))
    for peer in peers:
        peer.queue.clear()
    return peers[2:]


def asked_for(engine: Engine) -> list[bytes]:
    """Whose MAC addresses the engine asks for when its timers have expired."""
    engine.advance(1100)
    frames = [Ethernet.parse(frame) for _, frame in engine.sent()]
    assert {(frame.dst, frame.ethertype) for frame in frames} == {(b"\xff" * 6, ARP)}
    return [Arp.parse(frame.payload).target_ip for frame in frames]


def told(engine: Engine, ms: int) -> set[tuple[bytes, bytes]]:
    """The datagrams that the engine sends: MAC address and address of each receiver."""
    engine.advance(ms)
    frames = [Ethernet.parse(frame) for _, frame in engine.sent()]
    return {(frame.dst, Ipv4.parse(frame.payload).dst) for frame in frames if frame.ethertype == IPV4}


def test_a_forgotten_host_is_asked_for_and_answers_for_itself_alone(forgetful: Engine) -> None:
    peers = unknown(forgetful, "10.0.0.7", "10.0.0.8")
    targets = asked_for(forgetful)
    assert set(targets) == {peer.address for peer in peers}
    (answering,) = (peer for peer in peers if peer.address == targets[-1])
    answering.arp(2, answering.server, broadcast=False)
    assert told(forgetful, 4000) == {(answering.mac, answering.address)}


def test_an_answer_that_was_not_asked_for_is_nobodys(forgetful: Engine) -> None:
    peers = unknown(forgetful, "10.0.0.7", "10.0.0.8")
    asked_for(forgetful)
    thief = Raw(forgetful, address="10.0.0.9", mac=bytes.fromhex("02deadbeef01"))
    thief.arp(2, thief.server, broadcast=False)
    assert told(forgetful, 4000) == set()
    assert all(not peer.queue for peer in peers)


def test_the_gateway_answers_for_the_hosts_behind_it(forgetful: Engine) -> None:
    peers = unknown(forgetful, "203.0.113.7", "203.0.113.8")
    assert set(asked_for(forgetful)) == {ip("10.0.0.254")}
    gateway = Raw(forgetful, address="10.0.0.254", mac=bytes.fromhex("020000000001"))
    gateway.arp(2, gateway.server, broadcast=False)
    assert told(forgetful, 4000) == {(gateway.mac, peer.address) for peer in peers}


def test_the_gateway_does_not_answer_for_a_host_of_our_network(forgetful: Engine) -> None:
    near, far = unknown(forgetful, "10.0.0.7", "203.0.113.8")
    assert asked_for(forgetful)[-1] == ip("10.0.0.254")
    gateway = Raw(forgetful, address="10.0.0.254", mac=bytes.fromhex("020000000001"))
    gateway.arp(2, gateway.server, broadcast=False)
    assert told(forgetful, 4000) == {(gateway.mac, far.address)}
    assert not near.queue
