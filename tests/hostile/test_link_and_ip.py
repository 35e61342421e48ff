# SPDX-License-Identifier: MIT
"""Hostile and edge cases X001..X040: link, ARP, IP, ICMP, UDP."""

import random
import struct

import pytest

from tests.harness import Make
from tests.segments.test_link import echo, expect_echo
from tests.segments.test_retransmit import begin, drain
from tests.support import BIG, MADE_FILES, get, parsed, served
from whit.wire.packet import ARP, IPV4, UDP_PROTOCOL, Arp, Ethernet, Icmp, Ipv4, Segment, checksum, ip, slip_encode
from whit_testbed.engine import Engine
from whit_testbed.trace import Peer, Raw, set_fields


def syn(peer: Peer) -> Ipv4:
    return Ipv4(peer.address, peer.server, 6, peer.make("S", mss=1460).pack(peer.address, peer.server))


def test_x001_who_has_the_server(engine: Engine) -> None:
    peer = Raw(engine)
    peer.arp(1, peer.server)
    frame = Ethernet.parse(peer.next_frame()[1])
    assert (frame.dst, frame.src) == (peer.mac, peer.server_mac)
    assert Arp.parse(frame.payload) == Arp(2, peer.server_mac, peer.server, peer.mac, peer.address)


def test_x002_who_has_another(engine: Engine) -> None:
    peer = Raw(engine)
    for other in ("10.0.0.2", "10.0.0.3", "0.0.0.0", "255.255.255.255"):
        peer.arp(1, ip(other))
    peer.expect_nothing(3000)


@pytest.mark.parametrize("fields", [{"htype": 15}, {"ptype": 0x86DD}, {"op": 0}, {"op": 9}, {"op": 0xFFFF}])
def test_x004_arp_of_other_kinds(engine: Engine, fields: dict[str, int]) -> None:
    peer = Raw(engine)
    arp = set_fields(Arp(1, peer.mac, peer.address, bytes(6), peer.server), dict(fields))
    peer.frame(peer.link_frame(arp.pack(), ARP, dst=b"\xff" * 6))
    peer.expect_nothing(1000)
    assert engine.counters["drop_arp"] == 1


@pytest.mark.parametrize("lengths", [(0, 4), (255, 4), (6, 0), (6, 255), (0, 0), (255, 255)])
def test_x005_arp_with_wrong_lengths(engine: Engine, lengths: tuple[int, int]) -> None:
    peer = Raw(engine)
    peer.arp(1, peer.server, hlen=lengths[0], plen=lengths[1])
    peer.expect_nothing(1000)
    served(Peer(engine))


def test_x007_somebody_claims_our_address(engine: Engine) -> None:
    thief = Raw(engine, mac=bytes.fromhex("02deadbeef01"))
    for op in (1, 2) * 5:
        thief.arp(op, thief.server, sender=thief.server)
        thief.arp(op, ip("10.0.0.2"), sender=thief.server, broadcast=False)
    thief.expect_nothing(1000)
    honest = Raw(engine)
    honest.arp(1, honest.server)
    assert Arp.parse(Ethernet.parse(honest.next_frame()[1]).payload).sender_mac == honest.server_mac
    served(Peer(engine))


def test_x008_arp_flood(engine: Engine) -> None:
    peer, first = begin(engine)
    for i in range(3000):
        address, mac = bytes([10, 9, i >> 8, i & 255]), b"\x02\x99\0\0" + i.to_bytes(2, "big")
        frame = Ethernet(b"\xff" * 6, mac, ARP, Arp(1 + i % 2, mac, address, bytes(6), peer.server).pack())
        engine.frame_in(frame.pack())
    engine.sent()
    stream = bytearray(b"".join(segment.payload for segment in first))
    peer.send("A", seq=1 + len(get("/n57254.bin")), ack=1 + len(stream))
    assert {Ethernet.parse(frame).dst for _, frame in peer.queue} == {peer.mac}
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG
    served(peer)


def test_x010_short_frames_and_foreign_types(engine: Engine) -> None:
    peer = Peer(engine)
    whole = peer.link_frame(syn(peer).pack(), pad=False)
    for length in range(len(whole)):
        peer.frame(whole[:length])
    for ethertype in (0, 0x05DC, 0x8100, 0x86DD, 0x88CC, 0xFFFF):
        peer.frame(peer.link_frame(syn(peer).pack(), ethertype))
    peer.expect_nothing(1000)
    peer.frame(whole)
    peer.expect("SA", ack=1)


