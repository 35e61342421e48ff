# SPDX-License-Identifier: MIT
"""`whit test --mutants`: puts faults into engine and compiler, and prints each that no test caught."""

import sys
from typing import Annotated

import typer
from rich.console import Console

from whit_lab.mutants.run import mutants

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def test(
    cnt: Annotated[int, typer.Option("--mutants", metavar="N", min=1, help="How many faults are put in.")],
    seed: Annotated[int, typer.Option(metavar="S", help="Which faults are drawn.")] = 1,
    places: Annotated[
        list[str] | None,
        typer.Option("--in", metavar="PLACE", help="Only faults of this folder, file or FILE:LINE."),
    ] = None,
) -> int:
    """Put N faults into engine and compiler, one at a time, and print each that no test caught."""
    return mutants(Console(highlight=False, width=None if sys.stdout.isatty() else 160), cnt, seed, places or ())


def main(arguments: list[str]) -> int:
    """Returns the exit code."""
    return int(app(arguments, prog_name="whit test", standalone_mode=False) or 0)
