# SPDX-License-Identifier: MIT
"""Ethernet, ARP, IPv4, ICMP and TCP on the wire, as dataclasses in host order.

Every `pack` computes lengths and checksums unless a field says otherwise: tests of hostile input set them by hand.
Every `parse` raises `Malformed` for what RFC 791, 792, 826 and 9293 forbid, wrong checksums included.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntFlag
from ipaddress import IPv4Address
from itertools import islice

IPV4, ARP = 0x0800, 0x0806
ICMP_PROTOCOL, TCP_PROTOCOL, UDP_PROTOCOL = 1, 6, 17
ETHERNET_MIN = 60  # octets of the shortest frame, FCS not counted
MASK32 = 0xFFFFFFFF


class Malformed(Exception):
    """The octets are not a valid frame, datagram or segment."""


class Flags(IntFlag):
    """TCP's control bits (RFC 9293 section 3.1); the short names are those of a trace: S, A, F, R, P, U, E, C."""

    NONE = 0
    F = 1
    S = 2
    R = 4
    P = 8
    A = 16
    U = 32
    E = 64
    C = 128

    def __and__(self, other: int) -> Flags:
        """Works as in any IntFlag, in a tenth of the time: a simulation tests flags of each segment several times."""
        return _FLAGS[int.__and__(self, other)]


_FLAGS = tuple(map(Flags, range(256)))


def flags_of(letters: str) -> Flags:
    """'SA' -> Flags.S | Flags.A. '-' and '' are no flag at all."""
    flags = Flags.NONE
    for letter in letters.replace("-", ""):
        flags |= Flags[letter]
    return flags


def flags_text(flags: int) -> str:
    return _FLAG_TEXTS[flags]


_FLAG_TEXTS = {
    flags: "".join(letter for letter in "SFRPAUEC" if flags & Flags[letter].value) or "-" for flags in range(256)
}


def ip(text: str) -> bytes:
    return IPv4Address(text).packed


def ip_text(address: bytes) -> str:
    return str(IPv4Address(address))


def distance(a: int, b: int) -> int:
    """Returns a - b of two 32-bit sequence numbers that are less than 2^31 apart."""
    return (a - b + 0x80000000 & MASK32) - 0x80000000


def checksum(octets: bytes) -> int:
    """Internet checksum, complemented (RFC 1071). 0 over octets that include a right checksum."""
    if len(octets) & 1:
        octets += b"\0"
    total = int.from_bytes(octets, "big")
    return 0xFFFF if total == 0 else ~(total % 0xFFFF or 0xFFFF) & 0xFFFF


@dataclass(slots=True)
class Ethernet:
    dst: bytes
    src: bytes
    ethertype: int
    payload: bytes

    def pack(self, pad: bool = True) -> bytes:
        frame = self.dst + self.src + struct.pack("!H", self.ethertype) + self.payload
        return frame.ljust(ETHERNET_MIN, b"\0") if pad else frame

    @classmethod
    def parse(cls, frame: bytes) -> Ethernet:
        if len(frame) < 14:
            raise Malformed(f"Ethernet frame of {len(frame)} bytes")
        return cls(frame[:6], frame[6:12], int.from_bytes(frame[12:14], "big"), frame[14:])


@dataclass(slots=True)
class Arp:
    op: int  # 1 request, 2 reply
    sender_mac: bytes
    sender_ip: bytes
    target_mac: bytes
    target_ip: bytes
    htype: int = 1
    ptype: int = IPV4
    hlen: int = 6
    plen: int = 4

    def pack(self) -> bytes:
        head = struct.pack("!HHBBH", self.htype, self.ptype, self.hlen, self.plen, self.op)
        return head + self.sender_mac + self.sender_ip + self.target_mac + self.target_ip

    @classmethod
    def parse(cls, octets: bytes) -> Arp:
        if len(octets) < 28:
            raise Malformed(f"ARP of {len(octets)} bytes")
        htype, ptype, hlen, plen, op = struct.unpack("!HHBBH", octets[:8])
        if (htype, ptype, hlen, plen) != (1, IPV4, 6, 4) or op not in (1, 2):
            raise Malformed(f"ARP htype {htype} ptype {ptype:#x} lengths {hlen}/{plen} op {op}")
        return cls(op, octets[8:14], octets[14:18], octets[18:24], octets[24:28])


