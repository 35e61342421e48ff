# SPDX-License-Identifier: MIT
"""The console's figures: each is measured, the parts are the whole, and the papers' shape is there."""

import pytest
from whit.lab.experiment import Result
from whit.lab.experiments.cycles import gba as cycles_gba

from tests.targets.machines import WHY_NOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(WHY_NOT["gba"]()), reason=WHY_NOT["gba"]()),
    pytest.mark.xdist_group("lab"),
]


@pytest.fixture(scope="module")
def result() -> Result:
    return cycles_gba.measure(lambda what, share: None, reduced=True)


def test_limits(result: Result) -> None:
    assert {figure.name: figure.least for figure in result.figures} == {
        "checksum_saved_128_percent": 97,
        "send_saved_128_percent": 29,
    }
    assert all(figure.holds for figure in result.figures), result.figures


def test_phases_add_up(result: Result) -> None:
    beside = {figure.name: figure.value for figure in result.beside}
    phases = [beside[f"gba_{name}_ms"] for name in ("ip_header", "tcp_header", "checksum", "data")]
    assert sum(phases) == pytest.approx(beside["gba_segment_ms"], abs=0.001)
    assert max(phases) == beside["gba_data_ms"], "calling a driver for each octet is the dearest part, as in the papers"
    assert min(phases) > 0


def test_a_prefix_sum_costs_the_same_for_any_chunk(result: Result) -> None:
    """The papers add a segment's chunk sums up: 1.48 ms for chunks of 4, 0.11 ms for chunks of 128."""
    costs = {figure.value for figure in result.beside if figure.name.endswith("_us")}
    assert max(costs) - min(costs) < 1
    assert 0 < max(costs) < 110


def test_the_same_again(result: Result) -> None:
    assert cycles_gba.measure(lambda what, share: None, reduced=True).as_json("") == result.as_json("")
