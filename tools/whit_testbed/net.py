# SPDX-License-Identifier: MIT
"""A server and hosts on a link, in virtual time."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Sequence
from typing import Protocol

from whit.model.policy import Options
from whit.wire.http import Response
from whit.wire.packet import ARP, IPV4, TCP_PROTOCOL, Arp, Ethernet, Flags, Ipv4, Malformed, Segment, ip, slip_encode
from whit.wire.units import MS, SECOND
from whit_testbed.client import Connection
from whit_testbed.engine import EngineStuck, Identity
from whit_testbed.http import Client
from whit_testbed.link import Deadlock, Impairment, Link, Loop, Medium, Timer

BROADCAST = b"\xff" * 6
DUE_MAX = 50_000  # timers due in one millisecond: above it, the engine never sleeps


class Sender(Protocol):
    def send(self, frame: bytes, /) -> None: ...


class Served(Protocol):
    """The server at the other end of the link."""

    @property
    def link(self) -> str: ...

    @property
    def identity(self) -> Identity: ...


class Server(Served, Protocol):
    """The server that a net drives: the engine, a model or a peer. Times are ms of the net's own clock."""

    now_ms: int
    on_frame: Callable[[bytes], None] | None

    @property
    def driver_refuses(self) -> bool:
        """True if its driver has few places, and keeps arriving frames while all are taken."""

    frames_wait: bool  # more frames have arrived; the engine handles these first, and sends only answers

    def limit(self, frames: int, /) -> None:
        """The driver takes `frames` frames from now on."""

    def next_ms(self) -> int:
        """Returns the ms until `tick` has something to do."""

    def tick(self) -> None: ...

    def frame_in(self, frame: bytes, split: int | Sequence[int] | None = None, /) -> None: ...


class Network(Protocol):
    """The part of a network that a host needs."""

    @property
    def loop(self) -> Loop: ...

    @property
    def rng(self) -> random.Random: ...

    @property
    def up(self) -> Sender: ...

    @property
    def engine(self) -> Served: ...


