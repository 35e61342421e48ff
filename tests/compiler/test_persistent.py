# SPDX-License-Identifier: MIT
"""[persistent.NAME] in app.toml: every mistake with its line, the layout, and its C files."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.compiler.support import HANDLER, INCLUDES, WARNINGS, error_of, generator, make_app
from tests.harness import ask
from whit.compiler import compile_application
from whit.compiler.model import Area, Memory
from whit.errors import WhitError
from whit.image.build import build
from whit.paths import ROOT
from whit_testbed.engine import Engine

ONE = "[persistent.one]\n"
CASES = [
    ("[persistent]\nhow = 3", "2: unknown key 'persistent.how': expected one of persistent.size, or a table"),
    ("[persistent.size]\nx = 'bool'", "1: persistent.size is a table: expected an integer, 0 to 32768"),
    (ONE, '1: [persistent.one] has 0 fields: expected its fields, interval = "uint16" for instance, at most 64'),
    ("[persistent.1one]\na = 'bool'", "1: [persistent.1one]: expected a C identifier that does not begin with whit_"),
    ("[persistent.args]\na = 'bool'", "1: [persistent.args]: expected a C identifier that does not begin with whit_"),
    (ONE + "a = 'bool'\n[persistent.One]\nb = 'bool'", "3: [persistent.One]: [persistent.one] differs in"),
    (ONE + "a = []", '2: a: is an array: expected a type, "uint16", or a table'),
    ("[[persistent.one]]\na = 'bool'", "1: unknown key 'persistent.one'"),
    (ONE + "a = { type = ['bool'] }", "2: a: type is an array: expected one of uint8"),
    (ONE + "int = 'bool'", "2: int: expected a C identifier"),
    (ONE + "a = 7", '2: a: is 7: expected a type, "uint16", or a table { type = "uint16", default = 60 }'),
    (ONE + "a = 'uint64'", "2: a: type is 'uint64': expected one of uint8, uint16, uint32, int8"),
    (ONE + "a = { size = 4 }", "2: a: has no type: expected one of"),
    (ONE + "a = { type = 'uint8', size = 4 }", "2: a: unknown key 'size' of a field of type uint8: expected"),
    (ONE + "a = { type = 'uint8', max = 256 }", "2: a: max is 256: expected an integer, 0 to 255"),
    (ONE + "a = { type = 'uint8', min = 5, max = 4 }", "2: a: max is 4: expected an integer, 5 to 255"),
    (ONE + "a = { type = 'int8', min = 5, default = 4 }", "2: a: default is 4: expected an integer, 5 to 127"),
    (ONE + "a = { type = 'bool', default = 1 }", "2: a: default is 1: expected true or false"),
    (ONE + "a = 'str'", "2: a: has no size: expected 2 to 255 bytes, the closing NUL included"),
    (ONE + "a = { type = 'str', size = 3, default = 'abc' }", "2: a: default is 'abc': expected a string of at most 2"),
    (ONE + "a = { type = 'enum', values = 'on on' }", "2: a: values is 'on on': expected 1 to 64 different words"),
    (ONE + "a = { type = 'enum', values = 'on', default = 'off' }", "2: a: default is 'off': expected one"),
    (ONE + "records = 0\na = 'bool'", "2: records is 0: expected how many there are, 1 to 32768"),
    (ONE + "a = { type = 'uint32', count = 0 }", "2: a: count is 0: expected an integer, 1 to 255"),
    (ONE + "a = { type = 'uint32', count = 64 }", "1: a record of [persistent.one] takes 260 bytes: expected"),
    (
        "[persistent]\nsize = 32000\n" + ONE + "records = 100\na = { type = 'str', size = 20 }",
        "3: [persistent.one] takes 2200 bytes: 768 are left of 32768; expected fewer records or fields",
    ),
]


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[expected for _, expected in CASES])
def test_error(tmp_path: Path, text: str, expected: str) -> None:
    said = error_of(make_app(tmp_path / "app", {"app.toml": text, "index.html": "x"}))
    assert said.startswith(f"app.toml:{expected}")
    assert "\n" not in said


def memory_of(directory: Path, text: str) -> Memory:
    app = make_app(directory / "app", {"app.toml": text, "index.html": "x"})
    return compile_application(app, directory / "out").memory


def area_of(directory: Path, fields: str) -> Area:
    return memory_of(directory, f"[persistent.one]\n{fields}\n").areas[0]


def test_areas_do_not_overlap_and_the_size_follows(tmp_path: Path) -> None:
    text = '[persistent]\nsize = 3\n[persistent.b]\nrecords = 4\nx = "uint8"\n[persistent.a]\ny = "uint32"\n'
    stored = '[stored."page.txt"]\nsize = 10\n'
    app = make_app(tmp_path / "app", {"app.toml": text + stored, "index.html": "x"})
    application = compile_application(app, tmp_path / "out")
    places = [(one.name, one.address, one.record_len, one.record_cnt) for one in application.memory.areas]
    assert places == [("b", 3, 4, 4), ("a", 19, 8, 1)]  # in the order of app.toml: one more at the end moves none
    assert [one.stored.address for one in application.resources if one.stored] == [27]
    assert application.limits.persistent_size == 27 + 2 * (8 + 2 + 10)


@pytest.mark.parametrize(
    ("fields", "members", "octets"),
    [
        ("a = 'uint16'", ["uint16_t a"], 4),
        ("a = 'uint8'", ["uint8_t a", "uint8_t whit_gap_0[1]"], 4),
        ("a = 'uint8'\nb = 'bool'", ["uint8_t a", "bool b"], 4),
        ("a = 'uint32'", ["uint8_t whit_gap_0[2]", "uint32_t a"], 8),
        ("a = 'uint32'\nb = 'int16'", ["int16_t b", "uint32_t a"], 8),
        (
            "a = 'uint8'\nb = 'int32'",
            ["uint8_t whit_gap_0[2]", "int32_t b", "uint8_t a", "uint8_t whit_gap_1[3]"],
            12,
        ),
    ],
)
def test_a_record_is_laid_out_alike_on_all_targets(
    tmp_path: Path, fields: str, members: list[str], octets: int
) -> None:
    """A record follows its seal of two octets. An AVR's compiler leaves no gaps of its own, others do."""
    area = area_of(tmp_path, fields)
    assert (list(area.members), area.record_len) == (members, octets)


