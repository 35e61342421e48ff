# SPDX-License-Identifier: MIT
"""An experiment and its results."""

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from whit.ladder.steps import Ladder

Progress = Callable[[str, float], None]
"""Told what is being measured now, and the share of the work that is done: 0..1."""


@dataclass(frozen=True)
class Part:
    """Reports the progress of part `index` of `of` equal parts, as progress of the whole."""

    progress: Progress
    index: int
    of: int

    def __call__(self, what: str, share: float) -> None:
        self.progress(what, (self.index + share) / self.of)


@dataclass(frozen=True)
class Figure:
    """A measured value. `limit`: upper bound, `least`: lower bound; None: the figure has no such bound."""

    name: str
    what: str
    value: float
    unit: str
    limit: float | None = None
    least: float | None = None

    @property
    def is_bounded(self) -> bool:
        return self.limit is not None or self.least is not None

    @property
    def holds(self) -> bool:
        return (self.limit is None or self.value <= self.limit) and (self.least is None or self.value >= self.least)


@dataclass(frozen=True)
class Beside(Figure):
    """A figure without a bound that explains the others."""


@dataclass(frozen=True)
class Bars:
    """A chart of amounts by name."""

    title: str
    x_label: str
    amounts: Mapping[str, float]
    log: bool = False  # dots on a logarithmic axis; all amounts are above 0


@dataclass(frozen=True)
class Curves:
    """A chart of step functions by name: points (x, y) in the order of x."""

    title: str
    x_label: str
    y_label: str
    curves: Mapping[str, Sequence[tuple[float, float]]]


@dataclass(frozen=True)
class Stacks:
    """A chart of amounts that consist of parts: parts by name, by name. `marks`: their upper bounds."""

    title: str
    x_label: str
    amounts: Mapping[str, Mapping[str, float]]
    marks: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Line:
    """Points (x, y) in the order of x. `whose` decides the style: measured lines are the most visible."""

    name: str
    points: Sequence[tuple[float, float]]
    whose: Literal["ours", "paper", "peer", "model"] = "ours"


@dataclass(frozen=True)
class Lines:
    """A chart of lines through points. Points are marked, except those of a model."""

    title: str
    x_label: str
    y_label: str
    lines: Sequence[Line]
    log_x: bool = False
    log_y: bool = False


Series = Bars | Curves | Stacks | Lines


Better = Literal["less", "more", "near"]


@dataclass(frozen=True)
class Row:
    """A value of a paper, a model or a peer, and Whit's. `near`: the closer, the better."""

    name: str
    ours: float
    theirs: float | None  # None: they have no value
    unit: str
    source: str  # "000 Table 4, dynaWeb", "lwIP 2.1.3, same run"
    better: Better = "less"

    @property
    def ratio(self) -> float | None:
        """Whit's value divided by theirs."""
        return self.ours / self.theirs if self.theirs else None

    @property
    def worse(self) -> bool:
        """True if Whit's value is worse. Always false for rows in which near is better."""
        if self.theirs is None or self.better == "near":
            return False
        return self.ours > self.theirs if self.better == "less" else self.ours < self.theirs


def against(name: str, ours: float, unit: str, theirs: Mapping[str, float], better: Better = "less") -> list[Row]:
    """Returns a row for each source: Whit's value beside theirs."""
    return [Row(name, ours, value, unit, source, better) for source, value in theirs.items()]


@dataclass(frozen=True)
class Sheet:
    """A table of words and numbers, in a paper's form, with columns for Whit."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Result:
    """Results of a run. `notes`: sentences that a reader needs to judge the figures. They explain where Whit is worse
    and why, or what a peer represents."""

    settings: Mapping[str, object]
    figures: Sequence[Figure] = ()
    series: Sequence[Series] = ()
    beside: Sequence[Figure] = ()
    compared: Sequence[Row] = ()
    sheets: Sequence[Sheet] = ()
    ladders: Sequence[Ladder] = ()
    notes: Sequence[str] = ()


Found = Figure | Row | Sheet | Series | Ladder | str | Mapping[str, object]
"""What a run yields, in any order: a string is a note, a mapping are settings."""
_PLACES = {Figure: "figures", Beside: "beside", Row: "compared", Sheet: "sheets", Ladder: "ladders", str: "notes"}


def collected(found: Iterable[Found]) -> Result:
    """Sorts results by kind; each kind keeps its order."""
    settings: dict[str, object] = {}
    lists: dict[str, list[Any]] = {name: [] for name in (*_PLACES.values(), "series")}
    for one in found:
        if isinstance(one, Mapping):
            settings |= one
        else:
            lists[_PLACES.get(type(one), "series")].append(one)
    return Result(settings, **lists)


@dataclass(frozen=True)
class Experiment:
    """An experiment, as experiments.toml describes it. The same settings give the same figures."""

    name: str
    title: str = ""
    question: str = ""
    paper: str = ""  # tables of a paper that it repeats: "000 Table 2, 3"; empty: no paper has it
    rows: Sequence[str] = ()
    seconds: int = 1
    main: Sequence[str] = ()
    in_terminal: int = 0
    alone: bool = False
    deterministic: bool = True
    depends: Sequence[str] = ()  # paths that its figures depend on, besides those of depends.py
    tools: Sequence[str] = ()  # of circumstances.py: another version changes the figures
    exact: Sequence[str] = ()  # patterns of names of values that do not depend on real time
    settings: Mapping[str, object] = field(default_factory=dict, hash=False)
    notes: Sequence[str] = ()

    @property
    def module(self) -> str:
        return self.name.replace("-", "_")

    @property
    def is_repeated(self) -> bool:
        """True if another run reproduces some of its figures."""
        return self.deterministic or bool(self.exact)

    def run(self, progress: Progress, *, reduced: bool = False, exact: bool = False) -> Result:
        """Runs the experiment. Raises WhitError if a tool is missing.

        reduced: the form that takes seconds, with the same bounds. exact: only the repeatable part of the reduced form.
        """
        module = importlib.import_module(f"whit_lab.experiments.{self.module}")
        more = {"exact": True} if exact and not self.deterministic else {}
        result = collected(module.run(progress, reduced=reduced or exact, **more))
        progress("done", 1.0)
        return replace(result, settings={**self.settings, **result.settings}, notes=(*result.notes, *self.notes))
