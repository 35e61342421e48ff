# SPDX-License-Identifier: MIT
"""When each segment and each acknowledgment of some responses passes, on a link that loses nothing.

A calculation, not an engine: no octets, no numbers that wrap, no retransmission. What follows from the engine are its
windows (slow start of RFC 3465 from RFC 6928's initial window) and how it cuts segments (sources.py); from the client
its policy of acknowledgment; from the link that one frame follows the other.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable

from whit.model.parties import ARP, HEADER, SYN, Client, Item, Link, Server
from whit.model.passed import Connection, Passed, Sending
from whit.model.sources import source
from whit.sim.policy import AckPolicy

QUEUE = 2  # frames that the driver takes ahead of a slow line
CWND_MAX = 255  # segments
MSS_MAX = 1460


class Schedule:
    """`done` is told of each response when the client has all of it."""

    def __init__(self, link: Link, client: Client, server: Server, done: Callable[[Passed], None]) -> None:
        self.link, self.client, self.server, self.done = link, client, server, done
        self.now = 0.0
        self.passed: list[Passed] = []
        self.mss = min(client.mss, MSS_MAX) & ~3
        self._up_free = [0.0]
        self._down_free = self._up_free if link.half_duplex else [0.0]
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._ready: list[Sending] = []
        self._queued = 0

    def run(self) -> None:
        while self._events:
            self.now, _, action = heapq.heappop(self._events)
            action()

    def _at(self, time: float, action: Callable[[], None]) -> None:
        heapq.heappush(self._events, (max(time, self.now), next(self._order), action))

    def _frame(self, datagram: int, *, up: bool, delay_s: float = 0.0) -> tuple[float, float]:
        """When its first octet leaves, and its last."""
        free = self._up_free if up else self._down_free
        begin = max(self.now + delay_s, free[0])
        free[0] = begin + self.link.transmission_s(datagram, up=up)
        return begin, free[0]

    def _pass(self, datagram: int, arrived: Callable[[], None], *, up: bool) -> None:
        _, end = self._frame(datagram, up=up)
        self._at(end + self.link.rtt_s / 2, arrived)

    # ---------------------------------------------------------------- the request

    def ask(self, connection: Connection, item: Item, *, resolve: bool = False) -> None:
        """On a connection that is idle; one that is not open is opened before. resolve: by ARP first."""
        passed = Passed(item, self.now, handshake=not connection.opened)
        self.passed.append(passed)
        connection.busy = True

        def request() -> None:
            connection.opened = True
            self._request(connection, passed)

        def shaken() -> None:
            self._frame(HEADER, up=True)
            request()

        def shake() -> None:
            self._pass(SYN, lambda: self._pass(SYN, shaken, up=False), up=True)

        if connection.opened:
            request()
        elif resolve:
            self._pass(ARP, lambda: self._pass(ARP, shake, up=False), up=True)
        else:
            shake()

    def _request(self, connection: Connection, passed: Passed) -> None:
        before = connection.sending
        upto = before.arrived if before else 0
        connection.owed, connection.ack_due_s = 0, None
        whole, rest = divmod(passed.item.request, self.client.segment)
        segments = [self.client.segment] * whole + ([rest] if rest or not whole else [])
        connection.request_left = len(segments)

        def arrived() -> None:
            if before:
                self._ack_in(before, upto)
            connection.request_left -= 1
            if connection.request_left:
                self._frame(HEADER, up=False)
            else:
                self._at(self.now + self.server.request_s, lambda: self._respond(connection, passed))

        for octets in segments:
            self._pass(HEADER + octets, arrived, up=True)

    # ---------------------------------------------------------------- the response

    def _respond(self, connection: Connection, passed: Passed) -> None:
        cwnd = CWND_MAX if self.server.local else self.server.initial_window
        sending = Sending(passed, connection, source(passed.item, self.server, self.mss), cwnd)
        connection.sending = sending
        sending.hold(self.now)
        self._make_ready(sending)

    def _make_ready(self, sending: Sending) -> None:
        if not sending.ready:
            sending.ready = True
            self._ready.append(sending)
        self._pump()

    def _pump(self) -> None:
        """One segment of each response in turn, while the driver takes them."""
        while self._ready and (self._queued < QUEUE or self.link.rate is None):
            sending = self._ready.pop(0)
            octets = sending.allowed(self.client.window, self.mss)
            sending.ready = octets > 0
            if octets:
                self._send(sending, octets)
                self._ready.append(sending)

    def _send(self, sending: Sending, octets: int) -> None:
        passed, way_s = sending.passed, self.link.rtt_s / 2
        sending.sent += octets
        begin, end = self._frame(HEADER + octets, up=False, delay_s=self.server.segment_s if passed.segments else 0.0)
        if not passed.segments:
            passed.first_s = begin
        passed.segments.append((begin, end + way_s, octets))
        self._at(end + way_s, lambda: self._data_in(sending, octets, begin + way_s))
        self._queued += 1
        self._at(end, self._left)

    def _left(self) -> None:
        self._queued -= 1
        self._pump()

    # ---------------------------------------------------------------- acknowledgments

    def _data_in(self, sending: Sending, octets: int, begun_s: float) -> None:
        connection = sending.connection
        sending.arrived += octets
        connection.owed += 1
        if self.client.ack is AckPolicy.EVERY or connection.owed >= 2:
            self._acknowledge(sending)
        else:
            since = begun_s if self.client.ack is AckPolicy.XP else self.now
            due = connection.ack_due_s = since + self.client.delayed_ack_s
            self._at(due, lambda: self._ack_due(sending, due))
        if sending.complete and connection.busy:
            sending.passed.whole_s = self.now
            connection.busy = False
            self.done(sending.passed)

    def _ack_due(self, sending: Sending, due_s: float) -> None:
        if sending.connection.ack_due_s == due_s:
            self._acknowledge(sending)

    def _acknowledge(self, sending: Sending) -> None:
        sending.connection.owed, sending.connection.ack_due_s = 0, None
        upto = sending.arrived
        self._pass(HEADER, lambda: self._ack_in(sending, upto), up=True)

    def _ack_in(self, sending: Sending, upto: int) -> None:
        acked = upto - sending.acked
        if acked <= 0:
            return
        sending.acked = upto
        sending.cwnd = min(CWND_MAX, sending.cwnd + (2 if acked > self.mss else 1))
        sending.passed.acked_s = self.now
        sending.hold(self.now)
        self._make_ready(sending)
