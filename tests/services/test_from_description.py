# SPDX-License-Identifier: MIT
"""`whit new --wsdl` and `--openapi`: the new application's description equals the old one, octet by octet. An
unsupported part gives its line, and nothing is written."""

import json
import re
import runpy
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.services.described import files, with_soap
from tests.services.support import APP
from whit.commands.described.wanted import Sizes
from whit.commands.new import new_of
from whit.compiler import compile_application
from whit.errors import WhitError
from whit.paths import ROOT

EXAMPLE = ROOT / "apps" / "services"


def described(app: Path, out: Path, name: str) -> bytes:
    application = compile_application(app, out)
    return next(one.representations[0].body for one in application.resources if one.path == name)


@pytest.mark.parametrize("app", [APP, EXAMPLE], ids=["tests", "example"])
def test_wsdl_to_c_to_wsdl(tmp_path: Path, app: Path) -> None:
    made = files(with_soap(tmp_path / "app", app), tmp_path / "out")
    found = {path: content for path, content in made.items() if path.endswith(".wsdl")}
    assert found
    for path, content in found.items():
        (tmp_path / path).write_bytes(content)
        again = new_of(str(tmp_path / path.partition(".")[0]), tmp_path / path, None, Sizes())
        assert described(again, tmp_path / f"{path}-out", path) == content


@pytest.mark.parametrize("app", [APP, EXAMPLE], ids=["tests", "example"])
def test_openapi_to_c_to_openapi(tmp_path: Path, app: Path) -> None:
    content = described(app, tmp_path / "out", "openapi.json")
    (tmp_path / "openapi.json").write_bytes(content)
    again = new_of(str(tmp_path / "again"), None, tmp_path / "openapi.json", Sizes())
    assert described(again, tmp_path / "out2", "openapi.json") == content


WSDL = """<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:s="http://schemas.xmlsoap.org/wsdl/soap/"
 xmlns:x="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:t" targetNamespace="urn:t">
<types><x:schema targetNamespace="urn:t" elementFormDefault="qualified">
<x:element name="get"><x:complexType><x:sequence>
ARGS
</x:sequence></x:complexType></x:element>
<x:element name="getResponse" type="t:reply"/>
<x:complexType name="reply"><x:all>
RESULT
</x:all></x:complexType>
<x:simpleType name="percent"><x:restriction base="x:integer">
<x:minInclusive value="0"/><x:maxExclusive value="101"/></x:restriction></x:simpleType>
TYPES
</x:schema></types>
<message name="a"><part name="p" element="t:get"/></message>
<message name="b"><part name="p" element="t:getResponse"/></message>
<portType name="p"><operation name="get"><input message="t:a"/><output message="t:b"/></operation></portType>
<binding name="b" type="t:p"><s:binding style="document" transport="http://schemas.xmlsoap.org/soap/http"/>
<operation name="get"><input><s:body use="literal"/></input></operation></binding>
<service name="device"><port name="d" binding="t:b"/></service>
</definitions>"""


def wsdl(args: str = "", result: str = '<x:element name="v" type="x:int"/>', types: str = "") -> str:
    return WSDL.replace("ARGS", args).replace("RESULT", result).replace("TYPES", types)


def new(directory: Path, text: str, sizes: Sizes = Sizes()) -> str:
    """Returns the C of `get`; or the error, without the directory."""
    kind = "openapi" if text.startswith(("{", "[", "null")) else "wsdl"
    file = directory / f"a.{kind}"
    file.write_text(text)
    try:
        made = new_of(
            str(directory / "made"), file if kind == "wsdl" else None, file if kind == "openapi" else None, sizes
        )
    except WhitError as error:
        assert sorted(path.name for path in directory.iterdir()) == [file.name]  # nothing is half-written
        return str(error).replace(f"{directory}/", "")
    return (made / "get.c").read_text()


def test_what_others_write(tmp_path: Path) -> None:
    """Named types, bounds of their own, xsd:all: a comment contains what the type cannot express."""
    args = '<x:element name="level" type="t:percent"/><x:element name="text" type="x:string" minOccurs="0"/>'
    code = new(tmp_path, wsdl(args, '<x:element name="when" type="x:dateTime" minOccurs="0"/>'), Sizes(text=40))
    for line in (
        '<arg name="level" type="uint8"/>',
        '<arg name="text" type="str" size="41" optional="true"/>',
        '<value name="when" type="date-time"/>',
        "// level: 0 to 100\n",
    ):
        assert line in code, code


