# SPDX-License-Identifier: MIT
"""Services that are asked by GET alone: as="get"."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from tests.compiler.support import error_of, make_app
from tests.harness import ask, engine_of
from tests.http.app_client import post
from tests.services.described import files
from whit.commands.described.wanted import Sizes
from whit.commands.new import new_of
from whit_testbed.engine import Engine

SAY = """/* <generator>
     <handlers call="say"/>
     <properties persistence="{persistence}"/>
     <service name="room" as="{ways}"/>
     <args><arg name="unit" type="enum" values="c f" default="c"/><arg name="text" type="str" size="9"/></args>
     <result><value name="value" type="int16" scale="1"/><value name="text" type="str" size="9"/></result>
   </generator> */
// Says how warm it is.
#include <whit/app.h>

static char say(struct args_t *args, struct result_t *result)
{{
    if (args->text[0] == '?')
        return fault("ask for something");
    result->value = args->unit == 0 ? 215 : 707;
    for (uint8_t i = 0; i < sizeof result->text; i++)
        result->text[i] = args->text[i];
    return 1;
}}
"""
PLAIN = """/* <generator>
     <handlers call="say"/>
     <properties persistence="volatile"/>
     <service name="room" as="get"/>
     <result><value name="heats" type="bool"/></result>
   </generator> */
#include <whit/app.h>

static char say(struct result_t *result)
{
    result->heats = true;
    return 1;
}
"""
APP = {"now.c": SAY.format(persistence="volatile", ways="get"), "heating.c": PLAIN}


engine = engine_of(APP, scope="module")


def test_results_and_faults(engine: Engine) -> None:
    found = ask(engine, "/now?unit=f&text=%22%C3%BC")
    assert (found.status, json.loads(found.body)) == (200, {"value": 70.7, "text": '"ü'})
    assert json.loads(ask(engine, "/heating").body) == {"heats": True}
    for query, reason in (
        ("text=a&unit=x", "unit: expected c or f"),
        ("unit=c", "missing: text: expected at most 8 bytes of UTF-8"),
        ("text=%FF", "text: expected at most 8 bytes of UTF-8"),
        ("text=?", "ask for something"),
    ):
        refused = ask(engine, f"/now?{query}")
        assert (refused.status, json.loads(refused.body)["fault"]["reason"]) == (400, reason)


def test_nothing_else_calls_it(engine: Engine) -> None:
    for path in ("/now", "/heating"):
        assert post(engine, path, "application/json", b'{"text":"a"}').status in (405, 501)
        assert post(engine, path, "application/x-www-form-urlencoded", b"text=a").status in (405, 501)


def test_the_image_reads_no_body(tmp_path: Path) -> None:
    files(make_app(tmp_path / "room", APP), tmp_path / "out")
    said = dict(re.findall(r"#define WHIT_HAS_(\w+) ([01])", (tmp_path / "out" / "whit_limits.h").read_text()))
    assert said["SERVICES"] == "1"
    assert {said[name] for name in ("BODY", "FORM", "JSON", "FORM_CALLS", "SOAP")} == {"0"}


def test_descriptions(tmp_path: Path) -> None:
    made = files(make_app(tmp_path / "room", APP), tmp_path / "out")
    openapi: dict[str, Any] = json.loads(made["openapi.json"])
    OpenAPIV31SpecValidator(openapi).validate()
    assert {path: set(item) for path, item in openapi["paths"].items()} == {"/now": {"get"}, "/heating": {"get"}}
    assert openapi["paths"]["/now"]["get"]["operationId"] == "now"
    thing = json.loads(made[".well-known/wot"])
    assert set(thing["properties"]) == {"heating"} and set(thing["actions"]) == {"now"}
    action = thing["actions"]["now"]
    assert action["forms"][0]["href"] == "/now{?unit,text}" and action["forms"][0]["htv:methodName"] == "GET"
    assert set(action["uriVariables"]) == {"unit", "text"}


def test_from_its_description(tmp_path: Path) -> None:
    first = files(make_app(tmp_path / "room", APP), tmp_path / "out")["openapi.json"]
    (tmp_path / "room.json").write_bytes(first)
    again = new_of(str(tmp_path / "again"), None, tmp_path / "room.json", Sizes())
    assert 'as="get"' in (again / "now.c").read_text()
    assert json.loads(files(again, tmp_path / "more")["openapi.json"])["paths"] == json.loads(first)["paths"]


@pytest.mark.parametrize(
    ("ways", "persistence", "expected"),
    [
        ("get json", "volatile", "as is 'get json': expected get alone; beside json it is there for what is"),
        ("get", "persistent", 'as is "get", and persistence is persistent: expected volatile, or as="json"'),
    ],
)
def test_mistakes(tmp_path: Path, ways: str, persistence: str, expected: str) -> None:
    app = make_app(tmp_path / "room", {"now.c": SAY.format(ways=ways, persistence=persistence)})
    assert expected in error_of(app)
