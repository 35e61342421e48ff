# SPDX-License-Identifier: MIT
"""A page's conversion of a column to text and conditions (database/page_row.c), without a database."""

import ctypes
import math
import os
import random
import struct
import subprocess
from decimal import Decimal

import pytest

from whit.paths import ROOT

GREATEST, LEAST = (1 << 63) - 1, -1 << 63


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    made = tmp_path_factory.mktemp("page") / "page_row.so"
    sources = [ROOT / "database" / name for name in ("page_row.c", "number.c", "real_digits.c")]
    sources.append(ROOT / "tests" / "database" / "page_row.c")
    for header in ("whit_statements.h", "whit_persistent.h"):  # of an application that has none
        (made.parent / header).touch()
    headers = [f"-I{path}" for path in (made.parent, ROOT / "include", ROOT / "ports" / "flat")]
    subprocess.run(["gcc", "-std=c11", "-O1", "-shared", "-fPIC", *headers, *sources, "-o", made], check=True)
    library = ctypes.CDLL(str(made))
    library.page_real.argtypes = (ctypes.c_double, ctypes.c_uint, ctypes.c_bool, ctypes.c_uint)
    library.page_int_text.argtypes = (ctypes.c_ulonglong, ctypes.c_bool, ctypes.c_uint, ctypes.c_bool)
    library.page_decimal.argtypes = (ctypes.c_char_p, ctypes.c_uint, ctypes.c_bool)
    library.whit_column_order.argtypes = (ctypes.c_void_p, ctypes.c_uint8, ctypes.c_longlong, ctypes.c_int)
    for name in ("real", "int_text", "decimal"):
        getattr(library, f"page_{name}").restype = ctypes.c_char_p
    library.page_int.argtypes, library.page_int.restype = (ctypes.c_double,), ctypes.c_longlong
    library.page_int_of_text.restype = library.whit_column_int.restype = ctypes.c_longlong
    library.page_is.argtypes = (ctypes.c_int, ctypes.c_ulonglong, ctypes.c_double, ctypes.c_char_p, ctypes.c_uint)
    library.page_written.restype = ctypes.c_char_p
    for name in ("true", "none", "empty", "is", "order"):
        getattr(library, f"whit_column_{name}").restype = ctypes.c_bool
    return library


ANY = 31  # digits behind the point: as many as the number has
REALS: dict[tuple[float, int, bool, int], str] = {
    # number, digits behind the point, a FLOAT, the width that zeros fill: as MariaDB 10.11 shows it
    (0.0, ANY, False, 0): "0",
    (-0.0, ANY, False, 0): "0",
    (1.5, ANY, False, 0): "1.5",
    (-0.25, ANY, False, 0): "-0.25",
    (0.1 + 0.2, ANY, False, 0): "0.30000000000000004",
    (1.5e-10, ANY, False, 0): "0.00000000015",
    (2.5e-6, ANY, False, 0): "0.0000025",
    (123456789.123456789, ANY, False, 0): "123456789.12345679",
    (1.79e308, ANY, False, 0): "1.79e308",
    (-1.7976931348623157e308, ANY, False, 0): "-1.7976931348623157e308",
    (2.2250738585072014e-308, ANY, False, 0): "2.2250738585072014e-308",
    (5e-324, ANY, False, 0): "5e-324",
    (100000000000000.0, ANY, False, 0): "100000000000000",
    (999999999999999.0, ANY, False, 0): "999999999999999",
    (1e15, ANY, False, 0): "1e15",
    (1234567890123456.0, ANY, False, 0): "1.234567890123456e15",
    (-3.1e15, ANY, False, 0): "-3.1e15",
    (1e-14, ANY, False, 0): "0.00000000000001",
    (1.5e-15, ANY, False, 0): "0.0000000000000015",
    (1.5e-16, ANY, False, 0): "1.5e-16",
    (1e23, ANY, False, 0): "1e23",
    (float.fromhex("0x1p-1022"), ANY, False, 0): "2.2250738585072014e-308",
    (123456792.0, ANY, True, 0): "123457000",
    (0.10000000149011612, ANY, True, 0): "0.1",
    (3.3999999521443642e38, ANY, True, 0): "3.4e38",
    (1.5, 2, False, 0): "1.50",
    (2.0, 0, False, 0): "2",
    (1e20, 0, False, 0): "100000000000000000000",
    (0.30000000000000004, 20, False, 0): "0.30000000000000004000",
    (-0.004, 2, False, 0): "0.00",
    (-0.006, 2, False, 0): "-0.01",
    (0.5, 0, False, 0): "0",
    (1.5, 0, False, 0): "2",
    (2.5, 0, False, 0): "2",
    (0.125, 2, False, 0): "0.12",
    (99.99, 1, False, 0): "100.0",
    (1e224, 30, False, 0): f"1{'0' * 224}.{'0' * 30}",
    (1.5, ANY, False, 22): "00000000000000000001.5",
    (1e-10, ANY, False, 22): "00000000000.0000000001"[-22:],
    (1e20, ANY, True, 12): "000000001e20",
    (0.0, ANY, True, 12): "000000000000",
    (1.5, 2, False, 8): "00001.50",
    (100000.0, 2, False, 8): "100000.00",
    (float("nan"), ANY, False, 0): "",
    (float("inf"), ANY, False, 0): "",
}


