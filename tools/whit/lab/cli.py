# SPDX-License-Identifier: MIT
"""`whit lab`: lists the experiments, or runs one."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from whit.errors import WhitError
from whit.lab import registry
from whit.lab.experiment import Experiment, Result
from whit.lab.show import experiments_table, print_result

PLOT_SUFFIXES = (".svg", ".png")

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def main(arguments: list[str]) -> int:
    """The exit code: 0 when everything was measured, whether the limits hold or not."""
    app(arguments, prog_name="whit lab", standalone_mode=False)
    return 0


@app.command()
def lab(
    experiment: Annotated[str, typer.Argument(metavar="[EXPERIMENT]", help="Without it: what there is.")] = "",
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the figures there.")] = None,
    plot_file: Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw there: .svg or .png.")] = None,
) -> None:
    """Run an experiment: a table of figures, as JSON, as a plot."""
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 160)
    if not experiment:
        if json_file or plot_file:
            raise WhitError(f"lab: --json and --plot need an experiment; expected {' or '.join(registry.NAMES)}")
        console.print(experiments_table([registry.find(name) for name in registry.NAMES]))
        return
    chosen = registry.find(experiment)
    _check_output("--json", json_file)
    _check_output("--plot", plot_file)
    if plot_file and plot_file.suffix not in PLOT_SUFFIXES:
        raise WhitError(f"--plot {plot_file}: expected a name that ends in {' or '.join(PLOT_SUFFIXES)}")
    result = _run(chosen)
    print_result(console, chosen, result)
    if json_file:
        json_file.write_text(json.dumps(result.as_json(chosen.name), indent=1) + "\n")
    if plot_file:
        from whit.lab.plot import draw

        draw(chosen.title, result.series, plot_file)


def _check_output(option: str, path: Path | None) -> None:
    """Before the measuring, not after it."""
    if path and (path.is_dir() or not path.resolve().parent.is_dir()):
        raise WhitError(f"{option} {path}: expected a file in a directory that exists")


def _run(experiment: Experiment) -> Result:
    """Runs it behind a progress bar, which only a terminal sees."""
    columns = (BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("starting", total=1.0)
        return experiment.run(lambda what, share: bar.update(task, description=what, completed=share))
