# SPDX-License-Identifier: MIT
"""Figures as tables."""

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from whit.lab.experiment import Experiment, Figure, Result

HOLDS, MISSED = "holds", "MISSED"


def experiments_table(experiments: Sequence[Experiment]) -> Table:
    table = _table("experiment", "what it shows")
    table.add_column("takes about", justify="right")
    for experiment in experiments:
        table.add_row(experiment.name, experiment.answers_to, f"{experiment.seconds} s")
    return table


def print_result(console: Console, experiment: Experiment, result: Result) -> None:
    """The figures that have a limit, those beside them, and how it was measured."""
    console.print(f"[bold]{experiment.title}[/bold]")
    console.print(figures_table(result.figures))
    if result.beside:
        console.print(beside_table(result.beside))
    console.print("  ".join(f"{key}: {value}" for key, value in result.settings.items()), style="dim", markup=False)
    missed = [figure.name for figure in result.figures if not figure.holds]
    if missed:
        console.print(f"{MISSED}: {', '.join(missed)}", style="bold red", markup=False)


def figures_table(figures: Sequence[Figure]) -> Table:
    table = _table("figure", "what")
    table.add_column("measured", justify="right")
    table.add_column("bound", justify="right")
    table.add_column("")
    for figure in figures:
        bounds = (("at most", figure.limit), ("at least", figure.least))
        limit = ", ".join(f"{word} {number(bound)}" for word, bound in bounds if bound is not None)
        verdict = f"[green]{HOLDS}[/green]" if figure.holds else f"[bold red]{MISSED}[/bold red]"
        measured = f"{number(figure.value)} {figure.unit}"
        table.add_row(figure.name, figure.what, measured, limit, verdict)
    return table


def beside_table(figures: Sequence[Figure]) -> Table:
    table = _table("beside them", "what")
    table.add_column("measured", justify="right")
    for figure in figures:
        table.add_row(figure.name, figure.what, f"{number(figure.value)} {figure.unit}")
    return table


def number(value: float) -> str:
    """Thousands apart; two digits behind the point where there are any."""
    return f"{value:,.0f}".replace(",", " ") if value == int(value) else f"{value:.2f}"


def _table(*columns: str) -> Table:
    return Table(*columns, box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
