# SPDX-License-Identifier: MIT
"""An application sees whit/app.h and its own names: those of the engine's inner headers are free."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from tests.compiler.support import HANDLER, HERE, INCLUDES, WARNINGS, error_of, generator, make_app
from whit.compiler import compile_application
from whit.paths import ROOT

ENGINE = sorted((ROOT / "engine").rglob("*.h"))
STATE = "struct state_t { uint16_t my_cnt; };\n"
ARGS = '<args><arg name="my_level" type="int16" default="-1"/><arg name="my_what" type="enum" values="a b"/></args>'
THREAD = 'PT_BEGIN(my_pt); PT_OUT_STR(my_pt, "x"); PT_END(my_pt);'
# One of each way of writing, so that all of the generated text is there. Nothing in it is called as in the engine.
APP = {
    "plain.c": (
        f'<handlers init="start" initGet="admit" doGet="say_it" doPost="take_it"/>{ARGS}',
        "static char start(void) { return 1; }\n"
        "static char admit(struct args_t *my_args) { return my_args->my_level != 0; }\n"
        "static char say_it(struct args_t *my_args) { out_int(my_args->my_level); return 1; }\n"
        "static char take_it(struct args_t *my_args) { out_int(my_args->my_level); return 1; }\n",
    ),
    "by_index.c": (
        '<handlers doGet="say_it"/><properties persistence="idempotent"/>',
        "static char say_it(struct args_t *my_args, uint32_t my_at, uint16_t my_len)\n"
        "{ (void)my_args; (void)my_at; (void)my_len; return 1; }\n",
    ),
    "stateless.c": (
        '<handlers doGet="say_it"/>',
        f"static char say_it(struct whit_pt *my_pt, struct args_t *my_args) {{ (void)my_args; {THREAD} }}\n",
    ),
    "rerun.c": (
        f'<handlers doGet="say_it"/><properties persistence="volatile"/>{ARGS}',
        f"{STATE}static char say_it(struct whit_pt *my_pt, struct args_t *my_args, struct state_t *my_state)\n"
        f"{{ (void)my_args; (void)my_state; {THREAD} }}\n",
    ),
    "parts.c": (
        '<handlers doPostIn="take_it" doPostOut="say_it"/>'
        '<content-types><content-type type="image/png"/></content-types>',
        f"{STATE}static char take_it(struct whit_pt *my_pt, struct whit_part *my_part, struct state_t *my_state)\n"
        "{ (void)my_part; PT_BEGIN(my_pt); my_state->my_cnt = 1; PT_END(my_pt); }\n"
        "static char say_it(uint8_t my_type, struct state_t *my_state)\n"
        "{ (void)my_type; return my_state->my_cnt == 1; }\n",
    ),
    "whole.c": (
        '<handlers doPostIn="take_it" doPostOut="say_it"/>',
        "static char take_it(uint8_t my_type, uint8_t my_number, char *my_name, void **my_data)\n"
        "{ (void)my_type; (void)my_number; (void)my_name; (void)my_data; return in() == -1; }\n"
        "static char say_it(uint8_t my_type, void *my_data) { (void)my_type; (void)my_data; return 1; }\n",
    ),
}


def is_free(name: str) -> bool:
    """True if the name is not the engine's by its prefix, nor C's, nor a struct that whit/app.h gives to
    applications."""
    return not re.match(r"whit_|WHIT_|_|\d", name) and name not in ("args_t", "state_t", "memcpy", "memset")


def inner(pattern: str, text: str) -> Iterator[str]:
    yield from filter(is_free, re.findall(pattern, text))


def names() -> dict[str, set[str]]:
    """Returns the names of the engine's own headers, by kind."""
    found: dict[str, set[str]] = {"macro": set(), "constant": set(), "tag": set(), "function": set(), "member": set()}
    for header in ENGINE:
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", header.read_text(), flags=re.DOTALL)
        found["macro"] |= set(inner(r"#define (\w+)", text))
        for body in re.findall(r"\benum\s*\w*\s*\{([^}]*)\}", text):
            found["constant"] |= set(inner(r"(?:^|,)\s*(\w+)", body))
        found["tag"] |= set(inner(r"\b(?:struct|enum|union) (\w+)", text))
        found["function"] |= set(inner(r"\b(\w+)\((?!\*)[^()]*\)(?:;|\s*\n\{)", text))
        for body in re.findall(r"\b(?:struct|union)\s*\w*\s*\{([^}]*)\}", text):
            found["member"] |= set(inner(r"(\w+)(?:\)\([^;]*|\[\w+\]|\s*:\s*\d+)?(?:,[^;]*)?;", body))
    return found


