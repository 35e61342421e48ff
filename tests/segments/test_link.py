# SPDX-License-Identifier: MIT
"""Ethernet, ARP, SLIP, IPv4 and ICMP."""

from pathlib import Path

import pytest

from tests.harness import Make, opened
from tests.support import MADE_FILES, ask, get, parsed, served, target
from whit.paths import ROOT
from whit.wire.packet import ARP, IPV4, Arp, Ethernet, Icmp, Ipv4, ip, slip_encode
from whit_testbed.engine import Engine
from whit_testbed.trace import Peer, Raw


def echo(peer: Raw, payload: bytes = b"0123456789", **fields: object) -> None:
    peer.icmp(8, 0, b"\x12\x34\0\7", payload, **fields)


def expect_echo(peer: Raw, payload: bytes = b"0123456789") -> Ipv4:
    datagram = peer.next_datagram()
    reply = Icmp.parse(datagram.payload)
    assert (reply.type, reply.code, reply.rest, reply.payload) == (0, 0, b"\x12\x34\0\7", payload)
    assert (datagram.src, datagram.dst) == (peer.server, peer.address)
    return datagram


def test_arp_reply(engine: Engine) -> None:
    peer = Raw(engine)
    peer.arp(1, peer.server)
    frame = Ethernet.parse(peer.next_frame()[1])
    assert (frame.dst, frame.src, frame.ethertype) == (peer.mac, peer.server_mac, ARP)
    assert Arp.parse(frame.payload) == Arp(2, peer.server_mac, peer.server, peer.mac, peer.address)
    peer.arp(1, peer.server, broadcast=False)
    assert Arp.parse(Ethernet.parse(peer.next_frame()[1]).payload).op == 2


def test_arp_for_others_and_malformed(engine: Engine) -> None:
    peer = Raw(engine)
    peer.arp(1, ip("10.0.0.77"))
    for fields in (
        {"htype": 15},
        {"ptype": 0x86DD},
        {"op": 0},
        {"op": 9},
        {"hlen": 0},
        {"hlen": 255},
        {"plen": 0},
        {"plen": 255},
    ):
        fields = {"op": 1} | fields
        arp = Arp(fields.pop("op"), peer.mac, peer.address, bytes(6), peer.server)
        for name, value in fields.items():
            setattr(arp, name, value)
        peer.frame(peer.link_frame(arp.pack(), ARP, dst=b"\xff" * 6))
    peer.expect_nothing(2000)
    assert engine.counters["drop_arp"] == 8


def test_the_engine_answers_where_the_frame_came_from_and_asks_no_one(engine: Engine) -> None:
    peer = Peer(engine)
    peer.handshake()
    ask(peer, get("/n57254.bin"))
    frames = [Ethernet.parse(frame) for _, frame in peer.queue]
    assert frames
    assert {(frame.dst, frame.ethertype) for frame in frames} == {(peer.mac, IPV4)}


def test_peer_behind_a_gateway_is_answered_by_the_gateway(engine: Engine) -> None:
    peer = Peer(engine, address="203.0.113.9", mac=bytes.fromhex("020000000001"))
    peer.handshake()
    ask(peer, get("/n57254.bin"))
    assert {Ethernet.parse(frame).dst for _, frame in peer.queue} == {peer.mac}


def test_a_host_that_got_a_new_card_is_found_after_a_timeout(engine: Engine) -> None:
    """A frame from another MAC address changes nothing before a timeout: no checksum covers the address."""
    peer = Peer(engine)
    peer.handshake()
    ask(peer, octets := get("/n57254.bin"))
    ack = 1 + sum(len(segment.payload) for segment in peer.take_all())
    before, peer.mac = peer.mac, bytes.fromhex("0200aabbccee")
    for expected, wait_ms in ((before, 1500), (peer.mac, 2500)):
        peer.send("A", seq=1 + len(octets), ack=ack)
        peer.wait(wait_ms)
        assert {Ethernet.parse(peer.queue.popleft()[1]).dst for _ in range(len(peer.queue))} == {expected}


@pytest.mark.parametrize("ethertype", [0, 0x05DC, 0x8100, 0x86DD, 0x88CC, 0xFFFF, 0x0801])
def test_foreign_ethertypes(engine: Engine, ethertype: int) -> None:
    peer = Peer(engine)
    datagram = Ipv4(peer.address, peer.server, 6, peer.make("S", mss=1460).pack(peer.address, peer.server)).pack()
    peer.frame(peer.link_frame(datagram, ethertype))
    peer.expect_nothing()
    assert engine.counters["drop_foreign"] == 1


