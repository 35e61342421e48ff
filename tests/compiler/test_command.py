# SPDX-License-Identifier: MIT
"""python -m whit.compiler: its arguments, its exit code, and files that cannot be read or written."""

from pathlib import Path

import pytest

from tests.compiler.support import error_of, generator, make_app
from whit.compiler import CompileError, compile_application
from whit.compiler.__main__ import main


def limits_of(out: Path) -> str:
    return (out / "whit_limits.h").read_text()


def test_values_of_set(tmp_path: Path) -> None:
    app, out = make_app(tmp_path / "app", {"index.html": "x", "app.toml": "connections = 3\n"}), tmp_path / "out"
    sets = ["connections=7", "ping=true", "name=0123456789", "recovery=small", "entity_tags=false"]
    assert main([str(app), str(out), *(word for one in sets for word in ("--set", one))]) == 0
    assert "#define WHIT_CONNECTIONS 7 " in limits_of(out)
    assert main([str(app), str(out)]) == 0
    assert "#define WHIT_CONNECTIONS 3 " in limits_of(out)


@pytest.mark.parametrize("said", ["connections", "=3", ""])
def test_a_set_that_is_none(tmp_path: Path, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([str(tmp_path), str(tmp_path / "out"), "--set", said])
    assert ended.value.code == 2
    assert f"{said!r}: expected key=value, for example connections=2" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("connections=1000000000", "connections is '1000000000': expected an integer"),
        ("connections=999999999", "connections is 999999999: expected an integer"),
        ("connections=\u0663", "expected an integer"),
    ],
)
def test_a_mistake_is_one_line(tmp_path: Path, said: str, expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    app = make_app(tmp_path / "app", {"index.html": "x"})
    assert main([str(app), str(tmp_path / "out"), "--set", said]) == 1
    printed = capsys.readouterr().err
    assert expected in printed and printed.count("\n") == 1


def test_app_toml_that_is_a_directory(tmp_path: Path) -> None:
    app = make_app(tmp_path / "app", {"index.html": "x", "app.toml/x": "y"})
    assert error_of(app) == "app.toml: cannot be read: Is a directory"


def test_an_output_that_is_a_file(tmp_path: Path) -> None:
    app = make_app(tmp_path / "app", {"index.html": "x"})
    (tmp_path / "out").write_text("x")
    with pytest.raises(CompileError, match="out: cannot be written: File exists"):
        compile_application(app, tmp_path / "out")


def test_files_that_stay_keep_their_time(tmp_path: Path) -> None:
    """Unchanged files keep their time, so that the build does not repeat."""
    app, out = make_app(tmp_path / "app", {"index.html": "x"}), tmp_path / "out"
    compile_application(app, out)
    before = {path.name: path.stat().st_mtime_ns for path in out.iterdir()}
    compile_application(app, out)
    assert before == {path.name: path.stat().st_mtime_ns for path in out.iterdir()}
    compile_application(app, out, overrides={"connections": 9})
    changed = {path.name for path in out.iterdir() if path.stat().st_mtime_ns != before[path.name]}
    assert "whit_limits.h" in changed and len(changed) < len(before)


ONE = '[persistent.one]\na = "uint8"\n'
RECORDS = [
    (
        ONE,
        '<args record="one"><arg name="a" type="uint8"/></args>',
        "<args> with a record and with <arg>: the arguments are the fields of [persistent.one]; leave one of both out",
    ),
    (
        '[persistent.one]\na = { type = "uint8", count = 3 }\n',
        '<args record="one"/>',
        "field a of [persistent.one] is an array: expected single values as arguments",
    ),
    (
        '[persistent.one]\na = { type = "str", size = 4, default = "abc" }\n',
        '<args record="one"/>',
        "field a of [persistent.one] has the default 'abc': expected an empty one, as that of an argument is",
    ),
    ("", '<args record="one"/>', "record is 'one': expected a table [persistent.one] in app.toml"),
]


@pytest.mark.parametrize(("toml", "inner", "said"), RECORDS, ids=["both", "array", "default", "none"])
def test_records_that_are_no_arguments(tmp_path: Path, toml: str, inner: str, said: str) -> None:
    files = {"app.toml": toml, "x.c": generator(inner)}
    assert error_of(make_app(tmp_path / "app", files)) == f"x.c:3: {said}"


def test_a_huge_number(tmp_path: Path) -> None:
    text = f"connections = {hex(16**5000)}\n"
    said = error_of(make_app(tmp_path / "app", {"app.toml": text, "index.html": "x"}))
    assert said == "app.toml:1: connections is a huge number: expected an integer, 1 to 10000"


def test_pages_of_errors(tmp_path: Path) -> None:
    """Only error pages at the top level count. The page of 405 appears twice, once for each list of methods."""
    files = {"index.html": "x", "404.html": "none", "405.html": "not so", "d/404.html": "a file"}
    application = compile_application(make_app(tmp_path / "app", files), tmp_path / "out")
    assert sorted(url for one in application.resources for url in one.urls) == ["/", "/d/404.html", "/index.html"]
    tables = (tmp_path / "out" / "whit_tables.c").read_text()
    for status in ("HTTP_404", "HTTP_405", "HTTP_405_POST"):
        assert status in tables
    assert (tables.count("Allow: GET, HEAD"), tables.count("Allow: POST, PUT")) == (1, 1)
