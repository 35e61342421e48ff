# SPDX-License-Identifier: MIT
"""Counts the engine's instructions by callgrind: the Linux image's own objects, linked with lab/instructions.c.

No clock takes part.
"""

import json
import shlex
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from whit.errors import WhitError
from whit.image.build import BuildResult, build
from whit.image.groups import C_LIBRARY, COMMON, group_of
from whit.image.sizes import CRYPTO
from whit.paths import ROOT
from whit.setup.libraries import THERE as LIBRARIES
from whit_lab.real.programs import run

REQUEST_LEN = 400  # bytes, as from a browser
CODINGS = ("", "Accept-Encoding: gzip, deflate\r\n")
DRIVER = "driver"


class Kinds(TypedDict, total=False):
    """Kinds of the parts that come small or fast, as of build(). A part that is not given is of Linux's kind."""

    heads: str
    checksum: str
    segment: str
    keyed_hash: str


SMALL_KINDS = Kinds(heads="octets", checksum="small", segment="plain", keyed_hash="small")
"""The engine as devices have it."""
FAST_KINDS = Kinds()


@dataclass(frozen=True)
class Cost:
    """Instructions in all, and by group of files."""

    total: int
    groups: Mapping[str, int]


def request(target: str, coding: str = "", length: int = REQUEST_LEN) -> bytes:
    """Returns a browser's request for a page. Its cookie pads it to `length`."""
    head = (
        f"GET {target} HTTP/1.1\r\nHost: 10.7.0.2\r\nConnection: keep-alive\r\n"
        "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 "
        "Safari/537.36\r\n"
        "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8\r\n"
        f"{coding}Accept-Language: en-US,en;q=0.9\r\nCookie: id="
    )
    octets = head.encode() + b"x" * (length - len(head) - 4) + b"\r\n\r\n"
    if len(octets) != length:
        raise WhitError(f"lab: a request of {len(octets)} octets, expected {length}; the target is too long", 1)
    return octets


class Program:
    """An engine with an application, and lab/instructions.c, which sends it requests."""

    def __init__(
        self,
        application: str | Path,
        directory: Path,
        *sources: str,
        optimize: str = "-O2",
        flags: Sequence[str] = (),
        overrides: Mapping[str, object] | None = None,
        kinds: Kinds = SMALL_KINDS,
    ) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._own = tempfile.TemporaryDirectory(prefix="program-", dir=directory)  # not shared with parallel runs
        self.directory = Path(self._own.name)
        built = build(application, target="linux", optimize=optimize, log=False, overrides=overrides, **kinds)
        self.program = self.directory / "program"
        self.compiler = link(built, self.program, "instructions.c", *sources, flags=flags)

    def entered(self, request: bytes) -> list[list[str]]:
        """Returns the words that lab/trace.c or lab/questions.c printed at the entry of each function."""
        file = self.directory / "request"
        file.write_bytes(request)
        profile = f"GMON_OUT_PREFIX={self.directory / 'gmon'}"  # of -pg; not read
        return [line.split() for line in run(["env", profile, self.program, file, "0"]).splitlines()]

    def none_entered(self) -> WhitError:
        return WhitError(f"lab: {self.program.name}: no function of the engine was entered", 1)


class Counter(Program):
    """A program whose instructions are counted."""

    def __init__(
        self,
        app_dir: str | Path,
        directory: Path,
        overrides: Mapping[str, object] | None = None,
        kinds: Kinds = FAST_KINDS,
    ) -> None:
        if shutil.which("valgrind") is None:
            raise WhitError("lab: valgrind not found; install it with: apt-get install valgrind")
        super().__init__(app_dir, directory, overrides=overrides, kinds=kinds)

    def count(self, function: str, octets: bytes, segments: int | str = 0, *, idle: int = 0, active: int = 0) -> Cost:
        """Returns the cost inside the function of lab/instructions.c, in the third request of a connection.

        With "connection" for the segments it covers a whole connection with one request. `idle` other connections sent
        a request and stay open. `active` ones have received nothing of their response.
        """
        file, out = self.directory / "request", self.directory / f"callgrind.{function}"
        file.write_bytes(octets)
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", f"--toggle-collect={function}"]
        run([*command, str(self.program), str(file), str(segments), str(idle), str(active)])
        return read_costs(out)


def valgrind_version() -> str:
    return run(["valgrind", "--version"]).strip()


def link(built: BuildResult, program: Path, *sources: str, flags: Sequence[str] = ()) -> str:
    """Links the image's objects with sources of lab/. Returns the compiler."""
    commands = json.loads((built.directory / "compile_commands.json").read_text())
    objects, compiler = [], "cc"
    for command in commands:
        words = shlex.split(command["command"])
        output = words[words.index("-o") + 1]
        if "whit_engine.dir/" in output or "whit_application.dir/" in output:
            objects.append(str(built.directory / output))
            compiler = words[0]
    flags = ["-O2", "-g", "-std=c11", "-Wall", "-Wextra", *flags, f"-I{ROOT / 'include'}", f"-I{built.generated}"]
    flags += [f"-I{ROOT / 'ports' / 'flat'}", "-static", "-Wl,--gc-sections"]
    paths = [str(ROOT / "lab" / file) for file in (*sources, "no_persistent.c")]
    run([compiler, *flags, *paths, *objects, "-o", str(program)])
    return run([compiler, "--version"]).splitlines()[0]


def read_costs(out: Path) -> Cost:
    """Returns a profile of callgrind by source file of each function, inlined code included."""
    groups: dict[str, int] = {}
    total = 0
    for file, cost in _lines(out.read_text()):
        group = _group(file)
        groups[group] = groups.get(group, 0) + cost
        total += cost
    if total == 0:
        raise WhitError(f"lab: {out}: callgrind counted nothing", 1)
    return Cost(total, groups)


def _lines(text: str) -> Iterator[tuple[str, int]]:
    """Yields (source file of the function, own instructions) of every line of cost.

    A name is given whole at its first use, "(3) name", and as "(3)" later. The line behind "calls=" is the callee's
    cost, which is already counted with the callee.
    """
    names: dict[str, str] = {}
    file, passed = "", False
    for line in text.splitlines():
        key, equals, value = line.partition("=")
        if equals and key in ("fl", "fi", "fe", "cfi", "cfl"):
            number, _, name = value.partition(" ")
            if name:
                names[number] = name
            if key == "fl":
                file = names.get(number, "")
        elif key == "calls":
            passed = True
        elif line and (line[0].isdigit() or line[0] in "+-*"):
            if not passed:
                yield file, int(line.split()[1])
            passed = False


def _group(file: str) -> str:
    path = Path(file)
    if path.is_relative_to(ROOT / "engine"):
        return group_of(path.stem) if path.suffix == ".c" else COMMON
    if path.is_relative_to(ROOT / "ports" / "common" / "crypto") or path.is_relative_to(LIBRARIES):
        return CRYPTO
    return DRIVER if path.parent == ROOT / "lab" else C_LIBRARY
