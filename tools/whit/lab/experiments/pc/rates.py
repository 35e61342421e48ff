# SPDX-License-Identifier: MIT
"""Pages at a rate, as 002's figures have them: real time, on an emulated processor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from whit.lab.experiment import Line, Lines, Result, Sheet
from whit.lab.experiments.pc.cost import steady
from whit.lab.experiments.pc.pages import FILE
from whit.lab.experiments.pc.phases import Phases, phases, to_clients
from whit.lab.experiments.pc.systems import OURS
from whit.real.capture import capture
from whit.real.counted_pc import DEVICE, CountedPc, System, counted_pc
from whit.real.load import Pages, offered

RATES = (50, 100, 200, 400, 800, 1200, 1600, 2000)
SECONDS = 2.0
ENOUGH = 0.95  # of the requests answered: with less it is overloaded


@dataclass(frozen=True)
class Point:
    """At a rate: the medians, in milliseconds, the share that was answered, what the clients were sent, and the phases
    of the connections to the database."""

    rate: int
    response_ms: float
    connection_ms: float
    answered: float
    mb_s: float = 0.0
    phases: Phases = field(default_factory=Phases)


def measure(system: System, card: str) -> list[Point]:
    """Of the file, up to the first rate that is too much for it."""
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


def show(points: Mapping[str, Sequence[Point]], card: str) -> Result:
    sheet = Sheet(f"A static page at a rate (002 Figures 3, 4), {card}", columns(), rows(points))
    series = [
        response("Response time: the handshake (002 Figure 3)", points),
        connection("Connection time: the file and the end (002 Figure 4)", points),
    ]
    return Result({"rates": list(RATES), "seconds_at_a_rate": SECONDS}, (), series, sheets=[sheet])


def response(title: str, points: Mapping[str, Sequence[Point]]) -> Lines:
    return lines(title, points, lambda one: one.response_ms)


def connection(title: str, points: Mapping[str, Sequence[Point]]) -> Lines:
    return lines(title, points, lambda one: one.connection_ms)


def lines(
    title: str, points: Mapping[str, Sequence[Point]], of: Callable[[Point], float], y: str = "milliseconds, median"
) -> Lines:
    drawn = [
        Line(
            name, [(one.rate, round(of(one), 2)) for one in several if of(one) > 0], "ours" if name == OURS else "peer"
        )
        for name, several in points.items()
    ]
    return Lines(title, "requests a second", y, drawn, log_x=True, log_y=True)
