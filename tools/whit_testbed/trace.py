# SPDX-License-Identifier: MIT
"""Segment traces: segments of a peer and the engine's expected answers, line by line.

Sequence numbers are relative to the two initial ones, as in an RFC's ladder: the first byte of each direction is 1.
`Raw` handles frames of any kind. A failure shows the ladder of all frames.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TypeVar
from weakref import WeakKeyDictionary

from whit.wire.packet import (
    ARP,
    ICMP_PROTOCOL,
    IPV4,
    MASK32,
    TCP_PROTOCOL,
    Arp,
    Ethernet,
    Flags,
    Icmp,
    Ipv4,
    Malformed,
    Segment,
    flags_of,
    flags_text,
    ip,
    ip_text,
)
from whit_testbed.engine import Engine

Split = int | Sequence[int] | None
LADDER_MAX = 60  # most frames that an error shows: the newest
Header = TypeVar("Header", Arp, Icmp, Ipv4, Segment)


def set_fields(header: Header, fields: dict[str, object]) -> Header:
    """Sets the fields of a trace by name. Raises AttributeError for an unknown name."""
    for name, value in fields.items():
        setattr(header, name, value)
    return header


class TraceError(AssertionError):
    """The engine sent a frame that the trace does not expect."""


_PEERS: WeakKeyDictionary[Engine, list[Raw]] = WeakKeyDictionary()


# Part of an ARP request's frame, from its type on. The engine sends these for silent hosts; tests do not await them.
ARP_REQUEST = bytes.fromhex("08060001080006040001")


class Raw:
    """Frames between one host and the engine. Frames for unknown hosts are kept here too."""

    def __init__(
        self, engine: Engine, *, address: str = "10.0.0.2", mac: bytes = bytes.fromhex("0200aabbcc02")
    ) -> None:
        self.engine = engine
        self.address, self.mac = ip(address), mac
        self.server, self.server_mac = engine.identity.address, engine.identity.mac
        self.queue: deque[tuple[int, bytes]] = deque()
        self.ladder: deque[tuple[int, str, bytes | str]] = deque(maxlen=LADDER_MAX)
        self.split: Split = None
        if engine.on_frame:  # from now on frames go to peers and not to a net
            engine.on_frame = None
            engine.limit(256)
        self._peers = _PEERS.setdefault(engine, [])
        self._peers.append(self)

    # ---------------------------------------------------------------- out

    def frame(self, frame: bytes, note: str = "") -> None:
        """Sends any bytes as a frame."""
        self.ladder.append((self.engine.now_ms, ">", note or frame))
        self.engine.frame_in(frame, self.split)
        self.collect()

    def link_frame(self, payload: bytes, ethertype: int = IPV4, *, dst: bytes | None = None, pad: bool = True) -> bytes:
        if self.engine.link == "slip":
            return payload
        return Ethernet(self.server_mac if dst is None else dst, self.mac, ethertype, payload).pack(pad)

    def datagram(self, datagram: Ipv4 | bytes) -> None:
        self.frame(self.link_frame(datagram if isinstance(datagram, bytes) else datagram.pack()))

    def ipv4(self, protocol: int, payload: bytes, **fields: object) -> None:
        self.datagram(set_fields(Ipv4(self.address, self.server, protocol, payload), fields))

    def icmp(self, kind: int, code: int = 0, rest: bytes = b"\0\1\0\1", payload: bytes = b"", **fields: object) -> None:
        self.ipv4(ICMP_PROTOCOL, set_fields(Icmp(kind, code, rest, payload), fields).pack())

    def arp(
        self, op: int, target: bytes, *, sender: bytes | None = None, broadcast: bool = True, **fields: object
    ) -> None:
        arp = set_fields(Arp(op, self.mac, sender or self.address, bytes(6), target), fields)
        self.frame(self.link_frame(arp.pack(), ARP, dst=b"\xff" * 6 if broadcast else None))

    def segment(self, segment: Segment) -> None:
        """Sends a segment unchanged, with absolute numbers."""
        self.ipv4(TCP_PROTOCOL, segment.pack(self.address, self.server))

    # ---------------------------------------------------------------- in

    def collect(self) -> None:
        """Collects sent frames. Each goes to the newest peer with its address, else to this one."""
        for time_ms, frame in self.engine.sent():
            owner = next((peer for peer in reversed(self._peers) if peer.addressed(frame)), self)
            owner.ladder.append((time_ms, "<", frame))
            if self.engine.link == "slip" or frame[12:22] != ARP_REQUEST:
                owner.queue.append((time_ms, frame))
            else:
                for peer in self._peers:
                    peer.asked(time_ms, Arp.parse(frame[14:]))

    def asked(self, time_ms: int, arp: Arp) -> None:
        """Handles an ARP request for any host. A host with a connection need not answer."""

    def addressed(self, frame: bytes) -> bool:
        """True if the frame is for this host."""
        at = 16 if self.engine.link == "slip" else 30
        return (self.engine.link == "slip" or frame[:6] == self.mac) and frame[at : at + 4] == self.address

    def wait(self, ms: int) -> None:
        self.engine.advance(ms)
        self.collect()

    def next_frame(self, within: int = 0) -> tuple[int, bytes]:
        """Returns the next frame that the engine sends within `within` ms, and its time."""
        end = self.engine.now_ms + within
        while not self.queue:
            if self.engine.now_ms >= end:
                raise self.error("expected a frame, there is none")
            self.wait(min(end - self.engine.now_ms, max(1, self.engine.next_ms())))
        return self.queue.popleft()

    def next_datagram(self, within: int = 0) -> Ipv4:
        frame = self.next_frame(within)[1]
        try:
            return Ipv4.parse(frame if self.engine.link == "slip" else Ethernet.parse(frame).payload)
        except Malformed as why:
            raise self.error(str(why)) from why

    def next_segment(self, within: int = 0) -> Segment:
        datagram = self.next_datagram(within)
        try:
            if datagram.protocol != TCP_PROTOCOL:
                raise Malformed(f"protocol {datagram.protocol}, expected TCP")
            return Segment.parse(datagram.payload, datagram.src, datagram.dst)
        except Malformed as why:
            raise self.error(str(why)) from why

    def expect_nothing(self, ms: int = 0) -> None:
        """Fails if the engine sends a frame now, or within `ms`."""
        if ms:
            self.wait(ms)
        if self.queue:
            raise self.error(f"expected silence, got {describe(self.queue[0][1], self.engine.link)}")

    def error(self, text: str) -> TraceError:
        rows = (
            f"{time_ms:8} {way} {what if isinstance(what, str) else describe(what, self.engine.link)}"
            for time_ms, way, what in self.ladder
        )
        return TraceError("\n".join([text, *rows]))


class Peer(Raw):
    """One end of one TCP connection, with segments written by hand."""

    def __init__(
        self,
        engine: Engine,
        *,
        port: int = 40000,
        remote_port: int = 80,
        iss: int = 1000,
        address: str = "10.0.0.2",
        mac: bytes = bytes.fromhex("0200aabbcc02"),
    ) -> None:
        super().__init__(engine, address=address, mac=mac)
        self.port, self.remote_port, self.iss = port, remote_port, iss
        self.irs: int | None = None  # the engine's ISN, once its SYN has arrived
        self.stream = bytearray()  # what `take` received

    def make(
        self,
        flags: str,
        *,
        seq: int = 0,
        ack: int | None = None,
        wnd: int = 65535,
        payload: bytes = b"",
        mss: int | None = None,
        options: bytes = b"",
        **fields: object,
    ) -> Segment:
        bits = flags_of(flags)
        absolute = 0 if ack is None else ack + (self.irs or 0)
        numbers = self.iss + seq & MASK32, absolute & MASK32
        segment = Segment(self.port, self.remote_port, *numbers, bits, wnd, payload, mss, options)
        return set_fields(segment, fields)

    def send(
        self,
        flags: str,
        *,
        seq: int = 0,
        ack: int | None = None,
        wnd: int = 65535,
        payload: bytes = b"",
        mss: int | None = None,
        options: bytes = b"",
        **fields: object,
    ) -> None:
        self.segment(self.make(flags, seq=seq, ack=ack, wnd=wnd, payload=payload, mss=mss, options=options, **fields))

    def expect(
        self,
        flags: str,
        *,
        seq: int | None = None,
        ack: int | None = None,
        length: int | None = None,
        payload: bytes | None = None,
        wnd: int | None = None,
        mss: int | None = None,
        within: int = 0,
    ) -> Segment:
        """Checks the next segment and returns it with relative numbers. PSH is compared only if `flags` has it."""
        segment = self.next_segment(within)
        if segment.flags & Flags.S and segment.flags & Flags.A:
            self.irs = segment.seq
        wanted = flags_of(flags)
        ignored = Flags.NONE if wanted & Flags.P else Flags.P
        if segment.flags & ~ignored != wanted:
            raise self.error(f"expected {flags}, got {flags_text(segment.flags)}")
        segment.seq = segment.seq - (self.irs or 0) & MASK32
        if segment.flags & Flags.A:
            segment.ack = segment.ack - self.iss & MASK32
        found = {
            "seq": segment.seq,
            "ack": segment.ack,
            "length": len(segment.payload),
            "payload": segment.payload,
            "wnd": segment.wnd,
            "mss": segment.mss,
        }
        expected = {
            "seq": None if seq is None else seq & MASK32,
            "ack": ack,
            "length": length,
            "payload": payload,
            "wnd": wnd,
            "mss": mss,
        }
        for name, value in expected.items():
            if value is not None and found[name] != value:
                raise self.error(f"expected {name} {value!r}, got {found[name]!r}")
        if (segment.sport, segment.dport) != (self.remote_port, self.port):
            raise self.error(f"expected ports {self.remote_port} > {self.port}, got {segment.sport} > {segment.dport}")
        return segment

    def addressed(self, frame: bytes) -> bool:
        at = 20 if self.engine.link == "slip" else 34
        ports = self.remote_port.to_bytes(2, "big") + self.port.to_bytes(2, "big")
        return super().addressed(frame) and frame[at - 11] == TCP_PROTOCOL and frame[at : at + 4] == ports

    def handshake(self, *, mss: int | None = 1460, wnd: int = 65535) -> None:
        """SYN, SYN-ACK, ACK."""
        self.send("S", mss=mss, wnd=wnd)
        self.expect("SA", ack=1, length=0)
        self.send("A", seq=1, ack=1, wnd=wnd)
        self.expect_nothing()

    def take_all(self, within: int = 0) -> list[Segment]:
        """Returns all segments that wait now, or arrive within `within` ms."""
        if within:
            self.wait(within)
        segments = []
        while self.queue:
            segment = self.next_segment()
            segment.seq = segment.seq - (self.irs or 0) & MASK32
            segment.ack = segment.ack - self.iss & MASK32
            segments.append(segment)
        return segments

    def receive(self, *, seq: int, at: int = 1, wnd: int = 65535, count: int = 10_000) -> bytes:
        """Takes data from position `at` on, and acknowledges each segment, until a FIN or silence."""
        stream, end = bytearray(), False
        for _ in range(count):
            segments = self.take_all()
            if not segments or end:
                break
            for segment in segments:
                if segment.seq == at + len(stream):
                    stream += segment.payload
                    end = end or bool(segment.flags & Flags.F)
                self.send("A", seq=seq, ack=at + len(stream) + end, wnd=wnd)
        return bytes(stream)


def describe(frame: bytes, link: str = "ethernet") -> str:
    """Returns a frame as one line of text."""
    try:
        if link == "slip":
            return _describe_datagram(Ipv4.parse(frame))
        ethernet = Ethernet.parse(frame)
        if ethernet.ethertype == ARP:
            arp = Arp.parse(ethernet.payload)
            return f"ARP op {arp.op} {ip_text(arp.sender_ip)} {arp.sender_mac.hex(':')} > {ip_text(arp.target_ip)}"
        if ethernet.ethertype != IPV4:
            return f"EtherType {ethernet.ethertype:04x}, {len(ethernet.payload)} octets"
        return _describe_datagram(Ipv4.parse(ethernet.payload))
    except Malformed as why:
        return f"{len(frame)} octets: {why}"


def _describe_datagram(datagram: Ipv4) -> str:
    if datagram.fragment & 0x3FFF or datagram.protocol not in (ICMP_PROTOCOL, TCP_PROTOCOL):
        return f"protocol {datagram.protocol} fragment {datagram.fragment:04x} {len(datagram.payload)} octets"
    if datagram.protocol == ICMP_PROTOCOL:
        icmp = Icmp.parse(datagram.payload)
        return f"ICMP {icmp.type}/{icmp.code} {len(icmp.payload)} octets"
    return f"TCP {Segment.parse(datagram.payload, datagram.src, datagram.dst)}"
