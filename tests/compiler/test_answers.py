# SPDX-License-Identifier: MIT
"""Calls of answer_status and answer_field, as the application compiler reads them."""

from pathlib import Path

import pytest

from tests.compiler.support import error_of, generator, make_app
from whit.compiler import compile_application
from whit.compiler.model import Persistence

BODY = "static char get(struct args_t *args)\n{{\n    (void)args;\n    {calls}\n    return 1;\n}}\n"


def app(tmp_path: Path, calls: str, inner: str = "") -> Path:
    return make_app(tmp_path / "app", {"x.c": generator(inner, code=BODY.format(calls=calls))})


def texts(tmp_path: Path, calls: str, inner: str = "") -> list[str]:
    made = compile_application(app(tmp_path, calls, inner), tmp_path / "out")
    (resource,) = made.resources
    assert resource.generator
    return [answer.text for answer in resource.generator.answers]


def test_what_is_read(tmp_path: Path) -> None:
    calls = """answer_status(303);    // answer_status(9)
    answer_field("Location", "/a.html");
    answer_field ( "X-Two" , "in " "two"
        " \\"parts\\\\" );
    char c[] = "answer_status(7)"; (void)c;
    answer_status ( 404 ) ;"""
    assert texts(tmp_path, calls) == [
        "303 See Other\r\n",
        "Location: /a.html\r\n",
        'X-Two: in two "parts\\\r\n',
        "404 Not Found\r\n",
    ]
    generated = (tmp_path / "out" / "generator_x.c").read_text()
    for number in ("STATUS_303 = 0", "STATUS_404 = 1", "FIELD_9 = 2", "FIELD_10 = 3", "FIELD_11 = 3"):
        assert f"    WHIT_{number},\n" in generated


@pytest.mark.parametrize("name", ["x.c", "help.h"])
def test_a_macro_is_no_place_for_it(tmp_path: Path, name: str) -> None:
    macro = "// #define A answer_status(200)\n#define B(x) \\\n    answer_status(303)\n"
    made = app(tmp_path, "B(1);")
    file = made / name
    file.write_text((file.read_text() if file.exists() else "") + macro)
    line = file.read_text().count("\n")
    assert error_of(made) == f"{name}:{line}: answer_status in a #define: expected it in the function that answers"


def test_a_volatile_plain_one_that_chooses_runs_once(tmp_path: Path) -> None:
    inner = '<properties persistence="volatile"/>'
    made = compile_application(app(tmp_path, "answer_status(404);", inner), tmp_path / "out")
    assert made.resources[0].persistence == Persistence.PERSISTENT


@pytest.mark.parametrize(
    ("calls", "message"),
    [
        ("answer_status(code);", "answer_status(code): expected a number, answer_status(303)"),
        ("answer_status(42);", "answer_status(42): unknown; expected one of 200 201 "),
        ("answer_status(0303);", "answer_status(0303): unknown; expected one of 200 201 "),
        ("answer_status(204);", "answer_status(204): a handler's response is the last one, and has a content; "),
        ("answer_status(304);", "answer_status(304): "),
        ("answer_field(name, \"x\");", "answer_field(name, \"x\"): expected two constant texts, answer_field("),
        ("answer_field(\"X\", args->x);", "expected two constant texts"),
        ("answer_field(\"X\");", "expected two constant texts"),
        ("answer_field(\"X\", \"a\\r\\nSet-Cookie: b\");", "expected two constant texts"),
        ("answer_field(\"X Y\", \"a\");", "answer_field('X Y', ...): expected a field's name"),
        ("answer_field(\"X:\", \"a\");", "expected a field's name"),
        ("answer_field(\"X\", \"\");", "answer_field('X', ...): the value is ''; expected printable ASCII"),
        ("answer_field(\"X\", \" a\");", "expected printable ASCII without blanks around it"),
        ("answer_field(\"X\", \"ä\");", "expected printable ASCII without blanks around it"),
        ("answer_field(\"content-length\", \"1\");", "a handler cannot choose content-length; the engine writes it"),
        ("answer_field(\"Transfer-Encoding\", \"chunked\");", "cannot choose Transfer-Encoding; the engine writes it"),
        ("answer_field(\"Connection\", \"close\");", "cannot choose Connection; the engine writes it"),
        ("answer_field(\"Content-Type\", \"a/b\");", "expected <properties content-type="),
        (f"answer_field(\"X\", \"{'a' * 200}\");", "the line has 205 bytes; expected at most 200"),
        ("answer_field(\"X\", \"a\"); answer_field(\"Y\", \"b\");", "two calls of answer_field on one line"),
    ],
)  # fmt: skip
def test_what_is_refused(tmp_path: Path, calls: str, message: str) -> None:
    said = error_of(app(tmp_path, calls))
    assert said.startswith("x.c:8: ") and message in said


THREAD = "static char get(struct whit_pt *pt, struct args_t *args)\n{\n    (void)args;\n    PT_BEGIN(pt);\n"
ADMIT = "static char admit(struct args_t *args) { answer_status(404); return args == 0; }\n"
MISPLACED = [
    ('doGet="get"', THREAD + "    answer_status(404);\n    PT_END(pt);\n}\n", 9,
     "answer_status in get, a protothread, whose first bytes may have left: expected it in an initGet"),
    ('doGet="get" initGet="admit"', ADMIT + BODY.format(calls=""), 5,
     "answer_status in admit, the initGet of a plain doGet: expected it in get"),
    ('doGet="get" init="start"', ADMIT.replace("admit(struct args_t *args)", "start(void)") + BODY.format(calls=""), 5,
     "answer_status in start, which does not answer: expected it in a plain doGet, doPost or doPostOut"),
]  # fmt: skip


@pytest.mark.parametrize(("handlers", "code", "line", "message"), MISPLACED)
def test_where_it_cannot_be_called(tmp_path: Path, handlers: str, code: str, line: int, message: str) -> None:
    made = make_app(tmp_path / "app", {"x.c": generator(handlers=handlers, code=code)})
    assert error_of(made) == f"x.c:{line}: {message}"


def test_in_a_helper(tmp_path: Path) -> None:
    helper = "#include <whit/app.h>\nvoid redirect(void);\nvoid redirect(void)\n{\n    answer_status(303);\n}\n"
    made = make_app(tmp_path / "app", {"help.c": helper, "index.html": "x"})
    expected = "help.c:5: answer_status in a file without a <generator>: expected it in the handler's own file"
    assert error_of(made) == expected


def test_in_a_header(tmp_path: Path) -> None:
    header = "// answer_status(303);\nstatic inline void redirect(void)\n{\n    answer_status(303);\n}\n"
    made = make_app(tmp_path / "app", {"x.c": generator(), "sub/help.h": header})
    assert error_of(made) == "sub/help.h:4: answer_status in a header: expected it in the handler's own file"


def test_before_a_protothread_in_its_init_get(tmp_path: Path) -> None:
    code = ADMIT + THREAD + "    PT_END(pt);\n}\n"
    made = make_app(tmp_path / "app", {"x.c": generator(handlers='doGet="get" initGet="admit"', code=code)})
    assert compile_application(made, tmp_path / "out").resources[0].generator
