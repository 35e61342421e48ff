# SPDX-License-Identifier: MIT
"""Writes a page's tree as a protothread in C: constant text is in flash, values are escaped for their context."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from jinja2 import nodes

from ..answers import STATUSES
from . import markup, queries
from .expressions import Int, Known, Loop, Row, Space
from .markup import Place
from .source import Page, Piece
from .values import Values

_PATH = r"/(?![/])[!#-\[\]-~]*"  # of a redirect: on this server, as a text in C
_DEPTH_MAX = 40  # templates that include each other


class Writer(Values):
    """Writes the statements of a page's doGet or doPost handler."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.include_depth = 0
        self.blocks: list[tuple[str, int]] = []  # the {% block %}s around this place
        self.state: list[str] = []  # fields of struct state_t
        self.queries = queries.Queries(self.expressions)
        self.in_rows = False
        self.chooses = False  # a status or a redirect

    def variable(self, name: str, kind: str) -> str:
        """A new field of struct state_t."""
        field = f"{name}_{len(self.state) + 1}"
        self.state.append(f"{kind} {field};")
        return f"state->{field}"

    # -------------------------------------------------------------------------------------------- statements

    def write(self) -> None:
        """All of the page."""
        self.run(self.page.pieces)
        if self.place.state != markup.State.TEXT:
            raise self.page.error(*self.last, f"the page ends within {self.place.name}: expected its end")
        self.flush()

    def run(self, pieces: Iterable[Piece]) -> None:
        before = self.piece
        for piece in pieces:
            self.piece = piece
            self.statement(piece.node)
        self.piece = before

    def inside(self, body: Sequence[nodes.Node]) -> None:
        self.run(self.page.inside(body, self.piece.file))

    def statement(self, node: nodes.Node) -> None:
        known: dict[type[nodes.Node], Callable[..., None]] = {
            nodes.Output: self.output,
            nodes.If: self.condition,
            nodes.For: self.loop,
            nodes.Assign: self.assign,
            nodes.ExprStmt: self.call,
            nodes.Block: self.block,
        }
        kind: type[nodes.Node] = type(node)
        if isinstance(node, nodes.Include):
            self.include()
        elif (write := known.get(kind)) is not None:
            write(node)
        else:
            ways: dict[type[nodes.Node], str] = {
                nodes.Macro: "{% macro %}: expected {% include %} of another template",
                nodes.Import: "{% import %}: expected {% include %}",
                nodes.FromImport: "{% from %}: expected {% include %}",
                nodes.With: "{% with %}: expected {% set %}",
                nodes.AssignBlock: "{% set %} of a block: expected {% set name = number %}",
            }
            tags = "if, for, set, include, extends, block, do, args, page, function, redirect and status"
            if node.find(nodes.ScopedEvalContextModifier):
                node = next(node.iter_child_nodes())  # it has the line
                raise self.error(node, "{% autoescape %}: expected nothing; values are always escaped")
            raise self.error(node, ways.get(kind, f"{kind.__name__}: expected one of the tags {tags}"))

    def include(self) -> None:
        self.include_depth += 1
        if self.include_depth > _DEPTH_MAX:
            message = "{% include %} in a circle: expected templates that do not include themselves"
            raise self.error(self.piece.node, message)
        self.run(list(self.page.included(self.piece)))
        self.include_depth -= 1

    def block(self, node: nodes.Block) -> None:
        self.blocks.append((node.name, 0))
        self.run(list(self.page.block(node)))
        self.blocks.pop()

    def condition(self, node: nodes.If) -> None:
        ends: list[Place] = []
        before, head = self.place, "if"
        ways: list[tuple[nodes.Node | None, Sequence[nodes.Node]]] = [(node.test, node.body)]
        ways += [(one.test, one.body) for one in node.elif_]
        for test, body in [*ways, (None, node.else_)]:
            self.place = before
            if test is not None:
                truth = self.expressions.truth(test, self.names)
                self.open(f"{head} ({truth})")
            elif body:
                self.open("else")
            self.inside(body)
            if test is not None or body:
                self.close()
            ends.append(self.place)
            head = "else if"
        self.place = self.meet(node, ends, "{% if %}")

    def space(self, node: nodes.Assign, name: str, call: nodes.Node) -> None:
        """{% set page = namespace(rows=0) %}"""
        assert isinstance(call, nodes.Call)
        fields: dict[str, str] = {}
        for one in call.kwargs:
            fields[one.key] = self.variable(f"{name}_{one.key}", "whit_number")
            self.line(f"{fields[one.key]} = {self.expressions.number(one.value, self.names)};")
        if call.args or not fields:
            raise self.error(node, "namespace(): expected names and numbers, namespace(rows=0)")
        self.scopes[-1][name] = Space(fields)

    def assign_field(self, node: nodes.Assign, target: nodes.NSRef) -> None:
        """{% set page.rows = 3 %}"""
        known = self.names.get(target.name)
        if not isinstance(known, Space) or target.attr not in known.fields:
            way = f"{{% set {target.name} = namespace({target.attr}=0) %}}"
            raise self.error(node, f"{{% set {target.name}.{target.attr} %}}: expected {way} before it")
        self.line(f"{known.fields[target.attr]} = {self.expressions.number(node.node, self.names)};")

    def assign(self, node: nodes.Assign) -> None:
        if isinstance(node.target, nodes.NSRef):
            self.assign_field(node, node.target)
            return
        if not isinstance(node.target, nodes.Name):
            raise self.error(node, "{% set %} of several: expected {% set name = number %}")
        name = node.target.name
        if name in ("args", "loop", "query", "execute", "range"):
            raise self.error(node, f"{{% set {name} %}}: expected another name")
        if _called(node.node) == "namespace":
            self.space(node, name, node.node)
            return
        if _called(node.node) == "execute":
            assert isinstance(node.node, nodes.Call)
            self.execute(node.node)
            number = "(int64_t)query_inserted(&state->query)"
        else:
            number = self.expressions.number(node.node, self.names)
        known = self.scopes[-1].get(name)
        field = known.c if isinstance(known, Int) else self.variable(name, "whit_number")
        self.scopes[-1][name] = Int(field)
        self.line(f"{field} = {number};")

    def call(self, node: nodes.ExprStmt) -> None:
        call = node.node
        name = _called(call)
        if not isinstance(call, nodes.Call) or name not in ("execute", "redirect", "status"):
            raise self.error(node, '{% do %}: expected {% do execute("INSERT ...", ...) %}')
        if name == "execute":
            self.execute(call)
            return
        if self.depth and self.in_rows:
            raise self.error(node, f"{{% {name} %}} among the rows of a query: expected it behind {{% endfor %}}")
        self.chooses = True
        given = call.args[0]
        value = given.value if isinstance(given, nodes.Const) else None
        if name == "redirect":
            if not isinstance(value, str) or not re.fullmatch(_PATH, value):
                raise self.error(node, '{% redirect %}: expected a constant path, {% redirect "/list.html" %}')
            self.line("answer_status(303);")
            self.line(f'answer_field("Location", "{value}");')
            self.line("return PT_DONE;")
        else:
            if value not in STATUSES:
                raise self.error(node, f"{{% status %}}: expected one of {' '.join(map(str, STATUSES))}")
            self.line(f"answer_status({value});")

    def execute(self, call: nodes.Call) -> None:
        if self.in_rows:
            raise self.error(call, "a query among the rows of another: expected one at a time; join them in SQL")
        query = self.queries.read(call, self.piece.file, self.names, rows=False)
        self.begin(query)

    def begin(self, query: queries.Query) -> None:
        self.line("state->query = (struct whit_query){0};")
        self.line(f"PT_WAIT_UNTIL(pt, (state->status = {query.begin}) != QUERY_WAITS);")
        self.failed()

    def failed(self) -> None:
        self.open("if (state->status == QUERY_FAILED)")
        self.line("return PT_UNAVAILABLE;")
        self.close()

    # -------------------------------------------------------------------------------------------- loops

    def loop(self, node: nodes.For) -> None:
        name = _called(node.iter)
        if not isinstance(node.target, nodes.Name) or name not in ("query", "range") or node.recursive:
            expected = 'expected {% for row in query("SELECT ...", ...) %} or {% for i in range(n) %}'
            raise self.error(node, f"{{% for %}}: {expected}")
        if node.test is not None:
            raise self.error(node, "{% for ... if %}: expected {% if %} inside, or WHERE in the query")
        assert isinstance(node.iter, nodes.Call)
        (self.rows if name == "query" else self.range)(node, node.target.name, node.iter)

    def body(self, node: nodes.For, scope: dict[str, Known], last: Callable[[], None]) -> None:
        """Writes the body of a loop; again where the place at its beginning depends on its end."""
        self.flush()
        kept = (len(self.lines), len(self.state), self.place)
        for _ in range(3):
            self.scopes.append(dict(scope))
            self.inside(node.body)
            last()
            self.flush()
            self.scopes.pop()
            place = self.meet(node, [kept[2], self.place], "{% for %}")
            if place == kept[2] or replace(kept[2], fresh=False) == place:
                self.place = place
                return
            del self.lines[kept[0] :], self.state[kept[1] :]
            kept = (*kept[:2], place)
            self.place = place
        raise self.error(node, "{% for %}: expected that its body ends where it begins")

    def otherwise(self, node: nodes.For, turn: str, before: Place) -> None:
        if node.else_:
            after, self.place = self.place, before
            self.open(f"if ({turn} == 0)")
            self.inside(node.else_)
            self.close()
            self.place = self.meet(node, [after, self.place], "{% for %} and its {% else %}")

    def range(self, node: nodes.For, name: str, call: nodes.Call) -> None:
        if not 1 <= len(call.args) <= 2 or call.kwargs:
            raise self.error(call, "range(): expected range(end) or range(begin, end)")
        bounds = [self.expressions.number(one, self.names) for one in call.args]
        number, end = self.variable(name, "whit_number"), self.variable("end", "whit_number")
        turn = self.variable("turn", "uint32_t")
        before = self.place
        self.line(f"{number} = {bounds[0] if len(bounds) == 2 else 'INT64_C(0)'};")
        self.line(f"{end} = {bounds[-1]};")
        self.line(f"{turn} = 0;")
        self.open(f"while ({number} < {end})")
        self.line(f"{turn}++;")
        self.body(node, {name: Int(number), "loop": Loop(turn)}, lambda: self.line(f"{number}++;"))
        self.close()
        self.otherwise(node, turn, before)

    def rows(self, node: nodes.For, name: str, call: nodes.Call) -> None:
        if self.in_rows:
            raise self.error(call, "a query among the rows of another: expected one at a time; join them in SQL")
        query = self.queries.read(call, self.piece.file, self.names, rows=True)
        turn = self.variable("turn", "uint32_t")
        before = self.place
        self.begin(query)
        self.line(f"{turn} = 0;")
        self.open("while (state->status == QUERY_ROW)")
        self.line(f"{turn}++;")
        self.in_rows = True
        following = "PT_WAIT_UNTIL(pt, (state->status = query_next(&state->query)) != QUERY_WAITS);"
        self.body(node, {name: Row(query.columns, turn, query.needs), "loop": Loop(turn)}, lambda: self.line(following))
        self.in_rows = False
        self.close()
        self.failed()
        self.otherwise(node, turn, before)

    # -------------------------------------------------------------------------------------------- {{ }}

    def output(self, node: nodes.Output) -> None:
        for item in node.nodes:
            if isinstance(item, nodes.TemplateData):
                self.constant(item)
            elif _called(item) == "super":
                self.parent(item)
            else:
                self.expression(item)

    def parent(self, node: nodes.Expr) -> None:
        """{{ super() }}: the block of the template that is extended."""
        name, depth = self.blocks[-1] if self.blocks else ("", 0)
        if depth + 1 >= len(self.page.blocks.get(name, [])):
            raise self.error(node, "super(): expected a block of that name in the template that is extended")
        self.blocks.append((name, depth + 1))
        self.run(list(self.page.block(nodes.Block(name, [], False, False), depth + 1)))
        self.blocks.pop()

    def body_text(self) -> str:
        """Returns the statements, with their places in the template."""
        rows: list[str] = []
        for place, lines in groupby(self.lines, lambda line: line[1]):
            texts = [text for text, _ in lines]
            indent = texts[0][: len(texts[0]) - len(texts[0].lstrip())]
            rows += [f"{indent}// {place}", *texts]
        return "".join(f"{row}\n" for row in rows)


def _called(node: nodes.Node) -> str:
    """Returns the name of the called function; "" if it is no call."""
    return node.node.name if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) else ""