def test_x011_padding(engine: Engine) -> None:
    peer = Peer(engine)
    peer.handshake()
    octets = get("/n33.bin")
    datagram = Ipv4(
        peer.address, peer.server, 6, peer.make("PA", seq=1, ack=1, payload=octets).pack(peer.address, peer.server)
    )
    peer.frame(peer.link_frame(datagram.pack(), pad=False) + b"X" * 22)
    answer = peer.expect("A", ack=1 + len(octets))
    assert parsed(answer.payload).body == MADE_FILES["n33.bin"]


def test_x013_flood_while_nothing_goes_out(engine: Engine) -> None:
    peer = Peer(engine)
    engine.limit(0)
    for i in range(1000):
        Peer(engine, port=2000 + i).send("S", mss=1460)
    peer.expect_nothing()
    assert engine.counters["count_driver_busy"] == 1000
    engine.limit(256)
    served(peer)


def test_x014_slip_line_noise(make_engine: Make) -> None:
    engine = make_engine(link="slip")
    peer = Peer(engine)
    good = slip_encode(syn(peer).pack())
    for noise in (good[:20] + b"\xc0", b"\xdb\xdb" + good, b"\xdb\x41" + good, b"\x45" * 3000, good[:30]):
        engine.octets_in(noise, split=1)
        engine.octets_in(b"\xc0")
        engine.sent()
        engine.octets_in(good, split=1)
        peer.collect()
        peer.expect("SA", ack=1)
    served(peer)


@pytest.mark.parametrize("ihl", [0, 1, 4, 15])
def test_x016_header_length(engine: Engine, ihl: int) -> None:
    peer = Raw(engine)
    peer.ipv4(1, Icmp(8, 0, b"\0\1\0\1").pack(), ihl=ihl)
    peer.expect_nothing(500)
    served(Peer(engine))


@pytest.mark.parametrize("total_len", [0, 1, 19, 20, 27, 1400, 65535])
@pytest.mark.parametrize("protocol", [1, 6, 17])
def test_x017_total_length(make_engine: Make, total_len: int, protocol: int) -> None:
    for link in ("ethernet", "slip"):
        peer = Raw(make_engine(link=link))
        peer.ipv4(protocol, bytes(16), total_len=total_len)
        peer.expect_nothing(500)
        served(Peer(peer.engine))


@pytest.mark.parametrize("options", [b"\1\1\1\1", b"\x07\x07\4\0\0\0\0\0", b"\x44\x08\5\0\0\0\0\0", b"\x94\4\0\0"])
def test_x019_ip_options(engine: Engine, options: bytes) -> None:
    peer = Peer(engine)
    peer.ipv4(1, Icmp(8, 0, b"\x12\x34\0\7", b"0123456789").pack(), options=options)
    expect_echo(peer)
    peer.ipv4(6, peer.make("S", mss=1460).pack(peer.address, peer.server), options=options)
    peer.expect("SA", ack=1)


@pytest.mark.parametrize("kind", [7, 0x44, 0x83, 0x89, 0x94, 0xFF])
@pytest.mark.parametrize("length", [0, 1, 255])
def test_x020_ip_options_with_wrong_lengths(engine: Engine, kind: int, length: int) -> None:
    peer = Raw(engine)
    peer.ipv4(1, Icmp(8, 0, b"\x12\x34\0\7", b"0123456789").pack(), options=bytes([kind, length, 255, 1]) * 10)
    for _, frame in peer.queue:
        assert Ipv4.parse(Ethernet.parse(frame).payload).options == b""
    served(Peer(engine))


def test_x022_syn_in_a_later_fragment(engine: Engine) -> None:
    peer = Peer(engine)
    peer.ipv4(6, peer.make("S", mss=1460).pack(peer.address, peer.server), fragment=5)
    peer.expect_nothing(1000)


def test_x023_echo_in_two_fragments(engine: Engine) -> None:
    peer = Raw(engine)
    message = Icmp(8, 0, b"\0\1\0\1", bytes(56)).pack()
    peer.ipv4(1, message[:32], fragment=0x2000, identification=9)
    peer.ipv4(1, message[32:], fragment=4, identification=9)
    peer.expect_nothing(1000)
    assert engine.counters["drop_ip_fragment"] == 2


