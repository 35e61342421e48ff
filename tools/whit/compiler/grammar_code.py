# SPDX-License-Identifier: MIT
"""The grammar (grammar.py) as C, for engine/http/head_code.c: a label for each state and each list of alternatives.

What a slot keeps between two segments is the list's place in whit_words, as with the octets.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from .automaton import literal
from .grammar import CLASSES, Node, Uses
from .grammar_octets import list_at, op_len, placed

_HEADER = (
    "// Written by the application compiler; do not edit.",
    "// What the head of a request may be, as a part of a function in engine/http/head_code.c.",
)
_ENTRIES = ("START", "QUERY", "VERSION", "EOL")  # states that others than the grammar lead to
_WIDTHS = (8, 4, 2)  # octets that are compared at once
_LEAVE = "goto leave;"
_LEAVE_REFUSED = f"if (t->request.step != STEP_READ)\n    {_LEAVE}"
_OF_OCTET = ("DIGIT", "HEX", "TARGET")  # operations that look at the octet


@dataclass(frozen=True)
class _State:
    name: str
    root: Node
    folded: bool

    @property
    def otherwise(self) -> str:
        """The label for an octet without an alternative."""
        return next((goal for op, *[goal] in self.root.ops if op == "ELSE"), "REFUSED").lower()

    def label(self, node: Node) -> str:
        """Returns the label of the node's list."""
        if node is self.root and not _done(node.ops):
            return self.name.lower()
        return f"{self.name.lower()}_{list_at(node)}"


@cache
def build(uses: Uses) -> str:
    """Returns the code for engine/http/head_code.c. The including function has t, at, end, beyond, c."""
    machine, _ = placed(uses)
    states, folded = [], False
    for name, root in machine.nodes.items():
        folded = folded or name == machine.folded
        states.append(_State(name, root, folded))
    places: dict[int, str] = {}
    code = [line for state in states for line in _state(state, places)]
    switch = [f"case {place}: goto {label};" for place, label in sorted(places.items())]
    used = set(re.findall(r"goto (\w+);", "\n".join([*switch, *code])))
    code = [line for line in code if not (match := re.match(r"(\w+):", line)) or match[1] in used]
    lines = (*_HEADER, "switch (t->request.node) {", *switch, "default: goto refused;", "}", *code)
    return "".join(f"{line}\n" for line in lines)


