# SPDX-License-Identifier: MIT
"""The line between two ends: one frame follows the other, and directions of a half-duplex line take turns."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

At = Callable[[float, Callable[[], None]], None]
"""Calls an action at a time."""


class Line:
    """Frames in one or two directions, 0 and 1."""

    def __init__(self, at: At) -> None:
        self._at = at
        self._waiting: tuple[deque[tuple[float, Callable[[float], None]]], ...] = (deque(), deque())
        self._busy = False

    def send(self, now: float, direction: int, length_s: float, left: Callable[[float], None]) -> None:
        """Queues a frame. `left` is called when its last octet leaves, with the time at which its first octet left."""
        self._waiting[direction].append((length_s, left))
        if not self._busy:
            self._next(now, direction)

    def _next(self, now: float, direction: int) -> None:
        turn = direction if self._waiting[direction] else 1 - direction
        self._busy = bool(self._waiting[turn])
        if self._busy:
            length_s, left = self._waiting[turn].popleft()
            end = now + length_s
            self._at(end, lambda: self._next(end, 1 - turn))
            self._at(end, lambda: left(now))
