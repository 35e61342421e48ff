# SPDX-License-Identifier: MIT
"""Handlers of every kind and arguments of every type: their tables, their WHIT_HAS_ values, and their reports."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.compiler.support import HANDLER, dump, error_of, generator, make_app, walk
from whit.compiler import compile_application
from whit.compiler.strategy import strategies

PLAIN, INDEX, THREAD = range(3)
GET, POST = 1, 2
PRAGMA = "#include <whit/app.h>\n"
STATE = f"{PRAGMA}struct state_t {{ uint8_t i; uint32_t sum; }};\n"
BY_INDEX = (
    f"{PRAGMA}static char get(struct args_t *a, uint32_t i, uint16_t len)\n"
    "{ (void)a; (void)i; while (len-- > 0) out_c('x'); return 1; }\n"
)
BY_THREAD = (
    f"{PRAGMA}static char get(struct whit_pt *pt, struct args_t *args)\n"
    "{ (void)args; PT_BEGIN(pt);\nPT_OUT_C(pt, 'x');\nPT_END(pt); }\n"
)
BY_THREAD_WITH_STATE = (
    f"{STATE}static char get(struct whit_pt *pt, struct args_t *args, struct state_t *state)\n"
    "{ (void)args; PT_BEGIN(pt);\nfor (state->i = 0; state->i < 3; state->i++)\nPT_OUT_C(pt, 'x');\nPT_END(pt); }\n"
)
BY_THREAD_LATER = BY_THREAD_WITH_STATE.replace("PT_BEGIN(pt);", "PT_BEGIN(pt);\nanswer_later();\nanswer_status(404);")
PARTS = (
    f"{PRAGMA}static char take(uint8_t type, uint8_t part, char *name, void **data)\n"
    "{ *data = name; return type == part; }\n"
    "static char answer(uint8_t type, void *data) { return type == 0 && data != 0; }\n"
)
PART_THREADS = (
    f"{STATE}static char take(struct whit_pt *pt, struct whit_part *part, struct state_t *state)\n"
    "{ int16_t c; PT_BEGIN(pt);\nfor (;;) {\nPT_IN(pt, c);\nif (c < 0) break;\nstate->sum += part->number; }\n"
    "PT_END(pt); }\nstatic char answer(uint8_t type, struct state_t *state) { return state->sum == type; }\n"
)
UNTYPED = PART_THREADS.replace(
    "struct state_t *state) { return state->sum == type;", "void *state) { return type || state;"
)
TAKES = 'doPostIn="take" doPostOut="answer"'
TYPES = '<content-types><content-type type="image/PNG"/>\n<content-type type="text/plain"/></content-types>'
ARGS = (
    '<args><arg name="mode" type="enum" values="on off auto" default="auto"/>'
    '<arg name="zero" type="uint8" default="0"/><arg name="low" type="int8" default="-128"/>'
    '<arg name="flag" type="bool" default="1"/>'
    '<arg name="must" type="enum" values="a.b c-d~_"/><arg name="high" type="uint32" default="4294967295"/></args>'
)


def compiled(tmp_path: Path, files: Mapping[str, str | bytes]) -> tuple[dict[str, Any], dict[str, int]]:
    """The one resource of an application, as the C compiler sees it, and its WHIT_ numbers."""
    app = make_app(tmp_path / "app", files)
    compile_application(app, tmp_path / "out")
    page = (tmp_path / "out" / "whit_limits.h").read_text()
    tables = dump(app, tmp_path / "out")
    tables["resources"][0]["targets"] = bytes.fromhex(tables["targets"])
    numbers = {name: int(number) for name, number in re.findall(r"#define WHIT_(\w+) (\d+)\b", page)}
    return tables["resources"][0], numbers


def file(handlers: str, code: str, inner: str = "", persistence: str = "persistent") -> dict[str, str | bytes]:
    return {"x.c": generator(f'<properties persistence="{persistence}"/>{inner}', handlers, code)}


@pytest.mark.parametrize(
    ("code", "writer", "has_state"),
    [
        (HANDLER, PLAIN, False),
        (BY_INDEX, INDEX, False),
        (BY_THREAD, THREAD, False),
        (BY_THREAD_WITH_STATE, THREAD, True),
    ],
    ids=["plain", "index", "thread", "thread with state"],
)
def test_how_a_handler_writes(tmp_path: Path, code: str, writer: int, has_state: bool) -> None:
    one, _ = compiled(tmp_path, file('doGet="get"', code, persistence="volatile"))
    assert (one["has_get"], one["writer"], one["methods"]) == (1, writer, GET)
    assert (one["state_len"] == 8) == has_state
    assert "post" not in one


@pytest.mark.parametrize("code", [PARTS, PART_THREADS, UNTYPED], ids=["plain", "thread", "thread with void *"])
def test_bodies_in_parts(tmp_path: Path, code: str) -> None:
    one, _ = compiled(tmp_path, file(TAKES, code, TYPES) | {"app.toml": "body_max = 70000"})
    thread = code != PARTS
    assert (one["has_get"], one["methods"]) == (0, POST)
    post = one["post"]
    assert (post["form"], post["in"], post["in_thread"], post["out"]) == (0, not thread, thread, 1)
    assert (post["body_max"], post["state_len"]) == (70000, 8 if thread else 0)
    assert [walk(one["targets"], post["types"], name) for name in ("image/png", "text/plain", "text/html")] == [
        0,
        1,
        None,
    ]


def test_forms(tmp_path: Path) -> None:
    code = f"{HANDLER}static char ready(struct args_t *a) {{ return a != 0; }}\n"
    one, _ = compiled(tmp_path, file('initGet="ready" doGet="get" doPost="get"', code))
    assert (one["has_get"], one["has_init_get"], one["methods"]) == (1, 1, GET | POST)
    assert one["post"] == {
        "form": 1, "in": 0, "in_thread": 0, "out": 0, "body_max": 65536, "types": 0, "state_len": 0
    }  # fmt: skip


def test_enumerations_and_defaults(tmp_path: Path) -> None:
    one, numbers = compiled(tmp_path, file('doGet="get"', HANDLER, ARGS))
    assert [(kind, size, optional) for kind, _, size, optional in one["arguments"]] == [
        (7, 1, 1), (0, 1, 1), (3, 1, 1), (6, 1, 1), (7, 1, 0), (2, 4, 1)
    ]  # fmt: skip
    assert one["fallbacks"] == [2, 0, 2**32 - 128, 1, 0, 2**32 - 1]
    mode, *_, must, _ = one["words"]
    assert [walk(one["targets"], mode, word) for word in ("on", "off", "auto", "of", "")] == [0, 1, 2, None, None]
    assert [walk(one["targets"], must, word) for word in ("a.b", "c-d~_", "on")] == [0, 1, None]
    assert [bool(start) for start in one["words"]] == [True, False, False, True, True, False]
    assert (numbers["HAS_ENUM"], numbers["HAS_FALLBACKS"]) == (1, 1)


GENERATED = {"GENERATORS", "PLAIN", "PERSISTENT"}
BODIES = {"GENERATORS", "BODY", "PERSISTENT"}
FORM_THREAD = {"FORM", "FORM_THREADS", "THREADS", "PERSISTENT_THREADS"}
AGAIN = {"GENERATORS", "RERUN"}
FEATURES: list[tuple[dict[str, str | bytes], set[str]]] = [
    ({"index.html": "x"}, {"ETAGS"}),
    ({"index.html": "x", "app.toml": "entity_tags = false"}, set()),
    ({"index.html": "x" * 5000}, {"ETAGS", "VARIANTS"}),
    ({"index.html": "x", "app.toml": "[database]\n[statement.one]\nsql = 'SELECT 1'"}, {"ETAGS", "DATABASE"}),
    (file('doGet="get"', HANDLER), GENERATED),
    (
        file('doGet="get"', HANDLER, '<args><arg name="a" type="int8" default="0"/></args>'),
        GENERATED | {"ARGUMENTS", "SIGNED"},
    ),
    (file('doGet="get"', HANDLER, '<args><arg name="a" type="uint8"/></args>'), GENERATED | {"ARGUMENTS"}),
    (file('doGet="get"', HANDLER, '<args><arg name="a" type="bool"/></args>'), GENERATED | {"ARGUMENTS", "BOOL"}),
    (file('doGet="get"', HANDLER, '<args><arg name="a" type="uint16"/></args>'), GENERATED | {"ARGUMENTS", "WIDE"}),
    (
        file('doGet="get"', HANDLER, '<args><arg name="a" type="int32"/></args>'),
        GENERATED | {"ARGUMENTS", "SIGNED", "WIDE"},
    ),
    (
        file('doGet="get"', HANDLER, '<args><arg name="a" type="int8" default="1"/></args>'),
        GENERATED | {"ARGUMENTS", "FALLBACKS", "SIGNED"},
    ),
    (
        file('doGet="get"', HANDLER, '<args><arg name="a" type="enum" values="a b" default="a"/></args>'),
        GENERATED | {"ARGUMENTS", "ENUM"},
    ),
    (
        file('doGet="get"', HANDLER, '<args><arg name="a" type="str" size="9"/></args>'),
        GENERATED | {"ARGUMENTS", "UTF8"},
    ),
    (
        file('doGet="get"', HANDLER, '<args><arg name="a" type="str" size="9" octets="true"/></args>'),
        GENERATED | {"ARGUMENTS", "OCTETS"},
    ),
    (file('initGet="get" doGet="get"', HANDLER), GENERATED | {"INIT_GET"}),
    (
        file('doGet="get"', HANDLER, '<args><arg name="a" type="int8" source="path"/></args>'),
        GENERATED | {"ARGUMENTS", "SIGNED", "TAIL"},
    ),
    (file('doGet="get"', HANDLER.replace("return", "answer_status(404); return")), GENERATED | {"ANSWER"}),
    (file('doGet="get"', HANDLER, persistence="volatile"), {"GENERATORS", "PLAIN", "VOLATILE"}),
    (file('doGet="get"', HANDLER, persistence="idempotent"), {"GENERATORS", "PLAIN", "IDEMPOTENT"}),
    (
        {**file('doGet="get"', HANDLER, persistence="idempotent"), "app.toml": "replay = false"},
        GENERATED,
    ),
    (file('doGet="get"', BY_INDEX, persistence="idempotent"), AGAIN | {"INDEX", "IDEMPOTENT"}),
    (file('doGet="get"', BY_INDEX, persistence="volatile"), AGAIN | {"INDEX", "VOLATILE"}),
    (file('doGet="get"', BY_THREAD), {"GENERATORS", "THREADS", "PERSISTENT", "PERSISTENT_THREADS"}),
    (file('doGet="get"', BY_THREAD, persistence="volatile"), AGAIN | {"THREADS", "VOLATILE"}),
    (
        file('doGet="get"', BY_THREAD_WITH_STATE, persistence="idempotent"),
        AGAIN | {"THREADS", "IDEMPOTENT", "DEAR_THREADS", "PERSISTENT_THREADS"},
    ),
    (file('doPost="get"', HANDLER, persistence="idempotent"), BODIES | {"FORM"}),
    (file('doPost="get"', BY_THREAD_WITH_STATE), BODIES | FORM_THREAD),
    (file('doPost="get"', BY_THREAD_LATER), BODIES | FORM_THREAD | {"LATER", "ANSWER"}),
    (
        file('doGet="get"', BY_THREAD_LATER),
        {*GENERATED, "THREADS", "PERSISTENT_THREADS", "LATER", "ANSWER"} - {"PLAIN"},
    ),
    (
        file('doPost="get"', HANDLER, '<content-types><content-type type="application/json"/></content-types>'),
        BODIES | {"FORM", "JSON"},
    ),
    ({**file('doPost="get"', HANDLER), "app.toml": "form_data = true"}, BODIES | {"FORM", "FORM_PARTS"}),
    ({**file('doGet="get"', HANDLER), "app.toml": "form_data = true"}, GENERATED),
    ({**file(TAKES, PARTS), "app.toml": "form_data = true"}, BODIES | {"PARTS"}),
    (file(TAKES, PARTS), BODIES | {"PARTS"}),
    (file(TAKES, PART_THREADS), BODIES | {"PARTS", "PART_THREADS"}),
]


@pytest.mark.parametrize(("files", "expected"), FEATURES, ids=[" ".join(sorted(case[1])) for case in FEATURES])
def test_what_is_not_used_is_0(tmp_path: Path, files: dict[str, str | bytes], expected: set[str]) -> None:
    compile_application(make_app(tmp_path / "app", files), tmp_path / "out")
    page = (tmp_path / "out" / "whit_limits.h").read_text()
    found = dict(re.findall(r"#define WHIT_HAS_(\w+) ([01]) ", page))
    assert {name for name, used in found.items() if used == "1"} == expected
    assert len(found) >= 18


@pytest.mark.parametrize(
    ("lines", "host", "on"),
    [
        ("", False, False),
        ("", True, True),
        ("form_data = false", True, False),
        ("form_data = true", False, True),
        ("buffer = 192", True, True),
        ("buffer = 191", True, False),
    ],
)
def test_forms_in_parts_are_of_hosts(tmp_path: Path, lines: str, host: bool, on: bool) -> None:
    """Forms in parts are on by default where the buffer has room; app.toml overrides this."""
    app = make_app(tmp_path / "app", {**file('doPost="get"', HANDLER), "app.toml": lines})
    assert compile_application(app, tmp_path / "out", host=host).limits.form_data == on
    assert f"#define WHIT_HAS_FORM_PARTS {int(on)} " in (tmp_path / "out" / "whit_limits.h").read_text()


def test_a_buffer_that_is_too_small_for_forms_in_parts(tmp_path: Path) -> None:
    app = make_app(tmp_path / "app", {**file('doPost="get"', HANDLER), "app.toml": "form_data = true\nbuffer = 191"})
    assert error_of(app) == "app.toml:2: buffer is 191: expected at least 192 for the form of x.c"


def test_timers_are_counted(tmp_path: Path) -> None:
    helper = (
        '// set_timer(f, 1);\nstatic const char *s = "set_timer(";\n'
        "void f(void) { set_timer(f, 4); set_timer (f, 8); my_set_timer(f); }\n"
    )
    code = f"{HANDLER}char start(void) {{ return set_timer(f, 100); }}\n"
    app = make_app(
        tmp_path / "app", {"x.c": generator(handlers='init="start" doGet="get"', code=code), "help.c": helper}
    )
    assert compile_application(app, tmp_path / "out").limits.timers == 3
    assert "#define WHIT_TIMERS 3 " in (tmp_path / "out" / "whit_limits.h").read_text()
    assert compile_application(app, tmp_path / "out", overrides={"timers": 1}).limits.timers == 1


def test_too_many_timers(tmp_path: Path) -> None:
    app = make_app(tmp_path / "app", {"help.c": "void f(void) { set_timer(f, 4); }\n" * 33, "index.html": "x"})
    assert error_of(app).startswith("app.toml: 33 calls of set_timer: expected at most 32")


def test_non_static_handlers_of_every_kind_are_of_one_file(tmp_path: Path) -> None:
    code = PARTS.replace("static char answer", "char answer")
    files = {"a.c": generator(handlers=TAKES, code=code), "b.c": generator(handlers=TAKES, code=code)}
    assert error_of(make_app(tmp_path / "app", files)).startswith(
        "b.c:1: answer is defined in a.c as well: expected one"
    )


COUNTED = "1 run to measure, 1 for each segment"
STRATEGIES = [
    (file('doGet="get"', HANDLER), ["S1 kept until acknowledged"], ["none"]),
    (
        file('doGet="get"', HANDLER, persistence="volatile"),
        ["S2 for one segment, S1 for more"],
        [COUNTED],
    ),
    (
        file('doGet="get"', HANDLER, persistence="idempotent"),
        ["S2 or S1, by the cost of a run"],
        [COUNTED],
    ),
    (file('doGet="get"', BY_INDEX, persistence="volatile"), ["S4 by index"], ["1 call for each segment"]),
    (file('doGet="get"', BY_THREAD), ["S3 "], ["none"]),
    (file('doGet="get"', BY_THREAD, persistence="idempotent"), ["S4 from rerun points"], ["1 run for each segment"]),
    (file('doPost="get"', HANDLER), ["S1 kept until acknowledged"], ["none"]),
    (file('doPost="get"', BY_THREAD_WITH_STATE), ["S3 "], ["none"]),
    (file(f'doGet="get" {TAKES}', f"{BY_THREAD}{PARTS}"), ["S3 ", "S1 kept"], ["none", "none"]),
    ({"index.html": "x"}, ["S0 pre-processed"], ["none"]),
]


@pytest.mark.parametrize(("files", "names", "replays"), STRATEGIES, ids=[" ".join(case[1]) for case in STRATEGIES])
def test_strategies(tmp_path: Path, files: dict[str, str | bytes], names: list[str], replays: list[str]) -> None:
    application = compile_application(make_app(tmp_path / "app", files), tmp_path / "out")
    found = strategies(application.resources[0])
    assert len(found) == len(names)
    assert all(one.name.startswith(name) for one, name in zip(found, names, strict=True))
    assert all(one.replay.startswith(replay) for one, replay in zip(found, replays, strict=True))
    assert all(one.why for one in found)
    assert [one.method for one in found] == (["POST"] if "doPost=" in str(files) else ["GET", "POST"])[: len(names)]
    described = json.loads((tmp_path / "out" / "app.json").read_text())["resources"][0]["strategies"]
    assert [one["name"] for one in described] == [one.name for one in found]