def _done(ops: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Returns the operations that have an effect."""
    return [op for op in ops if op[0] != "ELSE"]


def _state(state: _State, places: dict[int, str]) -> Iterator[str]:
    """Yields a state's code. Adds the labels at which reading may continue to `places`."""
    name = state.name.lower()
    if state.name in _ENTRIES:
        places[state.root.at] = name
    yield ""
    if _done(state.root.ops):
        yield f"{name}:"
        yield from _operations(state, state.root, "", places)
    yield from _lists(state, state.root, "", places)


def _lists(state: _State, node: Node, read: str, places: dict[int, str]) -> Iterator[str]:
    """Yields the list after `read`, and the lists of its alternatives."""
    if not node.next:
        return
    label, place = state.label(node), list_at(node)
    places[place] = label
    yield f"{label}:" + (f"    // {_quoted(read)}" if read else "")
    word, last = _rest_of_word(node)
    if len(word) > 1:
        yield from _word(state, place, word, places)
        yield from _indented(_operations(state, last, "", places))
        yield from _lists(state, last, read + word, places)
        return
    yield f"    if (at == end)\n        STOP({place});"
    yield "    c = *at++;"
    yield from _indented(_alternatives(state, node, places))
    yield f"    UNREAD();\n    goto {state.otherwise};"
    for character, after in node.next.items():
        yield from _lists(state, after, read + character, places)


def _rest_of_word(node: Node) -> tuple[str, Node]:
    """Returns the characters that must follow, without a choice, and the node after them."""
    word, last = "", node
    while len(last.next) == 1 and (last is node or not last.ops):
        [(character, after)] = last.next.items()
        if character in CLASSES:
            break
        word, last = word + character, after
    assert len(word) < 2 or not any(name in _OF_OCTET or name == "LOOP" for name, *_ in last.ops), word
    return word, last


def _word(state: _State, place: int, word: str, places: dict[int, str]) -> Iterator[str]:
    """Yields code for octets without a choice: all at once if they have arrived, else one at a time."""
    on = f"{state.name.lower()}_{place + 1}"
    places |= {place + number: on for number in range(1, len(word))}
    yield f"    if (end - at >= {len(word)} && {' && '.join(_compared(state, word))}) {{    // {_quoted(word)}"
    yield f"        at += {len(word)};"
    yield "    } else {"
    yield f"        t->request.node = {place};"
    yield f"{on}:"
    folded = "true" if state.folded else "false"
    yield f"        at = compared(t, at, end, {_c_string(word)} + (t->request.node - {place}), {folded});"
    yield f"        if (t->request.node != {place + len(word)}) {{"
    yield f"            if (at == end)\n                {_LEAVE}"
    yield f"            at++;\n            UNREAD();\n            goto {state.otherwise};"
    yield "        }\n    }"


def _alternatives(state: _State, node: Node, places: dict[int, str]) -> Iterator[str]:
    literals = {one: after for one, after in node.next.items() if one not in CLASSES}
    classes = {one: after for one, after in node.next.items() if one in CLASSES}
    if literals:
        yield "switch (c) {"
        for character, after in literals.items():
            yield " ".join(f"case {_literal(one)}:" for one in _cases(state, character))
            yield from _indented(_operations(state, after, state.label(node), places))
        yield "}"
    for one, after in classes.items():
        c = "small_letter(c)" if state.folded and CLASSES[one] == "HEX" else "c"
        yield f"if (of_class(CLASS_{CLASSES[one]}, {c})) {{"
        yield from _indented(_operations(state, after, state.label(node), places))
        yield "}"


def _compared(state: _State, word: str) -> Iterator[str]:
    """Yields expressions that compare the word. The last one may overlap the one before."""
    at = 0
    while at < len(word):
        left = len(word) - at
        fitting = [width for width in _WIDTHS if width <= len(word)]
        width = min((one for one in fitting if one >= left), default=max(fitting))
        at = min(at, len(word) - width)
        octets = word[at : at + width].encode("ascii")
        letters = bytes(0x20 if state.folded and chr(octet).isalpha() else 0 for octet in octets)
        where = f"at + {at}" if at else "at"
        end = "ull" if width == 8 else ""
        yield f"same{8 * width}({where}, 0x{octets.hex()}{end}, 0x{letters.hex()}{end})"
        at += width


def _operations(state: _State, node: Node, back: str, places: dict[int, str]) -> Iterator[str]:
    """Yields a node's operations and the jump after them. `back`: the list that led to the node."""
    at = node.at
    for op in node.ops:
        at += op_len(op)
        name, *operands = op
        operand = operands[0] if operands else ""
        match name:
            case "GOTO":
                yield f"goto {operand.lower()};"
                return
            case "LOOP":
                if operand:
                    yield f"at = passed(at, end, CLASS_{CLASSES[operand]});"
                yield f"goto {back};"
                return
            case "REFUSE":
                yield f"refuse(t, {operand});"
                yield _LEAVE
                return
            case "TARGET":
                yield "path_begin(t, c);"
                yield _LEAVE
                return
            case "END":
                yield "fields_end(t);"
                yield _LEAVE
                return
            case "FIELD":
                label = f"{state.name.lower()}_{at}"
                places[at] = label
                yield f"t->request.node = {at};"
                yield f"field_read(t, {operand});"
                yield _LEAVE_REFUSED
                yield f"{label}:"
            case "ELSE":
                pass
            case _:
                yield _STATEMENTS[name].format(operand)
    if node.next:
        yield f"goto {state.label(node)};"


# Statements for operations that others follow.
_STATEMENTS = {
    "MARK": "t->request.flags |= 1 << {};",
    "CLEAR": "t->request.flags &= (uint16_t)~(1 << {});",
    "ONCE": f"flag_once(t, 1 << {{}});\n{_LEAVE_REFUSED}",
    "NUMBER": "t->value = {};",
    "METHOD": "t->request.method = {};",
    "UNREAD": "UNREAD();",
    "DIGIT": "add_digit(t, c);",
    "HEX": "t->value = t->value << 4 | hex_value(c);",
    "ACCEPT": "t->request.flags |= (uint16_t)(1 << t->value);",
    "LINE": f"line_end(t);\nLIMIT();\n{_LEAVE_REFUSED}",
}


def _cases(state: _State, character: str) -> Sequence[str]:
    return (character, character.upper()) if state.folded and character.isalpha() else (character,)


def _literal(character: str) -> str:
    return {"\r": "'\\r'", "\n": "'\\n'"}.get(character) or literal(character)


def _c_string(text: str) -> str:
    return '"' + "".join({'"': '\\"', "\\": "\\\\", "\r": "\\r", "\n": "\\n"}.get(one, one) for one in text) + '"'


def _quoted(text: str) -> str:
    """Returns the text for a comment."""
    plain = text.replace("\r", "\\r").replace("\n", "\\n")
    return '"' + "".join(f"<{CLASSES[one]}>" if one in CLASSES else one for one in plain) + '"'


def _indented(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        for one in line.split("\n"):
            yield one if re.match(r"\w+:$", one) else f"    {one}"
