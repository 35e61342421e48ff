# SPDX-License-Identifier: MIT
"""Messages for mistakes that only the C compiler, the linker or the machine detects. The first line names the author's
own file and line. One application has them all, so that its engine is built once."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from whit.compiler import compile_application
from whit.errors import WhitError
from whit.image.build import build
from whit.image.c_messages import explained
from whit.paths import BUILD, ROOT

GET_C = """\
/* <generator>
     <handlers doGet="get"/>
     <properties persistence="volatile" content-type="text/plain"/>
   </generator> */
#include "whit/app.h"

static char get(struct args_t *args)
{
    (void)args;
    out_uint(1);
    return 1;
}
"""
FORM_C = """\
/* <generator><handlers doGet="get"/><properties persistence="persistent"/></generator> */
#include "whit/app.h"
struct state_t { uint8_t octets[200]; };
static char get(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    (void)args;
    PT_BEGIN(pt);
    state->octets[0] = 1;
    PT_OUT_UINT(pt, state->octets[0]);
    PT_END(pt);
}
"""
INDEX = {"index.html": "<!doctype html>"}


def may_not_mount() -> bool:
    """Containers often forbid it."""
    command = ["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"]
    return shutil.which("unshare") is None or subprocess.run(command, capture_output=True).returncode != 0


@pytest.fixture(autouse=True)
def compilers_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    """ccache adds words of its own to messages, and omits lines of files if the build has a base directory."""
    monkeypatch.delenv("CMAKE_C_COMPILER_LAUNCHER", raising=False)


@pytest.fixture
def app() -> Path:
    """Returns an application's directory, the same for each test of a worker."""
    directory = BUILD / "test-apps" / os.environ.get("PYTEST_XDIST_WORKER", "main") / "mistakes"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    return directory


def said_of(app: Path, files: Mapping[str, str], **overrides: object) -> list[str]:
    """The lines, the application's directory left out."""
    for name, text in (INDEX | files).items():
        (app / name).write_text(text)
    with pytest.raises(WhitError) as error:
        build(app, target="inprocess", overrides=overrides, check_budget=False)
    return re.sub(rf"\S*{app.name}/", "", str(error.value)).splitlines()


def changed(before: str, after: str) -> dict[str, str]:
    assert before in GET_C
    return {"get.c": GET_C.replace(before, after)}


def included(text: str, code: str = "out_uint(1);") -> dict[str, str]:
    """Returns a handler with `text` on line 6, after the include, and `code` on line 11."""
    return {"get.c": GET_C.replace("#include", f"{text}\n#include").replace("out_uint(1);", code)}


