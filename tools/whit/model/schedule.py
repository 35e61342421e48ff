# SPDX-License-Identifier: MIT
"""Computes the time of each segment and each acknowledgment of some responses, on a link without loss.

A calculation, not an engine: no octets, no numbers that wrap, no retransmission. The engine defines the windows (slow
start of RFC 3465 from RFC 6928's initial window) and the cuts between segments (sources.py). The client defines its
acknowledgments. The link sends one frame after the other.
"""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from collections.abc import Callable

from whit.model.line import Line
from whit.model.parties import ARP, HEADER, SYN, Client, Item, Link, Server
from whit.model.passed import Connection, Passed, Sending
from whit.model.probe import OLD, TICK_S, RoundTrip, ticks
from whit.model.receiver import RTO_INITIAL_S, Receiver
from whit.model.slots import Slots
from whit.model.sources import source

QUEUE = 2  # frames that the driver takes ahead of a slow line
CWND_MAX = 255  # segments
MSS_MAX = 1460


class Schedule:
    """Schedules responses. `done` is called when the client has all of a response."""

    def __init__(self, link: Link, client: Client, server: Server, done: Callable[[Passed], None]) -> None:
        self.link, self.client, self.server, self.done = link, client, server, done
        self.now = 0.0
        self.passed: list[Passed] = []
        self.mss = min(client.mss, MSS_MAX) & ~3
        self._up = Line(self._at)
        self._down = self._up if link.half_duplex else Line(self._at)
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._slots = Slots(server.slots)
        self._trip = RoundTrip()
        self._queued = 0
        self._waiting: deque[Callable[[], None]] = deque()  # arrivals while the driver was busy

    def run(self) -> None:
        while self._events:
            self.now, _, action = heapq.heappop(self._events)
            action()

    def _at(self, time: float, action: Callable[[], None]) -> None:
        heapq.heappush(self._events, (max(time, self.now), next(self._order), action))

    def _frame(self, datagram: int, left: Callable[[float], None], *, up: bool) -> None:
        """Sends a frame. `left` is called when its last octet left, with the time at which its first octet left."""
        line = self._up if up else self._down
        line.send(self.now, 0 if up else 1, self.link.transmission_s(datagram, up=up), left)

    def _leave(self, datagram: int, arrived: Callable[[float], None], delay_s: float = 0.0) -> None:
        """The driver takes a datagram from the server now. `arrived` is called with its first octet's arrival time."""
        way_s = self.link.rtt_s / 2
        self._queued += 1

        def left(begin: float) -> None:
            self._at(self.now + way_s, lambda: arrived(begin + way_s))
            self._left()

        if delay_s:
            self._at(self.now + delay_s, lambda: self._frame(datagram, left, up=False))
        else:
            self._frame(datagram, left, up=False)

    def _left(self) -> None:
        self._queued -= 1
        while self._waiting and not self._driver_busy:
            self._waiting.popleft()()
        self._pump()

    @property
    def _driver_busy(self) -> bool:
        return self.link.rate is not None and self._queued >= QUEUE

    def _answer(self, datagram: int, arrived: Callable[[], None]) -> None:
        """Sends a datagram of the engine at once."""
        self._leave(datagram, lambda begun: arrived())

    def _pass(self, datagram: int, arrived: Callable[[], None]) -> None:
        """Sends a datagram of the client. It waits in the driver until the driver has sent a datagram of the server."""

        def come() -> None:
            if self._driver_busy:
                self._waiting.append(arrived)
            else:
                arrived()

        self._frame(datagram, lambda begin: self._at(self.now + self.link.rtt_s / 2, come), up=True)

    # ---------------------------------------------------------------- the request

    def connection(self, *, opened: bool = False) -> Connection:
        receiver = Receiver(self.client)
        if opened:
            syn_s = self.link.transmission_s(SYN) + self.link.transmission_s(SYN, up=True)
            receiver.know(self.link.rtt_s + syn_s)
        return Connection(receiver, opened)

    def ask(self, connection: Connection, item: Item, *, resolve: bool = False) -> None:
        """Sends a request on an idle connection; opens the connection if it is closed. resolve: by ARP first."""
        passed = Passed(item, self.now, handshake=not connection.opened)
        self.passed.append(passed)
        connection.busy = True

        def request() -> None:
            if not connection.opened:
                connection.opened = True
                connection.receiver.answered(self.now)
                self._pass(HEADER, lambda: None)
                self._request(connection, passed)

        def shake(rto_s: float) -> None:
            """The SYN; once more when its answer was lost."""
            connection.receiver.sent(self.now, data=False)
            self._pass(SYN, lambda: self._answer(SYN, request))
            self._at(self.now + rto_s, lambda: None if connection.opened else shake(2 * rto_s))

        if connection.opened:
            self._request(connection, passed)
        elif resolve:
            self._pass(ARP, lambda: self._answer(ARP, lambda: shake(RTO_INITIAL_S)))
        else:
            shake(RTO_INITIAL_S)

    def _request(self, connection: Connection, passed: Passed) -> None:
        before = connection.sending
        upto = before.arrived if before else 0
        connection.receiver.sent(self.now, data=True)
        whole, rest = divmod(passed.item.request, self.client.segment)
        segments = [self.client.segment] * whole + ([rest] if rest or not whole else [])
        connection.request_left = len(segments)

        def arrived(octets: int, rto_s: float) -> None:
            if before:
                self._ack_in(before, upto)
            if not self._slots.take(connection):
                self._at(self.now + rto_s, lambda: send(octets, 2 * rto_s))
                return
            connection.request_left -= 1
            if connection.request_left:
                self._answer(HEADER, lambda: None)
            elif self.server.request_s:
                self._at(self.now + self.server.request_s, lambda: self._respond(connection, passed))
            else:
                self._respond(connection, passed)

        def send(octets: int, rto_s: float) -> None:
            self._pass(HEADER + octets, lambda: arrived(octets, rto_s))

        for octets in segments:
            send(octets, connection.receiver.rto_s)

    # ---------------------------------------------------------------- the response

    def _respond(self, connection: Connection, passed: Passed) -> None:
        cwnd = CWND_MAX if self.server.local else self.server.initial_window
        sending = Sending(passed, connection, source(passed.item, self.server, self.mss), cwnd)
        connection.sending = sending
        sending.hold(self.now)
        self._make_ready(sending)

    def _make_ready(self, sending: Sending) -> None:
        sending.ready = True
        self._pump()

    def _pump(self) -> None:
        """Sends a segment of each response in turn while the driver takes them. Received datagrams are read first."""
        while not self._waiting and not self._driver_busy and (sending := self._slots.next_ready()):
            octets = sending.allowed(self.client.window, self.mss)
            if octets:
                sending.ready = True
                self._send(sending, octets)

    def _send(self, sending: Sending, octets: int) -> None:
        passed, way_s = sending.passed, self.link.rtt_s / 2
        first = sending.sent == sending.acked
        sending.sent += octets
        further = bool(passed.segments)
        index = len(passed.segments)
        passed.segments.append((self.now, self.now, octets))

        def arrived(begun: float) -> None:
            begin = begun - way_s
            if index == 0:
                passed.first_s = begin
            passed.segments[index] = (begin, self.now, octets)
            self._data_in(sending, octets, begun)

        self._leave(HEADER + octets, arrived, self.server.segment_s if further else 0.0)
        sending.probed = False
        if sending.timed is None:
            sending.timed = (sending.sent, ticks(self.now))
        if first or (sending.source.last() and sending.sent >= sending.source.end(sending.acked)):
            self._arm(sending)

    # ---------------------------------------------------------------- the tail-loss probe

    def _arm(self, sending: Sending) -> None:
        wait = self._trip.probe(sending.acked, sending.sent - sending.acked, self.mss)
        sending.due_s = None
        if wait is not None and not sending.probed:
            due = sending.due_s = (ticks(self.now) + wait) * TICK_S
            self._at(due, lambda: self._probe_due(sending, due))

    def _probe_due(self, sending: Sending, due_s: float) -> None:
        if sending.due_s != due_s or sending.over:
            return
        if sending.ready:  # its next segment is as good
            self._arm(sending)
            return
        sending.probed, sending.timed, sending.due_s = True, None, None
        flight = sending.sent - sending.acked
        if not self._driver_busy:
            octets = self.mss - OLD if flight > self.mss else flight
            self._leave(HEADER + octets, lambda begun: self._acknowledge(sending))

    # ---------------------------------------------------------------- acknowledgments

    def _data_in(self, sending: Sending, octets: int, begun_s: float) -> None:
        connection = sending.connection
        sending.arrived += octets
        due = connection.receiver.data_in(self.now, begun_s, octets)
        if due <= self.now:
            self._acknowledge(sending)
        else:
            self._at(due, lambda: self._ack_due(sending, due))
        if sending.complete and connection.busy:
            sending.passed.whole_s = self.now
            connection.busy = False
            self.done(sending.passed)

    def _ack_due(self, sending: Sending, due_s: float) -> None:
        if sending.connection.receiver.due_s == due_s:
            self._acknowledge(sending, late=True)

    def _acknowledge(self, sending: Sending, *, late: bool = False) -> None:
        sending.connection.receiver.acknowledged(late=late)
        upto = sending.arrived
        self._pass(HEADER, lambda: self._ack_in(sending, upto))

    def _ack_in(self, sending: Sending, upto: int) -> None:
        acked = upto - sending.acked
        if acked <= 0:
            return
        sending.acked = upto
        if sending.timed and upto >= sending.timed[0]:
            self._trip.sample(ticks(self.now) - sending.timed[1])
            sending.timed = None
        sending.cwnd = min(CWND_MAX, sending.cwnd + (2 if acked > self.mss else 1))
        sending.passed.acked_s = self.now
        sending.hold(self.now)
        if sending.over:
            sending.due_s = None
            self._slots.release(sending.connection)
        else:
            self._arm(sending)
            self._make_ready(sending)
