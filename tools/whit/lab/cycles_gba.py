# SPDX-License-Identifier: MIT
"""What a segment of a file costs a Game Boy Advance, phase by phase (INRIA RT-0349, tables 2 and 3, again).

The image's own objects are linked with lab/cycles/send.c, which makes the engine send segments of 1408 octets into a
driver of void functions. The emulated processor is watched where functions begin and where they come back; nothing is
added to what is measured.

The price of a checksum is the difference to the same program without one (lab/cycles/sums.c): with prefix sums for
each size of a chunk, and with the sum of all octets made when they are sent, as without pre-calculation.
"""

import json
import re
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from whit.build import BuildResult, build
from whit.emulator import build_machine
from whit.errors import WhitError
from whit.lab.experiment import Bars, Figure, Progress, Result
from whit.lab.served import files_application
from whit.paths import BUILD, ROOT
from whit.sim.machine import Machine

DIRECTORY = BUILD / "lab" / "cycles"
SEGMENT = 1408  # octets
CHUNKS = (4, 8, 16, 32, 64, 128)
HZ = 1 << 24
ENOUGH_CYCLES = HZ // 4  # for all of the program

# The papers' figures: table 2 in ms; of table 3 what a checksum takes in ms, and what of it and of all is saved in %.
PAPER_PHASES = {"IP header": 0.3, "TCP header": 0.4, "checksum": 3.82, "data": 8.05}
PAPER_CHUNKS = {
    4: (1.48, 61, 19),
    8: (0.78, 80, 24),
    16: (0.39, 90, 27),
    32: (0.23, 94, 29),
    64: (0.16, 96, 29),
    128: (0.11, 97, 29),
}


@dataclass(frozen=True)
class Segment:
    """Cycles of one segment."""

    total: int
    ip_header: int
    data: int  # reading each octet of the frame, and calling the driver for it

    @property
    def rest(self) -> int:
        """Windows, timers, finding the content, the TCP header, and the checksum."""
        return self.total - self.ip_header - self.data


@dataclass(frozen=True)
class Measured:
    """The same segment of four kinds of engine; `by_chunk` has the engine as it is."""

    none: Segment
    added: Segment
    tight: Segment
    by_chunk: Mapping[int, Segment]

    def checksum(self, segment: Segment) -> int:
        return segment.total - self.none.total

    def saved(self, chunk: int) -> float:
        """Of the time for a checksum, in per cent."""
        return round(100 * (1 - self.checksum(self.by_chunk[chunk]) / self.checksum(self.added)), 2)

    def saved_of_all(self, chunk: int, other: Segment) -> float:
        return round(100 * (1 - self.by_chunk[chunk].total / other.total), 2)

    def saved_by_frame(self, chunk: int) -> float:
        """Of all, with a driver that takes a frame in one call: what it does with the octets is not the processor's."""
        segment = self.by_chunk[chunk]
        return round(100 * (1 - (segment.total - segment.data) / (self.added.total - self.added.data)), 2)


def measure(progress: Progress) -> Result:
    """Tables 2 and 3, D15 and D16."""
    machine = build_machine("gba").with_name("libwhit_gba.so")
    by_chunk: dict[int, Segment] = {}
    for index, chunk in enumerate(CHUNKS):
        progress(f"a segment on the console, chunks of {chunk} octets", index / len(CHUNKS))
        built = build(files_application(), target="gba", overrides={"chunk": chunk, "link.local": True})
        by_chunk[chunk] = _segment(machine, _link(built, f"prefix_{chunk}"))
    none, added, tight = (
        _segment(machine, _link(built, name.lower(), f"LAB_SUM_{name}")) for name in ("NONE", "ADDED", "TIGHT")
    )
    return _result(Measured(none, added, tight, by_chunk))


def _link(built: BuildResult, name: str, sums: str = "") -> Path:
    """A ROM. `sums`: lab/cycles/sums.c stands for the engine's static content, with this macro."""
    DIRECTORY.mkdir(parents=True, exist_ok=True)
    ours = {ROOT / "lab" / "cycles" / "send.c": ""} | (
        {ROOT / "lab" / "cycles" / "sums.c": f"-D{sums}"} if sums else {}
    )
    replaced = {"main.c", "serial.c"} | ({"content_static.c"} if sums else set())
    objects: list[str] = []
    flags: list[str] = []
    for command in json.loads((built.directory / "compile_commands.json").read_text()):
        words = shlex.split(command["command"])
        output = words[words.index("-o") + 1]
        if "whit_engine.dir/" in output:
            flags = words[: words.index("-o")]
        if Path(command["file"]).name not in replaced:
            objects.append(str(built.directory / output))
    for source, macro in ours.items():
        to = DIRECTORY / f"{name}_{source.stem}.o"
        _run([*flags, *([macro] if macro else []), "-o", str(to), "-c", str(source)])
        objects.append(str(to))
    image = DIRECTORY / f"{name}.elf"
    layout = ["-nostartfiles", "-T", str(ROOT / "ports" / "gba" / "gba.ld"), "-Wl,--gc-sections"]
    compiler = [word for word in flags if not word.startswith("-I")]
    _run([*compiler[: compiler.index("-iquote")], *layout, *objects, "-o", str(image)])
    _run(["arm-none-eabi-objcopy", "-O", "binary", str(image), str(image.with_suffix(".gba"))])
    return image


def _run(command: Sequence[str]) -> str:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise WhitError(f"lab: {command[0]} ended with {done.returncode}: {done.stdout.strip()[-600:]}", 1)
    return done.stdout


