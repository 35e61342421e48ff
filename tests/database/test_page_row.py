# SPDX-License-Identifier: MIT
"""What a page makes of a column (database/page_row.c), without a database."""

import ctypes
import subprocess

import pytest
from whit.paths import ROOT


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
    library.page_int_of_text.restype = ctypes.c_longlong
    return library


REALS = {
    0.0: "0",
    1.5: "1.5",
    -0.25: "-0.25",
    12.000001: "12.000001",
    0.9999996: "1",
    1234567.125: "1234567.125",
    -3.1e15: "-3.1e15",
    2.5e300: "2.5e300",
    float("nan"): "",
    float("inf"): "",
}


@pytest.mark.parametrize("real", REALS)
def test_a_number_with_a_fraction(page: ctypes.CDLL, real: float) -> None:
    assert page.page_real(real).decode() == REALS[real]


def test_as_a_whole_number(page: ctypes.CDLL) -> None:
    assert [page.page_int(real) for real in (-2.9, 0.5, 7.0, 1e12)] == [-2, 0, 7, 10**12]


GREATEST, LEAST = (1 << 63) - 1, -1 << 63


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