def defined(own: str, tmp_path: Path) -> None:
    """Compiles an application with these lines at the beginning of each file."""
    app = make_app(
        tmp_path / "app",
        {
            "app.toml": "buffer = 2048\n",
            "own.h": own,
            **{
                name: f'/* <generator>{element}</generator> */\n#include <whit/app.h>\n#include "own.h"\n{code}'
                for name, (element, code) in APP.items()
            },
        },
    )
    out = tmp_path / "out"
    compile_application(app, out)
    flags = [*WARNINGS, "-Wno-unused-macros", "-Wno-unused-function", *INCLUDES, f"-I{out}", f"-I{app}"]
    for source, log in product(out.glob("generator_*.c"), ("", "-DWHIT_HAS_LOG=1")):
        done = subprocess.run(["gcc", *flags, *log.split(), "-fsyntax-only", source], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_the_names_were_found() -> None:
    found = names()
    assert {"FIELD_LENGTH", "OP_END", "BIT_HOST", "HTTP_200", "CLASS_DIGIT", "ORIGIN_SLOT"} <= found["constant"]
    assert {"MSS_MAX", "TICKS", "WINDOW_RESERVED", "SET_TAB", "NODE_NONE", "LAST"} <= found["macro"]
    assert {"walk", "piece", "body", "tcb_state", "http_step"} <= found["tag"]
    assert {"link_init", "count", "buffer_find", "refuse", "load32_be"} <= found["function"]
    assert {"get", "writer", "state_len", "methods", "names", "form", "types", "plain", "in_thread"} <= found["member"]


def test_every_name_as_a_macro(tmp_path: Path) -> None:
    found = names()
    # whit/app.h has a function `in`; its PT_ macros read `line`.
    own = set().union(*found.values()) - {"in", "line"}
    defined("".join(f"#define {name} {name}_of_the_author(\n" for name in sorted(own)), tmp_path)


def test_every_name_as_constant_tag_and_function(tmp_path: Path) -> None:
    found = names()
    tags = "".join(f"struct {name} {{ int theirs; }};\n" for name in sorted(found["tag"]))
    words = sorted((found["macro"] | found["constant"]) - found["function"])
    functions = "".join(f"static void {name}(void) {{ }}\n" for name in sorted(found["function"] - {"in"}))
    defined(f"{tags}enum theirs {{ {', '.join(words)} }};\n{functions}", tmp_path)


def test_the_calendar(tmp_path: Path) -> None:
    """Names like those of Smews' calendar are accepted."""
    defined("#define FIELD_LENGTH 16\nenum { OP_END, BIT_HOST, CLASS_OWS, HTTP_200 };\n", tmp_path)


@pytest.mark.parametrize(("compiler", "port"), [("gcc", "flat"), ("avr-gcc", "avr")])
def test_what_app_h_brings(compiler: str, port: str) -> None:
    """Macros: whit_, WHIT_, the documented ones, and those of the C library's own headers."""
    if not shutil.which(compiler):
        pytest.skip(f"{compiler} is not installed")
    machine = ["-mmcu=atmega1284p"] if port == "avr" else []
    headers = [f"-I{ROOT}/include", f"-I{ROOT}/ports/{port}", f"-I{HERE}/golden/out"]
    flags = [compiler, *machine, "-std=c11", "-dM", "-E", "-x", "c", *headers, "-"]

    def macros(text: str) -> set[str]:
        done = subprocess.run(flags, input=text, capture_output=True, text=True, check=True)
        return set(re.findall(r"#define (\w+)", done.stdout))

    library = macros("#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <string.h>\n")
    brought = macros("#include <whit/app.h>\n") - library
    known = re.compile(r"whit_|WHIT_|PT_|CONST_|answer_|persistent_|TIME_MILLIS$")
    assert {name for name in brought if not known.match(name)} == set()
    assert "WHIT_FLASH" in brought


def test_golden_has_no_other_header() -> None:
    """A generated source includes no other headers than these; tests above check the prefix of the names in them."""
    text = (HERE / "golden" / "out" / "generator_log.c").read_text()
    own = ["core/tables.h", "stddef.h", "whit/app.h", "log.c"]
    assert sorted(re.findall(r"#include [<\"](.*)[>\"]", text)) == sorted(own)


def test_a_handler_that_is_called_main(tmp_path: Path) -> None:
    """Static, the C compiler would take it."""
    code = HANDLER.replace("get", "main")
    said = error_of(make_app(tmp_path / "app", {"x.c": generator(handlers='doGet="main"', code=code)}))
    assert said == "x.c:5: doGet is main, which is the name of a program's own function: expected another name"
