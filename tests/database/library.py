# SPDX-License-Identifier: MIT
"""The database client as a library, compiled with the application compiler's settings. Below it is the test's own
whit/client.h (client.c), whose octets this file moves."""

import hashlib
import os
import subprocess
import weakref
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import NamedTemporaryFile

from cffi import FFI

from whit.compiler import compile_application
from whit.paths import BUILD, ROOT
from whit.setup.libraries import library

HERE = Path(__file__).parent
WAITS, ROW, END, FAILED = range(4)
BROKEN = 65535
RING = 512
# The order of enum database_event in whit/database.h.
EVENTS = (
    *("CONNECTED", "QUERIES", "WARNINGS", "ERRORS", "REFUSED", "LOST", "TIMEOUT", "NO_PLACE", "BACKED_OFF"),
    *("ABANDONED", "SEQUENCE", "LONG", "MALFORMED", "UNEXPECTED", "LOCAL_INFILE", "VERSION", "METHOD", "SWITCH"),
    *("NEEDS_TLS", "PARAMETERS", "COLUMNS", "ROWS", "TYPES"),
)
OF_TEMPLATES = ("page_row.c", "number.c", "number.h", "real_digits.c")
CDEF = """
struct query_value {
    int type; uint16_t len; uint8_t width, digits; bool is_single, is_decimal;
    union { int64_t integer; uint64_t unsigned_integer; double real; char *text; };
};
struct whit_query { uint8_t place, step; uint16_t ticket; uint32_t since_ms; };
int query_begin(struct whit_query *, uint16_t, const struct query_value *, uint8_t);
int query_begin_kept(struct whit_query *, uint16_t, const struct query_value *, uint8_t, uint32_t);
bool kept_find(struct whit_query *, uint16_t, const struct query_value *, uint8_t);
int query_next(struct whit_query *);
bool query_column(const struct whit_query *, uint8_t, struct query_value *);
uint64_t query_inserted(const struct whit_query *);
uint16_t query_error(const struct whit_query *);
void query_end(struct whit_query *);
extern uint16_t whit_database_events[%d];
const char *database_event_name(int);
uint8_t login_native(uint8_t *, const uint8_t *);
uint8_t login_sha2(uint8_t *, const uint8_t *);
uint8_t login_ed25519(uint8_t *, const uint8_t *);
void test_time(uint32_t);
const char *test_why(void);
int client_state(uint8_t);
void test_state(uint8_t, int);
void test_lends(bool);
void test_over(uint8_t);
uint16_t test_room(uint8_t);
void test_receive(uint8_t, const uint8_t *, uint16_t);
uint16_t test_sent(uint8_t, uint8_t *);
""" % len(EVENTS)  # noqa: UP031
ffi = FFI()
ffi.cdef(CDEF)

Value = None | int | float | str | bytes


@dataclass(frozen=True)
class Settings:
    """[database] of app.toml, and [statement]."""

    statements: tuple[str, ...]
    user: str = "whit"
    database: str = "whit"
    password: str = ""
    login: str = "any"
    connections: int = 1
    row: int = 2048
    rows: int = 10000
    timeout_ms: int = 2000
    kept: int = 0
    kept_octets: int = 64
    fast: bool = False  # where instructions count more than octets of flash

    @property
    def toml(self) -> str:
        lines = [f'{key} = "{getattr(self, key)}"' for key in ("user", "database", "login")]
        lines += [
            f"{key} = {getattr(self, key)}"
            for key in ("connections", "row", "rows", "timeout_ms", "kept", "kept_octets")
        ]
        lines += [f"[statement.s{number}]\nsql = '''{sql}'''" for number, sql in enumerate(self.statements)]
        return "\n".join(["[database]", *lines, ""])


@cache
def built(settings: Settings) -> Path:
    """The library's file."""
    sanitize = bool(os.environ.get("WHIT_SANITIZE"))
    ours = [path for path in sorted((ROOT / "database").glob("*.[ch]")) if path.name not in OF_TEMPLATES]
    sources = [*ours, HERE / "client.c", *(ROOT / "include/whit").glob("*.h")]
    said = repr((settings, sanitize, [path.read_bytes() for path in sources]))
    there = BUILD / "database-tests" / hashlib.sha256(said.encode()).hexdigest()[:16]
    if (there / "database.so").exists():
        return there / "database.so"
    (there / "app").mkdir(parents=True, exist_ok=True)
    (there / "app" / "app.toml").write_text(settings.toml)
    (there / "app" / "index.html").write_text("x")
    os.environ["WHIT_DATABASE_PASSWORD"] = settings.password
    try:
        compile_application(there / "app", there / "generated")
    finally:
        del os.environ["WHIT_DATABASE_PASSWORD"]
    shared = there / f"database.{os.getpid()}.so"
    warnings = ["-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror", "-std=c11"]
    flags = ["-shared", "-fPIC", "-O1", "-g", f"-DRING={RING}", "-DWHIT_HAS_LOG=1", "-iquote", str(ROOT)]
    flags += ["-DWHIT_DATABASE_FAST=1"] if settings.fast else []
    flags += ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"] if sanitize else []
    includes = [f"-I{path}" for path in (ROOT / "include", there / "generated", ROOT / "ports" / "flat")]
    ours = [str(path) for path in sources if path.suffix == ".c"] + [str(there / "generated" / "whit_database.c")]
    systems = [word for directory in _libraries() for word in ("-isystem", str(directory))]
    _run(["gcc", *warnings, *flags, *includes, *systems, *ours, str(_others()), "-o", str(shared)])
    shared.rename(there / "database.so")
    return there / "database.so"


