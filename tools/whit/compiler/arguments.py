# SPDX-License-Identifier: MIT
"""Reads an <arg>: its type, and the other attributes that the type requires."""

import re
from collections.abc import Callable, Mapping

from .model import ARGS_MAX, ENUM, INTEGER_SIZES, STR, Argument, scaled
from .services.model import BASE64, DATE_TIME, PIECES_MAX, SCALE_MAX, base64_len

TYPES = (*INTEGER_SIZES, ENUM, STR)
SERVICE_TYPES = (*TYPES, DATE_TIME, BASE64)
TIME_LEN = 36 + 4  # octets of a time as a text, TIME_ROOM of engine/core/text.h, and of its seconds
WORDS_MAX = 64
TAKEN_LEN = 32  # struct whit_taking of engine/core/tables.h
# Tells a mistake: message, and the attribute that it is about.
Complain = Callable[[str, str | None], Exception]


def read(said: Mapping[str, str], line: int, error: Complain, *, service: bool = False) -> Argument:
    """Returns the argument of an <arg>, whose name is a C identifier and whose type is known."""
    if "scale" in said and not service:
        raise error('scale without <handlers call="function"/>: expected it in a service only', "scale")
    name, kind = said["name"], said["type"]
    optional = said.get("optional", "true" if "default" in said else "false")
    if optional not in ("true", "false"):
        raise error(f"optional is {optional!r}: expected true or false", "optional")
    if "default" in said and optional == "false":
        raise error(f"argument {name!r} has a default and is not optional: leave one of these out", "default")
    words, scale = _words(said, error), scale_of(said, error)
    default = _default(said, words, scale, error) if "default" in said else 0
    source = said.get("source", "query")
    if source not in ("query", "path"):
        raise error(f"source is {source!r}: expected query or path", "source")
    text = _text(said, error)
    kept = STR if text else kind
    if "take" in said:
        return _taken(said, line, optional == "true", service, error)
    size = _size(said, error)
    return Argument(name, kept, size, optional == "true", line, default, words, source == "path", scale, text)


def _taken(said: Mapping[str, str], line: int, optional: bool, service: bool, error: Complain) -> Argument:
    """Returns a base64 argument whose octets a function takes."""
    name = said["name"]
    if said["type"] != BASE64 or not service:
        raise error(f"argument {name!r} has take: expected it with base64 of a service only", "take")
    if "source" in said:
        raise error(f"source of argument {name!r}, which is taken by pieces: expected none", "source")
    return Argument(name, STR, TAKEN_LEN, optional, line, text=BASE64, take=said["take"], most=most_of(said, error))


def most_of(said: Mapping[str, str], error: Complain) -> int:
    """Returns the most octets of an argument in pieces; 0: no bound is set."""
    size = said.get("size")
    if size is not None and (not re.fullmatch(r"[0-9]{1,8}", size) or not 1 <= int(size) <= PIECES_MAX):
        message = f"argument {said['name']!r} has size {size!r}: expected 1 to {PIECES_MAX} bytes at most, or none"
        raise error(message, "size")
    return int(size or 0)


def scale_of(said: Mapping[str, str], error: Complain) -> int:
    """Returns the digits after the point of a number."""
    name, kind, scale = said["name"], said["type"], said.get("scale", "0")
    if "scale" in said and (kind not in INTEGER_SIZES or kind == "bool"):
        raise error(f"{name!r} is {kind}: expected scale with int8 to uint32 only", "scale")
    if not re.fullmatch(r"[0-9]", scale) or int(scale) > SCALE_MAX:
        raise error(f"scale of {name!r} is {scale!r}: expected the digits behind the point, 1 to {SCALE_MAX}", "scale")
    return int(scale)


def _text(said: Mapping[str, str], error: Complain) -> str:
    """Returns the kind of text that an argument must be."""
    name, kind, octets = said["name"], said["type"], said.get("octets", "false")
    if octets not in ("true", "false"):
        raise error(f"octets is {octets!r}: expected true, any bytes, or false, UTF-8", "octets")
    if octets == "true" and kind != STR:
        raise error(f"argument {name!r} is {kind}: expected octets with str only", "octets")
    return {STR: "utf8" if octets == "false" else "", DATE_TIME: DATE_TIME, BASE64: BASE64}.get(kind, "")


def _size(said: Mapping[str, str], error: Complain) -> int:
    name, kind, size = said["name"], said["type"], said.get("size")
    if kind == BASE64:
        most = (ARGS_MAX - 3) // 3 * 3
        if size is None or not re.fullmatch(r"[0-9]{1,3}", size) or int(size) not in range(3, most + 1, 3):
            was = "has no size" if size is None else f"has size {size!r}"
            raise error(f"argument {name!r} {was}: expected a multiple of 3 bytes, 3 to {most}", "size")
        return base64_len(int(size))
    if kind == DATE_TIME and size is None:
        return TIME_LEN
    if kind != STR:
        if size is not None:
            raise error(f"argument {name!r} is {kind}: expected size with str only", "size")
        return 1 if kind == ENUM else INTEGER_SIZES[kind]
    if size is None or not re.fullmatch(r"[0-9]{1,3}", size) or not 2 <= int(size) <= ARGS_MAX:
        was = "has no size" if size is None else f"has size {size!r}"
        raise error(f"argument {name!r} {was}: expected 2 to 255 bytes, the closing NUL included", "size")
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
            raise error(f"value {word!r} of argument {name!r} is given twice: expected it once", "values")
    return tuple(words)


def _default(said: Mapping[str, str], words: tuple[str, ...], scale: int, error: Complain) -> int:
    """Returns the value that a handler gets if the argument is absent."""
    name, kind, default = said["name"], said["type"], said["default"]
    if kind in (DATE_TIME, BASE64):
        raise error(f"argument {name!r} is {kind}: expected no default; it is 0 bytes or 1970 when absent", "default")
    if kind == STR:
        raise error(f"argument {name!r} is str: expected no default; it is the empty string when absent", "default")
    if kind == ENUM:
        if default not in words:
            raise error(f"default of {name!r} is {default!r}: expected one of {', '.join(words)}", "default")
        return words.index(default)
    low, high = bounds(kind)
    if scale:
        return _decimal(name, default, low, high, scale, error)
    if not re.fullmatch(r"-?[0-9]{1,10}", default) or not low <= int(default) <= high:
        raise error(f"default of {name!r} is {default!r}: expected {low} to {high}", "default")
    return int(default)


def _decimal(name: str, default: str, low: int, high: int, scale: int, error: Complain) -> int:
    found = re.fullmatch(rf"(-?)([0-9]{{1,10}})(?:\.([0-9]{{1,{scale}}}))?", default)
    number = int(found[2] + (found[3] or "").ljust(scale, "0")) * (-1 if found[1] else 1) if found else high + 1
    if not low <= number <= high:
        message = f"expected {scaled(low, scale)} to {scaled(high, scale)}"
        raise error(f"default of {name!r} is {default!r}: {message}", "default")
    return number


def bounds(kind: str) -> tuple[int, int]:
    if kind == "bool":
        return 0, 1
    bits = 8 * INTEGER_SIZES[kind]
    return (0, (1 << bits) - 1) if kind.startswith("u") else (-1 << bits - 1, (1 << bits - 1) - 1)
