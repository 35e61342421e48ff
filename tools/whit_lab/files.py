# SPDX-License-Identifier: MIT
"""Writes an experiment's results to files."""

from pathlib import Path

from whit.ladder.write import write_ladders
from whit.output import write_output
from whit.paths import BUILD
from whit_lab.experiment import Experiment, Result
from whit_lab.kept import kept, text

RESULTS = BUILD / "lab" / "results"
PLOT_SUFFIXES = (".svg", ".png")


def write_json(experiment: Experiment, result: Result, path: Path) -> None:
    write_output(path, text({"experiment": experiment.name, **kept(result)}) + "\n")


def write_plot(experiment: Experiment, result: Result, path: Path) -> None:
    from whit_lab.plot import draw

    draw(experiment.title, result.series, path)


def write_all(experiment: Experiment, result: Result, directory: Path) -> list[Path]:
    """Writes figures, the plot in both formats, and ladders. Returns their paths."""
    directory.mkdir(parents=True, exist_ok=True)
    figures = directory / "figures.json"
    write_json(experiment, result, figures)
    plots = [directory / f"plot{suffix}" for suffix in PLOT_SUFFIXES] if result.series else []
    for path in plots:
        write_plot(experiment, result, path)
    return [figures, *plots, *write_ladders(result.ladders, directory)]