def test_frames_for_others(engine: Engine) -> None:
    peer = Peer(engine)
    datagram = Ipv4(peer.address, peer.server, 6, peer.make("S", mss=1460).pack(peer.address, peer.server)).pack()
    peer.frame(peer.link_frame(datagram, dst=bytes.fromhex("02005e100002")))
    peer.frame(peer.link_frame(datagram, dst=b"\xff" * 6))  # TCP over a link broadcast: RFC 1122 section 4.2.3.10
    peer.expect_nothing()


def test_every_frame_length(engine: Engine) -> None:
    peer = Peer(engine)
    datagram = Ipv4(peer.address, peer.server, 6, peer.make("S", mss=1460).pack(peer.address, peer.server)).pack()
    whole = peer.link_frame(datagram, pad=False)
    for length in range(len(whole)):
        peer.frame(whole[:length])
        peer.expect_nothing()
    for padding in (0, 1, 2, 22, 100):
        peer.frame(whole + b"\xaa" * padding)
        peer.expect("SA", ack=1)


def test_padding_is_no_data(engine: Engine) -> None:
    peer = Peer(engine)
    peer.handshake()
    octets = get("/n1.bin")
    pieces = [octets[at : at + 3] for at in range(0, len(octets), 3)]
    at = 1
    for piece in pieces[:-1]:
        datagram = Ipv4(
            peer.address, peer.server, 6, peer.make("PA", seq=at, ack=1, payload=piece).pack(peer.address, peer.server)
        )
        peer.frame(peer.link_frame(datagram.pack(), pad=False) + b"GET / HTTP/1.1\r\n\r\n"[:22])
        at += len(piece)
        peer.expect("A", ack=at)
    ask(peer, pieces[-1], at=at)
    assert parsed(peer.expect("A").payload).body == MADE_FILES["n1.bin"]


# ---------------------------------------------------------------- IPv4


def test_echo(engine: Engine) -> None:
    peer = Raw(engine)
    for length in (0, 1, 2, 55, 56, 400):
        echo(peer, bytes(range(256))[:length] if length < 256 else bytes(length))
        expect_echo(peer, bytes(range(256))[:length] if length < 256 else bytes(length))


@pytest.mark.parametrize("split", [1, 7, 60])
def test_echo_in_pieces(engine: Engine, split: int) -> None:
    """The driver has no room for a whole frame and passes it in pieces."""
    peer, payload = Raw(engine), bytes(range(100))
    peer.split = split
    echo(peer, payload)
    expect_echo(peer, payload)


def test_echo_larger_than_the_free_buffer_is_not_answered(make_engine: Make) -> None:
    peer = Raw(make_engine(buffer=512))
    echo(peer, bytes(1400))
    peer.expect_nothing()
    assert peer.engine.counters["drop_icmp"] == 1
    roomy = Raw(make_engine(buffer=1500))
    echo(roomy, bytes(1400))
    expect_echo(roomy, bytes(1400))


@pytest.mark.parametrize("buffer", [0, 64, 72])
def test_64_octets_are_echoed_whatever_the_buffer(application: Path, buffer: int) -> None:
    """An application of files alone has no shared buffer."""
    app = application if buffer else ROOT / "fuzz" / "files"
    with opened(app, on=target(), ping=True, buffer=buffer) as engine:
        peer = Raw(engine)
        for length in (0, 1, 56, 64):
            echo(peer, bytes(range(length)))
            expect_echo(peer, bytes(range(length)))
        echo(peer, bytes(200))
        peer.expect_nothing()
        assert engine.counters["drop_icmp"] == 1


def test_without_ping_an_echo_is_not_ours(make_engine: Make) -> None:
    peer = Raw(make_engine(ping=False))
    echo(peer)
    peer.expect_nothing(2000)
    assert peer.engine.counters["drop_foreign"] == 1


