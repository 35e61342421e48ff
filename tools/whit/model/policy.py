# SPDX-License-Identifier: MIT
"""The behaviour of a TCP client in virtual time."""

from dataclasses import dataclass
from enum import Enum

from whit.wire.units import MS, SECOND


class ProtocolError(AssertionError):
    """The peer violated TCP: sent beyond the window or above the MSS, or acknowledged unsent data."""


class AckPolicy(Enum):
    EVERY = "every segment at once"
    DELAYED = "every second segment, or after 200 ms"
    LATE = "all that came, 200 ms after the first of it"
    XP = "every second segment, or 200 ms after the first byte of a lone one: Windows XP"
    LINUX = "the first ones at once, later a lone one after 40 ms and more: Linux (sim/acks.py)"


@dataclass(frozen=True)
class Options:
    """Settings of a client. Times in µs."""

    mss: int | None = 1460  # announced; None: no option, which means 536
    window: int = 65535  # receive buffer
    ack: AckPolicy = AckPolicy.EVERY
    delayed_ack: int = 200 * MS
    rto_min: int = SECOND
    segment: int = 1460  # most octets that it puts into one segment
    verify: bool = True  # retransmitted octets must equal the first ones
    sack: bool = False  # offers selective acknowledgments (RFC 2018)
    tail_probe: bool = False  # with SACK: repeats the last segment of a flight once, as Linux does (RFC 8985 section 7)
    scoreboard: bool = False  # with SACK: only blocks indicate loss (sim/scoreboard.py); else duplicates, too
    late: int = 0  # largest delay of its timers; the delay is random
    strict: bool = True  # raise ProtocolError


XP_WINDOW, LINUX_WINDOW = 8192, 5840  # octets; initial windows by default


def windows_xp(mss: int = 1460) -> Options:
    return Options(mss=mss, window=XP_WINDOW, ack=AckPolicy.XP)


def linux(mss: int = 1460) -> Options:
    return Options(mss=mss, window=LINUX_WINDOW, ack=AckPolicy.LINUX, rto_min=200 * MS)
