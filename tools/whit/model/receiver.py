# SPDX-License-Identifier: MIT
"""The client's end of a connection: its acknowledgments (policies in sim/acks.py) and its round-trip time."""

from __future__ import annotations

from whit.model.acks import Arrival, acks
from whit.model.parties import Client
from whit.model.policy import Options
from whit.wire.units import SECOND

RTO_INITIAL_S = 1.0


class Receiver:
    def __init__(self, client: Client) -> None:
        self._rto_min_s = client.rto_min_s
        delay_us = int(client.delayed_ack_s * SECOND)
        self._acks = acks(Options(client.mss, client.window, client.ack, delay_us))
        self._srtt_s: float | None = None
        self._rttvar_s = 0.0
        self._timed_s: float | None = None
        self.due_s: float | None = None  # of the acknowledgment that waits

    @property
    def rto_s(self) -> float:
        if self._srtt_s is None:
            return RTO_INITIAL_S
        return max(self._rto_min_s, self._srtt_s + max(0.001, 4 * self._rttvar_s))

    def sent(self, now: float, *, data: bool) -> None:
        """Records a segment that carries an acknowledgment. A SYN carries none."""
        self._timed_s = now
        if data:
            self._acks.ack_out()
            self._acks.data_out(_us(now))
            self.due_s = None

    def answered(self, now: float) -> None:
        """RFC 6298."""
        if self._timed_s is None:
            return
        trip, self._timed_s = now - self._timed_s, None
        if self._srtt_s is None:
            self._srtt_s, self._rttvar_s = trip, trip / 2
        else:
            self._rttvar_s = 0.75 * self._rttvar_s + 0.25 * abs(self._srtt_s - trip)
            self._srtt_s = 0.875 * self._srtt_s + 0.125 * trip

    def know(self, trip: float) -> None:
        """Sets the round trip, measured on an earlier connection."""
        self._srtt_s, self._rttvar_s = trip, trip / 2

    def data_in(self, now: float, begun: float, octets: int) -> float:
        """Returns the time at which to acknowledge."""
        self.answered(now)
        srtt_us = None if self._srtt_s is None else self._srtt_s * SECOND
        due_us = self._acks.data_in(Arrival(_us(now), _us(begun), octets, srtt_us, self.rto_s * SECOND))
        self.due_s = now + max(0.0, (due_us - _us(now)) / SECOND)
        return self.due_s

    def acknowledged(self, *, late: bool) -> None:
        if late:
            self._acks.expired()
        self._acks.ack_out()
        self.due_s = None


def _us(time_s: float) -> int:
    return round(time_s * SECOND)
