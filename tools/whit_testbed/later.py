# SPDX-License-Identifier: MIT
"""Frames that found no slot or no room, for the emulated AVR.

They are offered again in the order of arrival; drivers/later.c goes by turns of hosts.
"""

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
    said: int  # the engine's last answer
    since_ms: int  # when its peer sent last
    tell_ms: int
    told: int = 0  # notices sent to its peer
    wait_ms: int = WAIT_MS  # longest silence of its peer

    @property
    def wants(self) -> bool:
        return self.said in (NO_SLOT, NO_ROOM)

    def telling(self, now_ms: int) -> int:
        """Returns the notice for its peer that is due now: HOLD, ASK, LET_GO; 0: none."""
        if not self.wants or now_ms < self.tell_ms:
            return 0
        if self.told < TELLS:
            return HOLD
        return LET_GO if now_ms - self.since_ms >= self.wait_ms else ASK


class Later:
    def __init__(self) -> None:
        self.frames: list[Waiting] = []

    def received(self, frame: bytes, said: int, now_ms: int) -> None:
        """Keeps or drops a frame after the engine's answer `said`. A repeated frame keeps its place. If its peer was
        already notified, the notice was lost."""
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
        """Offers each frame again. `offer` takes a frame, the engine's last answer and the notice for its peer; it
        returns the new answer."""
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
