# SPDX-License-Identifier: MIT
"""Puts many faults into one file of C, each with a switch. The file is compiled once for all of them.

`a < b` becomes `(whit_switched(7) ? (a <= b) : (a < b))`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .c_faults import code_of
from .fault import Fault

HEAD = '#include "{}core/switch.h"'  # replaces the first line: lines keep their numbers

_TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|<<=|>>=|->|\+\+|--|<<|>>|[<>=!+*/%&|^-]=|&&|\|\||\S")
_ENDS = {";", "{", "}", ",", "?", ":"}
_BEFORE = _ENDS | {"return", "case", "else", "do", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}


@dataclass(frozen=True)
class _Switch:
    """[start, end) is the text with two forms."""

    start: int
    end: int
    number: int
    fault: Fault


def with_switches(text: str, numbered: Iterable[tuple[int, Fault]]) -> str:
    """Returns the file with all of its faults. A fault is active when its number is."""
    code = code_of(text)
    switches = [_Switch(*_extent(code, fault), number, fault) for number, fault in numbered]
    switches.sort(key=lambda one: (one.start, -one.end, one.fault.kind != "statement"))
    body = _rendered(text, 0, len(text), switches)
    folders = {one.fault.file.rpartition("/")[0] for one in switches}
    to_engine = (
        "" if folders == {"engine"} else "../" if all(name.startswith("engine/") for name in folders) else "../engine/"
    )
    return HEAD.format(to_engine) + body[body.index("\n") :]


def _rendered(text: str, start: int, end: int, switches: Sequence[_Switch]) -> str:
    """Returns text [start, end) with its switches. Inner switches are in the unchanged form of the outer ones."""
    parts: list[str] = []
    at = start
    rest = list(switches)
    while rest:
        outer, *rest = rest
        inner = [one for one in rest if one.end <= outer.end]
        rest = rest[len(inner) :]
        parts += [text[at : outer.start], _two_forms(text, outer, inner)]
        at = outer.end
    return "".join([*parts, text[at:end]])


def _two_forms(text: str, one: _Switch, inner: Sequence[_Switch]) -> str:
    usual = _rendered(text, one.start, one.end, inner)
    if one.fault.kind == "statement":
        return f"{{ if (!whit_switched({one.number})) {usual} }}"
    fault = one.fault
    faulty = text[one.start : fault.start] + fault.after + text[fault.end : one.end]
    return f"(whit_switched({one.number}) ? ({faulty}) : ({usual}))"


def _extent(code: str, fault: Fault) -> tuple[int, int]:
    """Returns the range of the faulty statement with its semicolon, or of the whole expression around the fault."""
    if fault.kind == "statement":
        return fault.start, fault.end + 1
    if fault.kind in ("condition", "truth"):
        return fault.start, fault.end
    function = code.rfind("\n{", 0, fault.start)
    tokens = [match.span() for match in _TOKEN.finditer(code, function, code.index("\n}", fault.start) + 2)]
    at = next(index for index, (_, end) in enumerate(tokens) if end > fault.start)
    words = [code[start:end] for start, end in tokens]
    first = _reach(words, at, -1, _BEFORE, "([{", ")]}")
    last = _reach(words, at, 1, _ENDS, ")]}", "([{")
    return tokens[first][0], tokens[last][1]


def _reach(words: Sequence[str], at: int, step: int, stops: set[str], out: str, into: str) -> int:
    """Returns the index of the expression's last word on one side."""
    depth = 0
    while True:
        word = words[at + step]
        if depth == 0 and (word in stops or word in out):
            return at
        depth += (word in into) - (word in out)
        at += step
