# SPDX-License-Identifier: MIT
"""IPv4 datagrams of a line, with their times. The parser is lenient: a capture may truncate datagrams and lack
checksums that hardware fills in."""

import struct
from dataclasses import dataclass

from whit.wire.packet import ARP, IPV4, TCP_PROTOCOL, Flags, ip_text

End = tuple[str, int]  # address and port


@dataclass(frozen=True)
class Sighting:
    """A frame's content and its times in µs. `queued_us`: it was given to the line, which may have been busy then."""

    queued_us: int
    begin_us: int  # its first octet leaves
    end_us: int | None  # its last octet arrives; None: it was lost
    datagram: bytes
    is_up: bool | None = None  # towards the server; None: not known


@dataclass(frozen=True)
class TcpDatagram:
    """A segment with fields of its IP header. `payload` may be truncated; `payload_len` is its whole length."""

    source: End
    destination: End
    octets: int  # of the datagram
    seq: int
    ack: int
    flags: Flags
    window: int
    payload_len: int
    payload: bytes
    mss: int | None


def ethernet_datagram(frame: bytes) -> bytes:
    """Returns the IPv4 datagram of an Ethernet frame, or its ARP message; else nothing."""
    at = 16 if frame[12:14] == b"\x81\x00" else 12  # IEEE 802.1Q
    ethertype = int.from_bytes(frame[at : at + 2], "big")
    return frame[at + 2 :] if ethertype in (IPV4, ARP) else b""


def read_tcp(datagram: bytes) -> TcpDatagram | None:
    """Returns the segment; None: the datagram does not begin with a TCP segment."""
    if len(datagram) < 40 or datagram[0] >> 4 != 4 or datagram[9] != TCP_PROTOCOL:
        return None
    ihl, total_len = 4 * (datagram[0] & 15), int.from_bytes(datagram[2:4], "big")
    if int.from_bytes(datagram[6:8], "big") & 0x1FFF or ihl < 20 or len(datagram) < ihl + 20:
        return None
    total_len = total_len or len(datagram)  # 0: hardware was to cut it
    tcp = datagram[ihl:total_len]
    if len(tcp) < 20:
        return None
    sport, dport, seq, ack, offset, flags, window = struct.unpack("!HHIIBBH", tcp[:16])
    header_len = 4 * (offset >> 4)
    if header_len < 20 or ihl + header_len > total_len:
        return None
    source, destination = (ip_text(datagram[12:16]), sport), (ip_text(datagram[16:20]), dport)
    payload_len = total_len - ihl - header_len
    mss = _mss(tcp[20:header_len])
    payload = tcp[header_len:]
    return TcpDatagram(source, destination, total_len, seq, ack, Flags(flags), window, payload_len, payload, mss)


def other_label(datagram: bytes) -> str:
    """The label of a datagram that is not TCP."""
    if datagram[:2] == b"\x00\x01":
        return "ARP request" if datagram[6:8] == b"\x00\x01" else "ARP reply"
    if len(datagram) >= 20 and datagram[0] >> 4 == 4:
        return {1: "ICMP", 17: "UDP"}.get(datagram[9], f"IP protocol {datagram[9]}")
    return "?"


def other_source(datagram: bytes) -> str:
    """Returns the sender's address; empty if the datagram is truncated before it."""
    octets = datagram[14:18] if datagram[:2] == b"\x00\x01" else datagram[12:16]
    return ip_text(octets) if len(octets) == 4 else ""


def other_len(datagram: bytes) -> int:
    """Returns the octets of a datagram that is not TCP, without the padding of its frame."""
    if datagram[:2] == b"\x00\x01":
        return 28
    return min(len(datagram), int.from_bytes(datagram[2:4], "big") or len(datagram))


def _mss(options: bytes) -> int | None:
    at = 0
    while at < len(options) and options[at] != 0:
        if options[at] == 1:
            at += 1
            continue
        length = options[at + 1] if at + 1 < len(options) else 0
        if options[at] == 2 and length == 4:
            return int.from_bytes(options[at + 2 : at + 4], "big")
        if length < 2:
            break
        at += length
    return None
