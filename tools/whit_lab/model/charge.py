# SPDX-License-Identifier: MIT
"""Sending times and memory charges by strategy: EMSOFT'09 (paper 001) sections 4.2 and 4.3, equations 9 to 20.

The memory charge is the integral over the sending time of the bytes that a server holds for a response: B·s. Two
repairs: the 2 under BW × RTT in eq. 15 is alpha, as its text says. The "10 kB/s" of section 4.3 are 100 kB/s, as in
Figure 1: only with these its four numbers come out.
"""

from math import ceil, inf

from whit_lab.model.paper import DELAYED_ACK_S, Setting, sending_s

STRATEGIES = ("S0", "S1", "S2", "S3", "S4")
ONE = "one"
"""A server with one segment in flight, which it keeps when its content was generated: uIP's."""


def one_s(link: Setting, content: float) -> float:
    """Ts and Td, eq. 9 and 12: one segment in flight."""
    return sending_s(link, content, link.mss, 1)


def one_charge(link: Setting, content: float) -> float:
    """Cd, eq. 10, 11 and 13: the segment in flight is kept; eq. 13 is 0 for a file."""
    rest = content % link.mss
    return one_s(link, content - rest) * link.mss + one_s(link, rest) * rest


def strategy_s(link: Setting, strategy: str, content: float, buffer: float | None = None) -> float:
    """T0 (eq. 14), T1 (eq. 16), T3 (eq. 19); S2 is as fast as S1, and S4 as S0. `buffer`: M of S3, or one MSS."""
    if strategy in ("S0", "S4"):
        return sending_s(link, content)
    if strategy in ("S1", "S2"):
        return sending_s(link, content, max(content, 1))
    if strategy == "S3":
        return sending_s(link, content, link.mss if buffer is None else buffer)
    if strategy == ONE:
        return one_s(link, content)
    raise ValueError(strategy)


def strategy_charge(link: Setting, strategy: str, content: float, buffer: float | None = None) -> float:
    """C1 (eq. 18); C3 is M × T3, the last part-filled buffer counting as what is in it, as in eq. 13; S0, S2, S4: 0."""
    if strategy == "S1":
        return content * strategy_s(link, "S1", content)
    if strategy == "S3":
        held = link.mss if buffer is None else buffer
        rest = content % held
        return sending_s(link, content - rest, held) * held + sending_s(link, rest, held) * rest
    return one_charge(link, content) if strategy == ONE else 0.0


def s0_ratio(link: Setting, content: float) -> float:
    """Ts / T0 as eq. 15 approximates it, with BW × RTT / alpha."""
    alpha = ceil(content / link.mss)
    return _one_octets(link, link.mss) / (60 + link.mss + link.bandwidth * link.rtt_s / alpha)


def s1_ratio(link: Setting, content: float) -> float:
    """Returns Td / T1, eq. 17. It is exact for contents of one segment."""
    return _one_octets(link, content) / (120 + content + link.bandwidth * link.rtt_s)


def s3_ratio(link: Setting) -> float:
    """Td / T3 as eq. 20 approximates it, with M = MSS."""
    return s1_ratio(link, link.mss)


def s3_ratio_exact(link: Setting, content: float) -> float:
    """Returns Td / T3 by eq. 8, which section 4.3 prints beside eq. 20."""
    return one_s(link, content) / strategy_s(link, "S3", content)


def equal_buffer(link: Setting, content: float = inf) -> int:
    """Returns the bytes of the smallest S3 buffer that is as fast as one segment in flight.

    `content` is sent by eq. 8. The default is a long content, or any whole number of buffers and of segments.
    """
    for held in range(1, link.mss + 1):
        if content == inf:
            s3, one = sending_s(link, held, held) / held, one_s(link, link.mss) / link.mss
        else:
            s3, one = sending_s(link, content, held), one_s(link, content)
        if s3 <= one:
            return held
    return link.mss


def break_even_bandwidth() -> float:
    """Returns the bytes a second above which S1 and S3 beat one segment in flight: 40 < BW × 0.2, after eq. 17."""
    return 40 / DELAYED_ACK_S


def _one_octets(link: Setting, octets: float) -> float:
    """The numerator of eq. 15, 17 and 20: a segment and its late acknowledgment, in bytes of the link."""
    return 80 + octets + link.bandwidth * (link.rtt_s + link.delayed_ack_s)
