# SPDX-License-Identifier: MIT
"""The two kinds of checksum_octets() agree with the sum of RFC 1071 section 1, at any alignment."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cffi import FFI
from hypothesis import given
from hypothesis import strategies as st

from tests.support import built, target
from whit_testbed.guard import Guard

pytestmark = pytest.mark.skipif(target() != "inprocess", reason="looks at kinds of the in-process engine")

Sum = Callable[[int, bytes, bool], int]
_ffi = FFI()
_ffi.cdef("uint16_t checksum_octets(uint16_t sum, const uint8_t *octets, uint16_t len, bool odd);")


def expected(start: int, octets: bytes, odd: bool) -> int:
    row = b"\0" * odd + octets
    row += b"\0" * (len(row) % 2)
    total = start + sum(int.from_bytes(row[at : at + 2], "big") for at in range(0, len(row), 2))
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return total


@pytest.fixture(scope="module", params=["octets", "code"])
def checksum(request: pytest.FixtureRequest, application: Path) -> Iterator[Sum]:
    """The octets end at a page that cannot be read."""
    library = _ffi.dlopen(str(built(application, heads=request.param).image))
    guard = Guard()

    def found(start: int, octets: bytes, odd: bool) -> int:
        address = _ffi.cast("const uint8_t *", guard.place(octets))
        return int(library.checksum_octets(start, address, len(octets), odd))

    yield found
    guard.close()
    _ffi.dlclose(library)


def test_every_length_and_place(checksum: Sum, seed: int) -> None:
    """Octets that end at a page begin at every alignment."""
    rng = random.Random(seed)
    for length in (*range(200), 1459, 1460, 1461, 65534, 65535):
        for octets in (rng.randbytes(length), b"\xff" * length, b"\0" * length):
            for start, odd in ((0, False), (0xFFFF, True), (rng.randrange(0x10000), rng.random() < 0.5)):
                assert checksum(start, octets, odd) == expected(start, octets, odd), (length, start, odd)


@given(start=st.integers(0, 0xFFFF), octets=st.binary(max_size=300), odd=st.booleans())
def test_any(checksum: Sum, start: int, octets: bytes, odd: bool) -> None:
    assert checksum(start, octets, odd) == expected(start, octets, odd)


@given(octets=st.binary(max_size=300), at=st.integers(0, 300), start=st.integers(0, 0xFFFF))
def test_in_two_parts(checksum: Sum, octets: bytes, at: int, start: int) -> None:
    """A sum in two parts equals the sum of all, as drivers need."""
    first, second = octets[:at], octets[at:]
    assert checksum(checksum(start, first, False), second, len(first) % 2 == 1) == expected(start, octets, False)