def test_echo_leaves_a_request_in_peace(make_engine: Make) -> None:
    """Both use the shared buffer: arguments of a request that is half in survive an echo."""
    peer = Peer(make_engine(buffer=200))
    peer.handshake()
    octets = get("/typed?octet=1&number=2&text=abcdefghijk")
    ask(peer, octets[:50])
    peer.expect("A", ack=51)
    echo(peer, b"\xff" * 100)
    expect_echo(peer, b"\xff" * 100)
    ask(peer, octets[50:], at=51)
    assert parsed(peer.expect("A").payload).body.startswith(b"1 2 [abcdefghijk]")


@pytest.mark.parametrize("kind", [0, 1, 2, 3, 4, 5, 7, 11, 12, 13, 17, 19, 44, 200, 255])
def test_other_icmp_is_not_answered(engine: Engine, kind: int) -> None:
    peer = Raw(engine)
    peer.icmp(kind, 0, payload=bytes(28))
    peer.expect_nothing(1000)


def test_echo_with_wrong_checksum(engine: Engine) -> None:
    peer = Raw(engine)
    echo(peer, sum=0x1234)
    peer.expect_nothing()
    assert engine.counters["drop_icmp"] == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"version": 5},
        {"version": 6},
        {"ihl": 0},
        {"ihl": 1},
        {"ihl": 4},
        {"ihl": 15},
        {"total_len": 0},
        {"total_len": 1},
        {"total_len": 19},
        {"total_len": 20},
        {"total_len": 27},
        {"total_len": 1400},
        {"total_len": 65535},
        {"sum": 0x1234},
    ],
)
def test_malformed_headers(engine: Engine, fields: dict[str, int]) -> None:
    peer = Raw(engine)
    peer.ipv4(1, Icmp(8, 0, b"\0\1\0\1", b"12345678").pack(), **fields)
    peer.expect_nothing(1000)
    echo(peer)
    expect_echo(peer)


@pytest.mark.parametrize("fragment", [0x2000, 0x0001, 0x0005, 0x2005, 0x1FFF, 0x3FFF])
def test_fragments_are_dropped(engine: Engine, fragment: int) -> None:
    peer = Raw(engine)
    peer.ipv4(1, Icmp(8, 0, b"\0\1\0\1", b"12345678").pack(), fragment=fragment)
    peer.expect_nothing(1000)
    assert engine.counters["drop_ip_fragment"] == 1


@pytest.mark.parametrize(
    "options",
    [
        b"\1\1\1\1",
        b"\x07\x07\x04\0\0\0\0\0",
        b"\x44\x08\x05\0\0\0\0\0",
        b"\x94\x04\0\0",
        b"\x83\x03\xff\0",
        b"\x89\xff\x04\0",
        b"\x07\0\0\0",
        b"\x07\1\0\0",
        b"\xff" * 40,
    ],
)
def test_options_are_skipped(engine: Engine, options: bytes) -> None:
    peer = Peer(engine)
    peer.ipv4(1, Icmp(8, 0, b"\x12\x34\0\7", b"0123456789").pack(), options=options)
    reply = expect_echo(peer)
    assert reply.options == b""
    segment = peer.make("S", mss=1460).pack(peer.address, peer.server)
    peer.ipv4(6, segment, options=options)
    peer.expect("SA", ack=1)


@pytest.mark.parametrize(
    "source",
    ["255.255.255.255", "224.0.0.1", "127.0.0.1", "0.0.0.0", "10.0.0.1", "10.255.255.255", "0.1.2.3", "240.0.0.1"],
)
def test_sources_that_are_no_host(engine: Engine, source: str) -> None:
    peer = Peer(engine, address=source)
    peer.send("S", mss=1460)
    peer.expect_nothing(1000)
    assert engine.counters["drop_ip_header"] == 1


@pytest.mark.parametrize("target", ["10.0.0.77", "255.255.255.255", "10.255.255.255", "224.0.0.1", "0.0.0.0"])
def test_other_destinations(engine: Engine, target: str) -> None:
    peer = Peer(engine)
    peer.server = ip(target)
    peer.send("S", mss=1460)
    echo(peer)
    peer.expect_nothing(1000)


@pytest.mark.parametrize("ttl", [1, 255, 0])
def test_time_to_live_is_for_routers(engine: Engine, ttl: int) -> None:
    peer = Raw(engine)
    peer.ipv4(1, Icmp(8, 0, b"\x12\x34\0\7", b"0123456789").pack(), ttl=ttl)
    expect_echo(peer)


