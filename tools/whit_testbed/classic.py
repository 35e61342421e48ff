# SPDX-License-Identifier: MIT
"""A model of the classic small stack, in virtual time: Whit is compared with it.

It speaks HTTP/1.1 over TCP to the same clients on the same links as the engine (`Net(cast(Engine, Classic(...)))`). One
thing differs: a connection has one segment in flight. The next segment waits for the peer's acknowledgment. `Behaviour`
makes it other servers of the papers. The model uses no computing time.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum

from whit.wire.packet import ARP, IPV4, MASK32, TCP_PROTOCOL, Arp, Ethernet, Flags, Ipv4, Malformed, Segment, distance
from whit_testbed.engine import Identity

RTO_MS = 1000
WINDOW = 5840  # bytes
UNLIMITED = 1 << 30

Answer = Callable[[str], Sequence[bytes]]
"""The response to a target, as the application writes it: no segment holds bytes of two writes."""


class Close(Enum):
    """The event after which the server ends a connection."""

    NEVER = "when the client does"
    ACKNOWLEDGED = "when all of a response has been acknowledged"
    SENT = "behind the last octet of a response"


@dataclass(frozen=True)
class Behaviour:
    """Behaviour of a server. `kept`: sent bytes stay in RAM until they are acknowledged."""

    in_flight: int = 1  # segments
    close: Close = Close.NEVER
    mss: int = 1460  # most bytes of a segment, whatever MSS the client offers
    kept: bool = True
    in_windows: bool = False  # the next segments are sent when no segment is in flight


UIP = Behaviour(close=Close.ACKNOWLEDGED)
"""uIP's web server as the papers describe it; its application writes the head in two parts, apart from the content."""
MINIWEB = Behaviour(in_flight=UNLIMITED, close=Close.SENT, mss=200, kept=False)
"""miniWeb as the papers describe it: segments made when it was built, for the smallest MSS."""


@dataclass
class _Sent:
    seq: int
    octets: bytes
    fin: bool

    @property
    def seq_len(self) -> int:
        return len(self.octets) + self.fin


@dataclass
class _Connection:
    """One connection. Sequence numbers are absolute, as on the wire."""

    address: bytes
    mac: bytes
    port: int
    rcv_nxt: int
    snd_nxt: int
    mss: int
    wnd: int
    request: bytearray = field(default_factory=bytearray)
    waiting: deque[bytes] = field(default_factory=deque)  # segments not yet sent
    flight: deque[_Sent] = field(default_factory=deque)  # segments in flight, kept until they are acknowledged
    due_ms: int | None = None  # when the oldest of them is retransmitted
    rto_ms: int = RTO_MS
    closing: bool = False  # no more requests are read
    ended: bool = False  # a FIN was sent

    @property
    def in_flight(self) -> int:
        """Bytes in flight."""
        return sum(len(sent.octets) for sent in self.flight)


