# SPDX-License-Identifier: MIT
"""Expressions of a template, typed, as expressions of C."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from jinja2 import nodes

from whit.suggest import did_you_mean

from ..errors import CompileError
from ..model import ENUM, STR, Argument
from ..statements import Need
from .source import Declared, Function

FILTERS = ("default", "e", "escape", "length")
_OPERATORS = {"eq": "==", "ne": "!=", "lt": "<", "lteq": "<=", "gt": ">", "gteq": ">="}
_ORDERS = {
    "==": "WHIT_SAME",
    "!=": "WHIT_LESS | WHIT_GREATER | WHIT_OTHER",
    "<": "WHIT_LESS",
    "<=": "WHIT_LESS | WHIT_SAME",
    ">": "WHIT_GREATER",
    ">=": "WHIT_GREATER | WHIT_SAME",
}
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_ARITHMETIC = {nodes.Add: "add", nodes.Sub: "sub", nodes.Mul: "mul", nodes.FloorDiv: "div", nodes.Mod: "mod"}
_INT64_MAX = (1 << 63) - 1


@dataclass(frozen=True)
class Int:
    """A number: a C expression of type int64_t. `plain`: the same in its own type, which can be written directly."""

    c: str
    plain: str = ""
    signed: bool = True


@dataclass(frozen=True)
class Bool:
    """True or false: a C expression."""

    c: str


@dataclass(frozen=True)
class Text:
    """A text that ends with a NUL: a C expression."""

    c: str
    fallback: str | None = None


@dataclass(frozen=True)
class Word:
    """A word of an enum."""

    argument: Argument


@dataclass(frozen=True)
class Column:
    """A column of the current row; its type is known at run time."""

    number: int
    name: str
    needs: dict[int, Need] = field(compare=False)  # of the query, by the column's number
    fallback: str | None = None

    @property
    def c(self) -> str:
        return f"&state->query, {self.number}"


@dataclass(frozen=True)
class Const:
    """A constant text."""

    text: str


@dataclass(frozen=True)
class Row:
    """The variable of {% for row in query(...) %}."""

    columns: tuple[str, ...]
    turn: str  # a C expression: its number, from 1 on
    needs: dict[int, Need] = field(default_factory=dict, compare=False)


@dataclass(frozen=True)
class Loop:
    """`loop` of Jinja's."""

    turn: str


@dataclass(frozen=True)
class Space:
    """Jinja's namespace(): numbers that loops set for later statements, by name."""

    fields: dict[str, str]  # C expressions of type int64_t


Value = Int | Bool | Text | Word | Column | Const
Known = Int | Row | Loop | Space
Complain = Callable[[nodes.Node, str], CompileError]
Where = Callable[[nodes.Node], tuple[str, int]]


