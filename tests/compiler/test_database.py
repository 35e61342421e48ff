# SPDX-License-Identifier: MIT
"""[database] of app.toml: defaults, sources of the password, and the generated C."""

import re
from pathlib import Path

import pytest

from tests.compiler.support import error_of, make_app
from whit.compiler import compile_application

ONE = "[statement.one]\nsql = 'SELECT 1'\n"


def app_with(tmp_path: Path, toml: str) -> Path:
    return make_app(tmp_path / "app", {"index.html": "x", "app.toml": toml})


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WHIT_DATABASE_PASSWORD", raising=False)


def test_defaults(tmp_path: Path) -> None:
    """An empty table is enough. Its connections are clients of the engine."""
    application = compile_application(app_with(tmp_path, f"[database]\n{ONE}"), tmp_path / "out")
    database = application.database
    assert database is not None and database.own and database.password is None
    assert (database.address, database.port, database.user, database.name) == ("10.0.2.2", 3306, "whit", "whit")
    assert application.limits.client_connections == database.connections == 2
    page = (tmp_path / "out" / "whit_database.h").read_text()
    assert "#define WHIT_DATABASE_ADDRESS 0x0a000202u " in page
    assert "set(WHIT_DATABASE ON)" in (tmp_path / "out" / "sources.cmake").read_text()


def test_clients_of_its_own_come_on_top(tmp_path: Path) -> None:
    toml = f"[client]\nconnections = 3\n[database]\nconnections = 5\n{ONE}"
    assert compile_application(app_with(tmp_path, toml), tmp_path / "out").limits.client_connections == 8


def test_without_it_there_is_nothing_of_it(tmp_path: Path) -> None:
    assert compile_application(app_with(tmp_path, ""), tmp_path / "out").database is None
    assert not list((tmp_path / "out").glob("whit_database*"))
    assert "WHIT_DATABASE" not in (tmp_path / "out" / "sources.cmake").read_text()


def test_the_schema_is_not_served(tmp_path: Path) -> None:
    app = make_app(tmp_path / "app", {"index.html": "x", "schema.sql": "x", "app.toml": f"[database]\n{ONE}"})
    assert [one.urls[0] for one in compile_application(app, tmp_path / "out").resources] == ["/"]


@pytest.mark.parametrize("password", [b"plain", b'a"b\\c??/d\n1', bytes(range(1, 256)), b"\xff0\0001", b""])
def test_the_password_from_a_file(tmp_path: Path, password: bytes) -> None:
    """The password is the file's content without its last line feed; any octets become a string in C."""
    (tmp_path / "secret").write_bytes(password + b"\n")
    app = app_with(tmp_path, f'[database]\npassword = "file:../secret"\n{ONE}')
    database = compile_application(app, tmp_path / "out").database
    assert database is not None and database.password == password
    text = (tmp_path / "out" / "whit_database.c").read_text()
    literal = re.search(r'\.password = "(.*)",\n    \.password_len = (\d+),', text)
    assert literal and int(literal[2]) == len(password)
    assert literal[1].isascii() and "??" not in literal[1]
    plain = re.sub(r"\\\\|\\\?", lambda found: found[0].replace("\\?", "?"), literal[1])
    assert plain.encode().decode("unicode_escape").encode("latin-1") == password


def test_the_password_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHIT_DATABASE_PASSWORD", "usual")
    monkeypatch.setenv("OTHER", "other")
    app = app_with(tmp_path, f"[database]\n{ONE}")
    assert compile_application(app, tmp_path / "out").database.password == b"usual"  # type: ignore[union-attr]
    app = app_with(tmp_path, f'[database]\npassword = "env:OTHER"\n{ONE}')
    assert compile_application(app, tmp_path / "out").database.password == b"other"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ('[database]\npassword = "secret"', 'expected its source, "file:PATH" or "env:NAME"'),
        ('[database]\npassword = "env:NOT_THERE"', "NOT_THERE is not set: expected the password in the environment"),
        ('[database]\npassword = "file:secret"', "secret is in the application's directory, all of which is served"),
        ('[database]\npassword = "file:../nowhere"', "No such file or directory: expected the password"),
        ('[database]\nlogin = "mysql_clear_password"', 'expected "any", or one of mysql_native_password'),
        ('[database]\naddress = "127.0.0.1"', "expected an IPv4 host address"),
        ("[database]\nrows = 0", "expected an integer, 1 to 1000000"),
        ('[database]\nhost = "10.0.0.1"', "unknown key 'database.host': did you mean database.address?"),
        (ONE, "statement one: expected in app.toml which database it is for, a table [database]"),
    ],
)
def test_a_mistake_is_told(tmp_path: Path, toml: str, said: str) -> None:
    assert said in error_of(app_with(tmp_path, toml))


def test_what_is_probably_not_meant(tmp_path: Path) -> None:
    """A hint names a missing password, a missing address, and a database without statements."""
    app = app_with(tmp_path, f'[database]\naddress = "192.168.1.5"\n{ONE}')
    assert "the database's password is empty" in " ".join(compile_application(app, tmp_path / "out").hints)
    app = app_with(tmp_path, f"[database]\n{ONE}")
    assert "no database.address: asks 10.0.2.2" in " ".join(compile_application(app, tmp_path / "out").hints)
    app = app_with(tmp_path, "[database]")
    assert "[database] without a statement" in " ".join(compile_application(app, tmp_path / "out").hints)


PAGE = "{{% for row in query('SELECT id FROM item WHERE id > ?', 3{}) %}}{{{{ row.id }}}}{{% endfor %}}\n"
ALL = "{% for row in query('SELECT id FROM item', cache=60) %}{{ row.id }}{% endfor %}\n"


@pytest.mark.parametrize(
    ("pages", "toml", "kept"),
    [
        ([PAGE.format("")], "", 0),
        ([ALL], "", 1),
        ([PAGE.format(", cache=9"), ALL, ALL], "", 6),
        ([ALL], "kept = 200\n", 200),
    ],
)
def test_answers_that_are_kept(tmp_path: Path, pages: list[str], toml: str, kept: int) -> None:
    """The image keeps one answer for a query without values, four for one with values, or as app.toml sets."""
    files = {f"{number}.jinja": page for number, page in enumerate(pages)}
    app = make_app(tmp_path / "app", {"app.toml": f"[database]\n{toml}", **files})
    database = compile_application(app, tmp_path / "out").database
    assert database is not None and database.kept == kept
    assert database.kept_ram == kept * (4096 + 24)
    assert f"#define WHIT_DATABASE_KEPT {kept} " in (tmp_path / "out" / "whit_database.h").read_text()
    assert ("query_begin_kept" in "".join(map(Path.read_text, (tmp_path / "out").glob("page_*.h")))) == (kept > 0)


def test_a_query_wants_answers_that_app_toml_refuses(tmp_path: Path) -> None:
    app = make_app(tmp_path / "app", {"app.toml": "[database]\nkept = 0\n", "list.jinja": ALL})
    assert re.search(r"app.toml:2: kept = 0, and .*list.jinja:1 says cache=: expected kept = 1", error_of(app))
