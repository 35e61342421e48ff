# SPDX-License-Identifier: MIT
"""docs/lab: the results of all experiments as they are published, with the pictures that pages of the tree show, and
whether both are current. The page of everything is made from the results, and is not published."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from whit.errors import WhitError
from whit.lab import registry
from whit.lab.circumstances import PACKAGES, PROGRAMS, circumstances
from whit.lab.everything import run_shown, say_failed
from whit.lab.experiment import Result
from whit.lab.kept import kept, result_of, text
from whit.lab.page import Entry, page
from whit.lab.plot import picture
from whit.lab.running import Run, command_of
from whit.lab.show import number
from whit.paths import BUILD, ROOT

PUBLISHED = ROOT / "docs" / "lab"
RESULTS = "results.json"
PAGE = BUILD / "lab" / "index.html"
PICTURED = {"strategies": "strategies.svg", "throughput-mss": "throughput-mss.svg"}
"""Experiments whose first charts README.md shows, and their files."""
CHARTS = 2  # of an experiment in its file
NEAR = 0.005  # of a figure, between what is published and what a run gives
APART = {"instructions": 64, "B": 4}
"""By unit, what instructions and figures without a bound may always differ by: the C library picks its functions by
processor, and linkers pad."""
RENDER = "./whit lab render"
NEAR_PLACE = 0.011  # of a coordinate in a drawing: what differs from machine to machine
MEASURING = ("Python", *(name for name in PROGRAMS if name != "Chromium"), *PACKAGES, "lwIP", "Mbed TLS")
"""Of the circumstances: another version gives other figures."""


@dataclass(frozen=True)
class Aged:
    """Something that is not as it is published. command: what mends it."""

    what: str
    command: str


def publish(console: Console, names: Sequence[str], there: Path = PUBLISHED) -> int:
    """Runs these experiments, or all, and writes everything anew. One that fails leaves what stood there."""
    experiments = [registry.find(name) for name in names or registry.NAMES]
    full = run_shown(console, experiments, command_of(False))
    console.print("once more, reduced, which `check` repeats")
    reduced = run_shown(console, [one for one in experiments if one.deterministic], command_of(True))
    failed = say_failed(console, [*full.values(), *reduced.values()])
    there.mkdir(parents=True, exist_ok=True)
    path = there / RESULTS
    stored: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {"made": {}, "experiments": {}}
    made = circumstances(reduced=False)
    for experiment in experiments:
        now = _entry(full[experiment.name], reduced.get(experiment.name), made)
        if now:
            stored["experiments"][experiment.name] = now
    stored["made"] = made if not names else stored["made"] or made
    stored["experiments"] = {
        name: stored["experiments"][name] for name in registry.NAMES if name in stored["experiments"]
    }
    path.write_text(text(stored) + "\n")
    render(there)
    octets = sum(path.stat().st_size for path in there.iterdir())
    console.print(f"{shown(there)}: {RESULTS}, pictures; {number(round(octets / 1000))} kB", markup=False)
    return failed


def render(there: Path = PUBLISHED) -> None:
    """The pictures from the results; what is no experiment any more goes."""
    stored = read(there)
    stored["experiments"] = {name: one for name, one in stored["experiments"].items() if name in registry.NAMES}
    (there / RESULTS).write_text(text(stored) + "\n")
    made = pictures(stored)
    for path in there.glob("*.svg"):
        if path.name not in made:
            path.unlink()
    for name, content in made.items():
        (there / name).write_text(content)


def render_page(there: Path = PUBLISHED, to: Path = PAGE) -> Path:
    """The page of everything that is published."""
    stored = read(there)
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text(page(_entries(stored), stored["made"]))
    return to


def pictures(stored: Mapping[str, Any]) -> dict[str, str]:
    """Files by name."""
    return {
        PICTURED[entry.experiment.name]: picture(entry.experiment.title, entry.result.series[:CHARTS])
        for entry in _entries(stored)
        if entry.experiment.name in PICTURED and entry.result
    }


def _entries(stored: Mapping[str, Any]) -> list[Entry]:
    return [
        Entry(registry.find(name), result_of(one["full"]), one["seconds"])
        for name, one in stored["experiments"].items()
        if name in registry.NAMES
    ]


def aged_result(stored: Mapping[str, Any], name: str, now: Result | None) -> list[Aged]:
    """now: of the reduced form; None where time is real, which is never the same twice."""
    command = f"./whit lab publish {name}"
    one = stored["experiments"].get(name)
    if one is None:
        return [Aged(f"experiment {name} is not published", command)]
    return [Aged(f"{name}: {what}", command) for what in differences(one, now)] if now else []


def aged_pictures(stored: Mapping[str, Any], there: Path = PUBLISHED) -> list[Aged]:
    gone = [name for name in stored["experiments"] if name not in registry.NAMES]
    found = [Aged(f"{name} is published, and no experiment", RENDER) for name in gone]
    return found + [
        Aged(f"{name} is not what {RESULTS} gives", RENDER)
        for name, content in pictures(stored).items()
        if not (there / name).exists() or not same_picture((there / name).read_text(), content)
    ]


def differences(stored: Mapping[str, Any], now: Result) -> list[str]:
    values = reduced_values(now)
    told: dict[str, float] = stored["reduced"]
    apart = {one.name: APART.get(one.unit, 0) for one in now.beside}
    apart |= {one.name: APART["instructions"] for one in now.figures if one.unit == "instructions"}
    lacks = [name for name in values if name not in told] + [name for name in told if name not in values]
    return [f"{name} is on one side only" for name in lacks] + [
        f"{name} was {told[name]:g}, is {value:g}"
        for name, value in values.items()
        if name in told and abs(value - told[name]) > max(NEAR * max(abs(value), abs(told[name])), apart.get(name, 0))
    ]


def other_tools(stored: Mapping[str, Any]) -> str:
    """Which ones are not here as they were when it was published; "" if all are."""
    here, made = circumstances(reduced=True), stored["made"]
    others = [name for name in MEASURING if here.get(name) != made.get(name)]
    return ", ".join(f"{name} {here.get(name, 'not here')}, not {made.get(name, 'there')}" for name in others)


def reduced_values(result: Result) -> dict[str, float]:
    """All numbers that have names."""
    figures = {figure.name: figure.value for figure in [*result.figures, *result.beside]}
    return figures | {f"{row.name}, {row.source}": row.ours for row in result.compared}


def same_picture(one: str, other: str) -> bool:
    """The same words, and the same numbers but for the last digits of coordinates."""
    tag, coordinate = re.compile(r"<[^>]*>"), re.compile(r"-?\d+(?:\.\d+)?")
    if one == other:
        return True
    if tag.split(one) != tag.split(other):
        return False
    tags, others = ("".join(tag.findall(text)) for text in (one, other))
    if coordinate.split(tags) != coordinate.split(others):
        return False
    pairs = zip(coordinate.findall(tags), coordinate.findall(others), strict=True)
    return all(a == b or abs(float(a) - float(b)) < NEAR_PLACE for a, b in pairs)


def check(console: Console, there: Path = PUBLISHED) -> int:
    """`whit lab check`: the exit code is 1 when something aged. What cannot be judged here is told with the reason."""
    stored = read(there)
    experiments = registry.every()
    runs = run_shown(console, [one for one in experiments if one.deterministic], command_of(True))
    found = aged_pictures(stored, there)
    differ: list[Aged] = []
    for one in experiments:
        run = runs.get(one.name)
        if run and run.result is None:
            console.print(f"not judged: {one.name} could not be run: {run.reason}", markup=False, soft_wrap=True)
        else:
            differ += aged_result(stored, one.name, run.result if run else None)
    others = other_tools(stored)
    if others and differ:
        told = ", ".join(aged.what for aged in differ)
        console.print(f"not judged, for other tools are here: {others}: {told}", markup=False, soft_wrap=True)
    else:
        found += differ
    for aged in found:
        console.print(f"[red]aged:[/red] {escape(aged.what)}; mended by {aged.command}", soft_wrap=True)
    if not found:
        console.print(f"{shown(there)} is current", markup=False)
    return 1 if found else 0


def _entry(full: Run, reduced: Run | None, made: Mapping[str, str]) -> dict[str, Any]:
    """reduced: None where time is real."""
    if full.result is None or (reduced and reduced.result is None):
        return {}
    return {
        "commit": made.get("commit", ""),
        "seconds": round(full.seconds),
        "full": kept(full.result),
        "reduced": reduced_values(reduced.result) if reduced and reduced.result else {},
    }


def read(there: Path) -> dict[str, Any]:
    try:
        stored: dict[str, Any] = json.loads((there / RESULTS).read_text())
    except FileNotFoundError:
        raise WhitError(f"lab: {there / RESULTS} is not there; ./whit lab publish makes it") from None
    return stored


def shown(there: Path) -> str:
    return str(there.relative_to(ROOT) if there.is_relative_to(ROOT) else there)