def test_a_boolean_of_a_query_goes_as_it_is_described(tmp_path: Path) -> None:
    ok = {"200": {"description": "", "content": {"application/json": {"schema": {"type": "object"}}}}}
    on = {"name": "on", "in": "query", "required": True, "schema": {"type": "boolean"}}
    text = json.dumps(
        {
            "openapi": "3.1.0",
            "info": {"title": "t", "version": "1"},
            "paths": {"/get": {"get": {"parameters": [on], "responses": ok}}},
        }
    )
    assert '<arg name="on" type="bool"/>' in new(tmp_path, text)
    script = runpy.run_path(str(tmp_path / "made" / "test.py"))
    assert [script["fields_of"](call) for call in script["CALLS"]] == ["on=true"]


def test_a_byte_order_mark(tmp_path: Path) -> None:
    number = {"type": "integer", "minimum": 0, "maximum": 9}
    file = tmp_path / "a.json"
    file.write_text("\ufeff" + openapi(number), encoding="utf-8")
    assert (new_of(str(tmp_path / "made"), None, file, Sizes()) / "get.c").exists()


def test_a_text_that_would_leave_its_comment(tmp_path: Path) -> None:
    hostile = "ends here */ int main; \\\n??/ &#10;#include"
    text = wsdl().replace(
        '<operation name="get"><input m', f'<operation name="get"><documentation>{hostile}</documentation><input m'
    )
    code = new(tmp_path, text)
    assert "// ends here */ int main; / ?/ #include\n#include <whit/app.h>\n" in code


@pytest.mark.parametrize("said", ["<generator/>", "<generatr> </generatr>", "<handlers doGet='x'/>", "</generator>"])
def test_a_text_that_looks_like_an_element_of_ours(tmp_path: Path, said: str) -> None:
    escaped = said.replace("<", "&lt;")
    text = wsdl().replace(
        '<operation name="get"><input m', f'<operation name="get"><documentation>{escaped}</documentation><input m'
    )
    assert f"// {said.replace('<', '< ')}\n" in new(tmp_path, text)


def arg(kind: str, more: str = "") -> str:
    return wsdl(f'<x:element name="a" type="{kind}"{more}/>')


def one(facets: str) -> str:
    return wsdl(f'<x:element name="a"><x:simpleType>{facets}</x:simpleType></x:element>')


