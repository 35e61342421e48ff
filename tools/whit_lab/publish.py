# SPDX-License-Identifier: MIT
"""docs/lab: the results of all experiments, the pictures in pages of the tree, and the figures in their words.

The page of all results is made from them, and is not published.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from whit.errors import WhitError
from whit.paths import BUILD, ROOT
from whit_lab import depends, documents, registry
from whit_lab.circumstances import circumstances
from whit_lab.everything import run_shown, say_failed
from whit_lab.experiment import Experiment
from whit_lab.page import page
from whit_lab.plot import picture
from whit_lab.published import PUBLISHED, RESULTS, entries, entry, listed, made, read, shown, write
from whit_lab.running import Run, command_of
from whit_lab.show import number

PAGE = BUILD / "lab" / "index.html"
PICTURED = {"strategies": "strategies.svg", "throughput-mss": "throughput-mss.svg"}
"""Experiments whose first charts README.md and docs/lab.md show, and their files."""
CHARTS = 2  # of an experiment in its file


def publish(console: Console, names: Sequence[str], there: Path = PUBLISHED) -> int:
    """Runs these experiments, or all, and writes everything anew. A failed experiment keeps its published results."""
    experiments = [registry.find(name) for name in names or registry.NAMES]
    must_be_committed(experiments)
    full = run_shown(console, experiments, command_of(False))
    console.print("once more, reduced, which `check` repeats")
    reduced = run_shown(console, [one for one in experiments if one.is_repeated], command_of(True, exact=True))
    failed = say_failed(console, [*full.values(), *reduced.values()])
    there.mkdir(parents=True, exist_ok=True)
    stored = read(there) if (there / RESULTS).exists() else {"experiments": {}}
    here = circumstances(reduced=False)
    for experiment in experiments:
        for run in (full[experiment.name], reduced.get(experiment.name)):
            for fault in undeclared(experiment, run) if run else ():
                console.print(f"[red]{escape(fault)}[/red]", soft_wrap=True)
                failed = 1
        now = entry(experiment, full[experiment.name], reduced.get(experiment.name), here)
        if now:
            stored["experiments"][experiment.name] = now
    write(stored, there)
    render(there)
    octets = sum(path.stat().st_size for path in there.iterdir())
    console.print(f"{shown(there)}: {RESULTS}, pictures; {number(round(octets / 1000))} kB", markup=False)
    return failed


def must_be_committed(experiments: Sequence[Experiment]) -> None:
    """Raises WhitError unless all measured sources are committed: a published figure names its commit."""
    why = depends.no_history()
    if why and not why.startswith("this clone"):
        raise WhitError(f"lab publish: {why}; expected one, as each figure names its commit")
    paths = {path for one in experiments for path in depends.paths(one)}
    changed = depends.uncommitted(sorted(paths))
    if changed:
        raise WhitError(f"lab publish: not committed: {listed(changed)}; commit first, as each figure names its commit")


def undeclared(experiment: Experiment, run: Run) -> list[str]:
    """Returns a line for each file or tool that a run used and the experiment's description does not name."""
    known = (*depends.paths(experiment), *depends.UNREAD)
    files = sorted(one for one in run.reads.files if not depends.is_in(one, known))
    where = "tools/whit_lab/experiments.toml does not name"
    found = [f"{experiment.name} depends on {listed(files)}, which its `depends` in {where}"] if files else []
    tools = sorted(registry.tools_of(run.reads.programs) - {*experiment.tools})
    return found + ([f"{experiment.name} uses {listed(tools)}, which its `tools` in {where}"] if tools else [])


def render(there: Path = PUBLISHED) -> None:
    """Writes the pictures from the results, and the figures in documents. Files of removed experiments are deleted."""
    stored = read(there)
    write(stored, there)
    drawn = pictures(stored)
    for path in there.glob("*.svg"):
        if path.name not in drawn:
            path.unlink()
    for name, content in drawn.items():
        (there / name).write_text(content)
    if there == PUBLISHED:
        documents.fill(stored)


def render_page(there: Path = PUBLISHED, to: Path = PAGE) -> Path:
    """Writes the page of all published results."""
    stored = read(there)
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text(page(entries(stored), made(stored)))
    return to


def pictures(stored: Mapping[str, Any]) -> dict[str, str]:
    """Returns files by name."""
    return {
        PICTURED[one.experiment.name]: picture(one.experiment.title, one.result.series[:CHARTS])
        for one in entries(stored)
        if one.experiment.name in PICTURED and one.result
    }


def rendered() -> str:
    return ", ".join(str(path.relative_to(ROOT)) for path in (render_page(), *documents.paths()))
