# SPDX-License-Identifier: MIT
"""Statements of a database: [statement.NAME] of app.toml, and statements that other parts of the compiler find.

An application executes them by number, WHIT_STATEMENT_NAME. Their text is fixed here. Each ? is replaced by an
argument, which travels beside the text.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from whit.suggest import did_you_mean

from . import app_toml
from .errors import CompileError

STATEMENTS_MAX = 255
SQL_MAX = 65535
ARGUMENTS_MAX = 255
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,62}")
# Parts that may hold a ? that is no argument: strings, names in backquotes, comments.
_QUOTED = re.compile(
    r"""'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|`[^`]*`|/\*.*?\*/|(?:#|--(?=\s|\Z))[^\n]*""", re.DOTALL
)


@dataclass(frozen=True)
class Place:
    """The file and line of a statement, for messages."""

    file: object
    line: int | None = None


@dataclass(frozen=True)
class Need:
    """A column with which a page computes: `kind` is a letter of enum need (database/place.h)."""

    NUMBER: ClassVar[str] = "n"
    INT: ClassVar[str] = "i"
    TEXT: ClassVar[str] = "t"
    kind: str
    column: str
    file: object
    line: int


@dataclass(frozen=True)
class Statement:
    """A statement. Its constant is WHIT_STATEMENT_ and the name, in capital letters."""

    name: str
    sql: str
    place: Place
    is_kept: bool = False  # its answers, for a while
    needs: Mapping[int, Need] = field(default_factory=dict, compare=False, hash=False)  # by the column's number

    @property
    def constant(self) -> str:
        return f"WHIT_STATEMENT_{self.name.upper()}"

    @property
    def argument_cnt(self) -> int:
        """Number of its arguments: each ? outside of strings and comments."""
        return _QUOTED.sub(" ", self.sql).count("?")


def needs_text(statement: Statement) -> str:
    """A character for each column up to the last that a page computes with; "" where it computes with none."""
    kinds = {number: need.kind for number, need in statement.needs.items()}
    return "".join(kinds.get(number, "-") for number in range(max(kinds, default=-1) + 1))


def read(settings: app_toml.Settings) -> tuple[Statement, ...]:
    """[statement.NAME] of app.toml, in its order."""
    tables = settings.tables.get("statement", {})
    if not isinstance(tables, dict):
        raise settings.error_at("statement", f"statement is {app_toml.shown(tables)}: expected tables [statement.NAME]")
    return tuple(_read_one(settings, name, table) for name, table in tables.items())


def _read_one(settings: app_toml.Settings, name: str, table: object) -> Statement:
    key = f"statement.{name}"
    if not isinstance(table, dict):
        raise settings.error_at(key, f"{key} is {app_toml.shown(table)}: expected a table, [{key}] with sql below it")
    for other in table:
        if other != "sql":
            message = f"unknown key {other!r}: expected sql{did_you_mean(other, ('sql',))}"
            raise settings.error_at(f"{key}.{other}", message)
    if "sql" not in table:
        raise settings.error_at(key, f'{key} has no sql: expected sql = "SELECT ..."')
    sql = table["sql"]
    if not isinstance(sql, str):
        message = f'{key}.sql is {app_toml.shown(sql)}: expected a statement in a string, "SELECT ..."'
        raise settings.error_at(f"{key}.sql", message)
    return Statement(name, sql, Place(settings.file, settings.line_at(f"{key}.sql")))


def together(*parts: Iterable[Statement]) -> tuple[Statement, ...]:
    """All of them by number, checked. A statement of the same name and text as an earlier one is that one."""
    found: dict[str, Statement] = {}
    for statement in (one for part in parts for one in part):
        _check(statement)
        before = found.setdefault(statement.constant, statement)
        if before.sql != statement.sql:
            raise _error(
                statement, f"statement {statement.name} is defined at {_shown(before.place)} with another text"
            )
    if len(found) > STATEMENTS_MAX:
        raise _error(list(found.values())[-1], f"{len(found)} statements: expected at most {STATEMENTS_MAX}")
    return tuple(found.values())


def _check(statement: Statement) -> None:
    name, sql = statement.name, statement.sql
    if not _NAME.fullmatch(name):
        raise _error(statement, f"statement {name!r}: expected a letter, and then letters, digits and underscores")
    if not sql.strip() or len(sql.encode()) > SQL_MAX or "\0" in sql:
        raise _error(statement, f"sql of {name}: expected 1 to {SQL_MAX} bytes without NUL")
    if ";" in _QUOTED.sub(" ", sql):
        raise _error(statement, f"sql of {name} holds a semicolon: expected one statement, which needs none at its end")
    if statement.argument_cnt > ARGUMENTS_MAX:
        message = f"sql of {name} has {statement.argument_cnt} arguments: expected at most {ARGUMENTS_MAX}"
        raise _error(statement, message)


def header(statements: Sequence[Statement]) -> str:
    """whit_statements.h: their numbers."""
    lines = [
        "// Written by the application compiler from app.toml and templates; do not edit.",
        "// What query_begin() of whit/database.h takes.",
        "#ifndef WHIT_STATEMENTS_H",
        "#define WHIT_STATEMENTS_H",
        "",
        f"#define WHIT_STATEMENT_CNT {len(statements)}",
        *(
            f"#define {one.constant} {number}    // {one.argument_cnt} argument{'' if one.argument_cnt == 1 else 's'}"
            for number, one in enumerate(statements)
        ),
    ]
    return "\n".join([*lines, "", "#endif", ""])


def _error(statement: Statement, message: str) -> CompileError:
    return CompileError(statement.place.file, statement.place.line, message)


def _shown(place: Place) -> str:
    return f"{place.file}" if place.line is None else f"{place.file}:{place.line}"
