# SPDX-License-Identifier: MIT
"""Figures of HTTPS: that each is measured, and within sane bounds."""

import shutil

import pytest

from tests.lab.reduced import reduced
from whit.errors import WhitError
from whit_lab.experiment import Bars, Result, collected
from whit_lab.experiments.https import peer
from whit_lab.experiments.strategies.runs import CASES
from whit_lab.real import mbedtls
from whit_lab.real.mbedtls import version

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("arm-none-eabi-gcc") is None, reason="gcc-arm-none-eabi is not installed"),
    pytest.mark.xdist_group("lab"),
]
# The least and the most plausible value of each figure, and its bound.
SANE = {
    "https_flash_bytes_cortex_m": (15_000, 30_000, 19_500),
    "https_ram_bytes_cortex_m": (1_000, 5_000, 2_500),
    "https_stack_bytes_cortex_m": (1_000, 2_000, 1_700),
    "https_handshake_bytes": (400, 700, 440),
    "https_handshake_mcycles_cortex_m": (25, 45, 45),
    "https_handshake_mcycles_cortex_m_prepared": (2, 5, 5),
    "https_handshake_mcycles_cortex_m_resumed": (3, 7.5, 7.5),
    "https_handshake_mcycles_cortex_m_resumed_prepared": (2, 4.5, 4.5),
    "https_slice_kcycles_cortex_m": (100, 500, 500),
    "https_record_kcycles_cortex_m": (20, 200, 90),
    "https_open_bytes": (72, 300, 72),
    "https_idle_bytes": (80, 120, 80),
    "https_rtts_first_octet": (3, 3, 3),
    "https_line_over_plain_full": (1.05, 1.9, 1.9),
    "https_line_over_plain_resumed": (1.02, 1.3, 1.15),
    "https_line_over_plain_kept_alive": (1.01, 1.2, 1.06),
    "https_loss_whole_percent": (90, 100, 100),
    "https_s0_whole_over_plain": (1.01, 1.2, 1.1),
    "https_s1_whole_over_plain": (1.001, 1.1, 1.05),
}
PEER = "https_mbedtls_over_ours"


@pytest.fixture(scope="module")
def result() -> Result:
    return reduced("https")


def test_figures(result: Result) -> None:
    figures = [figure for figure in result.figures if figure.name != PEER]
    assert {figure.name for figure in figures} == SANE.keys()
    for figure in figures:
        least, most, bound = SANE[figure.name]
        assert least <= figure.value <= most, figure
        assert bound == (figure.limit or figure.least)


def test_parts_of_flash(result: Result) -> None:
    """The parts add up to the whole."""
    assert isinstance(result.series[0], Bars)
    assert sum(result.series[0].amounts.values()) == result.figures[0].value


def test_round_trips_of_others(result: Result) -> None:
    beside = _beside(result)
    assert beside["https_rtts_first_octet_resumed"] == 3 and beside["https_rtts_first_octet_kept"] == 1


def _beside(result: Result) -> dict[str, float]:
    return {figure.name: figure.value for figure in result.beside}


def test_strategies_with_tls(result: Result) -> None:
    """S0 keeps nothing but the connection's 72 octets and their head, S4 keeps its content."""
    sheet = next(sheet for sheet in result.sheets if sheet.title == "Strategies with TLS and without")
    held = {(row[0], row[1]): int(row[5]) for row in sheet.rows}
    assert len(held) == 2 * len(CASES)
    assert held["S0: file, 8 kB", "plain"] == 0 and held["S0: file, 8 kB", "by TLS"] == 76
    assert held["S4: volatile thread, 8 kB", "plain"] == 0 and held["S4: volatile thread, 8 kB", "by TLS"] > 1000
    assert _beside(result)["https_s4_charge_bs"] > 100


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
def test_a_request_by_tls_costs_more_than_a_plain_one(result: Result) -> None:
    beside = _beside(result)
    assert 0 < beside["https_get_plain_instructions"] < beside["https_get_instructions"] < 1_000_000
    assert 1 < beside["https_handshake_minstructions"] < 100


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
def test_beside_mbedtls(result: Result) -> None:
    if not version():
        pytest.skip("Mbed TLS could not be fetched")
    figure = next(figure for figure in result.figures if figure.name == PEER)
    assert 0.05 < figure.value < 20 and figure.least == 1.5
    rows = {row.name: row for row in result.compared}
    get = rows["instructions of a kept-alive GET of 600 octets by HTTPS"]
    assert get.theirs and round(get.theirs / get.ours, 2) == figure.value
    assert 1 < (rows["million instructions of a full handshake"].theirs or 0) < 100


def test_without_mbedtls_there_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    def cannot(*, quickly: bool) -> None:
        raise WhitError("no source package")

    if shutil.which("valgrind") is None:
        pytest.skip("valgrind is not installed")
    monkeypatch.setattr(mbedtls, "server", cannot)
    found = collected(peer.compare())
    assert not found.figures and not found.compared and found.beside
    assert found.notes == ["Nothing of Mbed TLS: no source package."]
