# SPDX-License-Identifier: MIT
"""Finds the places for values in a script: between its tokens, not in a string, a comment, or a possible regular
expression. Where this reader is not sure it ends: no value may follow."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

_QUOTES = "\"'"


class Script(Enum):
    """The context of a script's next character."""

    CODE = "code"
    DOUBLE = 'a string in "'
    SINGLE = "a string in '"
    LINE = "a comment"
    BLOCK = "a comment in /* */"
    UNSURE = "what follows a / or a ` of this script"


def read(state: Script, text: str) -> Script:
    """Returns the state after `text`, which cuts no token."""
    at = 0
    while at < len(text) and state != Script.UNSURE:
        one, two = text[at], text[at : at + 2]
        at += 1
        if state in (Script.DOUBLE, Script.SINGLE):
            if one == "\\":
                at += 1
            elif one == ('"' if state == Script.DOUBLE else "'") or one in "\r\n":
                state = Script.CODE
        elif state == Script.LINE:
            state = Script.CODE if one in "\r\n\u2028\u2029" else state
        elif state == Script.BLOCK:
            if two == "*/":
                state, at = Script.CODE, at + 1
        else:
            state, at = _code(one, two, at)
    # An escape at the end may continue in the next text, which is unknown.
    escapes = state in (Script.DOUBLE, Script.SINGLE) and (len(text) - len(text.rstrip("\\"))) % 2
    return Script.UNSURE if escapes else state


def _code(one: str, two: str, at: int) -> tuple[Script, int]:
    if two == "//":
        return Script.LINE, at + 1
    if two == "/*":
        return Script.BLOCK, at + 1
    if one in _QUOTES:
        return (Script.DOUBLE if one == '"' else Script.SINGLE), at
    return (Script.UNSURE if one in "/`" or two in ("<!", "->") or two == "--" else Script.CODE), at


# ------------------------------------------------------------------------------------------------ what takes code

_RUNS = ("eval", "Function", "execScript", "constructor", "\\")
"""Not allowed anywhere in a statement with a value: there are too many ways to call them."""
_CALLS: Mapping[str, bool] = {  # by the end of what is called; True: only the first argument is code, markup or an URL
    **dict.fromkeys(("import", "Worker", "SharedWorker", "serviceWorker.register", "addModule"), True),
    **dict.fromkeys(("setTimeout", "setInterval", "setImmediate", "$", "jQuery", "html", "setHTMLUnsafe"), True),
    **dict.fromkeys(("parseFromString", "createContextualFragment", "location.assign"), True),
    **dict.fromkeys(("location.replace", "navigation.navigate", "getScript", "open"), True),
    **dict.fromkeys(("importScripts", "document.write", "document.writeln", "insertAdjacentHTML"), False),
    **dict.fromkeys(("setAttribute", "setAttributeNS"), False),
}
_GLOBAL = (
    "import",
    "importScripts",
    "Worker",
    "SharedWorker",
    "setTimeout",
    "setInterval",
    "setImmediate",
    "open",
    "$",
)
"""Calls that are another object's own after a name and a dot."""
_PLACES = ("location", "href", "src", "action", "formAction")  # assigned: an URL; its beginning is constant or an error
_MARKUP = ("innerHTML", "outerHTML", "srcdoc")  # assigned: markup, or with on... a handler
_SETTLED = re.compile(r"/[^/\\]|\.{1,2}/|[\w-]+[/?#]|[?#]|https?://[^/\\?#\s]+[/?#]", re.IGNORECASE)
_STATEMENTS = ("const", "let", "var", "if", "for", "while", "return", "switch", "try", "throw", "do")
_TOKEN = re.compile(
    r"""(?P<string>"(?:\\.|[^"\\\n])*(?:"|\n|\Z)|'(?:\\.|[^'\\\n])*(?:'|\n|\Z))|(?P<blank>\s+|/\*.*?(?:\*/|\Z)|//[^\n]*)
    |(?P<name>[^\W\d][\w$]*|\$[\w$]*)|(?P<arrow>=>)|(?P<compares>[=!]==?|[<>]=)|(?P<assigns>(?:[-+*/%&|^?]|\|\||&&|\?\?)?=)
    |(?P<opens>[(\[{])|(?P<closes>[)\]}])|(?P<other>.)""",
    re.DOTALL | re.VERBOSE,
)
_OPENS = {Script.DOUBLE: '"', Script.SINGLE: "'", Script.LINE: "//", Script.BLOCK: "/*"}
_TAIL = 80  # characters: more than any name above needs
_DEPTH_MAX = 100  # brackets in brackets: of more, no value may follow in the statement


@dataclass(frozen=True)
class Frame:
    """The part of a statement, or of an argument list, that was read since a bracket opened it."""

    sink: str = ""  # the call of the bracket, which takes this argument as code
    first: bool = False  # ... and no other
    bracket: str = ""  # that opened it; "": none
    body: bool = False  # of a function or a block: the code around it does not take its value
    tail: str = ""  # its end: strings are "", brackets are empty
    assigned: str = ""  # the target of an assignment of markup, code or a URL
    settled: bool = False  # a constant beginning of that URL was read
    runs: str = ""  # of _RUNS
    valued: bool = False  # it has a value

    @property
    def takes(self) -> str:
        taken = re.search(r"(?<![\w$.])(import|from) ?\Z", self.tail)
        return self.runs or ("" if self.settled else self.assigned) or self.sink or (taken[1] if taken else "")


Code = tuple[Frame, ...]  # from the script itself to the innermost bracket
CONSTANT = (Frame(),)


