# SPDX-License-Identifier: MIT
"""json_errors in app.toml: the resources that report wrong arguments in JSON, and the content of their images."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.compiler.support import HANDLER, error_of, generator, make_app
from whit.compiler import compile_application

ON = "json_errors = true\n"
ARGS = '<args><arg name="a" type="uint8"/></args>'
TAKES_JSON = '<content-types><content-type type="application/json"/></content-types>'
IS_JSON = '<properties content-type="application/json; charset=utf-8"/>'
IS_TEXT = '<properties content-type="application/json-seq"/>'


def tables(tmp_path: Path, files: Mapping[str, str], *, host: bool = False) -> dict[str, str]:
    """Generated files by their names."""
    compile_application(make_app(tmp_path / "app", files), tmp_path / "out", host=host)
    return {path.name: path.read_text() for path in (tmp_path / "out").iterdir()}


def is_on(found: Mapping[str, str]) -> bool:
    on = "#define WHIT_HAS_JSON_ERRORS 1 " in found["whit_limits.h"]
    assert on == ("whit_json_texts" in found["whit_tables.c"])
    return on


@pytest.mark.parametrize(
    ("toml", "inner", "on"),
    [
        (ON, IS_JSON + ARGS, True),
        (ON, ARGS + TAKES_JSON, True),
        ("", IS_JSON + ARGS, False),
        ("json_errors = false", IS_JSON + ARGS, False),
        (ON, IS_JSON, False),
        (ON, IS_TEXT + ARGS, False),
        (ON, ARGS, False),
    ],
)
def test_where_there_is_json(tmp_path: Path, toml: str, inner: str, on: bool) -> None:
    handlers = 'doPost="get"' if TAKES_JSON in inner else 'doGet="get"'
    files = {"x.c": generator(inner, handlers), "app.toml": toml}
    assert is_on(tables(tmp_path, files)) == on


def test_hosts_have_the_log(tmp_path: Path) -> None:
    assert not is_on(tables(tmp_path, {"x.c": generator(IS_JSON + ARGS), "app.toml": ON}, host=True))


def test_services_tell_it_themselves(tmp_path: Path) -> None:
    code = "static char get(struct args_t *args, struct result_t *result)\n{ result->b = args->a; return 1; }\n"
    inner = ARGS + '<result><value name="b" type="uint8"/></result>'
    assert not is_on(tables(tmp_path, {"x.c": generator(inner, 'call="get"', code), "app.toml": ON}))


def test_places(tmp_path: Path) -> None:
    """Arguments are counted over all such resources; equal texts are stored once."""
    more = ARGS.replace("</args>", '<arg name="b" type="str" size="9"/></args>')
    files = {
        "a.c": generator(IS_JSON + more),
        "b.c": generator(ARGS),
        "c.c": generator(ARGS + TAKES_JSON, 'doPost="get"'),
        "d.c": generator(IS_JSON + more + TAKES_JSON, 'doPost="get"'),
        "app.toml": ON,
    }
    found = tables(tmp_path, files)
    places = {name: re.findall(r"\.json_errors = (.*),", text) for name, text in found.items()}
    assert {name: place for name, place in places.items() if name.startswith("generator_")} == {
        "generator_a.c": ["1"],
        "generator_b.c": ["0"],
        "generator_c.c": ["3 | WHIT_JSON_ALONE"],
        "generator_d.c": ["4"],
    }
    rows = re.search(r"whit_json_texts\[\] WHIT_FLASH = \{\n(.*?)\};", found["whit_tables.c"], re.DOTALL)
    assert rows and re.findall(r"octets_json_(\d)", rows[1]) == list("012345445")


def test_too_many_arguments(tmp_path: Path) -> None:
    names = [f'<arg name="a{number}" type="uint8"/>' for number in range(16)]
    files = {f"f{number}.c": generator(f"{IS_JSON}<args>{''.join(names)}</args>") for number in range(4)}
    assert is_on(tables(tmp_path, files | {"app.toml": ON}))
    files["more.c"] = generator(IS_JSON + ARGS)
    app = make_app(tmp_path / "more" / "app", files | {"app.toml": f'name = "x"\n{ON}'})
    assert error_of(app) == (
        "app.toml:2: json_errors with 65 arguments of resources that are or take JSON: expected at most 64; "
        "leave json_errors out"
    )
    compile_application(app, tmp_path / "off", overrides={"json_errors": False})


def test_it_is_a_boolean(tmp_path: Path) -> None:
    app = make_app(tmp_path / "app", {"x.c": generator(ARGS, code=HANDLER), "app.toml": "json_errors = 1"})
    assert error_of(app).startswith("app.toml:1: json_errors")
