# SPDX-License-Identifier: MIT
"""What the head of a request may be (RFC 9110, 9112), as a machine in the octets of engine/grammar.h.

A state is a list of alternatives as engine/tables.h defines it, perhaps behind operations; an alternative leads on to
the rest of its word, and then to the operations that its last character means. So what is read, and what it means,
stands here; engine/http_request.c only follows it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from .automaton import Automaton, literal, skip_of

SETS = 96  # octets: of engine/grammar.h, GRAMMAR_SETS
_NEAR = 512  # goals are a single octet, and even

# Characters that stand for a class; what follows some of them at once.
OWS, TCHAR, BEHIND, VALUE, HOST, TARGET, DIGIT, HEX = (chr(0xE001 + number) for number in range(8))
_NAMES = ("OWS", "TCHAR", "BEHIND", "VALUE", "HOST", "TARGET", "DIGIT", "HEX")
_CLASSES = dict(zip((OWS, TCHAR, BEHIND, VALUE, HOST, TARGET, DIGIT, HEX), _NAMES, strict=True))
_AT_ONCE: dict[str, "Ops"] = {DIGIT: [("DIGIT",)], HEX: [("HEX",)], BEHIND: [("UNREAD",)]}

Ops = Sequence[tuple[str, ...]]
Words = Mapping[str, Ops]


@dataclass(frozen=True)
class Uses:
    """What of the grammar an application needs."""

    variants: bool
    bodies: bool
    tags: bool = True


@dataclass(frozen=True)
class _State:
    """folded: its letters stand for both cases."""

    name: str
    words: Words
    before: Ops = ()


def _goto(state: str) -> tuple[str, str]:
    return ("GOTO", state)


def _loop(character: str) -> list[tuple[str, ...]]:
    return [("LOOP", character)]


def _exact(uses: Uses) -> list[_State]:
    """The request line, and entity tags: letters are what they are."""
    methods: dict[str, Ops] = {
        "\r\n": [_goto("START")],
        " ": [("REFUSE", "HTTP_400")],
        "GET ": [_goto("TARGET")],
        "HEAD ": [("METHOD", "WHIT_HEAD"), _goto("TARGET")],
    }
    if uses.bodies:
        methods |= {word: [("METHOD", "WHIT_POST"), _goto("TARGET")] for word in ("POST ", "PUT ")}
    states = [
        _State("REFUSED", {}, [("REFUSE", "HTTP_400")]),
        _State("START", methods, [("ELSE", "OTHER_METHOD")]),
        _State("OTHER_METHOD", {" ": [("REFUSE", "HTTP_501")], TCHAR: _loop(TCHAR)}),
        _State("QUERY", {" ": [_goto("VERSION")], TARGET: _loop(TARGET)}),
        _State(
            "VERSION",
            {
                "HTTP/1.0": [("MARK", "BIT_1_0"), _goto("LINE")],
                f"HTTP/1.{DIGIT}": [_goto("LINE")],
                f"HTTP/{DIGIT}": [("REFUSE", "HTTP_505")],
            },
        ),
        _State("LINE", {"\r": [("LINE",), _goto("EOL")]}),
    ]
    if uses.tags:
        states += [
            _State(
                "TAG",
                {HEX * 8 + '"': [("FIELD", "FIELD_TAG"), _goto("TAGS")]},
                [("NUMBER", "0"), ("ELSE", "OTHER_TAG")],
            ),
            _State("OTHER_TAG", {'"': [_goto("TAGS")], "\r": [_goto("EOL")], VALUE: _loop(TCHAR)}),
        ]
    return states


def _folded(uses: Uses) -> list[_State]:
    """The rest: letters stand for both cases. A field line's value ends with CR, which leads to EOL."""
    eol = {"\r": [_goto("EOL")]}
    ows: dict[str, Ops] = {OWS: _loop(OWS)}
    states = [
        _State("TARGET", {"/": [("TARGET",)], "http://": [_goto("AUTHORITY")]}),
        _State("AUTHORITY", _host("AUTHORITY")),
        *_rest_of_host("AUTHORITY", "TARGET_BEGIN"),
        _State("TARGET_BEGIN", {"/": [("TARGET",)], "?": [("TARGET",)], " ": [("TARGET",)]}),
        _State("EOL", {"\n": [_goto("FIELD")]}),
        _State("LAST_LF", {"\n": [("END",)]}),
        _State("OTHER_NAME", {":": [_goto("SKIP")], TCHAR: _loop(TCHAR)}),
        _State("SKIP", {**eol, VALUE: _loop(VALUE)}),
        _State("HOST", {**eol, **ows, **_host("HOST")}),
        *_rest_of_host("HOST", "BLANK"),
        _State("BLANK", {**eol, **ows}),
        _State("LENGTH", {**ows, DIGIT: [_goto("DIGITS")]}),
        _State("DIGITS", {DIGIT: _loop(""), BEHIND: [("FIELD", "FIELD_LENGTH"), _goto("BLANK")]}),
        _State("CODINGS", {**ows, ",": _loop(""), "chunked" + BEHIND: [("ONCE", "BIT_CODING"), _goto("CHUNKED")]},
               [("ELSE", "OTHER_CODING")]),
        _State("CHUNKED", {**eol, **ows, ",": [_goto("CODINGS")]}),
        _State("OTHER_CODING", {}, [("REFUSE", "HTTP_501")]),
        _State("TOKENS", {**eol, **ows, ",": _loop(""), **_tokens(uses)}, [("ELSE", "OTHER_TOKEN")]),
        _State("OTHER_TOKEN", {**eol, ",": [_goto("TOKENS")], VALUE: _loop(TCHAR)}),
    ]  # fmt: skip
    if uses.variants:
        accept: list[tuple[str, ...]] = [("ACCEPT",), _goto("TOKENS")]
        states += [
            _State("ACCEPTED", {**ows, ";": [_goto("WEIGHT")], BEHIND: accept}),
            _State("WEIGHT", {**ows, "q=0": [_goto("ZERO")]}, [("ELSE", "NOT_ZERO")]),
            _State("ZERO", {".": _loop(""), "0": _loop(""), BEHIND: [_goto("TOKENS")]}, [("ELSE", "NOT_ZERO")]),
            _State("NOT_ZERO", {",": accept, "\r": [("ACCEPT",), _goto("EOL")], VALUE: _loop(TCHAR)}),
        ]
    if uses.tags:
        states += [
            _State(
                "TAGS",
                {**eol, **ows, ",": _loop(""), '"': [_goto("TAG")], "w/": [("CLEAR", "BIT_STRONG"), _goto("TAGS")],
                 "*": [("FIELD", "FIELD_ANY_TAG"), _goto("TAGS")]},
                [("ELSE", "SKIP")],
            ),
        ]  # fmt: skip
    return [
        *states,
        _State("FIELD", _fields(uses), [("ELSE", "OTHER_NAME")]),
    ]  # the largest: last, so that all begin near