CASES = {
    "implicit": (changed("out_uint", "out_unit"), "get.c:10: 'out_unit' is not declared; did you mean 'out_uint'?"),
    "printf": (changed("out_uint(1)", 'printf("1")'), "get.c:10: printf(): a server has no standard output; expected"),
    "printf of stdio.h": (
        included("#include <stdio.h>", 'printf("%d", *(volatile int *)args);'),
        "get.c:11: printf(): a server has no standard output; expected out_str(), out_uint()",
    ),
    "scanf": (
        included("#include <stdio.h>", 'scanf("%*d");'),
        "get.c:11: scanf(): a server has no standard input; exp",
    ),
    "timer": (
        included("static char tick(void) { return 1; }", "set_timer(tick, 1);"),
        "get.c:11: set_timer() calls a function of another type: expected static void NAME(void)",
    ),
    "pointer": (
        included("static void take(uint8_t *to) { *to = 1; }", "uint16_t n; take(&n);"),
        "get.c:11: argument 1 of take() is a pointer to another type: expected the one of its declaration",
    ),
    "undeclared": (changed("(1)", "(one)"), "get.c:10: 'one' is not declared"),
    "no semicolon": (changed("(1);", "(1)"), "get.c:10: expected ';' before 'return'"),
    "no return": (changed("    return 1;\n", ""), "get.c:11: the function ends without a return: a handler returns 1"),
    "number as text": (changed("out_uint(1)", "out_str(1)"), "get.c:10: a number is given to a function that writes a"),
    "text as number": (
        changed("(1)", '("1")'),
        "get.c:10: a pointer is given to a function that writes a number: a",
    ),
    "no arguments": (changed("(1)", "(args->one)"), "get.c:10: args has no fields: expected <args><arg name="),
    "C++": (changed("out_uint(1)", "class x"), "get.c:10: 'class' is C++, or Arduino's: expected C11"),
    "whit_stored.h": (
        included('#include "whit_stored.h"'),
        "get.c:5: whit_stored.h does not exist: it is made when app.toml declares a content, such as [stored.",
    ),
    "content": (changed("(1)", "(STORED_A)"), "get.c:10: 'STORED_A' is not declared: expected a content of that name"),
    "no header": (included('#include "sensor.h"'), "get.c:5: sensor.h is not found: expected a header of the applica"),
    "other header of Whit": (
        included('#include "whit/ap.h"'),
        "get.c:5: whit/ap.h is not found: an application includes whit/app.h, and nothing else of Whit",
    ),
    "name of app.h": (
        included("int out_str(void);"),
        "get.c:5: 'out_str' is declared elsewhere, with other types or not static: expected the same",
    ),
    "nowhere": (included("int help(void);", "out_uint(help());"), "get.c:11: 'help' is defined nowhere: expected its"),
    "helper": (
        {"get.c": GET_C, "help.c": "int help(void) {\n    return no_help();\n}\n"},
        "help.c:2: 'no_help' is not declared; did you mean 'help'? Expected a function",
    ),
    "twice": (
        {"a.c": "int x;\nint help(void) { return 1; }\n", "b.c": "int help(void) { return 1; }\n"},
        ".c:",
    ),
    "Smews' header": (
        included('#include "generators.h"'),
        "get.c:5: expected #include <whit/app.h>, which has what Smews'",
    ),
    "Smews' channels": (
        included('#include "channels.h"'),
        "get.c:5: channels.h does not exist: nothing is pushed to cli",
    ),
    "push": (
        changed("out_uint(1)", "server_push(0)"),
        "get.c:10: server_push() does not exist: nothing is pushed to cl",
    ),
    "constants": (
        changed("out_uint(1)", "CONST_WRITE_NBYTES(args, args, 1)"),
        "get.c:10: CONST_WRITE_NBYTES() does not exist: nothing writes constants; expected a table [persistent.NAME]",
    ),
    "heap": (
        changed("out_uint(1)", "mem_free(args, 1)"),
        "get.c:10: mem_free() does not exist: there is no heap; expect",
    ),
    "clock": (
        changed("out_uint(1)", "out_uint(TIME_MILLIS); clr_timer(0)"),
        "get.c:10: clr_timer() does not exist: a ",
    ),
    "name of the engine": (
        {"get.c": GET_C, "help.c": "void timer_init(void);\nvoid timer_init(void) { }\n"},
        "help.c:2: 'timer_init' is a name of the engine too: expected it static, or another",
    ),
    "a reason that is a variable": (
        included('#include "whit/service.h"\nextern char why[];', "return fault(why);"),
        "get.c:12: an array begins with a text in quotes, or with values in braces; fault() takes a text in quotes too",
    ),
    "too much state": (
        {"get.c": FORM_C.replace("[200]", "[256]")},
        "get.c:3: struct state_t takes more than 255 bytes: expected a smaller one",
    ),
}


@pytest.mark.parametrize(("files", "expected"), CASES.values(), ids=CASES)
def test_first_line_names_the_authors_file(app: Path, files: dict[str, str], expected: str) -> None:
    first, *rest = said_of(app, files)
    assert expected in first
    assert re.match(r"[\w.]+\.c:\d+: ", first) and "generator_" not in first
    assert rest and len(rest) <= 14 and not any("ninja" in line or "FAILED" in line for line in rest), rest


def test_warnings_of_ours_are_left_out(app: Path, tmp_path: Path) -> None:
    """GCC's text of a first build, in which it warned of the engine's sources between two mistakes of the author."""
    for name, text in (INDEX | {"get.c": GET_C}).items():
        (app / name).write_text(text)
    generated = tmp_path / "generated"
    application = compile_application(app, generated)
    engine = f"{ROOT}/engine/response/log.c"
    log = f"""\
{app}/get.c: In function 'get':
{app}/get.c:10:5: error: 'x' undeclared (first use in this function)
   10 |     x(1);
{engine}: In function 'log_keep':
{engine}:18:37: warning: declaration of 'texts' shadows a global declaration [-Wshadow]
   18 | void log_keep(void)
{engine}:10:19: note: shadowed declaration is here
   10 | static const char texts[] =
{app}/get.c: In function 'get':
{app}/get.c:11:5: warning: unused variable 'y' [-Wunused-variable]
   11 |     int y;
"""
    first, *rest = re.sub(rf"\S*{app.name}/", "", explained(log, application, generated)).splitlines()
    assert first == "get.c:10: 'x' is not declared"
    assert rest == [
        "get.c:10:5: error: 'x' undeclared (first use in this function)",
        "   10 |     x(1);",
        "get.c: In function 'get':",
        "get.c:11:5: warning: unused variable 'y' [-Wunused-variable]",
        "   11 |     int y;",
    ]


