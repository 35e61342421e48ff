# SPDX-License-Identifier: MIT
"""The in-process driver watches the contract of include/whit/driver.h; every test that takes frames relies on it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from cffi import FFI

from tests.support import built
from whit.paths import ROOT

RAM, BUFFER = 0, 1  # enum whit_place
BROKEN, NONE = -2, -1
PUTS_MAX, RAM_MAX = 12, 112

ffi = FFI()
ffi.cdef("""
    bool whit_driver_ready(void);
    bool whit_driver_begin(uint16_t len);
    void whit_driver_put(const uint8_t *octets, uint16_t len, uint8_t place);
    void whit_driver_end(void);
    int whit_inprocess_take(uint8_t *to, int capacity);
    void whit_inprocess_reset(void);
""")


@pytest.fixture(scope="module")
def library() -> Any:
    return ffi.dlopen(str(built(ROOT / "tests" / "apps" / "basic").image))


@pytest.fixture
def driver(library: Any) -> Iterator[Any]:
    library.whit_inprocess_reset()
    yield library
    library.whit_inprocess_reset()


def take(driver: Any) -> int:
    return int(driver.whit_inprocess_take(ffi.new("uint8_t[2000]"), 2000))


def put(driver: Any, *lengths: int, place: int = RAM) -> None:
    for length in lengths:
        driver.whit_driver_put(ffi.new("uint8_t[]", max(length, 1)), length, place)


def test_a_frame_in_pieces(driver: Any) -> None:
    assert driver.whit_driver_begin(60)
    put(driver, 14, 40, 6)
    driver.whit_driver_end()
    assert take(driver) == 60
    assert take(driver) == NONE


def short(driver: Any) -> None:
    driver.whit_driver_begin(60)
    put(driver, 59)
    driver.whit_driver_end()


def long(driver: Any) -> None:
    driver.whit_driver_begin(60)
    put(driver, 40, 21)


def not_begun(driver: Any) -> None:
    put(driver, 1)


def not_ended(driver: Any) -> None:
    driver.whit_driver_begin(60)
    put(driver, 60)


def twice_begun(driver: Any) -> None:
    driver.whit_driver_begin(60)
    driver.whit_driver_begin(60)


def ended_alone(driver: Any) -> None:
    driver.whit_driver_end()


def asked_between(driver: Any) -> None:
    driver.whit_driver_begin(60)
    driver.whit_driver_ready()
    put(driver, 60)
    driver.whit_driver_end()


def empty(driver: Any) -> None:
    driver.whit_driver_begin(60)
    put(driver, 60, 0)
    driver.whit_driver_end()


def too_many(driver: Any) -> None:
    driver.whit_driver_begin(PUTS_MAX + 1)
    put(driver, *[1] * (PUTS_MAX + 1))
    driver.whit_driver_end()


def too_much_ram(driver: Any) -> None:
    driver.whit_driver_begin(RAM_MAX + 1)
    put(driver, 100, RAM_MAX - 99)
    driver.whit_driver_end()


def changed(driver: Any) -> None:
    octets = ffi.new("uint8_t[]", 60)
    driver.whit_driver_begin(60)
    driver.whit_driver_put(octets, 60, BUFFER)
    octets[59] = 1
    driver.whit_driver_end()


BREACHES = (
    short, long, not_begun, not_ended, twice_begun, ended_alone, asked_between, empty, too_many, too_much_ram, changed,
)  # fmt: skip


@pytest.mark.parametrize("breach", BREACHES)
def test_a_breach_is_told(driver: Any, breach: Callable[[Any], None]) -> None:
    breach(driver)
    assert take(driver) == BROKEN
    assert take(driver) == BROKEN
