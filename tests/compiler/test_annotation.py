# SPDX-License-Identifier: MIT
"""<generator> elements that are right, however they are written."""

import pytest

from tests.compiler.support import HANDLER, generator
from whit.compiler import annotation, arguments, c_source
from whit.compiler.model import Generator, Get, Persistence, Writer


def read(text: str) -> Generator | None:
    return annotation.read("x.c", c_source.read("x.c", text), {})


def test_defaults() -> None:
    found = read(generator())
    assert found == Generator(
        1, Get("get", Writer.PLAIN), None, Persistence.PERSISTENT, "text/plain; charset=utf-8", ()
    )


def test_everything() -> None:
    found = read(
        generator(
            '<properties persistence="idempotent" content-type="text/html;charset=utf-8"/>\n'
            '<!-- <arg/> --><args><arg name="id" type="uint8"/>\n'
            '<arg size="24" optional="true" type="str" name="q"/></args>',
            handlers='init="start" doGet="get"',
            code=f"char start(void) {{ return 1; }}\n{HANDLER}",
        )
    )
    assert found is not None
    assert (found.init, found.get, found.persistence) == ("start", Get("get", Writer.PLAIN), Persistence.IDEMPOTENT)
    assert found.content_type == "text/html;charset=utf-8"
    assert [(one.declaration, one.optional, one.line) for one in found.arguments] == [
        ("uint8_t id", False, 4),
        ("char q[24]", True, 5),
    ]


@pytest.mark.parametrize(
    "text",
    [
        f'// <generator>\n//   <handlers doGet="get"/>\n// </generator>\n{HANDLER}',
        f'/**\n * <generator>\n *   <handlers doGet="get"/>\n * </generator>\n */\n{HANDLER}',
        f"{HANDLER}/* text in front <generator><handlers\ndoGet = 'get' /></generator > text behind */",
        f"char *s = \"/* <generator>\"; char c = '\"';\n/* <generator><handlers doGet='get'/></generator> */ {HANDLER}",
        f'char *s = "\\"\\\\"; /* <generator><handlers doGet=\'get\'/></generator> */\r\n{HANDLER}',
    ],
)
def test_comments_of_every_kind(text: str) -> None:
    found = read(text)
    assert found is not None
    assert found.get == Get("get", Writer.PLAIN)


@pytest.mark.parametrize(
    "code",
    [
        "char get(struct args_t *args)\n{\n}",
        "static char\nget(struct args_t *args /* none */) // why\n{ }",
        "#define OPEN {\nint x[] = { 1 };\nextern char get(struct args_t *);\nchar get ( struct args_t * args ) { }",
        "static inline char f(void) { return 1; } static char get(struct args_t *args) { return f(); }",
        "char get(struct args_t *args __attribute__((unused))) { }",
        "char get(struct args_t*) { }",
    ],
)
def test_handlers_are_found(code: str) -> None:
    assert read(generator(code=code)) is not None


@pytest.mark.parametrize(
    "text", ["", "int x;\n", "/* a <generators> element */", 'char *s = "<generator>";', "<generator>"]
)
def test_a_file_without_the_element(text: str) -> None:
    assert read(text) is None


def test_static_is_told_from_global() -> None:
    source = c_source.read(
        "x.c", "static int a; char f(void) { }\nstatic char g(void) { }\nint h(void) { static int b; }"
    )
    assert {name: one.static for name, one in source.functions().items()} == {"f": False, "g": True, "h": False}


def test_the_struct_is_as_long_as_the_c_compiler_makes_it() -> None:
    found = read(
        generator('<args><arg name="a" type="uint8"/><arg name="b" type="uint32"/><arg name="c" type="int16"/></args>')
    )
    assert found is not None
    assert found.args_len == 12


@pytest.mark.parametrize(("default", "number"), [("1.5", 150), ("-1.5", -150), ("0.07", 7), ("-0.07", -7), ("3", 300)])
def test_a_default_with_digits_after_the_point(default: str, number: int) -> None:
    def error(message: str, about: str | None) -> Exception:
        return AssertionError(f"{about}: {message}")

    said = {"name": "weight", "type": "int16", "scale": "2", "default": default}
    assert arguments.read(said, 1, error, service=True).default == number
