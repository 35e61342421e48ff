# SPDX-License-Identifier: MIT
"""Parts of a page's output: constant text, and values with the escaping of their context."""

from collections.abc import Sequence

from jinja2 import nodes

from ..errors import CompileError
from . import c_text, markup
from .expressions import Bool, Column, Const, Expressions, Int, Known, Text, Value, Word
from .markup import Escape, Misplaced, Place
from .source import Page, Piece

_INDENT = "    "
_DEPTH_MAX = 40  # blocks in blocks


class Values:
    """Lines of C, in their order."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.lines: list[tuple[str, str]] = []  # of C, and its place in the template
        self.texts: dict[bytes, str] = {}  # constant text, by its octets
        self.waiting = ""  # constant text that is not written yet
        self.place = Place()
        self.piece = Piece(nodes.Output([]), page.name)
        self.at = f"{page.name}:1"  # the last place that is known
        self.last = (page.name, 1)  # of constant text, the last line
        self.depth = 0
        self.scopes: list[dict[str, Known]] = [{}]
        self.expressions = Expressions(page.declared, self.error, self.text_named, self.where)

    def error(self, node: nodes.Node, message: str) -> CompileError:
        return self.page.error(self.piece.file, node.lineno or self.piece.node.lineno, message)

    def where(self, node: nodes.Node) -> tuple[str, int]:
        return self.piece.file, node.lineno or self.piece.node.lineno

    def text_named(self, text: str) -> str:
        """A constant text's name in C; it ends with a NUL."""
        (octets,) = c_text.pieces(text) or [b""]
        return self.texts.setdefault(octets, f"text_{len(self.texts) + 1}")

    def line(self, text: str) -> None:
        self.flush()
        self.at = f"{self.piece.file}:{self.piece.node.lineno}" if self.piece.node.lineno else self.at
        self.lines.append((_INDENT * (self.depth + 1) + text, self.at))

    def flush(self) -> None:
        text, self.waiting = self.waiting, ""
        for octets in c_text.pieces(text):
            name = self.texts.setdefault(octets, f"text_{len(self.texts) + 1}")
            self.line(f"PT_OUT_TEXT(pt, {name});")

    def constant(self, node: nodes.TemplateData) -> None:
        for number, line in enumerate(node.data.splitlines(keepends=True), node.lineno):
            self.last = (self.piece.file, number)
            try:
                self.place = markup.read(self.place, line)
            except Misplaced as error:
                raise self.page.error(*self.last, str(error)) from None
        self.waiting += node.data

    def open(self, head: str) -> None:
        self.flush()
        close = f"{_INDENT * (self.depth + 1)}}}"
        if head.startswith("else") and self.lines and self.lines[-1][0] == close:
            self.lines[-1] = (f"{close} {head} {{", self.lines[-1][1])
        else:
            self.line(f"{head} {{")
        self.depth += 1
        if self.depth > _DEPTH_MAX:
            raise self.error(self.piece.node, f"more than {_DEPTH_MAX} blocks in each other: expected fewer")

    def close(self) -> None:
        self.flush()
        self.depth -= 1
        self.line("}")

    @property
    def names(self) -> dict[str, Known]:
        return {name: known for scope in self.scopes for name, known in scope.items()}

    def meet(self, node: nodes.Node, ends: Sequence[Place], what: str) -> Place:
        place = ends[0]
        for other in ends[1:]:
            met = markup.meet(place, other)
            if met is None:
                message = f"the ways through {what} end at different places of the page, {place.name} and {other.name}"
                raise self.error(node, f"{message}: expected each tag and attribute whole on each way")
            place = met
        return place

    # -------------------------------------------------------------------------------------------- {{ }}

    def expression(self, node: nodes.Expr) -> None:
        if isinstance(node, nodes.Concat):
            for one in node.nodes:
                self.expression(one)
        elif isinstance(node, nodes.CondExpr):
            before = self.place
            self.open(f"if ({self.expressions.truth(node.test, self.names)})")
            self.expression(node.expr1)
            self.close()
            after, self.place = self.place, before
            if node.expr2 is not None:
                self.open("else")
                self.expression(node.expr2)
                self.close()
                self.place = after
            self.place = self.meet(node, [after, self.place], "{{ ... if ... }}")
        else:
            self.written(node, self.expressions.value(node, self.names))

    def written(self, node: nodes.Expr, value: Value) -> None:
        fresh = self.place.fresh
        try:
            how, self.place = markup.value_at(self.place)
        except Misplaced as error:
            raise self.error(node, f"{{{{ ... }}}} {error}") from None
        if isinstance(value, Const):
            self.waiting += c_text.escaped(value.text, how)
            return
        if fresh:
            self.waiting += "\n"  # which a browser drops
        if isinstance(value, Int):
            self.number(value)
        elif isinstance(value, Bool):
            yes, no = ("true", "false") if how == Escape.JSON else ("1", "0")
            self.choice([(f"{value.c}", yes), ("", no)])
        elif isinstance(value, Word):
            name = f"args->{value.argument.name}"
            words = [(f"{name} == {at}", c_text.escaped(one, how)) for at, one in enumerate(value.argument.words)]
            self.choice([*words[:-1], ("", words[-1][1])])
        elif isinstance(value, Text):
            self.text(value, how)
        else:
            self.column(value, how)

    def number(self, value: Int) -> None:
        if not value.plain:
            self.line(f"PT_OUT_NUMBER(pt, {value.c});")
        else:
            self.line(f"PT_OUT_{'INT' if value.signed else 'UINT'}(pt, {value.plain});")

    def choice(self, ways: Sequence[tuple[str, str]]) -> None:
        """Writes one of several constant texts."""
        for index, (test, text) in enumerate(ways):
            if len(ways) > 1:
                self.open(f"{'else ' if index else ''}{f'if ({test})' if test else ''}".rstrip())
            self.waiting += text
            if len(ways) > 1:
                self.close()

    def text(self, value: Text, how: Escape) -> None:
        if value.fallback is not None:
            self.open(f"if ({value.c}[0] != 0)")
        self.line(f"PT_OUT_ESCAPED(pt, {value.c}, WHIT_ESCAPE_{how.name});")
        if value.fallback is not None:
            self.close()
            self.open("else")
            self.waiting += c_text.escaped(value.fallback, how)
            self.close()

    def column(self, value: Column, how: Escape) -> None:
        if value.fallback is not None:
            self.open(f"if (!whit_column_empty({value.c}))")
        self.line(f"PT_OUT_COLUMN(pt, {value.c}, WHIT_ESCAPE_{how.name});")
        if value.fallback is not None:
            self.close()
            self.open("else")
            self.waiting += c_text.escaped(value.fallback, how)
            self.close()
