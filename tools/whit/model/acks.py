# SPDX-License-Identifier: MIT
"""The times at which a receiver acknowledges data in order. Each receiver acknowledges out-of-order data at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from whit.model.policy import AckPolicy, Options
from whit.wire.units import MS


@dataclass(frozen=True)
class Arrival:
    """A segment with data. Times in µs."""

    now_us: int  # its last octet arrived
    begun_us: int  # its first octet arrived
    length: int  # octets
    srtt_us: float | None
    rto_us: float


class Acks(Protocol):
    def data_in(self, arrival: Arrival) -> int:
        """Returns the time at which to acknowledge all data received; a time not in the future means at once."""

    def data_out(self, now_us: int) -> None:
        """Data were sent."""

    def ack_out(self) -> None:
        """An acknowledgment was sent, alone or with data."""

    def expired(self) -> None:
        """The time that data_in returned has come without an acknowledgment."""


def acks(options: Options) -> Acks:
    if options.ack is AckPolicy.LINUX:
        return LinuxAcks(options)
    return LateAcks(options) if options.ack is AckPolicy.LATE else DelayedAcks(options)


class DelayedAcks:
    """RFC 1122, 4.2.3.2: acknowledges each second segment at once, a lone one after a delay. The delay of Windows XP
    begins with the segment's first octet, that of others with its last. EVERY: no delay."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._owed = 0  # segments

    def data_in(self, arrival: Arrival) -> int:
        self._owed += 1
        if self._options.ack is AckPolicy.EVERY or self._owed >= 2:
            return arrival.now_us
        begin_us = arrival.begun_us if self._options.ack is AckPolicy.XP else arrival.now_us
        return begin_us + self._options.delayed_ack

    def data_out(self, now_us: int) -> None: ...

    def ack_out(self) -> None:
        self._owed = 0

    def expired(self) -> None: ...


class LateAcks(DelayedAcks):
    """Acknowledges once after a delay, which begins with the first segment."""

    _due_us = 0

    def data_in(self, arrival: Arrival) -> int:
        if not self._owed:
            self._due_us = arrival.now_us + self._options.delayed_ack
        self._owed += 1
        return self._due_us


ATO_MIN = 40 * MS
DELAY_MAX, DELAY_MAX_ALONE = 200 * MS, 500 * MS
QUICK_MAX = 16
SEGMENT_MIN = 536


class LinuxAcks:
    """Linux since 2.4, with a program that reads at once.

    A connection begins with quick acknowledgments: one for each of the first segments, half a window of them, 2 to 16.
    Silence longer than the RTO starts them again. Later, more data than one segment are acknowledged at once.

    Less data wait for the average time between segments. That average is at least 40 ms. It doubles when the wait ends
    without further data. Data that were read to the end are acknowledged at once if a segment was short.

    A side that answers soon after it received data is in a dialogue. In a dialogue nothing is acknowledged quickly:
    the next data should carry the acknowledgment. They are awaited for at most 200 ms or the round-trip time.
    """

    def __init__(self, options: Options) -> None:
        self._window = options.window
        self._segment = min(SEGMENT_MIN, options.mss or SEGMENT_MIN)  # largest that arrived
        self._octets = 0  # that are not acknowledged
        self._quick = 0  # acknowledgments that will be sent at once
        self._ato = 0
        self._dialogue = False
        self._last_us = 0  # arrival of data
        self._due_us: int | None = None

    def data_in(self, arrival: Arrival) -> int:
        now_us = arrival.now_us
        self._octets += arrival.length
        short = arrival.length < self._segment
        self._segment = max(self._segment, arrival.length)
        self._adapt(arrival)
        self._last_us = now_us
        quick = not self._dialogue and (self._quick > 0 or short)
        if self._octets > self._segment or quick:
            return now_us
        most = DELAY_MAX if self._dialogue or short else DELAY_MAX_ALONE
        if arrival.srtt_us:
            most = min(most, max(int(arrival.srtt_us), ATO_MIN))
        delay = min(self._ato, most)
        if self._due_us is not None and self._due_us <= now_us + delay // 4:
            return now_us
        self._due_us = min(now_us + delay, self._due_us or now_us + delay)
        return self._due_us

    def data_out(self, now_us: int) -> None:
        if now_us - self._last_us < self._ato:
            self._dialogue = True

    def ack_out(self) -> None:
        self._octets, self._due_us = 0, None
        if self._quick > 0:
            self._quick -= 1
            if self._quick == 0:
                self._ato = ATO_MIN

    def expired(self) -> None:
        self._ato = ATO_MIN if self._dialogue else 2 * self._ato
        self._dialogue = False

    def _adapt(self, arrival: Arrival) -> None:
        since_us = arrival.now_us - self._last_us
        if self._ato == 0:
            self._ato = ATO_MIN
            self._be_quick()
        elif since_us <= ATO_MIN // 2:
            self._ato = self._ato // 2 + ATO_MIN // 2
        elif since_us < self._ato:
            self._ato = min(self._ato // 2 + since_us, int(arrival.rto_us))
        elif since_us > arrival.rto_us:
            self._be_quick()

    def _be_quick(self) -> None:
        self._quick = max(self._quick, min(QUICK_MAX, self._window // (2 * self._segment) or 2))
