# SPDX-License-Identifier: MIT
"""Frames that found no slot or no room, for the emulated AVR: offered again in the order of arrival, not by
turns of hosts as drivers/later.c does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

NO_SLOT, TAKEN, NO_ROOM, WAITS, PART = 0, 1, 2, 3, 6  # enum whit_taken
HOLD, ASK, LET_GO = 1, 2, 3  # enum whit_held
WAIT_MS, PATIENCE, RETRY_MS, TELL_MS, TELLS, ASK_MS = 10_000, 3, 10, 60, 3, 1_000
CONNECTION = slice(26, 38)  # addresses and ports of a segment in an Ethernet frame


@dataclass
class Waiting:
    frame: bytes
    said: int  # of it by the engine
    since_ms: int  # when its peer was heard of last
    tell_ms: int
    told: int = 0  # how often that it is here
    wait_ms: int = WAIT_MS  # for so long its peer may be silent

    @property
    def wants(self) -> bool:
        return self.said in (NO_SLOT, NO_ROOM)

    def telling(self, now_ms: int) -> int:
        """What its peer is told now; 0: nothing."""
        if not self.wants or now_ms < self.tell_ms:
            return 0
        if self.told < TELLS:
            return HOLD
        return LET_GO if now_ms - self.since_ms >= self.wait_ms else ASK


class Later:
    def __init__(self) -> None:
        self.frames: list[Waiting] = []

    def received(self, frame: bytes, said: int, now_ms: int) -> None:
        """What the engine said of a frame that came. A peer that sends one again keeps its place; when it was told that
        it is here, it has not heard that."""
        if said != TAKEN:
            self._keep(frame, said, now_ms)
        for one in self.frames:
            if one.told and one.frame[CONNECTION] == frame[CONNECTION]:
                one.since_ms = now_ms

    def _keep(self, frame: bytes, said: int, now_ms: int) -> None:
        for one in self.frames:
            if one.frame == frame:
                one.wait_ms = max(one.wait_ms, PATIENCE * (now_ms - one.since_ms))
                one.said, one.since_ms = said, now_ms
                one.tell_ms = now_ms + (0 if one.told else TELL_MS)
                one.told = min(one.told, 1)
                return
        self.frames.append(Waiting(frame, said, now_ms, now_ms + TELL_MS))

    def offer(self, offer: Callable[[bytes, int, int], int], now_ms: int) -> None:
        """`offer`: of a frame, what was said of it before, what its peer is told; what is said of it now."""
        frames, self.frames = self.frames, []
        for one in frames:
            if not one.told and one.said != WAITS and now_ms - one.since_ms >= one.wait_ms:
                continue
            how = one.telling(now_ms)
            one.said = offer(one.frame, one.said, how)
            if how and one.wants:
                one.told = min(one.told + 1, TELLS)
                one.tell_ms = now_ms + (TELL_MS if one.told < TELLS else ASK_MS)
            if one.said != TAKEN:
                self.frames.append(one)
