# SPDX-License-Identifier: MIT
"""What sums that are known before save of the sending of a segment, by size of their chunks, on two processors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from whit.errors import WhitError
from whit.lab.experiment import Experiment, Figure, Line, Lines, Progress, Result, Row, Series, Stacks
from whit.lab.instruments import segment
from whit.lab.instruments.segment import AVR, CHUNKS, CONSOLE, SEGMENT, Measured
from whit.lab.papers import DYNAWEB_HZ, DYNAWEB_TABLE2_MS, DYNAWEB_TABLE2_TOTAL_MS, DYNAWEB_TABLE3, DYNAWEB_TOTAL_128_MS
from whit.machines import why_no_machine

LARGEST = CHUNKS[-1]
BENCHES = {"console": CONSOLE, "AVR": AVR}
TABLE2, TABLE3 = "000 Table 2", "000 Table 3"


@dataclass(frozen=True)
class ChecksumChunksExperiment:
    """Programs of lab/cycles on the emulated console and the emulated AVR."""

    reduced_chunks: Sequence[int] = (4, LARGEST)
    name: str = "checksum-chunks"
    title: str = "Sending a segment of 1408 octets: phases, and what sums by chunks save"
    answers_to: str = "What do pre-computed checksums save a processor, by the size of their chunks?"
    paper: str = "000 Tables 1, 2, 3"
    rows: Sequence[str] = ("D8", "D13", "D15", "D16", "D17")
    seconds: int = 25

    def run(self, progress: Progress, *, reduced: bool = False) -> Result:
        for target in ("gba", "avr"):
            if why := why_no_machine(target):
                raise WhitError(f"lab: checksum-chunks needs the emulated {target}: {why}")
        measured: dict[str, Measured] = {}
        for index, (name, bench) in enumerate(BENCHES.items()):

            def told(what: str, share: float, index: int = index) -> None:
                progress(what, (index + share) / len(BENCHES))

            measured[name] = segment.measure(bench, told, self.reduced_chunks if reduced else CHUNKS)
        progress("done", 1.0)
        return Result(
            self._settings(measured),
            _figures(measured["console"]),
            _series(measured),
            _beside(measured),
            compared=[*_phases(measured), *_chunks(measured)],
            notes=_notes(measured),
        )

    def _settings(self, measured: Mapping[str, Measured]) -> dict[str, object]:
        return {
            "segment_octets": SEGMENT,
            "chunks": list(measured["console"].by_chunk),
            "processors": "ARM7TDMI of the console (16-bit ROM, Thumb), ATmega1284P",
            "ms": f"cycles at {DYNAWEB_HZ / 1e6:.2f} MHz, the paper's clock",
            "optimize": "-Os",
            "driver": "a function that does nothing, called for each octet",
            "without_pre_calculation": {
                "console": "the engine's own loop over two octets at a time",
                "AVR": "the shortest loop in C over two octets at a time, read from flash",
            },
        }


def _ms(cycles: float) -> float:
    return round(cycles * 1000 / DYNAWEB_HZ, 4)


def _us(cycles: float) -> float:
    return round(1000 * _ms(cycles), 1)


def _figures(console: Measured) -> list[Figure]:
    saved, of_all = console.saved(LARGEST), console.saved_of_all(LARGEST, console.added)
    what = "of the time for a segment's checksum, saved by prefix sums for chunks of 128"
    what_all = "of the time for all of the segment, the same"
    return [
        Figure("checksum_saved_128_percent", what, saved, "%", least=97),
        Figure("send_saved_128_percent", what_all, of_all, "%", least=29),
    ]


def _beside(measured: Mapping[str, Measured]) -> list[Figure]:
    figures = []
    for name, one in measured.items():
        key = name.lower()
        for phase, cycles in one.phases.items():
            word = phase.lower().replace(" ", "_")
            figures.append(Figure(f"{key}_{word}_cycles", f"{name}, nothing pre-calculated: {phase}", cycles, "cycles"))
        for chunk, sent in one.by_chunk.items():
            what = f"{name}, chunks of {chunk}: the checksum"
            figures.append(Figure(f"{key}_checksum_{chunk}_cycles", what, one.checksum(sent), "cycles"))
        tight = one.saved_of_all(LARGEST, one.tight)
        frame = one.saved_by_frame(LARGEST)
        what = f"{name}: saved of all with chunks of 128, had the engine the shortest loop for sums"
        figures.append(Figure(f"{key}_send_saved_tight_percent", what, tight, "%"))
        what = f"{name}: saved of all with chunks of 128, with a driver that takes a frame in one call"
        figures.append(Figure(f"{key}_send_saved_by_frame_percent", what, frame, "%"))
    return figures


def _phases(measured: Mapping[str, Measured]) -> list[Row]:
    rows = []
    for name, one in measured.items():
        for phase, theirs in DYNAWEB_TABLE2_MS.items():
            rows.append(Row(f"{name}: {phase}", _ms(one.phases[phase]), theirs, "ms", TABLE2))
        rows.append(Row(f"{name}: all", _ms(one.added.total), DYNAWEB_TABLE2_TOTAL_MS, "ms", TABLE2))
        best = _ms(one.by_chunk[LARGEST].total)
        rows.append(Row(f"{name}: all, chunks of 128", best, DYNAWEB_TOTAL_128_MS, "ms", "000 section 5.1.4"))
    return rows


def _chunks(measured: Mapping[str, Measured]) -> list[Row]:
    rows = []
    for chunk, octets in measured["console"].sums.items():
        rows.append(Row(f"sums, chunks of {chunk}", round(octets, 1), DYNAWEB_TABLE3[chunk].memory, "B", TABLE3))
    for name, one in measured.items():
        for chunk, sent in one.by_chunk.items():
            theirs, what = DYNAWEB_TABLE3[chunk], f"{name}, chunks of {chunk}"
            saved, of_all = round(one.saved(chunk), 1), round(one.saved_of_all(chunk, one.added), 1)
            rows += [
                Row(f"{what}: checksum", _us(one.checksum(sent)), 1000 * theirs.checksum_ms, "µs", TABLE3),
                Row(f"{what}: saved of it", saved, theirs.saved_percent, "%", TABLE3, "more"),
                Row(f"{what}: saved of all", of_all, theirs.saved_of_all_percent, "%", TABLE3, "more"),
            ]
    return rows


def _series(measured: Mapping[str, Measured]) -> list[Series]:
    phases = {"dynaWeb": {phase: 1000 * ms for phase, ms in DYNAWEB_TABLE2_MS.items()}}
    for name, one in measured.items():
        phases[name] = {phase: _us(cycles) for phase, cycles in one.phases.items()}
        rest = {"checksum": _us(one.checksum(one.by_chunk[LARGEST]))}
        phases[f"{name}, chunks of {LARGEST}"] = phases[name] | rest
    paper = [(chunk, row.checksum_ms) for chunk, row in DYNAWEB_TABLE3.items()]
    shares = [(chunk, float(row.saved_of_all_percent)) for chunk, row in DYNAWEB_TABLE3.items()]
    lines = [Line("dynaWeb", paper, "paper")]
    of_all = [Line("dynaWeb", shares, "paper")]
    for name, one in measured.items():
        sums = [(chunk, _ms(one.checksum(sent))) for chunk, sent in one.by_chunk.items()]
        lines.append(Line(name, sums))
        of_all.append(Line(name, [(chunk, one.saved_of_all(chunk, one.added)) for chunk in one.by_chunk]))
    octets = "octets of a chunk"
    return [
        Stacks(f"A segment of {SEGMENT} octets, by phase", "µs at 16.78 MHz", phases),
        Lines("Its checksum, pre-calculated", octets, "ms at 16.78 MHz", lines, log_x=True, log_y=True),
        Lines("Saved of all of the sending", octets, "per cent", of_all, log_x=True),
    ]


def _notes(measured: Mapping[str, Measured]) -> list[str]:
    avr = measured["AVR"]
    added = avr.checksum(avr.added) / SEGMENT
    theirs = DYNAWEB_TABLE2_MS["checksum"] / 1000 * DYNAWEB_HZ / SEGMENT
    notes = [
        "A difference of two prefix sums costs the same for any chunk, but for the shifts of an index, which an AVR "
        "makes one bit at a time; the paper adds up one sum for each chunk.",
        "The memory is by the paper's formula, 2 octets for each chunk; a response's head is in the same table.",
        "The cartridge's ROM has wait states and a bus of 16 bits. From which memory dynaWeb ran is not said.",
    ]
    if any(avr.saved_of_all(chunk, avr.added) < DYNAWEB_TABLE3[chunk].saved_of_all_percent for chunk in avr.by_chunk):
        notes.append(
            "On the AVR less of the whole is saved than in the paper, as there is less to save: adding an octet up "
            f"costs {added:.1f} cycles there, and {theirs:.1f} in the paper."
        )
    return notes


EXPERIMENT: Experiment = ChecksumChunksExperiment()