@pytest.mark.parametrize(
    ("name", "shown"),
    [(b"a;b", ";"), (b"a\\b", "\\"), (b"a\nb", "\\n"), (b"\xff", "\\xff"), (b"$(a)", "$("), (b"a$ENV{b}", "$ENV{")],
)
def test_a_directory_that_cmake_cannot_take(tmp_path: Path, name: bytes, shown: str) -> None:
    directory = tmp_path / os.fsdecode(name)
    directory.mkdir()
    (directory / "index.html").write_text("<!doctype html>")
    done = subprocess.run([str(ROOT / "whit"), "build", os.fsencode(directory)], capture_output=True, timeout=60)
    said = done.stderr.decode()
    assert done.returncode == 2 and said.count("\n") == 1
    assert f": a {shown} in the path: expected UTF-8 without" in said and said.endswith("; rename it\n")


UNFINISHED = {
    "brace": (GET_C.removesuffix("}\n"), 8, "this { is never closed: expected a } for it"),
    "parenthesis": (f"{GET_C}static int help(\n", 13, "this ( is never closed: expected a ) for it"),
    "value": (
        f"{GET_C}\nstatic int x =\n\n",
        14,
        "the file ends in the middle of a declaration: expected its value or its ;",
    ),
}


@pytest.mark.parametrize(("text", "line", "expected"), UNFINISHED.values(), ids=UNFINISHED)
def test_unfinished_file(app: Path, text: str, line: int, expected: str) -> None:
    """The message is one line: the compiler's text is about the code generated after the author's file."""
    assert said_of(app, {"get.c": text}) == [f"get.c:{line}: {expected}"]


def test_function_in_two_files(app: Path) -> None:
    first = said_of(app, CASES["twice"][0])[0]
    assert first.endswith(": expected one, or both of them static")
    assert "a.c:2" in first and "b.c:1" in first and "'help' is defined twice" in first


def test_buffer_for_a_state(app: Path) -> None:
    """The message names the buffer that the handler's struct state_t needs; the compiler computes its size."""
    first = said_of(app, {"get.c": FORM_C, "app.toml": "idle = 4\nbuffer = 256\n"})[0]
    match = re.fullmatch(r"app\.toml:2: buffer is 256: expected at least (\d+) for the struct state_t of get\.c", first)
    assert match, first
    (app / "app.toml").write_text(f"idle = 4\nbuffer = {match[1]}\n")
    assert build(app, target="inprocess", check_budget=False).image.exists()


HINTED = """\
/* <generator><handlers doGet="get"/><properties persistence="volatile"/>
   <args><arg name="who" type="str" size="9" optional="true"/></args></generator> */
#include "whit/app.h"
static char get(struct args_t *args)
{
    if (args)
        out_c('a');
    if (args->who)
        out_str(args->who);
    return args && args->who[0];
}
"""


def test_hints(app: Path) -> None:
    """Valid C that is probably a mistake is built, with a hint of one line each."""
    (app / "index.html").write_text("<!doctype html>")
    (app / "get.c").write_text(HINTED)
    hints = [hint.rpartition("/")[2] for hint in build(app, target="inprocess").hints]
    never = "args is never NULL: an optional argument that is absent has its default, or is 0 or empty"
    assert hints[:2] == [f"get.c:6: {never}", f"get.c:10: {never}"]
    assert hints[2:] == ["get.c:8: who is never NULL: an optional text that is absent is empty, who[0] == 0"]
    (app / "get.c").write_text(GET_C.replace("/* <", "#include <stdlib.h>\n/* <").replace("uint(1)", "str(malloc(3))"))
    (hint,) = build(app, target="linux").hints
    assert hint.endswith("/get.c:11: memory is read before it was written, such as that of malloc()")
    (app / "get.c").write_text(GET_C)
    assert build(app, target="inprocess").hints == ()


