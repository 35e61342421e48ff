# SPDX-License-Identifier: MIT
"""Static pages at a rate, as 002's Figures 3 and 4 have them: real time, on an emulated processor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from whit.lab.experiment import Line, Lines, Result, Sheet
from whit.lab.experiments.pc.cost import FILE, NAME, steady
from whit.lab.experiments.pc.systems import OURS
from whit.real.counted_pc import System, counted_pc
from whit.real.load import Offered, offered

RATES = (50, 100, 200, 400, 800, 1200, 1600, 2000)
SECONDS = 2.0
ENOUGH = 0.95  # of the requests answered: with less it is overloaded


@dataclass(frozen=True)
class Point:
    """At a rate: the means, in milliseconds, and the share that was answered."""

    rate: int
    response_ms: float
    connection_ms: float
    answered: float


def measure(system: System, card: str) -> list[Point]:
    """Up to the first rate that is too much for it."""
    found: list[Point] = []
    with counted_pc(system, card) as pc:
        steady(pc)
        for rate in RATES:
            found.append(_point(rate, offered(pc.namespace, f"/{NAME}", FILE, rate, SECONDS)))
            if found[-1].answered < ENOUGH:
                break
    return found


def _point(rate: int, result: Offered) -> Point:
    if not result.handshakes_s:
        return Point(rate, 0.0, 0.0, 0.0)
    response, connection = (1000 * median(times) for times in (result.handshakes_s, result.connections_s))
    return Point(rate, response, connection, len(result.handshakes_s) / result.asked)


def show(points: Mapping[str, Sequence[Point]], card: str) -> Result:
    rows = [
        (name, str(one.rate), f"{one.response_ms:.2f}", f"{one.connection_ms:.2f}", f"{100 * one.answered:.0f}")
        for name, several in points.items()
        for one in several
    ]
    columns = ("server", "requests/s", "response time, ms", "connection time, ms", "answered, %")
    sheet = Sheet(f"A static page at a rate (002 Figures 3, 4), {card}", columns, rows)
    series = [
        _lines("Response time: the handshake (002 Figure 3)", {
            name: [(one.rate, one.response_ms) for one in several] for name, several in points.items()
        }),
        _lines("Connection time: the file and the end (002 Figure 4)", {
            name: [(one.rate, one.connection_ms) for one in several] for name, several in points.items()
        }),
    ]  # fmt: skip
    return Result({"rates": list(RATES), "seconds_at_a_rate": SECONDS}, (), series, sheets=[sheet])


def _lines(title: str, curves: Mapping[str, Sequence[tuple[float, float]]]) -> Lines:
    lines = [
        Line(name, [(rate, round(ms, 2)) for rate, ms in points if ms > 0], "ours" if name == OURS else "peer")
        for name, points in curves.items()
    ]
    return Lines(title, "requests a second", "milliseconds, median", lines, log_x=True, log_y=True)
