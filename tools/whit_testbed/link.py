# SPDX-License-Identifier: MIT
"""Virtual time and its links.

Time is in microseconds. A link is one direction; two that share a `Medium` are half duplex. Impairments come from a
seeded generator: the same seed gives the same run.
"""

from __future__ import annotations

import heapq
import itertools
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from whit.wire.units import MS, SECOND


class Deadlock(Exception):
    """The awaited event did not happen."""


class Timer:
    """An action at `time_us`. `cancel` works at any time."""

    __slots__ = ("action", "time_us")

    def __init__(self, time_us: int, action: Callable[[], None]) -> None:
        self.time_us = time_us
        self.action: Callable[[], None] | None = action

    def cancel(self) -> None:
        self.action = None


class Loop:
    """The event loop. Events of the same time run in the order of their registration."""

    def __init__(self, now_us: int = SECOND) -> None:
        self.now_us = now_us
        self.each: Callable[[], None] | None = None  # called after each event
        self._queue: list[tuple[int, int, Timer]] = []
        self._order = itertools.count()

    def at(self, time_us: int, action: Callable[[], None]) -> Timer:
        timer = Timer(max(time_us, self.now_us), action)
        heapq.heappush(self._queue, (timer.time_us, next(self._order), timer))
        return timer

    def after(self, delay_us: int, action: Callable[[], None]) -> Timer:
        return self.at(self.now_us + delay_us, action)

    def step(self) -> bool:
        """Runs the next event. False: it was cancelled."""
        self.now_us, _, timer = heapq.heappop(self._queue)
        if timer.action is None:
            return False
        timer.action()
        if self.each:
            self.each()
        return True

    def run(self, until: Callable[[], bool] | None = None, *, for_us: int = 3600 * SECOND) -> None:
        """Runs until the condition holds, or raises Deadlock after `for_us`. Without a condition: for `for_us`."""
        end = self.now_us + for_us
        if until and until():
            return
        while self._queue and self._queue[0][0] <= end:
            if self.step() and until and until():
                return
        self.now_us = end
        if until:
            raise Deadlock(f"nothing came of it within {for_us / SECOND:.0f} s")


@dataclass(frozen=True)
class Impairment:
    """Impairments of a link. Probabilities are per frame, 0..1."""

    delay_us: int = 0
    rate: int | None = None  # bytes each second, framing included
    overhead: int = 0  # bytes of framing of each frame: preamble, FCS, gap
    queue: int | None = None  # most bytes that wait for the link; a frame beyond is lost
    loss: float = 0.0
    duplicate: float = 0.0
    reorder: float = 0.0  # a reordered frame is held back for `reorder_us`
    reorder_us: int = 30 * MS
    corrupt: float = 0.0  # one bit flips
    burst: int = 1  # frames lost in a row
    outage: tuple[int, int] | None = None  # (period, length) in µs: dead for `length` at the end of each period

    @property
    def dead_from(self) -> int:
        return self.outage[0] - self.outage[1] if self.outage else 0


class Medium:
    """A medium that is busy while a frame is sent. In half duplex both directions share one, and take turns when both
    have frames waiting."""

    def __init__(self) -> None:
        self.free_us = 0
        self._queues: dict[Link, deque[Callable[[], None]]] = {}
        self._busy = False

    def join(self, link: Link) -> None:
        self._queues[link] = deque()

    @property
    def shared(self) -> bool:
        return len(self._queues) > 1

    def take(self, link: Link, put: Callable[[], None]) -> None:
        """Calls `put` when it is the link's turn. The medium is busy until free_us."""
        self._queues[link].append(put)
        if not self._busy:
            self._next(link)

    def _next(self, link: Link) -> None:
        """Gives the turn to the link, or to one behind it with frames to send."""
        links = list(self._queues)
        at = links.index(link)
        self._busy = False
        for other in (*links[at:], *links[:at]):
            if self._queues[other]:
                self._busy = True
                self._queues[other].popleft()()
                link.loop.at(self.free_us, partial(self._next, links[(links.index(other) + 1) % len(links)]))
                return


