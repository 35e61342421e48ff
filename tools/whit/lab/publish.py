# SPDX-License-Identifier: MIT
"""docs/lab: the results of all experiments as they are published, and whether these are current."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from whit.errors import WhitError
from whit.lab import registry
from whit.lab.circumstances import circumstances
from whit.lab.everything import run_shown, say_failed
from whit.lab.experiment import Experiment, Result
from whit.lab.files import write_plot
from whit.lab.kept import kept, result_of, text
from whit.lab.page import Entry, page
from whit.lab.running import Run, command_of
from whit.paths import ROOT

PUBLISHED = ROOT / "docs" / "lab"
RESULTS, PAGE = "results.json", "index.html"
DPI = 100  # of plots
NEAR = 0.005  # of a figure, between what is published and what a run gives
RENDER = "./whit lab render"
PAGE_NEAR = 0.011  # of a coordinate in a drawing: what differs from machine to machine

Reduced = Callable[[str], Result]


@dataclass(frozen=True)
class Aged:
    """Something that is not as it is published. command: what mends it."""

    what: str
    command: str


def publish(console: Console, names: Sequence[str], there: Path = PUBLISHED) -> int:
    """Runs these experiments, or all, and writes everything anew. One that fails leaves what stood there."""
    experiments = [registry.find(name) for name in names or registry.NAMES]
    full = run_shown(console, experiments, command_of(False))
    console.print("once more, reduced")
    reduced = run_shown(console, experiments, command_of(True))
    failed = say_failed(console, [*full.values(), *reduced.values()])
    there.mkdir(parents=True, exist_ok=True)
    path = there / RESULTS
    stored: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {"made": {}, "experiments": {}}
    made = circumstances(reduced=False)
    for experiment in experiments:
        now = _entry(full[experiment.name], reduced[experiment.name], made)
        if now:
            stored["experiments"][experiment.name] = now
            result = full[experiment.name].result
            if result and result.series:
                write_plot(experiment, result, there / f"{experiment.name}.png", dpi=DPI)
    stored["made"] = made if not names else stored["made"] or made
    stored["experiments"] = {
        name: stored["experiments"][name] for name in registry.NAMES if name in stored["experiments"]
    }
    path.write_text(text(stored) + "\n")
    render(there)
    console.print(f"{there.relative_to(ROOT) if there.is_relative_to(ROOT) else there}: {PAGE}, {RESULTS}")
    return failed


def render(there: Path = PUBLISHED) -> None:
    """The page, and what is no experiment any more goes."""
    stored = read(there)
    stored["experiments"] = {name: one for name, one in stored["experiments"].items() if name in registry.NAMES}
    (there / RESULTS).write_text(text(stored) + "\n")
    (there / PAGE).write_text(rendered(stored))


def rendered(stored: Mapping[str, Any]) -> str:
    entries = [
        Entry(registry.find(name), result_of(one["full"]), one["seconds"])
        for name, one in stored["experiments"].items()
        if name in registry.NAMES
    ]
    return page(entries, stored["made"])


def aged(reduced: Reduced, there: Path = PUBLISHED) -> list[Aged]:
    """Everything that is not current. reduced: gives an experiment's reduced result of now."""
    stored = read(there)
    results = [one for name in registry.NAMES for one in aged_result(stored, name, reduced(name))]
    return results + aged_page(stored, there)


def aged_result(stored: Mapping[str, Any], name: str, now: Result) -> list[Aged]:
    command = f"./whit lab publish {name}"
    one = stored["experiments"].get(name)
    if one is None:
        return [Aged(f"experiment {name} is not published", command)]
    return [Aged(f"{name}: {what}", command) for what in differences(registry.find(name), one, now)]


def aged_page(stored: Mapping[str, Any], there: Path = PUBLISHED) -> list[Aged]:
    gone = [name for name in stored["experiments"] if name not in registry.NAMES]
    found = [Aged(f"{name} is published, and no experiment", RENDER) for name in gone]
    if not (there / PAGE).exists() or not same_page((there / PAGE).read_text(), rendered(stored)):
        found.append(Aged(f"{PAGE} is not what {RESULTS} gives", RENDER))
    return found


def differences(experiment: Experiment, stored: Mapping[str, Any], now: Result) -> list[str]:
    """Of the reduced form. Where time is real, bounds only."""
    if not getattr(experiment, "deterministic", True):
        names = {figure["name"] for figure in stored["full"]["figures"]}
        lacks = [figure.name for figure in now.figures if figure.name not in names]
        return [f"{name} is not published" for name in lacks] + [
            f"{figure.name} {figure.value:g} misses its bound" for figure in now.figures if not figure.holds
        ]
    values = reduced_values(now)
    told: dict[str, float] = stored["reduced"]
    lacks = [name for name in values if name not in told] + [name for name in told if name not in values]
    return [f"{name} is on one side only" for name in lacks] + [
        f"{name} was {told[name]:g}, is {value:g}"
        for name, value in values.items()
        if name in told and abs(value - told[name]) > NEAR * max(abs(value), abs(told[name]))
    ]


def reduced_values(result: Result) -> dict[str, float]:
    """All numbers that have names."""
    figures = {figure.name: figure.value for figure in [*result.figures, *result.beside]}
    return figures | {f"{row.name}, {row.source}": row.ours for row in result.compared}


def same_page(one: str, other: str) -> bool:
    """The same words, and the same numbers but for the last digits of coordinates."""
    number = re.compile(r"-?\d+\.\d+")
    if one == other:
        return True
    if number.split(one) != number.split(other):
        return False
    pairs = zip(number.findall(one), number.findall(other), strict=True)
    return all(abs(float(a) - float(b)) < PAGE_NEAR for a, b in pairs)


def check(console: Console, there: Path = PUBLISHED) -> int:
    """`whit lab check`: the exit code is 1 when something aged."""
    runs = run_shown(console, [registry.find(name) for name in registry.NAMES], command_of(True))
    if say_failed(console, runs.values()):
        return 1

    def reduced(name: str) -> Result:
        result = runs[name].result
        assert result is not None
        return result

    found = aged(reduced, there)
    for one in found:
        console.print(f"[red]aged:[/red] {one.what}; mended by {one.command}", soft_wrap=True)
    if not found:
        console.print(f"{there.relative_to(ROOT)} is current")
    return 1 if found else 0


def _entry(full: Run, reduced: Run, made: Mapping[str, str]) -> dict[str, Any]:
    if full.result is None or reduced.result is None:
        return {}
    return {
        "commit": made.get("commit", ""),
        "seconds": round(full.seconds),
        "full": kept(full.result),
        "reduced": reduced_values(reduced.result),
    }


def read(there: Path) -> dict[str, Any]:
    try:
        stored: dict[str, Any] = json.loads((there / RESULTS).read_text())
    except FileNotFoundError:
        raise WhitError(f"lab: {there / RESULTS} is not there; ./whit lab publish makes it") from None
    return stored
