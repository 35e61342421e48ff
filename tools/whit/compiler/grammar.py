# SPDX-License-Identifier: MIT
"""The grammar of a request's head (RFC 9110, 9112), as a machine.

A state is a list of alternatives, perhaps after operations (engine/core/grammar.h). An alternative leads to the
remainder of its word, and then to the operations of its last character. This file defines words and their meaning.
grammar_octets.py writes the machine as octets that the engine interprets, grammar_code.py as C.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

# Characters that represent a class. Some imply the character after them.
OWS, TCHAR, BEHIND, VALUE, HOST, TARGET, DIGIT, HEX = (chr(0xE001 + number) for number in range(8))
_NAMES = ("OWS", "TCHAR", "BEHIND", "VALUE", "HOST", "TARGET", "DIGIT", "HEX")
CLASSES = dict(zip((OWS, TCHAR, BEHIND, VALUE, HOST, TARGET, DIGIT, HEX), _NAMES, strict=True))
_AT_ONCE: dict[str, "Ops"] = {DIGIT: [("DIGIT",)], HEX: [("HEX",)], BEHIND: [("UNREAD",)]}

Ops = Sequence[tuple[str, ...]]
Words = Mapping[str, Ops]


@dataclass(frozen=True)
class Uses:
    """The parts of the grammar that an application needs."""

    variants: bool
    bodies: bool
    tags: bool = True


@dataclass(frozen=True)
class _State:
    """`before`: operations at entry. `reads`: its digits are a number, which is accumulated."""

    name: str
    words: Words
    before: Ops = ()
    reads: bool = True


def _goto(state: str) -> tuple[str, str]:
    return ("GOTO", state)


def _loop(character: str) -> list[tuple[str, ...]]:
    return [("LOOP", character)]


def _exact(uses: Uses) -> list[_State]:
    """Returns the case-sensitive states: the request line, and entity tags."""
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
            reads=False,
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
            _State("OTHER_TAG", {'"': [_goto("TAGS")], VALUE: _loop(TCHAR)}, [("ELSE", "SKIP")]),
        ]
    return states


def _folded(uses: Uses) -> list[_State]:
    """The rest: letters stand for both cases. A field line's value ends with CR, which leads to EOL, perhaps from the
    state for everything else."""
    eol = {"\r": [_goto("EOL")]}
    ows: dict[str, Ops] = {OWS: _loop(OWS)}
    states = [
        # Both schemes on any connection, as a proxy may end TLS. A user name is an error (RFC 9110 section 4.2.4).
        _State("TARGET", {"/": [("TARGET",)], **{f"{one}://": [_goto("AUTHORITY")] for one in ("http", "https")}}),
        _State("AUTHORITY", _host("AUTHORITY")),
        *_rest_of_host("AUTHORITY", "TARGET_BEGIN", counts=True),
        _State("TARGET_BEGIN", {"/": [("TARGET",)], "?": [("TARGET",)], " ": [("TARGET",)]}),
        _State("EOL", {"\n": [_goto("FIELD")]}),
        _State("LAST_LF", {"\n": [("END",)]}),
        _State("OTHER_NAME", {":": [_goto("SKIP")], TCHAR: _loop(TCHAR)}),
        _State("SKIP", {**eol, VALUE: _loop(VALUE)}),
        _State("HOST", {**ows, **_host("HOST")}, [("ELSE", "BLANK")]),
        *_rest_of_host("HOST", "BLANK"),
        _State("BLANK", {**eol, **ows}),
        _State("LENGTH", {**ows, DIGIT: [_goto("DIGITS")]}),
        _State("DIGITS", {DIGIT: _loop(""), BEHIND: [("FIELD", "FIELD_LENGTH"), _goto("BLANK")]}),
        _State("CODINGS", {**ows, ",": _loop(""), "chunked" + BEHIND: [("ONCE", "BIT_CODING"), _goto("CHUNKED")]},
               [("ELSE", "OTHER_CODING")]),
        _State("CHUNKED", {**ows, ",": [_goto("CODINGS")]}, [("ELSE", "BLANK")]),
        _State("OTHER_CODING", {}, [("REFUSE", "HTTP_501")]),
        _State("TOKENS", {**ows, **_tokens(uses)}, [("ELSE", "OTHER_TOKEN")]),
        _State("OTHER_TOKEN", {",": [_goto("TOKENS")], VALUE: _loop(TCHAR)}, [("ELSE", "SKIP")]),
    ]  # fmt: skip
    if uses.bodies:
        states += [
            _State("CODED", {**eol, **ows, "identity" + BEHIND: [_goto("CODED")]},
                   [("ELSE", "OTHER_CODED")]),
            _State("OTHER_CODED", {}, [("FIELD", "FIELD_CODED"), _goto("SKIP")]),
        ]  # fmt: skip
    if uses.variants:
        states += [
            _State("ACCEPTED", {**ows, ";": [_goto("WEIGHT")], BEHIND: [("ACCEPT",), _goto("TOKENS")]},
                   [("ELSE", "OTHER_TOKEN")]),
            _State("WEIGHT", {**ows, "q=0": [_goto("ZERO")]}, [("ELSE", "NOT_ZERO")]),
            _State("ZERO", {".": _loop(""), "0": _loop(""), BEHIND: [_goto("TOKENS")]}, [("ELSE", "NOT_ZERO")]),
            _State("NOT_ZERO", {}, [("ACCEPT",), _goto("OTHER_TOKEN")]),
        ]  # fmt: skip
    if uses.tags:
        states += [
            _State(
                "TAGS",
                {**ows, ",": _loop(""), '"': [_goto("TAG")], "w/": [("CLEAR", "BIT_STRONG"), _goto("TAGS")],
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


def _rest_of_host(name: str, behind: str, *, counts: bool = False) -> list[_State]:
    """... and the others, perhaps with a port. Of an IPv6 address only the characters count, of "%20" only '%'.
    `counts`: the port is a number, which TARGET looks at."""
    port: dict[str, Ops] = {":": [_goto(f"{name}_PORT")]}
    to_end: Ops = [("ELSE", behind)]
    return [
        _State(f"{name}_LITERAL", {"]": [_goto(f"{name}_CLOSED")], HEX: _loop(HEX), **{c: _loop("") for c in ":."}},
               reads=False),
        _State(f"{name}_CLOSED", port, to_end),
        _State(f"{name}_NAME", {**port, HOST: _loop(HOST)}, to_end),
        _State(f"{name}_PORT", {DIGIT: _loop("" if counts else DIGIT)}, to_end, reads=counts),
    ]  # fmt: skip


def _tokens(uses: Uses) -> dict[str, Ops]:
    """Returns the words of Connection. Other lists share them where that does no harm."""
    tokens: dict[str, Ops] = {"close" + BEHIND: [("MARK", "BIT_CLOSE"), _goto("TOKENS")]}
    if uses.variants:
        gzip: Ops = [("NUMBER", "BIT_GZIP"), _goto("ACCEPTED")]
        tokens |= {"gzip": gzip, "x-gzip": gzip, "br": [("NUMBER", "BIT_BROTLI"), _goto("ACCEPTED")]}
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
        fields["content-encoding:"] = [_goto("CODED")]
        fields["content-type:"] = [("FIELD", "FIELD_TYPE"), _goto("SKIP")]
    return fields


# ---------------------------------------------------------------- the machine


@dataclass
class Node:
    """The node after a character: operations, then the word's next characters. `at` is its offset in whit_words."""

    ops: list[tuple[str, ...]] = field(default_factory=list)
    next: dict[str, "Node"] = field(default_factory=dict)
    at: int = 0


