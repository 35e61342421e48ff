# SPDX-License-Identifier: MIT
"""The paper's four numbers by the model and by a run, which must find the smallest."""

import pytest

from tests.lab.reduced import reduced
from whit.errors import WhitError
from whit_lab.experiment import Lines, Result
from whit_lab.experiments.strategies.ratios import FIGURE_1, STATIC, by_model
from whit_lab.experiments.strategies.runs import EQUAL, EQUAL_REDUCED, EQUAL_WHOLE, S3_300, smallest
from whit_lab.model.charge import s0_ratio, s1_ratio

pytestmark = pytest.mark.xdist_group("lab")  # its builds once


@pytest.fixture(scope="module", name="reduced")
def reduced_result() -> Result:
    return reduced("strategies")


def test_bounds(reduced: Result) -> None:
    figures = [figure for figure in reduced.figures if figure.name.startswith(("model_", "measured_"))]
    bounds = {figure.name: (figure.limit, figure.least) for figure in figures}
    assert bounds == {
        "model_s0_ratio": (11.3, 11.2),
        "model_s1_ratio": (4.55, 4.45),
        "model_s3_ratio": (4.15, 4.05),
        "model_s3_equal_buffer_bytes": (304, 295),
        "measured_s0_ratio": (None, 11.2),
        "measured_s1_ratio": (None, 4.5),
        "measured_s3_ratio": (None, 4.1),
        "measured_s3_equal_buffer_bytes": (300, None),
    }
    assert {figure.name for figure in figures if not figure.holds} == set()


def test_the_model_is_what_was_recomputed() -> None:
    by_hand = (80 + 1460 + 25_000) / (60 + 1460 + 5000 / 6)
    assert s0_ratio(FIGURE_1, STATIC) == pytest.approx(by_hand, rel=1e-9) == pytest.approx(11.28, abs=0.005)
    assert list(by_model().values()) == [11.28, 4.49, 4.09, 299]


def test_what_runs_is_the_equation_for_its_octets(reduced: Result) -> None:
    """Runs agree with the equation. Exceptions: S3 with a whole MSS, which need not wait for all acknowledgments, and
    S1, one segment and therefore late."""
    near = {row.name: row.ratio for row in reduced.compared if row.source.startswith("eq. 8 for")}
    assert near.pop("S3 with one MSS, 8 kB: st") == pytest.approx(0.92, abs=0.03)
    s1_ms = next(row.ours for row in reduced.compared if row.name == "S1, 600 B: st")
    assert s1_ms == pytest.approx(200 + 50 + (708 + 40 + 40) / 100, abs=0.01), "the delayed acknowledgment is its last"
    assert near.pop("S1, 600 B: st") == pytest.approx(s1_ratio(FIGURE_1, 708), abs=0.01)
    assert "S1, 600 B, as one in flight: st" in near
    assert len(near) == 5
    assert all(ratio == pytest.approx(1, abs=0.01) for ratio in near.values())


def test_s1_in_one_segment_is_as_one_in_flight_and_no_user_waits(reduced: Result) -> None:
    """S1's content is held until the delayed acknowledgment, as long as the other's; its octets arrive no later."""
    charges = {row.name: row.ratio for row in reduced.compared if row.name.startswith("S1, 600 B")}
    assert charges["S1, 600 B, as one in flight: memory charge"] == pytest.approx(1, abs=0.02), "the head's time"
    assert charges["S1, 600 B: memory charge"] > 4
    table = next(sheet for sheet in reduced.sheets if sheet.title == "A response")
    whole_ms = {str(row[0]): float(row[2]) for row in table.rows}
    longer_ms = len("s1_600") / 100  # the other server is asked for /
    assert whole_ms["S1: persistent"] == pytest.approx(whole_ms["one in flight, 600 B"] + longer_ms, abs=0.015)


def test_worse_is_only_one_late_acknowledgment_or_a_users_time(reduced: Result) -> None:
    worse = [row for row in reduced.compared if row.worse and "(whole)" not in row.name]
    assert [(row.name, row.ours) for row in worse] == [
        ("600 B, one in flight over S1: run (st, head in the content's segment)", 1.0)
    ]
    assert [row.name for row in reduced.compared if "(whole)" in row.name and not row.worse] == []
    assert all(isinstance(chart, Lines) for chart in reduced.series[4:])


@pytest.mark.parametrize("least", [*EQUAL][:: len(EQUAL) // 5])
def test_the_smallest_is_found(least: int) -> None:
    asked: list[int] = []

    def fast(buffer: int) -> bool:
        asked.append(buffer)
        return buffer >= least

    assert smallest(EQUAL, fast) == least
    assert len(set(asked)) <= 6, "each is a build"


def test_where_none_is_fast_enough_it_says_so() -> None:
    with pytest.raises(WhitError, match="slower than one segment"):
        smallest(EQUAL_REDUCED, lambda buffer: False)
    assert S3_300.buffer in EQUAL
    assert set(EQUAL_REDUCED) <= set(EQUAL)
    assert EQUAL_WHOLE[0] <= EQUAL[-1]