@dataclass(slots=True)
class Ipv4:
    src: bytes
    dst: bytes
    protocol: int
    payload: bytes
    ttl: int = 64
    identification: int = 0
    fragment: int = 0x4000  # the 16 bits of flags and fragment offset: 0x4000 DF, 0x2000 MF
    options: bytes = b""  # a multiple of 4 octets
    tos: int = 0
    version: int = 4
    ihl: int | None = None  # in 32-bit words
    total_len: int | None = None
    sum: int | None = None

    def pack(self) -> bytes:
        ihl = 5 + len(self.options) // 4 if self.ihl is None else self.ihl
        total_len = 20 + len(self.options) + len(self.payload) if self.total_len is None else self.total_len

        def head(header_sum: int) -> bytes:
            return (
                struct.pack(
                    "!BBHHHBBH4s4s",
                    self.version << 4 | ihl,
                    self.tos,
                    total_len,
                    self.identification,
                    self.fragment,
                    self.ttl,
                    self.protocol,
                    header_sum,
                    self.src,
                    self.dst,
                )
                + self.options
            )

        return head(checksum(head(0)) if self.sum is None else self.sum) + self.payload

    @classmethod
    def parse(cls, octets: bytes) -> Ipv4:
        if len(octets) < 20:
            raise Malformed(f"IPv4 of {len(octets)} bytes")
        vihl, tos, total_len, identification, fragment, ttl, protocol, header_sum, src, dst = struct.unpack(
            "!BBHHHBBH4s4s", octets[:20]
        )
        header_len = (vihl & 15) * 4
        if vihl >> 4 != 4 or header_len < 20 or not header_len <= total_len <= len(octets):
            raise Malformed(f"IPv4 version/IHL {vihl:#x}, total length {total_len} of {len(octets)}")
        if checksum(octets[:header_len]) != 0:
            raise Malformed("IPv4 header checksum")
        return cls(
            src,
            dst,
            protocol,
            octets[header_len:total_len],
            ttl,
            identification,
            fragment,
            octets[20:header_len],
            tos,
            4,
            vihl & 15,
            total_len,
            header_sum,
        )


@dataclass(slots=True)
class Icmp:
    type: int
    code: int
    rest: bytes  # the 4 octets after the checksum
    payload: bytes = b""
    sum: int | None = None

    def pack(self) -> bytes:
        def message(message_sum: int) -> bytes:
            return struct.pack("!BBH", self.type, self.code, message_sum) + self.rest + self.payload

        return message(checksum(message(0)) if self.sum is None else self.sum)

    @classmethod
    def parse(cls, octets: bytes) -> Icmp:
        if len(octets) < 8 or checksum(octets) != 0:
            raise Malformed("ICMP length or checksum")
        return cls(octets[0], octets[1], octets[4:8], octets[8:], int.from_bytes(octets[2:4], "big"))


def mss_option(mss: int) -> bytes:
    return struct.pack("!BBH", 2, 4, mss)


SACK_PERMITTED = b"\x04\x02"
SACK_BLOCKS_MAX = 4  # as many as fit 40 octets of options


def sack_option(blocks: Iterable[tuple[int, int]]) -> bytes:
    """RFC 2018 section 3, of the first ones that find room, aligned as Linux aligns it; of no blocks: nothing."""
    first = islice(blocks, SACK_BLOCKS_MAX)
    edges = b"".join(struct.pack("!II", begin & MASK32, end & MASK32) for begin, end in first)
    return b"\1\1" + bytes([5, 2 + len(edges)]) + edges if edges else b""