class _Listing:
    """Where functions begin, and where their calls come back to."""

    def __init__(self, image: Path) -> None:
        self._text = _run(["arm-none-eabi-objdump", "-d", "--no-show-raw-insn", str(image)])
        symbols = _run(["arm-none-eabi-nm", str(image)]).splitlines()
        self.symbols = {line.split()[-1]: int(line.split()[0], 16) for line in symbols if len(line.split()) == 3}

    def behind_calls(self, callee: str) -> list[int]:
        """Thumb's bl has four octets."""
        calls = re.findall(rf"^\s*([0-9a-f]+):\s+bl\s+[0-9a-f]+ <{callee}>", self._text, re.M)
        return [int(call, 16) + 4 for call in calls]


def _segment(machine: Path, image: Path) -> Segment:
    """Of the last one that the program sends."""
    listing = _Listing(image)
    phases = ("whit_output", "ipv4_write", "send_octets")
    ends = {name: listing.behind_calls(name) for name in phases}
    numbers = {address: number for number, address in enumerate({a for places in ends.values() for a in places})}
    with Machine(machine, image.with_suffix(".gba")) as console:
        for address, number in numbers.items():
            console.watch(number, address)
        for number, name in enumerate(phases, len(numbers)):
            console.watch(number, listing.symbols[name])
        console.run(console.cycle + ENOUGH_CYCLES)
        if console.peek(listing.symbols["finished"])[0] != 1:
            raise WhitError(f"lab: {image.name} sent no segment of {SEGMENT} octets", 1)
        took = [
            max(console.watched(numbers[address]) for address in ends[name]) - console.watched(number)
            for number, name in enumerate(phases, len(numbers))
        ]
    return Segment(*took)


def _ms(cycles: float) -> float:
    return round(cycles * 1000 / HZ, 4)


def _result(measured: Measured) -> Result:
    largest = CHUNKS[-1]
    what_checksum = f"of the time for a segment's checksum, saved by prefix sums for chunks of {largest} (papers: 97)"
    what_all = "of the time for all of the segment, into a void driver called for each octet (papers: 29)"
    figures = [
        Figure("checksum_saved_128_percent", what_checksum, measured.saved(largest), "%", least=97),
        Figure("send_saved_128_percent", what_all, measured.saved_of_all(largest, measured.added), "%", least=29),
    ]
    what_tight = "send_saved_128_percent, had the engine the shortest loop over two octets at a time for sums"
    what_frame = "send_saved_128_percent, with a driver that takes a frame in one call"
    beside = [
        *_phases(measured),
        *_chunks(measured),
        Figure("send_saved_tight_percent", what_tight, measured.saved_of_all(largest, measured.tight), "%"),
        Figure("send_saved_by_frame_percent", what_frame, measured.saved_by_frame(largest), "%"),
    ]
    return Result(
        {"gba_segment_octets": SEGMENT, "gba_clock_hz": HZ, "gba_chunks": list(CHUNKS)},
        figures,
        _charts(measured),
        beside,
    )


def _phase_cycles(measured: Measured) -> dict[str, int]:
    """Of the engine without pre-calculation, as the papers' table 2 has them."""
    added = measured.added
    checksum = measured.checksum(added)
    return {
        "IP header": added.ip_header,
        "TCP header": added.rest - checksum,
        "checksum": checksum,
        "data": added.data,
    }


def _phases(measured: Measured) -> list[Figure]:
    what = {
        "IP header": "",
        "TCP header": ", windows, timers, and where the octets are",
        "checksum": f" of {SEGMENT} octets",
        "data": ": each octet read, and a call for it",
    }
    figures = [
        Figure(
            f"gba_{name.lower().replace(' ', '_')}_ms",
            f"without pre-calculation: {name}{what[name]} (papers: {PAPER_PHASES[name]:g})",
            _ms(cycles),
            "ms",
        )
        for name, cycles in _phase_cycles(measured).items()
    ]
    return [*figures, Figure("gba_segment_ms", "... all of it (papers: 12.5)", _ms(measured.added.total), "ms")]


def _chunks(measured: Measured) -> list[Figure]:
    figures = []
    for chunk, segment in measured.by_chunk.items():
        paper_ms, paper_saved, paper_all = PAPER_CHUNKS[chunk]
        checksum_us = round(1000 * _ms(measured.checksum(segment)), 1)
        saved, of_all = measured.saved(chunk), measured.saved_of_all(chunk, measured.added)
        what = f"chunks of {chunk}: the checksum (papers: {1000 * paper_ms:g})"
        figures += [
            Figure(f"checksum_{chunk}_us", what, checksum_us, "us"),
            Figure(f"checksum_saved_{chunk}", f"... saved of it (papers: {paper_saved})", saved, "%"),
            Figure(f"send_saved_{chunk}", f"... saved of all (papers: {paper_all})", of_all, "%"),
        ]
    return figures


def _charts(measured: Measured) -> list[Bars]:
    phases = {f"{name}, here": 1000 * _ms(cycles) for name, cycles in _phase_cycles(measured).items()}
    phases |= {f"{name}, papers": 1000 * ms for name, ms in PAPER_PHASES.items()}
    sums = {f"chunks of {chunk}, papers": 1000 * row[0] for chunk, row in PAPER_CHUNKS.items()}
    sums |= {"any chunk, here": 1000 * _ms(measured.checksum(measured.by_chunk[CHUNKS[-1]]))}
    unit = "microseconds at 16.78 MHz"
    return [
        Bars(f"A segment of {SEGMENT} octets, nothing pre-calculated", unit, phases),
        Bars("Its checksum, pre-calculated", unit, sums),
    ]
