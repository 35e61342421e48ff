# SPDX-License-Identifier: MIT
"""`whit lab all`: runs every experiment, also after failures."""

import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from whit.errors import WhitError
from whit_lab import registry
from whit_lab.experiment import Experiment
from whit_lab.files import RESULTS, write_all
from whit_lab.running import Command, Run, command_of, run_all
from whit_lab.show import MISSED, WORSE


def run_everything(console: Console, *, reduced: bool, report: Path | None) -> int:
    """Returns the exit code: 1 if an experiment could not be run."""
    if report is not None:
        _make(report)
    experiments = registry.every()
    began_s = time.monotonic()
    runs = run_shown(console, experiments, command_of(reduced))
    for experiment in experiments:
        result = runs[experiment.name].result
        if result is not None:
            write_all(experiment, result, RESULTS / experiment.name)
    console.print(f"{len(runs)} experiments in {time.monotonic() - began_s:.0f} s; JSON and plots: build/lab/results")
    if report is not None:
        from whit_lab.circumstances import circumstances
        from whit_lab.page import page, page_entries

        there = report / "index.html"
        there.write_text(page(page_entries(experiments, runs), circumstances(reduced=reduced)))
        console.print(f"report: {there}", markup=False, soft_wrap=True)
    return say_failed(console, runs.values())


def run_shown(console: Console, experiments: Sequence[Experiment], command: Command) -> dict[str, Run]:
    """Shows one bar for all experiments on a terminal, and prints a line for each finished one."""
    columns = (BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    on_terminal = sys.stderr.isatty()
    said = Console(stderr=True, highlight=False) if on_terminal else console
    with Progress(*columns, console=said, transient=True, disable=not on_terminal) as bar:
        whole = bar.add_task("all of them", total=sum(one.seconds for one in experiments))
        seconds = {one.name: one.seconds for one in experiments}
        shares = dict.fromkeys(seconds, 0.0)

        def told(name: str, share: float, what: str) -> None:
            shares[name] = share
            done = sum(shares[one] * seconds[one] for one in seconds)
            bar.update(whole, description=f"{name}: {what}" if what else name, completed=done)

        def finished(run: Run) -> None:
            told(run.name, 1.0, "")
            said.print(_line(run), soft_wrap=True)
            said.file.flush()

        return run_all(experiments, command, told, finished)


def say_failed(console: Console, runs: Iterable[Run]) -> int:
    failed = [run for run in runs if run.result is None]
    for run in failed:
        console.print(f"[red]{run.name} could not be run:[/red] {run.reason}", soft_wrap=True)
    return 1 if failed else 0


def _line(run: Run) -> str:
    begin = f"{run.name:<16} {run.seconds:6.1f} s  "
    if run.result is None:
        return f"{begin}[red]could not be run:[/red] {escape(run.reason)}"
    missed = sum(not figure.holds for figure in run.result.figures)
    worse = sum(row.worse for row in run.result.compared)
    held = sum(figure.is_bounded for figure in run.result.figures) - missed
    parts = [f"{held} figures hold"] if held else []
    parts += [f"[red]{missed} {MISSED}[/red]"] if missed else []
    parts += [f"{worse} of {len(run.result.compared)} rows {WORSE}"] if worse else []
    return begin + ", ".join(parts)


def _make(directory: Path) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WhitError(f"--report {directory}: {error.strerror}; expected a directory, or a name for one") from None
