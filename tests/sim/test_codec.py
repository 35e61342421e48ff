# SPDX-License-Identifier: MIT
"""The codec of whit_testbed against scapy, and against itself."""

import random

import pytest
from scapy.layers.inet import ICMP, IP, TCP
from scapy.layers.l2 import ARP, Ether

from whit.wire import packet
from whit.wire.packet import Arp, Ethernet, Flags, Icmp, Ipv4, Malformed, Segment, ip

HERE, THERE = "10.0.0.2", "10.0.0.1"
MAC_HERE, MAC_THERE = "02:00:0a:00:00:02", "02:00:0a:00:00:01"


def mac(text: str) -> bytes:
    return bytes.fromhex(text.replace(":", ""))


@pytest.mark.parametrize("length", [0, 1, 2, 535, 1460])
def test_tcp_is_what_scapy_makes(length: int) -> None:
    payload = random.Random(length).randbytes(length)
    segment = Segment(40000, 80, 0xFFFFFFF0, 0x12345678, Flags.S | Flags.A | Flags.U, 4321, payload, mss=1460, urgent=7)
    ours = Ipv4(ip(HERE), ip(THERE), 6, segment.pack(ip(HERE), ip(THERE)), identification=77).pack()
    theirs = IP(src=HERE, dst=THERE, id=77, flags="DF") / TCP(
        sport=40000,
        dport=80,
        seq=0xFFFFFFF0,
        ack=0x12345678,
        flags="SAU",
        window=4321,
        urgptr=7,
        options=[("MSS", 1460)],
    )
    assert ours == bytes(theirs / payload)
    parsed = Segment.parse(Ipv4.parse(ours).payload, ip(HERE), ip(THERE))
    assert (parsed.seq, parsed.ack, parsed.flags, parsed.wnd, parsed.mss) == (
        0xFFFFFFF0,
        0x12345678,
        segment.flags,
        4321,
        1460,
    )
    assert parsed.payload == payload


def test_icmp_and_arp_are_what_scapy_makes() -> None:
    ours = Ethernet(
        mac(MAC_THERE),
        mac(MAC_HERE),
        0x0800,
        Ipv4(ip(HERE), ip(THERE), 1, Icmp(8, 0, b"\x12\x34\0\1", b"ping?").pack()).pack(),
    ).pack(pad=False)
    theirs = (
        Ether(src=MAC_HERE, dst=MAC_THERE)
        / IP(src=HERE, dst=THERE, id=0, flags="DF")
        / ICMP(id=0x1234, seq=1)
        / b"ping?"
    )
    assert ours == bytes(theirs)
    arp = Arp(1, mac(MAC_HERE), ip(HERE), bytes(6), ip(THERE)).pack()
    assert arp == bytes(ARP(op=1, hwsrc=MAC_HERE, psrc=HERE, hwdst="00:00:00:00:00:00", pdst=THERE))


def test_any_flipped_bit_is_noticed() -> None:
    datagram = Ipv4(ip(HERE), ip(THERE), 6, Segment(1, 80, payload=b"abcdef").pack(ip(HERE), ip(THERE))).pack()
    for bit in range(len(datagram) * 8):
        flipped = bytearray(datagram)
        flipped[bit // 8] ^= 1 << bit % 8
        with pytest.raises(Malformed):
            parsed = Ipv4.parse(bytes(flipped))
            Segment.parse(parsed.payload, parsed.src, parsed.dst)


def test_slip_round_trip() -> None:
    octets = bytes(range(256)) + b"\xdb\xdc\xdb\xdd\xdb\xdb\xc0\xc0\xdc"
    assert packet.slip_decode(packet.slip_encode(octets) * 2) == [octets, octets]
    with pytest.raises(Malformed):
        packet.slip_decode(b"\xc0ab\xdbc\xc0")
