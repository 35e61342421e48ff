# SPDX-License-Identifier: MIT
"""The sending time of EMSOFT'09 (paper 001) section 3.2, equations 1 to 8. Sizes are bytes, times seconds.

Three repairs: eq. 1 is t(s, n), as in all its uses. T(0, 0) is 0 in eq. 2, else eq. 12 is no identity. The condition of
eq. 4 is on its argument.
"""

from dataclasses import dataclass
from math import ceil, inf

HEADER = 20 + 20  # bytes of TCP and IP, without options
DELAYED_ACK_S = 0.2


@dataclass(frozen=True)
class Setting:
    """A link and its receiver. `charge_acks`: void acknowledgments take time of the (half-duplex) link, as printed in
    eq. 2; else they overlap with data. `even`: the sender avoids odd numbers of segments, eq. 4."""

    bandwidth: float = 100_000.0  # BW, bytes a second
    rtt_s: float = 0.05
    mss: int = 1460
    delayed_ack_s: float = DELAYED_ACK_S  # until a lone segment is acknowledged
    charge_acks: bool = True
    even: bool = True


def packets_s(link: Setting, octets: float, packets: float) -> float:
    """t(s, n), eq. 1: `octets` in `packets` of TCP and IP."""
    return (HEADER * packets + octets) / link.bandwidth


def flight_s(link: Setting, octets: float, segments: float) -> float:
    """T(s, n), eq. 2: the segments, their acknowledgments, a round trip; an odd last one is acknowledged late."""
    if segments == 0:
        return 0.0
    acks = packets_s(link, 0, ceil(segments / 2)) if link.charge_acks else 0.0
    late = link.delayed_ack_s if segments % 2 else 0.0
    return packets_s(link, octets, segments) + acks + link.rtt_s + late


def to_even(link: Setting, segments: int) -> int:
    """toEven(a), eq. 4."""
    return segments + segments % 2 if link.even else segments


def segment_cnt(link: Setting, octets: float, n_max: float) -> float:
    """n1 and n2, eq. 5 and 7."""
    return min(n_max, to_even(link, ceil(octets / link.mss)))


def sending_s(link: Setting, content: float, window: float = inf, n_max: float = inf) -> float:
    """Returns ST(cs, wnd, n_max), eq. 8.

    `window`: bytes in flight at most. `n_max`: segments in flight at most. The caller keeps both in step: one segment
    is ST(cs, MSS, 1).
    """
    if window <= 0 or n_max < 1:
        raise ValueError("a window of one octet and one segment at least")
    windows, rest = (0.0, content) if window == inf else divmod(content, window)  # eq. 3, eq. 6
    full = windows * flight_s(link, window, segment_cnt(link, window, n_max)) if windows else 0.0
    return full + flight_s(link, rest, segment_cnt(link, rest, n_max))


def in_flight_s(link: Setting, content: float, n_max: float = inf) -> float:
    """Figure 1: ST with a window of `n_max` whole segments."""
    return sending_s(link, content, n_max * link.mss, n_max)
