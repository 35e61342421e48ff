# SPDX-License-Identifier: MIT
"""OpenAPI, the Thing Description and the page are valid, and describe the functions' arguments and results."""

import gzip
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator, Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from rich.console import Console

from tests.bodies.support import ask
from tests.compiler.support import error_of, generator, make_app
from tests.crypto.built import had
from tests.services.described import files
from tests.services.support import APP, called, got, result
from whit.compiler import compile_application
from whit.image.build import build
from whit.image.export import export
from whit.image.report import say_omitted
from whit.paths import ROOT
from whit.targets import TARGETS
from whit.wire.http import request
from whit_testbed.engine import Engine

EXAMPLE, LIVE = ROOT / "apps" / "services", ROOT / "apps" / "live"
GIVES = "static char get(struct result_t *result) { (void)result; return 1; }\n"
VALUE = '<result><value name="v" type="int8"/></result>'


def schema_of(openapi: dict[str, Any], name: str) -> Draft202012Validator:
    found = openapi["components"]["schemas"][name]
    Draft202012Validator.check_schema(found)
    return Draft202012Validator(found)


@pytest.mark.parametrize("app", [APP, EXAMPLE], ids=["tests", "example"])
def test_openapi_is_valid_and_says_each_operation(app: Path, tmp_path: Path) -> None:
    openapi = json.loads(files(app, tmp_path)["openapi.json"])
    OpenAPIV31SpecValidator(openapi).validate()
    assert set(openapi["paths"]) == {f"/{source.stem}" for source in app.glob("*.c") if "call=" in source.read_text()}


def test_results_and_arguments_are_as_described(engine: Engine) -> None:
    openapi = json.loads(got(engine, "/openapi.json").body)
    every: dict[str, Any] = {"u8": 7, "i8": -12.8, "unit": "k", "when": "2024-02-29T12:30:45Z", "octets": "AAEC"}
    for name, path, arguments in (
        ("device.every", "/every", every),
        ("device.nested", "/nested", {"points": 3, "each": 2}),
        ("counter.Add", "/once", {"by": -128}),
        ("device.plain", "/plain", {}),
        ("device.quiet", "/quiet", {}),
    ):
        operation = openapi["paths"][path]["post"]
        assert operation["operationId"] == name
        if arguments:
            schema_of(openapi, f"{name}.arguments").validate(arguments)
        given = result(called(engine, path, arguments))
        if path == "/nested":
            given["one"]["last"] = "yes"  # which the function left without a word
        schema_of(openapi, f"{name}.result").validate(given)
        assert set(given) == set(openapi["components"]["schemas"][f"{name}.result"]["properties"])
    fault = json.loads(called(engine, "/every", {"u8": 256}).body)
    schema_of(openapi, "fault").validate(fault)


@pytest.mark.parametrize(
    "arguments",
    [
        {"u8": 256},
        {"u8": -1},
        {"u16": 65.536},
        {"i8": 12.8},
        {"unit": "x"},
        {"on": "x"},
        {"text": "x" * 40},
        {"u8": []},
    ],
)
def test_what_the_schema_refuses_is_refused(engine: Engine, arguments: dict[str, Any]) -> None:
    openapi = json.loads(got(engine, "/openapi.json").body)
    assert not schema_of(openapi, "device.every.arguments").is_valid(arguments)
    assert called(engine, "/every", arguments).status == 400


def test_where_forms_and_get_are_taken(engine: Engine) -> None:
    paths = json.loads(got(engine, "/openapi.json").body)["paths"]
    assert set(paths["/once"]) == {"post"}
    assert set(paths["/every"]) == {"post", "get"}
    kinds = {path: set(paths[path]["post"]["requestBody"]["content"]) for path in ("/once", "/every")}
    form = "application/x-www-form-urlencoded"
    assert kinds == {"/once": {"application/json"}, "/every": {"application/json", form}}
    required = {one["name"]: one["required"] for one in paths["/nested"]["get"]["parameters"]}
    assert required == {"points": True, "each": True}


def test_the_thing_description(engine: Engine) -> None:
    """Each part meets section 5 of the W3C's recommendation."""
    answer = got(engine, "/.well-known/wot")
    assert answer.field("content-type") == "application/td+json"
    thing = json.loads(answer.body)
    assert thing["@context"] == "https://www.w3.org/2022/wot/td/v1.1"
    assert thing["security"] in thing["securityDefinitions"]
    assert set(thing["properties"]) == {"device.plain"}
    assert set(thing["actions"]) == {"counter.Add", "device.every", "device.nested", "device.quiet"}
    for name, one in (thing["properties"] | thing["actions"]).items():
        for part in (one, one.get("input", {}), one.get("output", {})):
            Draft202012Validator.check_schema(part)
        assert [form["op"] for form in one["forms"]] == [
            "readproperty" if name in thing["properties"] else "invokeaction"
        ]
    assert thing["actions"]["counter.Add"]["safe"] is False
    assert thing["actions"]["device.nested"]["idempotent"] is True
    asked = got(engine, thing["properties"]["device.plain"]["forms"][0]["href"])
    Draft202012Validator(thing["properties"]["device.plain"]).validate(result(asked))


