# SPDX-License-Identifier: MIT
"""Splits a function's body into tokens: its blocks, the end of each statement, and its local variables.

Invalid C is not refused; it is read as far as possible.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .c_source import CSource, Function

_TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|->|\+\+|--|<<=|>>=|&&|\|\||[-+*/%&|^=!<>]=|\S")
_CLOSES = {"(": ")", "[": "]", "{": "}"}
_QUALIFIERS = {"const", "volatile", "restrict", "register", "auto", "_Atomic", "static", "extern", "_Thread_local"}
_BASIC = {
    *("void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool", "bool"),
    *(f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)),
}
_TAGGED = {"struct", "union", "enum"}
_KEYWORDS = {
    *("break", "case", "continue", "default", "do", "else", "for", "goto", "if", "return", "sizeof", "switch"),
    *("typedef", "while", "_Static_assert", "asm"),
}
ASSIGNS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"}


@dataclass(frozen=True)
class Variable:
    """A local variable. Places are indices of tokens."""

    name: str
    at: int
    static: bool
    constant: bool
    initialised: bool
    array: bool
    scope: range


class Body:
    """The tokens of a function from its "{" to its "}"."""

    def __init__(self, source: CSource, function: Function) -> None:
        self._source = source
        matches = list(_TOKEN.finditer(source.statements, function.body, function.end))
        self.texts = [match[0] for match in matches]
        self._starts = [match.start() for match in matches]
        self.partners, self._inside = _brackets(self.texts)
        self._openers = {end: start for start, end in enumerate(self.partners) if end > start}

    def text(self, index: int) -> str:
        """Returns the token; "" outside of the text."""
        return self.texts[index] if 0 <= index < len(self.texts) else ""

    def line(self, index: int) -> int:
        """Returns the token's line in the file."""
        return self._source.line_at(self._starts[index])

    def find(self, *names: str) -> list[int]:
        return [index for index, text in enumerate(self.texts) if text in names]

    def opener(self, index: int) -> int:
        """The innermost bracket around a token; -1: none."""
        return self._inside[index]

    def call(self, index: int) -> range:
        """A macro's or function's name with its arguments, brackets included."""
        return range(index, self.partners[index + 1] + 1 if self.text(index + 1) == "(" else index + 1)

    def statement(self, index: int) -> range:
        """The statement that begins with this token, with all that belongs to it."""
        start, unfinished = index, []
        while index < len(self.texts):
            text = self.texts[index]
            if text in ("if", "for", "while", "switch") and self.text(index + 1) == "(":
                unfinished += ["if"] * (text == "if")
                index = self.partners[index + 1] + 1
                continue
            if text == "do":
                unfinished.append("do")
                index += 1
                continue
            index = self._simple_end(index)
            while unfinished:
                if unfinished.pop() == "if":
                    if self.text(index) == "else":
                        index += 1
                        break
                elif self.text(index) == "while" and self.text(index + 1) == "(":
                    index = self.partners[index + 1] + 1
                    index += self.text(index) == ";"
            else:
                return range(start, index)
        return range(start, len(self.texts))

    def _simple_end(self, index: int) -> int:
        """Returns the index after a block, or after the next semicolon."""
        if self.text(index) == "{":
            return self.partners[index] + 1
        while index < len(self.texts) and self.texts[index] != "}":
            if self.texts[index] == ";":
                return index + 1
            index = self.partners[index] + 1
        return index

    def variables(self) -> list[Variable]:
        """All that are declared in the body, in their order."""
        found: list[Variable] = []
        index = 0
        while index < len(self.texts):
            if self.texts[index] == "{" and not self._is_block(index):
                index = self.partners[index]
            elif self.text(index - 1) in ("{", "}", ";"):
                if self.text(self.opener(index)) != "(":
                    found += self._declaration(index, None)
            elif self.text(index - 1) == "(" and self.text(index - 2) == "for":
                found += self._declaration(index, index - 2)
            index += 1
        return found

    def _is_block(self, index: int) -> bool:
        """True if a "{" begins statements, not values or fields."""
        before = self.text(index - 1)
        if before == ")":
            name = self.text(self._openers.get(index - 1, 0) - 1)
            return re.fullmatch(r"[A-Za-z_]\w*", name) is not None and name not in ("return", "sizeof")
        return before in ("", "{", "}", ";", ":", "else", "do")

    def _declaration(self, index: int, loop: int | None) -> Iterator[Variable]:
        """Yields the variables of a declaration that begins here. `loop` is the "for" that contains it in its head."""
        qualifiers: set[str] = set()
        named = strong = False  # a type was named, and surely one
        while True:
            text = self.text(index)
            if text in _QUALIFIERS:
                qualifiers.add(text)
            elif text in _TAGGED:
                named = strong = True
                index += self.text(index + 1) not in ("{", "*", "")
                if self.text(index + 1) == "{":
                    index = self.partners[index + 1]
            elif text in _BASIC:
                named = strong = True
            elif not named and _is_name(text):
                named = True
            else:
                break
            index += 1
        strong = strong or bool(qualifiers)
        while named:
            pointer_const = "const" in qualifiers
            while self.text(index) in ("*", "const", "volatile", "restrict"):
                pointer_const = self.text(index) == "const" or (pointer_const and self.text(index) != "*")
                index += 1
            at = index
            if self.text(at) == "(" and self.text(at + 1) == "*" and strong:
                at, index, pointer_const = at + 2, self.partners[at], False  # a function's address
                index = self.partners[index + 1] if self.text(index + 1) in ("(", "[") else index
            behind = self.text(index + 1)
            if not _is_name(self.text(at)) or behind not in ("=", ";", ",", "["):
                return
            scope = self.statement(loop) if loop is not None else range(at, self._block_end(at))
            static = "static" in qualifiers
            if "extern" in qualifiers:
                return
            yield Variable(self.text(at), at, static, pointer_const, self._has_value(index + 1), behind == "[", scope)
            index = self.expression_end(index + 1)
            if self.text(index) != ",":
                return
            index += 1

    def _has_value(self, index: int) -> bool:
        while self.text(index) == "[":
            index = self.partners[index] + 1
        return self.text(index) == "="

    def expression_end(self, index: int) -> int:
        """Returns the index of the comma, semicolon or bracket that ends the expression around this token."""
        while index < len(self.texts) and self.texts[index] not in (",", ";", ")", "}"):
            index = self.partners[index] + 1
        return index

    def _block_end(self, index: int) -> int:
        while (index := self._inside[index]) >= 0:
            if self.texts[index] == "{":
                return self.partners[index] + 1
        return len(self.texts)


def _is_name(text: str) -> bool:
    return re.fullmatch(r"[A-Za-z_]\w*", text) is not None and text not in _KEYWORDS | _QUALIFIERS | _BASIC | _TAGGED


def _brackets(texts: list[str]) -> tuple[list[int], list[int]]:
    """Returns for each token its closing bracket, or itself if it opens nothing, and the bracket around it."""
    partners, inside = list(range(len(texts))), []
    open_ones: list[int] = []
    open_cnt = dict.fromkeys(_CLOSES.values(), 0)
    for index, text in enumerate(texts):
        if open_cnt.get(text):
            while (closed := open_ones.pop()) >= 0:
                right = _CLOSES[texts[closed]]
                open_cnt[right] -= 1
                partners[closed] = index if right == text else index - 1
                if right == text:
                    break
        inside.append(open_ones[-1] if open_ones else -1)
        if text in _CLOSES:
            open_ones.append(index)
            open_cnt[_CLOSES[text]] += 1
    for one in open_ones:
        partners[one] = len(texts) - 1
    return partners, inside
