# SPDX-License-Identifier: MIT
"""An application at a limit compiles; one item more is an error."""

import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.compiler.support import error_of, generator, make_app
from whit.compiler import CompileError, app_toml, c_source, compile_application, resources

Files = Mapping[str, str]
ANSWERS = """#include <whit/app.h>
static char get(struct args_t *args)
{
    (void)args;
    answer_field("X", "%s");
    return 1;
}
"""


def toml(text: str) -> Files:
    return {"app.toml": text, "index.html": "x"}


def args(inner: str) -> Files:
    return {"x.c": generator(f"<args>{inner}</args>")}


def numbered(cnt: int, kind: str = "uint8") -> str:
    return "".join(f'<arg name="a{number}" type="{kind}"/>' for number in range(cnt))


def words(cnt: int) -> str:
    return " ".join(f"w{number}" for number in range(cnt))


def record(cnt: int) -> Files:
    fields = "".join(f'a{number} = "uint8"\n' for number in range(cnt))
    return {"app.toml": f"[persistent.one]\n{fields}", "x.c": generator('<args record="one"/>')}


def types(cnt: int) -> str:
    inner = "".join(f'<content-type type="a/t{number}"/>' for number in range(cnt))
    code = (
        "static char take(uint8_t type, uint8_t part, char *name, void **data) { return 1; }\n"
        "static char answer(uint8_t type, void *data) { return 1; }\n"
    )
    return generator(
        f"<content-types>{inner}</content-types>", handlers='doPostIn="take" doPostOut="answer"', code=code
    )


# The thing counted, its maximum, an application with n of them, and the error for one more.
LIMITS: list[tuple[str, int, Callable[[int], Files], str]] = [
    ("arguments", 16, lambda n: args(numbered(n)), "17 arguments: expected at most 16"),
    ("fields as arguments", 16, record, "[persistent.one] has 17 fields: expected at most 16 as arguments"),
    (
        "the argument of a path",
        14,
        lambda n: args(numbered(n - 1) + '<arg name="tail" type="uint8" source="path"/>'),
        "argument number 15 has source='path': expected one of the first 14",
    ),
    (
        "octets of arguments",
        255,
        lambda n: args(f'<arg name="a" type="str" size="200"/><arg name="b" type="str" size="{n - 200}"/>'),
        "the arguments take 256 bytes: expected at most 255",
    ),
    ("octets of a string", 255, lambda n: args(f'<arg name="a" type="str" size="{n}"/>'), "'a' has size '256'"),
    (
        "values of an argument",
        64,
        lambda n: args(f'<arg name="a" type="enum" values="{words(n)}"/>'),
        "argument 'a' has 65 values: expected 1 to 64 words",
    ),
    (
        "characters of a value",
        63,
        lambda n: args(f'<arg name="a" type="enum" values="{"v" * n}"/>'),
        f"value '{'v' * 64}' of argument 'a': expected letters",
    ),
    ("content types", 64, lambda n: {"x.c": types(n)}, "65 content types: expected 1 to 64"),
    (
        "octets of a Content-Type",
        72,
        lambda n: {"x.c": generator(f'<properties content-type="text/{"x" * (n - 5)}"/>')},
        "expected type/subtype; parameter=value, at most 72 bytes",
    ),
    (
        "octets of a stored Content-Type",
        72,
        lambda n: toml(f'[stored."a"]\nsize = 4\ncontent-type = "text/{"x" * (n - 5)}"\n'),
        "in a string, at most 72 bytes",
    ),
    (
        "octets of a field line",
        200,
        lambda n: {"x.c": generator(code=ANSWERS % ("y" * (n - 5)))},
        "the line has 201 bytes; expected at most 200",
    ),
    ("octets of a file's path", 200, lambda n: {"d/" + "x" * (n - 2): "x"}, "at most 200"),
    (
        "octets of a stored path",
        200,
        lambda n: toml(f'[stored."{"x" * n}"]\nsize = 4\n'),
        "expected a path of 1 to 200 printable ASCII characters",
    ),
    (
        "stored contents",
        255,
        lambda n: toml("".join(f'[stored."s{number}"]\nsize = 1\n' for number in range(n))),
        'expected tables [stored."path"], at most 255',
    ),
    (
        "areas",
        64,
        lambda n: toml("".join(f'[persistent.a{number}]\nx = "bool"\n' for number in range(n))),
        "65 tables [persistent.NAME]: expected at most 64",
    ),
    (
        "fields",
        64,
        lambda n: toml("[persistent.one]\n" + "".join(f'a{number} = "bool"\n' for number in range(n))),
        "has 65 fields: expected its fields",
    ),
    (
        "values of a field",
        64,
        lambda n: toml(f'[persistent.one]\na = {{ type = "enum", values = "{words(n)}" }}\n'),
        "expected 1 to 64 different words",
    ),
    (
        "octets of a record but for its seal",
        252,
        lambda n: toml(f'[persistent.one]\na = {{ type = "str", size = {n} }}\n'),
        "a record of [persistent.one] takes 256 bytes: expected at most 255",
    ),
    (
        "octets before an area of 4",
        32764,
        lambda n: toml(f'[persistent]\nsize = {n}\n[persistent.one]\na = "bool"\n'),
        "takes 4 bytes: 3 are left of 32768",
    ),
    (
        "octets before a stored content of 22",
        32746,
        lambda n: toml(f'[persistent]\nsize = {n}\n[stored."a"]\nsize = 1\n'),
        "a takes 22 bytes of persistent memory (two banks of 11), 21 are left of 32768",
    ),
    ("timers", 32, lambda n: {"x.c": generator(), "y.c": timers(n)}, "33 calls of set_timer: expected at most 32"),
    ("characters of a name", 64, lambda n: toml(f'name = "{"n" * n}"'), "a string of 1 to 64 printable characters"),
]


