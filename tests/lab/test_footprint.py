# SPDX-License-Identifier: MIT
"""The figures of whole images: each is measured, its parts are all of it, and what is counted serves."""

import io
import json
import shutil
from pathlib import Path

import pytest
from rich.console import Console
from whit.build import build
from whit.high_water import measured_stack
from whit.lab.experiment import Result, Stacks
from whit.lab.experiments.footprint import CONTACTS, SMALLEST, FootprintExperiment
from whit.lab.plot import draw
from whit.lab.show import MISSED, WORSE, print_result

from tests.lab.reduced import reduced

LIMITS = {
    "buttons_ram_bytes_gba": 300,
    "contacts_ram_bytes_avr": 450,
    "static_flash_bytes_cortex_m": 6500,
    "contacts_flash_bytes_cortex_m": 8500,
    "contacts_flash_bytes_avr": 12000,
}
SANE = {name: (limit / 3, limit * 5) for name, limit in LIMITS.items()}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("lab"),
    pytest.mark.skipif(
        not (shutil.which("avr-gcc") and shutil.which("arm-none-eabi-gcc")),
        reason="needs avr-gcc and arm-none-eabi-gcc",
    ),
]


@pytest.fixture(scope="module")
def result() -> Result:
    return reduced("footprint")


def test_every_figure_is_measured(result: Result) -> None:
    written = json.loads(json.dumps(result.as_json("footprint")))
    assert {figure["name"]: figure["limit"] for figure in written["figures"]} == LIMITS
    for figure in written["figures"]:
        least, most = SANE[figure["name"]]
        assert least <= figure["value"] <= most, figure


def test_parts_are_all_of_it(result: Result) -> None:
    about_image = ("application", "files", "port", "image")
    for figure in result.figures:
        parts = {one.name: one.value for one in result.beside if one.name.startswith(f"{figure.name}_")}
        if "flash" in figure.name:
            for name in about_image:
                parts.pop(f"{figure.name}_{name}")
        assert sum(parts.values()) == figure.value
        assert f"{figure.name}_elsewhere" not in parts, (
            "a file of engine/ has no group in tools/whit/lab/instruments/groups.py"
        )


def test_missed_ones_are_told(result: Result) -> None:
    console = Console(file=io.StringIO(), width=200)
    print_result(console, FootprintExperiment(), result)
    assert isinstance(console.file, io.StringIO)
    missed = [figure.name for figure in result.figures if not figure.holds]
    assert console.file.getvalue().count(MISSED) == len(missed) + bool(missed)
    worse = [line for line in console.file.getvalue().splitlines() if line.rstrip().endswith(WORSE)]
    assert len(worse) == sum(row.worse for row in result.compared)


def test_papers_and_peers_stand_beside(result: Result) -> None:
    figures = {figure.value for figure in result.figures}
    assert {row.ours for row in result.compared} == figures
    assert {244, 356, 1200, 3800, 200, 3000} <= {row.theirs for row in result.compared if row.source[:3].isdigit()}


def test_plot(result: Result, tmp_path: Path) -> None:
    assert all(isinstance(chart, Stacks) for chart in result.series)
    draw("footprint", result.series, tmp_path / "plot.svg")
    assert "<svg" in (tmp_path / "plot.svg").read_text()


def test_smallest_settings_serve() -> None:
    """RAM is not counted of an image that cannot work. Its emulator knows by a ping that it is there."""
    image = build(CONTACTS, target="avr", overrides={**SMALLEST, "ping": True}, check_budget=False)
    assert measured_stack(image) > 100