def test_x025_another_address_on_our_mac(engine: Engine) -> None:
    peer = Peer(engine)
    peer.server = ip("10.0.0.9")
    peer.send("S", mss=1460)
    echo(peer)
    peer.expect_nothing(1000)


def test_x026_ttl_1(engine: Engine) -> None:
    peer = Peer(engine)
    peer.ipv4(6, peer.make("S", mss=1460).pack(peer.address, peer.server), ttl=1)
    peer.expect("SA", ack=1)


@pytest.mark.parametrize("source", ["255.255.255.255", "224.0.0.1", "127.0.0.1", "0.0.0.0"])
def test_x028_syn_from_nowhere(engine: Engine, source: str) -> None:
    peer = Peer(engine, address=source)
    peer.send("S", mss=1460)
    peer.expect_nothing(3000)


def test_x029_land(engine: Engine) -> None:
    peer = Peer(engine, address="10.0.0.1", port=80)
    for _ in range(20):
        peer.send("S", mss=1460)
    peer.expect_nothing(5000)
    served(Peer(engine))


def udp(peer: Raw, port: int = 33434, data: bytes = b"data", *, summed: bool = True) -> bytes:
    """A datagram from port 4000, and how it is quoted: its first 28 octets."""
    head = struct.pack("!HHH", 4000, port, 8 + len(data))
    pseudo = peer.address + peer.server + struct.pack("!BBH", 0, UDP_PROTOCOL, 8 + len(data))
    total = checksum(pseudo + head + b"\0\0" + data) if summed else 0
    datagram = Ipv4(peer.address, peer.server, UDP_PROTOCOL, head + total.to_bytes(2, "big") + data)
    peer.datagram(datagram)
    return datagram.pack()[:28]


def expect_unreachable(peer: Raw, quoted: bytes) -> None:
    datagram = peer.next_datagram()
    answer = Icmp.parse(datagram.payload)
    assert (answer.type, answer.code, answer.rest, answer.payload) == (3, 3, bytes(4), quoted)
    assert (datagram.src, datagram.dst) == (peer.server, peer.address)


@pytest.mark.parametrize("port", [7, 33434, 80])
def test_x031_udp_is_unreachable(engine: Engine, port: int) -> None:
    """RFC 1122 section 3.2.2.1."""
    peer = Raw(engine)
    for number, data in enumerate((b"", b"1", b"data", bytes(1472))):
        for summed in (True, False):
            peer.wait(100)
            expect_unreachable(peer, udp(peer, port, data, summed=summed))
            assert engine.counters["count_unreachable"] == 2 * number + (1 if summed else 2)
    served(Peer(engine))


def test_x031_unreachable_is_said_once_in_64_ms(engine: Engine) -> None:
    peer = Raw(engine)
    for _ in range(1000):
        udp(peer)
        peer.wait(1)
    assert 15 <= len(peer.queue) <= 17
    assert sum(len(frame) for _, frame in peer.queue) < 1000 * len(udp(peer))


def test_x031_no_unreachable_for_what_is_not_quite_ours(engine: Engine) -> None:
    """RFC 1122 section 3.2.2 forbids it for broadcasts of link or IP, multicasts, fragments, wrong sums and sources
    that are no hosts. A source that has reached the limit gets none either."""
    peer = Raw(engine)
    head = struct.pack("!HHHH", 4000, 7, 12, 0)
    whole = Ipv4(peer.address, peer.server, UDP_PROTOCOL, head + b"data")
    peer.frame(Ethernet(b"\xff" * 6, peer.mac, IPV4, whole.pack()).pack())
    for dst in ("255.255.255.255", "10.255.255.255", "224.0.0.1", "10.0.0.77"):
        peer.datagram(Ipv4(peer.address, ip(dst), UDP_PROTOCOL, head + b"data"))
    for src in ("0.0.0.0", "127.0.0.1", "224.0.0.1", "10.255.255.255", "10.0.0.1"):
        peer.datagram(Ipv4(ip(src), peer.server, UDP_PROTOCOL, head + b"data"))
    peer.ipv4(UDP_PROTOCOL, head + b"data", fragment=0x2000)
    peer.ipv4(UDP_PROTOCOL, struct.pack("!HHHH", 4000, 7, 12, 0x1234) + b"data")
    peer.ipv4(UDP_PROTOCOL, head[:7])
    peer.expect_nothing()
    assert engine.counters["count_unreachable"] == 0
    expect_unreachable(peer, udp(peer))