@pytest.fixture(scope="module")
def schema_of_things() -> Draft7Validator:
    schema = json.loads((had("thing") / "td-json-schema-validation.json").read_text())
    assert schema["version"].startswith("1.1")
    Draft7Validator.check_schema(schema)
    return Draft7Validator(schema)


@pytest.mark.parametrize("app", [APP, EXAMPLE, LIVE], ids=["tests", "example", "live"])
def test_a_thing_by_the_schema_of_the_w3c(schema_of_things: Draft7Validator, app: Path, tmp_path: Path) -> None:
    thing = json.loads(files(app, tmp_path, **{"services.describe": True})[".well-known/wot"])
    schema_of_things.validate(thing)
    one = next(iter((thing.get("actions", {}) | thing.get("properties", {})).values()))
    one["forms"][0]["op"] = "call"
    assert not schema_of_things.is_valid(thing)


@pytest.mark.parametrize("path", ["/openapi.json", "/.well-known/wot", "/"])
def test_they_are_compressed_files(engine: Engine, path: str) -> None:
    plain, zipped = got(engine, path), ask(engine, request(path, "Accept-Encoding: gzip"))
    assert zipped.field("content-encoding") == "gzip"
    assert gzip.decompress(zipped.body) == plain.body
    assert len(zipped.body) * 2 < len(plain.body)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("told", [None, True, False])
def test_devices_have_them_if_app_toml_says_so(tmp_path: Path, target: str, told: bool | None) -> None:
    setting = {} if told is None else {"services.describe": told}
    app = make_app(tmp_path / "app", {"x.c": generator(VALUE, 'call="get"', GIVES)})
    application = compile_application(app, tmp_path / "out", overrides=setting, describes=TARGETS[target].describes)
    hosts = ("linux", "pc", "inprocess", "avr-inprocess")
    assert any(one.describes for one in application.resources) == (target in hosts if told is None else told)
    console = Console(file=io.StringIO(), width=200)
    say_omitted(console, application)
    assert isinstance(console.file, io.StringIO)
    assert ("services.describe = true" in console.file.getvalue()) == (application.resources[0].path == "x")


@pytest.mark.slow
def test_a_build_for_a_device_and_an_export_leave_them_out(tmp_path: Path) -> None:
    app = make_app(tmp_path / "app", {"x.c": generator(VALUE, 'call="get"', GIVES)})
    for setting, count in (({}, 1), ({"services.describe": True}, 4)):
        exported = export(str(app), tmp_path / f"{count}", "cmake", overrides=setting)
        assert len(exported.application.resources) == count
        if shutil.which("arm-none-eabi-gcc"):
            built = build(app, target="cortex-m", overrides=setting)
            assert len(built.application.resources) == count


def test_they_can_be_left_out_and_replaced(tmp_path: Path) -> None:
    made = {"x.c": generator(VALUE, 'call="get"', GIVES)}
    app = make_app(tmp_path / "app", made | {"openapi.json": "{}"})
    assert set(files(app, tmp_path / "1")) == {"openapi.json", ".well-known/wot", "index.html"}
    assert files(app, tmp_path / "1")["openapi.json"] == b"{}"
    assert set(files(app, tmp_path / "2", **{"services.describe": False})) == {"openapi.json"}
    home = make_app(tmp_path / "home", made | {"index.html": "x"})
    assert set(files(home, tmp_path / "4")) == {"openapi.json", ".well-known/wot", "index.html", "services.html"}
    plain = make_app(tmp_path / "plain", {"x.c": generator(), "index.html": "x"})
    assert set(files(plain, tmp_path / "3")) == {"index.html"}


def test_operations_of_one_name(tmp_path: Path) -> None:
    one = generator('<service operation="x"/>' + VALUE, 'call="get"', GIVES)
    other = generator('<service namespace="urn:other"/>' + VALUE, 'call="get"', GIVES)
    assert "y.c:3: a second operation 'x' of device: x.c is the first" in error_of(
        make_app(tmp_path / "1", {"x.c": one, "y.c": one})
    )
    said = error_of(make_app(tmp_path / "2", {"x.c": one, "y.c": other}))
    assert "y.c:3: namespace of device is 'urn:other': expected 'urn:whit:device' as before" in said


def test_a_namespace_is_written_as_XML(tmp_path: Path) -> None:
    """The namespace is written as XML around a result of SOAP, in the image."""
    service = '<service name="d" operation="x" namespace="urn:a&amp;b" as="soap"/>'
    files(make_app(tmp_path / "app", {"get.c": generator(service + VALUE, 'call="get"', GIVES)}), tmp_path / "out")
    assert '"urn:a&amp;b"' in (tmp_path / "out" / "whit_tables.c").read_text()
