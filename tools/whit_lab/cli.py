# SPDX-License-Identifier: MIT
"""`whit lab`: lists the experiments, runs one or all, and publishes them."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from whit.errors import WhitError
from whit.ladder.write import write_ladders
from whit.output import check_directory, check_output
from whit.paths import ROOT
from whit_lab import registry
from whit_lab.experiment import Experiment, Result
from whit_lab.files import PLOT_SUFFIXES, RESULTS, write_all, write_json, write_plot
from whit_lab.show import experiments_table, is_narrow, print_ladders, print_result

EVERYTHING, PUBLISH, RENDER, CHECK = "all", "publish", "render", "check"
WORDS = ("", EVERYTHING, PUBLISH, RENDER, CHECK)

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def main(arguments: list[str]) -> int:
    """The exit code: 0 when everything was measured, whether the limits hold or not."""
    return int(app(arguments, prog_name="whit lab", standalone_mode=False) or 0)


@app.command()
def lab(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[EXPERIMENT]",
            help="Without it: what there is. `all`: all of them. `publish` [EXPERIMENT]...: write docs/lab. "
            "`render`: its pictures, figures in documents, and the page of everything in build/lab. "
            "`check` [EXPERIMENT]...: whether docs/lab is current.",
        ),
    ] = None,
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the figures there.")] = None,
    plot_file: Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw there: .svg or .png.")] = None,
    ladders: Annotated[
        Path | None, typer.Option("--ladder", metavar="DIR", help="Draw what passed there, as SVG.")
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="With `check`: compare the full forms, too.")] = False,
    reduced: Annotated[bool, typer.Option("--reduced", help="The short form, which takes seconds.")] = False,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="DIR", help="With `all`: one page of everything, there.")
    ] = None,
) -> int:
    """Run an experiment: a table of figures, as JSON, as a plot."""
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 160)
    word, *others = words or [""]
    if word in WORDS and (json_file or plot_file or ladders):
        raise WhitError(f"lab: --json, --plot and --ladder need an experiment; expected {', '.join(registry.NAMES)}")
    if others and word not in (PUBLISH, CHECK):
        raise WhitError(f"lab {word}: expected one experiment, or all; not {' '.join(others)} too")
    if full and word != CHECK:
        raise WhitError("lab: --full needs check; expected ./whit lab check --full")
    if report and word != EVERYTHING:
        raise WhitError("lab: --report needs all experiments; expected ./whit lab all --report DIR")
    if reduced and not word:
        raise WhitError("lab: --reduced needs an experiment, or all; ./whit lab lists them")
    if reduced and word in (PUBLISH, RENDER, CHECK):
        raise WhitError(f"lab {word}: expected it without --reduced; it runs what it needs")
    if not word:
        console.print(experiments_table(registry.every(), is_narrow(console)))
        return 0
    if word == EVERYTHING:
        from whit_lab.everything import run_everything

        if report:
            check_directory("--report", report)
        return run_everything(console, reduced=reduced, report=report)
    if word in (PUBLISH, RENDER, CHECK):
        from whit_lab import check, publish

        if word == RENDER:
            publish.render()
            console.print(publish.rendered(), markup=False)
            return 0
        return publish.publish(console, others) if word == PUBLISH else check.check(console, others, full=full)
    _one(console, registry.find(word), json_file, plot_file, ladders, reduced=reduced)
    return 0


def _one(
    console: Console,
    experiment: Experiment,
    json_file: Path | None,
    plot_file: Path | None,
    ladders: Path | None,
    *,
    reduced: bool,
) -> None:
    """Without a word where to, everything goes to a directory of its own."""
    if json_file:  # all are looked at before the measuring, not after it
        check_output("--json", json_file)
    if plot_file:
        check_output("--plot", plot_file, PLOT_SUFFIXES)
    if ladders:
        check_directory("--ladder", ladders)
    result = _run(experiment, reduced=reduced)
    if json_file:  # before the tables: who reads the output may have enough of it
        write_json(experiment, result, json_file)
    if plot_file:
        write_plot(experiment, result, plot_file)
    if ladders and result.ladders:
        write_ladders(result.ladders, ladders)
    written = [] if json_file or plot_file or ladders else write_all(experiment, result, RESULTS / experiment.name)
    print_result(console, experiment, result)
    print_ladders(console, result.ladders[: experiment.in_terminal])
    if written:
        names = ", ".join(path.name for path in written)
        console.print(f"{written[0].parent.relative_to(ROOT)}: {names}", markup=False)
    if ladders and not result.ladders:
        raise WhitError(f"--ladder: {experiment.name} has no ladder; expected one that has, such as traffic", 1)


def _run(experiment: Experiment, *, reduced: bool) -> Result:
    """Runs it behind a progress bar, which only a terminal sees."""
    columns = (BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    if not (sys.stderr.isatty() or reduced):
        print(f"{experiment.name} takes some {experiment.seconds} s", file=sys.stderr, flush=True)
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("starting", total=1.0)
        told = lambda what, share: bar.update(task, description=what, completed=share)  # noqa: E731
        return experiment.run(told, reduced=reduced)