OF_WSDL = [
    ("double", arg("x:double"), "5: 'a' is xsd:double: expected one of boolean, dateTime"),
    ("long", arg("x:long"), "5: 'a' is -9223372036854775808 to"),
    ("integer", arg("x:integer"), "5: 'a' is a number without bounds: expected xsd:minInclusive"),
    ("decimal", arg("x:decimal"), "5: 'a' is a decimal of any precision: expected xsd:fractionD"),
    (
        "digits",
        one('<x:restriction base="x:decimal"><x:fractionDigits value="-1"/></x:restriction>'),
        "5: '-1': expected a number",
    ),
    (
        "more digits",
        one('<x:restriction base="x:decimal"><x:fractionDigits value="9999999999"/></x:restriction>'),
        "5: '9999999999': expected a number",
    ),
    ("no bound", one('<x:restriction base="x:int"><x:minInclusive/></x:restriction>'), "5: '': expected a number"),
    ("text", arg("x:string"), "5: 'a' is a text of any length: expected an xsd:maxLength of 1"),
    (
        "long text",
        one('<x:restriction base="x:string"><x:maxLength value="255"/></x:restriction>'),
        "5: 'a' is a text of up to 255: expected",
    ),
    (
        "a word",
        one('<x:restriction base="x:string">\n<x:enumeration value="a b"/></x:restriction>'),
        "6: 'a b' of 'a': expected letters",
    ),
    (
        "array",
        wsdl(result='\n<x:element name="a" type="x:int" maxOccurs="unbounded"/>'),
        "10: 'a' is an array of any length",
    ),
    ("array of args", arg("x:int", ' maxOccurs="unbounded"'), "5: 'a' is an array of any length: expected maxOccurs"),
    ("times of args", arg("x:dateTime", ' maxOccurs="2"'), "5: 'a' is an array of date-time: expected one value"),
    (
        "record of args",
        wsdl(
            '<x:element name="a" type="t:r"/>',
            types='<x:complexType name="r"><x:sequence>\n<x:element name="b" type="t:r"/></x:sequence></x:complexType>',
        ),
        "14: record 'b' is number 4 in one another: expected 3 with all arguments",
    ),
    (
        "itself",
        wsdl(result='<x:element name="a" type="t:reply"/>'),
        "9: record 'a' is number 4 in one another: expected 3",
    ),
    (
        "a length",
        wsdl(
            '<x:element name="a" type="t:octets"/>\n<x:element name="a_len" type="x:int"/>',
            types='<x:simpleType name="octets"><x:restriction base="x:base64Binary"><x:maxLength value="9"/>'
            "</x:restriction></x:simpleType>",
        ),
        "6: 'a_len' is a generated field of 'a': expected another name",
    ),
    ("choice", wsdl("<x:choice/>"), "5: xsd:choice is outside the type table: a record has elements only"),
    ("any", wsdl(result="<x:any/>"), "9: xsd:any is outside the type table: a record has elements only"),
    ("no type", arg("t:none"), "5: type 't:none' is no xsd:complexType of this file"),
    ("prefix", arg("u:none"), "5: 'u:none': no namespace is declared for 'u'"),
    ("a name", wsdl('<x:element name="a-b" type="x:int"/>'), "5: 'a-b' is the name of a value: expected a C"),
    ("injected", wsdl('<x:element name="a*/ int x; /*" type="x:int"/>'), "5: 'a*/ int x; /*' is the name of a value"),
    ("in a result", wsdl(result='<x:element name="v; int x" type="x:int"/>'), "9: 'v; int x' is the name of a value"),
    ("a keyword", wsdl('<x:element name="while" type="x:int"/>'), "5: 'while' is the name of a value: expected a C"),
    (
        "a keyword of C11",
        wsdl('<x:element name="_Bool" type="x:int"/>'),
        "5: '_Bool' is the name of a value: expected a C",
    ),
    ("a name of C's own", wsdl('<x:element name="_Atomic" type="x:int"/>'), "5: '_Atomic' is the name of a value"),
    ("a macro", wsdl('<x:element name="__FILE__" type="x:int"/>'), "5: '__FILE__' is the name of a value: expected"),
    (
        "sixteen",
        wsdl("".join(f'<x:element name="a{i}" type="x:int"/>' for i in range(16))),
        "16 arguments of a service: expected 15",
    ),
    ("nil", arg("x:int", ' nillable="true"'), "5: 'a' is nillable: expected that of an enumeration"),
    ("unqualified", arg("x:int", ' form="unqualified"'), "5: elements without a namespace: expected"),
    ("an import", wsdl(types='<x:import schemaLocation="a.xsd" namespace="u"/>'), "13: xsd:import: expected one file"),
    ("rpc", wsdl().replace("document", "rpc", 1), "18: style is 'rpc': expected document"),
    ("encoded", wsdl().replace('use="literal"', 'use="encoded"'), "19: use is 'encoded': expected literal"),
    ("header", wsdl().replace("<s:body", "<s:header/><s:body"), "19: a header of SOAP: expected a body alone"),
    ("reply", wsdl().replace("getResponse", "answer"), "17: its element is 'answer': expected 'getResponse'"),
    (
        "one way",
        wsdl().replace('<output message="t:b"/>', ""),
        "17: operation 'get': expected an <input> and an <output>",
    ),
    ("no service", wsdl().replace("<service", "<!--").replace("</service>", "-->"), "2: 0 of <service>: expected one"),
    ("no port", wsdl().replace('<port name="d" binding="t:b"/>', ""), "20: no port for SOAP: expected a binding"),
    ("doctype", '<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY b SYSTEM "/etc/passwd">]>\n<a>&b;</a>', "2: a DOCTYPE"),
    ("no XML", "x", "1: not XML: "),
    ("deep", "<a>" * 300 + "</a>" * 300, "1: not XML: nested too deeply, or a text too long: expected"),
    ("2.0", '<description xmlns="http://www.w3.org/ns/wsdl"/>', "1: WSDL 2.0: expected <definitions> of WSDL 1.1"),
]


