# SPDX-License-Identifier: MIT
"""Pages at a rate, for 002's figures: real time, on an emulated processor."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from whit_lab.experiment import Found, Line, Lines, Sheet
from whit_lab.experiments.pc.cost import steady
from whit_lab.experiments.pc.pages import FILE
from whit_lab.experiments.pc.phases import Phases, phases, to_clients
from whit_lab.experiments.pc.systems import THEIRS
from whit_lab.real.capture import capture
from whit_lab.real.counted_pc import DEVICE, CountedPc, System, counted_pc
from whit_lab.real.load import Pages, offered

RATES = (50, 100, 200, 400, 800, 1200, 1600, 2000)
SECONDS = 2.0
ENOUGH = 0.95  # share of answered requests; below it the system is overloaded


RESPONSE, CONNECTION, SENT = "response_ms", "connection_ms", "mb_s"  # attributes of a point


@dataclass(frozen=True)
class Point:
    """Medians at a rate, in milliseconds. Also the answered share, the throughput, and phases of the database's
    connections."""

    rate: int
    response_ms: float
    connection_ms: float
    answered: float
    mb_s: float = 0.0
    phases: Phases = field(default_factory=Phases)


def measure(system: System, card: str) -> list[Point]:
    """Measures the file, up to the first rate that is too high for the system."""
    with counted_pc(system, card) as pc:
        steady(pc)
        return until_too_much(lambda rate: point(pc, [FILE], rate), RATES)


def until_too_much(at: Callable[[int], Point], several: Iterable[int]) -> list[Point]:
    found: list[Point] = []
    for rate in several:
        found.append(at(rate))
        if found[-1].answered < ENOUGH:
            break
    return found


def point(pc: CountedPc, pages: Pages, rate: int) -> Point:
    with capture(pc.namespace, DEVICE) as seen:
        result = offered(pc.namespace, pages, rate, SECONDS)
        segments = seen.segments()
    if not result.handshakes_s:
        return Point(rate, 0.0, 0.0, 0.0)
    response, connection = (1000 * median(times) for times in (result.handshakes_s, result.connections_s))
    octets, _ = to_clients(segments)
    answered = len(result.handshakes_s) / result.asked
    return Point(rate, response, connection, answered, 8 * octets / result.took_s / 1e6, phases(segments))


def rows(points: Mapping[str, Sequence[Point]]) -> list[tuple[str, ...]]:
    return [
        (name, str(one.rate), f"{one.response_ms:.2f}", f"{one.connection_ms:.2f}", f"{100 * one.answered:.0f}",
         f"{one.mb_s:.2f}")
        for name, several in points.items()
        for one in several
    ]  # fmt: skip


def columns(of: str = "requests/s") -> tuple[str, ...]:
    return ("server", of, "response time, ms", "connection time, ms", "answered, %", "sent, Mb/s")


def show(points: Mapping[str, Sequence[Point]], card: str) -> Iterator[Found]:
    yield {"rates": list(RATES), "seconds_at_a_rate": SECONDS}
    yield Sheet(f"A static page at a rate (002 Figures 3, 4), {card}", columns(), rows(points))
    yield lines("Response time: the handshake (002 Figure 3)", by_rate(points), RESPONSE)
    yield lines("Connection time: the file and the end (002 Figure 4)", by_rate(points), CONNECTION)


Places = Mapping[str, Iterable[tuple[float, Point]]]
"""By whose they are: where on the axis each stands."""


def by_rate(points: Mapping[str, Sequence[Point]]) -> Places:
    return {name: [(one.rate, one) for one in several] for name, several in points.items()}


def lines(title: str, places: Places, of: str, x: str = "requests a second", *, log_x: bool = True) -> Lines:
    """Returns a chart. of: the drawn number of a point; throughput is drawn as it is."""
    drawn = [
        line(name, [(at, round(getattr(one, of), 2)) for at, one in several if one.answered])
        for name, several in places.items()
    ]
    y, log_y = ("Mb/s", log_x) if of == SENT else ("milliseconds, median", True)
    return Lines(title, x, y, drawn, log_x=log_x, log_y=log_y)


def line(name: str, points: Sequence[tuple[float, float]]) -> Line:
    return Line(name, points, "peer" if name in THEIRS else "ours")
