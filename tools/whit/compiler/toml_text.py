# SPDX-License-Identifier: MIT
"""Finds the line of a key in an app.toml, and explains mistakes in its TOML."""

import json
import re
import tomllib
from collections.abc import Iterable

from .errors import CompileError


def not_toml(file: object, text: str, error: tomllib.TOMLDecodeError) -> CompileError:
    said = str(error)
    place = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", said)
    line = int(place[1]) if place and place[1] else max(1, len(text.rstrip("\n").split("\n")))
    reason = said[: place.start()] if place else said
    lines = text.split("\n")[:line]
    if array := _open_array(lines):
        line, key = array
        return CompileError(file, line, f"not TOML: {reason}; expected a ] at the end of {key}")
    return CompileError(file, line, f"not TOML: {reason}{_way_out(reason, lines[-1])}")


def _open_array(lines: list[str]) -> tuple[int, str] | None:
    """Returns line and key of an array that these lines open and do not close."""
    for number, line in reversed(list(enumerate(lines, 1))):
        if match := re.match(r"\s*([\w.-]+)\s*=\s*\[[^\]]*$", line):
            return number, match[1]
        if number < len(lines) and re.search(r"\]|=", line):
            break
    return None


def _way_out(reason: str, line: str) -> str:
    """Returns a hint at the intended meaning of this line, which is not TOML; empty: none."""
    if match := re.match(r"\s*[\w.-]+\s*=\s*[\d_.]+\s*([kKmM])(?:i?[bB])?\b", line):
        return f"; a number has no unit, 64{match[1]} is {65536 if match[1] in 'kK' else 67108864}"
    if match := re.match(r"\s*([\w.-]+)\s*:", line):
        return f"; expected {match[1]} = value"
    if match := re.match(r"\s*([\w.-]+)\s*=\s*([A-Za-z_][\w.-]*)\s*(?:#.*)?$", line):
        return f'; a text is in quotes: {match[1]} = "{match[2]}"'
    if match := re.match(r"\s*([\w.-]+)\s*=\s*(?:#.*)?$", line):
        return f"; expected a value after {match[1]} ="
    if (match := re.match(r"\s*([\w.-]+)\s*=", line)) and "overwrite" in reason:
        return f"; is {match[1]} set twice?"
    return ""


def key_parts(key: str) -> list[str]:
    """Returns the parts of a dotted key, without quotes; none if TOML does not allow the key."""
    try:
        document: object = tomllib.loads(f"{key} = 0") if "\n" not in key else {}
    except (ValueError, RecursionError):
        return []
    parts: list[str] = []
    while isinstance(document, dict) and len(document) == 1:
        part, document = next(iter(document.items()))
        parts.append(part)
    return parts


def dotted(parts: Iterable[str]) -> str:
    """Joins the parts of a key, as key_parts() splits it. Quotes a part if TOML requires quotes."""
    return ".".join(part if re.fullmatch(r"[\w-]+", part, re.ASCII) else json.dumps(part) for part in parts)


def key_and_value(setting: str) -> tuple[str, str]:
    """Splits KEY=VALUE at the first = whose left side is a key of TOML, because a quoted part may contain a =. The key
    is empty if `setting` has no =."""
    for end, character in enumerate(setting):
        if character == "=" and (parts := key_parts(setting[:end])):
            return dotted(parts), setting[end + 1 :]
    key, equals, value = setting.partition("=")
    return (key.strip(), value) if equals else ("", "")


def line_of(text: str, key: str) -> int:
    """Returns the line that sets a dotted key, else that of its table. `text` must be valid TOML."""
    want = key.split(".")
    table: list[str] = []
    near = 1
    for number, line in enumerate(text.split("\n"), 1):
        if header := re.match(r"\s*\[+\s*([^\]]+?)\s*\]", line):
            table = _parts(header[1])
            here = table
        elif assignment := re.match(r"\s*([^=#]+?)\s*=", line):
            here = table + _parts(assignment[1])
        else:
            continue
        if here == want:
            return number
        if here == want[: len(here)] or want == here[: len(want)]:
            near = number
    return near


def _parts(dotted: str) -> list[str]:
    """Splits a key into its parts, without quotes. Splits quoted parts at their dots, too."""
    return [part.strip().strip("\"'") for part in dotted.split(".")]
