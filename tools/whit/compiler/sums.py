# SPDX-License-Identifier: MIT
"""One's complement sums (RFC 1071), not complemented. The first octet is the high one."""


def fold(total: int) -> int:
    """End-around carry: 0 for 0, else 1..0xffff."""
    return (total - 1) % 0xFFFF + 1 if total else 0


def sum_of(octets: bytes) -> int:
    """The sum; an odd last octet is a high one."""
    return fold((sum(octets[0::2]) << 8) + sum(octets[1::2]))


def prefix_sums(body: bytes, chunk: int) -> list[int]:
    """sums[i] is the sum of body[0 : (i + 1) * chunk]; the last one covers the whole body. `chunk` is even."""
    sums = []
    total = 0
    for start in range(0, len(body), chunk):
        total += sum_of(body[start : start + chunk])
        sums.append(fold(total))
    return sums
