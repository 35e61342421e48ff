# SPDX-License-Identifier: MIT
"""Pages from the database, alone and among files: instructions, bytes on the line, and times at a rate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from whit_lab.experiments.pc import cost, pages, rates
from whit_lab.experiments.pc.cost import WAYS, Cost, Way
from whit_lab.experiments.pc.pages import FILE, LARGE, MEDIUM, SMALL
from whit_lab.experiments.pc.rates import Point
from whit_lab.experiments.pc.systems import OURS, dynamic_system
from whit_lab.papers import BARE_PC_MIX_DYNAMIC, BARE_PC_MIX_STATIC
from whit_lab.real.counted_pc import CountedPc, counted_pc
from whit_lab.real.load import Page

BUSY = Way(False, 16)  # the paper's clients request so from a busy server
SIZES = (SMALL, MEDIUM, LARGE)
SLOWER = 5  # divisor of 002's rates with files, since the emulated PC is slower
STATIC_RATE = BARE_PC_MIX_STATIC // SLOWER
SMALL_RATES = (25, 50, 100, 200, 400, 600, 800)  # a second
SIZE_RATES = (10, 25, 50, 100, 200, 400)
MIX_RATES = tuple(rate // SLOWER for rate in BARE_PC_MIX_DYNAMIC)
SIZE_RATE = 25  # rate at which the sizes are compared


@dataclass(frozen=True)
class Work:
    """The requested mix of files and pages."""

    static: int
    dynamic: int
    size: int = SMALL

    @property
    def name(self) -> str:
        if not self.static:
            return f"a page of {self.size} octets"
        return f"{self.static} files to {self.dynamic} pages of {self.size} octets"

    def pages(self, php: bool) -> list[Page]:
        """Returns the pages in order, mixed as evenly as possible, with the smallest numbers."""
        page, of = pages.page(self.size, php), self.static + self.dynamic
        return [
            page if (number + 1) * self.dynamic // of > number * self.dynamic // of else FILE for number in range(of)
        ]


ALONE = tuple(Work(0, 1, size) for size in SIZES)
MIXED = tuple(Work(BARE_PC_MIX_STATIC // 100, rate // 100) for rate in BARE_PC_MIX_DYNAMIC)
Asking = tuple[Work, Way]
ASKED: tuple[Asking, ...] = (
    *((ALONE[0], way) for way in WAYS),
    *((work, BUSY) for work in (*ALONE[1:], *MIXED)),
)


@dataclass(frozen=True)
class Timed:
    """Results at rates: a page of each size, and the small one among files."""

    alone: Mapping[int, Sequence[Point]]
    mixed: Sequence[Point]
    one_rate: Mapping[int, Point]  # SIZE_RATE, by size


@dataclass(frozen=True)
class Measured(cost.Counted[Asking]):
    """Costs of pages. `octets`: of a small page, on the line to its client, head included."""

    octets: Mapping[Way, float]
    file: Cost  # of the file, in the same server
    timed: Timed | None = None


def measure(name: str, card: str, there: Path, requests: int, *, timed: bool = False, least: bool = False) -> Measured:
    """Measures a server. `there`: the database. `least`: the small page alone."""
    php = name != OURS
    with counted_pc(dynamic_system(name), card) as pc, pages.database(there, pc.namespace):
        idle = cost.steady(pc)
        asked = {
            (work, way): cost.ask(pc, work.pages(php), way, _requests(work, requests))
            for work, way in ASKED
            if not least or (work == ALONE[0])
        }
        file = cost.ask(pc, [FILE], BUSY, requests)
        octets = {way: cost.on_wire(pc, ALONE[0].pages(php), way)[0] for way in WAYS}
        idle = min(idle, cost.steady(pc))
        times = _timed(pc, name) if timed else None
    costs = {asking: one.cost(idle) for asking, one in asked.items()}
    return Measured(costs, octets, file.cost(idle), times)


def _requests(work: Work, requests: int) -> int:
    """Returns the number of requests: fewer for slow pages; whole rounds of a mix."""
    several = len(work.pages(php=False))
    return -(-requests // several) * several if work.size == SMALL else requests // 5


def _timed(pc: CountedPc, name: str) -> Timed:
    php = name != OURS

    def at(work: Work, rate: int) -> Point:
        return rates.point(pc, work.pages(php), rate)

    def rising(work: Work, several: Sequence[int]) -> list[Point]:
        found = rates.until_too_much(lambda rate: at(work, rate), several)
        cost.steady(pc)  # the overload has ended
        return found

    sizes = ALONE if name == OURS else ALONE[:1]
    alone = {work.size: rising(work, SMALL_RATES if work == ALONE[0] else SIZE_RATES) for work in sizes}
    mixed = [at(Work(STATIC_RATE, rate), STATIC_RATE + rate) for rate in MIX_RATES]
    return Timed(alone, mixed, {work.size: at(work, SIZE_RATE) for work in ALONE})