def _host(name: str) -> dict[str, Ops]:
    """The first octet of a host (RFC 3986 section 3.2.2)."""
    return {"[": [_goto(f"{name}_LITERAL")], HOST: [_goto(f"{name}_NAME")]}


def _rest_of_host(name: str, behind: str) -> list[_State]:
    """... and the others, perhaps with a port. Of an IPv6 address only the characters count, of "%20" only '%'."""
    port: dict[str, Ops] = {":": [_goto(f"{name}_PORT")]}
    to_end: Ops = [("ELSE", behind)]
    return [
        _State(f"{name}_LITERAL", {"]": [_goto(f"{name}_CLOSED")], **{c: _loop("") for c in (HEX, ":", ".")}}),
        _State(f"{name}_CLOSED", port, to_end),
        _State(f"{name}_NAME", {**port, HOST: _loop(HOST)}, to_end),
        _State(f"{name}_PORT", {DIGIT: _loop("")}, to_end),
    ]


def _tokens(uses: Uses) -> dict[str, Ops]:
    """Of Connection, and of the other lists of which it does no harm to take them for Connection's."""
    tokens: dict[str, Ops] = {"close" + BEHIND: [("MARK", "BIT_CLOSE"), _goto("TOKENS")]}
    if uses.variants:
        gzip: Ops = [("NUMBER", "BIT_GZIP"), _goto("ACCEPTED")]
        brotli: Ops = [("NUMBER", "BIT_BROTLI"), _goto("ACCEPTED")]
        tokens |= {"gzip" + BEHIND: gzip, "x-gzip" + BEHIND: gzip, "br" + BEHIND: brotli}
    if uses.bodies:
        tokens["100-continue" + BEHIND] = [("MARK", "BIT_EXPECT"), _goto("TOKENS")]
    return tokens


def _fields(uses: Uses) -> dict[str, Ops]:
    fields: dict[str, Ops] = {
        "\r": [_goto("LAST_LF")],
        ":": [("REFUSE", "HTTP_400")],
        "host:": [("ONCE", "BIT_HOST"), _goto("HOST")],
        "connection:": [_goto("TOKENS")],
        "content-length:": [("ONCE", "BIT_LENGTH"), _goto("LENGTH")],
        "transfer-encoding:": [_goto("CODINGS")],
    }
    if uses.variants:
        fields["accept-encoding:"] = [_goto("TOKENS")]
    if uses.tags:
        fields["if-none-match:"] = [("CLEAR", "BIT_STRONG"), _goto("TAGS")]
        fields["if-match:"] = [("MARK", "BIT_STRONG"), ("MARK", "BIT_MATCH"), _goto("TAGS")]
    if uses.bodies:
        fields["expect:"] = [_goto("TOKENS")]
        fields["content-type:"] = [("FIELD", "FIELD_TYPE"), _goto("SKIP")]
    return fields


