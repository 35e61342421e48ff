# SPDX-License-Identifier: MIT
"""One <arg>: its type, and what its other attributes must be for it."""

import re
from collections.abc import Callable, Mapping

from .model import ARGS_MAX, ENUM, INTEGER_SIZES, STR, Argument

TYPES = (*INTEGER_SIZES, ENUM, STR)
WORDS_MAX = 64
# Tells a mistake: message, and the attribute that it is about.
Complain = Callable[[str, str | None], Exception]


def read(said: Mapping[str, str], line: int, error: Complain) -> Argument:
    """From the attributes of an <arg>, whose name is a C identifier and whose type is known."""
    name, kind = said["name"], said["type"]
    optional = said.get("optional", "true" if "default" in said else "false")
    if optional not in ("true", "false"):
        raise error(f"optional is {optional!r}: expected true or false", "optional")
    if "default" in said and optional == "false":
        raise error(f"argument {name!r} has a default and is not optional: leave one of these out", "default")
    words = _words(said, error)
    default = _default(said, words, error) if "default" in said else 0
    source = said.get("source", "query")
    if source not in ("query", "path"):
        raise error(f"source is {source!r}: expected query or path", "source")
    return Argument(name, kind, _size(said, error), optional == "true", line, default, words, source == "path")


def _size(said: Mapping[str, str], error: Complain) -> int:
    name, kind, size = said["name"], said["type"], said.get("size")
    if kind != STR:
        if size is not None:
            raise error(f"argument {name!r} is {kind}: expected size with str only", "size")
        return 1 if kind == ENUM else INTEGER_SIZES[kind]
    if size is None or not re.fullmatch(r"[0-9]{1,3}", size) or not 2 <= int(size) <= ARGS_MAX:
        was = "has no size" if size is None else f"has size {size!r}"
        raise error(f"argument {name!r} {was}: expected 2 to 255 octets, the closing NUL included", "size")
    return int(size)


def _words(said: Mapping[str, str], error: Complain) -> tuple[str, ...]:
    """The values of an enum: words that need no percent-encoding (RFC 3986, section 2.3)."""
    name, kind, values = said["name"], said["type"], said.get("values")
    if kind != ENUM:
        if values is not None:
            raise error(f"argument {name!r} is {kind}: expected values with enum only", "values")
        return ()
    words = (values or "").split()
    if not 1 <= len(words) <= WORDS_MAX:
        was = "has no values" if not words else f"has {len(words)} values"
        raise error(f'argument {name!r} {was}: expected 1 to {WORDS_MAX} words, values="on off"', "values")
    for index, word in enumerate(words):
        if not re.fullmatch(r"[A-Za-z0-9._~-]{1,63}", word):
            raise error(f"value {word!r} of argument {name!r}: expected letters, digits and - . _ ~ only", "values")
        if word in words[:index]:
            raise error(f"value {word!r} of argument {name!r} stands there twice: expected it once", "values")
    return tuple(words)


def _default(said: Mapping[str, str], words: tuple[str, ...], error: Complain) -> int:
    """What a handler finds when the argument is absent."""
    name, kind, default = said["name"], said["type"], said["default"]
    if kind == STR:
        raise error(f"argument {name!r} is str: expected no default; it is the empty string when absent", "default")
    if kind == ENUM:
        if default not in words:
            raise error(f"default of {name!r} is {default!r}: expected one of {', '.join(words)}", "default")
        return words.index(default)
    low, high = bounds(kind)
    if not re.fullmatch(r"-?[0-9]{1,10}", default) or not low <= int(default) <= high:
        raise error(f"default of {name!r} is {default!r}: expected {low} to {high}", "default")
    return int(default)


def bounds(kind: str) -> tuple[int, int]:
    if kind == "bool":
        return 0, 1
    bits = 8 * INTEGER_SIZES[kind]
    return (0, (1 << bits) - 1) if kind.startswith("u") else (-1 << bits - 1, (1 << bits - 1) - 1)