@pytest.mark.skipif(may_not_mount(), reason="no mounts in a namespace of its own")
@pytest.mark.parametrize("size", ["200k", "1500k"])  # full for CMake, and for Ninja or the compiler
def test_full_disk(tmp_path: Path, size: str) -> None:
    """A small file system over build/, in a namespace of its own."""
    (tmp_path / "get.c").write_text(GET_C)
    script = f"mount -t tmpfs -o size={size} none {BUILD} && {ROOT}/whit build {tmp_path}"
    done = subprocess.run(["unshare", "-rm", "sh", "-c", script], capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    said = done.stderr.removeprefix("compiling the engine and the application\n")  # after two seconds
    assert said == f"whit: {BUILD}: no space left on the device; free some, or remove what was built there\n"


def test_no_compiler(app: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    first = said_of(app, {"get.c": GET_C})[0]
    assert first.startswith("cmake: Could not find compiler set in environment variable CC: no-such-compiler")


@pytest.mark.skipif(may_not_mount(), reason="no mounts in a namespace of its own")
def test_read_only_tree(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<!doctype html>")
    script = f"mount --bind {ROOT} {ROOT} && mount -o remount,ro,bind {ROOT} && cd / && {ROOT}/whit build {tmp_path}"
    done = subprocess.run(["unshare", "-rm", "sh", "-c", script], capture_output=True, text=True, timeout=120)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert done.stderr.endswith(": Read-only file system; expected a directory for builds\n"), done.stderr


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("avr-gcc") is None, reason="gcc-avr is not installed")
def test_image_that_does_not_fit(app: Path) -> None:
    """An image too large for the target gives the linker's error first, above earlier warnings of the compiler."""
    for name, text in (INDEX | {"get.c": GET_C}).items():
        (app / name).write_text(text)
    with pytest.raises(WhitError) as error:
        build(app, target="avr", overrides={"buffer": 20000}, check_budget=False)
    first, second, *more = str(error.value).splitlines()
    assert first.endswith(
        "mistakes: the image does not fit the RAM of the target; "
        "expected a smaller buffer and fewer connections in app.toml, or smaller files"
    )
    assert second.startswith("ld: ") and second not in more


DEVICES = [("avr", "avr-gcc"), ("cortex-m", "arm-none-eabi-gcc"), ("riscv", "riscv64-unknown-elf-gcc")]
NO_FILES = "a device has no files; expected out_str() and the others of whit/app.h"
NO_FORMATS, NO_HEAP = "a device has no formats; expected out_int()", "a device has no heap; expected a static variable"
C_LIBRARY = {
    "snprintf": ('char t[9]; snprintf(t, 9, "%f", 1.5); out_str(t);', NO_FORMATS),
    "malloc": ("out_str(malloc(whit_port_now_ms()));", NO_HEAP),
    "free": ("free((void *)args);", NO_HEAP),
    "exit": ("exit(1);", "a device never ends; expected return 0"),
    "puts": ('puts("one");', "a server has no standard output; expected out_str()"),
    "putchar": ("putchar(args != NULL);", "a server has no standard output; expected out_str()"),
    "fprintf": ('fprintf(stderr, "%d\\n", args != NULL);', NO_FILES),
    "fputs": ('fputs("one", stderr);', NO_FILES),
    "putc": ("putc('1', stderr);", NO_FILES),
    "fopen": ('if (fopen("a", "r")) return 0;', NO_FILES),
    "perror": ('perror("one");', NO_FILES),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", C_LIBRARY)
@pytest.mark.parametrize(("target", "compiler"), DEVICES)
def test_what_no_device_has_of_the_c_library(app: Path, target: str, compiler: str, name: str) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    code, expected = C_LIBRARY[name]
    for file, text in (INDEX | included("#include <stdio.h>\n#include <stdlib.h>", code)).items():
        (app / file).write_text(text)
    with pytest.raises(WhitError, match=re.escape(f"get.c:12: {name}(): {expected}")):
        build(app, target=target, check_budget=False)


@pytest.mark.slow
def test_no_device_sleeps(app: Path) -> None:
    for file, text in (INDEX | included("#include <unistd.h>", "sleep(1); out_uint(1);")).items():
        (app / file).write_text(text)
    build(app)
    if shutil.which("arm-none-eabi-gcc"):
        with pytest.raises(WhitError, match=r"get.c:11: sleep\(\): a device serves nobody while a handler waits"):
            build(app, target="cortex-m", check_budget=False)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["linux", "avr", "cortex-m"])
def test_names_of_headers_that_are_not_included_are_free(app: Path, target: str) -> None:
    if target != "linux" and not all(map(shutil.which, ("avr-gcc", "arm-none-eabi-gcc"))):
        pytest.skip("avr-gcc or arm-none-eabi-gcc is not installed")
    own = "static int puts(const char *t) { return t[0]; }\nstatic void sleep(char *t) { t[0] = 0; }"
    code = 'char t[2] = "x"; out_uint((uint16_t)puts(t)); sleep(t);'
    for file, text in (INDEX | included(f"#include <stdint.h>\n{own}", code)).items():
        (app / file).write_text(text)
    build(app, target=target)


@pytest.mark.slow
def test_an_application_for_hosts_may_use_its_heap(app: Path) -> None:
    """Members may have the names of the C library's functions."""
    code = 'char *t = malloc(9); snprintf(t, 9, "%d", 1); out_str(t); free(t);'
    helper = "#include <stdio.h>\n#include <stdlib.h>\nstruct has { int puts; };"
    for file, text in (INDEX | included(helper, code)).items():
        (app / file).write_text(text)
    build(app)
