# SPDX-License-Identifier: MIT
"""A fault: a piece of a source file and its replacement."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, order=True)
class Fault:
    """`file` is relative to the tree; [start, end) are characters of it, `line` the first of them, from 1."""

    file: str
    start: int
    end: int
    line: int
    kind: str
    before: str
    after: str

    def applied(self, text: str) -> str:
        return text[: self.start] + self.after + text[self.end :]

    def difference(self, text: str) -> str:
        """Returns the changed lines, before and after; `text` is the file's."""
        first = text.rfind("\n", 0, self.start) + 1
        last = text.find("\n", self.end)
        before = text[first:last]
        after = text[first : self.start] + self.after + text[self.end : last]
        return "\n".join([f"- {line}" for line in before.splitlines()] + [f"+ {line}" for line in after.splitlines()])

    @property
    def shown(self) -> str:
        """File, line and change in one line."""
        return f"{self.file}:{self.line}: {self.kind}: {_short(self.before)} -> {_short(self.after) or 'nothing'}"

    def source_line(self, root: Path) -> str:
        """Returns the line of the tree's file. It identifies an equivalent fault."""
        return (root / self.file).read_text().splitlines()[self.line - 1].strip()

    def nth(self, root: Path) -> int:
        """Returns the number of the place, from 1, among places of its line with the same text."""
        text = (root / self.file).read_text()
        return text.count(self.before, text.rfind("\n", 0, self.start) + 1, self.start) + 1


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 60 else words[:57] + "..."


def line_of(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
