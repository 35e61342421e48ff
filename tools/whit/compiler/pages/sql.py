# SPDX-License-Identifier: MIT
"""Parses the part of SQL that a page needs: the number of ? of a statement, and the columns of its rows."""

import re

_TOKEN = re.compile(
    r"""(?P<space>\s+|--\s[^\n]*|\#[^\n]*|/\*.*?\*/) | (?P<text>'(?:''|\\.|[^'\\])*'|"(?:""|\\.|[^"\\])*")
      | `(?P<quoted>[^`]+)` | (?P<word>[A-Za-z_][A-Za-z0-9_$]*) | (?P<number>[0-9][0-9A-Za-z.]*) | (?P<mark>.)""",
    re.VERBOSE | re.DOTALL,
)
_AFTER_LIST = {"FROM", "INTO", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "UNION", "FOR", "PROCEDURE"}


class SqlError(Exception):
    """The text says what was expected."""


def marks(sql: str) -> int:
    """Returns the number of a statement's arguments."""
    return sum(match["mark"] == "?" for match in _tokens(sql))


def verb(sql: str) -> str:
    """Returns the statement's first word."""
    return next((match["word"].upper() for match in _tokens(sql) if match["word"]), "")


def columns(sql: str) -> tuple[str, ...]:
    """The names of a SELECT's columns, in their order."""
    tokens = _tokens(sql)
    found: list[str] = []
    name, depth, cnt = "", 0, 0
    for match in tokens[1:]:
        word, mark = match["word"], match["mark"]
        if depth == 0 and word and word.upper() in _AFTER_LIST:
            break
        if depth == 0 and word and word.upper() in ("DISTINCT", "ALL", "AS") and not (cnt == 0 and name):
            continue
        if depth == 0 and mark == ",":
            found.append(_checked(name, found))
            name, cnt = "", 0
            continue
        depth += {"(": 1, ")": -1}.get(mark or "", 0)
        cnt += 1
        if mark == "*" and (cnt == 1 or name == ".") and depth == 0:
            raise SqlError("* in a SELECT: expected the names of its columns, in the order of the page")
        name = "" if depth or mark else match["quoted"] or word or ""
        name = "." if mark == "." else name
    return (*found, _checked(name, found))


def _checked(name: str, before: list[str]) -> str:
    if not re.fullmatch(r"[A-Za-z_]\w*", name):
        raise SqlError(f"column {len(before) + 1} of the SELECT has no name: expected one, COUNT(*) AS cnt")
    if name in before:
        raise SqlError(f"two columns are named {name}: expected different names, b.{name} AS other_{name}")
    return name


def _tokens(sql: str) -> list[re.Match[str]]:
    found = [match for match in _TOKEN.finditer(sql) if not match["space"]]
    if found and found[-1]["mark"] == ";":
        found.pop()
    for match in found:
        if match["mark"] in (";", "'", '"', "`"):
            raise SqlError(f"{match['mark']} in SQL: expected one statement, with a closing mark for each text")
    return found
