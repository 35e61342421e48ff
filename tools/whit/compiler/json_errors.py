# SPDX-License-Identifier: MIT
"""JSON responses that name the wrong argument (json_errors in app.toml, engine/response/response_head.c)."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

from .model import JSON, Generator
from .sums import prefix_sums

ARGUMENTS_MAX = 64  # of all of them: WHIT_WRONG_INDEX of engine/core/tables.h
HEAD = "Cache-Control: no-store\r\nContent-Type: application/json\r\n"
BEGINS = ('{"error":"', '{"error":"given twice: ', '{"error":"missing: ')
"""Beginnings in the order of enum whit_wrong, in the words of engine/response/log.c."""


def speaks(generator: Generator) -> bool:
    """True if some requests for it are refused in JSON. Services have error messages of their own."""
    own = not generator.service and not generator.endpoint
    return own and bool(generator.arguments) and (generator.json or _says(generator))


def _says(generator: Generator) -> bool:
    return generator.content_type.partition(";")[0].strip().lower() == JSON


@dataclass(frozen=True)
class Text:
    """A part of such responses; parts that are the same share it."""

    octets: bytes
    sums: tuple[int, ...]  # of its chunks
    start: int  # index of the first among all


@dataclass(frozen=True)
class Texts:
    """Parts, and where those of each generator's arguments begin."""

    stored: tuple[Text, ...]
    parts: tuple[int, ...]  # which of `stored` each is
    places: tuple[int, ...]  # of generators in their order: 1 + the number of the first argument; 0: it has none

    @property
    def sums(self) -> list[int]:
        return [one for text in self.stored for one in text.sums]


def texts(generators: Iterable[Generator], chunk: int) -> Texts:
    """Returns the texts; empty if no generator answers in JSON."""
    ends: list[bytes] = []
    places: list[int] = []
    for generator in generators:
        places.append(len(ends) + 1 if speaks(generator) else 0)
        if speaks(generator):
            ends += [_end(f"{argument.name}: expected {argument.expected}") for argument in generator.arguments]
    parts = [text.encode() for text in (HEAD, *BEGINS)] + ends if ends else []
    octets = list(dict.fromkeys(parts))
    sums = [tuple(prefix_sums(part, chunk)) for part in octets]
    starts = accumulate(map(len, sums), initial=0)
    stored = tuple(Text(*text) for text in zip(octets, sums, starts, strict=False))
    return Texts(stored, tuple(map(octets.index, parts)), tuple(places))


def member(generator: Generator, place: int) -> str:
    """A C expression of the generator's json_errors."""
    return f"{place}" if _says(generator) or not place else f"{place} | WHIT_JSON_ALONE"


def too_many(generators: Iterable[Generator]) -> str | None:
    """Returns a message if the generators have too many arguments."""
    cnt = sum(len(generator.arguments) for generator in generators if speaks(generator))
    message = f"json_errors with {cnt} arguments of resources that are or take JSON: expected at most {ARGUMENTS_MAX}"
    return f"{message}; leave json_errors out" if cnt > ARGUMENTS_MAX else None


def _end(text: str) -> bytes:
    return json.dumps(text)[1:-1].encode() + b'"}\n'
