# SPDX-License-Identifier: MIT
"""Where in a script a value may stand: between its tokens, and not in a string, a comment, or what may be a regular
expression. What this reader is not sure of ends it: no value may follow then."""

import re
from enum import Enum

_QUOTES = "\"'"
_SKIPPED = re.compile(r"""(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|/\*.*?\*/|//[^\n]*""", re.DOTALL)
_NAMED = re.compile(r"(?<![\w$])(import|from)\s*\Z")
_CALLED = re.compile(
    r"(?<![\w$])(import|eval|Function|importScripts|Worker|SharedWorker|serviceWorker\s*\.\s*register)\s*\("
)
_TIMED = re.compile(r'(?<![\w$])(setTimeout|setInterval)\s*\([\s(]*(?:""[^,]*)?\Z')  # a string is code
_ALL_CODE = ("Function", "importScripts")  # each argument; of others the first one


class Script(Enum):
    """What the next character of a script belongs to."""

    CODE = "code"
    DOUBLE = 'a string in "'
    SINGLE = "a string in '"
    LINE = "a comment"
    BLOCK = "a comment in /* */"
    UNSURE = "what follows a / or a ` of this script"


def read(state: Script, text: str) -> Script:
    """After `text`, of which no token is cut."""
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
    # What is escaped may be in the next text: it is not known what it is.
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


def loads(before: str, text: str) -> str:
    """Returns what takes a value behind `text` as code or its URL, or "". `before`: the same before `text`."""
    code = _SKIPPED.sub(lambda found: '""' if found["string"] else " ", text)
    if not code.strip():
        return before
    if found := _NAMED.search(code) or _TIMED.search(code):
        return found[1]
    return next((call[1] for call in _CALLED.finditer(code) if _is_argument(call[1], code[call.end() :])), "")


def _is_argument(name: str, behind: str) -> bool:
    """Whether the call is open where `behind` ends, in its first argument where only that one is code."""
    depth = 1
    for one in behind:
        depth += (one in "([{") - (one in ")]}")
        if depth == 0 or (depth == 1 and one == "," and name not in _ALL_CODE):
            return False
    return True