def timers(cnt: int) -> str:
    calls = "    set_timer(tick, 1000);\n" * cnt
    return f"#include <whit/app.h>\nstatic void tick(void)\n{{\n}}\nvoid begin(void)\n{{\n{calls}}}\n"


@pytest.mark.parametrize(("most", "app", "said"), [one[1:] for one in LIMITS], ids=[one[0] for one in LIMITS])
def test_as_many_as_allowed_and_one_more(tmp_path: Path, most: int, app: Callable[[int], Files], said: str) -> None:
    compile_application(make_app(tmp_path / "most", app(most)), tmp_path / "compiled")
    assert said in error_of(make_app(tmp_path / "more", app(most + 1)))


RANGES = [
    ("connections", 1, 10_000),
    ("idle", 0, 100_000),
    ("buffer", 0, 32_768),
    ("target_max", 16, 16_384),
    ("fields_max", 256, 65_535),
    ("receive_window", 536, 65_535),
    ("request_timeout_s", 1, 60),
    ("idle_timeout_s", 5, 200),
    ("port", 1, 65_535),
    ("body_max", 1, 1 << 24),
    ("content_max", 1, 0xFF0000),
    ("timers", 0, 32),
    ("repeats", 0, 64),
    ("link.baud", 300, 4_000_000),
    ("persistent.size", 0, 32_768),
    ("network.prefix", 0, 32),
    ("avr.clock_hz", 1_000_000, 20_000_000),
]


@pytest.mark.parametrize(("key", "low", "high"), RANGES)
def test_numbers_of_app_toml(key: str, low: int, high: int) -> None:
    for value in (low, high):
        app_toml.read("app.toml", f"{key} = {value}\n", {})
    for value in (low - 1, high + 1):
        with pytest.raises(CompileError, match=f"{key} is {value}: expected an integer, {low} to {high}"):
            app_toml.read("app.toml", f"{key} = {value}\n", {})


def test_a_byte_order_mark_is_one_of_the_first_character_alone() -> None:
    found = c_source.read("x.c", '\ufeffchar a[] = "\ufeff";')
    assert found.text == ' char a[] = "\ufeff";'


@contextmanager
def as_nobody() -> Iterator[None]:
    """Runs as a user other than root: root may read any file."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


@pytest.mark.parametrize(
    ("mode", "what"), [(stat.S_IXOTH, ""), (stat.S_IROTH, "/index.html")], ids=["directory", "entry"]
)
def test_what_cannot_be_read(mode: int, what: str) -> None:
    """A directory, and an entry that cannot be looked at."""
    with TemporaryDirectory() as app:  # others may not go where tmp_path is
        Path(app, "index.html").write_text("x")
        Path(app).chmod(mode | mode << 3 | mode << 6)
        with as_nobody(), pytest.raises(CompileError, match=f"^{app}{what}: cannot be read: Permission denied"):
            list(resources._files(Path(app), ""))
        Path(app).chmod(stat.S_IRWXU)