class Classic:
    """The server. `held`: bytes of sent segments without acknowledgment."""

    driver_refuses = False

    def __init__(
        self,
        answer: Answer,
        behaviour: Behaviour | None = None,
        *,
        link: str = "ethernet",
        mss: int = 1460,
        iss: int = 1_000_000,
        now_ms: int = 1000,
    ) -> None:
        self.answer = answer
        self.link = link
        self.identity = Identity()
        self.now_ms = now_ms
        self.on_frame: Callable[[bytes], None] | None = None
        self.frames_wait = False
        self._behaviour = behaviour or Behaviour(mss=mss)
        self._iss = iss
        self._connections: dict[tuple[bytes, int], _Connection] = {}

    @property
    def held(self) -> int:
        return sum(one.in_flight for one in self._connections.values()) if self._behaviour.kept else 0

    # ---------------------------------------------------------------- what a net asks of a server

    def limit(self, frames: int) -> None:
        """The driver's queue takes all frames."""

    def next_ms(self) -> int:
        due = [connection.due_ms for connection in self._connections.values() if connection.due_ms is not None]
        return max(0, min(due) - self.now_ms) if due else 60_000

    def tick(self) -> None:
        for connection in self._connections.values():
            if connection.due_ms is not None and connection.due_ms <= self.now_ms:
                connection.rto_ms = min(2 * connection.rto_ms, 60_000)
                self._transmit(connection, connection.flight[0])

    def frame_in(self, frame: bytes, split: object = None) -> None:
        try:
            if self.link == "slip":
                self._datagram_in(frame, b"")
                return
            ethernet = Ethernet.parse(frame)
            if ethernet.ethertype == ARP:
                self._arp_in(Arp.parse(ethernet.payload))
            elif ethernet.ethertype == IPV4 and ethernet.dst == self.identity.mac:
                self._datagram_in(ethernet.payload, ethernet.src)
        except Malformed:
            pass

    # ---------------------------------------------------------------- in

    def _arp_in(self, arp: Arp) -> None:
        if arp.op == 1 and arp.target_ip == self.identity.address:
            reply = Arp(2, self.identity.mac, self.identity.address, arp.sender_mac, arp.sender_ip)
            self._send(Ethernet(arp.sender_mac, self.identity.mac, ARP, reply.pack()).pack())

    def _datagram_in(self, octets: bytes, mac: bytes) -> None:
        datagram = Ipv4.parse(octets)
        if datagram.protocol == TCP_PROTOCOL and datagram.dst == self.identity.address:
            self._segment_in(Segment.parse(datagram.payload, datagram.src, datagram.dst), datagram.src, mac)

    def _segment_in(self, segment: Segment, address: bytes, mac: bytes) -> None:
        key = address, segment.sport
        if segment.flags & Flags.R:
            self._connections.pop(key, None)
        elif segment.flags & Flags.S:
            mss = min(self._behaviour.mss, 536 if segment.mss is None else segment.mss)
            numbers = segment.seq + 1 & MASK32, self._iss + 1 & MASK32
            self._connections[key] = connection = _Connection(address, mac, segment.sport, *numbers, mss, segment.wnd)
            self._emit(connection, Flags.S | Flags.A, self._iss, mss=self._behaviour.mss)
        elif key in self._connections:
            self._open_in(self._connections[key], segment)
            if self._connections[key].ended and not self._connections[key].flight and segment.flags & Flags.F:
                del self._connections[key]

    def _open_in(self, connection: _Connection, segment: Segment) -> None:
        connection.wnd = segment.wnd
        self._ack_in(connection, segment)
        self._data_in(connection, segment)
        if segment.flags & Flags.F and connection.rcv_nxt == segment.seq + len(segment.payload) & MASK32:
            connection.rcv_nxt = connection.rcv_nxt + 1 & MASK32
            if connection.ended:
                self._emit(connection, Flags.A, connection.snd_nxt)
            else:
                connection.ended = True
                connection.waiting.clear()
                connection.flight.clear()
                connection.due_ms = None
                self._emit(connection, Flags.F | Flags.A, connection.snd_nxt)

    def _ack_in(self, connection: _Connection, segment: Segment) -> None:
        """Handles an acknowledgment. A segment is acknowledged as a whole, or is still in flight."""
        flight = connection.flight
        while flight and distance(segment.ack, flight[0].seq) >= flight[0].seq_len:
            flight.popleft()
            connection.rto_ms = RTO_MS
            connection.due_ms = self.now_ms + RTO_MS if flight else None
        self._next(connection)

    def _data_in(self, connection: _Connection, segment: Segment) -> None:
        if not segment.payload:
            return
        if segment.seq == connection.rcv_nxt and not connection.closing:
            connection.rcv_nxt = connection.rcv_nxt + len(segment.payload) & MASK32
            connection.request += segment.payload
            if connection.request.endswith(b"\r\n\r\n"):
                self._request_in(connection)
                return  # the response acknowledges it
        self._emit(connection, Flags.A, connection.snd_nxt)

    def _request_in(self, connection: _Connection) -> None:
        target = bytes(connection.request).split(b" ", 2)[1].decode("latin-1")
        connection.request.clear()
        for write in self.answer(target):
            connection.waiting += (write[at : at + connection.mss] for at in range(0, len(write), connection.mss))
        connection.closing = self._behaviour.close is not Close.NEVER
        self._next(connection)

    # ---------------------------------------------------------------- out

    def _next(self, connection: _Connection) -> None:
        flight, waiting = connection.flight, connection.waiting
        most = 0 if self._behaviour.in_windows and flight else self._behaviour.in_flight
        while waiting and len(flight) < most:
            if flight and connection.in_flight + len(waiting[0]) > connection.wnd:
                break
            octets = waiting.popleft()
            self._begin(connection, octets, fin=not waiting and self._behaviour.close is Close.SENT)
        done = connection.closing and not waiting and not flight and not connection.ended
        if done and self._behaviour.close is Close.ACKNOWLEDGED:
            self._begin(connection, b"", fin=True)

    def _begin(self, connection: _Connection, octets: bytes, *, fin: bool) -> None:
        sent = _Sent(connection.snd_nxt, octets, fin)
        connection.flight.append(sent)
        connection.snd_nxt = connection.snd_nxt + sent.seq_len & MASK32
        connection.ended |= fin
        self._transmit(connection, sent)

    def _transmit(self, connection: _Connection, sent: _Sent) -> None:
        connection.due_ms = self.now_ms + connection.rto_ms
        flags = Flags.A | (Flags.P if sent.octets else Flags.NONE) | (Flags.F if sent.fin else Flags.NONE)
        self._emit(connection, flags, sent.seq, sent.octets)

    def _emit(
        self, connection: _Connection, flags: Flags, seq: int, payload: bytes = b"", mss: int | None = None
    ) -> None:
        numbers = seq & MASK32, connection.rcv_nxt
        segment = Segment(80, connection.port, *numbers, flags, WINDOW, payload, mss)
        us, peer = self.identity.address, connection.address
        datagram = Ipv4(us, peer, TCP_PROTOCOL, segment.pack(us, peer)).pack()
        if self.link == "slip":
            self._send(datagram)
        else:
            self._send(Ethernet(connection.mac, self.identity.mac, IPV4, datagram).pack())

    def _send(self, frame: bytes) -> None:
        if self.on_frame:
            self.on_frame(frame)
