# SPDX-License-Identifier: MIT
"""Instructions and octets on the line for one request, from a system on the emulated PC."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from whit.lab.experiments.pc.pages import FILE
from whit.real.counted_pc import CountedPc, System, counted_pc
from whit.real.load import Pages, clients

FCS = 4  # octets of a frame behind what a TAP device shows
STEADY = 0.8  # of one second's instructions, another one's
STEADY_MOST_S = 20


@dataclass(frozen=True)
class Way:
    """How it is asked for."""

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
    """Of the file."""
    with counted_pc(system, card) as pc:
        idle = steady(pc)
        marks = {way: ask(pc, [FILE], way, requests) for way in WAYS}
        idle = min(idle, steady(pc))
    return Measured({way: one.cost(idle) for way, one in marks.items()}, round(idle))


@dataclass(frozen=True)
class Asked:
    """Before the requests, behind them, and behind twice as many more."""

    marks: tuple[_Mark, _Mark, _Mark]
    requests: int
    head: int

    def cost(self, idle: float) -> Cost:
        """From the difference between so many requests and twice as many, so that what happens once does not count;
        less what is executed in this time while nobody asks, before or after it, whichever is less."""
        before, between, after = self.marks

        def more(of: str) -> float:
            first, middle, last = (getattr(mark, of) for mark in (before, between, after))
            return float(last - middle - (middle - first))

        frames = (after.frames - before.frames) / (3 * self.requests)
        octets = (after.octets - before.octets) / (3 * self.requests)
        return Cost(
            round((more("low") + more("high") - idle * more("time_s")) / self.requests),
            round(more("low") / self.requests),
            round(octets + FCS * frames, 1),
            round(frames, 3),
            self.head,
        )


def ask(pc: CountedPc, pages: Pages, way: Way, requests: int) -> Asked:
    """So many, and then twice as many, after some that do not count."""
    with clients(pc.namespace, pages, way.at_once, keep=way.keep) as asking:
        asking.ask(max(requests // 4, 2 * way.at_once))
        before = _mark(pc)
        asking.ask(requests)
        between = _mark(pc)
        asking.ask(2 * requests)
        return Asked((before, between, _mark(pc)), requests, asking.head_len)


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


def _mark(pc: CountedPc) -> _Mark:
    octets, frames = pc.sent()
    counts = pc.counts
    return _Mark(time.monotonic(), counts.low, counts.high, octets, frames)
