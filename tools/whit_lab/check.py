# SPDX-License-Identifier: MIT
"""`whit lab check`: compares docs/lab with the sources, and names the points that it cannot judge."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from whit_lab import depends, documents, registry
from whit_lab.circumstances import circumstances, tools
from whit_lab.everything import run_shown
from whit_lab.experiment import Experiment, Result
from whit_lab.kept import result_of
from whit_lab.publish import pictures
from whit_lab.published import PUBLISHED, RESULTS, digest, is_repeated, listed, read, repeated, shown, values
from whit_lab.running import Run, command_of

NEAR = 0.005  # allowed share of a figure between its published value and a run's
APART = {"instructions": 64, "B": 4}
"""By unit, what instructions and figures without a bound may always differ by: the C library picks its functions by
processor, and linkers pad."""
RENDER = "./whit lab render"
NEAR_PLACE = 0.011  # allowed difference of a coordinate in a drawing, between machines


@dataclass(frozen=True)
class Aged:
    """A result that differs from the published one. command: repairs it."""

    what: str
    command: str


@dataclass
class Verdict:
    """aged: faults. open: points that cannot be judged here, each with the reason and the way to judge it."""

    aged: list[Aged] = field(default_factory=list)
    open: list[str] = field(default_factory=list)


def check(console: Console, names: Sequence[str] = (), there: Path = PUBLISHED, *, full: bool = False) -> int:
    """Returns the exit code: 1 if a result differs. full: runs the full forms of deterministic experiments too."""
    stored = read(there)
    experiments = [registry.find(name) for name in names or registry.NAMES]
    here = circumstances(reduced=True)
    runs = run_shown(console, [one for one in experiments if one.is_repeated], command_of(True, exact=True))
    long = run_shown(console, [one for one in experiments if one.deterministic], command_of(False)) if full else {}
    aged = [] if names else [*aged_pictures(stored, there), *aged_documents(stored, there)]
    verdict = Verdict(aged)
    for one in experiments:
        judged = judge(stored, one, runs.get(one.name), here, long.get(one.name))
        verdict.aged += judged.aged
        verdict.open += judged.open
    if not full:
        left = listed([one.name for one in experiments if one.deterministic], len(experiments))
        verdict.open.append(f"full forms, of {left}: ./whit lab check --full runs them")
    for words in verdict.open:
        console.print(f"not judged: {words}", markup=False, soft_wrap=True)
    for found in verdict.aged:
        console.print(f"[red]aged:[/red] {escape(found.what)}; mended by {found.command}", soft_wrap=True)
    if not verdict.aged:
        console.print(f"{shown(there)} is current in all that was judged", markup=False)
    return 1 if verdict.aged else 0


def judge(
    stored: Mapping[str, Any], experiment: Experiment, run: Run | None, here: Mapping[str, str], full: Run | None = None
) -> Verdict:
    """Compares an experiment with a run. run: of the reduced form; None if no figure of it is repeatable."""
    name = experiment.name
    one = stored["experiments"].get(name)
    if one is None:
        return Verdict([Aged(f"experiment {name} is not published", _again(name))])
    verdict = provenance(experiment, one)
    verdict.aged += changed(experiment, one)
    others = other_tools(experiment, one, here)
    forms = [(run, one["reduced"], "")]
    if full:
        forms.append((full, values(result_of(one["full"])), ", full form"))
    for form, told, words in forms:
        if form is None:
            continue
        if form.result is None:
            verdict.open.append(f"{name}{words}, which could not be run: {form.reason}")
            continue
        found = [f"{name}{words}: {what}" for what in differences(told, form.result, experiment)]
        if found and others:
            verdict.open.append(f"{'; '.join(found)}. Other tools are here: {others}. {_again(name)} settles it")
        else:
            verdict.aged += [Aged(what, _again(name)) for what in found]
    if not experiment.deterministic:
        real = [key for key in values(result_of(one["full"])) if not is_repeated(experiment, key)]
        reason = "real time is never the same twice; the digest shows an edit only"
        verdict.open.append(f"{name}: {listed(real, len(real))}: {reason}; {_again(name)} measures them again")
    return verdict


def provenance(experiment: Experiment, one: Mapping[str, Any]) -> Verdict:
    """Figures come from `publish`, at a commit that exists. A matching digest shows that the figures have not changed
    since, not that they are true."""
    verdict, name = Verdict(), experiment.name
    if "digest" not in one:
        verdict.aged.append(Aged(f"{name} was published without a digest of its figures", _again(name)))
    elif one["digest"] != digest(name, one):
        what = f"{name}: a figure was changed by hand after it was published, as its digest shows"
        verdict.aged.append(Aged(what, _again(name)))
    commit = one.get("made", {}).get("commit", "")
    why = depends.no_history()
    if not re.fullmatch(r"[0-9a-f]{12,40}", commit):
        verdict.aged.append(Aged(f"{name} names no commit ({commit or 'nothing'})", _again(name)))
    elif why:
        verdict.open.append(f"{name}: whether commit {commit} exists: {why}")
    elif lost := depends.lost(commit):
        verdict.aged.append(Aged(f"{name}: its commit {commit} {lost}", _again(name)))
    said = one["full"].get("notes", ())
    if any(note not in said for note in experiment.notes):
        verdict.aged.append(Aged(f"{name}: its published notes are not those of experiments.toml", _again(name)))
    return verdict


def changed(experiment: Experiment, one: Mapping[str, Any]) -> list[Aged]:
    """Returns the experiment as aged if a file that it depends on has changed."""
    of = depends.paths(experiment)
    if one.get("depends") == depends.digest(of):
        return []
    commit = one.get("made", {}).get("commit", "")
    names = listed(depends.changed_since(commit, of)) if commit else ""
    what = f"{experiment.name} is to be run again, as what it depends on has changed since {commit or 'then'}"
    return [Aged(f"{what}: {names}" if names else what, _again(experiment.name))]


def other_tools(experiment: Experiment, one: Mapping[str, Any], here: Mapping[str, str]) -> str:
    """Returns the experiment's tools whose version differs from the published one; "" if none does."""
    made = one.get("made", {})
    now = tools(experiment.tools, here)
    return ", ".join(
        f"{name} {now[name]}, not {made.get(name, 'known')}" for name in now if now[name] != made.get(name)
    )