CHANGES = {
    "name": "size = 'uint16'",
    "type": "interval = 'int16'",
    "order of words": "interval = 'uint16'\nmode = { type = 'enum', values = 'b a' }",
}


def test_another_layout_has_another_seed(tmp_path: Path) -> None:
    texts = ["interval = 'uint16'", "interval = 'uint16'\nmode = { type = 'enum', values = 'a b' }", *CHANGES.values()]
    seeds = [area_of(tmp_path / str(number), text).seed for number, text in enumerate(texts)]
    assert len(set(seeds)) == len(seeds)
    ranges = ["interval = { type = 'uint16', default = 60, max = 3600 }", texts[0]]
    assert len({area_of(tmp_path / f"range{at}", text).seed for at, text in enumerate(ranges)}) == 1


def c_error(directory: Path, toml: str, code: str) -> str:
    files = {"app.toml": toml, "x.c": generator(code=code + HANDLER)}
    return error_of(make_app(directory / "app", files))


CALLS = [
    ("", "static bool f(void) { return persistent_write(0, 0, 0); }", "persistent_write: app.toml declares no bytes"),
    (ONE + "a = 'bool'", "static bool f(void) { return persistent_read(0, 0, 0); }", "persistent_read: app.toml"),
    (ONE + "a = 'bool'", "static bool f(void) { return persistent_load_once(0); }", "persistent_load_once: expected a"),
    ("", "PERSISTENT_VAR(uint32_t, cnt);", "PERSISTENT_VAR: no variable outlives power here: declare [persistent.cnt]"),
]


