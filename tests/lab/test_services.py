# SPDX-License-Identifier: MIT
"""The experiment services in its reduced form: its figures, its table, and the counts of its capture."""

import shutil

import pytest

from tests.lab.reduced import reduced
from whit_lab.experiment import Result
from whit_lab.experiments.services import delays
from whit_lab.real import gsoap
from whit_lab.real.capture import ACK, SYN, Seen

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("arm-none-eabi-gcc") is None, reason="gcc-arm-none-eabi is not installed"),
    pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed"),
    pytest.mark.xdist_group("lab"),
]
CLIENT, SERVER = ("10.0.0.1", 4000), ("10.0.0.2", 80)


@pytest.fixture(scope="module")
def result() -> Result:
    return reduced("services")


def test_sizes_and_instructions(result: Result) -> None:
    found = {figure.name: figure.value for figure in result.figures}
    assert 20_000 < found["echo_temperature_flash_cortex_m"] < 35_000
    assert 200 < found["service_flash_json_cortex_m"] < 1_500
    assert 3_000 < found["service_flash_soap_cortex_m"] < 9_000
    assert 1_500 < found["service_flash_digest_cortex_m"] < 6_000
    assert 6_000 < found["service_flash_signed_cortex_m"] < 16_000
    assert 1_000 < found["service_flash_replies_cortex_m"] < 5_000
    ram = [found[f"service_ram_bytes_{security}"] for security in ("plain", "digest", "signed")]
    assert 300 < ram[0] <= 400 and ram[0] < ram[1] < ram[2] < 2_500
    assert 20_000 < found["echo_instructions"] <= 60_000
    assert 200_000 < found["signed_instructions_cortex_m"] < 700_000


def test_the_overhead_of_wss_is_the_message_s(result: Result) -> None:
    """The overhead by size, as in 004, is the same in each run. The overhead by delay is published beside it."""
    share = {one.name: one.value for one in (*result.figures, *result.beside) if one.name.startswith("wss_overhead")}
    assert share == {
        "wss_overhead_percent": 81.9,
        "wss_overhead_digest_percent": 66.4,
        "wss_overhead_signed_percent": 79.5,
        "wss_overhead_rsa_percent": 81.9,
    }
    assert {row.theirs for row in result.compared if row.name.startswith("overhead of a message")} == {90}


@pytest.mark.skipif(bool(gsoap.why_not()), reason=gsoap.why_not())
def test_beside_gsoap(result: Result) -> None:
    """gSOAP's server executes some 260 000 instructions for an Echo, on any processor of this kind."""
    found = {figure.name: figure.value for figure in result.figures}
    row = next(row for row in result.compared if row.name == "instructions of an Echo")
    assert row.theirs is not None and 150_000 < row.theirs < 500_000
    assert found["gsoap_over_ours_plain"] >= 3
    assert found["gsoap_over_ours_digest"] > 1.5 and found["gsoap_over_ours_signed"] > 0.02
    assert found["gsoap_over_ours_rsa"] > 0.5


@pytest.mark.skipif(bool(delays.why_not()), reason=delays.why_not())
def test_table_of_delays(result: Result) -> None:
    """Temperature takes as long as its sensor at least; Echo does not."""
    rows = {(row[0], row[1], row[2]): [float(number) for number in row[3:11]] for row in result.sheets[0].rows}
    assert len(rows) == 28
    for (_, service, _), (least, average, median, *_) in rows.items():
        assert 0 < least <= median and least <= average
        assert (least >= delays.SENSOR_S * 1000) == (service == "Temperature")


def test_delay_is_between_the_first_syn_and_the_last_segment() -> None:
    def seen(time_s: float, source: tuple[str, int], flags: int) -> Seen:
        return Seen(time_s, 54, source, SERVER if source == CLIENT else CLIENT, flags, 0, b"")

    segments = [
        seen(1.0, CLIENT, SYN),
        seen(2.0, CLIENT, SYN),
        seen(3.0, SERVER, SYN | ACK),
        seen(4.0, CLIENT, ACK),
        seen(5.0, SERVER, ACK),
        seen(6.0, CLIENT, ACK),
        seen(7.0, ("10.0.0.3", 4000), SYN),
    ]
    assert delays.delay_of(segments, CLIENT) == 4.0
    assert delays.delay_of(segments[3:], CLIENT) is None
