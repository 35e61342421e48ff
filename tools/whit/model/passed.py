# SPDX-License-Identifier: MIT
"""A response as it passed."""

from __future__ import annotations

from dataclasses import dataclass, field

from whit.model.parties import Item
from whit.model.receiver import Receiver
from whit.model.sources import BLOCK_HEAD, Source


@dataclass
class Passed:
    """Times in seconds since the beginning of the schedule."""

    item: Item
    asked_s: float  # the first octet of the request, or of a handshake before it, leaves
    first_s: float = 0.0  # the response's first octet leaves
    whole_s: float = 0.0  # the client has all of it
    acked_s: float = 0.0  # the server has its last acknowledgment
    segments: list[tuple[float, float, int]] = field(default_factory=list)  # (begin, arrival, octets)
    charge_bs: float = 0.0  # of content that S1 and S3 keep
    handshake: bool = False
    _held: tuple[float, float] = (0.0, 0.0)

    def hold(self, now: float, octets: float) -> None:
        since, held = self._held
        self.charge_bs += held * (now - since)
        self._held = (now, octets)


@dataclass(eq=False)
class Connection:
    """Both ends of one. `sending` is the latest response."""

    receiver: Receiver
    opened: bool = False
    busy: bool = False
    sending: Sending | None = None
    request_left: int = 0  # segments of the request that are not there


@dataclass(eq=False)
class Sending:
    """A response on its way. Octets are counted from its beginning."""

    passed: Passed
    connection: Connection
    source: Source
    cwnd: int  # segments
    sent: int = 0
    arrived: int = 0
    acked: int = 0
    ready: bool = False
    timed: tuple[int, int] | None = None  # octets that end a measured round trip, tick of its beginning
    probed: bool = False
    due_s: float | None = None  # of its timer

    @property
    def complete(self) -> bool:
        return self.source.last() and self.arrived >= self.source.end(self.acked)

    @property
    def over(self) -> bool:
        return self.source.last() and self.acked >= self.source.end(self.acked)

    def allowed(self, window: int, mss: int) -> int:
        """Returns the octets of the next segment: may_send() of engine/tcp/tcp_out.c, and the cut after it."""
        end, most = self.source.end(self.acked), self.source.most(self.sent, mss)
        flight, left = self.sent - self.acked, end - self.sent
        free = min(window, self.cwnd * most) - flight
        if left <= 0 or free <= 0 or (free < left and free < most and flight != 0):
            return 0
        return self.source.cut(self.sent, int(min(left, free, most)), mss)

    def hold(self, now: float) -> None:
        """Records the octets that S1 and S3 keep from now on, in a block of the shared buffer."""
        octets = 0 if self.over else self.source.held()
        self.passed.hold(now, octets and BLOCK_HEAD + octets + -octets % 4)
