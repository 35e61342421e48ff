# SPDX-License-Identifier: MIT
"""The implementation of the papers' model gives the figures that they print."""

from dataclasses import replace
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as some

from whit_lab.model import charge, dynaweb
from whit_lab.model.paper import Setting, flight_s, in_flight_s, sending_s, to_even
from whit_lab.model.presets import PRESETS, SMEWS_ADD_HELD

FIGURE1 = PRESETS["figure1"].link
CONTENTS = {  # 001 section 5.1; octets, and whether it is generated
    "index.html": (752, False),
    "style.css": (826, False),
    "script.js": (3613, False),
    "logo.png": (5805, False),
    "cb_extract": (1915, True),
    "cb_get": (28, True),
    "cb_add": (2, True),
}
TABLE2 = {  # 001 Table 2, columns "model", s
    "uip": (0.77, 0.78, 1.48, 1.91, 1.10, 0.70, 0.70),
    "miniweb": (0.12, 0.14, 0.47, 0.73),
    "smews": (0.14, 0.15, 0.43, 0.66, 0.26, 0.06, 0.06),
}


@pytest.mark.parametrize("server", TABLE2)
def test_every_cell_of_table_2_rounds_to_what_is_printed(server: str) -> None:
    preset = PRESETS[server]
    for (octets, generated), printed in zip(CONTENTS.values(), TABLE2[server], strict=False):
        assert abs(preset.response_s(octets, generated=generated) - printed) <= 0.005


def test_table_3_within_5_percent() -> None:
    """001 Table 3, columns "model", B·s."""
    for octets, printed in ((1915, 666), (28, 29), (2, 25)):
        assert PRESETS["uip"].charge_bs(octets) == pytest.approx(printed, rel=0.051)
    assert round(SMEWS_ADD_HELD * PRESETS["smews"].response_s(2, generated=True), 1) == 1.3
    with pytest.raises(ValueError, match="more than one"):
        PRESETS["smews"].charge_bs(2)


def test_ratios_of_section_4_3() -> None:
    """Printed 11.2 (truncated, eq. 15), 4.5, 4.1 (eq. 8), 300 octets (rounded), 200 octets a second."""
    assert charge.s0_ratio(FIGURE1, 8000) == pytest.approx(11.28, abs=0.005)
    assert charge.one_s(FIGURE1, 8000) / charge.strategy_s(FIGURE1, "S0", 8000) == pytest.approx(11.86, abs=0.005)
    assert charge.s1_ratio(FIGURE1, 600) == pytest.approx(4.49, abs=0.005)
    assert charge.s3_ratio(FIGURE1) == pytest.approx(4.03, abs=0.005)
    assert charge.s3_ratio_exact(FIGURE1, 8000) == pytest.approx(4.09, abs=0.005)
    assert charge.equal_buffer(FIGURE1) == 299
    assert charge.break_even_bandwidth() == 200
    slow = replace(FIGURE1, bandwidth=10_000)  # as section 4.3 prints it: none of the four comes out
    assert charge.s0_ratio(slow, 8000) == pytest.approx(2.52, abs=0.005)
    assert charge.s1_ratio(slow, 600) == pytest.approx(2.61, abs=0.005)
    assert charge.s3_ratio_exact(slow, 8000) == pytest.approx(2.0, abs=0.005)
    assert charge.equal_buffer(slow) == 351


def test_figure_1_is_as_its_text_says() -> None:
    """Odd numbers in flight are very bad; of even ones the higher is the faster, if it makes a difference."""
    for size in (1000, 6000, 20_000, 40_000):
        one, two, three, four, any_ = (in_flight_s(FIGURE1, size, n_max) for n_max in (1, 2, 3, 4, inf))
        assert one > two >= four >= any_
        if size >= 3 * FIGURE1.mss:
            assert three > two


@pytest.mark.parametrize(("mss", "overhead", "continuous", "one"), [(200, 0.3, 76.9, 6.3), (1460, 0.041, 96.1, 33.0)])
def test_dynaweb(mss: int, overhead: float, continuous: float, one: float) -> None:
    assert dynaweb.overhead(mss, 0.5) == pytest.approx(overhead, abs=0.0005)
    shares = [
        100 * dynaweb.throughput(mss, *how) / dynaweb.LINE_RATE for how in (dynaweb.CONTINUOUS, dynaweb.ONE_IN_FLIGHT)
    ]
    assert shares == [pytest.approx(continuous, abs=0.05), pytest.approx(one, abs=0.05)]
    assert dynaweb.throughput(mss, *dynaweb.ONE_IN_FLIGHT) / mss < 5  # segments a second


def test_dynaweb_chunks() -> None:
    assert (dynaweb.output_size(1460, 32), dynaweb.sums_size(55_900, 32)) == (1440, 3494)


LINKS = some.builds(
    Setting,
    bandwidth=some.floats(1000, 1e6),
    rtt_s=some.floats(0, 1),
    mss=some.integers(100, 1460),
    charge_acks=some.booleans(),
    even=some.booleans(),
)


@given(LINKS, some.integers(0, 20_000))
def test_eq_12_is_an_identity(link: Setting, size: int) -> None:
    rest = size % link.mss
    parts = charge.one_s(link, size - rest) + charge.one_s(link, rest)
    assert parts == pytest.approx(charge.one_s(link, size))
    assert charge.strategy_charge(link, charge.ONE, size) <= link.mss * charge.one_s(link, size) + 1e-9


@given(some.integers(1, 1460), some.floats(1000, 1e6), some.floats(0, 1))
def test_eq_17_is_exact_within_a_segment(size: int, bandwidth: float, rtt_s: float) -> None:
    link = Setting(bandwidth, rtt_s)
    exact = charge.one_s(link, size) / charge.strategy_s(link, "S1", size)
    assert exact == pytest.approx(charge.s1_ratio(link, size))
    charges = charge.strategy_charge(link, charge.ONE, size) / charge.strategy_charge(link, "S1", size)
    assert charges == pytest.approx(exact) or size == link.mss


def test_the_printed_pieces() -> None:
    link = Setting(10_000, 0.005, 1460)
    assert flight_s(link, 0, 0) == 0
    assert flight_s(link, 100, 1) == pytest.approx((140 + 40) / 10_000 + 0.205)
    assert flight_s(link, 100, 2) == pytest.approx((180 + 40) / 10_000 + 0.005)
    assert [to_even(link, n) for n in (0, 1, 2, 3)] == [0, 2, 2, 4]
    assert [to_even(replace(link, even=False), n) for n in (1, 2)] == [1, 2]
    with pytest.raises(ValueError, match="window"):
        sending_s(link, 100, 0)