class Host:
    """A machine with one address, its ARP table and its connections."""

    def __init__(self, net: Network, address: bytes, mac: bytes) -> None:
        self.net = net
        self.address, self.mac = address, mac
        self.connections: dict[int, Connection] = {}
        self.datagrams: list[Ipv4] = []  # datagrams other than TCP
        self._server_mac: bytes | None = None
        self._waiting: list[bytes] = []  # datagrams that wait for an ARP reply
        self._next_port = 49152

    def connect(
        self, options: Options | None = None, *, port: int | None = None, remote_port: int = 80, iss: int | None = None
    ) -> Connection:
        """Begins a handshake. A reused port forgets its old connection."""
        if port is None:
            self._next_port = port = self._next_port % 65535 + 1
        iss = self.net.rng.getrandbits(32) if iss is None else iss
        connection = Connection(self.net.loop, self._send_segment, (port, remote_port), iss, options)
        self.connections[port] = connection
        connection.open()
        return connection

    def client(self, options: Options | None = None, **kwargs: int) -> Client:
        return Client(self.connect(options, **kwargs))

    def send_datagram(self, datagram: bytes) -> None:
        if self.net.engine.link == "slip":
            self.net.up.send(datagram)
        elif self._server_mac is None:
            self._waiting.append(datagram)
            if len(self._waiting) == 1:
                self._resolve()
        else:
            self.net.up.send(Ethernet(self._server_mac, self.mac, IPV4, datagram).pack())

    def frame_in(self, frame: bytes, begun_us: int) -> None:
        try:
            if self.net.engine.link == "slip":
                self._datagram_in(frame, begun_us)
                return
            ethernet = Ethernet.parse(frame)
            if ethernet.ethertype == ARP:
                self._arp_in(Arp.parse(ethernet.payload))
            elif ethernet.ethertype == IPV4 and ethernet.dst == self.mac:
                self._datagram_in(ethernet.payload, begun_us)
        except Malformed:
            return

    def _resolve(self) -> None:
        if self._server_mac is None:
            arp = Arp(1, self.mac, self.address, bytes(6), self.net.engine.identity.address)
            self.net.up.send(Ethernet(BROADCAST, self.mac, ARP, arp.pack()).pack())
            self.net.loop.after(SECOND, self._resolve)

    def _arp_in(self, arp: Arp) -> None:
        if arp.target_ip != self.address:
            return
        if arp.op == 1:
            reply = Arp(2, self.mac, self.address, arp.sender_mac, arp.sender_ip)
            self.net.up.send(Ethernet(arp.sender_mac, self.mac, ARP, reply.pack()).pack())
        elif self._server_mac is None and arp.sender_ip == self.net.engine.identity.address:
            self._server_mac = self.net.engine.identity.mac  # a link with bit errors must not teach a wrong address
            waiting, self._waiting = self._waiting, []
            for datagram in waiting:
                self.send_datagram(datagram)

    def _datagram_in(self, octets: bytes, begun_us: int) -> None:
        datagram = Ipv4.parse(octets)
        if datagram.dst != self.address:
            return
        if datagram.protocol != TCP_PROTOCOL:
            self.datagrams.append(datagram)
            return
        segment = Segment.parse(datagram.payload, datagram.src, datagram.dst)
        connection = self.connections.get(segment.dport)
        if connection and connection.remote_port == segment.sport:
            connection.segment_in(segment, begun_us)
        elif not segment.flags & Flags.R:
            self._refuse(segment)

    def _refuse(self, segment: Segment) -> None:
        """Refuses a segment by RFC 9293 section 3.10.7.1."""
        answer = Segment(segment.dport, segment.sport, 0, 0, Flags.R, 0)
        if segment.flags & Flags.A:
            answer.seq = segment.ack
        else:
            answer.flags |= Flags.A
            answer.ack = segment.seq + segment.seq_len
        self._send_segment(answer)

    def _send_segment(self, segment: Segment) -> None:
        server = self.net.engine.identity.address
        datagram = Ipv4(self.address, server, TCP_PROTOCOL, segment.pack(self.address, server))
        self.send_datagram(datagram.pack())


