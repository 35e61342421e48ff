# SPDX-License-Identifier: MIT
"""Time that precomputed sums save when a segment is sent, by size of their chunks, on two processors."""

from collections.abc import Iterator, Mapping

from whit.errors import WhitError
from whit.machines.machines import why_no_machine
from whit_lab.experiment import Figure, Found, Line, Lines, Part, Progress, Row, Series, Stacks
from whit_lab.instruments import segment
from whit_lab.instruments.segment import AVR, CHUNKS, CONSOLE, SEGMENT, Measured
from whit_lab.papers import DYNAWEB_HZ, DYNAWEB_TABLE2_MS, DYNAWEB_TABLE2_TOTAL_MS, DYNAWEB_TABLE3, DYNAWEB_TOTAL_128_MS

LARGEST = CHUNKS[-1]
BENCHES = {"console": CONSOLE, "AVR": AVR}
TABLE2, TABLE3 = "000 Table 2", "000 Table 3"


def run(progress: Progress, *, reduced: bool = False) -> Iterator[Found]:
    """Runs programs of lab/cycles on the emulated console and the emulated AVR."""
    measured: dict[str, Measured] = {}
    for index, (name, bench) in enumerate(BENCHES.items()):
        if why := why_no_machine(bench.target):
            raise WhitError(f"lab: checksum-chunks needs the emulated {bench.target}: {why}")
        part = Part(progress, index, len(BENCHES))
        measured[name] = segment.measure(bench, part, (CHUNKS[0], LARGEST) if reduced else CHUNKS)
    yield {"segment_octets": SEGMENT, "chunks": list(measured["console"].by_chunk)}
    yield from _figures(measured["console"])
    yield from _phases(measured)
    yield from _chunks(measured)
    yield from _series(measured)
    yield from _notes(measured)


def _ms(cycles: float) -> float:
    return round(cycles * 1000 / DYNAWEB_HZ, 4)


def _us(cycles: float) -> float:
    return round(1000 * _ms(cycles), 1)


def _figures(console: Measured) -> Iterator[Figure]:
    saved, of_all = console.saved(LARGEST), console.saved_of_all(LARGEST, console.added)
    what = "of the time for a segment's checksum, saved by prefix sums for chunks of 128"
    yield Figure("checksum_saved_128_percent", what, saved, "%", least=97)
    yield Figure("send_saved_128_percent", "of the time for all of the segment, the same", of_all, "%", least=29)


def _phases(measured: Mapping[str, Measured]) -> Iterator[Row]:
    for name, one in measured.items():
        for phase, theirs in DYNAWEB_TABLE2_MS.items():
            yield Row(f"{name}: {phase}", _ms(one.phases[phase]), theirs, "ms", TABLE2)
        yield Row(f"{name}: all", _ms(one.added.total), DYNAWEB_TABLE2_TOTAL_MS, "ms", TABLE2)
        best = _ms(one.by_chunk[LARGEST].total)
        yield Row(f"{name}: all, chunks of 128", best, DYNAWEB_TOTAL_128_MS, "ms", "000 section 5.1.4")


def _chunks(measured: Mapping[str, Measured]) -> Iterator[Row]:
    for chunk, octets in measured["console"].sums.items():
        yield Row(f"sums, chunks of {chunk}", round(octets, 1), DYNAWEB_TABLE3[chunk].memory, "B", TABLE3)
    for name, one in measured.items():
        for chunk, sent in one.by_chunk.items():
            theirs, what = DYNAWEB_TABLE3[chunk], f"{name}, chunks of {chunk}"
            saved, of_all = round(one.saved(chunk), 1), round(one.saved_of_all(chunk, one.added), 1)
            yield Row(f"{what}: checksum", _us(one.checksum(sent)), 1000 * theirs.checksum_ms, "µs", TABLE3)
            yield Row(f"{what}: saved of it", saved, theirs.saved_percent, "%", TABLE3, "more")
            yield Row(f"{what}: saved of all", of_all, theirs.saved_of_all_percent, "%", TABLE3, "more")


def _series(measured: Mapping[str, Measured]) -> Iterator[Series]:
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
    yield Stacks(f"A segment of {SEGMENT} octets, by phase", "µs at 16.78 MHz", phases)
    yield Lines("Its checksum, pre-calculated", octets, "ms at 16.78 MHz", lines, log_x=True, log_y=True)
    yield Lines("Saved of all of the sending", octets, "per cent", of_all, log_x=True)


def _notes(measured: Mapping[str, Measured]) -> Iterator[str]:
    avr = measured["AVR"]
    added = avr.checksum(avr.added) / SEGMENT
    theirs = DYNAWEB_TABLE2_MS["checksum"] / 1000 * DYNAWEB_HZ / SEGMENT
    if any(avr.saved_of_all(chunk, avr.added) < DYNAWEB_TABLE3[chunk].saved_of_all_percent for chunk in avr.by_chunk):
        yield (
            "On the AVR less of the whole is saved than in the paper, as there is less to save: adding an octet up "
            f"costs {added:.1f} cycles there, and {theirs:.1f} in the paper."
        )
