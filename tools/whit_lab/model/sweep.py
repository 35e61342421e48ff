# SPDX-License-Identifier: MIT
"""Charts of the models over sizes of content and over segments in flight."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from whit.model.words import say_link
from whit_lab.experiment import Line, Lines
from whit_lab.model.comparison import ONE, Question, paper_charge, paper_s, refined
from whit_lab.plot import draw

POINTS = 48
IN_FLIGHT = 8
SHOWN = (ONE, "S1", "S3", "S0")  # S2 and S4 hold nothing and are as fast as S0
# the first three in both charts, so that their colours are the same
NAMES = {ONE: "one in flight", "S0": "S0, S2, S4"}

Points = list[tuple[float, float]]
Value = Callable[[Question, str], float | None]


def draw_sweeps(question: Question, strategies: tuple[str, ...], path: Path) -> None:
    """SVG or PNG, by the suffix."""
    shown = [strategy for strategy in SHOWN if strategy in strategies] or list(strategies)
    draw(say_link(replace(question.link, loss=0.0)), sweeps(question, shown), path)


def sweeps(question: Question, shown: list[str]) -> list[Lines]:
    """Returns charts by size of the content, up to twice the requested one, and by segments in flight."""
    most = 2 * question.content
    sizes = sorted({max(1, round(most * (index + 1) / POINTS)) for index in range(POINTS)})
    lines: list[Line] = []
    held: list[Line] = []
    for strategy in shown:
        asked = [replace(question, content=size) for size in sizes]
        lines += _pair(strategy, asked, paper_s, _st)
        if strategy in (ONE, "S1", "S3"):
            held += _pair(strategy, asked, paper_charge, _charge)
    charts = [Lines("Sending time by content", "octets of content", "seconds", lines)]
    charts += [Lines("Memory charge by content", "octets of content", "octet seconds", held)] if held else []
    counts = [replace(question, in_flight=count) for count in range(1, IN_FLIGHT + 1)]
    flight = [
        Line("refined", [(one.in_flight or 0, s) for one in counts if (s := _st(one, "S0")) is not None]),
        Line("papers, eq. 8", [(one.in_flight or 0, paper_s(one, "S0")) for one in counts], "paper"),
    ]
    title = f"Sending time of {question.content} octets, S0"
    return [*charts, Lines(title, "segments in flight, at most", "seconds", flight)]


def _pair(strategy: str, asked: list[Question], paper: Value, own: Value) -> list[Line]:
    name = NAMES.get(strategy, strategy)
    ours: Points = [(one.content, value) for one in asked if (value := own(one, strategy)) is not None]
    theirs: Points = [(one.content, value) for one in asked if (value := paper(one, strategy)) is not None]
    drawn = [Line(f"{name}, refined", ours)] if ours else []
    return [*drawn, Line(f"{name}, papers", theirs, "paper")]


def _st(question: Question, strategy: str) -> float | None:
    found = refined(question, strategy)
    return found.st_s if found else None


def _charge(question: Question, strategy: str) -> float | None:
    found = refined(question, strategy)
    return found.charge_bs if found else None