class Net:
    """`up` leads to the engine, `down` from it. `driver_queue`: frames that the driver takes ahead of a slow link.
    Arriving frames wait while the queue is full, as include/whit/driver.h demands: so an answer finds a place.

    `split` cuts the input: bytes of each piece, or "random".
    """

    def __init__(
        self,
        engine: Server,
        *,
        up: Impairment | None = None,
        down: Impairment | None = None,
        half_duplex: bool = False,
        seed: int = 0,
        driver_queue: int = 2,
        split: int | str | None = None,
        loop: Loop | None = None,
    ) -> None:
        self.engine = engine
        self.rng = random.Random(seed)
        self.loop = loop or Loop(engine.now_ms * MS)
        self.hosts: dict[bytes, Host] = {}
        medium = Medium()
        wire_len: Callable[[bytes], int] = (lambda frame: len(slip_encode(frame))) if engine.link == "slip" else len
        self.up = Link(
            self.loop, self._to_engine, up, rng=random.Random(seed * 2 + 1), medium=medium, wire_len=wire_len
        )
        self.down = Link(
            self.loop,
            self._to_hosts,
            down or up,
            rng=random.Random(seed * 2 + 2),
            medium=medium if half_duplex else None,
            wire_len=wire_len,
        )
        self._driver_queue = driver_queue
        self._queued = 0
        self._arrived: deque[bytes] = deque()  # frames that wait for a place in the driver
        self._split = split
        self._timer: Timer | None = None
        self._due_cnt = (0, 0)  # (time in ms, timers that were due at it)
        engine.on_frame = self._from_engine
        if self.down.impairment.rate:
            engine.limit(1)
        self._arm()

    def host(self, address: str | bytes = "10.0.0.2") -> Host:
        """Returns the host of that address, made on first use."""
        octets = ip(address) if isinstance(address, str) else address
        if octets not in self.hosts:
            self.hosts[octets] = Host(self, octets, b"\x02\x00" + octets)
        return self.hosts[octets]

    def run(self, *clients: Client, for_s: float = 3600) -> None:
        """Runs until every client has all its responses or cannot get them."""
        self.loop.run(lambda: all(not client.waiting or client.ended for client in clients), for_us=int(for_s * SECOND))

    def idle(self, seconds: float) -> None:
        self.loop.run(for_us=int(seconds * SECOND))

    def get(
        self,
        client: Client,
        target: str | bytes,
        *fields: str,
        method: str = "GET",
        host: str | None = "whit",
        version: str = "1.1",
        body: bytes = b"",
        for_s: float = 3600,
    ) -> Response:
        """Sends one request and returns its response."""
        before = len(client.responses)
        client.ask(target, *fields, method=method, host=host, version=version, body=body)
        self.run(client, for_s=for_s)
        if len(client.responses) == before:
            state = "reset" if client.connection.reset else "closed"
            raise Deadlock(f"{target!r}: the connection was {state} after {len(client.leftover)} octets")
        return client.responses[before]

    def _sync(self) -> None:
        self.engine.now_ms = self.loop.now_us // MS

    @property
    def _refuses(self) -> bool:
        return self.engine.driver_refuses and self._queued >= self._driver_queue

    def _to_engine(self, frame: bytes, begun_us: int) -> None:
        self._sync()
        self.engine.tick()
        self._arrived.append(frame)
        self._poll()
        self._arm()

    def _poll(self) -> None:
        while self._arrived and not self._refuses:
            frame = self._arrived.popleft()
            split: int | list[int] | None = None
            if self._split == "random":
                split = sorted(self.rng.sample(range(1, len(frame)), min(len(frame) - 1, self.rng.randrange(6))))
            elif isinstance(self._split, int):
                split = self._split
            self.engine.frames_wait = bool(self._arrived)
            self.engine.frame_in(frame, split)
        if self.engine.frames_wait:
            self.engine.frames_wait = False
            self.engine.tick()

    def _from_engine(self, frame: bytes) -> None:
        if self.down.impairment.rate:
            self._queued += 1
            self.engine.limit(1 if self._queued < self._driver_queue else 0)
            self.down.send(frame, self._left)
        else:
            self.down.send(frame)

    def _left(self) -> None:
        """Handles a frame that has left the driver. Answers get its place first."""
        self._queued -= 1
        self.engine.limit(1)
        self._sync()
        self._poll()
        self.engine.tick()
        self._arm()

    def _arm(self) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = self.loop.at((self.engine.now_ms + self.engine.next_ms()) * MS, self._due)

    def _due(self) -> None:
        self._sync()
        now_ms, times = self._due_cnt
        self._due_cnt = (self.engine.now_ms, times + 1 if now_ms == self.engine.now_ms else 1)
        if self._due_cnt[1] > DUE_MAX:
            raise EngineStuck(f"a timer is always due at {self.engine.now_ms} ms")
        self.engine.tick()
        self._arm()

    def _to_hosts(self, frame: bytes, begun_us: int) -> None:
        for host in self.hosts.values() if len(self.hosts) < 3 else self._addressees(frame):
            host.frame_in(frame, begun_us)

    def _addressees(self, frame: bytes) -> list[Host]:
        """Returns the hosts to which a switch forwards the frame."""
        if self.engine.link == "slip":
            hosts = [self.hosts.get(frame[16:20])]
        elif frame[:6] == BROADCAST:
            return list(self.hosts.values())
        else:
            hosts = [self.hosts.get(frame[2:6])]
        return [host for host in hosts if host]
