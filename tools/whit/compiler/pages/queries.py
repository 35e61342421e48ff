# SPDX-License-Identifier: MIT
"""query() and execute() of a page: prepared statements, and how their arguments are given."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from jinja2 import nodes

from ..statements import Need
from . import mistakes, sql
from .expressions import Bool, Column, Expressions, Int, Known, Text, Word

KEPT_MAX_S = 86400
_CHANGES = ("INSERT", "UPDATE", "DELETE", "REPLACE")


@dataclass(frozen=True)
class Query:
    """A query. `begin` is the C expression that starts it, `values` are the arguments for each ?."""

    number: int  # of the page's, from 1 on
    sql: str
    place: tuple[str, int]
    columns: tuple[str, ...]
    values: tuple[str, ...]
    kept_s: int  # how long its answer may be kept; 0: not at all
    needs: dict[int, Need] = field(default_factory=dict, compare=False)  # types with which the page computes, by column

    @property
    def begin(self) -> str:
        return f"query_{self.number}(args, state)"


class Queries:
    """All of a page."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.found: dict[tuple[str, tuple[str, ...], tuple[str, int]], Query] = {}

    def read(self, call: nodes.Call, file: str, names: Mapping[str, Known], rows: bool) -> Query:
        what, error = ("query" if rows else "execute"), self.expressions.error
        example = 'query("SELECT name FROM item WHERE id = ?", args.id)' if rows else 'execute("INSERT ...", args.name)'
        first = call.args[0] if call.args else None
        if not isinstance(first, nodes.Const) or not isinstance(first.value, str) or call.dyn_args:
            message = f"{what}(): SQL is one constant text, with a ? for each value: expected {example}"
            raise error(call, message)
        kept_s = self._kept(call, rows)
        text = " ".join(first.value.split())
        try:
            verb, marks = sql.verb(text), sql.marks(text)
            if rows and verb != "SELECT":
                raise sql.SqlError(f"{verb or 'no SELECT'} in query(): expected SELECT, or execute()")
            if not rows and verb not in _CHANGES:
                raise sql.SqlError(f"{verb or 'nothing'} in execute(): expected {', '.join(_CHANGES)}")
            columns = sql.columns(text) if rows else ()
        except sql.SqlError as mistake:
            raise error(call, str(mistake)) from None
        if marks != len(call.args) - 1:
            raise error(call, mistakes.values(text, marks, len(call.args) - 1))
        values = tuple(self._value(one, names) for one in call.args[1:])
        key = (text, values, (file, call.lineno))
        if key not in self.found:
            self.found[key] = Query(len(self.found) + 1, text, key[2], columns, values, kept_s)
        return self.found[key]

    def _kept(self, call: nodes.Call, rows: bool) -> int:
        """cache=60: seconds."""
        error = self.expressions.error
        for one in call.kwargs:
            if one.key != "cache":
                raise error(call, f"{one.key}= of a query: expected cache=60, a time in seconds, or nothing")
            if not rows:
                raise error(call, "cache= of execute(): expected it of query() alone; a change is never kept")
            value = one.value.value if isinstance(one.value, nodes.Const) else None
            if type(value) is not int or not 1 <= value <= KEPT_MAX_S:
                raise error(call, f"cache=: expected a constant, 1 to {KEPT_MAX_S} seconds")
            return value
        return 0

    def _value(self, node: nodes.Expr, names: Mapping[str, Known]) -> str:
        """A struct query_value."""
        value = (
            Text("", node.value)
            if isinstance(node, nodes.Const) and isinstance(node.value, str)
            else self.expressions.value(node, names)
        )
        if isinstance(value, (Int, Bool)):
            return f"{{.type = QUERY_INT, .integer = {value.c}}}"
        if isinstance(value, Text) and value.c:
            return f"{{.type = QUERY_TEXT, .len = (uint16_t)strlen({value.c}), .text = {value.c}}}"
        if isinstance(value, Text):
            raise self.expressions.error(node, "a constant text as a value: expected it in SQL itself, in '...'")
        if isinstance(value, Word):
            raise self.expressions.error(node, "an enum as a value: expected a number or a text; choose by {% if %}")
        assert isinstance(value, Column) or value
        raise self.expressions.error(node, "a column as a value: expected a number or an argument")