@pytest.mark.parametrize(("real", "decimals", "is_single", "width"), REALS)
def test_a_number_with_a_fraction(page: ctypes.CDLL, real: float, decimals: int, is_single: bool, width: int) -> None:
    assert (
        page.page_real(real, decimals, is_single, width).decode() == REALS[real, decimals, is_single, width]
        or real != real
    )


def test_a_number_with_a_fraction_reads_back(page: ctypes.CDLL) -> None:
    """A number is printed in as few digits as Python needs, and reads back as the same number."""
    draw = random.Random(os.environ.get("WHIT_SEED", "1"))
    drawn = [struct.unpack("<d", struct.pack("<Q", draw.getrandbits(64)))[0] for _ in range(20_000)]
    drawn += [2.0**exponent for exponent in range(-1074, 1024)] + [10.0**exponent for exponent in range(-323, 309)]
    for real in drawn:
        if math.isfinite(real):
            said = page.page_real(real, ANY, False, 0).decode()
            assert float(said) == real
            assert Decimal(said).normalize() == Decimal(repr(real)).normalize()


FILLED = {
    (7, False, 5): ("00007", "7"),
    (123456, False, 5): ("123456", "123456"),
    (0, False, 4): ("0000", "0"),
    (2**64 - 1, False, 20): (str(2**64 - 1), str(2**64 - 1)),
    (2**64 - 7, True, 4): ("00-7", "number -7"),  # which no server has: a column with ZEROFILL is unsigned
}


@pytest.mark.parametrize(("number", "minus", "width"), FILLED)
def test_zeros_in_front(page: ctypes.CDLL, number: int, minus: bool, width: int) -> None:
    """A script would read 007 as another number, or not at all."""
    said = tuple(page.page_int_text(number, minus, width, json).decode() for json in (False, True))
    assert said == FILLED[number, minus, width]


@pytest.mark.parametrize(
    ("text", "json"),
    [
        ("1.50", "1.50"),
        ("-0.5", "-0.5"),
        ("0001.500", "1.500"),
        ("0000.000", "0.000"),
        ("0", "0"),
        ("1" * 65, "1" * 65),
        ("", "escaped"),
        ("1.", "escaped1."),
        (".5", "escaped.5"),
        ("1.5.0", "escaped1.5.0"),
        ("-", "escaped-"),
        ("1;alert(1)", "escaped1;alert(1)"),
        ("1" * 82, f"escaped{'1' * 82}"),
    ],
)
def test_a_decimal_in_a_script_is_a_number(page: ctypes.CDLL, text: str, json: str) -> None:
    """A decimal becomes a number in a script; any other text of a server becomes a string."""
    octets = text.encode()
    assert page.page_decimal(octets + b"9", len(octets), False).decode() == f"escaped{text}"
    assert page.page_decimal(octets + b"9", len(octets), True).decode() == json


