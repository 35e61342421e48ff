# SPDX-License-Identifier: MIT
"""Timers of a client from its round trips: retransmission (RFC 6298 section 2), tail-loss probe (RFC 8985)."""

from __future__ import annotations

from whit.wire.units import MS, SECOND

RTO_MAX = 60 * SECOND
DELAYED_ACK = 200 * MS  # Linux's delay for the acknowledgment of a single segment


class RoundTrips:
    """Retransmission timers from measured round trips, in µs."""

    def __init__(self, rto_min: int) -> None:
        self._rto_min = rto_min
        self.srtt: float | None = None
        self._rttvar = 0.0
        self.rto: float = SECOND

    @property
    def known(self) -> tuple[float | None, float]:
        return self.srtt, self.rto

    def begin(self) -> None:
        """Ends the handshake's back-off."""
        self.rto = SECOND

    def back_off(self) -> None:
        self.rto = min(self.rto * 2, RTO_MAX)

    def measure(self, rtt: float) -> None:
        if self.srtt is None:
            self.srtt, self._rttvar = rtt, rtt / 2
        else:
            self._rttvar = 0.75 * self._rttvar + 0.25 * abs(self.srtt - rtt)
            self.srtt = 0.875 * self.srtt + 0.125 * rtt
        self.rto = min(max(self.srtt + max(MS, 4 * self._rttvar), self._rto_min), RTO_MAX)

    def probe(self, *, lone: bool) -> float:
        """Returns the time from the last segment of a flight to its tail-loss probe. The retransmission timer is
        later."""
        wait = SECOND if self.srtt is None else 2 * self.srtt + (DELAYED_ACK if lone else 2 * MS)
        return min(wait, self.rto)
