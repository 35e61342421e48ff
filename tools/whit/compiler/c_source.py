# SPDX-License-Identifier: MIT
"""Parses the part of C that the compiler needs: comments, the functions of a file, and their parameters."""

import re
from dataclasses import dataclass
from functools import cached_property

from .errors import CompileError

_TOKEN = re.compile(
    r"""(?P<line>//(?:\\\n|[^\n])*) | (?P<block>/\*.*?\*/) | (?P<open>/\*)
      | "(?:\\.|[^"\\\n])*"? | '(?:\\.|[^'\\\n])*'?""",
    re.DOTALL | re.VERBOSE,
)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)
# A function's head in front of its body. What precedes the name must end the declaration's specifiers.
_DEFINITION = re.compile(
    r"[\w*]\s*\b(?P<name>[A-Za-z_]\w*)\s*\((?P<parameters>(?:[^(){};]|\([^(){};]*\))*)\)\s*(?P<body>\{)"
)
_ATTRIBUTE = re.compile(r"\b__attribute__\s*\(\([^(){};]*(?:\([^(){};]*\)[^(){};]*)*\)\)")
_NOT_NAMES = {"if", "for", "while", "switch", "return", "sizeof"}


@dataclass(frozen=True)
class Function:
    """A function that is defined in a file. Positions are those in the file's text."""

    name: str
    static: bool
    returns_char: bool
    returns_bool: bool
    parameters: tuple[str, ...]  # their types, "struct args_t *"; () for (void)
    start: int  # of its name
    body: int  # of the "{"
    end: int  # after the "}"


@dataclass(frozen=True)
class CSource:
    """A C file as texts of equal length and lines: `comments` has comments alone, `code` has code alone, `text` is the
    file. Comment marks are blank in the first two; strings and character constants are blank in `code`.
    """

    comments: str
    code: str
    text: str

    def line_at(self, position: int) -> int:
        return self.comments.count("\n", 0, position) + 1

    @cached_property
    def statements(self) -> str:
        """The code with directives and attributes blanked out, positions unchanged."""
        return _ATTRIBUTE.sub(_blanked, _DIRECTIVE.sub(_blanked, self.code))

    def functions(self) -> dict[str, Function]:
        """Every function that is defined here, by its name."""
        return {function.name: function for function in self.definitions}

    @cached_property
    def definitions(self) -> tuple[Function, ...]:
        """Functions in the file's order. (Some may lie within others in code that is not C without its directives.)"""
        code = self.statements
        ends = _block_ends(code)
        found = []
        for match in _DEFINITION.finditer(code):
            if match["name"] in _NOT_NAMES:
                continue
            specifiers = re.split(r"[;{}]", code[max(0, match.start("name") - 1000) : match.start("name")])[-1]
            words = re.findall(r"\w+|\*", specifiers)
            body = match.start("body")
            function = Function(
                name=match["name"],
                static="static" in words,
                returns_char=words[-1:] == ["char"] and not {"signed", "unsigned"} & set(words),
                returns_bool=words[-1:] in (["bool"], ["_Bool"]),
                parameters=_types(match["parameters"]),
                start=match.start("name"),
                body=body,
                end=ends[body],
            )
            found.append(function)
        return tuple(found)


def _types(parameters: str) -> tuple[str, ...]:
    """Types of parameters in one spelling, their names left out."""
    types = [_type(one) for one in re.split(r",(?![^()]*\))", parameters)]
    return () if types in (["void"], [""]) else tuple(types)


def _type(parameter: str) -> str:
    tokens = re.findall(r"\w+|\S", parameter)
    named = len(tokens) > 1 and re.fullmatch(r"[A-Za-z_]\w*", tokens[-1]) is not None
    if named and not (len(tokens) == 2 and tokens[0] in ("struct", "union", "enum")):
        tokens.pop()
    return re.sub(r"\* (?=\*)", "*", " ".join(tokens))


def _block_ends(code: str) -> dict[int, int]:
    """Returns for each "{" the position after its "}"; the end of the text if it is missing."""
    ends: dict[int, int] = {}
    open_blocks: list[int] = []
    for match in re.finditer(r"[{}]", code):
        if match[0] == "{":
            open_blocks.append(match.start())
        elif open_blocks:
            ends[open_blocks.pop()] = match.end()
    return ends | dict.fromkeys(open_blocks, len(code))


def read(file: object, text: str) -> CSource:
    """Tells comments from code. A byte order mark is neither."""
    text = text.replace("\ufeff", " ", 1) if text.startswith("\ufeff") else text
    comments: list[str] = []
    code: list[str] = []
    end = 0
    for match in _TOKEN.finditer(text):
        if match["open"]:
            raise CompileError(file, text.count("\n", 0, match.start()) + 1, "this comment is never closed by */")
        between = text[end : match.start()]
        comments.append(_blank(between))
        code.append(between)
        comments.append(_comment(match) if match["line"] or match["block"] else _blank(match[0]))
        code.append(_blank(match[0]))
        end = match.end()
    comments.append(_blank(text[end:]))
    code.append(text[end:])
    return CSource("".join(comments), "".join(code), text)


def _blanked(match: re.Match[str]) -> str:
    return _blank(match[0])


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _comment(match: re.Match[str]) -> str:
    """A comment's text, its marks and the asterisks that begin its lines replaced by blanks."""
    if match["line"]:
        return "  " + match[0][2:]
    inner = re.sub(r"^[ \t]*\*+", lambda stars: " " * len(stars[0]), match[0][2:-2], flags=re.MULTILINE)
    return f"  {inner}  "
