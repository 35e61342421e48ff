# SPDX-License-Identifier: MIT
"""Reads a template with jinja2's parser, and its declarations by {% args %}, {% page %} and {% function %}.

Resolves {% extends %} and {% include %}. The result is one tree; each statement has its own file."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.lexer import Token
from jinja2.parser import Parser

from whit.suggest import did_you_mean

from .. import arguments
from ..errors import CompileError
from ..model import ARGUMENTS_MAX, STR, Argument
from . import mistakes

SUFFIX = ".jinja"
DEPTH_MAX = 20  # templates that include each other
READ_MAX = 50  # nested parentheses or tags that Jinja's parser reads, at any depth of Python's stack
NESTED_MAX = 100  # levels of the tree: tags inside of each other, operators of an expression
_INTEGERS = ("uint8", "uint16", "uint32", "int8", "int16", "int32")
_PAGE = ("idempotent", "volatile", "post")


@dataclass(frozen=True)
class Function:
    """A function of the application's C files that a page asks for a number."""

    name: str
    type: str
    parameters: tuple[str, ...]
    place: tuple[str, int]

    @property
    def declaration(self) -> str:
        parameters = ", ".join(f"{one}_t" for one in self.parameters) or "void"
        return f"{self.type}_t {self.name}({parameters});"


@dataclass
class Declared:
    """The declarations of a page and of all that it includes."""

    arguments: dict[str, Argument] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    page: dict[str, tuple[str, int]] = field(default_factory=dict)  # words of {% page %}, each with its place


@dataclass(frozen=True)
class Piece:
    """A statement of the page, and its file."""

    node: nodes.Node
    file: str


class _Tags(Extension):
    """Tags of a page in addition to Jinja's own."""

    tags = {"args", "page", "function", "redirect", "status"}  # noqa: RUF012  as the library has it

    def parse(self, parser: Parser) -> nodes.Node | list[nodes.Node]:
        token = next(parser.stream)
        environment = parser.environment
        assert isinstance(environment, _Environment)
        reader = _Reader(parser, environment.file, environment.declared)
        if token.value in ("redirect", "status"):
            call = nodes.Call(nodes.Name(token.value, "load"), [parser.parse_expression()], [], None, None)
            return nodes.ExprStmt(call).set_lineno(token.lineno)
        getattr(reader, token.value)(token)
        return []