def _libraries() -> tuple[Path, Path]:
    return library("bearssl"), library("monocypher")


@cache
def _others() -> Path:
    """Builds one object of the third-party sources: the same for all settings."""
    sources = [path for directory in _libraries() for path in sorted(directory.glob("*.c"))]
    said = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
    made = BUILD / "database-tests" / f"libraries-{said[:16]}.o"
    if not made.exists():
        made.parent.mkdir(parents=True, exist_ok=True)
        half = made.with_suffix(f".{os.getpid()}.o")
        _run(["gcc", "-r", "-fPIC", "-O1", "-w", f"-I{_libraries()[0]}", *map(str, sources), "-o", str(half)])
        half.rename(made)
    return made


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


class Database:
    """A fresh copy of the library, in its initial state."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        with NamedTemporaryFile(suffix=".so") as copy:
            copy.write(built(settings).read_bytes())
            copy.flush()
            self.c = ffi.dlopen(copy.name)
        weakref.finalize(self, ffi.dlclose, self.c)  # until then the copy has its place on the disk
        self.now_ms = 1_000_000
        self.c.test_time(self.now_ms)

    def wait(self, ms: int) -> None:
        self.now_ms += ms
        self.c.test_time(self.now_ms & 0xFFFFFFFF)

    def events(self) -> dict[str, int]:
        """Returns the counters above 0."""
        return {name: self.c.whit_database_events[i] for i, name in enumerate(EVENTS) if self.c.whit_database_events[i]}

    def why(self) -> str:
        """The last query failed, as the request log has it."""
        said = ffi.string(self.c.test_why())
        assert isinstance(said, bytes)
        return said.decode()

    def clients(self) -> list[int]:
        """Returns the clients that are not closed."""
        return [client for client in range(1, 17) if self.c.client_state(client) != 0]


class Query:
    """One query, as a handler holds it."""

    def __init__(self, database: Database, statement: int, arguments: Iterable[Value] = ()) -> None:
        self._database, self._statement = database, statement
        self._query = ffi.new("struct whit_query *")
        self._given = [arguments_of(value) for value in arguments]
        self._arguments = ffi.new("struct query_value[]", [value for value, _ in self._given] or 1)

    def begin(self) -> int:
        cnt = len(self._given)
        return self._database.c.query_begin(self._query, self._statement, self._arguments, cnt)

    def begin_kept(self, seconds: int) -> int:
        cnt = len(self._given)
        return self._database.c.query_begin_kept(self._query, self._statement, self._arguments, cnt, seconds)

    def is_kept(self) -> bool:
        """True if the answer is kept; the query then reads it."""
        cnt = len(self._given)
        return bool(self._database.c.kept_find(self._query, self._statement, self._arguments, cnt))

    def next(self) -> int:
        return self._database.c.query_next(self._query)

    def end(self) -> None:
        self._database.c.query_end(self._query)

    def row(self) -> list[Value]:
        """Returns the values of the current row."""
        values = []
        value = ffi.new("struct query_value *")
        while self._database.c.query_column(self._query, len(values), value):
            values.append(value_of(value))
        return values

    @property
    def error(self) -> int:
        return self._database.c.query_error(self._query)

    @property
    def inserted(self) -> int:
        return self._database.c.query_inserted(self._query)


def arguments_of(value: Value) -> tuple[dict[str, object], object]:
    """Returns an initialiser for cffi, and the memory that it points to."""
    if value is None:
        return {"type": 0}, None
    if isinstance(value, int):
        return ({"type": 1, "integer": value} if value < 1 << 63 else {"type": 2, "unsigned_integer": value}), None
    if isinstance(value, float):
        return {"type": 3, "real": value}, None
    octets = value.encode() if isinstance(value, str) else value
    held = ffi.new("char[]", octets)
    return {"type": 4, "len": len(octets), "text": held}, held


def value_of(value) -> Value:
    if value.type == 4:
        return bytes(ffi.buffer(value.text, value.len)) if value.len else b""
    return (None, value.integer, value.unsigned_integer, value.real)[value.type]
