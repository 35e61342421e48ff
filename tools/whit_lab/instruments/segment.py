# SPDX-License-Identifier: MIT
"""Cost of a file's segment on an emulated processor, phase by phase (INRIA RT-0349, tables 2 and 3, again).

The image's own objects are linked with lab/cycles/send.c. It makes the engine send segments of 1408 bytes into a driver
of void functions. The emulated processor is watched where functions begin and where they return. Nothing is added to
the measured code.

The price of a checksum is the difference to the same program without one (lab/cycles/sums.c). One measurement has
prefix sums, for each size of a chunk. The other sums all bytes when they are sent, as without pre-calculation.
"""

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from whit.errors import WhitError
from whit.image.build import BuildResult, build
from whit.machines.emulator import build_machine
from whit.paths import ROOT
from whit.targets import find_target
from whit_lab.experiment import Progress
from whit_lab.instruments.served import BIG, files_application
from whit_lab.real.programs import run
from whit_testbed.machine import Machine

SOURCES = ROOT / "lab" / "cycles"
SEGMENT = 1408  # bytes
CHUNKS = (4, 8, 16, 32, 64, 128)
ENOUGH_CYCLES = 5_000_000  # limit for the whole program
PHASES = ("whit_output", "ipv4_write", "send_head", "send_octets")


@dataclass(frozen=True)
class Bench:
    """A processor that runs programs of lab/cycles. `file`: bytes of the sent file."""

    target: str
    hz: int
    file: int
    replaced: frozenset[str]  # files of the port that such a program does not use
    added: tuple[str, ...]  # files of lab/cycles that replace them
    layout: tuple[str, ...]  # for the linker
    reference: str  # the kind of sum that is "without pre-calculation"

    @property
    def machine(self) -> Path:
        return build_machine(self.target).with_name(f"libwhit_{self.target}.so")


CONSOLE = Bench(
    target="gba",
    hz=1 << 24,
    file=BIG,
    replaced=frozenset({"main.c", "serial.c"}),
    added=(),
    layout=("-nostartfiles", "-T", str(ROOT / "ports" / "gba" / "gba.ld")),
    reference="ADDED",
)
AVR = Bench(
    target="avr",
    hz=8_000_000,
    file=8000,  # 64 KB hold all constants
    replaced=frozenset({"start.c", "uart.c"}),
    added=("avr.c",),
    layout=(str(ROOT / "ports" / "avr" / "reach.ld"),),
    reference="TIGHT",  # the engine's own sum over flash goes byte by byte: a rare case, not comparable with a peer
)


@dataclass(frozen=True)
class Segment:
    """Cycles of one segment, by phase."""

    total: int
    ip_header: int
    data: int  # reading each byte of the frame, and passing it to the driver

    @property
    def rest(self) -> int:
        """Windows, timers, finding the content, the TCP header, and the checksum."""
        return self.total - self.ip_header - self.data


@dataclass(frozen=True)
class Measured:
    """The same segment of several kinds of engine. `by_chunk` has the engine as it is. `added` has one that sums bytes
    when they are sent, as without pre-calculation."""

    none: Segment
    added: Segment
    by_chunk: Mapping[int, Segment]
    sums: Mapping[int, float]  # bytes of sums for the segment, by chunk; empty if there is one file only

    def checksum(self, segment: Segment) -> int:
        return segment.total - self.none.total

    def saved(self, chunk: int) -> float:
        """Returns the saved share of the time for a checksum, in per cent."""
        return round(100 * (1 - self.checksum(self.by_chunk[chunk]) / self.checksum(self.added)), 2)

    def saved_of_all(self, chunk: int, other: Segment) -> float:
        return round(100 * (1 - self.by_chunk[chunk].total / other.total), 2)

    @property
    def phases(self) -> dict[str, int]:
        """Cycles of the engine without pre-calculation, as the papers' table 2 has them."""
        checksum = self.checksum(self.added)
        return {
            "IP header": self.added.ip_header,
            "TCP header": self.added.rest - checksum,
            "checksum": checksum,
            "data": self.added.data,
        }


def measure(bench: Bench, progress: Progress, chunks: Sequence[int] = CHUNKS) -> Measured:
    """Measures tables 2 and 3, D15 and D16."""
    by_chunk: dict[int, Segment] = {}
    sums: dict[int, float] = {}
    files = files_application() if bench.file == BIG else files_application((bench.file,))
    for index, chunk in enumerate(chunks):
        progress(f"a segment, {bench.target}, chunks of {chunk} octets", index / len(chunks))
        built = build(files, target=bench.target, overrides={"chunk": chunk, "link.local": True}, one_unit=False)
        by_chunk[chunk] = _segment(bench, _send(bench, built, f"prefix_{chunk}"))
        if bench.file == BIG:
            sums[chunk] = sums_len(built)
    none, added = (_segment(bench, _send(bench, built, name.lower(), name)) for name in ("NONE", bench.reference))
    return Measured(none, added, by_chunk, sums)


