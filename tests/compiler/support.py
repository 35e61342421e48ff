# SPDX-License-Identifier: MIT
"""Applications made for a test, and readers of the compiler's output, written from tables.h alone."""

import json
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from whit.compiler import CompileError, compile_application
from whit.paths import ROOT

HERE = Path(__file__).parent
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
INCLUDES = [f"-iquote{ROOT}/engine", f"-I{ROOT}/include", f"-I{ROOT}/ports/flat"]

HANDLER = "static char get(struct args_t *args) { (void)args; return 1; }\n"


def generator(inner: str = "", handlers: str = 'doGet="get"', code: str = HANDLER) -> str:
    """A C file with a <generator> element. The element's inside begins on line 3."""
    return f"/* <generator>\n<handlers {handlers}/>\n{inner}\n</generator> */\n{code}"


def make_app(directory: Path, files: Mapping[str, str | bytes]) -> Path:
    """An application's directory with these files."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return directory


def error_of(app: Path, overrides: Mapping[str, object] | None = None) -> str:
    """Returns the compiler's error, with files relative to the application. The compiler must write nothing then."""
    out = app.parent / "out"
    try:
        compile_application(app, out, overrides=overrides)
    except CompileError as error:
        assert not out.exists()
        return str(error).replace(f"{app}/", "")
    raise AssertionError("compiled without an error")


def dump(app: Path, out: Path) -> dict[str, Any]:
    """Returns the tables as the C compiler reads them. `out` is the application compiler's output."""
    program = out / "dump"
    sources = [str(path) for path in sorted(out.glob("generator_*.c"))]
    # Handlers are not called, so that the engine's functions need not be there.
    without_engine = ["-static", "-Wl,--unresolved-symbols=ignore-in-object-files"]
    flags = [*WARNINGS, *INCLUDES, f"-I{out}", f"-I{app}", *without_engine]
    command = ["gcc", *flags, str(HERE / "dump.c"), *sources, "-o", str(program)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    tables: dict[str, Any] = json.loads(
        subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
    )
    return tables


def walk(octets: bytes, start: int, key: str) -> int | None:
    """The value of a key in an automaton; None when it is not there."""
    place: int | None = start
    for octet in (*key.encode(), 0):
        assert place is not None
        place = _step(octets, place, octet)
        if place is None:
            return None
    assert place is not None
    return octets[place] | octets[place + 1] << 8


def _step(octets: bytes, place: int, octet: int) -> int | None:
    """Returns the place behind the alternative for `octet` in the list at `place`, or None."""
    while True:
        label = octets[place]
        last = label >= 0x80
        place += 1
        skip = 0 if last else octets[place]
        place += not last
        if skip >= 0x80:
            skip = (skip & 0x7F) << 8 | octets[place]
            place += 1
        if label & 0x7F == octet:
            return place
        if last:
            return None
        place += skip


def assemble(rows: tuple[str, ...], names: Mapping[str, int]) -> bytes:
    """The octets that C rows of an automaton stand for; `names` are the constants in them."""
    token = re.compile(r"""\s*(?:(?P<end>//.*)|'\\?(?P<char>.)'(?P<last>\ \|\ LAST)?,
                           |(?P<number>\d+)(?P<zero_last>\ \|\ LAST)?,
                           |OCTETS\((?P<value>\w+)\),)""", re.VERBOSE)  # fmt: skip
    octets = bytearray()
    for row in rows:
        place = 0
        while place < len(row):
            match = token.match(row, place)
            assert match, row[place:]
            place = match.end()
            if match["end"]:
                break
            if match["number"] and not match["zero_last"]:
                octets.append(int(match["number"]))
            elif match["value"]:
                value = int(match["value"]) if match["value"].isdigit() else names[match["value"]]
                octets += value.to_bytes(2, "little")
            else:
                octets.append(ord(match["char"] or "\0") | (0x80 if match["last"] or match["zero_last"] else 0))
    return bytes(octets)