@pytest.mark.parametrize(("toml", "code", "expected"), CALLS, ids=[expected for *_, expected in CALLS])
def test_calls_that_nothing_was_declared_for(tmp_path: Path, toml: str, code: str, expected: str) -> None:
    said = c_error(tmp_path, toml, f"#include <whit/app.h>\n{code}\n")
    assert said.startswith(f"x.c:6: {expected}"), said


def test_record_that_is_not_declared(tmp_path: Path) -> None:
    text = generator('<args record="setings"/>')
    app = make_app(tmp_path / "app", {"app.toml": "[persistent.settings]\na = 'bool'\n", "x.c": text})
    wanted = "expected a table [persistent.setings] in app.toml; there is settings"
    assert error_of(app) == f"x.c:3: record is 'setings': {wanted}"


@pytest.mark.parametrize(
    ("call", "allowed"),
    [
        ("persistent_read(0, octets, 16)", True),
        ("persistent_read(15, octets, sizeof octets[0])", True),
        ("persistent_read(0, octets, sizeof octets)", False),
        ("persistent_write(16, octets, 1)", False),
        ("persistent_write(20, octets, cnt)", False),
        ("persistent_write(cnt, octets, 17)", False),
        ("persistent_write(cnt, octets, cnt)", True),
    ],
)
def test_constant_address_beyond_what_is_declared(tmp_path: Path, call: str, allowed: bool) -> None:
    """An error of the C compiler, in the author's file and line."""
    code = (
        "#include <whit/app.h>\n"
        "static char get(struct args_t *args)\n"
        "{\n    static uint8_t octets[17];\n    uint8_t cnt = (uint8_t)(args == 0); (void)cnt;\n"
        f"    return {call};\n}}\n"
    )
    files = {"app.toml": "[persistent]\nsize = 16\n", "x.c": generator(code=code)}
    app, out = make_app(tmp_path / "app", files), tmp_path / "out"
    compile_application(app, out)
    flags = [*(flag for flag in WARNINGS if flag != "-Wpedantic"), *INCLUDES, f"-I{out}", f"-I{app}"]
    command = ["gcc", *flags, "-c", str(out / "generator_x.c"), "-o", str(out / "x.o")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode == 0) == allowed, done.stderr
    if not allowed:
        name = call.partition("(")[0]
        assert re.search(rf'"\S*x\.c:10: {name}: beyond the octets that app.toml gives; ', done.stderr)


def test_generated_source_has_no_warning(tmp_path: Path) -> None:
    app = Path(__file__).parents[1] / "apps" / "persistent"
    compile_application(app, tmp_path / "out")
    flags = [*WARNINGS, "-Wconversion", "-Wtype-limits", *INCLUDES, f"-I{tmp_path / 'out'}"]
    command = ["gcc", *flags, "-c", str(tmp_path / "out" / "whit_persistent.c"), "-o", str(tmp_path / "o")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_example_of_the_page(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "application.md").read_text().split("## Persistent memory")[1]
    toml, code = (re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)[0] for language in ("toml", "c"))
    text = generator(handlers='doGet="count"', code=f"#include <whit/app.h>\n{code}")
    app = make_app(tmp_path / "app", {"app.toml": toml, "count.c": text})
    engine = Engine(build(app, target="inprocess").image)
    for expected in (b"61", b"62"):
        assert ask(engine, "/count").body == expected
    engine.close()


def test_beyond_the_size_is_told_at_the_authors_line(tmp_path: Path) -> None:
    code = "#include <whit/app.h>\nstatic char get(struct args_t *args)\n{ return persistent_read(0, args, 5); }\n"
    files = {"app.toml": "[persistent]\nsize = 4\n", "x.c": generator(code=code)}
    app = make_app(tmp_path / "app", files)
    with pytest.raises(WhitError) as error:
        build(app, target="inprocess")
    first = str(error.value).splitlines()[0]
    assert re.fullmatch(r"\S*x\.c:7: persistent_read: beyond the octets that app.toml gives; .*", first), first
