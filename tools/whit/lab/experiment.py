# SPDX-License-Identifier: MIT
"""What an experiment is. Each is a module of this package with an object `EXPERIMENT` (registry.py names them)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

Progress = Callable[[str, float], None]
"""Told what is being measured now, and the share of the work that is done: 0..1."""


@dataclass(frozen=True)
class Figure:
    """A measured value. `limit`: the most that it may be, `least`: the least; None when it is there to be read only."""

    name: str
    what: str
    value: float
    unit: str
    limit: float | None = None
    least: float | None = None

    @property
    def holds(self) -> bool:
        return (self.limit is None or self.value <= self.limit) and (self.least is None or self.value >= self.least)

    def as_json(self) -> dict[str, Any]:
        """`least` stands there only when the value has one."""
        least = {} if self.least is None else {"least": self.least}
        return {"name": self.name, "value": self.value, "unit": self.unit, "limit": self.limit, **least}


@dataclass(frozen=True)
class Bars:
    """A chart of amounts by name."""

    title: str
    x_label: str
    amounts: Mapping[str, float]
    log: bool = False  # all of them above 0


@dataclass(frozen=True)
class Curves:
    """A chart of values that stay until they change, by name: points (x, y) in the order of x."""

    title: str
    x_label: str
    y_label: str
    curves: Mapping[str, Sequence[tuple[float, float]]]


@dataclass(frozen=True)
class Stacks:
    """A chart of amounts that consist of parts: parts by name, by name. `marks`: the most that it may be."""

    title: str
    x_label: str
    amounts: Mapping[str, Mapping[str, float]]
    marks: Mapping[str, float] = field(default_factory=dict)


Series = Bars | Curves | Stacks


@dataclass(frozen=True)
class Result:
    """What came of a run. `beside`: figures without a limit that explain the others."""

    settings: Mapping[str, object]
    figures: Sequence[Figure]
    series: Sequence[Series] = ()
    beside: Sequence[Figure] = field(default=())

    def as_json(self, experiment: str) -> dict[str, Any]:
        return {
            "experiment": experiment,
            "settings": dict(self.settings),
            "figures": [figure.as_json() for figure in self.figures],
            "beside": [{"name": figure.name, "value": figure.value, "unit": figure.unit} for figure in self.beside],
        }


class Experiment(Protocol):
    """Something to be measured. The same settings give the same figures."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def answers_to(self) -> str:
        """The question, as one would ask it."""

    @property
    def seconds(self) -> int:
        """About how long it takes."""

    def run(self, progress: Progress) -> Result:
        """WhitError when something that it needs is missing."""
