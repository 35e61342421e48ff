# SPDX-License-Identifier: MIT
"""One's complement sums agree with RFC 1071's definition, a word at a time with end-around carry."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from whit.compiler.sums import fold, prefix_sums, sum_of


def naive(octets: bytes) -> int:
    total = 0
    for high, low in itertools.zip_longest(octets[0::2], octets[1::2], fillvalue=0):
        total += high << 8 | low
        if total > 0xFFFF:
            total = (total & 0xFFFF) + 1
    return total


@given(st.binary(max_size=600))
def test_a_sum_is_that_of_its_words(octets: bytes) -> None:
    assert sum_of(octets) == naive(octets)


@given(st.binary(max_size=600), st.sampled_from((4, 8, 16, 32, 64, 128)))
def test_prefix_sums_are_sums_of_prefixes(body: bytes, chunk: int) -> None:
    ends = range(chunk, len(body) + chunk, chunk)
    assert prefix_sums(body, chunk) == [naive(body[:end]) for end in ends]


def test_only_nothing_but_zeros_sums_to_zero() -> None:
    assert [fold(total) for total in (0, 1, 0xFFFE, 0xFFFF, 0x10000, 0x1FFFE, 0x1FFFF)] == [
        0,
        1,
        0xFFFE,
        0xFFFF,
        1,
        0xFFFF,
        1,
    ]


@given(st.binary(min_size=1, max_size=600), st.data())
def test_the_sum_of_a_run_of_chunks_is_a_difference(body: bytes, data: st.DataObject) -> None:
    chunk = 16
    sums = [0, *prefix_sums(body, chunk)]
    first = data.draw(st.integers(0, len(sums) - 1))
    end = data.draw(st.integers(first, len(sums) - 1))
    run = body[first * chunk : end * chunk]
    # Equal modulo 0xffff: one's complement has two zeros.
    assert (sums[end] - sums[first] - naive(run)) % 0xFFFF == 0
