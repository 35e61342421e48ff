# SPDX-License-Identifier: MIT
"""What a page makes of a column (database/page_row.c), without a database."""

import ctypes
import subprocess

import pytest
from whit.paths import ROOT

GREATEST, LEAST = (1 << 63) - 1, -1 << 63


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    made = tmp_path_factory.mktemp("page") / "page_row.so"
    sources = (ROOT / "database" / "page_row.c", ROOT / "tests" / "database" / "page_row.c")
    for header in ("whit_statements.h", "whit_persistent.h"):  # of an application that has none
        (made.parent / header).touch()
    headers = [f"-I{path}" for path in (made.parent, ROOT / "include", ROOT / "ports" / "flat")]
    subprocess.run(["gcc", "-std=c11", "-O1", "-shared", "-fPIC", *headers, *sources, "-o", made], check=True)
    library = ctypes.CDLL(str(made))
    library.page_real.argtypes, library.page_real.restype = (ctypes.c_double,), ctypes.c_char_p
    library.page_int.argtypes, library.page_int.restype = (ctypes.c_double,), ctypes.c_longlong
    library.page_int_of_text.restype = library.whit_column_int.restype = ctypes.c_longlong
    library.page_is.argtypes = (ctypes.c_int, ctypes.c_ulonglong, ctypes.c_double, ctypes.c_char_p, ctypes.c_uint)
    library.page_written.restype = ctypes.c_char_p
    for name in ("true", "none", "empty", "is"):
        getattr(library, f"whit_column_{name}").restype = ctypes.c_bool
    return library


REALS = {
    0.0: "0",
    1.5: "1.5",
    -0.25: "-0.25",
    12.000001: "12.000001",
    0.9999996: "1",
    1234567.125: "1234567.125",
    -3.1e15: "-3.1e15",
    999999999999999.0: "999999999999999",
    1e15: "1e15",
    1.25e16: "1.25e16",
    1.7e308: "1.7e308",
    -1.7e308: "-1.7e308",
    1.75e308: "",
    -1.75e308: "",
    0.0000004: "0",
    0.0000006: "0.000001",
    0.1: "0.1",
    0.100001: "0.100001",
    2.5e300: "2.5e300",
    float("nan"): "",
    float("inf"): "",
}


@pytest.mark.parametrize("real", REALS)
def test_a_number_with_a_fraction(page: ctypes.CDLL, real: float) -> None:
    assert page.page_real(real).decode() == REALS[real]


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
    (TEXT, b""): (0, False, False, True, "", ""),
    (TEXT, b"0"): (0, True, False, False, "0", "0"),
    (TEXT, b"12a"): (12, True, False, False, "12a", "12a"),
}


@pytest.mark.parametrize(("kind", "value"), COLUMNS)
def test_a_column(page: ctypes.CDLL, kind: int, value: int | float | bytes) -> None:
    """As a number, as truth, and as it is written."""
    octets = value + b"0" if isinstance(value, bytes) else b""  # what stands behind it is no part of it
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
    """A DECIMAL comes as text. What does not fit is the greatest number, or the least; a digit behind is not read."""
    octets = text.encode()
    assert page.page_int_of_text(octets + b"9", len(octets)) == number


@pytest.mark.parametrize(("text", "chars"), [("", 0), ("a", 1), ("äöü€𝄞", 5), ("a\0b", 3)])
def test_characters_of_a_text(page: ctypes.CDLL, text: str, chars: int) -> None:
    """What stands behind it is not counted."""
    octets = text.encode()
    assert page.page_chars(octets + b"z", len(octets)) == chars
