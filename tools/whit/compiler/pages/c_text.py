# SPDX-License-Identifier: MIT
"""Constant text: as C writes it, and escaped as engine/response/page.c escapes values."""

import json
import re
from urllib.parse import quote

from .markup import SCHEMES, Escape

PIECE_MAX = 4000  # octets of one array: a C compiler need not take more than 4095 characters in a literal


def pieces(text: str) -> list[bytes]:
    """Returns the text's octets, in parts of a length that C compilers accept."""
    octets = text.encode()
    return [octets[at : at + PIECE_MAX] for at in range(0, len(octets), PIECE_MAX)]


def literal(octets: bytes, indent: str) -> str:
    """A string literal; each line of the text on a line of its own."""
    rows = [f'{indent}"{"".join(map(_character, row))}"' for row in octets.splitlines(keepends=True)]
    return "\n".join(rows) or f'{indent}""'


def _character(octet: int) -> str:
    one = chr(octet)
    if one in '"\\?':
        return f"\\{one}"
    if one == "\n":
        return "\\n"
    return one if " " <= one <= "~" else f"\\{octet:03o}"


def escaped(text: str, how: Escape) -> str:
    """A constant in an expression."""
    if how == Escape.HTML:
        return _html(text)
    if how == Escape.JSON:
        plain = json.dumps(text, ensure_ascii=False)
        return re.sub(r"[<>&\u2028\u2029]", lambda match: f"\\u{ord(match[0]):04x}", plain)
    if how == Escape.URL_PART:
        return quote(text, safe="-._~")
    scheme = re.match(r"[^/?#]*?:", text)
    if scheme and scheme[0][:-1].lower() not in SCHEMES:
        return "#"
    return _html(quote(text, safe="-._~:/?#[]@!$&()*+,;=%"))


def _html(text: str) -> str:
    marks = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;", "\r": "&#13;", "\0": "\ufffd"}
    return "".join(marks.get(one, one) for one in text)