# ---------------------------------------------------------------- octets


@dataclass
class _Node:
    """What a character leads to: operations, and then more of the word."""

    ops: list[tuple[str, ...]] = field(default_factory=list)
    next: dict[str, "_Node"] = field(default_factory=dict)

    @property
    def octet_cnt(self) -> int:
        cnt = sum(_op_len(op) for op in self.ops)
        after = [node.octet_cnt for node in self.next.values()]
        return cnt + sum(after) + len(after) + sum(len(skip_of(one)) for one in after[:-1])


@dataclass(frozen=True)
class Grammar:
    """The rows of the machine and where some of its states are, in octets of whit_words."""

    automaton: Automaton
    offsets: tuple[tuple[str, int], ...]


@cache
def build(uses: Uses) -> Grammar:
    exact, folded = _exact(uses), _folded(uses)
    nodes = {state.name: _node(state) for state in (*exact, *folded)}
    goals: dict[str, int] = {}
    at = 0
    for name, node in nodes.items():
        goals[name] = at
        at += node.octet_cnt + node.octet_cnt % 2
    assert all(goal < _NEAR for goal in goals.values()), goals
    rows = list(_set_rows())
    for name, node in nodes.items():
        rows.append(f"// {name}")
        rows += _rows(node, [], goals)
        rows += ["0,"] * (node.octet_cnt % 2)
    wanted = {"START": "START", "QUERY": "QUERY", "VERSION": "VERSION", "LINES": "EOL", "FOLDED": folded[0].name}
    offsets = tuple((name, SETS + goals[state]) for name, state in wanted.items())
    return Grammar(Automaton(tuple(rows), SETS + at), offsets)


def _node(state: _State) -> _Node:
    first = _Node(list(state.before))
    for word, ops in state.words.items():
        node = first
        for character in word:
            node = node.next.setdefault(character, _Node(list(_AT_ONCE.get(character, ()))))
        node.ops += ops
    return first


_ALONE = ("UNREAD", "DIGIT", "HEX", "ACCEPT", "TARGET", "LINE", "END")


def _op_len(op: tuple[str, ...]) -> int:
    assert (len(op) == 1) == (op[0] in _ALONE), op
    return len(op)


def _op(op: tuple[str, ...], goals: Mapping[str, int]) -> str:
    name, *operand = op
    if not operand:
        return f"OP_{name}"
    if name in ("GOTO", "ELSE"):
        return f"OP_{name}, {goals[operand[0]] // 2} /* {operand[0]} */"
    if name == "LOOP":
        return f"OP_LOOP, {_label(operand[0]) if operand[0] else 0}"
    return f"OP_{name}, {operand[0]}"


def _label(character: str) -> str:
    if character in _CLASSES:
        return f"CLASS_{_CLASSES[character]}"
    return {"\r": "'\\r'", "\n": "'\\n'"}.get(character) or literal(character)


def _rows(node: _Node, ahead: Sequence[str], goals: Mapping[str, int]) -> Iterator[str]:
    """Rows of what follows the octets in `ahead`; a row ends where a word does, or before a choice."""
    octets = [*ahead, *(_op(op, goals) for op in node.ops)]
    if len(node.next) != 1 and octets:
        yield f"{', '.join(octets)},"
        octets = []
    for index, (character, after) in enumerate(node.next.items()):
        last = index == len(node.next) - 1
        own = [f"{_label(character)} | LAST"] if last else [_label(character), *map(str, skip_of(after.octet_cnt))]
        yield from _rows(after, [*octets, *own], goals)


def _set_rows() -> Iterator[str]:
    names = [f"CLASS_{name}" for name in _CLASSES.values()]
    yield f"// classes of each octet from ' ' on: {', '.join(names)} from the lowest bit on"
    for start in range(0x20, 0x80, 16):
        yield f"{', '.join(f'0x{_set_of(chr(octet)):02x}' for octet in range(start, start + 16))},"


def _set_of(character: str) -> int:
    token = character.isalnum() or character in "!#$%&'*+-.^_`|~"
    visible = " " < character <= "~"
    members = {
        OWS: character == " ",
        TCHAR: token,
        BEHIND: not token,
        VALUE: " " <= character <= "~",
        HOST: character.isalnum() or character in "-._~%!$&'()*+;=",
        TARGET: visible and character != "#",
        DIGIT: "0" <= character <= "9",
        HEX: character in "0123456789abcdef",
    }
    return sum(1 << number for number, is_member in enumerate(members.values()) if is_member)
