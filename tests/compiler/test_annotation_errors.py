# SPDX-License-Identifier: MIT
"""Every mistake in a <generator> element, with its line and what was expected."""

from pathlib import Path

import pytest

from tests.compiler.support import HANDLER, error_of, generator, make_app

MANY = "".join(f'<arg name="a{number}" type="uint8"/>' for number in range(17))
# Name of the test, the file x.c, and the error: its line and message. generator() puts its first argument on line 3.
CASES = [
    (
        "unknown element",
        generator("<handler/>"),
        "3: <generator> has no element <handler>: expected handlers, properties, args, content-types",
    ),
    (
        "element in a place that has none",
        generator("<properties><args/></properties>"),
        "3: <properties> has no element <args>: expected none",
    ),
    ("element of a namespace", generator('<a:args xmlns:a="urn:a"/>'), "3: <generator> has no element <{urn:a}args>"),
    (
        "unknown attribute",
        generator('<args>\n<arg name="a" type="uint8"\nsizes="1"/></args>'),
        "5: <arg> has no attribute 'sizes': expected name, type, size, optional",
    ),
    ("attribute of <generator>", "/* <generator name='x'></generator> */", "1: <generator> has no attribute 'name'"),
    ("second element of a kind", generator("<properties/>\n<properties/>"), "4: a second <properties>: expected one"),
    ("second generator", generator() + "// <generator>\n", "6: a second <generator> element: expected one a file"),
    ("text", generator("doGet is get"), "1: <generator> holds text, 'doGet is get': expected elements only"),
    (
        "unknown type",
        generator('<args>\n<arg name="a" type="int64"/></args>'),
        "4: argument 'a' is of unknown type 'int64': "
        "expected one of uint8, uint16, uint32, int8, int16, int32, bool, str",
    ),
    (
        "str without size",
        generator('<args><arg name="a" type="str"/></args>'),
        "3: argument 'a' has no size: expected 2 to 255 octets, the closing NUL included",
    ),
    ("size too small", generator('<args><arg name="a" type="str" size="1"/></args>'), "3: argument 'a' has size '1'"),
    (
        "size too large",
        generator('<args><arg name="a" type="str" size="256"/></args>'),
        "3: argument 'a' has size '256'",
    ),
    (
        "size not a number",
        generator('<args><arg name="a" type="str" size="-2"/></args>'),
        "3: argument 'a' has size '-2'",
    ),
    (
        "size of an integer",
        generator('<args><arg name="a" type="bool" size="1"/></args>'),
        "3: argument 'a' is bool: expected size with str only",
    ),
    (
        "optional",
        generator('<args><arg name="a" type="bool" optional="yes"/></args>'),
        "3: optional is 'yes': expected true or false",
    ),
    (
        "duplicate argument",
        generator('<args><arg name="a" type="uint8"/>\n<arg name="a" type="int8"/></args>'),
        "4: a second argument 'a': the first is on line 3",
    ),
    (
        "argument without name",
        generator('<args><arg type="uint8"/></args>'),
        "3: <arg> without name: expected <arg name=",
    ),
    ("argument without type", generator('<args><arg name="a"/></args>'), "3: <arg> without type: expected <arg name="),
    (
        "argument that is no identifier",
        generator('<args><arg name="a-b" type="uint8"/></args>'),
        "3: argument 'a-b': expected a C identifier of at most 63 characters",
    ),
    (
        "argument that is a keyword",
        generator('<args><arg name="int" type="uint8"/></args>'),
        "3: argument 'int': expected",
    ),
    ("no arguments", generator("<args/>"), "3: <args> is empty: expected at least one <arg>, or no <args>"),
    ("too many arguments", generator(f"<args>{MANY}</args>"), "3: 17 arguments: expected at most 16"),
    (
        "arguments too long",
        generator('<args><arg name="a" type="str" size="250"/>\n<arg name="b" type="uint32"/></args>'),
        "4: the arguments take 256 octets: expected at most 255; make a str shorter",
    ),
    (
        "persistence",
        generator('<properties persistence="forever"/>'),
        "3: persistence is 'forever': expected persistent, volatile or idempotent",
    ),
    (
        "static is no generator's",
        generator('<properties persistence="static"/>'),
        "3: persistence is 'static': expected",
    ),
    (
        "content type",
        generator('<properties content-type="text"/>'),
        "3: content-type is 'text': expected type/subtype",
    ),
    (
        "content type with a line break",
        generator('<properties content-type="text/html&#13;&#10;X: y"/>'),
        "3: content-type is 'text/html\\r\\nX: y': expected type/subtype",
    ),
    ("content type too long", generator(f'<properties content-type="text/{"x" * 70}"/>'), "at most 72 octets"),
    (
        "interaction",
        generator('<properties\ninteraction="rest"/>'),
        "4: interaction is not supported yet: leave it out",
    ),
    ("channel", generator('<properties channel="c"/>'), "3: channel is not supported yet: leave it out"),
    (
        "content types",
        generator('<content-types><content-type type="a/b"/></content-types>'),
        "3: <content-types> is not supported yet: it belongs to doPost",
    ),
    ("doPost", generator(handlers='doGet="get" doPost="get"'), "2: doPost is not supported yet: use doGet"),
    ("doPostIn", generator(handlers='doPostIn="get"'), "2: doPostIn is not supported yet"),
    ("doPostOut", generator(handlers='doPostOut="get"'), "2: doPostOut is not supported yet"),
    ("initGet", generator(handlers='initGet="get" doGet="get"'), "2: initGet is not supported yet: let doGet do it"),
    (
        "no doGet",
        generator(handlers='init="get"'),
        '2: a generator needs a handler: expected <handlers doGet="function"/>',
    ),
    ("no handlers", "/*\n<generator/> */\n", "2: a generator needs a handler: expected <handlers doGet="),
    (
        "handler not defined",
        generator(handlers='\ndoGet="put"'),
        "3: doGet is 'put': no function of that name is defined in this file",
    ),
    (
        "init not defined",
        generator(handlers='init="begin" doGet="get"'),
        "2: init is 'begin': no function of that name",
    ),
    ("handler only declared", generator(code="char get(struct args_t *args);\n"), "2: doGet is 'get': no function"),
    ("handler only called", generator(code="void f(void) { if (get(0)) { } }\n"), "2: doGet is 'get': no function"),
    ("handler in a comment", generator(code=f"/* {HANDLER} */\n"), "2: doGet is 'get': no function"),
    ("handler in a line comment", generator(code=f"// {HANDLER}"), "2: doGet is 'get': no function"),
    ("handler in a string", generator(code=f'char *s = "{HANDLER.strip()}";\n'), "2: doGet is 'get': no function"),
    ("handler in a macro", generator(code="#define F \\\n char get(void) { }\n"), "2: doGet is 'get': no function"),
    (
        "handler that is no name",
        generator(handlers='doGet="get()"'),
        "2: doGet is 'get()': expected the name of a C function",
    ),
    (
        "handler of the engine",
        generator(handlers='doGet="whit_init"'),
        "2: doGet is 'whit_init': names that begin with whit_",
    ),
    (
        "attribute twice",
        generator('<args>\n<arg name="a" name="b"/></args>'),
        "4: the <generator> element is not XML: ",
    ),
    ("crossed elements", generator("<args>\n<arg>\n</args></arg>"), "5: the <generator> element is not XML: "),
    ("unknown entity", generator('<properties persistence="&p;"/>'), "3: the <generator> element is not XML: "),
    ("never closed", "\n// <generator>\n", "2: <generator> is not closed: expected </generator> in this comment"),
    ("closed in another comment", "/* <generator> */ int x; /* </generator> */", "1: <generator> is not closed"),
    ("comment never closed", "int x;\n/* <generator>\n", "2: this comment is never closed by */"),
    ("not UTF-8", b"// a\n// \xff\n", "2: not UTF-8: expected a C file in UTF-8; convert it"),
]


@pytest.mark.parametrize(("source", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_error(tmp_path: Path, source: str | bytes, expected: str) -> None:
    said = error_of(make_app(tmp_path / "app", {"x.c": source, "index.html": "x"}))
    assert said.startswith("x.c:")
    assert expected in said
    assert "\n" not in said
    if expected[0].isdigit():
        assert said.startswith(f"x.c:{expected}")
