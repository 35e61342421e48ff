# SPDX-License-Identifier: MIT
"""Memory beside the papers': bounds hold, parts add up to the whole, and worse values are reported."""

import io
import shutil
from pathlib import Path

import pytest
from rich.console import Console

from tests.lab.reduced import reduced as result_of
from tests.targets.machines import WHY_NOT
from whit.image.build import build
from whit.image.cost import number
from whit.image.report import print_report, sizes_line
from whit_lab.experiment import Result, Stacks
from whit_lab.experiments.memory import CONTACTS, SMALLEST
from whit_lab.plot import draw
from whit_lab.registry import find
from whit_lab.show import MISSED, WORSE, print_result
from whit_testbed.painted import measured_stack

WHY = WHY_NOT["gba"]() or WHY_NOT["avr"]()
pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("lab"),
    pytest.mark.skipif(bool(WHY) or not shutil.which("arm-none-eabi-gcc"), reason=WHY or "needs arm-none-eabi-gcc"),
]


LIMITS = {
    "slot_bytes": 32,
    "idle_bytes": 8,
    "buttons_ram_bytes_gba": 450,
    "contacts_ram_bytes_avr": 640,
    "static_flash_bytes_cortex_m": 7900,
    "contacts_flash_bytes_cortex_m": 11_300,
    "contacts_flash_bytes_avr": 17_400,
    "static_flash_bytes_cortex_m_least": 6600,
    "contacts_flash_bytes_cortex_m_least": 9200,
    "contacts_flash_bytes_avr_least": 13_600,
}


@pytest.fixture(scope="module")
def result() -> Result:
    return result_of("memory")


def test_bounds(result: Result) -> None:
    assert {figure.name: figure.limit for figure in result.figures} == LIMITS
    assert {figure.name for figure in result.figures if not figure.holds}.isdisjoint({"slot_bytes", "idle_bytes"})
    for figure in result.figures:
        assert LIMITS[figure.name] / 3 <= figure.value <= 5 * LIMITS[figure.name], figure


def test_parts_are_the_whole(result: Result) -> None:
    ours = [dict(zip(result.sheets[0].columns, row, strict=True)) for row in result.sheets[0].rows[:2]]
    for row in ours:
        assert int(row["globals"]) + int(row["stack"]) == int(row["RAM"])
        assert int(row["code"]) + int(row["RO data"]) == int(row["flash"])
    charts = {chart.title: chart for chart in result.series}
    figures = {figure.value for figure in result.figures}
    for title in ("RAM, stack included", "Flash of the engine"):
        chart = charts[title]
        assert isinstance(chart, Stacks)
        assert {sum(chart.amounts[name].values()) for name in chart.marks} <= figures
    assert "elsewhere" not in result.sheets[1].columns, "a file of engine/ has no group in tools/whit/image/groups.py"
    painted = {row["server"]: row["painted"] for row in ours}
    assert 100 < int(painted["contacts, AVR"]) <= int(ours[1]["stack"])


def test_what_is_worse_has_a_note(result: Result) -> None:
    worse = {row.name.rpartition(" ")[2] for row in result.compared if row.worse}
    for what in worse & {"RAM", "flash"}:
        assert any(note.lower().startswith(f"{what.lower()} is worse") for note in result.notes)


def test_missed_ones_are_told(result: Result) -> None:
    console = Console(file=io.StringIO(), width=200)
    print_result(console, find("memory"), result)
    assert isinstance(console.file, io.StringIO)
    missed = [figure.name for figure in result.figures if not figure.holds]
    assert console.file.getvalue().count(MISSED) == len(missed) + bool(missed)
    worse = [line for line in console.file.getvalue().splitlines() if line.rstrip().endswith(WORSE)]
    assert len(worse) == sum(row.worse for row in result.compared)


def test_papers_and_peers_stand_beside(result: Result) -> None:
    figures = {figure.value for figure in result.figures}
    assert figures <= {row.ours for row in result.compared}
    assert {244, 356, 1204, 3804, 200, 3000} <= {row.theirs for row in result.compared if row.source[:3].isdigit()}


def test_plot(result: Result, tmp_path: Path) -> None:
    assert all(isinstance(chart, Stacks) for chart in result.series)
    draw("memory", result.series, tmp_path / "plot.svg")
    assert "<svg" in (tmp_path / "plot.svg").read_text()


def test_smallest_settings_serve() -> None:
    """RAM of an image counts only if the image works. Its emulator proves it by a ping."""
    image = build(CONTACTS, target="avr", overrides={**SMALLEST, "ping": True}, check_budget=False)
    assert measured_stack(image) > 100


def test_values_of_others_have_a_source_or_are_built(result: Result) -> None:
    """A paper with its table or section, or a peer that this run built."""
    for row in result.compared:
        assert row.source.startswith(("000 Table 6, ", "000 section ", "001 section ", "lwIP 2.1.3 ")), row.source
    lwip = {row.theirs for row in result.compared if row.source.startswith("lwIP")}
    assert len(lwip) == 1 and 12_000 < lwip.pop() < 25_000  # type: ignore[operator]


def test_the_address_book_as_shipped_is_what_run_and_report_say(result: Result) -> None:
    found = {figure.name: int(figure.value) for figure in result.beside}
    said = sizes_line(build(CONTACTS, target="linux"))
    assert f"engine {number(found['shipped_engine_flash_linux'])}, " in said
    assert f"files and tables {number(found['shipped_files_and_tables_linux'])}, " in said
    assert f"of RAM, without the port: {number(found['shipped_variables_linux'])}" in said
    console = Console(record=True, width=200, file=io.StringIO())
    print_report(console, build(CONTACTS, target="cortex-m"))
    said = console.export_text()
    for row, names in {"engine ": ["engine_flash"], "stack, at worst ": ["stack"], "all of it ": ["flash"]}.items():
        line = next(line for line in said.splitlines() if line.startswith(row) and any(map(str.isdigit, line)))
        assert all(number(found[f"shipped_{name}_cortex_m"]) in line for name in names), line
