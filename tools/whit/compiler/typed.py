# SPDX-License-Identifier: MIT
"""Typed values of requests: the types and bounds of arguments."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

# Octets of each argument type but str, which has its own size. The value of an enum is the index of its word.
INTEGER_SIZES = {"uint8": 1, "uint16": 2, "uint32": 4, "int8": 1, "int16": 2, "int32": 4, "bool": 1}
ENUM = "enum"
BOOL_WORDS = {"false": 0, "true": 1, "0": 0, "1": 1, "on": 1}
"""Spellings in JSON, XML Schema and a form: "on" is the value of a checkbox without one (HTML, "default/on")."""
STR = "str"
RECORD = "record"
PLACE_LEN = 4  # octets: struct whit_record_place of engine/core/tables.h


@dataclass(frozen=True)
class Argument:
    """A query argument. `size` is in octets; that of a str includes its NUL."""

    name: str
    type: str
    size: int
    optional: bool
    line: int
    default: int = 0  # its value when it is absent
    words: tuple[str, ...] = ()  # of an enum
    path: bool = False  # it may also be the segment after the generator's path
    scale: int = 0  # of a service: digits after the point
    text: str = ""  # kind of a str: "utf8"; of a service "date-time" or "base64"; "": any octets
    count: int = 0  # of a service: elements of an array, at most; 0: not an array
    fields: tuple["Argument", ...] = ()  # ... of a record
    take: str = ""  # ... of a base64: the function that is given its octets by pieces
    most: int = 0  # ... the most octets; 0: any number
    place: int = 0  # ... the index among these functions

    @property
    def expected(self) -> str:
        """The accepted values, for a person."""
        if self.count:
            return f"at most {self.count}, each {replace(self, count=0).expected}"
        if self.type == RECORD:
            return f"a record of {', '.join(field.name for field in self.fields)}"
        if self.take:
            return f"at most {self.most} bytes in base64" if self.most else "bytes in base64"
        if self.text:
            return _TEXTS[self.text].format(self.size - 1, self.size - 2)
        if self.type == STR:
            return f"at most {self.size - 1} bytes"
        if self.type == ENUM:
            return f"{', '.join(self.words[:-1])} or {self.words[-1]}" if len(self.words) > 1 else self.words[0]
        if self.type == "bool":
            return "true or false"
        bits = 8 * self.size
        if self.type.startswith("int"):
            low, high = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
            return f"a number from {scaled(low, self.scale)} to {scaled(high, self.scale)}"
        return f"a number from 0 to {scaled((1 << bits) - 1, self.scale)}"

    @property
    def declaration(self) -> str:
        """The field of struct args_t."""
        if self.text == "date-time":
            return f"struct {{ char whit_{self.name}[{self.size - 4}]; uint32_t {self.name}; }}"
        if self.take:
            members = f"uint32_t {self.name}_len; uint16_t {self.name}_ticket;"
            return f"struct {{ {members} uint8_t whit_{self.name}[{self.size - 6}]; }}"
        if self.text == "base64":
            octets = f"struct {{ uint8_t {self.name}_len; uint8_t {self.name}[{self.size - 2}]; }}"
            return f"union {{ {octets}; char whit_{self.name}[{self.size}]; }}"
        if self.type == STR:
            return f"char {self.name}[{self.size}]"
        plain = {"bool": "bool", ENUM: "uint8_t"}
        return f"{plain.get(self.type, f'{self.type}_t')} {self.name}"

    @property
    def member(self) -> str:
        """The member of struct args_t that receives its octets."""
        if self.take:
            return f"{self.name}_len"
        return f"whit_{self.name}" if self.text in ("date-time", "base64") else self.name

    @property
    def kind(self) -> int | str:
        """The enum whit_text of a str; the digits after the point for a service's number."""
        if self.take:
            return f"WHIT_TEXT_PIECES | {self.place} << 8"
        if self.type != STR:
            return self.scale
        names = {"utf8": "UTF8", "date-time": "TIME", "base64": "BASE64"}
        return f"WHIT_TEXT_{names[self.text]}" if self.text else 0

    @property
    def alignment(self) -> int:
        if self.type == RECORD:
            return max(field.alignment for field in self.fields)
        return 4 if self.text == "date-time" or self.take else 1 if self.type == STR else self.size


def laid_out(arguments: Iterable[Argument], start: int) -> int:
    """Returns the most octets of a struct of these members after `start` others."""
    end, widest = start, 1
    for argument in arguments:
        end += argument.count > 0
        end += -end % argument.alignment + argument.size * max(1, argument.count)
        widest = max(widest, argument.alignment)
    return end + -end % widest


def levels(arguments: tuple[Argument, ...]) -> int:
    """Returns the depth of nested records, these arguments included; 0: neither records nor arrays."""
    if not any(one.count or one.fields for one in arguments):
        return 0
    return 1 + max((max(1, levels(one.fields)) for one in arguments if one.fields), default=0)


def every(arguments: Iterable[Argument], path: str = "") -> Iterator[tuple[str, Argument]]:
    """All of them, those in records as well, by their paths: points.x."""
    for argument in arguments:
        yield f"{path}{argument.name}", argument
        yield from every(argument.fields, f"{path}{argument.name}.")


_TEXTS = {
    "utf8": "at most {0} bytes of UTF-8",
    "date-time": "a time as 2026-11-23T15:48:10Z",
    "base64": "at most {1} bytes in base64",
}


def scaled(number: int, scale: int) -> str:
    """Returns a decimal number with `scale` digits after the point."""
    digits = str(abs(number)).rjust(scale + 1, "0")
    whole = digits if scale == 0 else f"{digits[:-scale]}.{digits[-scale:]}"
    return f"-{whole}" if number < 0 else whole