class Link:
    """One direction of a link. `deliver` gets each frame when its last byte arrives, and the time of its first."""

    def __init__(
        self,
        loop: Loop,
        deliver: Callable[[bytes, int], None],
        impairment: Impairment | None = None,
        *,
        rng: random.Random | None = None,
        medium: Medium | None = None,
        wire_len: Callable[[bytes], int] = len,
    ) -> None:
        self.loop = loop
        self.deliver = deliver
        self.impairment = impairment or Impairment()
        self.rng = rng or random.Random(0)
        self.medium = medium or Medium()
        self.medium.join(self)
        self.wire_len = wire_len
        self.frame_cnt = self.octet_cnt = self.lost_cnt = 0
        self.tap: Callable[[int, bytes], None] | None = None  # sees each frame as it is sent, before any impairment
        self.drop: Callable[[bytes], bool] | None = None  # loses the frames for which it returns true
        self.watch: Callable[[int, int | None, bytes], None] | None = None  # of each frame: begin and end in µs
        self._burst_left = 0
        self._waiting = 0  # bytes that wait for a shared medium

    @property
    def idle(self) -> bool:
        """True if a frame sent now would start at once."""
        return self.medium.free_us <= self.loop.now_us

    def send(self, frame: bytes, left: Callable[[], None] | None = None) -> None:
        """left: called when the frame's last byte has left."""
        length = self.wire_len(frame) + self.impairment.overhead
        if self._full(length):
            self._lose(max(self.loop.now_us, self.medium.free_us), frame)
            if left:
                self.loop.at(self.loop.now_us, left)
        elif self.medium.shared:
            self._waiting += length
            self.medium.take(self, lambda: self._put(frame, length, left))
        else:
            self._put(frame, length, left)

    def _full(self, length: int) -> bool:
        """True if the queue has no room for the frame. The link sends the waiting bytes first."""
        limits = self.impairment
        if limits.queue is None or limits.rate is None:
            return False
        waiting = self._waiting
        if not self.medium.shared:
            waiting = max(0, self.medium.free_us - self.loop.now_us) * limits.rate // SECOND
        return waiting > 0 and waiting + length > limits.queue

    def _lose(self, begin: int, frame: bytes) -> None:
        self.lost_cnt += 1
        if self.watch:
            self.watch(begin, None, frame)

    def _put(self, frame: bytes, length: int, left: Callable[[], None] | None) -> None:
        begin = max(self.loop.now_us, self.medium.free_us)
        end = begin + (-(-length * SECOND // self.impairment.rate) if self.impairment.rate else 0)
        self.medium.free_us = end
        self._waiting = max(0, self._waiting - length)
        self.frame_cnt += 1
        self.octet_cnt += length
        if self.tap:
            self.tap(begin, frame)
        if self._lost(begin, frame):
            self._lose(begin, frame)
        else:
            for copy in range(2 if self._chance(self.impairment.duplicate) else 1):
                self._fly(frame, self._corrupted(frame), begin, end, copy * MS)
        if left:
            self.loop.at(end, left)

    def _fly(self, sent: bytes, frame: bytes, begin: int, end: int, extra: int) -> None:
        delay = self.impairment.delay_us + extra
        if self._chance(self.impairment.reorder):
            delay += self.impairment.reorder_us
        if self.watch:
            self.watch(begin, end + delay if frame is sent else None, sent)  # a corrupted frame counts as lost
        self.loop.at(end + delay, lambda: self.deliver(frame, begin + delay))

    def _chance(self, probability: float) -> bool:
        return probability > 0 and self.rng.random() < probability

    def _lost(self, now_us: int, frame: bytes) -> bool:
        impairment = self.impairment
        if self.drop and self.drop(frame):
            return True
        if impairment.outage and now_us % impairment.outage[0] >= impairment.dead_from:
            return True
        if self._burst_left > 0:
            self._burst_left -= 1
            return True
        if self._chance(impairment.loss):
            self._burst_left = impairment.burst - 1
            return True
        return False

    def _corrupted(self, frame: bytes) -> bytes:
        if not self._chance(self.impairment.corrupt):
            return frame
        bit = self.rng.randrange(len(frame) * 8)
        return frame[: bit // 8] + bytes([frame[bit // 8] ^ 1 << bit % 8]) + frame[bit // 8 + 1 :]