def differences(told: Mapping[str, float], now: Result, experiment: Experiment) -> list[str]:
    found = repeated(experiment, now)
    wanted = {name: value for name, value in told.items() if is_repeated(experiment, name)}
    apart = {one.name: APART.get(one.unit, 0) for one in now.beside}
    apart |= {one.name: APART["instructions"] for one in now.figures if one.unit == "instructions"}
    lacks = [name for name in found if name not in wanted] + [name for name in wanted if name not in found]
    return [f"{name} is on one side only" for name in lacks] + [
        f"{name} was {wanted[name]:g}, is {value:g}"
        for name, value in found.items()
        if name in wanted
        and abs(value - wanted[name]) > max(NEAR * max(abs(value), abs(wanted[name])), apart.get(name, 0))
    ]


def aged_pictures(stored: Mapping[str, Any], there: Path = PUBLISHED) -> list[Aged]:
    gone = [name for name in stored["experiments"] if name not in registry.NAMES]
    found = [Aged(f"{name} is published, and no experiment", RENDER) for name in gone]
    return found + [
        Aged(f"{name} is not what {RESULTS} gives", RENDER)
        for name, content in pictures(stored).items()
        if not (there / name).exists() or not same_picture((there / name).read_text(), content)
    ]


def aged_documents(stored: Mapping[str, Any], there: Path = PUBLISHED) -> list[Aged]:
    return [Aged(what, RENDER) for what in documents.faults(stored)] if there == PUBLISHED else []


def same_picture(one: str, other: str) -> bool:
    """True if words and numbers are equal, up to the last digits of coordinates."""
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


def _again(name: str) -> str:
    return f"./whit lab publish {name}"