LESS, SAME, GREATER, OTHER = 1, 2, 4, 8
NUMBERS = ("-10.5", "-10", "-1", "-0.5", "0", "0.00001", "0.5", "1", "1.50", "1.500", "2", "9.99", "10", "1" * 60)


@pytest.mark.parametrize("text", NUMBERS)
@pytest.mark.parametrize("other", [LEAST, -10, -1, 0, 1, 2, 10, GREATEST])
def test_a_decimal_is_compared_exactly(page: ctypes.CDLL, text: str, other: int) -> None:
    octets = text.encode()
    page.page_decimal(octets, len(octets), False)
    found = [one for one in (LESS, SAME, GREATER, OTHER) if page.whit_column_order(None, 0, other, one)]
    number = Decimal(text)
    assert found == [LESS if number < other else SAME if number == other else GREATER]
    assert page.whit_column_true(None, 0) is (number != 0)


@pytest.mark.parametrize("real", [-(2.0**63), -1.5, -5e-324, 0.0, 5e-324, 0.5, 1.0, 1.0000000000000002, 9e18, 1e308])
@pytest.mark.parametrize("other", [LEAST, -1, 0, 1, GREATEST])
def test_a_number_with_a_fraction_is_compared_exactly(page: ctypes.CDLL, real: float, other: int) -> None:
    page.page_real(real, ANY, False, 0)
    found = [one for one in (LESS, SAME, GREATER, OTHER) if page.whit_column_order(None, 0, other, one)]
    assert found == [LESS if real < other else SAME if real == other else GREATER]
    assert page.whit_column_true(None, 0) is (real != 0)


@pytest.mark.parametrize("number", [0, 1, GREATEST, GREATEST + 1, 2**64 - 1])
def test_an_unsigned_number_is_compared_exactly(page: ctypes.CDLL, number: int) -> None:
    page.page_is(UINT, number, 0, b"", 0)
    for other in (LEAST, -1, 0, 1, GREATEST):
        found = [one for one in (LESS, SAME, GREATER, OTHER) if page.whit_column_order(None, 0, other, one)]
        assert found == [LESS if number < other else SAME if number == other else GREATER]


def test_what_is_no_number_is_not_compared(page: ctypes.CDLL) -> None:
    """A NULL is neither less nor more than anything, and not 0."""
    page.page_is(NULL, 0, 0, b"", 0)
    assert [page.whit_column_order(None, 0, 0, one) for one in (LESS, SAME, GREATER, OTHER)] == [
        False,
        False,
        False,
        True,
    ]
    page.page_is(TEXT, 0, 0, b"1", 1)
    assert [page.whit_column_order(None, 0, 1, one) for one in (LESS, SAME, GREATER, OTHER)] == [
        False,
        False,
        False,
        True,
    ]


def test_as_a_whole_number(page: ctypes.CDLL) -> None:
    assert [page.page_int(real) for real in (-2.9, 0.5, 7.0, 1e12)] == [-2, 0, 7, 10**12]
    assert [page.page_int(real) for real in (9.2e18, -9.2e18)] == [92 * 10**17, -92 * 10**17]
    assert [page.page_int(real) for real in (9.3e18, -9.3e18, float("nan"))] == [0, 0, 0]


NULL, INT, UINT, REAL, TEXT = range(5)
Said = tuple[int, bool, bool, bool, str, str]
COLUMNS: dict[tuple[int, int | float | bytes], Said] = {
    # as a number, true, none, empty, in a page, in a script
    (NULL, 0): (0, False, True, True, "", "null"),
    (INT, 0): (0, False, False, False, "number 0", "number 0"),
    (INT, 1): (1, True, False, False, "number 1", "number 1"),
    (INT, 2): (2, True, False, False, "number 2", "number 2"),
    (INT, LEAST): (LEAST, True, False, False, f"number {LEAST}", f"number {LEAST}"),
    (UINT, 0): (0, False, False, False, "0", "0"),
    (UINT, 1): (1, True, False, False, "1", "1"),
    (UINT, GREATEST): (GREATEST, True, False, False, str(GREATEST), str(GREATEST)),
    (UINT, GREATEST + 1): (GREATEST, True, False, False, str(GREATEST + 1), str(GREATEST + 1)),
    (UINT, 2**64 - 1): (GREATEST, True, False, False, str(2**64 - 1), str(2**64 - 1)),
    (REAL, 0.0): (0, False, False, False, "0", "0"),
    (REAL, 0.5): (0, True, False, False, "0.5", "0.5"),
    (REAL, -1.5): (-1, True, False, False, "-1.5", "-1.5"),
    (REAL, 1.0): (1, True, False, False, "1", "1"),
    (TEXT, b""): (0, False, False, True, "escaped", "escaped"),
    (TEXT, b"0"): (0, True, False, False, "escaped0", "escaped0"),
    (TEXT, b"12a"): (12, True, False, False, "escaped12a", "escaped12a"),
}


