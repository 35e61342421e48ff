# SPDX-License-Identifier: MIT
"""A host with a small TCP of its own, on a line that drops, duplicates, delays and corrupts frames. Both ends must
receive the octets that the other end sent."""

import heapq
import itertools
import random
from dataclasses import dataclass

from tests.segments.origins import Origin
from whit.wire.packet import MASK32, Ethernet, Flags, Ipv4, Malformed, Segment

RTO_MS = 300


@dataclass(frozen=True)
class Line:
    loss: float = 0.0
    repeated: float = 0.0
    corrupt: float = 0.0
    delay_ms: tuple[int, int] = (1, 3)  # other delays are another order


class Model:
    """Reads octets up to the last expected one, then sends `content` and closes."""

    def __init__(self, origin: Origin, line: Line, content: bytes, last: bytes, draw: random.Random) -> None:
        self.origin, self.line, self.content, self.last, self.draw = origin, line, content, last, draw
        self.got = bytearray()
        self.irs: int | None = None
        self.una = 0  # octets of the content and the FIN that were acknowledged
        self.sent = 0
        self.window = 0
        self.mss = 536
        self.opened = self.fin_came = self.reset_came = False
        self.again_at = 0
        self._flying: list[tuple[int, int, bytes, bool]] = []  # when, order, octets, to the engine
        self._order = itertools.count()

    @property
    def finished(self) -> bool:
        return self.fin_came and self.una == len(self.content) + 1

    # ---------------------------------------------------------------- the line

    def _fly(self, frame: bytes, to_engine: bool) -> None:
        now, line, draw = self.origin.engine.now_ms, self.line, self.draw
        if draw.random() < line.loss:
            return
        for _ in range(1 + (draw.random() < line.repeated)):
            octets = frame
            if draw.random() < line.corrupt:
                at = draw.randrange(14, len(frame))
                octets = frame[:at] + bytes([frame[at] ^ 1 << draw.randrange(8)]) + frame[at + 1 :]
            heapq.heappush(self._flying, (now + draw.randint(*line.delay_ms), next(self._order), octets, to_engine))

    def step(self) -> None:
        """Runs to the next event, 50 ms at most."""
        engine = self.origin.engine
        self.origin.collect()
        while self.origin.queue:
            self._fly(self.origin.queue.popleft()[1], False)
        until = min([engine.now_ms + 50, self.again_at or engine.now_ms + 50, *(when for when, *_ in self._flying[:1])])
        self.origin.wait(max(0, min(until - engine.now_ms, engine.next_ms())))
        while self._flying and self._flying[0][0] <= engine.now_ms:
            _, _, frame, to_engine = heapq.heappop(self._flying)
            if to_engine:
                self.origin.frame(frame)
            else:
                self._take(frame)
        if self.again_at and engine.now_ms >= self.again_at:
            self.sent = self.una
            self._say(probe=True)

    # ---------------------------------------------------------------- TCP

    def _take(self, frame: bytes) -> None:
        try:
            datagram = Ipv4.parse(Ethernet.parse(frame).payload)
            segment = Segment.parse(datagram.payload, datagram.src, datagram.dst)
        except Malformed:
            return
        if segment.flags & Flags.R:
            self.reset_came = True
        elif segment.flags & Flags.S:
            self.irs, self.origin.remote_port, self.mss = segment.seq, segment.sport, segment.mss or 536
            self.origin.irs = segment.seq
            self._send(0, Flags.S | Flags.A, mss=self.draw.choice((88, 536, 1460)))
        elif self.irs is not None:
            self._take_established(segment)

    def _take_established(self, segment: Segment) -> None:
        acked = (segment.ack - self.origin.iss - 1) & MASK32
        assert acked <= len(self.content) + 1, "acknowledges what was never sent"
        if acked > self.una:
            self.una, self.again_at = acked, 0
            self.sent = max(self.sent, acked)
        self.window = segment.wnd
        ahead = (segment.seq - (self.irs or 0) - 1 - len(self.got) - self.fin_came) & MASK32
        if segment.payload or segment.flags & Flags.F:
            old = -ahead & MASK32
            if ahead == 0 or old < len(segment.payload):
                self.got += segment.payload[old if ahead else 0 :]
                self.fin_came |= bool(segment.flags & Flags.F)
            self._send(1 + self.una, Flags.A)
        self._say()

    def _say(self, *, probe: bool = False) -> None:
        if not self.got.endswith(self.last):
            self.again_at = 0
            return
        end, limit = len(self.content) + 1, self.una + max(min(self.window, 4 * self.mss), int(probe))
        while self.sent < min(end, limit):
            octets = self.content[self.sent : min(limit, self.sent + self.mss)]
            last = self.sent + len(octets) == len(self.content)
            fin = last and self.sent + len(octets) < limit
            if not octets and not fin:
                break
            self._send(1 + self.sent, Flags.P | Flags.A | (Flags.F if fin else Flags.NONE), octets)
            self.sent += len(octets) + fin
        self.again_at = self.origin.engine.now_ms + RTO_MS if self.una < end else 0

    def _send(self, seq: int, flags: Flags, payload: bytes = b"", mss: int | None = None) -> None:
        origin = self.origin
        ack = ((self.irs or 0) + 1 + len(self.got) + self.fin_came) & MASK32
        window = self.draw.choice((65535, 3000, 700)) if self.draw.random() < 0.9 else 0
        segment = Segment(origin.port, origin.remote_port, origin.iss + seq & MASK32, ack, flags, window, payload, mss)
        datagram = Ipv4(origin.address, origin.server, 6, segment.pack(origin.address, origin.server))
        self._fly(origin.link_frame(datagram.pack()), True)