class _Environment(jinja2.Environment):
    """Reads templates of one application."""

    def __init__(self, directory: Path) -> None:
        super().__init__(
            loader=jinja2.FileSystemLoader(directory),
            extensions=[_Tags, "jinja2.ext.do"],
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        self.directory = directory
        self.declared = Declared()
        self.file = ""

    def template(self, name: str, place: tuple[str, int | None]) -> nodes.Template:
        """Returns the tree of a template that `place` names. Raises an error at a mistake in its syntax."""
        assert self.loader
        try:
            text, _, _ = self.loader.get_source(self, name)
        except jinja2.TemplateNotFound:
            message = f"no template {name!r}: expected a file of the application, its path from the top"
            raise self.error(*place, message) from None
        except UnicodeDecodeError as error:
            line_number = error.object.count(b"\n", 0, error.start) + 1
            raise self.error(name, line_number, "not UTF-8: expected a template in UTF-8; convert it") from None
        before, self.file = self.file, name
        parser = None
        try:
            parser = Parser(self, text, name)
            tree = parser.parse()
        except jinja2.TemplateSyntaxError as error:
            message = _first_lower((error.message or "cannot be read").rstrip("."))
            line = (text.splitlines()[error.lineno - 1 : error.lineno] or [""])[0]
            raise self.error(name, error.lineno, mistakes.syntax(line, message)) from None
        except RecursionError:
            reached = parser.stream.current.lineno if parser else None
            raise self.error(name, reached, mistakes.nested(READ_MAX)) from None
        finally:
            self.file = before
        self._check_depth(tree, name)
        return tree

    def _check_depth(self, tree: nodes.Template, name: str) -> None:
        """Raises an error if the tree is deeper than functions that walk it can recurse."""
        level: list[nodes.Node] = [tree]
        for _ in range(NESTED_MAX):
            level = [child for node in level for child in node.iter_child_nodes()]
        if level:
            raise self.error(name, level[0].lineno, mistakes.nested(NESTED_MAX))

    def error(self, file: str, line: int | None, message: str) -> CompileError:
        return CompileError(self.directory / file, line, message)


def _first_lower(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


class _Reader:
    """The declarations, token by token."""

    def __init__(self, parser: Parser, file: str, declared: Declared) -> None:
        self.parser, self.stream, self.file, self.declared = parser, parser.stream, file, declared

    def error(self, line: int, message: str) -> CompileError:
        environment = self.parser.environment
        assert isinstance(environment, _Environment)
        return environment.error(self.file, line, message)

    def args(self, token: Token) -> None:
        """{% args id: uint32, page: uint16 = 0, name: str(40), mode: enum("a b"), key: uint8 path = 0 %}"""
        while True:
            name = self._name("an argument's name, id: uint32")
            said = {"name": name.value} | self._type(name)
            if self.stream.skip_if("name:path"):
                said["source"] = "path"
            if self.stream.skip_if("assign"):
                said |= self._default(said["type"])
            self._add(name, said)
            if not self.stream.skip_if("comma"):
                break
        self._end(token, "a comma before the next argument")

    def _add(self, name: Token, said: dict[str, str]) -> None:
        from ..annotation import is_name

        if not is_name(name.value):
            raise self.error(name.lineno, f"argument {name.value!r}: expected an identifier that is no word of C")
        if name.value in self.declared.arguments:
            raise self.error(name.lineno, f"argument {name.value!r} is declared twice: expected it once")
        if said.get("source") == "path" and any(one.path for one in self.declared.arguments.values()):
            raise self.error(name.lineno, "a second argument with path: expected one; the others come in the query")
        argument = arguments.read(said, name.lineno, lambda message, _: self.error(name.lineno, message))
        self.declared.arguments[name.value] = argument
        if len(self.declared.arguments) > ARGUMENTS_MAX:
            raise self.error(name.lineno, f"more than {ARGUMENTS_MAX} arguments: expected fewer")

    def _type(self, name: Token) -> dict[str, str]:
        if not self.stream.skip_if("colon"):
            raise self.error(name.lineno, f"argument {name.value!r} has no type: expected {name.value}: uint32")
        kind = self._name("a type, uint32")
        if kind.value not in arguments.TYPES:
            types, guess = ", ".join(arguments.TYPES), did_you_mean(kind.value, arguments.TYPES)
            raise self.error(kind.lineno, f"unknown type {kind.value!r}: expected one of {types}{guess}")
        if kind.value not in (STR, "enum"):
            return {"type": kind.value}
        example = "str(40), at most 40 bytes" if kind.value == STR else 'enum("on off")'
        if not self.stream.skip_if("lparen"):
            raise self.error(kind.lineno, f"{kind.value} without (): expected {example}")
        token = next(self.stream)
        if token.type != ("integer" if kind.value == STR else "string") or not self.stream.skip_if("rparen"):
            raise self.error(kind.lineno, f"{kind.value}({token.value}: expected {example}")
        if kind.value == "enum":
            return {"type": kind.value, "values": str(token.value)}
        length = int(token.value)
        if not 1 <= length <= 254:
            raise self.error(kind.lineno, f"str({length}): expected 1 to 254 bytes")
        return {"type": kind.value, "size": str(length + 1)}

    def _default(self, kind: str) -> dict[str, str]:
        minus = "-" if self.stream.skip_if("sub") else ""
        token = next(self.stream)
        if kind == STR and token.type == "string" and token.value == "":
            return {"optional": "true"}
        return {"default": f"{minus}{token.value}"}

    def page(self, token: Token) -> None:
        """{% page volatile %}, {% page post %}"""
        while True:
            word = self._name(f"one of {', '.join(_PAGE)}")
            if word.value not in _PAGE:
                guess = did_you_mean(word.value, _PAGE)
                raise self.error(word.lineno, f"{word.value!r} of a page: expected one of {', '.join(_PAGE)}{guess}")
            self.declared.page[word.value] = (self.file, word.lineno)
            if not self.stream.skip_if("comma"):
                break
        self._end(token, "a comma before the next word")

    def function(self, token: Token) -> None:
        """{% function reading(uint8): int16 %}"""
        name = self._name("a function's name, reading(uint8): int16")
        parameters: list[str] = []
        if self.stream.skip_if("lparen"):
            while not self.stream.skip_if("rparen"):
                parameters.append(self._integer(name))
                self.stream.skip_if("comma")
        if not self.stream.skip_if("colon"):
            raise self.error(name.lineno, f"function {name.value!r} has no type: expected {name.value}(): int32")
        function = Function(name.value, self._integer(name), tuple(parameters), (self.file, name.lineno))
        self.declared.functions[name.value] = function
        self._end(token, "one function")

    def _integer(self, name: Token) -> str:
        kind = self._name("a type, int32")
        if kind.value not in _INTEGERS:
            message = f"{kind.value!r} of function {name.value!r}: expected one of {', '.join(_INTEGERS)}"
            raise self.error(kind.lineno, message)
        return str(kind.value)

    def _name(self, expected: str) -> Token:
        token = self.stream.current
        if token.type != "name":
            raise self.error(token.lineno, f"{token.value!r}: expected {expected}")
        return next(self.stream)

    def _end(self, tag: Token, expected: str) -> None:
        token = self.stream.current
        if token.type != "block_end":
            raise self.error(token.lineno, f"{token.value!r} in {{% {tag.value} %}}: expected {expected}, or %}}")


# ------------------------------------------------------------------------------------------------ one tree


class Page:
    """A template with all that it includes and extends."""

    def __init__(self, directory: Path, name: str) -> None:
        self.directory, self.name = directory, name
        self.environment = _Environment(directory)
        self.blocks: dict[str, list[Piece]] = {}  # by name, the child's first
        self.pieces = self._root(name)
        self.declared = self.environment.declared

    def error(self, file: str, line: int | None, message: str) -> CompileError:
        return self.environment.error(file, line, message)

    def _root(self, name: str) -> list[Piece]:
        """The statements of the template that the last {% extends %} names."""
        place: tuple[str, int | None] = (name, None)
        for _ in range(DEPTH_MAX):
            tree = self.environment.template(name, place)
            seen: dict[str, int] = {}
            for block in tree.find_all(nodes.Block):
                if block.name in seen:
                    message = f"a second {{% block {block.name} %}}: the first is on line {seen[block.name]}"
                    raise self.error(name, block.lineno, message)
                seen[block.name] = block.lineno
                self.blocks.setdefault(block.name, []).append(Piece(block, name))
            parent = next(tree.find_all(nodes.Extends), None)
            if parent is None:
                return [Piece(one, name) for one in tree.body]
            self._check_child(tree, name)
            place = (name, parent.lineno)
            name = self.constant(parent.template, Piece(parent, name), "{% extends %}")
        raise self.error(*place, f"more than {DEPTH_MAX} templates extend each other: expected no circle")

    def _check_child(self, tree: nodes.Template, name: str) -> None:
        """Raises an error at content beside a child's blocks, which a browser would not see."""
        for one in tree.body:
            data = one.nodes if isinstance(one, nodes.Output) else []
            if isinstance(one, (nodes.Extends, nodes.Block)) or (
                isinstance(one, nodes.Output)
                and all(isinstance(item, nodes.TemplateData) and not item.data.strip() for item in data)
            ):
                continue
            message = "outside of a block of a template that extends another: expected it inside of {% block %}"
            raise self.error(name, one.lineno, message)

    def constant(self, node: nodes.Expr, piece: Piece, what: str) -> str:
        if not isinstance(node, nodes.Const) or not isinstance(node.value, str):
            raise self.error(piece.file, piece.node.lineno, f'{what}: expected a constant text, "_base.html.jinja"')
        return str(node.value)

    def inside(self, body: Sequence[nodes.Node], file: str) -> Iterator[Piece]:
        return (Piece(one, file) for one in body)

    def block(self, block: nodes.Block, depth: int = 0) -> Iterator[Piece]:
        """Yields the statements of a block: those of the last template that extends this one."""
        chosen = self.blocks[block.name][depth]
        assert isinstance(chosen.node, nodes.Block)
        return self.inside(chosen.node.body, chosen.file)

    def included(self, piece: Piece) -> Iterator[Piece]:
        node = piece.node
        assert isinstance(node, nodes.Include)
        if node.ignore_missing or not node.with_context:
            message = "{% include %}: expected a template's name alone; it sees the names around it"
            raise self.error(piece.file, node.lineno, message)
        name = self.constant(node.template, piece, "{% include %}")
        tree = self.environment.template(name, (piece.file, node.lineno))
        if extends := next(tree.find_all(nodes.Extends), None):
            message = "{% extends %} in a template that is included: expected it in a page"
            raise self.error(name, extends.lineno, message)
        if block := next(tree.find_all(nodes.Block), None):
            raise self.error(name, block.lineno, "{% block %} in a template that is included: expected it in a page")
        return self.inside(tree.body, name)


def served_as(source: str) -> str:
    """The path of a page: its name without the suffix."""
    return source.removesuffix(SUFFIX)


def is_part(source: str) -> bool:
    """Templates for others only."""
    return re.match(r"(.*/)?_[^/]*\Z", source) is not None
