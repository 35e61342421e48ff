# SPDX-License-Identifier: MIT
"""Reads a JSON document; its objects know their lines and paths."""

import json
import re
from bisect import bisect
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from .wanted import Outside
from .xml_file import read_octets

DIGITS_MAX = 40  # of a whole number
# An escape in a string. The group matches a lone surrogate of UTF-16.
_ESCAPE = re.compile(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u([dD][89a-fA-F]..)|\\.", re.DOTALL)


class Object(dict[str, Any]):
    """An object, and the line on which it begins."""

    line = 0


class _Decoder(json.JSONDecoder):
    """Python's decoder, which also records the line on which each object begins."""

    def __init__(self, text: str) -> None:
        super().__init__(object_pairs_hook=_object, parse_int=self._parse_int)
        self.text = text
        self.breaks = [place for place, octet in enumerate(text) if octet == "\n"]
        self.parse_object = self._parse_object
        self.scan_once = json.scanner.py_make_scanner(self)  # type: ignore[attr-defined]

    def _parse_object(self, start: tuple[str, int], *rest: object) -> tuple[object, int]:
        value, end = json.decoder.JSONObject(start, *rest)  # type: ignore[attr-defined]
        value.line = bisect(self.breaks, start[1]) + 1
        return value, end

    def _parse_int(self, digits: str) -> int:
        if len(digits) > DIGITS_MAX:
            line = bisect(self.breaks, self.text.find(digits)) + 1
            raise Outside(line, f"a number of {len(digits)} digits: expected at most {DIGITS_MAX}")
        return int(digits)


def _object(pairs: list[tuple[str, Any]]) -> Object:
    made = Object(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the name {next(name for name in names if names.count(name) > 1)!r} twice in one object")
    return made


def read_json(file: Path) -> "Node":
    octets = read_octets(file)
    try:
        text = octets.decode("utf-8-sig")  # editors on Windows write a byte order mark
        read = Node(_Decoder(text).decode(text), "", 1)
    except json.JSONDecodeError as error:
        way_out = "; a description in YAML is made JSON first" if error.pos < 2 else ""
        raise Outside(error.lineno, f"not JSON: {error.msg}{way_out}") from None
    except (ValueError, RecursionError) as error:
        said = "nested too deeply" if isinstance(error, RecursionError) else error
        raise Outside(1, f"not JSON that can be read: {said}") from None
    for escape in _ESCAPE.finditer(text):
        if escape[1]:
            message = f"\\u{escape[1]} is half of a pair of UTF-16: expected a letter, or both halves"
            raise Outside(text.count("\n", 0, escape.start()) + 1, message)
    return read


class Node:
    """A value in the document. `path` is its place: paths./echo.post"""

    def __init__(self, value: object, path: str, line: int) -> None:
        self.value: Any = value
        self.path = path
        self.line = value.line if isinstance(value, Object) else line

    def error(self, message: str) -> Outside:
        error = Outside(self.line, f"{self.path}: {message}" if self.path else message)
        error.placed = True
        return error

    def __contains__(self, name: str) -> bool:
        return name in self.value

    def get(self, name: str) -> "Node | None":
        """A member of this object."""
        if not isinstance(self.value, Object):
            raise self.error("expected an object")
        if name not in self.value:
            return None
        return Node(self.value[name], f"{self.path}.{name}" if self.path else name, self.line)

    def at(self, name: str) -> "Node":
        if (found := self.get(name)) is None:
            raise self.error(f"expected {name!r} in it")
        return found

    def items(self) -> Iterator[tuple[str, "Node"]]:
        if not isinstance(self.value, Object):
            raise self.error("expected an object")
        return ((name, self.at(name)) for name in self.value)

    def elements(self) -> list["Node"]:
        if not isinstance(self.value, list):
            raise self.error("expected an array")
        return [Node(one, f"{self.path}.{index}", self.line) for index, one in enumerate(self.value)]

    def text(self, name: str, default: str = "") -> str:
        value = self.value.get(name, default) if isinstance(self.value, Mapping) else None
        if not isinstance(value, str):
            raise self.error(f"expected a text as {name!r}")
        return value
