# SPDX-License-Identifier: MIT
"""Sound protothreads pass; each mistake gives its lines."""

from pathlib import Path

import pytest

from tests.compiler.support import error_of, generator, make_app
from whit.compiler import c_source, protothread
from whit.compiler.errors import CompileError

HEAD = "static char get(struct whit_pt *pt, struct args_t *args, struct state_t *state)\n{\n"


def said(text: str) -> str | None:
    """Returns the error of a C file, or None."""
    try:
        protothread.check("x.c", c_source.read("x.c", text))
    except CompileError as error:
        return str(error).removeprefix("x.c:")
    return None


def thread(inside: str, before: str = "", after: str = "") -> str:
    """A handler; `inside` begins on line 4, or behind `before`."""
    return f"{HEAD}{before}PT_BEGIN(pt);\n{inside}\nPT_END(pt);\n{after}}}\n"


SOUND = {
    "nothing to wait for": "state->a = 1;",
    "state": "for (state->i = 0; state->i < 5; state->i++)\nPT_OUT_UINT(pt, state->i);",
    "static": "static uint8_t n;\nn = 1;\nPT_OUT_C(pt, n);\nn = 2;",
    "block that does not wait": "{ uint8_t i; for (i = 0; i < 5; i++) state->n += i; }\nPT_OUT_UINT(pt, state->n);",
    "used before only": "uint8_t i = 3;\nstate->n = i;\nPT_OUT_UINT(pt, state->n);",
    "used behind only": "uint8_t i;\nPT_OUT_UINT(pt, state->n);\ni = 3;\nstate->n = i;",
    "set again": "uint8_t i = 3;\nstate->n = i;\nPT_OUT_UINT(pt, state->n);\ni = 3;\nstate->n = i;",
    "loops before and behind": (
        "uint8_t i;\nfor (i = 0; i < 4; i++) state->n += i;\nPT_OUT_C(pt, 'x');\nfor (i = 0; i < 4; i++) state->n += i;"
    ),
    "declared in a loop": "for (;;) {\nint16_t c;\nPT_IN(pt, c);\nif (c < 0) break;\nstate->n += c;\n}",
    "set by each turn of a loop": "int16_t c;\nfor (;;) {\nPT_IN(pt, c);\nif (c < 0)\nbreak;\nstate->n += c;\n}",
    "set by each turn": "while (state->n < 9) {\nuint8_t i = f();\nstate->n += i;\nPT_OUT_UINT(pt, state->n);\n}",
    "hidden": "uint8_t i = 1;\nstate->n = i;\nPT_OUT_C(pt, 'x');\n{ uint8_t i = 2;\nstate->n = i; }",
    "of a struct": "uint8_t n = 1;\nstate->n = n;\nPT_OUT_UINT(pt, state->n);\nstate->b.n = args->n;",
    "no declarations": "state->n = (1 ? 2 : c * d);\nPT_OUT_C(pt, d);\nstate->d = (struct d){ a * b, 0 }.x;",
    "sizeof": "uint8_t n = 1;\nstate->n = n;\nPT_OUT_UINT(pt, sizeof n);\nPT_OUT_UINT(pt, sizeof(n));",
    "switch": "switch (args->n) { case 1: state->n = 1; break; default: break; }\nPT_OUT_UINT(pt, state->n);",
    "two functions with one line": "PT_OUT_C(pt, 'x');",
    "several lines": "PT_OUT_MEM(pt,\n   state->line,\n   3);\nPT_OUT_C(pt, 'x');",
    "if and else": "if (args->n)\nPT_OUT_C(pt, 'a');\nelse\nPT_OUT_C(pt, 'b');",
    "extern": "extern int n;\nn = 1;\nPT_OUT_INT(pt, n);",
}


@pytest.mark.parametrize("inside", SOUND.values(), ids=SOUND)
def test_sound(inside: str) -> None:
    assert said(thread(inside)) is None


