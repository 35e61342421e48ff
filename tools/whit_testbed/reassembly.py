# SPDX-License-Identifier: MIT
"""The receiving half of TCP: it makes a stream of bytes that arrive in any order, overlapping or repeated."""

from __future__ import annotations

from dataclasses import dataclass, field


class Splice(AssertionError):
    """A byte was received again with another value, or behind the end. A position has one byte only."""


@dataclass
class Reassembly:
    """`stream` is the data received in order. `verify` compares repeated bytes with the first ones."""

    verify: bool = True
    stream: bytearray = field(default_factory=bytearray)
    fin_at: int | None = None  # position behind the last byte, once a FIN has arrived
    repeated: int = 0  # bytes received more than once
    _ahead: dict[int, bytes] = field(default_factory=dict)  # behind a gap, by position; the newest last

    @property
    def complete(self) -> bool:
        return self.fin_at is not None and len(self.stream) >= self.fin_at

    @property
    def gap(self) -> bool:
        """True if data behind a gap, or a FIN, is waiting."""
        return bool(self._ahead) or (self.fin_at is not None and not self.complete)

    def fin(self, position: int) -> None:
        if self.verify and self.fin_at not in (None, position):
            raise Splice(f"FIN at {position}, before at {self.fin_at}")
        self.fin_at = position

    def add(self, position: int, octets: bytes) -> bool:
        """Adds bytes from `position` on, which may lie before the stream's end. True if the stream grew."""
        before = len(self.stream)
        if self.verify:
            self._compare(position, octets)
        if self.fin_at is not None and position + len(octets) > self.fin_at:
            if self.verify:
                raise Splice(f"octets up to {position + len(octets)}, the FIN stood at {self.fin_at}")
            octets = octets[: max(0, self.fin_at - position)]
        if position > before:
            if len(octets) > len(self._ahead.get(position, b"")):
                self._ahead.pop(position, None)
                self._ahead[position] = octets
            return False
        self.stream += octets[before - position :]
        self._join()
        return len(self.stream) > before

    def blocks(self) -> list[tuple[int, int]]:
        """Returns the blocks received ahead of a gap, as (from, to). The block with the newest segment comes first."""
        joined: list[tuple[int, int]] = []
        for at in sorted(self._ahead):
            end = at + len(self._ahead[at])
            if joined and at <= joined[-1][1]:
                joined[-1] = joined[-1][0], max(end, joined[-1][1])
            else:
                joined.append((at, end))
        age = {at: number for number, at in enumerate(reversed(self._ahead))}
        return sorted(joined, key=lambda block: min(age[at] for at in age if block[0] <= at < block[1]))

    def _join(self) -> None:
        for position in sorted(self._ahead):
            if position > len(self.stream):
                return
            octets = self._ahead.pop(position)
            self.stream += octets[len(self.stream) - position :]

    def _compare(self, position: int, octets: bytes) -> None:
        known = [(0, self.stream)] if position < len(self.stream) else []
        known += [(at, bytearray(piece)) for at, piece in self._ahead.items()]
        for at, piece in known:
            begin, end = max(at, position), min(at + len(piece), position + len(octets))
            if begin >= end:
                continue
            self.repeated += end - begin
            first, again = piece[begin - at : end - at], octets[begin - position : end - position]
            if first != again:
                where = next(i for i, (a, b) in enumerate(zip(first, again, strict=True)) if a != b)
                raise Splice(f"octet {begin + where} was {first[where]:#04x} and came again as {again[where]:#04x}")