@pytest.mark.parametrize("protocol", [0, 2, 17, 41, 47, 50, 132, 255])
def test_other_protocols(engine: Engine, protocol: int) -> None:
    peer = Raw(engine)
    peer.ipv4(protocol, bytes(40))
    peer.expect_nothing(1000)


# ---------------------------------------------------------------- SLIP


def test_slip_serves(make_engine: Make) -> None:
    peer = Peer(make_engine(link="slip"))
    peer.handshake()
    octets = get("/n4000.bin")
    ask(peer, octets)
    assert parsed(peer.receive(seq=1 + len(octets))).body == MADE_FILES["n4000.bin"]


@pytest.mark.parametrize(
    "noise",
    [
        b"",
        b"\xc0",
        b"\xc0\xc0\xc0",
        b"garbage\xc0",
        b"\xdb\xdb\xc0",
        b"\xdbx\xc0",
        b"\xdb\xc0",
        b"ab\xdb\xc0\xc0",
        b"\x45" * 3000 + b"\xc0",
        b"\x45\xdb\xdc\xdb\xdd\xc0",
        b"\xc0\xdb",
    ],
)
@pytest.mark.parametrize("split", [None, 1])
def test_slip_resynchronises_at_the_next_end(make_engine: Make, noise: bytes, split: int | None) -> None:
    engine = make_engine(link="slip")
    peer = Peer(engine)
    datagram = Ipv4(peer.address, peer.server, 6, peer.make("S", mss=1460).pack(peer.address, peer.server)).pack()
    engine.octets_in(noise, split)
    engine.octets_in(slip_encode(datagram), split)
    peer.collect()
    peer.expect("SA", ack=1)


def test_slip_end_after_esc_spoils_the_datagram(make_engine: Make) -> None:
    engine = make_engine(link="slip")
    peer = Peer(engine)
    syn = Ipv4(peer.address, peer.server, 6, peer.make("S", mss=1460).pack(peer.address, peer.server)).pack()
    engine.octets_in(slip_encode(syn).removesuffix(b"\xc0") + b"\xdb\xc0")
    peer.collect()
    peer.expect_nothing()
    assert engine.counters["drop_frame_line"] == 1
    engine.octets_in(slip_encode(syn))
    peer.collect()
    peer.expect("SA", ack=1)


def test_slip_end_in_the_middle(make_engine: Make) -> None:
    engine = make_engine(link="slip")
    peer = Peer(engine)
    datagram = Ipv4(peer.address, peer.server, 6, peer.make("S", mss=1460).pack(peer.address, peer.server)).pack()
    for cut in range(1, len(datagram)):
        engine.octets_in(b"\xc0" + datagram[:cut].replace(b"\xdb", b"\xdb\xdd").replace(b"\xc0", b"\xdb\xdc") + b"\xc0")
        engine.octets_in(slip_encode(datagram[cut:]))
        peer.collect()
        peer.expect_nothing()
    peer.send("S", mss=1460)
    peer.expect("SA", ack=1)
    served(peer)


def test_slip_octets_that_end_a_long_sleep(make_engine: Make) -> None:
    """The first call after a sleep updates the time: the datagram's timers start at that moment."""
    engine = make_engine(link="slip")
    peer = Peer(engine)
    peer.handshake()
    engine.now_ms += 10_000
    ask(peer, b"GET /")
    peer.expect("A", ack=6)
    peer.expect_nothing(14_990)
    assert peer.next_segment(within=20).payload.startswith(b"HTTP/1.1 408")


def test_each_call_tells_the_time(engine: Engine) -> None:
    """The end of an old frame, and a driver that accepts frames again, also update the time."""
    peer = Peer(engine)
    peer.handshake()
    octets = get("/n33.bin")
    segment = peer.make("PA", seq=1, ack=1, payload=octets)
    datagram = Ipv4(peer.address, peer.server, 6, segment.pack(peer.address, peer.server))
    engine.limit(0)
    engine.octets_in(peer.link_frame(datagram.pack()))
    engine.now_ms += 5000
    engine.frame_end()
    assert 14_990 < engine.next_ms() + 4 <= 15_004
    engine.now_ms += 5000
    engine.limit(256)
    engine.pump()
    peer.collect()
    assert parsed(peer.expect("PA").payload).status == 200
    peer.expect_nothing(990)
    peer.expect("PA", seq=1, within=20)
