# SPDX-License-Identifier: MIT
"""Faults of C: a comparison, a logical operator, a number, a truth value, a dropped statement."""

import re
from collections.abc import Iterator

from .fault import Fault, line_of

# Text without code: comments, strings, characters, lines of the preprocessor (with their continuations).
_NO_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
    r"|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*|_Static_assert\([^;]*;",
    re.DOTALL | re.MULTILINE,
)
_COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
_COMPARISON = re.compile(r"(?<= )(<=|>=|==|!=|<|>)(?= )")
_LOGICAL = re.compile(r"(?<= )(&&|\|\|)(?= )")
_ARITHMETIC = re.compile(r"(?<=[\w)\]] )([+-])(?= [\w(])")
_NUMBER = re.compile(r"(?<![\w.])(\d+)(?=u?\b)(?![.\w]*x)")
_TRUTH = re.compile(r"\breturn (true|false);")
_CONDITION = re.compile(r"\b(if|while) \((?=[^;{]*\)\s*(?:\n|\{|[a-z]))")
# A statement on lines of its own, within a function: an assignment, a call, a step.
_STATEMENT = re.compile(r"^    +(?!return\b|case\b|default\b|goto\b|break\b|continue\b|else\b|static\b|const\b)"
                        r"(?:[A-Za-z_][\w.>\[\]*()-]*(?: [-+|&^*/%]?=|\(|\+\+|--)[^;{}]*);", re.MULTILINE)  # fmt: skip


def faults(file: str, text: str) -> Iterator[Fault]:
    """Every fault of the file, in its order."""
    code = code_of(text)
    for pattern, kind, changed in (
        (_COMPARISON, "comparison", _COMPARISONS.__getitem__),
        (_LOGICAL, "logic", lambda word: "||" if word == "&&" else "&&"),
        (_ARITHMETIC, "sign", lambda word: "-" if word == "+" else "+"),
        (_NUMBER, "number", lambda word: str(int(word) + 1)),
        (_TRUTH, "truth", lambda word: "false" if word == "true" else "true"),
    ):
        for match in pattern.finditer(code):
            if _in_function(code, match.start()):
                yield _fault(file, text, match.start(1), match.end(1), kind, changed(match[1]))
    for match in _CONDITION.finditer(code):
        end = _closing(code, match.end() - 1)
        if end is not None:
            inner = text[match.end() : end]
            yield _fault(file, text, match.end(), end, "condition", f"!({inner})")
    for match in _STATEMENT.finditer(code):
        start = match.start() + len(match[0]) - len(match[0].lstrip())
        if _in_function(code, start) and not _declares(match[0]):
            yield _fault(file, text, start, match.end() - 1, "statement", "")


def code_of(text: str) -> str:
    """Returns the text with blanks in place of comments and the like, and _ in strings and characters. Offsets stay
    equal."""
    return _NO_CODE.sub(lambda match: re.sub(r"[^\n]", "_" if match[0][0] in "\"'" else " ", match[0]), text)


def _fault(file: str, text: str, start: int, end: int, kind: str, after: str) -> Fault:
    return Fault(file, start, end, line_of(text, start), kind, text[start:end], after)


def _in_function(code: str, at: int) -> bool:
    """True within the braces of a function. Tables and types are left out."""
    opening = code.rfind("\n{", 0, at)
    return opening >= 0 and code.rfind("\n}", 0, at) < opening


def _closing(code: str, opening: int) -> int | None:
    depth = 0
    for at in range(opening, min(len(code), opening + 600)):
        depth += {"(": 1, ")": -1}.get(code[at], 0)
        if depth == 0:
            return at
    return None


def _declares(statement: str) -> bool:
    """True for `uint8_t i = 0` or `struct x *p = y`: without it nothing would compile."""
    return re.match(r"\s*(?:struct |enum |bool |char |int\d*_t|uint\d+_t|size_t |unsigned )", statement) is not None
