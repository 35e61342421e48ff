# SPDX-License-Identifier: MIT
"""Instructions and bytes on the line for one request, from a system on the emulated PC."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Generic, TypeVar

from whit_lab.experiments.pc.pages import FILE
from whit_lab.experiments.pc.phases import to_clients
from whit_lab.real.capture import capture
from whit_lab.real.counted_pc import DEVICE, CountedPc, System, counted_pc
from whit_lab.real.load import Pages, clients

TIMES_ON_WIRE, ON_WIRE = 10, 16  # requests whose bytes are counted
TURNS = 5
STEADY = 0.8  # smallest ratio of instructions of two adjacent seconds
STEADY_MOST_S = 20


@dataclass(frozen=True)
class Way:
    """The way in which clients send requests."""

    keep: bool
    at_once: int

    @property
    def name(self) -> str:
        return f"{'a kept connection' if self.keep else 'its own connection'}, {self.at_once} at once"


WAYS = tuple(Way(keep, at_once) for keep in (False, True) for at_once in (1, 16))


@dataclass(frozen=True)
class Cost:
    """The cost of one request. `programs`: instructions in the lower half of the address space."""

    instructions: float
    programs: float
    octets: float  # of frames sent by the server, with their checksums; 0: not counted
    frames: float
    head: int  # bytes of HTTP's head
    spread_percent: float = 0.0  # between the turns; `instructions` is their median


Asking = TypeVar("Asking")


@dataclass(frozen=True)
class Counted(Generic[Asking]):
    """Costs on one card, by request and way."""

    costs: Mapping[Asking, Cost]


@dataclass(frozen=True)
class Measured(Counted[Way]):
    """Costs of the file."""

    idle: float  # instructions a second without requests


@dataclass(frozen=True)
class _Mark:
    time_s: float
    low: int
    high: int


def measure(system: System, card: str, requests: int) -> Measured:
    """Measures the costs of the file."""
    with counted_pc(system, card) as pc:
        idle = steady(pc)
        marks = {way: ask(pc, [FILE], way, requests) for way in WAYS}
        wire = {way: on_wire(pc, [FILE], way) for way in WAYS}
        idle = min(idle, steady(pc))
    return Measured({way: one.cost(idle, wire[way]) for way, one in marks.items()}, round(idle))


@dataclass(frozen=True)
class Turn:
    """Counts before the requests, after them, and after twice as many more."""

    marks: tuple[_Mark, _Mark, _Mark]
    requests: int

    def more(self, of: str) -> float:
        """Returns the value per request. It is the difference between `requests` and twice as many; this cancels
        one-time costs."""
        first, middle, last = (getattr(mark, of) for mark in self.marks)
        return float(last - middle - (middle - first)) / self.requests

    def instructions(self, idle: float) -> float:
        """Returns instructions per request, less those executed in this time without requests."""
        return self.more("low") + self.more("high") - idle * self.more("time_s")


@dataclass(frozen=True)
class Asked:
    """Several turns, since other load of the machine disturbs some of them."""

    turns: Sequence[Turn]
    head: int

    def cost(self, idle: float, wire: tuple[float, float] = (0.0, 0.0)) -> Cost:
        """Returns the median of the turns. idle: instructions a second without requests."""
        each = [turn.instructions(idle) for turn in self.turns]
        programs = median(turn.more("low") for turn in self.turns)
        spread = (max(each) - min(each)) / median(each)
        return Cost(round(median(each)), round(programs), *wire, self.head, round(spread * 100, 1))


def ask(pc: CountedPc, pages: Pages, way: Way, requests: int) -> Asked:
    """Sends `requests` requests and then twice as many, in several turns. The first requests are not counted."""
    each = -(-requests // TURNS // len(pages)) * len(pages)
    with clients(pc.namespace, pages, way.at_once, keep=way.keep) as asking:
        asking.ask(max(requests // 4, 2 * way.at_once))
        turns = []
        for _ in range(TURNS):
            before = _mark(pc)
            asking.ask(each)
            between = _mark(pc)
            asking.ask(2 * each)
            turns.append(Turn((before, between, _mark(pc)), each))
        return Asked(turns, asking.head_len)


def on_wire(pc: CountedPc, pages: Pages, way: Way) -> tuple[float, float]:
    """Returns bytes and frames of a request.

    A late client of this machine is answered twice. One at a time, the result is therefore the median of several rounds
    of ON_WIRE requests.
    """
    asked = clients(pc.namespace, pages, way.at_once, keep=way.keep)
    with capture(pc.namespace, DEVICE) as seen, asked as asking:
        asking.ask(2 * way.at_once)  # the handshake of a kept connection is not counted
        seen.segments()
        sent = []
        for _ in range(TIMES_ON_WIRE):
            asking.ask(ON_WIRE)
            sent.append(to_clients(seen.segments()))
    of = median if way.at_once == 1 else fmean
    octets, frames = (of(each) / ON_WIRE for each in zip(*sent, strict=True))
    return round(octets, 1), round(frames, 3)


def steady(pc: CountedPc) -> float:
    """Waits until the system is idle. Returns its instructions a second."""
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