@pytest.mark.parametrize(("kind", "value"), COLUMNS)
def test_a_column(page: ctypes.CDLL, kind: int, value: int | float | bytes) -> None:
    """A column is read as a number, as a truth value, and as text."""
    octets = value + b"0" if isinstance(value, bytes) else b""  # the octet behind it is not part of it
    if isinstance(value, bytes):
        page.page_is(kind, 0, 0, octets, len(value))
    else:
        page.page_is(kind, int(value) % 2**64, value, octets, 0)
    said = [page.whit_column_int(None, 0)]
    said += [getattr(page, f"whit_column_{name}")(None, 0) for name in ("true", "none", "empty")]
    said += [page.page_written(json).decode() for json in (False, True)]
    assert tuple(said) == COLUMNS[kind, value]


def test_a_column_that_is_not_there(page: ctypes.CDLL) -> None:
    page.page_is(INT, 7, 0, b"", 0)
    assert page.whit_column_int(None, 0) == 7 and not page.whit_column_none(None, 0)
    assert page.whit_column_int(None, 1) == 0 and page.whit_column_none(None, 1)


@pytest.mark.parametrize(
    ("text", "other", "same"),
    [
        (b"", b"", True),
        (b"on", b"on", True),
        (b"on", b"one", False),
        (b"one", b"on", False),
        (b"", b"o", False),
        (b"o", b"", False),
        (b"on", b"in", False),
        (b"on", b"of", False),
        (b"a\0", b"a", False),
        (b"\0", b"", False),
    ],
)
def test_a_text_is_compared(page: ctypes.CDLL, text: bytes, other: bytes, same: bool) -> None:
    octets = text + b"on"
    page.page_is(TEXT, 0, 0, octets, len(text))
    assert page.whit_column_is(None, 0, other) is same
    page.page_is(INT, 0, 0, octets, len(text))
    assert not page.whit_column_is(None, 0, other) and page.whit_column_chars(None, 0) == 0


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("", 0),
        ("-", 0),
        ("0", 0),
        ("-17.9", -17),
        ("/1:", 0),
        ("1/", 1),
        ("1:", 1),
        ("922337203685477580", 922337203685477580),
        ("9223372036854775800", 9223372036854775800),
        ("9300000000000000000", GREATEST),
        ("9223372036854775807", GREATEST),
        ("9223372036854775808", GREATEST),
        ("18446744073709551617", GREATEST),
        ("100000000000000000000000000000", GREATEST),
        ("-9223372036854775807", LEAST + 1),
        ("-9223372036854775808", LEAST),
        ("-9223372036854775809", LEAST),
    ],
)
def test_a_text_as_a_whole_number(page: ctypes.CDLL, text: str, number: int) -> None:
    """A DECIMAL arrives as text. A number out of range becomes the greatest or the least; decimals are ignored."""
    octets = text.encode()
    assert page.page_int_of_text(octets + b"9", len(octets)) == number


@pytest.mark.parametrize(("text", "chars"), [("", 0), ("a", 1), ("äöü€𝄞", 5), ("a\0b", 3)])
def test_characters_of_a_text(page: ctypes.CDLL, text: str, chars: int) -> None:
    """Octets behind the text are not counted."""
    octets = text.encode()
    assert page.page_chars(octets + b"z", len(octets)) == chars
