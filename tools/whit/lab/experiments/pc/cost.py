# SPDX-License-Identifier: MIT
"""Instructions and octets on the line for one file, from a system on the emulated PC."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from whit.lab.instruments.served import content
from whit.lab.papers import BARE_PC_FILE
from whit.real.counted_pc import CountedPc, System, counted_pc
from whit.real.load import clients

NAME = f"{BARE_PC_FILE}.html"
FILE = content(BARE_PC_FILE)
FCS = 4  # octets of a frame behind what a TAP device shows
STEADY = 0.8  # of one second's instructions, another one's
STEADY_MOST_S = 20


@dataclass(frozen=True)
class Way:
    """How the file is asked for."""

    keep: bool
    at_once: int

    @property
    def name(self) -> str:
        return f"{'a kept connection' if self.keep else 'its own connection'}, {self.at_once} at once"


WAYS = tuple(Way(keep, at_once) for keep in (False, True) for at_once in (1, 16))


@dataclass(frozen=True)
class Cost:
    """Of one request. `programs`: in the lower half of the address space."""

    instructions: float
    programs: float
    octets: float  # of frames that the server sends, with their checksums
    frames: float
    head: int  # octets of HTTP's


@dataclass(frozen=True)
class Measured:
    """On one card."""

    costs: Mapping[Way, Cost]
    idle: float  # instructions a second while nobody asks


@dataclass(frozen=True)
class _Mark:
    time_s: float
    low: int
    high: int
    octets: int
    frames: int


def measure(system: System, card: str, requests: int) -> Measured:
    """From the difference between so many requests and twice as many, so that what happens once does not count; less
    what is executed in this time while nobody asks, before or after it, whichever is less."""
    with counted_pc(system, card) as pc:
        idle = steady(pc)
        asked = {}
        for way in WAYS:
            with clients(pc.namespace, f"/{NAME}", FILE, way.at_once, keep=way.keep) as asking:
                asking.ask(requests // 4)
                marks = [_mark(pc)]
                for count in (requests, 2 * requests):
                    asking.ask(count)
                    marks.append(_mark(pc))
                asked[way] = marks, asking.head_len
        idle = min(idle, steady(pc))
    return Measured({way: _cost(marks, requests, idle, head) for way, (marks, head) in asked.items()}, round(idle))


def steady(pc: CountedPc) -> float:
    """Waits until it has nothing new to do any more. Instructions a second that it executes then."""
    before = _second(pc)
    for _ in range(STEADY_MOST_S):
        now = _second(pc)
        if STEADY * before < now < before / STEADY:
            return min(now, before)
        before = now
    return before


def _second(pc: CountedPc) -> float:
    start, counts = time.monotonic(), pc.counts
    time.sleep(1)
    return (pc.counts - counts).all / (time.monotonic() - start)


def _cost(marks: Sequence[_Mark], requests: int, idle: float, head: int) -> Cost:
    once, twice = ((after, before) for before, after in pairwise(marks))

    def more(of: str) -> float:
        first, second = (getattr(after, of) - getattr(before, of) for after, before in (once, twice))
        return float(second - first)

    frames = (marks[-1].frames - marks[0].frames) / (3 * requests)
    octets = (marks[-1].octets - marks[0].octets) / (3 * requests)
    return Cost(
        round((more("low") + more("high") - idle * more("time_s")) / requests),
        round(more("low") / requests),
        round(octets + FCS * frames, 1),
        round(frames, 3),
        head,
    )


def _mark(pc: CountedPc) -> _Mark:
    octets, frames = pc.sent()
    counts = pc.counts
    return _Mark(time.monotonic(), counts.low, counts.high, octets, frames)