def sums_len(built: BuildResult) -> float:
    """Returns a segment's share of the bytes of sums, from the difference of two files' tables."""
    listing = run([f"{find_target(built.target).toolchain}nm", "-S", str(built.image)])
    tables = {
        int(size): int(octets, 16) for octets, size in re.findall(r" ([0-9a-f]+) \w sums_(\d+)_bin$", listing, re.M)
    }
    least, most = min(tables), max(tables)
    return (tables[most] - tables[least]) * SEGMENT / (most - least)


def _send(bench: Bench, built: BuildResult, name: str, sums: str = "") -> Path:
    """Links the program. `sums`: lab/cycles/sums.c replaces the engine's static content, with this kind of sum."""
    sources = {"send.c": f'-DLAB_FILE="/{bench.file}.bin"'} | ({"sums.c": f"-DLAB_SUM_{sums}"} if sums else {})
    return link(bench, built, f"{bench.target}_{name}", sources, {"file.c"} if sums else set())


def link(bench: Bench, built: BuildResult, name: str, sources: Mapping[str, str], replaced: set[str]) -> Path:
    """Links an image of `built`. Files of lab/cycles, each with a macro, replace others."""
    directory = Path(_directory().name)
    objects: list[str] = []
    flags: list[str] = []
    for command in json.loads((built.directory / "compile_commands.json").read_text()):
        words = shlex.split(command["command"])
        output = words[words.index("-o") + 1]
        if "whit_engine.dir/" in output:
            flags = words[: words.index("-o")]
        is_there = (built.directory / output).exists()  # an unused file is not built
        if is_there and Path(command["file"]).name not in bench.replaced | replaced:
            objects.append(str(built.directory / output))
    ours = {**sources, **dict.fromkeys(bench.added, "")}
    for source, macro in ours.items():
        to = directory / f"{name}_{Path(source).stem}.o"
        run([*flags, *([macro] if macro else []), "-o", str(to), "-c", str(SOURCES / source)])
        objects.append(str(to))
    image = directory / f"{name}.elf"
    compiler = [word for word in flags if not word.startswith("-I")]
    run([*compiler[: compiler.index("-iquote")], *bench.layout, "-Wl,--gc-sections", *objects, "-o", str(image)])
    if bench.target == "gba":
        run(["arm-none-eabi-objcopy", "-O", "binary", str(image), str(image.with_suffix(".gba"))])
    return image


@cache
def _directory() -> TemporaryDirectory[str]:
    """Returns this process's directory: two experiments link images of the same names. It is deleted when the process
    ends."""
    return TemporaryDirectory(prefix="whit-lab-")


class Listing:
    """Addresses at which functions begin, and to which their calls return."""

    def __init__(self, image: Path, tools: str) -> None:
        self._lines = run([f"{tools}objdump", "-d", "--no-show-raw-insn", str(image)]).splitlines()
        symbols = run([f"{tools}nm", str(image)]).splitlines()
        self.symbols = {line.split()[-1]: int(line.split()[0], 16) for line in symbols if len(line.split()) == 3}

    def behind_calls(self, callee: str) -> list[int]:
        """Returns the address of the instruction after each call."""
        call = re.compile(rf"^\s*[0-9a-f]+:\s+(?:bl|r?call)\s.*<{callee}>$")
        pairs = zip(self._lines, self._lines[1:], strict=False)
        return [int(after.split(":")[0], 16) for line, after in pairs if call.match(line)]


def _segment(bench: Bench, image: Path) -> Segment:
    """Returns the cost of the last segment that the program sends."""
    listing = Listing(image, find_target(bench.target).toolchain)
    ends = {name: listing.behind_calls(name) for name in PHASES}
    numbers = {address: number for number, address in enumerate({a for places in ends.values() for a in places})}
    with started(bench, image) as machine:
        for address, number in numbers.items():
            machine.watch(number, address)
        for number, name in enumerate(PHASES, len(numbers)):
            machine.watch(number, listing.symbols[name])
        machine.run(machine.cycle + ENOUGH_CYCLES)
        if machine.peek(listing.symbols["finished"])[0] != 1:
            raise WhitError(f"lab: {image.name} sent no segment of {SEGMENT} octets", 1)
        took = [
            max(machine.watched(numbers[address]) for address in ends[name]) - machine.watched(number)
            for number, name in enumerate(PHASES, len(numbers))
        ]
    total, ip_header, head, octets = took
    return Segment(total, ip_header, head + octets)


def started(bench: Bench, image: Path) -> Machine:
    hz = bench.hz if bench.target == "avr" else 0
    return Machine(bench.machine, image.with_suffix(".gba") if bench.target == "gba" else image, hz=hz, seed=1)
