# SPDX-License-Identifier: MIT
"""Figures of HTTPS: that each is measured, and within sane bounds."""

import shutil

import pytest
from whit.lab.experiment import Bars, Result

from tests.lab.reduced import reduced

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("arm-none-eabi-gcc") is None, reason="gcc-arm-none-eabi is not installed"),
    pytest.mark.xdist_group("lab"),
]
# Of each figure: the least and the most that it could be in earnest, and its bound.
SANE = {
    "https_flash_bytes_cortex_m": (15_000, 30_000, 19_500),
    "https_ram_bytes_cortex_m": (1_000, 5_000, 2_500),
    "https_stack_bytes_cortex_m": (1_000, 2_000, 1_700),
    "https_handshake_bytes": (400, 700, 440),
    "https_open_bytes": (72, 300, 72),
    "https_idle_bytes": (80, 120, 80),
    "https_rtts_first_octet": (3, 3, 3),
    "https_line_over_plain_full": (1.05, 1.9, 1.9),
    "https_line_over_plain_resumed": (1.02, 1.3, 1.15),
    "https_line_over_plain_kept_alive": (1.01, 1.2, 1.06),
    "https_loss_whole_percent": (90, 100, 100),
}


@pytest.fixture(scope="module")
def result() -> Result:
    return reduced("https")


def test_figures(result: Result) -> None:
    assert {figure.name for figure in result.figures} == SANE.keys()
    for figure in result.figures:
        least, most, bound = SANE[figure.name]
        assert least <= figure.value <= most, figure
        assert bound == (figure.limit or figure.least)


def test_parts_of_flash(result: Result) -> None:
    """They are all of it."""
    assert isinstance(result.series[0], Bars)
    assert sum(result.series[0].amounts.values()) == result.figures[0].value


def test_round_trips_of_others(result: Result) -> None:
    beside = {figure.name: figure.value for figure in result.beside}
    assert beside["https_rtts_first_octet_resumed"] == 3 and beside["https_rtts_first_octet_kept"] == 1