def follow(code: Code, state: Script, text: str) -> Code:
    """Returns the code after `text`, which begins in `state`, up to where this reader is not sure."""
    if state == Script.UNSURE:
        return code
    for token in _TOKEN.finditer(_OPENS.get(state, "") + text):
        assert token.lastgroup
        if token["other"] in ("/", "`"):
            break
        code = _READ[token.lastgroup](code, code[-1], token[0])
    return code


def behind_value(code: Code) -> Code:
    """Returns the code after a value at this place."""
    return (*code[:-1], _longer(replace(code[-1], valued=True), "0"))


def takes(code: Code) -> str:
    """Returns the name of the sink that takes a value here as code, markup or URL; "": none."""
    for frame in reversed(code):
        if frame.takes:
            return frame.takes
        if frame.body:
            break
    return ""


def ran(code: Code) -> str:
    """Returns the name of the call that runs text in a statement with a value; "": none."""
    return next((frame.runs for frame in code if frame.valued and frame.runs), "")


def either(one: Code, other: Code) -> Code | None:
    """Returns the code after either of two branches; None: they do not end in the same brackets."""
    if len(one) != len(other):
        return None
    return tuple(map(_either, one, other))


def _either(one: Frame, other: Frame) -> Frame:
    return Frame(
        one.sink or other.sink,
        one.first and other.first,
        one.bracket,
        one.body and other.body,
        one.tail if one.tail == other.tail else "",
        one.assigned or other.assigned,
        (one.settled or not one.assigned) and (other.settled or not other.assigned),
        one.runs or other.runs,
        one.valued or other.valued,
    )


def _longer(frame: Frame, text: str) -> Frame:
    return replace(frame, tail=(frame.tail + text)[-_TAIL:])


def _string(code: Code, frame: Frame, text: str) -> Code:
    content, tail = text.strip("\"'\n"), frame.tail.rstrip()
    if frame.bracket == "[" and not tail and content in (*_RUNS, *_MARKUP, *_PLACES):
        return _name(code, frame, content)  # window["eval"]
    is_settled = _SETTLED.match(content) is not None
    if frame.assigned in _PLACES and tail.endswith("="):
        frame = replace(frame, settled=is_settled)
    elif (
        frame.sink in ("open", "location.assign", "location.replace", "navigation.navigate") and not tail and is_settled
    ):
        frame = replace(frame, sink="")
    return (*code[:-1], _longer(frame, '""'))


def _blank(code: Code, frame: Frame, text: str) -> Code:
    return code if frame.tail.endswith(" ") else (*code[:-1], _longer(frame, " "))


def _name(code: Code, frame: Frame, text: str) -> Code:
    if text in _STATEMENTS and not frame.tail.rstrip().endswith("."):
        frame = _next(frame)
    return (*code[:-1], _longer(replace(frame, runs=text) if text in _RUNS else frame, text))


def _next(frame: Frame) -> Frame:
    """Returns the frame at the start of the next statement."""
    return Frame(frame.sink, frame.first, frame.bracket, frame.body)


def _arrow(code: Code, frame: Frame, text: str) -> Code:
    """Reads the arrow of a function. A function is no text: its caller takes no code from its body."""
    kept = replace(frame, sink="" if frame.first else frame.sink)
    return (
        *code[:-1],
        _longer(replace(kept, assigned="" if frame.assigned.startswith("on") else frame.assigned), text),
    )


def _assigns(code: Code, frame: Frame, text: str) -> Code:
    found = re.search(r"(?<![\w$])(?:(const|let|var) )?([\w$]+) ?\]? ?\Z", frame.tail)
    name = found[2] if found else ""
    known = name in _PLACES or name in _MARKUP or re.fullmatch("on[a-z]{3,}", name)
    if known and not (found and found[1] and name != "location"):
        frame = replace(frame, assigned=name, settled=False)
    return (*code[:-1], _longer(frame, text))


def _opens(code: Code, frame: Frame, text: str) -> Code:
    if len(code) > _DEPTH_MAX:
        return (*code[:-1], replace(frame, runs=f"more than {_DEPTH_MAX} brackets"))
    tail, inner = frame.tail.rstrip(), Frame(bracket=text)
    if text == "{":
        begins = not tail and frame.bracket in ("", "{")
        inner = replace(inner, body=begins or re.search(r"([)}]|=>|\b(else|try|do|finally))\Z", tail) is not None)
    elif text == "(":
        called = re.sub(r"\s*\??\.\s*", ".", tail.removesuffix("?."))
        sink = next((one for one in _CALLS if _is_called(one, called)), "")
        inner = replace(inner, sink=sink, first=_CALLS.get(sink, False))
    return (*code[:-1], _longer(frame, text), inner)


def _is_called(name: str, called: str) -> bool:
    before = r"\A|[^\w$.]|(?<![\w$.])(?:window|self|globalThis|top|parent)\." if name in _GLOBAL else r"\A|[^\w$]"
    return re.search(rf"(?:{before}){re.escape(name)}\Z", called) is not None


def _closes(code: Code, frame: Frame, text: str) -> Code:
    if len(code) == 1:
        return (_longer(frame, text),)
    outer = _longer(code[-2], ("" if text == "}" else frame.tail) + text)
    if not frame.body:
        outer = replace(outer, runs=outer.runs or frame.runs, valued=outer.valued or frame.valued)
    return (*code[:-2], outer)


def _other(code: Code, frame: Frame, text: str) -> Code:
    if text == ";":
        return (*code[:-1], _next(frame))
    if text == "," and frame.first:
        frame = replace(frame, sink="")
    return (*code[:-1], _longer(replace(frame, runs=text) if text in _RUNS else frame, text))


_READ = {
    "string": _string,
    "blank": _blank,
    "name": _name,
    "arrow": _arrow,
    "compares": _other,
    "assigns": _assigns,
    "opens": _opens,
    "closes": _closes,
    "other": _other,
}
