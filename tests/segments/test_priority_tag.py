# SPDX-License-Identifier: MIT
"""Frames with an IEEE 802.1Q tag: a tag with a priority and no VLAN is ignored; other frames are dropped."""

import pytest

from tests.support import MADE_FILES, get, parsed, served
from whit.wire.packet import ARP, IPV4, Arp, Ethernet, Ipv4
from whit_testbed.engine import Engine
from whit_testbed.trace import Peer, Raw


def tagged(peer: Raw, payload: bytes, tci: int, ethertype: int = IPV4, *, tags: bytes = b"") -> bytes:
    """An Ethernet frame with a tag of IEEE 802.1Q."""
    frame = peer.link_frame(payload, ethertype)
    return frame[:12] + b"\x81\x00" + tci.to_bytes(2, "big") + tags + frame[12:]


@pytest.mark.parametrize("split", [None, 1, 13, 15, 16, 17])
@pytest.mark.parametrize("tci", [0x0000, 0x2000, 0xE000, 0x1000, 0xF000])
def test_a_tag_that_tells_a_priority_alone_is_none(engine: Engine, tci: int, split: int | None) -> None:
    """IEEE 802.1Q: VLAN 0 means no VLAN. Answers have no tag."""
    peer = Peer(engine)
    peer.split = split

    def send(flags: str, payload: bytes = b"", **fields: int) -> None:
        segment = peer.make(flags, payload=payload, **fields)
        datagram = Ipv4(peer.address, peer.server, 6, segment.pack(peer.address, peer.server))
        peer.frame(tagged(peer, datagram.pack(), tci))

    send("S", mss=1460)
    peer.expect("SA", ack=1)
    octets = get("/n33.bin")
    send("PA", octets, seq=1, ack=1)
    assert parsed(peer.expect("A").payload).body == MADE_FILES["n33.bin"]
    peer.frame(tagged(peer, Arp(1, peer.mac, peer.address, bytes(6), peer.server).pack(), tci, ARP))
    assert Ethernet.parse(peer.next_frame()[1]).ethertype == ARP


@pytest.mark.parametrize(
    ("tci", "tags", "ethertype"),
    [
        *((tci, b"", IPV4) for tci in (1, 0xFFF, 0x2001, 0x0100)),
        (0, b"\x81\x00\0\0", IPV4),  # two
        (0, b"", 0x88A8),
        (0, b"", 0x86DD),
    ],
)
def test_frames_of_a_vlan_are_dropped(engine: Engine, tci: int, tags: bytes, ethertype: int) -> None:
    peer = Peer(engine)
    segment = peer.make("S", mss=1460)
    datagram = Ipv4(peer.address, peer.server, 6, segment.pack(peer.address, peer.server))
    peer.frame(tagged(peer, datagram.pack(), tci, ethertype, tags=tags))
    peer.expect_nothing(1000)
    assert engine.counters["drop_foreign"] == 1
    served(peer, 41000)


def test_a_tagged_frame_that_ends_in_its_tag(engine: Engine) -> None:
    peer = Raw(engine)
    frame = tagged(peer, bytes(40), 0)
    for length in (14, 15, 17):
        peer.frame(frame[:length])
    peer.expect_nothing(100)
    assert engine.counters["drop_frame_short"] == 3