@dataclass(slots=True)
class Segment:
    """A TCP segment. `mss` packs an MSS option before `options`; parsing takes it out of the options it finds."""

    sport: int
    dport: int
    seq: int = 0
    ack: int = 0
    flags: Flags = Flags.NONE
    wnd: int = 65535
    payload: bytes = b""
    mss: int | None = None
    options: bytes = b""
    urgent: int = 0
    reserved: int = 0  # 4 bits
    offset: int | None = None  # data offset in 32-bit words
    sum: int | None = None
    raw_options: bytes = field(default=b"", compare=False)  # when parsed: all option octets, unchanged

    @property
    def seq_len(self) -> int:
        """SEG.LEN: octets in sequence space."""
        return len(self.payload) + bool(self.flags & Flags.S) + bool(self.flags & Flags.F)

    def pack(self, src: bytes, dst: bytes) -> bytes:
        options = (b"" if self.mss is None else mss_option(self.mss)) + self.options
        options += b"\0" * (-len(options) % 4)
        offset = 5 + len(options) // 4 if self.offset is None else self.offset

        def segment(segment_sum: int) -> bytes:
            return (
                struct.pack(
                    "!HHIIBBHHH",
                    self.sport,
                    self.dport,
                    self.seq & MASK32,
                    self.ack & MASK32,
                    offset << 4 & 0xF0 | self.reserved,
                    self.flags,
                    self.wnd,
                    segment_sum,
                    self.urgent,
                )
                + options
                + self.payload
            )

        if self.sum is not None:
            return segment(self.sum)
        plain = segment(0)
        return segment(checksum(pseudo_header(src, dst, len(plain)) + plain))

    @classmethod
    def parse(cls, octets: bytes, src: bytes, dst: bytes) -> Segment:
        if len(octets) < 20:
            raise Malformed(f"TCP of {len(octets)} bytes")
        sport, dport, seq, ack, offset, flags, wnd, segment_sum, urgent = struct.unpack("!HHIIBBHHH", octets[:20])
        header_len = (offset >> 4) * 4
        if not 20 <= header_len <= len(octets):
            raise Malformed(f"TCP data offset {offset >> 4}")
        if checksum(pseudo_header(src, dst, len(octets)) + octets) != 0:
            raise Malformed("TCP checksum")
        mss, rest = split_options(octets[20:header_len])
        return cls(
            sport,
            dport,
            seq,
            ack,
            _FLAGS[flags],
            wnd,
            octets[header_len:],
            mss,
            rest,
            urgent,
            offset & 15,
            offset >> 4,
            segment_sum,
            octets[20:header_len],
        )

    def __str__(self) -> str:
        text = f"{flags_text(self.flags):3} seq {self.seq} ack {self.ack} wnd {self.wnd} len {len(self.payload)}"
        return text + ("" if self.mss is None else f" mss {self.mss}")


def pseudo_header(src: bytes, dst: bytes, tcp_len: int, protocol: int = TCP_PROTOCOL) -> bytes:
    return src + dst + struct.pack("!BBH", 0, protocol, tcp_len)


def split_options(options: bytes) -> tuple[int | None, bytes]:
    """TCP options -> (MSS, the other options, NOP and end of list left out)."""
    mss, rest, at = None, b"", 0
    while at < len(options) and options[at] != 0:
        if options[at] == 1:
            at += 1
            continue
        length = options[at + 1] if at + 1 < len(options) else 0
        if length < 2 or at + length > len(options):
            raise Malformed(f"TCP option {options[at]} of length {length}")
        if options[at] == 2 and length == 4:
            mss = int.from_bytes(options[at + 2 : at + 4], "big")
        else:
            rest += options[at : at + length]
        at += length
    return mss, rest


# SLIP (RFC 1055): END, ESC and the escape sequences.
END, ESC, ESC_END, ESC_ESC = b"\xc0", b"\xdb", b"\xdb\xdc", b"\xdb\xdd"


def slip_encode(datagram: bytes) -> bytes:
    """A datagram as raw line octets, END before and after it."""
    return END + datagram.replace(ESC, ESC_ESC).replace(END, ESC_END) + END


def slip_decode(line: bytes) -> list[bytes]:
    """Raw line octets -> the datagrams that END closed. Raises on a wrong escape."""
    datagrams = []
    for packet in line.split(END):
        for at in (i for i, octet in enumerate(packet) if octet == ESC[0]):
            if packet[at : at + 2] not in (ESC_END, ESC_ESC):
                raise Malformed(f"SLIP escape {packet[at : at + 2].hex()}")
        if packet:
            datagrams.append(packet.replace(ESC_END, END).replace(ESC_ESC, ESC))
    return datagrams