@pytest.mark.parametrize(("text", "expected"), [one[1:] for one in OF_WSDL], ids=[one[0] for one in OF_WSDL])
def test_what_cannot_be_had_of_wsdl(tmp_path: Path, text: str, expected: str) -> None:
    said = new(tmp_path, text)
    assert said.startswith("a.wsdl:") and expected in said, said
    assert "\n" not in said


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("index.html", ""),
        ("services.html", ""),
        ("openapi.json", ""),
        ("test.py", ""),
        ("index.html.jinja", ""),
        ("whit", "/whit and all below it are reserved for the engine: rename it"),
        ("app.toml", "names that begin with app.toml are reserved"),
        ("README", "README.c is a name that is not served: expected another one"),
        ("app.toml/x", "/app.toml/x needs a directory app.toml, which is a file of the new application: expected"),
        ("test.py/x", "/test.py/x needs a directory test.py, which is a file of the new application: expected"),
        ("schema.sql/x", "schema.sql/x.c is a name that is not served: expected another one"),
        ("x/index.html", ""),
    ],
)
def test_a_path_of_ours(tmp_path: Path, name: str, expected: str) -> None:
    """A function may have a path that the tools generate; a conflict gives one line."""
    texts = [openapi({"type": "integer", "minimum": 0, "maximum": 9}).replace('"/get"', f'"/{name}"')]
    if "/" not in name:
        text = wsdl().replace('"get"', f'"{name}"').replace('"getResponse"', f'"{name}Response"')
        texts.append(text.replace("t:get", f"t:{name}"))
    for number, text in enumerate(texts):
        file, made = tmp_path / f"a.{'wsdl' if number else 'json'}", tmp_path / "made"
        file.write_text(text)
        if expected:
            with pytest.raises(WhitError) as error:
                new_of(str(made), *((file, None) if number else (None, file)), Sizes())
            assert re.fullmatch(rf"{re.escape(str(file))}:\d+: {re.escape(expected)}.*", str(error.value)), error.value
        else:
            new_of(str(made), *((file, None) if number else (None, file)), Sizes())
            assert (made / f"{name}.c").is_file()
            shutil.rmtree(made)
        file.unlink()
        assert not list(tmp_path.iterdir())


def test_a_name_that_would_be_written_elsewhere(tmp_path: Path) -> None:
    """Operations of WSDL are names of files: nothing is written, wherever such a name leads."""
    elsewhere = tmp_path / "elsewhere"
    for name in (str(elsewhere), "../elsewhere", "../../elsewhere", "a/../../../elsewhere", ".hidden", "a/b", ""):
        work = tmp_path / "work"
        work.mkdir()
        text = wsdl().replace('"get"', f'"{name}"').replace('"getResponse"', f'"{name}Response"')
        text = text.replace("t:get", f"t:{name}")
        said = new(work, text)
        assert f"{name!r} is the name of an operation" in said, said
        assert sorted(tmp_path.iterdir()) == [work]
        (work / "a.wsdl").unlink()
        work.rmdir()


def test_values_that_would_be_code(tmp_path: Path) -> None:
    """Base64 of any length has a function of its own, named after the value."""
    for kind in ("argument", "result"):
        injected = '<x:element name="v(void){}int system" type="x:base64Binary"/>'
        said = new(tmp_path, wsdl(injected) if kind == "argument" else wsdl(result=injected))
        assert "'v(void){}int system' is the name of a value: expected a C identifier" in said


def test_names_of_openapi_that_would_be_code(tmp_path: Path) -> None:
    octets = {"type": "string", "contentEncoding": "base64"}
    said = new(tmp_path, openapi(octets).replace('"a":', '"a;int b":'))
    assert "'a;int b' is the name of a value: expected a C identifier" in said
    for word, name in (("tags", ["../x"]), ("operationId", "../../x")):
        item = json.loads(openapi({"type": "integer", "minimum": 0, "maximum": 9}))
        item["paths"]["/get"]["post"][word] = name
        said = new(tmp_path, json.dumps(item))
        assert "/x' is the name of a" in said, said


