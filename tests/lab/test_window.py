# SPDX-License-Identifier: MIT
"""The reduced form keeps its bounds, with and without lwIP; a run can miss them; the formulas are right."""

import pytest

from tests.lab.lwip_here import lwip_library
from tests.lab.reduced import measured, reduced
from whit.errors import WhitError
from whit.machines.machines import why_no_machine
from whit_lab.experiment import Lines, Result
from whit_lab.experiments.window import FORMULA_PERCENT, OURS_PERCENT, knee
from whit_lab.experiments.window import avr as window_avr
from whit_lab.experiments.window import runs as window_run
from whit_lab.experiments.window.runs import Download, client, formula_kb_s, limit_kb_s
from whit_testbed import lwip_build

pytestmark = pytest.mark.xdist_group("lab")  # its builds once

OF_ALL = {
    "ours_percent_min": OURS_PERCENT,
    "generated_percent_min": OURS_PERCENT,
    "one_formula_percent_max": FORMULA_PERCENT,
    "two_formula_percent_max": FORMULA_PERCENT,
}


def bounds(result: Result) -> dict[str, float | None]:
    assert {figure.name for figure in result.figures if not figure.holds} == set()
    return {figure.name: figure.limit or figure.least for figure in result.figures}


def test_bounds_and_charts_beside_lwip() -> None:
    lwip_library()
    result = reduced("window")
    assert bounds(result) == OF_ALL | {"lwip_knee_octets": 3000}
    charts = [chart for chart in result.series if isinstance(chart, Lines)]
    assert {line.whose for chart in charts for line in chart.lines} == {"ours", "paper", "peer", "model"}
    worse = {row.name for row in result.compared if row.worse}
    assert worse == {
        *(f"client's window of {window} B, 10 ms, delayed ACK on" for window in (1460, 2920)),
        *(f"generated, 0 ms, delayed ACK {delayed}, kB/s" for delayed in ("off", "on")),
    }


def test_without_lwip_the_rest_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    def not_here() -> None:
        raise WhitError("lwIP is not here")

    monkeypatch.setattr(lwip_build, "shared_object", not_here)
    result = measured("window")
    assert bounds(result) == OF_ALL
    assert result.settings["lwip"] == "lwIP is not here"
    assert any("lwIP is not here" in note for note in result.notes)


def test_formula_by_hand() -> None:
    """Frames of 1528 and 84 octets at 1.25 octets a µs, 10 ms, 200 ms."""
    assert formula_kb_s(1450, 1, 10, "on") == pytest.approx(1450 / (1222.4 + 67.2 + 10_000 + 200_000) * 1000)
    assert formula_kb_s(1450, 1, 10, "off") == pytest.approx(1450 / (1222.4 + 67.2 + 10_000) * 1000)
    assert formula_kb_s(1450, 2, 10, "on") == pytest.approx(1450 / (2 * 642.4 + 67.2 + 10_000) * 1000)
    assert limit_kb_s() == pytest.approx(1460 / 1538 * 1250)


def test_a_narrow_window_misses_the_limit_and_a_run_repeats() -> None:
    image, octets = window_run.file_image(), window_run.LARGE_REDUCED
    narrow = [window_run.from_engine(image, octets, client("on", window=5840), 10, 1) for _ in range(2)]
    assert narrow[0].kb_s < OURS_PERCENT / 100 * limit_kb_s()
    assert narrow[0] == narrow[1]


def test_knee() -> None:
    assert knee({500: Download(2), 1000: Download(4), 1500: Download(40), 2000: Download(41)}) == 1500
    assert knee({500: Download(2), 1000: Download(4)}) is None


def test_the_processor_is_slower_than_the_line() -> None:
    if why := why_no_machine("avr"):
        pytest.skip(why)
    file, generated = window_avr.kb_s()
    assert 0 < generated < file < limit_kb_s()
