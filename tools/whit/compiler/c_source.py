# SPDX-License-Identifier: MIT
"""As much of C as the compiler needs: what is a comment, and which functions a file defines."""

import re
from dataclasses import dataclass

from .errors import CompileError

_TOKEN = re.compile(
    r"""(?P<line>//(?:\\\n|[^\n])*) | (?P<block>/\*.*?\*/) | (?P<open>/\*)
      | "(?:\\.|[^"\\\n])*"? | '(?:\\.|[^'\\\n])*'?""",
    re.DOTALL | re.VERBOSE,
)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)
# A function's head in front of its body. What precedes the name must end the declaration's specifiers.
_DEFINITION = re.compile(r"[\w*]\s*\b(?P<name>[A-Za-z_]\w*)\s*\((?:[^(){};]|\([^(){};]*\))*\)\s*\{")
_NOT_NAMES = {"if", "for", "while", "switch", "return", "sizeof"}


@dataclass(frozen=True)
class CSource:
    """A C file as two texts of the same length and the same lines: its comments alone, and its code alone.
    Comment marks are blank in both; strings and character constants are blank in `code`."""

    comments: str
    code: str

    def line_at(self, position: int) -> int:
        return self.comments.count("\n", 0, position) + 1

    def functions(self) -> dict[str, bool]:
        """Name of every function that is defined here, and whether it is static."""
        code = _DIRECTIVE.sub("", self.code)
        found = {}
        for match in _DEFINITION.finditer(code):
            specifiers = re.split(r"[;{}]", code[: match.start("name")])[-1]
            if match["name"] not in _NOT_NAMES:
                found[match["name"]] = re.search(r"\bstatic\b", specifiers) is not None
        return found


def read(file: object, text: str) -> CSource:
    """Tells comments from code."""
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
    return CSource("".join(comments), "".join(code))


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _comment(match: re.Match[str]) -> str:
    """A comment's text, its marks and the asterisks that begin its lines replaced by blanks."""
    if match["line"]:
        return "  " + match[0][2:]
    inner = re.sub(r"^[ \t]*\*+", lambda stars: " " * len(stars[0]), match[0][2:-2], flags=re.MULTILINE)
    return f"  {inner}  "
