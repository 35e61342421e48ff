# SPDX-License-Identifier: MIT
"""Instructions and octets on the line for one request, from a system on the emulated PC."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean, median
from typing import Generic, TypeVar

from whit.lab.experiments.pc.pages import FILE
from whit.lab.experiments.pc.phases import to_clients
from whit.real.capture import capture
from whit.real.counted_pc import DEVICE, CountedPc, System, counted_pc
from whit.real.load import Pages, clients

TIMES_ON_WIRE, ON_WIRE = 10, 16  # requests whose octets are counted
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
    octets: float  # of frames that the server sends, with their checksums; 0: not counted
    frames: float
    head: int  # octets of HTTP's


Asking = TypeVar("Asking")


@dataclass(frozen=True)
class Counted(Generic[Asking]):
    """On one card, by what is asked for and how."""

    costs: Mapping[Asking, Cost]


@dataclass(frozen=True)
class Measured(Counted[Way]):
    """Of the file."""

    idle: float  # instructions a second while nobody asks


@dataclass(frozen=True)
class _Mark:
    time_s: float
    low: int
    high: int


def measure(system: System, card: str, requests: int) -> Measured:
    """Of the file."""
    with counted_pc(system, card) as pc:
        idle = steady(pc)
        marks = {way: ask(pc, [FILE], way, requests) for way in WAYS}
        wire = {way: on_wire(pc, [FILE], way) for way in WAYS}
        idle = min(idle, steady(pc))
    return Measured({way: one.cost(idle, wire[way]) for way, one in marks.items()}, round(idle))


@dataclass(frozen=True)
class Asked:
    """Before the requests, behind them, and behind twice as many more."""

    marks: tuple[_Mark, _Mark, _Mark]
    requests: int
    head: int

    def cost(self, idle: float, wire: tuple[float, float] = (0.0, 0.0)) -> Cost:
        """From the difference between so many requests and twice as many, so that what happens once does not count;
        less what is executed in this time while nobody asks, before or after it, whichever is less."""
        before, between, after = self.marks

        def more(of: str) -> float:
            first, middle, last = (getattr(mark, of) for mark in (before, between, after))
            return float(last - middle - (middle - first))

        return Cost(
            round((more("low") + more("high") - idle * more("time_s")) / self.requests),
            round(more("low") / self.requests),
            *wire,
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


def on_wire(pc: CountedPc, pages: Pages, way: Way) -> tuple[float, float]:
    """Octets and frames of a request. One at a time the median of several times so many requests, since a client of
    this machine that comes late is answered twice."""
    asked = clients(pc.namespace, pages, way.at_once, keep=way.keep)
    with capture(pc.namespace, DEVICE) as seen, asked as asking:
        asking.ask(2 * way.at_once)  # the handshake of a kept connection is not the request's
        seen.segments()
        sent = []
        for _ in range(TIMES_ON_WIRE):
            asking.ask(ON_WIRE)
            sent.append(to_clients(seen.segments()))
    of = median if way.at_once == 1 else fmean
    octets, frames = (of(each) / ON_WIRE for each in zip(*sent, strict=True))
    return round(octets, 1), round(frames, 3)


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
    counts = pc.counts
    return _Mark(time.monotonic(), counts.low, counts.high)
