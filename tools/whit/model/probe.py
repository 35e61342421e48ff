# SPDX-License-Identifier: MIT
"""The time of the engine's tail-loss probe, in ticks of 4 ms, after engine/recovery/recovery_full.c. On a link without
loss the probe repeats a segment if the client acknowledges late, and occupies the line."""

from __future__ import annotations

from dataclasses import dataclass

TICK_S = 0.004
DELAYED_ACK, RTO_MIN = 50, 250  # ticks
OLD = 32  # octets that a probe leaves out of a whole segment, as it may begin a chunk earlier


def ticks(time_s: float) -> int:
    return int(round(time_s * 1e6) // 4000)


@dataclass
class RoundTrip:
    """The estimate for a host (RFC 6298): SRTT in eighths and RTTVAR in quarters of ticks."""

    srtt8: int = 0
    rttvar4: int = 0

    @property
    def srtt(self) -> int:
        return self.srtt8 >> 3

    @property
    def rto(self) -> int:
        return max(RTO_MIN, self.srtt + 1 + self.rttvar4) if self.srtt8 else RTO_MIN

    def sample(self, sample: int) -> None:
        sample = max(1, sample)
        if self.srtt8 == 0:
            self.srtt8, self.rttvar4 = sample * 8, sample * 2
            return
        error = sample - (self.srtt8 >> 3)
        self.srtt8 += error
        self.rttvar4 += abs(error) - (self.rttvar4 >> 2)

    def probe(self, acked: int, flight: int, mss: int) -> int | None:
        """Returns the ticks until the probe; None: a timeout comes first."""
        if self.srtt == 0 or flight == 0:
            return None
        wait = self.srtt + (self.srtt // 2 if acked else self.srtt) + 1
        if acked == 0 and flight <= mss:
            wait += DELAYED_ACK
        return wait if wait < self.rto else None
