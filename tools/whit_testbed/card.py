# SPDX-License-Identifier: MIT
"""Segmentation offload of a network card: it cuts a large segment and writes the checksums."""

from dataclasses import replace

from whit.wire.packet import TCP_PROTOCOL, Ethernet, Flags, Ipv4, Malformed, Segment, checksum, pseudo_header

_SUM = slice(16, 18)  # of a TCP header
_LAST_ONLY = Flags.P | Flags.F


def cut(frame: bytes, payload: int) -> list[bytes]:
    """Returns segments of at most `payload` bytes. Raises Malformed if the checksum is not the pseudo header's, or if a
    card could not cut the segment."""
    ethernet = Ethernet.parse(frame)
    datagram = Ipv4.parse(ethernet.payload)
    octets = bytearray(datagram.payload)
    pseudo = pseudo_header(datagram.src, datagram.dst, len(octets))
    if datagram.ihl != 5 or datagram.protocol != TCP_PROTOCOL or octets[12] != 5 << 4:
        raise Malformed("no TCP segment without options")
    if int.from_bytes(octets[_SUM], "big") != 0xFFFF ^ checksum(pseudo):
        raise Malformed("the checksum is not that of the pseudo header")
    octets[_SUM] = bytes(2)
    octets[_SUM] = checksum(pseudo + octets).to_bytes(2, "big")
    whole = Segment.parse(bytes(octets), datagram.src, datagram.dst)
    frames = []
    for at in range(0, len(whole.payload), payload):
        last = at + payload >= len(whole.payload)
        flags = whole.flags if last else whole.flags & ~_LAST_ONLY
        one = replace(whole, seq=whole.seq + at, flags=flags, payload=whole.payload[at : at + payload], sum=None)
        ip = replace(datagram, payload=one.pack(datagram.src, datagram.dst), total_len=None, sum=None)
        frames.append(replace(ethernet, payload=ip.pack()).pack(pad=False))
    return frames
