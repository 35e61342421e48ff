# SPDX-License-Identifier: MIT
"""Keys as a character automaton, in the octets that engine/core/tables.h defines.

A list holds alternatives. An alternative begins with its character (bit 7: last of its list). In all but the last, one
octet or two follow, which lead to the next alternative. Then comes a list, or after character 0 a value.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

OFFSET_MAX = 0x7FFF


@dataclass
class _State:
    next: dict[str, "_State"] = field(default_factory=dict)
    value: str | None = None  # of the key that ends here, as a C expression

    def alternatives(self) -> list[tuple[str, "_State | str"]]:
        end: list[tuple[str, _State | str]] = [] if self.value is None else [("\0", self.value)]
        return end + sorted(self.next.items())

    def octet_cnt(self) -> int:
        follow = [2 if isinstance(then, str) else then.octet_cnt() for _, then in self.alternatives()]
        return sum(follow) + len(follow) + sum(len(skip_of(cnt)) for cnt in follow[:-1])


@dataclass(frozen=True)
class Automaton:
    """`rows` are lines of C, initialisers of octets by the macros LAST and OCTETS; `octet_cnt` is their number."""

    rows: tuple[str, ...]
    octet_cnt: int


def skip_of(octet_cnt: int) -> tuple[int, ...]:
    """Returns the octets that skip `octet_cnt` octets: one, or two with bit 7 set in the first, high first."""
    return (octet_cnt,) if octet_cnt < 0x80 else (0x80 | octet_cnt >> 8, octet_cnt & 0xFF)


def build(values: Mapping[str, str]) -> Automaton:
    """The automaton that knows these keys (characters 0x01..0x7f), each with a C expression of its 16-bit value."""
    start = _State()
    for key, value in values.items():
        state = start
        for character in key:
            state = state.next.setdefault(character, _State())
        state.value = value
    return Automaton(tuple(_rows(start, "", "")), start.octet_cnt())


def _rows(state: _State, key: str, row: str) -> Iterator[str]:
    """Yields the rows of a list after the octets in `row`; a row ends at the end of a key or before a choice."""
    alternatives = state.alternatives()
    if len(alternatives) > 1 and row:
        yield row.rstrip()
        row = ""
    indent = "  " * _choices(key) if not row else ""
    for index, (character, then) in enumerate(alternatives):
        octets = f"{row or indent}{literal(character)}"
        if index == len(alternatives) - 1:
            octets += " | LAST, "
        else:
            skip = skip_of(2 if isinstance(then, str) else then.octet_cnt())
            octets += f", {', '.join(map(str, skip))}, "
        if isinstance(then, str):
            yield f'{octets}OCTETS({then}),  // "{key}"'
        else:
            yield from _rows(then, key + character, octets)


def _choices(key: str) -> int:
    """Depth of the indentation: rows of long keys stay readable."""
    return min(len(key), 12)


def literal(character: str) -> str:
    if character == "\0":
        return "0"
    return f"'\\{character}'" if character in "'\\" else f"'{character}'"
