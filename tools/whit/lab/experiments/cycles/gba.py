# SPDX-License-Identifier: MIT
"""What a segment of a file costs a Game Boy Advance, phase by phase (INRIA RT-0349, tables 2 and 3, again)."""

from whit.lab.experiment import Bars, Figure, Progress, Result, Row
from whit.lab.instruments import segment
from whit.lab.instruments.segment import CHUNKS, CONSOLE, SEGMENT, Measured
from whit.lab.papers import DYNAWEB_TABLE2_MS, DYNAWEB_TABLE2_TOTAL_MS, DYNAWEB_TABLE3

HZ = CONSOLE.hz


def measure(progress: Progress, *, reduced: bool = False) -> Result:
    """Tables 2 and 3, D15 and D16. reduced: the smallest chunk and the largest."""
    chunks = (CHUNKS[0], CHUNKS[-1]) if reduced else CHUNKS
    return _result(segment.measure(CONSOLE, progress, chunks))


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
        {"gba_segment_octets": SEGMENT, "gba_clock_hz": HZ, "gba_chunks": list(measured.by_chunk)},
        figures,
        _charts(measured),
        beside,
        _compared(measured),
    )


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
            f"without pre-calculation: {name}{what[name]} (papers: {DYNAWEB_TABLE2_MS[name]:g})",
            _ms(cycles),
            "ms",
        )
        for name, cycles in measured.phases.items()
    ]
    return [*figures, Figure("gba_segment_ms", "... all of it (papers: 12.5)", _ms(measured.added.total), "ms")]


def _chunks(measured: Measured) -> list[Figure]:
    figures = []
    for chunk, sent in measured.by_chunk.items():
        theirs = DYNAWEB_TABLE3[chunk]
        checksum_us = round(1000 * _ms(measured.checksum(sent)), 1)
        saved, of_all = measured.saved(chunk), measured.saved_of_all(chunk, measured.added)
        what = f"chunks of {chunk}: the checksum (papers: {1000 * theirs.checksum_ms:g})"
        figures += [
            Figure(f"checksum_{chunk}_us", what, checksum_us, "us"),
            Figure(f"checksum_saved_{chunk}", f"... saved of it (papers: {theirs.saved_percent})", saved, "%"),
            Figure(f"send_saved_{chunk}", f"... saved of all (papers: {theirs.saved_of_all_percent})", of_all, "%"),
        ]
    return figures


def _compared(measured: Measured) -> list[Row]:
    largest = CHUNKS[-1]
    theirs = DYNAWEB_TABLE3[largest]
    of_all = measured.saved_of_all(largest, measured.added)
    source = f"000 Table 3, dynaWeb, chunks of {largest}"
    return [
        Row("all of a segment", _ms(measured.added.total), DYNAWEB_TABLE2_TOTAL_MS, "ms", "000 Table 2, dynaWeb"),
        Row("saved of its checksum", measured.saved(largest), theirs.saved_percent, "%", source, "more"),
        Row("saved of all of it", of_all, theirs.saved_of_all_percent, "%", source, "more"),
    ]


def _charts(measured: Measured) -> list[Bars]:
    phases = {f"{name}, here": 1000 * _ms(cycles) for name, cycles in measured.phases.items()}
    phases |= {f"{name}, papers": 1000 * ms for name, ms in DYNAWEB_TABLE2_MS.items()}
    sums = {f"chunks of {chunk}, papers": 1000 * row.checksum_ms for chunk, row in DYNAWEB_TABLE3.items()}
    sums |= {"any chunk, here": 1000 * _ms(measured.checksum(measured.by_chunk[CHUNKS[-1]]))}
    unit = "microseconds at 16.78 MHz"
    return [
        Bars(f"A segment of {SEGMENT} octets, nothing pre-calculated", unit, phases),
        Bars("Its checksum, pre-calculated", unit, sums),
    ]