class Expressions:
    """`names` are the variables that are seen; `texts` gives a constant text a name in C."""

    def __init__(self, declared: Declared, error: Complain, texts: Callable[[str], str], where: Where) -> None:
        self.declared, self.error, self.texts, self.where = declared, error, texts, where
        self.calls: set[str] = set()  # functions that are asked

    def value(self, node: nodes.Node, names: Mapping[str, Known]) -> Value:
        if isinstance(node, nodes.Const):
            return self._constant(node)
        if isinstance(node, nodes.Name):
            return self._name(node, names)
        if isinstance(node, nodes.Getattr):
            return self._field(node, names)
        if isinstance(node, nodes.Call):
            return self._call(node, names)
        if isinstance(node, nodes.Filter):
            return self._filter(node, names)
        if isinstance(node, (nodes.Not, nodes.And, nodes.Or, nodes.Compare, nodes.Test)):
            return Bool(self.truth(node, names))
        if isinstance(node, nodes.BinExpr) and type(node) in _ARITHMETIC:
            return self._arithmetic(node, names)
        if isinstance(node, nodes.Neg):
            return Int(f"whit_sub(0, {self.number(node.node, names)})")
        if isinstance(node, nodes.Pos):
            return Int(self.number(node.node, names))
        ways: dict[type[nodes.Node], str] = {
            nodes.Div: "/ gives a fraction: expected //, which gives a whole number",
            nodes.Concat: "~ outside of {{ }}: expected {{ a ~ b }}, or two {{ }} side by side",
            nodes.Getitem: "[ ]: expected a name behind a dot, args.id or row.name",
        }
        what = f"{type(node).__name__}: expected numbers, arguments, columns, + - * // %, comparisons, and, or, not"
        raise self.error(node, ways.get(type(node), what))

    def number(self, node: nodes.Node, names: Mapping[str, Known]) -> str:
        """A C expression of type int64_t."""
        value = self.value(node, names)
        if isinstance(value, Int):
            return value.c
        if isinstance(value, Bool):
            return f"WHIT_INT({value.c})"
        if isinstance(value, Column):
            return f"whit_column_int({self._needed(node, value, Need.INT).c})"
        raise self.error(node, "a text where a number is needed: expected a number; a database can count and convert")

    def _needed(self, node: nodes.Node, column: Column, kind: str) -> Column:
        """The column, of which the database is asked for that kind of value."""
        before = column.needs.get(column.number)
        if before is not None and Need.TEXT in (before.kind, kind) and before.kind != kind:
            message = f"{column.name} is used as a number and as a text: expected one of them"
            raise self.error(node, f"{message}; SQL makes two columns of one")
        if before is None or (before.kind, kind) == (Need.NUMBER, Need.INT):
            column.needs[column.number] = Need(kind, column.name, *self.where(node))
        return column

    def truth(self, node: nodes.Node, names: Mapping[str, Known]) -> str:
        """A C expression that is true or false."""
        if isinstance(node, nodes.Not):
            return f"!({self.truth(node.node, names)})"
        if isinstance(node, (nodes.And, nodes.Or)):
            sign = "&&" if isinstance(node, nodes.And) else "||"
            return f"({self.truth(node.left, names)}) {sign} ({self.truth(node.right, names)})"
        if isinstance(node, nodes.Compare):
            return self._comparison(node, names)
        if isinstance(node, nodes.Test):
            return self._test(node, names)
        value = self.value(node, names)
        if isinstance(value, Int):
            return f"{value.plain or value.c} != 0"
        if isinstance(value, Bool):
            return value.c
        if isinstance(value, Text):
            return f"{value.c}[0] != 0"
        if isinstance(value, Column):
            return f"whit_column_true({value.c})"
        raise self.error(node, "neither true nor false: expected a comparison")

    def _constant(self, node: nodes.Const) -> Value:
        value = node.value
        if isinstance(value, bool):
            return Bool("true" if value else "false")
        if isinstance(value, int):
            if abs(value) > _INT64_MAX:
                raise self.error(node, f"{value}: expected a number of at most 63 bits")
            return Int(f"INT64_C({value})", str(value) if value <= 32767 else "")
        if isinstance(value, str):
            return Const(value)
        if value is None:
            raise self.error(node, "none: expected a number or a text; of a column, {% if row.name is none %}")
        raise self.error(node, f"{value}: expected a whole number or a text; a database can round: ROUND(price, 2)")

    def _name(self, node: nodes.Name, names: Mapping[str, Known]) -> Value:
        known = names.get(node.name)
        if isinstance(known, Int):
            return known
        if isinstance(known, (Row, Loop, Space)) or node.name == "args":
            raise self.error(node, f"{node.name} is no value: expected one of its fields, {node.name}.name")
        argument = f"; an argument is args.{node.name}" if node.name in self.declared.arguments else ""
        guess = argument or did_you_mean(node.name, [*names, "args"])
        raise self.error(node, f"{node.name} is not known here: expected args.name, a row or a {{% set %}}{guess}")

    def _field(self, node: nodes.Getattr, names: Mapping[str, Known]) -> Value:
        if not isinstance(node.node, nodes.Name):
            raise self.error(node, f".{node.attr}: expected one dot, args.id or row.name")
        whose = node.node.name
        known = names.get(whose)
        if isinstance(known, Row):
            if node.attr not in known.columns:
                guess = did_you_mean(node.attr, known.columns)
                columns = ", ".join(known.columns)
                raise self.error(node, f"no column {node.attr}: expected one of {columns}{guess}")
            return Column(known.columns.index(node.attr), f"{whose}.{node.attr}", known.needs)
        if isinstance(known, Loop):
            return self._loop(node, known)
        if isinstance(known, Space):
            if node.attr not in known.fields:
                names_known = ", ".join(known.fields)
                guess = did_you_mean(node.attr, known.fields)
                raise self.error(node, f"{whose} has no {node.attr}: expected one of {names_known}{guess}")
            return Int(known.fields[node.attr])
        if whose == "args" and known is None:
            return self._argument(node)
        raise self.error(node, f"{whose} has no fields: expected args.{node.attr}, or the row of a query")

    def _loop(self, node: nodes.Getattr, loop: Loop) -> Value:
        if node.attr == "first":
            return Bool(f"{loop.turn} == 1")
        if node.attr in ("index", "index0"):
            c = f"WHIT_INT({loop.turn})"
            return Int(c, loop.turn, signed=False) if node.attr == "index" else Int(f"whit_sub({c}, 1)")
        raise self.error(node, f"loop.{node.attr}: expected loop.index, loop.index0 or loop.first")

    def _argument(self, node: nodes.Getattr) -> Value:
        argument = self.declared.arguments.get(node.attr)
        if argument is None:
            guess = did_you_mean(node.attr, self.declared.arguments)
            expected = f"expected {{% args {node.attr}: uint32 %}} at the template's head"
            raise self.error(node, f"argument {node.attr} is not declared: {expected}{guess}")
        c = f"args->{argument.name}"
        if argument.type == STR:
            return Text(c)
        if argument.type == ENUM:
            return Word(argument)
        if argument.type == "bool":
            return Bool(c)
        return Int(f"WHIT_INT({c})", c, signed=argument.type.startswith("int"))

    def _call(self, node: nodes.Call, names: Mapping[str, Known]) -> Value:
        name = node.node.name if isinstance(node.node, nodes.Name) else ""
        function = self.declared.functions.get(name)
        if function is None:
            ways = {
                "query": "query(...) here: expected {% for row in query(...) %}",
                "execute": "execute(...) here: expected {% do execute(...) %}",
                "range": "range(...) here: expected {% for i in range(...) %}",
            }
            guess = did_you_mean(name, self.declared.functions)
            expected = f"expected {{% function {name or 'name'}: int32 %}} at the template's head{guess}"
            raise self.error(node, ways.get(name, f"{name or 'this'}() is not declared: {expected}"))
        return self._declared_call(node, function, names)

    def _declared_call(self, node: nodes.Call, function: Function, names: Mapping[str, Known]) -> Value:
        if len(node.args) != len(function.parameters) or node.kwargs or node.dyn_args or node.dyn_kwargs:
            cnt = len(function.parameters)
            raise self.error(node, f"{function.name}() with {len(node.args)} arguments: expected {cnt}, as declared")
        pairs = zip(function.parameters, node.args, strict=True)
        given = ", ".join(f"({kind}_t){self.number(one, names)}" for kind, one in pairs)
        self.calls.add(function.name)
        c = f"{function.name}({given})"
        return Int(f"WHIT_INT({c})", c, signed=function.type.startswith("int"))

    def _filter(self, node: nodes.Filter, names: Mapping[str, Known]) -> Value:
        assert node.node is not None
        value = self.value(node.node, names)
        if node.name in ("e", "escape"):
            return value  # everything is
        if node.name == "length" and isinstance(value, Text):
            return Int(f"WHIT_INT(whit_text_chars({value.c}))")
        if node.name == "length" and isinstance(value, Column):
            return Int(f"WHIT_INT(whit_column_chars({self._needed(node, value, Need.TEXT).c}))")
        if node.name == "length" and isinstance(value, Const):
            return Int(f"INT64_C({len(value.text)})")
        if node.name == "default" and isinstance(value, (Text, Column)):
            return self._default(node, value)
        if node.name in FILTERS:
            raise self.error(node, f"|{node.name} of a number: expected a text or a column")
        ways = {
            "safe": "values are always escaped; expected markup in the template itself",
            "tojson": "expected no filter: in a script, a value becomes JSON by itself",
            "urlencode": "expected no filter: in an URL, a value is encoded by itself",
            "round": "expected a database to round: SELECT ROUND(price, 2) AS price",
        }
        way = ways.get(node.name, f"expected one of {', '.join(FILTERS)}{did_you_mean(node.name, FILTERS)}")
        raise self.error(node, f"filter |{node.name}: {way}")

    def _default(self, node: nodes.Filter, value: Text | Column) -> Value:
        if len(node.args) != 1 or not isinstance(node.args[0], nodes.Const) or not isinstance(node.args[0].value, str):
            raise self.error(node, '|default: expected a constant text, |default("-")')
        text = node.args[0].value
        return Text(value.c, text) if isinstance(value, Text) else replace(value, fallback=text)

    def _arithmetic(self, node: nodes.BinExpr, names: Mapping[str, Known]) -> Value:
        left = self.number(node.left, names)
        if isinstance(node, (nodes.FloorDiv, nodes.Mod)):
            right = node.right
            if not isinstance(right, nodes.Const) or type(right.value) is not int or right.value <= 0:
                raise self.error(node, f"{node.operator}: expected a constant above 0 behind it")
        return Int(f"whit_{_ARITHMETIC[type(node)]}({left}, {self.number(node.right, names)})")

    def _comparison(self, node: nodes.Compare, names: Mapping[str, Known]) -> str:
        parts, left = [], node.expr
        for operand in node.ops:
            if operand.op not in _OPERATORS:
                raise self.error(node, f"{operand.op}: expected == != < <= > or >=")
            parts.append(self._compare(node, left, _OPERATORS[operand.op], operand.expr, names))
            left = operand.expr
        return " && ".join(f"({part})" for part in parts) if len(parts) > 1 else parts[0]

    def _compare(
        self, node: nodes.Node, left: nodes.Expr, sign: str, right: nodes.Expr, names: Mapping[str, Known]
    ) -> str:
        one, other = self.value(left, names), self.value(right, names)
        if isinstance(one, Const):
            one, other = other, one
        if not isinstance(other, Const):
            return self._order(node, left, sign, right, names)
        if sign not in ("==", "!="):
            raise self.error(node, f"{sign} of texts: expected == or !=; a database can sort")
        no = "" if sign == "==" else "!"
        if isinstance(one, Text):
            return f"{no}whit_text_is({one.c}, {self.texts(other.text)})"
        if isinstance(one, Column):
            return f"{no}whit_column_is({self._needed(node, one, Need.TEXT).c}, {self.texts(other.text)})"
        if isinstance(one, Word):
            words = one.argument.words
            if other.text not in words:
                message = f"{other.text!r} is no word of {one.argument.name}: expected {one.argument.expected}"
                raise self.error(node, f"{message}{did_you_mean(other.text, words)}")
            return f"args->{one.argument.name} {sign} {words.index(other.text)}"
        raise self.error(node, "a number and a text: expected two numbers, or two texts")

    def _order(
        self, node: nodes.Node, left: nodes.Expr, sign: str, right: nodes.Expr, names: Mapping[str, Known]
    ) -> str:
        """Two numbers; or two columns, of which SQL alone knows an order where they are texts."""
        one, other = self.value(left, names), self.value(right, names)
        if isinstance(one, Column) and isinstance(other, Column):
            for column in (one, other) if sign in _TURNED else ():
                self._needed(node, column, Need.NUMBER)
            return f"whit_columns_order({one.c}, {other.number}, {_ORDERS[sign]})"
        if isinstance(other, Column):
            return self._order(node, right, _TURNED.get(sign, sign), left, names)
        if isinstance(one, Column):
            number = self.number(right, names)
            return f"whit_column_order({self._needed(node, one, Need.NUMBER).c}, {number}, {_ORDERS[sign]})"
        return f"{self.number(left, names)} {sign} {self.number(right, names)}"

    def _test(self, node: nodes.Test, names: Mapping[str, Known]) -> str:
        if node.name in ("odd", "even", "divisibleby") and not (node.name == "divisibleby" and len(node.args) != 1):
            by = node.args[0] if node.args else nodes.Const(2)
            value = self._arithmetic(nodes.Mod(node.node, by, lineno=node.lineno), names)
            assert isinstance(value, Int)
            return f"{value.c} {'!=' if node.name == 'odd' else '=='} 0"
        if node.name == "none":
            value = self.value(node.node, names)
            if isinstance(value, Column):
                return f"whit_column_none({value.c})"
            raise self.error(node, "is none: expected a column of a row; an argument has its default")
        raise self.error(node, f"is {node.name}: expected is none, is odd, is even or is divisibleby(3)")
