# SPDX-License-Identifier: MIT
"""A service: functions that are called with arguments and give a result. What is known of it when it is compiled, from
which its C, its tables and its descriptions are made."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from ..model import INTEGER_SIZES, STR, Area, Argument, Persistence

DATE_TIME = "date-time"  # seconds since 1970 in a uint32_t; RFC 3339 outside
BASE64 = "base64"  # octets; RFC 4648 outside
RECORD = "record"
VALUES_MAX = 32  # of one record
DEPTH_MAX = 3  # of records in records, the result itself being the first
COUNT_MAX = 255  # elements of an array
RECORD_MAX = 255  # octets of a record that is an array's element
RESULT_MAX = 1024  # octets of struct result_t, which is on the stack
SCALE_MAX = 9
PIECES_MAX = 12_000_000  # octets of a base64 that goes by pieces
SERVICE_ARGUMENTS_MAX = 15  # one flag of a request marks a wrong argument


class Way(StrEnum):
    """A way to call a function; the C name is WHIT_BY_ and the upper-case name."""

    SOAP = "soap"
    JSON = "json"
    FORM = "form"
    GET = "get"  # by nothing else; functions that are not persistent have it beside JSON


class Security(StrEnum):
    """The proof that a caller gives by WS-Security (docs/services.md)."""

    NONE = "none"
    DIGEST = "digest"  # that he knows a password
    SIGNED = "signed"  # that the message is his


@dataclass(frozen=True)
class Field:
    """A value of a result, or an argument. `size` is in octets; that of a str includes its NUL."""

    name: str
    type: str
    size: int
    line: int
    scale: int = 0  # digits after the point of an integer: 215 is 21.5
    words: tuple[str, ...] = ()  # of an enum
    fields: tuple["Field", ...] = ()  # of a record
    count: int = 0  # elements of an array, at most; 0: not an array
    counted: bool = True  # an array has a counter; else all its elements are used
    optional: bool = False  # of an argument
    default: int | None = None
    octets: bool = False  # a str that need not be UTF-8
    pieces: bool = False  # a base64 that goes by pieces; its size may be 0: any number of octets
    give: str = ""  # ... of a result: the function that gives them

    @property
    def is_number(self) -> bool:
        return self.type in INTEGER_SIZES and self.type != "bool"

    @property
    def bounds(self) -> tuple[int, int]:
        """Least and largest value of a number, without its scale."""
        bits = 8 * INTEGER_SIZES[self.type]
        return (0, (1 << bits) - 1) if self.type.startswith("u") else (-(1 << bits - 1), (1 << bits - 1) - 1)

    @property
    def alignment(self) -> int:
        """Alignment of its C type if integers are aligned to their size: the most that any target needs."""
        if self.type == RECORD:
            return max(field.alignment for field in self.fields)
        if self.pieces:
            return 4
        return 1 if self.type in (STR, BASE64) else self.size

    @property
    def len(self) -> int:
        """Octets in its struct, at most; an array includes its counter."""
        if self.pieces:
            return 4
        one = laid_out(self.fields) if self.type == RECORD else self.size + (self.type == BASE64)
        return one * max(1, self.count)


def laid_out(fields: tuple[Field, ...]) -> int:
    """Octets of a struct of them, at most."""
    end, widest = 0, 1
    for field in fields:
        end += field.count > 0 and field.counted
        end += -end % field.alignment + field.len
        widest = max(widest, field.alignment)
    return end + -end % widest


@dataclass(frozen=True)
class Operation:
    """A function, with the properties of <service>, <result> and <args>."""

    service: str
    namespace: str
    name: str
    ways: tuple[Way, ...]
    line: int
    result: tuple[Field, ...] = ()
    record: Area | None = None  # its fields are the result
    takes_args: bool = True  # parameters of the function
    gives_result: bool = True
    security: Security = Security.NONE
    summary: str = ""  # the first comment after the element

    @property
    def gives(self) -> tuple[str, ...]:
        """Functions that give values by pieces."""
        return tuple(field.give for field in self.result if field.pieces)


@dataclass(frozen=True)
class Called:
    """An operation where it is served."""

    operation: Operation
    path: str  # "/temperature"
    persistence: Persistence
    arguments: tuple[Field, ...]
    has_get: bool  # it changes nothing


@dataclass(frozen=True)
class Service:
    """Operations of one name, in the order of their paths."""

    name: str
    namespace: str
    operations: tuple[Called, ...]


def every(fields: tuple[Field, ...]) -> Iterator[Field]:
    """All of them, those in records as well."""
    for field in fields:
        yield field
        yield from every(field.fields)


def _has_default(argument: Argument) -> bool:
    several = argument.count or argument.fields
    return argument.optional and not several and not argument.text and argument.type != STR


def field_of(argument: Argument) -> Field:
    """An argument as descriptions show it."""
    kind = argument.text if argument.text in (DATE_TIME, BASE64) else argument.type
    default = argument.default if _has_default(argument) else None
    size = base64_octets(argument.size) if kind == BASE64 else argument.size
    return Field(
        name=argument.name,
        type=kind,
        size=argument.most if argument.take else size,
        line=argument.line,
        scale=argument.scale,
        words=argument.words,
        optional=argument.optional,
        default=default,
        octets=argument.type == STR and not argument.text,
        pieces=bool(argument.take),
        fields=tuple(map(field_of, argument.fields)),
        count=argument.count,
    )


def base64_len(octets: int) -> int:
    """Returns the memory for `octets` of content, a multiple of three: the length, the content, and one octet more
    while the last four characters wait."""
    return octets + 2


def base64_octets(size: int) -> int:
    return size - 2