@dataclass(frozen=True)
class Machine:
    """`nodes`: the states by name, in order. From the state `folded` on, letters stand for both cases."""

    nodes: Mapping[str, Node]
    folded: str


def machine(uses: Uses) -> Machine:
    exact, folded = _exact(uses), _folded(uses)
    return Machine({state.name: _node(state) for state in (*exact, *folded)}, folded[0].name)


def members(octet: str) -> dict[str, bool]:
    """Returns for each class whether it contains this character, ' ' to DEL."""
    token = octet.isalnum() or octet in "!#$%&'*+-.^_`|~"
    return {
        OWS: octet == " ",
        TCHAR: token,
        BEHIND: not token,
        VALUE: " " <= octet <= "~",
        HOST: octet.isalnum() or octet in "-._~%!$&'()*+;=",
        TARGET: " " < octet <= "~" and octet != "#",
        DIGIT: "0" <= octet <= "9",
        HEX: octet in "0123456789abcdef",
    }


def _node(state: _State) -> Node:
    first = Node(list(state.before))
    for word, ops in state.words.items():
        node = first
        for character in word:
            at_once = _AT_ONCE.get(character, ()) if state.reads or character == BEHIND else ()
            node = node.next.setdefault(character, Node(list(at_once)))
        node.ops += ops
    return first
