# SPDX-License-Identifier: MIT
"""Every mistake in a <generator> element gives its line and the expectation."""

from pathlib import Path

import pytest

from tests.compiler.support import HANDLER, error_of, generator, make_app

TAKE = "char take(uint8_t type, uint8_t part, char *name, void **data) { }\n"
ANSWER = "char answer(uint8_t type, void *data) { }\n"


def parts(
    inner: str = "", handlers: str = 'doPostIn="take" doPostOut="answer"', code: str = HANDLER + TAKE + ANSWER
) -> str:
    return generator(inner, handlers, code)


MANY = "".join(f'<arg name="a{number}" type="uint8"/>' for number in range(17))
FOURTEEN = "".join(f'<arg name="a{number}" type="uint8"/>' for number in range(14))
# Name of the test, the file x.c, and the error: its line and message. generator() puts its first argument on line 3.
NOT_XML = "the <generator> element is not XML"
CASES = [
    ("misspelt generator", generator().replace("generator>", "generater>"), "1: <generater> is unknown: expected <gen"),
    ("generator in capitals", generator().replace("generator>", "GENERATOR>"), "1: <GENERATOR> is unknown: expected"),
    (
        "no generator",
        f'// <handlers doGet="get"/>\n{HANDLER}',
        "1: <handlers> without <generator>: expected <generator>",
    ),
    (
        "misspelt persistence",
        generator('<properties persistence="volatil"/>'),
        "3: persistence is 'volatil': expected persistent, volatile or idempotent; did you mean volatile?",
    ),
    (
        "misspelt attribute",
        generator('<properties persistance="volatile"/>'),
        "3: <properties> has no attribute 'persistance': expected persistence, interaction, channel, content-type; "
        "did you mean persistence?",
    ),
    (
        "type of C",
        generator('<args><arg name="a" type="int"/></args>'),
        "3: argument 'a' is of unknown type 'int': expected one of uint8, uint16, uint32, int8, int16, int32, bool, "
        "enum, str; did you mean int16?",
    ),
    (
        "misspelt handler",
        generator(handlers='doGet="gett"'),
        "2: doGet is 'gett': no function of that name is defined in this file; did you mean get?",
    ),
    (
        "unknown element",
        generator("<handler/>"),
        "3: <generator> has no element <handler>: expected handlers, properties, args, content-types, service, result; "
        "did you mean handlers?",
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
        "5: <arg> has no attribute 'sizes': expected name, type, size, values, optional, default",
    ),
    ("attribute of <generator>", "/* <generator name='x'></generator> */", "1: <generator> has no attribute 'name'"),
    ("second element of a kind", generator("<properties/>\n<properties/>"), "4: a second <properties>: expected one"),
    ("second generator", generator() + "// <generator>\n", "6: a second <generator> element: expected one a file"),
    ("text", generator("doGet is get"), "1: <generator> holds text, 'doGet is get': expected elements only"),
    (
        "unknown type",
        generator('<args>\n<arg name="a" type="int64"/></args>'),
        "4: argument 'a' is of unknown type 'int64': "
        "expected one of uint8, uint16, uint32, int8, int16, int32, bool, enum, str",
    ),
    (
        "str without size",
        generator('<args><arg name="a" type="str"/></args>'),
        "3: argument 'a' has no size: expected 2 to 255 bytes, the closing NUL included",
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
        "4: the arguments take 256 bytes: expected at most 255; make a str shorter",
    ),
    (
        "persistence",
        generator(f'<properties persistence="{"ever" * 99}"/>'),
        f"3: persistence is '{'ever' * 10}…{'ever' * 5}': expected persistent, volatile or idempotent",
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
    ("content type too long", generator(f'<properties content-type="text/{"x" * 70}"/>'), "at most 72 bytes"),
    (
        "interaction",
        generator('<properties\ninteraction="alert"/>'),
        "4: interaction is 'alert': nothing is pushed to clients; leave it out, and let the page ask again",
    ),
    (
        "unknown interaction",
        generator('<properties interaction="x"/>'),
        "3: interaction is 'x': nothing is pushed to clients; leave it out",
    ),
    (
        "channel",
        generator('<properties channel="rest"/>'),
        "3: channel is 'rest': nothing is pushed to clients; leave it out",
    ),
    (
        "default of a str",
        generator('<args><arg name="a" type="str" size="9"\ndefault="x"/></args>'),
        "4: argument 'a' is str: expected no default; it is the empty string when absent",
    ),
    (
        "default out of range",
        generator('<args><arg name="a" type="uint8" default="256"/></args>'),
        "3: default of 'a' is '256': expected 0 to 255",
    ),
    (
        "default of a signed one out of range",
        generator('<args><arg name="a" type="int16" default="-32769"/></args>'),
        "3: default of 'a' is '-32769': expected -32768 to 32767",
    ),
    (
        "default that is no number",
        generator('<args><arg name="a" type="bool" default="true"/></args>'),
        "3: default of 'a' is 'true': expected 0 to 1",
    ),
    (
        "default of what is required",
        generator('<args><arg name="a" type="bool" optional="false" default="1"/></args>'),
        "3: argument 'a' has a default and is not optional: leave one of these out",
    ),
    (
        "default of an enum",
        generator('<args><arg name="a" type="enum" values="on off" default="auto"/></args>'),
        "3: default of 'a' is 'auto': expected one of on, off",
    ),
    (
        "enum without values",
        generator('<args><arg name="a" type="enum"/></args>'),
        "3: argument 'a' has no values: expected 1 to 64 words, values=\"on off\"",
    ),
    (
        "enum with too many values",
        generator(f'<args><arg name="a" type="enum" values="{" ".join(map(str, range(65)))}"/></args>'),
        "3: argument 'a' has 65 values: expected 1 to 64 words",
    ),
    (
        "value of an enum",
        generator('<args><arg name="a" type="enum" values="on o&amp;f"/></args>'),
        "3: value 'o&f' of argument 'a': expected letters, digits and - . _ ~ only",
    ),
    (
        "value of an enum twice",
        generator('<args><arg name="a" type="enum" values="on off on"/></args>'),
        "3: value 'on' of argument 'a' is given twice: expected it once",
    ),
    (
        "values of an integer",
        generator('<args><arg name="a" type="int8" values="1 2"/></args>'),
        "3: argument 'a' is int8: expected values with enum only",
    ),
    (
        "content types without doPostIn",
        generator('<content-types><content-type type="a/b"/></content-types>'),
        "3: <content-types> are those that doPostIn takes, or application/json for doPost; the response's is the ",
    ),
    (
        "unknown source",
        generator('<args><arg name="a" type="int8" source="field"/></args>'),
        "3: source is 'field': expected query or path",
    ),
    (
        "two arguments of a path",
        generator('<args><arg name="a" type="int8" source="path"/>\n<arg name="b" type="int8" source="path"/></args>'),
        "4: a second argument with source='path': expected one; the others come in the query",
    ),
    (
        "an argument of a path that is too far behind",
        generator(f'<args>{FOURTEEN}\n<arg name="z" type="bool" source="path"/></args>'),
        "4: argument number 15 has source='path': expected one of the first 14",
    ),
    (
        "an argument of a path without doGet",
        generator('<args><arg name="a" type="int8" source="path"/></args>', 'doPost="get"'),
        "3: source='path' without doGet: expected one",
    ),
    (
        "another content type of a form",
        generator('<content-types><content-type type="text/json"/></content-types>', 'doPost="get"'),
        "3: doPost takes forms, and application/json if it is declared: expected that, or doPostIn for text/json",
    ),
    ("no content types", parts("<content-types/>"), "3: 0 content types: expected 1 to 64, or no <content-types>"),
    (
        "content type with a parameter",
        parts('<content-types>\n<content-type type="text/html;charset=utf-8"/></content-types>'),
        "4: type is 'text/html;charset=utf-8': expected a media type without parameters, image/png for instance",
    ),
    (
        "content type without type",
        parts("<content-types><content-type/></content-types>"),
        "3: type is '': expected a media type without parameters",
    ),
    (
        "content type twice",
        parts('<content-types><content-type type="a/b"/>\n<content-type type="A/B"/></content-types>'),
        "4: a second a/b: expected one",
    ),
    (
        "content type of forms",
        parts('<content-types><content-type type="multipart/form-data"/></content-types>'),
        "3: multipart/form-data is read by the engine itself: expected the types of a form's parts",
    ),
    (
        "doPost and doPostIn",
        parts(handlers='doPostIn="take"\ndoPost="get" doPostOut="answer"'),
        "3: doPost and doPostIn: expected one of them; doPost takes forms, doPostIn any other body",
    ),
    ("doPostIn alone", parts(handlers='doPostIn="take"'), "2: doPostIn without doPostOut: expected both"),
    (
        "doPostOut alone",
        parts(handlers='doGet="get" doPostOut="answer"'),
        "2: doPostOut without doPostIn: expected both",
    ),
    ("initGet alone", parts(handlers='doPost="get" initGet="get"'), "2: initGet without doGet: expected doGet"),
    (
        "no doGet",
        generator(handlers='init="get"'),
        '2: a generator needs a handler: expected <handlers doGet="function"/>, doPost, call, or doPostIn and',
    ),
    (
        "parameters of doGet",
        generator(code="char\nget(struct args_t *args, int index)\n{ }"),
        "6: doGet is get(struct args_t *, int): expected (struct args_t *), (struct args_t *, uint32_t, uint16_t), "
        "(struct whit_pt *, struct args_t *) or (struct whit_pt *, struct args_t *, struct state_t *)",
    ),
    (
        "another spelling of a type",
        generator(code="char get(struct args_t *args, uint32_t i, unsigned short len) { }"),
        "5: doGet is get(struct args_t *, uint32_t, unsigned short): expected",
    ),
    (
        "const",
        generator(code="char get(const struct args_t *a) { }"),
        "5: doGet is get(const struct args_t *): expected",
    ),
    (
        "a function as a parameter",
        generator(code="char get(struct args_t *args, char (*f)(int, int)) { }"),
        "5: doGet is get(struct args_t *, char ( * f ) ( int , int )): expected",
    ),
    (
        "returned type",
        generator(code="int x;\nstatic unsigned\nchar get(struct args_t *args)\n{ }"),
        "7: doGet is get: expected that it returns char, 1 or 0",
    ),
    ("nothing returned", generator(code="void get(struct args_t *a) { }"), "5: doGet is get: expected that it returns"),
    ("a pointer returned", generator(code="char *get(struct args_t *a) { }"), "5: doGet is get: expected that it"),
    ("no parameters", generator(code="char get(void) { }"), "5: doGet is get(void): expected (struct args_t *), "),
    (
        "init takes nothing",
        generator(handlers='init="get" doGet="get"'),
        "5: init is get(struct args_t *): expected (void)",
    ),
    (
        "doPost is plain",
        generator(handlers='doPost="get"', code="char get(struct whit_pt *pt, struct args_t *a) { }"),
        "5: doPost is get(struct whit_pt *, struct args_t *): expected (struct args_t *)",
    ),
    (
        "parameters of doPostIn",
        parts(code="char take(void **p) { }\nchar answer(uint8_t t, void *p) { }"),
        "5: doPostIn is take(void **): expected (uint8_t, uint8_t, char *, void **) or "
        "(struct whit_pt *, struct whit_part *, struct state_t *)",
    ),
    (
        "state without a thread",
        parts(code=f"{TAKE}struct state_t {{ int a; }};\nchar answer(uint8_t t, struct state_t *s) {{ }}"),
        "2: doPostOut is answer(uint8_t, struct state_t *): expected (uint8_t, void *), or "
        "(struct whit_pt *, struct whit_part *, struct state_t *) for doPostIn",
    ),
    (
        "persistent index",
        generator(code="char get(struct args_t *a, uint32_t i, uint16_t len) { }"),
        "2: a handler with an index may be called again for the same bytes, a persistent one runs once: "
        "make get a protothread, or persistence volatile or idempotent",
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
    ("attribute twice", generator('<args>\n<arg name="a" name="b"/></args>'), f"4: {NOT_XML}: "),
    (
        "crossed elements",
        "\n" + generator("<args>\n<arg>\n</args></arg>"),
        f"6: {NOT_XML}: Opening and ending tag mismatch: arg line 5 and args",
    ),
    ("unknown entity", generator('<properties persistence="&p;"/>'), f"3: {NOT_XML}: "),
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
