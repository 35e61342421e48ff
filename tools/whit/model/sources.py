# SPDX-License-Identifier: MIT
"""Cuts a response into segments as the engine does, by strategy (DESIGN.md section 1).

Offsets are octets from the response's beginning, as on the wire: a chunk includes its framing.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Protocol

from whit.model.parties import Item, Server

STATUS = 15  # octets of the version and the status code, which are pieces of their own
CHUNK_HEAD, CHUNK_TAIL, CHUNK_LAST = 5, 2, 5  # octets: size line, CR LF, last chunk
CHUNK_AROUND = CHUNK_HEAD + CHUNK_TAIL + CHUNK_LAST
BLOCK_HEAD = 4  # octets of the shared buffer for each block in it
BLOCK = BLOCK_HEAD + 8  # and the identification of a run
HEAD_MAX = 192
FILL_MIN = 32
FOUR_MIN = 1024


class Source(Protocol):
    """A response as its sender has it."""

    def end(self, acked: int) -> float:
        """Returns the offset up to which data can be sent; inf while it is unknown. `acked`: octets acknowledged."""

    def last(self) -> bool:
        """True if end() is the end of the response."""

    def most(self, at: int, mss: int) -> int:
        """Octets of the segment that begins at `at`, at most."""

    def cut(self, at: int, limit: int, mss: int) -> int:
        """Octets that a segment at `at` carries of the `limit` that may go."""

    def held(self) -> int:
        """Octets that are kept for it until all of it is acknowledged."""


@dataclass
class Whole:
    """S0 and S1: all octets exist; those of a file are sent in whole chunks."""

    octets: int
    chunk: int = 1
    kept: int = 0

    def end(self, acked: int) -> float:
        return self.octets

    def last(self) -> bool:
        return True

    def most(self, at: int, mss: int) -> int:
        return mss

    def cut(self, at: int, limit: int, mss: int) -> int:
        if at + limit >= self.octets:
            return self.octets - at
        chunks = (at + limit - STATUS) // self.chunk * self.chunk + STATUS
        return chunks - at if chunks > at else limit

    def held(self) -> int:
        return self.kept


@dataclass
class Made:
    """S2: regenerated for each segment, in the free part of the buffer."""

    octets: int
    head: int
    room: int

    def end(self, acked: int) -> float:
        return self.octets

    def last(self) -> bool:
        return True

    def most(self, at: int, mss: int) -> int:
        return mss

    def cut(self, at: int, limit: int, mss: int) -> int:
        ahead = max(0, self.head - at)
        return min(limit, self.octets - at, ahead + self.room)

    def held(self) -> int:
        return 0


@dataclass
class Rerun:
    """S4: a chunk for each segment."""

    head: int
    left: int  # octets of content
    room: int
    sent: int = 0

    def end(self, acked: int) -> float:
        return inf if self.left else self.sent

    def last(self) -> bool:
        return self.left == 0

    def most(self, at: int, mss: int) -> int:
        return mss

    def cut(self, at: int, limit: int, mss: int) -> int:
        ahead = max(0, self.head - at)
        plan = min((limit if limit >= ahead + CHUNK_AROUND + 16 else mss) - ahead - CHUNK_AROUND, self.room)
        octets = min(plan, self.left)
        self.left -= octets
        last = CHUNK_LAST if self.left == 0 else 0
        self.sent = at + ahead + CHUNK_HEAD + octets + CHUNK_TAIL + last
        return self.sent - at

    def held(self) -> int:
        return 0


@dataclass
class Kept:
    """S3: a thread fills its room, and continues when acknowledgments have freed some. Its last output is sent in an
    even number of segments."""

    head: int
    left: int
    room: int
    filled: int = 0  # octets on the wire, head included
    batch: int = 0  # offset of its last output

    def end(self, acked: int) -> float:
        self._fill(acked)
        return self.filled

    def last(self) -> bool:
        return self.left == 0

    def most(self, at: int, mss: int) -> int:
        octets = self.filled - self.batch
        if at < self.batch or octets <= 0:
            return mss
        pairs = -(-octets // (2 * mss))
        if pairs == 1 and octets >= FOUR_MIN:
            pairs = 2
        return -(-octets // (2 * pairs))

    def cut(self, at: int, limit: int, mss: int) -> int:
        return limit

    def held(self) -> int:
        return self.room

    def _fill(self, acked: int) -> None:
        kept = max(0, self.filled - max(acked, self.head)) if self.filled else 0
        if kept > self.room - self.room // 8 * 3:
            return
        if self.left and self.room - kept >= CHUNK_AROUND + FILL_MIN:
            self.batch = self.filled
            octets = min(self.left, self.room - kept - CHUNK_AROUND, 4095)
            self.left -= octets
            behind = CHUNK_TAIL + (0 if self.left else CHUNK_LAST)
            self.filled = max(self.filled, self.head) + CHUNK_HEAD + octets + behind


def source(item: Item, server: Server, mss: int) -> Source:
    """Returns the source of a response's octets, as the engine chooses it."""
    octets = item.head + item.content
    room = server.buffer - 2 * BLOCK
    if item.strategy == "S0":
        return Whole(octets, server.chunk)
    if item.strategy == "S1" or (item.strategy == "S3" and item.content <= room - CHUNK_AROUND):
        return Whole(octets, kept=item.content)
    if item.strategy == "S2":
        return Made(octets, item.head, room)
    if item.strategy == "S3":
        pair = 2 * mss
        kept = room if room < pair else room - room % pair
        return Kept(item.head, item.content, kept)
    if item.strategy == "S4":
        if octets <= mss and item.content <= mss - HEAD_MAX:
            return Made(octets, item.head, room)
        return Rerun(item.head, item.content, _chunk_room(server.buffer, mss))
    raise ValueError(item.strategy)


POINT, POINTS_MAX, PLAN_MIN = 12, 17, 16


def _chunk_room(buffer: int, mss: int) -> int:
    """Returns the octets of an S4 chunk beside the rerun points, for an index or a small state."""
    free = buffer - 2 * BLOCK - 2 * PLAN_MIN
    points = (free - min(mss + POINT, free // 2)) // POINT
    return max(PLAN_MIN, buffer - BLOCK - (max(2, min(points, POINTS_MAX)) + 1) * POINT)
