# SPDX-License-Identifier: MIT
"""A model of the classic small stack, in virtual time: what Whit is compared with.

It speaks HTTP/1.1 over TCP to the same clients on the same links as the engine (`Net(cast(Engine, Classic(...)))`), and
differs from it in one thing: a connection has one segment in flight, and the next one is not sent before the peer has
acknowledged it. It costs no time of its own.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from whit.sim.client import distance
from whit.sim.engine import Identity
from whit.sim.packet import ARP, IPV4, MASK32, TCP_PROTOCOL, Arp, Ethernet, Flags, Ipv4, Malformed, Segment

RTO_MS = 1000
WINDOW = 5840  # octets

Answer = Callable[[str], Sequence[bytes]]
"""The response to a target, as the application writes it: no segment holds octets of two writes."""


@dataclass
class _Connection:
    """One connection. Numbers are those on the wire."""

    address: bytes
    mac: bytes
    port: int
    rcv_nxt: int
    snd_nxt: int  # of the segment in flight, or to be sent next
    mss: int
    request: bytearray = field(default_factory=bytearray)
    waiting: deque[bytes] = field(default_factory=deque)  # segments behind the one in flight
    flight: bytes = b""  # the segment in flight, kept until it is acknowledged
    due_ms: int | None = None  # it is sent again
    rto_ms: int = RTO_MS


class Classic:
    """The server. `held` are octets of sent segments that wait for their acknowledgment."""

    link = "ethernet"

    def __init__(self, answer: Answer, *, mss: int = 1460, iss: int = 1_000_000, now_ms: int = 1000) -> None:
        self.answer = answer
        self.identity = Identity()
        self.now_ms = now_ms
        self.on_frame: Callable[[bytes], None] | None = None
        self._mss, self._iss = mss, iss
        self._connections: dict[tuple[bytes, int], _Connection] = {}

    @property
    def held(self) -> int:
        return sum(len(connection.flight) for connection in self._connections.values())

    # ---------------------------------------------------------------- what a net asks of a server

    def limit(self, frames: int) -> None:
        """The driver's queue takes what there is: one segment of a connection."""

    def next_ms(self) -> int:
        due = [connection.due_ms for connection in self._connections.values() if connection.due_ms is not None]
        return max(0, min(due) - self.now_ms) if due else 60_000

    def tick(self) -> None:
        for connection in self._connections.values():
            if connection.due_ms is not None and connection.due_ms <= self.now_ms:
                connection.rto_ms = min(2 * connection.rto_ms, 60_000)
                self._transmit(connection)

    def frame_in(self, frame: bytes, split: object = None) -> None:
        try:
            ethernet = Ethernet.parse(frame)
            if ethernet.ethertype == ARP:
                self._arp_in(Arp.parse(ethernet.payload))
            elif ethernet.ethertype == IPV4 and ethernet.dst == self.identity.mac:
                datagram = Ipv4.parse(ethernet.payload)
                if datagram.protocol == TCP_PROTOCOL and datagram.dst == self.identity.address:
                    segment = Segment.parse(datagram.payload, datagram.src, datagram.dst)
                    self._segment_in(segment, datagram.src, ethernet.src)
        except Malformed:
            pass

    # ---------------------------------------------------------------- in

    def _arp_in(self, arp: Arp) -> None:
        if arp.op == 1 and arp.target_ip == self.identity.address:
            reply = Arp(2, self.identity.mac, self.identity.address, arp.sender_mac, arp.sender_ip)
            self._send(Ethernet(arp.sender_mac, self.identity.mac, ARP, reply.pack()))

    def _segment_in(self, segment: Segment, address: bytes, mac: bytes) -> None:
        key = address, segment.sport
        if segment.flags & Flags.R:
            self._connections.pop(key, None)
        elif segment.flags & Flags.S:
            mss = min(self._mss, 536 if segment.mss is None else segment.mss)
            rcv_nxt = segment.seq + 1 & MASK32
            connection = _Connection(address, mac, segment.sport, rcv_nxt, self._iss + 1 & MASK32, mss)
            self._connections[key] = connection
            self._emit(connection, Flags.S | Flags.A, self._iss, mss=self._mss)
        elif key in self._connections:
            connection = self._connections[key]
            self._ack_in(connection, segment)
            self._data_in(connection, segment)
            if segment.flags & Flags.F and connection.rcv_nxt == segment.seq + len(segment.payload) & MASK32:
                connection.rcv_nxt = connection.rcv_nxt + 1 & MASK32
                self._emit(connection, Flags.F | Flags.A, connection.snd_nxt)
                del self._connections[key]

    def _ack_in(self, connection: _Connection, segment: Segment) -> None:
        """A segment is acknowledged as a whole, or it is still in flight."""
        if connection.flight and distance(segment.ack, connection.snd_nxt) >= len(connection.flight):
            connection.snd_nxt = connection.snd_nxt + len(connection.flight) & MASK32
            connection.flight, connection.due_ms, connection.rto_ms = b"", None, RTO_MS
            self._next(connection)

    def _data_in(self, connection: _Connection, segment: Segment) -> None:
        if not segment.payload:
            return
        if segment.seq == connection.rcv_nxt:
            connection.rcv_nxt = connection.rcv_nxt + len(segment.payload) & MASK32
            connection.request += segment.payload
            if connection.request.endswith(b"\r\n\r\n"):
                self._request_in(connection)
                return  # the response acknowledges it
        self._emit(connection, Flags.A, connection.snd_nxt + len(connection.flight))

    def _request_in(self, connection: _Connection) -> None:
        target = bytes(connection.request).split(b" ", 2)[1].decode("latin-1")
        connection.request.clear()
        for write in self.answer(target):
            connection.waiting += (write[at : at + connection.mss] for at in range(0, len(write), connection.mss))
        self._next(connection)

    # ---------------------------------------------------------------- out

    def _next(self, connection: _Connection) -> None:
        if connection.waiting and not connection.flight:
            connection.flight = connection.waiting.popleft()
            self._transmit(connection)

    def _transmit(self, connection: _Connection) -> None:
        connection.due_ms = self.now_ms + connection.rto_ms
        self._emit(connection, Flags.A | Flags.P, connection.snd_nxt, connection.flight)

    def _emit(
        self, connection: _Connection, flags: Flags, seq: int, payload: bytes = b"", mss: int | None = None
    ) -> None:
        numbers = seq & MASK32, connection.rcv_nxt
        segment = Segment(80, connection.port, *numbers, flags, WINDOW, payload, mss)
        us, peer = self.identity.address, connection.address
        datagram = Ipv4(us, peer, TCP_PROTOCOL, segment.pack(us, peer))
        self._send(Ethernet(connection.mac, self.identity.mac, IPV4, datagram.pack()))

    def _send(self, frame: Ethernet) -> None:
        if self.on_frame:
            self.on_frame(frame.pack())
