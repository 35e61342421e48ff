# SPDX-License-Identifier: MIT
"""The engine learns a host's MAC address from its segments, and sends ARP requests for a silent one (RFC 826, RFC 1122
2.3.2.1)."""

import pytest

from tests.harness import Make, engine_of, on_target
from tests.support import ask, get
from whit.wire.packet import ARP, IPV4, Arp, Ethernet, Ipv4, ip
from whit_testbed.engine import Engine, Identity
from whit_testbed.trace import Peer, Raw

NETWORK = Identity(gateway=ip("10.0.0.254"), prefix_len=16)
engine = engine_of("application", start=on_target, connections=4, identity=NETWORK)


def silent(engine: Engine, *addresses: str) -> list[Peer]:
    """Hosts that asked for a file, and acknowledge nothing."""
    peers = []
    for number, address in enumerate(addresses):
        peer = Peer(engine, address=address, mac=bytes([2, 0, 0, 0, 9, number]), port=40000 + number)
        peer.handshake()
        ask(peer, get("/n4000.bin"))
        peers.append(peer)
    engine.sent()
    return peers


def asked_for(engine: Engine, ms: int = 3500) -> list[bytes]:
    """Returns the addresses that the engine's ARP broadcasts ask for."""
    engine.advance(ms)
    frames = [Ethernet.parse(frame) for _, frame in engine.sent()]
    asked = [frame for frame in frames if frame.ethertype == ARP]
    assert {frame.dst for frame in asked} <= {b"\xff" * 6}
    return [Arp.parse(frame.payload).target_ip for frame in asked]


def told(engine: Engine, ms: int = 5000) -> set[tuple[bytes, bytes]]:
    """The datagrams that the engine sends: MAC address and address of each receiver."""
    engine.advance(ms)
    frames = [Ethernet.parse(frame) for _, frame in engine.sent()]
    return {(frame.dst, Ipv4.parse(frame.payload).dst) for frame in frames if frame.ethertype == IPV4}


def test_a_silent_host_is_asked_for_after_the_second_timeout(engine: Engine) -> None:
    (peer,) = silent(engine, "10.0.0.7")
    assert asked_for(engine, 2900) == []
    assert asked_for(engine, 200) == [peer.address]


def test_a_host_that_has_another_card_now_answers_for_itself_alone(engine: Engine) -> None:
    moved, other = silent(engine, "10.0.0.7", "10.0.0.8")
    targets = asked_for(engine)
    assert set(targets) == {moved.address, other.address}
    last, first = (moved, other) if targets[-1] == moved.address else (other, moved)
    last.mac = bytes.fromhex("020000000777")
    last.arp(2, last.server, broadcast=False)
    assert told(engine) == {(last.mac, last.address), (first.mac, first.address)}


def test_an_answer_that_was_not_asked_for_is_nobodys(engine: Engine) -> None:
    peers = silent(engine, "10.0.0.7", "10.0.0.8")
    asked_for(engine)
    thief = Raw(engine, address="10.0.0.9", mac=bytes.fromhex("02deadbeef01"))
    thief.arp(2, thief.server, broadcast=False)
    assert told(engine) == {(peer.mac, peer.address) for peer in peers}


def test_nobody_answers_before_he_is_asked_for(engine: Engine) -> None:
    (peer,) = silent(engine, "10.0.0.7")
    thief = Raw(engine, address="10.0.0.9", mac=bytes.fromhex("02deadbeef01"))
    thief.arp(2, thief.server, sender=peer.address, broadcast=False)
    assert told(engine, 2900) == {(peer.mac, peer.address)}


def test_a_new_gateway_answers_for_the_hosts_that_it_leads_to(engine: Engine) -> None:
    near, far, farther = silent(engine, "10.0.0.7", "203.0.113.7", "203.0.113.8")
    assert asked_for(engine)[-1] == ip("10.0.0.254")
    gateway = Raw(engine, address="10.0.0.254", mac=bytes.fromhex("020000000001"))
    gateway.arp(2, gateway.server, broadcast=False)
    assert told(engine) == {(gateway.mac, far.address), (gateway.mac, farther.address), (near.mac, near.address)}


@pytest.mark.parametrize("prefix_len", [0, 8, 9, 16, 32])
@pytest.mark.parametrize("gateway", ["0.0.0.0", "0.0.0.1", "10.0.0.254"])
def test_the_gateway_is_asked_for_beyond_the_prefix(make_engine: Make, gateway: str, prefix_len: int) -> None:
    """Each host is asked for directly if there is no gateway."""
    identity = Identity(gateway=ip(gateway), prefix_len=prefix_len)
    engine = make_engine(connections=4, identity=identity)
    addresses = ["10.0.0.7", "10.1.0.7", "10.128.0.7", "11.0.0.7"]
    silent(engine, *addresses)
    same = {"10.0.0.7": 29, "10.1.0.7": 15, "10.128.0.7": 8, "11.0.0.7": 7}  # first bits, as 10.0.0.1 has them
    beyond = {address: gateway != "0.0.0.0" and same[address] < prefix_len for address in addresses}
    assert set(asked_for(engine)) == {ip(gateway if beyond[address] else address) for address in addresses}


def test_as_many_hosts_are_known_as_have_slots(make_engine: Make) -> None:
    """The engine knows one host per slot, for any addresses, and after any earlier hosts."""
    engine = make_engine(connections=4)
    for round_ in range(5):
        peers = silent(engine, *(f"10.{number}.0.{number ^ (2 + round_)}" for number in range(1, 5)))
        assert told(engine, 1100) == {(peer.mac, peer.address) for peer in peers}
        for peer in peers:
            peer.send("R", seq=1 + len(get("/n4000.bin")))


def test_one_segment_does_not_move_a_host_that_answers(engine: Engine) -> None:
    """A MAC address is not protected. After a timeout the host's segments update it."""
    peer = Peer(engine, address="10.0.0.7")
    peer.handshake()
    ask(peer, get("/n4000.bin"))
    first = peer.take_all()
    card, peer.mac = peer.mac, bytes.fromhex("020000000777")
    at = 1 + len(get("/n4000.bin"))
    engine.sent()
    peer.send("A", seq=at, ack=first[1].seq)
    assert told(engine, 2000) == {(card, peer.address)}
    peer.send("A", seq=at, ack=first[2].seq)
    engine.sent()
    assert told(engine, 2000) == {(peer.mac, peer.address)}
