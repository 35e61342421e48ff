# SPDX-License-Identifier: MIT
"""Statements of app.toml, and how their arguments are counted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.compiler import CompileError, app_toml, statements
from whit.compiler.statements import Place, Statement


def read(text: str) -> tuple[Statement, ...]:
    return statements.together(statements.read(app_toml.read("app.toml", text, {})))


def one(sql: str, name: str = "x") -> Statement:
    return Statement(name, sql, Place("app.toml", 1))


def test_they_are_numbered_in_their_order():
    """The header names each, with the count of its arguments."""
    text = """
[statement.by_id]
sql = "SELECT name FROM item WHERE id = ?"
[statement.add]
sql = "INSERT INTO item (name, price) VALUES (?, ?)"
[statement.all]
sql = "SELECT 1"
"""
    found = read(text)
    assert [statement.place.line for statement in found] == [3, 5, 7]
    assert [line for line in statements.header(found).splitlines() if "#define WHIT_STATEMENT_" in line] == [
        "#define WHIT_STATEMENT_CNT 3",
        "#define WHIT_STATEMENT_BY_ID 0    // 1 argument",
        "#define WHIT_STATEMENT_ADD 1    // 2 arguments",
        "#define WHIT_STATEMENT_ALL 2    // 0 arguments",
    ]


@pytest.mark.parametrize(
    ("sql", "count"),
    [
        ("SELECT ?", 1),
        ("SELECT '?', ?", 1),
        ("SELECT 'it''s ?', ?", 1),
        (r"SELECT '\'?', ?", 1),
        ('SELECT "?", ?', 1),
        ("SELECT `a?` FROM t WHERE b = ?", 1),
        ("SELECT /* ? */ ? -- ?\n, ?", 2),
        ("SELECT 1 # ?", 0),
        ("SELECT 1--?", 1),
    ],
)
def test_only_arguments_are_counted(sql: str, count: int):
    """Question marks in a string, a name or a comment are not counted."""
    assert one(sql).argument_cnt == count


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("statement = 3", "app.toml:1: statement is 3: expected tables [statement.NAME]"),
        ("[statement]\nx = 1", "app.toml:2: statement.x is 1: expected a table"),
        ("[statement.x]\nsgl = 'SELECT 1'", "app.toml:2: unknown key 'sgl': expected sql"),
        ("[statement.x]\nsql = 5", 'app.toml:2: statement.x.sql is 5: expected a statement in a string, "SELECT ..."'),
        ("[statement.x]", 'app.toml:1: statement.x has no sql: expected sql = "SELECT ..."'),
        ("[statement.x]\nsql = ' '", "app.toml:2: sql of x: expected 1 to 65535 bytes"),
        ("[statement.x]\nsql = 'SELECT 1;'", "app.toml:2: sql of x holds a semicolon"),
        ("[statement.1x]\nsql = 'SELECT 1'", "app.toml:2: statement '1x': expected a letter"),
        (f"[statement.x]\nsql = 'SELECT {'?,' * 256}'", "has 256 arguments: expected at most 255"),
    ],
)
def test_a_mistake_is_told_with_its_line(text: str, message: str):
    """The message names the line and the expectation."""
    with pytest.raises(CompileError) as error:
        read(text)
    assert message in str(error.value)


def test_two_parts_share_a_statement_of_one_text():
    """Another text under the same name is an error that names both places."""
    assert len(statements.together([one("SELECT 1")], [one("SELECT 1", "X"), one("SELECT 2", "y")])) == 2
    with pytest.raises(CompileError, match=r"statement X is defined at app.toml:1 with another text"):
        statements.together([one("SELECT 1")], [one("SELECT 2", "X")])


@given(st.lists(st.sampled_from(["?", "'?'", "`?`", " ", ",", "/*?*/", '"?"', "# ?\n", "-- ?\n", "a"])))
def test_arguments_are_those_outside(parts: list[str]):
    """The number of arguments counts only question marks outside of strings and comments, in any order of parts."""
    assert one(" ".join(parts)).argument_cnt == parts.count("?")