@pytest.mark.parametrize("port", [53, 67, 68, 137, 161, 5353])
def test_x032_udp_with_wrong_length(engine: Engine, port: int) -> None:
    peer = Raw(engine)
    for length in (0, 1, 7, 500, 65535):
        peer.ipv4(17, (4000).to_bytes(2, "big") + port.to_bytes(2, "big") + length.to_bytes(2, "big") + b"\0\0data")
    peer.expect_nothing(1000)
    served(Peer(engine))


def test_x034_large_echo(make_engine: Make) -> None:
    """Whole, or not at all: as large as the free octets of the shared buffer."""
    for buffer, answered in ((1500, True), (512, False)):
        peer = Raw(make_engine(buffer=buffer))
        payload = bytes(range(200)) * 7
        echo(peer, payload)
        if answered:
            expect_echo(peer, payload)
        peer.expect_nothing(500)


def test_x035_echo_with_wrong_checksum(engine: Engine) -> None:
    peer = Raw(engine)
    echo(peer, sum=0xBEEF)
    peer.expect_nothing(500)


@pytest.mark.parametrize("code", [0, 1, 2, 3, 4])
def test_x037_unreachable_quoting_our_connection(engine: Engine, code: int) -> None:
    peer, first = begin(engine)
    for seq in (12345, first[0].seq + (peer.irs or 0)):
        quoted = Segment(80, peer.port, seq).pack(peer.server, peer.address)[:8]
        peer.icmp(3, code, bytes(4), Ipv4(peer.server, peer.address, 6, quoted + bytes(12)).pack())
    peer.expect_nothing()
    stream = bytearray(b"".join(segment.payload for segment in first))
    peer.send("A", seq=1 + len(get("/n57254.bin")), ack=1 + len(stream))
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


@pytest.mark.parametrize("mtu", [0, 1, 20, 40, 68, 65535])
def test_x038_fragmentation_needed(engine: Engine, mtu: int) -> None:
    peer, first = begin(engine)
    quoted = Segment(80, peer.port, (peer.irs or 0) + 1).pack(peer.server, peer.address)[:8]
    peer.icmp(3, 4, b"\0\0" + mtu.to_bytes(2, "big"), Ipv4(peer.server, peer.address, 6, quoted).pack())
    stream = bytearray(b"".join(segment.payload for segment in first))
    peer.send("A", seq=1 + len(get("/n57254.bin")), ack=1 + len(stream))
    more = peer.take_all()
    assert all(88 <= len(segment.payload) <= 1460 for segment in more)
    stream += b"".join(segment.payload for segment in more)
    peer.send("A", seq=1 + len(get("/n57254.bin")), ack=1 + len(stream))
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


@pytest.mark.parametrize("kind", [1, 2, 7, 19, 44, 200])
def test_x040_unassigned_icmp(engine: Engine, kind: int) -> None:
    peer = Raw(engine)
    peer.icmp(kind, payload=bytes(20))
    peer.expect_nothing(1000)


def test_random_frames_do_no_harm(make_engine: Make, seed: int) -> None:
    """Mutated frames, cut at random: whatever they do, the next client is served."""
    rng = random.Random(seed)
    for link in ("ethernet", "slip"):
        engine = make_engine(link=link)
        peer = Peer(engine)
        seeds = [
            syn(peer).pack(),
            Ipv4(peer.address, peer.server, 1, Icmp(8, 0, b"\0\1\0\1", bytes(40)).pack()).pack(),
            Ipv4(
                peer.address,
                peer.server,
                6,
                peer.make("PA", seq=1, ack=1, payload=get("/n33.bin")).pack(peer.address, peer.server),
            ).pack(),
        ]
        for i in range(3000):
            frame = bytearray(peer.link_frame(rng.choice(seeds)))
            for _ in range(rng.randrange(1, 4)):
                frame[rng.randrange(len(frame))] = rng.getrandbits(8)
            engine.frame_in(
                bytes(frame[: rng.randrange(1, len(frame) + 1)] if i % 3 == 0 else frame), rng.choice([None, 1, 5])
            )
            if i % 100 == 0:
                engine.advance(rng.randrange(100))
        engine.sent()
        engine.advance(300_000)
        engine.sent()
        served(peer)
