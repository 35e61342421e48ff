# SPDX-License-Identifier: MIT
"""Selective acknowledgments at a sender (RFC 2018), handled as Linux does by RACK (RFC 8985).

No segment overtakes another: a segment is lost when a later one has arrived. A duplicate acknowledgment without a block
is ignored.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from whit.wire.packet import MASK32, distance

OPTION_SACK, OPTION_NOP = 5, 1


def blocks(options: bytes) -> Iterator[tuple[int, int]]:
    """Yields the edges of the blocks in a segment's options."""
    at = 0
    while at < len(options) and options[at] != 0:
        if options[at] == OPTION_NOP:
            at += 1
            continue
        length = options[at + 1]
        if options[at] == OPTION_SACK:
            yield from struct.iter_unpack("!II", options[at + 2 : at + length])
        at += length


class Scoreboard:
    """Positions of acknowledged and missing data in the sent stream."""

    def __init__(self) -> None:
        self._arrived: list[tuple[int, int]] = []  # in order, with gaps between them
        self._again = 0  # missing data before this position have been retransmitted

    def missing(self, options: bytes, begin_seq: int, una: int) -> list[tuple[int, int]]:
        """Returns the ranges to retransmit now. `begin_seq`: the sequence number of the position 0."""
        found = list(blocks(options))
        for begin, end in found:
            self._add(*(distance(edge, begin_seq + una & MASK32) + una for edge in (begin, end)))
        self._arrived = [(begin, end) for begin, end in self._arrived if end > una]
        self._again = max(self._again, una)
        lost, at = [], self._again
        for begin, end in self._arrived if found else ():
            if begin > at:
                lost.append((at, begin))
            at = max(at, end)
        self._again = max(self._again, *(end for _, end in lost), una) if lost else self._again
        return lost

    def _add(self, begin: int, end: int) -> None:
        apart = [one for one in self._arrived if one[1] < begin or end < one[0]]
        for other in self._arrived:
            if other not in apart:
                begin, end = min(begin, other[0]), max(end, other[1])
        self._arrived = sorted([*apart, (begin, end)])
