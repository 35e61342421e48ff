# SPDX-License-Identifier: MIT
"""The services of a description, in the vocabulary of an annotation."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from whit.compiler.model import ENUM, INTEGER_SIZES, STR
from whit.compiler.services.model import BASE64, COUNT_MAX, DEPTH_MAX, RECORD_MAX, SCALE_MAX, VALUES_MAX
from whit.errors import one_line

TEXT_MAX = 254  # octets of a str without its NUL
TAKEN_WHOLE_MAX = 252  # octets of a base64 argument that is there as a whole
FILE_MAX = 1 << 22  # octets of a description
INTEGERS = tuple(kind for kind in INTEGER_SIZES if kind != "bool")


@dataclass(frozen=True)
class Value:
    """An argument or a value of a result. `size` is the annotation's, 0 if it has none."""

    name: str
    type: str
    line: int
    size: int = 0
    scale: int = 0
    words: tuple[str, ...] = ()
    count: int = 0  # of an array
    optional: bool = False
    default: str = ""
    fields: tuple["Value", ...] = ()  # of a record
    notes: tuple[str, ...] = ()  # the description's remarks beyond the type
    pieces: bool = False  # a base64 that is too long for memory, and is sent or received in pieces


@dataclass(frozen=True)
class Function:
    service: str
    namespace: str
    name: str
    path: str  # without the slash in front: the file, without .c
    ways: str  # of <service as="">
    line: int
    arguments: tuple[Value, ...]
    result: tuple[Value, ...]
    summary: str = ""
    persistence: str = "persistent"


@dataclass(frozen=True)
class Described:
    """`title` names the application; "": its directory does."""

    functions: tuple[Function, ...]
    title: str = ""


@dataclass(frozen=True)
class Sizes:
    """Sizes of texts and arrays for which the description sets no bound; 0: such a text or array is an error."""

    text: int = 0
    count: int = 0


class Outside(Exception):
    """Something that is not in the type table, or no description at all."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = one_line(message)
        self.placed = False  # the message names the place in the line


def every(values: tuple[Value, ...]) -> Iterator[Value]:
    for value in values:
        yield value
        yield from every(value.fields)


def number(name: str, line: int, low: Decimal | None, high: Decimal | None, scale: int, way_out: str) -> Value:
    """Returns the smallest type for these inclusive bounds, if they have at most `scale` decimals."""
    if low is None or high is None:
        raise Outside(line, f"{name!r} is a number without bounds: {way_out}")
    if scale > SCALE_MAX:
        raise Outside(line, f"{name!r} has {scale} digits behind the point: expected {SCALE_MAX} at most")
    least, most = (int((bound * 10**scale).to_integral_value()) for bound in (low, high))
    for kind in sorted(INTEGERS, key=lambda one: (INTEGER_SIZES[one], not one.startswith("u"))):
        bottom, top = bounds(kind)
        if bottom <= least and most <= top:
            told = () if (bottom, top) == (least, most) else (f"{name}: {low} to {high}",)
            return Value(name, kind, line, scale=scale, notes=told)
    digits = f" with {scale} digits behind the point" if scale else ""
    raise Outside(line, f"{name!r} is {low} to {high}{digits}: expected narrower bounds, within 32 bits")


def bounds(kind: str) -> tuple[int, int]:
    bits = 8 * INTEGER_SIZES[kind]
    return (0, (1 << bits) - 1) if kind.startswith("u") else (-(1 << bits - 1), (1 << bits - 1) - 1)


def enum(name: str, line: int, words: tuple[str, ...]) -> Value:
    for word in words:
        if not re.fullmatch(r"[A-Za-z0-9._~-]{1,63}", word):
            raise Outside(line, f"{word!r} of {name!r}: expected letters, digits and - . _ ~ in a word")
    return Value(name, ENUM, line, words=words)


def text(name: str, line: int, longest: int | None, sizes: Sizes, way_out: str) -> Value:
    if longest is None:
        if not sizes.text:
            raise Outside(line, f"{name!r} is a text of any length: {way_out}, or --text 64 for all such texts")
        longest = sizes.text
    if not 1 <= longest <= TEXT_MAX:
        raise Outside(line, f"{name!r} is a text of up to {longest}: expected 1 to {TEXT_MAX}")
    return Value(name, STR, line, size=longest + 1)


def base64(name: str, line: int, longest: int | None, *, is_argument: bool) -> Value:
    """`longest` in octets, or None; an argument that memory has room for has a multiple of three."""
    if longest is None or longest > (TAKEN_WHOLE_MAX if is_argument else RECORD_MAX):
        return Value(name, BASE64, line, size=longest or 0, pieces=True)
    size = longest + -longest % 3 if is_argument else longest
    return Value(name, BASE64, line, size=size, notes=() if size == longest else (f"{name}: {longest} bytes at most",))


def count_of(name: str, line: int, most: int | None, sizes: Sizes, *, way_out: str) -> int:
    """Elements of an array; `most` is None where there may be any number."""
    if most is None and not sizes.count:
        raise Outside(line, f"{name!r} is an array of any length: {way_out}, or --count 8 for all such arrays")
    most = most or sizes.count
    if not 1 <= most <= COUNT_MAX:
        raise Outside(line, f"{name!r} is an array of {most}: expected 1 to {COUNT_MAX}")
    return most


def check_record(name: str, line: int, members: int, depth: int, *, is_argument: bool) -> None:
    """Bounds a record before its members are read: a small file must not expand to a large one."""
    if depth > DEPTH_MAX:
        outermost = "all arguments" if is_argument else "the result"
        raise Outside(line, f"record {name!r} is number {depth} in one another: expected {DEPTH_MAX} with {outermost}")
    if members > VALUES_MAX:
        raise Outside(line, f"{name!r} has {members} values: expected {VALUES_MAX} at most")