def test_what_stands_before_pt_begin_is_set_again() -> None:
    assert said(thread("PT_OUT_STR(pt, text);", "const char *text = texts[args->n];\n")) is None
    assert said(thread("PT_OUT_C(pt, a);", "uint8_t a;\na = f();\nif (a > 3)\nreturn 0;\n")) is None
    assert said(thread("PT_OUT_STR(pt, text);\ntext++;", "const char *text = texts[0];\n")) == (
        "3: local variable text is lost where PT_OUT_STR on line 5 waits: put it into struct state_t"
    )
    assert said(thread("PT_OUT_MEM(pt, a, 2);", "const char a[] = { 1, 2 };\n")) is None
    assert said(thread("PT_OUT_MEM(pt, a, 2);", "char a[] = { 1, 2 };\n")) is not None


# The body, the line of the error, the variable, the macro, and the macro's line.
LOST = [
    ("uint8_t i = 3;\nPT_OUT_C(pt, 'x');\nstate->n = i;", 4, "i", "PT_OUT_C", 5),
    ("uint8_t i = 3;\nPT_OUT_UINT(pt, i);", 4, "i", "PT_OUT_UINT", 5),
    ("\nfor (uint8_t i = 0; i < 5; i++)\nPT_OUT_C(pt, 'x');", 5, "i", "PT_OUT_C", 6),
    ("uint8_t j, i;\nfor (i = 0; i < 5; i++) {\nj = 1;\nPT_OUT_C(pt, 'x');\n}", 4, "i", "PT_OUT_C", 7),
    ("char line[9], *p;\nsnprintf(line, 9, s);\n\nPT_OUT_STR(pt, line);", 4, "line", "PT_OUT_STR", 7),
    ("struct pair p = { 1, 2 };\nPT_WAIT_UNTIL(pt, ready());\nuse(&p);", 4, "p", "PT_WAIT_UNTIL", 5),
    ("pair_t *p = first();\nPT_OUT_FLASH(pt, p->name);", 4, "p", "PT_OUT_FLASH", 5),
    ("uint8_t n = 0;\ndo {\nPT_OUT_C(pt, 'x');\nn++;\n} while (n < 3);", 4, "n", "PT_OUT_C", 6),
    (
        "uint8_t n;\nwhile (state->n < 3) {\nif (args->n)\nn = 1;\nstate->n += n;\nPT_OUT_C(pt, 'x');\n}",
        4,
        "n",
        "PT_OUT_C",
        9,
    ),
    ("int16_t c;\nfor (;;) {\nPT_IN(pt, c);\nPT_OUT_C(pt, (char)c);\n}", 4, "c", "PT_OUT_C", 7),
    ("uint8_t i = 0;\nPT_IN(pt, state->line[i]);", 4, "i", "PT_IN", 5),
    ("char (*f)(void) = g;\nPT_OUT_C(pt, 'x');\nf();", 4, "f", "PT_OUT_C", 5),
    ("int n;\nif (args->n)\nn = 1;\nelse\nn = 2;\nPT_OUT_C(pt, 'x');\nstate->n = n;", 4, "n", "PT_OUT_C", 9),
    ("int n;\nn = 1;\nagain: PT_OUT_C(pt, 'x');\nn = 2;\nif (n) goto again;", 4, "n", "PT_OUT_C", 6),
    ("int n = 1;\nPT_OUT_C(pt, 'x');\nn = n;\nuse(n);", 4, "n", "PT_OUT_C", 5),
    ("int n = 1;\nPT_OUT_C(pt, 'x');\nif (state->n) n = 3;\nstate->n = n;", 4, "n", "PT_OUT_C", 5),
    (
        "int n = 1;\nPT_OUT_C(pt, 'x');\nn = 3;\nwhile (state->n--) {\nuse(n);\nPT_OUT_C(pt, 'y');\n}",
        4,
        "n",
        "PT_OUT_C",
        5,
    ),
]


