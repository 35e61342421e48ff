# SPDX-License-Identifier: MIT
"""The bulk throughput of INRIA RT-0349 (paper 000) section 3.

`alpha`: void acknowledgments for each segment; `beta`: the delayed share of them. A sender without pauses has 1/2 and
0. A sender that waits for each acknowledgment has 1 and 1. Repaired: chunks of a segment are rounded down.
"""

from whit_lab.model.paper import DELAYED_ACK_S, HEADER

ACK = HEADER  # bytes
LINE_RATE = 14_400.0  # bytes a second, Figures 3 to 5
CONTINUOUS, ONE_IN_FLIGHT = (0.5, 0.0), (1.0, 1.0)  # alpha, beta


def overhead(mss: int, alpha: float) -> float:
    """Section 3.2: bytes of headers and acknowledgments for each byte of data."""
    return (HEADER + alpha * ACK) / mss


def throughput(
    mss: int, alpha: float, beta: float, rate: float = LINE_RATE, delayed_ack_s: float = DELAYED_ACK_S
) -> float:
    """Section 3.3: bytes of data a second; Figures 3 and 4 show it as a share of the line's rate."""
    return mss / (beta * delayed_ack_s + (mss + HEADER + alpha * ACK) / rate)


def output_size(mss: int, chunk: int) -> int:
    """Section 5.1.3: bytes of a segment of whole chunks."""
    return chunk * (mss // chunk)


def sums_size(file_size: int, chunk: int) -> int:
    """Section 5.1.3: bytes of the checksums of a file's chunks."""
    return 2 * -(-file_size // chunk)
