# SPDX-License-Identifier: MIT
"""The grammar (grammar.py) as the octets of engine/core/grammar.h, which engine/http/head_octets.c interprets."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from .automaton import Automaton, literal, skip_of
from .grammar import CLASSES, Machine, Node, Uses, machine, members

SETS = 96  # octets: of engine/core/grammar.h, GRAMMAR_SETS
_NEAR = 512  # goals are a single octet, and even
_ALONE = ("UNREAD", "DIGIT", "HEX", "ACCEPT", "TARGET", "LINE", "END")


@dataclass(frozen=True)
class Grammar:
    """The rows of the machine and where some of its states are, in octets of whit_words."""

    automaton: Automaton
    offsets: tuple[tuple[str, int], ...]


def placed(uses: Uses) -> tuple[Machine, int]:
    """The machine, its nodes in their places, and where its octets end."""
    of = machine(uses)
    at = SETS
    for name, node in of.nodes.items():
        assert at - SETS < _NEAR, name
        at = _place(node, at)
        at += at % 2
    return of, at


@cache
def build(uses: Uses) -> Grammar:
    of, end = placed(uses)
    goals = {name: node.at for name, node in of.nodes.items()}
    rows = list(_set_rows())
    for name, node in of.nodes.items():
        rows.append(f"// {name}")
        rows += _rows(node, [], goals)
        rows += ["0,"] * (_octet_cnt(node) % 2)
    wanted = {"START": "START", "QUERY": "QUERY", "VERSION": "VERSION", "LINES": "EOL", "FOLDED": of.folded}
    offsets = tuple((name, goals[state]) for name, state in wanted.items())
    return Grammar(Automaton(tuple(rows), end), offsets)


def op_len(op: tuple[str, ...]) -> int:
    """Octets."""
    assert (len(op) == 1) == (op[0] in _ALONE), op
    return len(op)


def list_at(node: Node) -> int:
    """Returns the offset of the node's alternatives."""
    return node.at + sum(map(op_len, node.ops))


def _octet_cnt(node: Node) -> int:
    after = [_octet_cnt(one) for one in node.next.values()]
    return sum(map(op_len, node.ops)) + sum(after) + len(after) + sum(len(skip_of(one)) for one in after[:-1])


def _place(node: Node, at: int) -> int:
    """Places a node at `at`; returns its end."""
    node.at = at
    at = list_at(node)
    for index, one in enumerate(node.next.values()):
        last = index == len(node.next) - 1
        at = _place(one, at + 1 + (0 if last else len(skip_of(_octet_cnt(one)))))
    return at


def _op(op: tuple[str, ...], goals: Mapping[str, int]) -> str:
    name, *operand = op
    if not operand:
        return f"OP_{name}"
    if name in ("GOTO", "ELSE"):
        return f"OP_{name}, {(goals[operand[0]] - SETS) // 2} /* {operand[0]} */"
    if name == "LOOP":
        return f"OP_LOOP, {_label(operand[0]) if operand[0] else 0}"
    return f"OP_{name}, {operand[0]}"


def _label(character: str) -> str:
    if character in CLASSES:
        return f"CLASS_{CLASSES[character]}"
    return {"\r": "'\\r'", "\n": "'\\n'"}.get(character) or literal(character)


def _rows(node: Node, ahead: Sequence[str], goals: Mapping[str, int]) -> Iterator[str]:
    """Yields rows after the octets in `ahead`; a row ends at the end of a word or before a choice."""
    octets = [*ahead, *(_op(op, goals) for op in node.ops)]
    if len(node.next) != 1 and octets:
        yield f"{', '.join(octets)},"
        octets = []
    for index, (character, after) in enumerate(node.next.items()):
        last = index == len(node.next) - 1
        own = [f"{_label(character)} | LAST"] if last else [_label(character), *map(str, skip_of(_octet_cnt(after)))]
        yield from _rows(after, [*octets, *own], goals)


def _set_rows() -> Iterator[str]:
    names = [f"CLASS_{name}" for name in CLASSES.values()]
    yield f"// classes of each octet from ' ' on: {', '.join(names)} from the lowest bit on"
    for start in range(0x20, 0x80, 16):
        yield f"{', '.join(f'0x{_set_of(chr(octet)):02x}' for octet in range(start, start + 16))},"


def _set_of(character: str) -> int:
    return sum(1 << number for number, is_member in enumerate(members(character).values()) if is_member)