@pytest.mark.parametrize(("inside", "line", "name", "macro", "at"), LOST, ids=[case[0][:30] for case in LOST])
def test_lost(inside: str, line: int, name: str, macro: str, at: int) -> None:
    expected = f"{line}: local variable {name} is lost where {macro} on line {at} waits: put it into struct state_t"
    assert said(thread(inside)) == expected


ERRORS = [
    (
        thread("switch (args->n) {\ncase 1:\nPT_OUT_C(pt, 'x');\n}"),
        "6: PT_OUT_C inside the switch of line 4: expected if and else",
    ),
    (thread("switch (args->n) case 1: PT_OUT_C(pt, 'x');"), "4: PT_OUT_C inside the switch of line 4"),
    (
        thread("PT_OUT_C(pt, 'x'); PT_OUT_C(pt, 'y');"),
        "4: a second place to wait on the line of another: put PT_OUT_C on a line of its own",
    ),
    (thread("PT_OUT_STR(pt,\n\"a\"); PT_OUT_C(pt, 'y');"), "5: a second place to wait on the line of another"),
    (
        f"{HEAD}PT_BEGIN(pt);\nPT_OUT_C(pt, 'x');\n}}",
        "3: PT_BEGIN without PT_END in get: expected PT_END(pt); at its end",
    ),
    (f"{HEAD}PT_END(pt);\n}}", "3: PT_END without PT_BEGIN in get: expected PT_BEGIN(pt) before it, or out_ functions"),
    ("void help(struct whit_pt *pt)\n{\nPT_OUT_C(pt, 'x');\n}", "3: PT_OUT_C without PT_BEGIN in help: expected"),
    (thread("", "PT_OUT_C(pt, 'x');\n"), "3: PT_OUT_C outside of PT_BEGIN and PT_END: expected it between them"),
    (thread("", after="PT_IN(pt, c);\n"), "6: PT_IN outside of PT_BEGIN and PT_END"),
    (thread("PT_BEGIN(pt);"), "4: a second PT_BEGIN in get: expected one"),
    (thread("", after="PT_END(pt);\n"), "6: a second PT_END in get: expected one"),
    (
        thread("") + thread("uint8_t i = 1;\nPT_OUT_UINT(pt, i);"),
        "10: local variable i is lost where PT_OUT_UINT on line 11",
    ),
]


@pytest.mark.parametrize(("text", "expected"), ERRORS, ids=[case[1] for case in ERRORS])
def test_error(text: str, expected: str) -> None:
    found = said(text)
    assert found is not None
    assert found.startswith(expected)


def test_what_is_no_code_does_not_count() -> None:
    assert (
        said("// PT_OUT_C(pt, 'x');\nvoid f(void) { s = \"PT_OUT_C(pt, c)\"; }\n#define OUT(c) PT_OUT_C(pt, c)\n")
        is None
    )
    assert said(thread("// uint8_t i = 1;\nPT_OUT_C(pt, 'i');\n/* i */")) is None


def test_helpers_are_read_too(tmp_path: Path) -> None:
    helper = "#include <whit/app.h>\nvoid f(struct whit_pt *pt)\n{\nPT_OUT_C(pt, 'x');\n}\n"
    app = make_app(tmp_path / "app", {"x.c": generator(), "help.c": helper})
    assert error_of(app).startswith("help.c:4: PT_OUT_C without PT_BEGIN in f: ")


STATIC = (
    "char get(struct whit_pt *p, struct args_t *a)\n{\nstatic const char *const s[] = { 0 };\nstatic uint8_t cnt;\n}\n"
)


@pytest.mark.parametrize("kind", ["volatile", "idempotent"])
def test_a_thread_that_runs_again_has_no_static_variables(tmp_path: Path, kind: str) -> None:
    app = make_app(tmp_path / "app", {"x.c": generator(f'<properties persistence="{kind}"/>', code=STATIC)})
    assert error_of(app) == (
        "x.c:8: cnt is static and get is run again for bytes that are sent again: put it into struct state_t"
    )
    assert protothread.check("x.c", c_source.read("x.c", STATIC)) is None