def openapi(schema: object, method: str = "post", path: str = "/get", **more: object) -> str:
    """The schema is of an argument `a`, on line 17."""
    ok = {"200": {"description": "", "content": {"application/json": {"schema": {"type": "object"}}}}}
    body = {"content": {"application/json": {"schema": {"type": "object", "properties": {"a": schema}}}}}
    item = {method: {"requestBody": body, "responses": ok}}
    return json.dumps(
        {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {path: item}, **more}, indent=1
    )


NUMBER = {"type": "number"}
OF_OPENAPI = [
    ("half a title", openapi(NUMBER, info={"title": "\ud800"}), "\\ud800 is half of a pair of UTF-16"),
    (
        "number",
        openapi(NUMBER),
        "a.openapi:17: paths./get.post.requestBody.content.application/json.schema.properties.a",
    ),
    ("number", openapi(NUMBER), "'a' is a number without bounds: expected minimum and maximum"),
    ("text", openapi({"type": "string"}), "'a' is a text of any length: expected maxLength of 1 to 254, or --text 64"),
    ("format", openapi({"type": "string", "format": "uuid"}), "format is 'uuid': expected date-time, byte, or none"),
    ("one of", openapi({"oneOf": [NUMBER]}), "'oneOf' is not supported in a schema: expected it without"),
    ("no type", openapi({}), "type is None: expected integer, number, boolean, string, object or array"),
    (
        "array",
        openapi({"type": "array", "items": NUMBER}),
        "'a' is an array of any length: expected maxItems, or --count 8",
    ),
    ("elsewhere", openapi({"$ref": "b.json#/x"}), "$ref is 'b.json#/x': expected one within this file"),
    ("nowhere", openapi({"$ref": "#/components/x"}), "expected 'components' in it"),
    ("itself", openapi({"$ref": "#/a"}, a={"$ref": "#/a"}), "a reference to a reference, more than 8 times"),
    ("method", openapi(NUMBER, "delete"), "paths./get.delete: a function is called by POST, and asked by GET"),
    ("path", openapi(NUMBER, path="/a/{b}"), "paths./a/{b}: a path is the name of a file"),
    ("up", openapi(NUMBER, path="/../b"), "paths./../b: a path is the name of a file"),
    ("2.0", '{"swagger": "2.0"}', ":1: OpenAPI 2, which was called Swagger: expected 3.0 or 3.1"),
    ("3.2", '{"openapi": "3.2.0"}', ":1: openapi is '3.2.0': expected 3.0 or 3.1"),
    ("no path", '{"openapi": "3.1.0", "info": {"title": "t"}, "paths": {}}', ":1: paths: expected at least one path"),
    ("twice", '{"openapi": "3.1.0", "openapi": "3.1.0"}', "the name 'openapi' twice in one object"),
    ("no JSON", '{"openapi":\n}', ":2: not JSON: "),
    (
        "required",
        openapi(NUMBER).replace('"type": "object",', '"type": "object", "required": 1,'),
        "required: expected an",
    ),
    ("a list", "[1]", ":1: expected one object in the file"),
    ("null", "null", ":1: expected one object in the file"),
    ("digits", '{\n"a": ' + "9" * 5000 + "}", ":2: a number of 5000 digits: expected at most 40"),
    ("half a letter", '{"a": "\\\\ud800 \\ud83d\\ude00",\n"b": "\\ud800"}', ":2: \\ud800 is half of a pair of UTF-16"),
    ("deep", '{"a":' + "[" * 100000, "nested too deeply"),
]


@pytest.mark.parametrize(("text", "expected"), [one[1:] for one in OF_OPENAPI], ids=[one[0] for one in OF_OPENAPI])
def test_what_cannot_be_had_of_openapi(tmp_path: Path, text: str, expected: str) -> None:
    said = new(tmp_path, text)
    assert said.startswith("a.openapi:") and expected in said, said
    assert "\n" not in said


def test_what_a_file_says_commands_no_terminal(tmp_path: Path) -> None:
    """A path with an escape sequence is printed escaped, and no file is written."""
    description = tmp_path / "a.json"
    description.write_text('{"openapi": "3.1.0", "info": {}, "paths": {"/a\\u001b[2Jb\\u2028c": {"post": {}}}}')
    command = [str(ROOT / "whit"), "new", str(tmp_path / "app"), "--openapi", str(description)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "\x1b" not in done.stderr and "\u2028" not in done.stderr
    assert "\\x1b[2Jb" in done.stderr and not (tmp_path / "app").exists()
