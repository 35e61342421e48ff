# SPDX-License-Identifier: MIT
"""Figures as tables."""

import re
from collections.abc import Mapping, Sequence

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table

from whit.ladder.steps import Ladder
from whit.ladder.text import lines
from whit_lab.experiment import Experiment, Figure, Result, Row, Sheet

HOLDS, MISSED, WORSE = "holds", "MISSED", "worse"
NARROW = 110  # columns of a terminal


def experiments_table(experiments: Sequence[Experiment], narrow: bool = False) -> Table:
    """Returns a table of experiments. The papers are those of docs/lab.md. narrow: fewer columns, more lines."""
    table = _table("experiment", "what it shows", *([] if narrow else ["answers to"]))
    _numbers(table, "takes about")
    for one in experiments:
        about = [f"{one.question} [dim]{one.paper}[/dim]"] if narrow else [one.question, one.paper]
        table.add_row(one.name, *about, f"{one.seconds} s")
    table.add_section()
    table.add_row("all", "all of them", *([] if narrow else [""]), f"{sum(one.seconds for one in experiments)} s")
    return table


def is_narrow(console: Console) -> bool:
    """True if the console has no room for words and numbers side by side."""
    return console.width < NARROW


def print_result(console: Console, experiment: Experiment, result: Result) -> None:
    """Prints figures with a bound, those without, and the settings."""
    console.print(f"[bold]{experiment.title}[/bold]")
    narrow = is_narrow(console)
    console.print(figures_table(result.figures, narrow))
    if result.beside:
        console.print("", beside_table(result.beside, narrow))
    if result.compared:
        console.print("", compared_table(result.compared, narrow))
    for sheet in result.sheets:
        console.print("", sheet_table(sheet))
    console.print()
    for note in result.notes:
        console.print(f"- {note}", markup=False)
    for key, value in result.settings.items():
        console.print(f"{key}: {setting(value)}", style="dim", markup=False)
    missed = [figure.name for figure in result.figures if not figure.holds]
    if missed:
        console.print(f"{MISSED}: {', '.join(missed)}", style="bold red", markup=False)


def print_ladders(console: Console, ladders: Sequence[Ladder]) -> None:
    for ladder in ladders:
        console.print()
        for line in lines(ladder):
            console.print(line, soft_wrap=True)


def figures_table(figures: Sequence[Figure], narrow: bool = False) -> Table:
    table = _table(*_headed(("figure", "what"), narrow))
    _numbers(table, "measured", "bound")
    table.add_column("")
    for figure in figures:
        verdict = f"[green]{HOLDS}[/green]" if figure.holds else f"[bold red]{MISSED}[/bold red]"
        verdict = verdict if figure.is_bounded else ""
        measured = f"{number(figure.value)} {figure.unit}"
        table.add_row(*_headed((figure.name, escape(figure.what)), narrow), measured, bounds(figure), verdict)
    return table


def beside_table(figures: Sequence[Figure], narrow: bool = False) -> Table:
    table = _table(*_headed(("beside them", "what"), narrow))
    _numbers(table, "measured")
    for figure in figures:
        table.add_row(*_headed((figure.name, escape(figure.what)), narrow), f"{number(figure.value)} {figure.unit}")
    return table


def compared_table(rows: Sequence[Row], narrow: bool = False) -> Table:
    """Returns a table of papers and peers beside Whit. It marks rows in which Whit is worse."""
    table = _table(*_headed(("compared with", "of"), narrow))
    _numbers(table, "theirs", "ours", "ours/theirs")
    table.add_column("")
    for row in rows:
        theirs = "–" if row.theirs is None else f"{number(row.theirs)} {row.unit}"
        share = "" if row.ratio is None else ratio(row.ratio)
        verdict = f"[bold red]{WORSE}[/bold red]" if row.worse else ""
        named = _headed((escape(row.name), escape(row.source)), narrow)
        table.add_row(*named, theirs, f"{number(row.ours)} {row.unit}", share, verdict)
    return table


def _headed(words: tuple[str, str], narrow: bool) -> list[str]:
    """Returns two cells, or one with two lines on a narrow console."""
    return [f"{words[0]}\n[dim]{words[1]}[/dim]"] if narrow else list(words)


def sheet_table(sheet: Sheet) -> Table:
    """Returns a table with numbers on the right, and words on the left."""
    table = _table(title=sheet.title)
    for column, right in zip(sheet.columns, to_the_right(sheet), strict=True):
        table.add_column(escape(column), justify="right" if right else "left", overflow="fold")
    for row in sheet.rows:
        table.add_row(*[escape(cell) for cell in row])
    return table


def setting(value: object) -> str:
    """Returns a setting as words."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {setting(one)}" for key, one in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(map(setting, value))
    return str(value)


def is_number(cell: str) -> bool:
    """True if a sheet's cell is empty, a dash or a number, with or without a unit."""
    return re.fullmatch(r"|[–—-]|[<>≤≥~≈±×+−-]?\s?\d[\d .,]*\s?[^\s\d]{0,5}(/[^\s\d]{1,3})?", cell.strip()) is not None


def to_the_right(sheet: Sheet) -> list[bool]:
    """Returns for each column: True if it has numbers only, and at least one."""
    cells = [[row[index] for row in sheet.rows] for index in range(len(sheet.columns))]
    return [all(map(is_number, column)) and any(any(map(str.isdigit, cell)) for cell in column) for column in cells]


def number(value: float) -> str:
    """Returns a number with groups of thousands and at most two decimals; three digits below 0.1."""
    if value == int(value):
        return f"{value:,.0f}".replace(",", " ")
    return f"{value:.3g}" if abs(value) < 0.1 else f"{value:,.2f}".replace(",", " ")


def bounds(figure: Figure) -> str:
    """Returns the bounds as text, without trailing zeros."""
    words = (("at most", figure.limit), ("at least", figure.least))
    plain = [(word, number(bound)) for word, bound in words if bound is not None]
    return ", ".join(f"{word} {text.rstrip('0').rstrip('.') if '.' in text else text}" for word, text in plain)


def ratio(value: float) -> str:
    return f"{value:.2f}" if value >= 0.095 else f"{value:.2g}"


def _table(*columns: str, title: str | None = None) -> Table:
    """Returns a table in which words may break, but names are never cut, at 80 columns."""
    return Table(
        *[Column(column, overflow="fold") for column in columns],
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
        title=title,
        title_justify="left",
        title_style="bold",
    )


def _numbers(table: Table, *columns: str) -> None:
    for column in columns:
        table.add_column(column, justify="right", overflow="fold")
