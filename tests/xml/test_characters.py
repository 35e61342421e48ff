# SPDX-License-Identifier: MIT
"""The bounds of character ranges: in texts, as references and in names (XML 1.0, sections 2.2, 2.3, 4.1)."""

import pytest

from tests.xml.support import ENCODING, MALFORMED, NAME, TEXT, WELL, scan

CHARACTERS = ((0x9, 0xA), (0xD, 0xD), (0x20, 0xD7FF), (0xE000, 0xFFFD), (0x10000, 0x10FFFF))
NAME_STARTS = (
    *((0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A), (0xC0, 0xD6), (0xD8, 0xF6), (0xF8, 0x2FF), (0x370, 0x37D)),
    *((0x37F, 0x1FFF), (0x200C, 0x200D), (0x2070, 0x218F), (0x2C00, 0x2FEF), (0x3001, 0xD7FF), (0xF900, 0xFDCF)),
    *((0xFDF0, 0xFFFD), (0x10000, 0xEFFFF)),
)
NAME_REST = ((0x2D, 0x2E), (0x30, 0x39), (0xB7, 0xB7), (0x300, 0x36F), (0x203F, 0x2040))
LENGTHS = ((0x7F, 0x80), (0x7FF, 0x800), (0xFFFF, 0x10000))  # of UTF-8
STEPS = (1, 2, 1000)


def borders(*all_ranges: tuple[tuple[int, int], ...]) -> list[int]:
    """First and last of each range, and those beside them."""
    beside = {code for ranges in all_ranges for pair in ranges for end in pair for code in (end - 1, end, end + 1)}
    return sorted(code for code in beside if 0 <= code <= 0x110000)


def within(code: int, *all_ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= code <= last for ranges in all_ranges for first, last in ranges)


def utf8(code: int) -> bytes:
    """Returns a code's octets, also for surrogates and beyond Unicode."""
    return chr(code).encode("utf-8", "surrogatepass") if code < 0x110000 else b"\xf4\x90\x80\x80"


@pytest.mark.parametrize("code", borders(CHARACTERS, LENGTHS), ids=hex)
def test_in_a_text(code: int) -> None:
    """A character is accepted or refused alike, as itself and as a reference in both forms."""
    good = within(code, CHARACTERS)
    for spelled in (utf8(code), f"&#{code};".encode(), f"&#x{code:X};".encode(), f"&#x{code:08x};".encode()):
        for step in STEPS:
            found = scan(b"<a>" + spelled + b"</a>", step, step)
            assert found.why == (WELL if good else ENCODING)
            if good and spelled != b"\r":  # which is a line feed
                assert (TEXT, utf8(code)) in found.events, spelled


@pytest.mark.parametrize("code", [code for code in borders(NAME_STARTS, NAME_REST, LENGTHS) if code > 0x20], ids=hex)
def test_in_a_name(code: int) -> None:
    """A character is tested at a name's start, behind a prefix, and elsewhere."""
    if chr(code if code < 0x110000 else 0) in "/:=>":
        return  # which end it
    octets, is_character = utf8(code), within(code, CHARACTERS)
    starts, goes_on = within(code, NAME_STARTS), within(code, NAME_STARTS, NAME_REST)
    for name, good in ((octets + b"a", starts), (b"p:" + octets, starts), (b"a" + octets, goes_on)):
        for step in STEPS:
            found = scan(b"<p:b xmlns:p='urn:a'><" + name + b"></" + name + b"></p:b>", step, step)
            assert found.why == (WELL if good else MALFORMED if is_character else ENCODING), name
            if good:
                assert (NAME, name) in found.events, name


WRONG = [
    *(b"\xc1\xbf", b"\xc2", b"\xc2\x7f", b"\xc2\xc0", b"\xe0\x9f\xbf", b"\xf0\x8f\xbf\xbf", b"\xf5\x80\x80\x80"),
    *(b"\x80", b"\xbf", b"\xff", b"\xe2\x82<", b"\xe2\x82\xac\xac"),
]


@pytest.mark.parametrize("octets", WRONG, ids=lambda octets: octets.hex())
def test_no_utf8(octets: bytes) -> None:
    """Invalid UTF-8 is refused in a text, a value, a name, a CDATA section and a comment."""
    for before, behind in ((b"", b"</a>"), (b"<b c='", b"'/></a>"), (b"<c", b"/></a>"), (b"<![CDATA[", b"]]></a>")):
        for step in STEPS:
            assert scan(b"<a>" + before + octets + behind, step, step).why == ENCODING
    assert scan(b"<!--" + octets + b"--><a/>").why == ENCODING
