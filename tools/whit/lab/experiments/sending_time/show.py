# SPDX-License-Identifier: MIT
"""What sending-time says: deviations from the paper's equation 8, its Figure 1 with measured points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf

from whit.lab.experiment import Figure, Line, Lines, Row, Series, Sheet
from whit.lab.experiments.sending_time.runs import (
    DUPLEX,
    FIGURE_1,
    HALF,
    HALF_MSS,
    HALVED,
    IN_FLIGHT,
    LONE_MSS,
    SEGMENTS,
    Measured,
    Point,
    Points,
    engine_flight,
)
from whit.model.paper import Setting, in_flight_s, packets_s, segment_cnt, to_even

ALONE = (HALVED, 1, 2, inf)  # where a window that slides is the same as one behind the other
AT_FIGURE_1 = (1, 2, 3, 4, 5, inf)  # at its MSS, in a chart by content
DRAWN = (HALVED, *AT_FIGURE_1[1:])  # of the engine, which has one in flight at another MSS alone
NEAR_PERCENT = 1.0
ODD = 2  # segments and a part of another: 3


def st_s(octets: int, in_flight: float, duplex: str, *, even: bool = True, mss: int = FIGURE_1.mss) -> float:
    """Eq. 8; even: as printed."""
    return in_flight_s(replace(DUPLEX[duplex], even=even, mss=mss), octets, in_flight)


def engine_st_s(octets: int, in_flight: float, duplex: str, *, even: bool = True) -> float:
    """The same, of what the engine has in flight."""
    number, mss = engine_flight(in_flight)
    return st_s(octets, number, duplex, even=even, mss=mss)


def arrival_s(octets: int, in_flight: float, duplex: str) -> float:
    """Eq. 8 up to the last octet at the client, whole segments: the last window takes its time on the link and half a
    round trip."""
    number, mss = engine_flight(in_flight)
    setting = replace(DUPLEX[duplex], even=False, mss=mss)
    last = _last_window(setting, octets, number)
    segments = segment_cnt(setting, last, number)
    return in_flight_s(setting, octets - last, number) + packets_s(setting, last, segments) + setting.rtt_s / 2


def _last_window(setting: Setting, octets: int, in_flight: float) -> int:
    return octets if in_flight == inf else (octets % int(in_flight * setting.mss) or int(in_flight * setting.mss))


def _whole_and_even_agree(octets: int, in_flight: float, duplex: str) -> bool:
    number, mss = engine_flight(in_flight)
    setting = replace(DUPLEX[duplex], even=False, mss=mss)
    last = segment_cnt(setting, _last_window(setting, octets, number), number)
    return number == 1 or last == to_even(replace(setting, even=True), int(last))


def _every(points: Points) -> Iterator[tuple[str, float, Point]]:
    for duplex, by_number in points.items():
        for in_flight, of_it in by_number.items():
            yield from ((duplex, in_flight, point) for point in of_it)


def _percent(measured_s: float, model_s: float) -> float:
    return 100 * (measured_s / model_s - 1)


def figures(measured: Measured) -> list[Figure]:
    st = [
        abs(_percent(point.st_s, engine_st_s(point.octets, number, duplex)))
        for duplex, number, point in _every(measured.engine)
        if number in ALONE and _whole_and_even_agree(point.octets, number, duplex)
    ]
    arrival = [
        abs(_percent(point.arrival_s, arrival_s(point.octets, number, duplex)))
        for duplex, number, point in _every(measured.engine)
        if number in ALONE
    ]
    over = [
        _percent(point.st_s, engine_st_s(point.octets, number, duplex, even=False))
        for duplex, number, point in _every(measured.engine)
    ]
    sender = [
        abs(_percent(point.st_s, st_s(point.octets, number, duplex)))
        for duplex, number, point in _every(measured.sender)
    ]
    alone = "1, 2, two halves and without limit in flight"
    what = (
        ("engine_st_deviation_percent", f"engine, {alone}, even rest: st against eq. 8 as printed", st),
        ("engine_arrival_deviation_percent", f"engine, {alone}, all contents: arrival against eq. 8", arrival),
        ("engine_over_model_percent", "engine, any number in flight, all contents: st above eq. 8", over),
        ("sender_deviation_percent", "the equations' sender, any number, all contents: st against eq. 8", sender),
    )
    near = [Figure(name, f"{says}, the worst", round(max(values), 2), "%", NEAR_PERCENT) for name, says, values in what]
    odd = min(_odd_over_even(measured.sender).values())
    ours = max(_odd_over_even(measured.engine).values())
    return [
        *near,
        Figure("odd_over_even", f"{_LARGEST}, the equations' sender: 3, 5, 7 in flight over 2, 4, 6, the least",
               round(odd, 2), "times", least=1.1),
        Figure("engine_odd_over_even", f"{_LARGEST}, engine: the same, the most", round(ours, 2), "times", 1.01),
    ]  # fmt: skip


_LARGEST = f"{SEGMENTS} segments"


def _odd_over_even(points: Points) -> dict[tuple[str, int], float]:
    return {
        (duplex, odd): points[duplex][odd][-1].st_s / points[duplex][odd - 1][-1].st_s
        for duplex in DUPLEX
        for odd in (3, 5, 7)
    }


def sheet(measured: Measured) -> Sheet:
    """Both links, by segments in flight."""
    lines = []
    for number in IN_FLIGHT:
        line = [f"{_named(number)} (engine: {_named(HALVED)})" if number == 1 else _named(number)]
        for duplex in DUPLEX:
            ours, theirs = measured.engine[duplex][_at_figure_1(number)][-1], measured.sender[duplex][number][-1]
            of_it = (st_s(ours.octets, number, duplex), theirs.st_s, ours.st_s, ours.arrival_s)
            line += [f"{1000 * seconds:.1f}" for seconds in of_it]
        lines.append(line)
    names = ("eq. 8", "its sender", "engine", "engine, arrival")
    columns = ("at most", *(f"{name}, {duplex}" for duplex in DUPLEX for name in names))
    octets = measured.engine[HALF][HALVED][-1].octets
    return Sheet(f"{octets} octets in {SEGMENTS} segments: milliseconds to the last acknowledgment", columns, lines)


def rows(measured: Measured) -> list[Row]:
    """The largest content, and one of an odd number of segments."""
    found = []
    source = "001 eq. 8, half duplex"
    for number in (1, 2, 3, 4, 5, inf):
        ours = measured.engine[HALF][number][-1]
        model = engine_st_s(ours.octets, number, HALF)
        name = f"{_named(number)} of {LONE_MSS} B" if number == 1 else _named(number)
        found.append(Row(f"{ours.octets} B, {name}: st", _ms(ours.st_s), _ms(model), "ms", source))
    halves = measured.engine[HALF][HALVED][-1]
    model = st_s(halves.octets, 1, HALF)
    name = f"{halves.octets} B, a window of {2 * HALF_MSS} B, two halves in flight: st"
    found.append(Row(name, _ms(halves.st_s), _ms(model), "ms", f"{source}, 1 in flight"))
    odd = next(p for p in measured.engine[HALF][inf] if p.octets > ODD * DUPLEX[HALF].mss)
    model = arrival_s(odd.octets, inf, HALF)
    name = f"{odd.octets} B in {ODD + 1} segments, no limit"
    return [
        *found,
        Row(f"{name}: st", _ms(odd.st_s), _ms(st_s(odd.octets, inf, HALF)), "ms", source),
        Row(f"{name}: arrival", _ms(odd.arrival_s), _ms(model), "ms", f"{source}, up to the last octet", "near"),
    ]


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 1)


def series(measured: Measured) -> list[Series]:
    return [
        _by_content("Figure 1: one window after the other, eq. 8 and run", measured.sender, AT_FIGURE_1),
        _by_number(measured),
        _by_content("Engine: a window that slides", measured.engine, DRAWN, arrival=True),
        _by_content("Engine: an odd last segment is acknowledged late", measured.engine, (HALVED, 2, inf)),
    ]


def _by_content(title: str, points: Points, numbers: Sequence[float], *, arrival: bool = False) -> Lines:
    """Half duplex."""

    def y(point: Point) -> float:
        return point.arrival_s if arrival else point.st_s

    model = arrival_s if arrival else engine_st_s if HALVED in numbers else st_s
    lines = [Line(_named(n), [(p.octets, y(p)) for p in points[HALF][n]]) for n in numbers]
    places = _places(max(point.octets for point in points[HALF][1]))
    lines += [Line(f"{_named(n)}: eq. 8", [(x, model(x, n, HALF)) for x in places], "model") for n in numbers]
    until = "the last octet's arrival" if arrival else "the last acknowledgment"
    return Lines(title, "octets of the response", f"seconds to {until}", lines, log_y=True)


def _places(end: int) -> list[int]:
    """Between them the curves are straight: they jump behind whole segments."""
    mss = DUPLEX[HALF].mss
    return sorted({*range(1, end, mss), *range(mss, end, mss), end})


def _by_number(measured: Measured) -> Lines:
    numbers = [int(n) for n in IN_FLIGHT if n != inf]
    octets = measured.engine[HALF][HALVED][-1].octets
    engine = [(n, measured.engine[HALF][_at_figure_1(n)][-1].st_s) for n in numbers]
    lines = [
        Line(f"engine (1: {_named(HALVED)})", engine),
        Line("the equations' sender, run", [(n, measured.sender[HALF][n][-1].st_s) for n in numbers], "peer"),
        Line("eq. 8", [(n, st_s(octets, n, HALF)) for n in numbers], "paper"),
    ]
    title = f"{octets} octets: odd numbers in flight"
    return Lines(title, "segments in flight at most", "seconds to the last acknowledgment", lines, log_y=True)


def _at_figure_1(in_flight: float) -> float:
    """What the engine has in flight at the MSS of Figure 1, in a window of so many segments."""
    return HALVED if in_flight == 1 else in_flight


def _named(in_flight: float) -> str:
    if in_flight == HALVED:
        return "two halves in flight"
    return "no limit" if in_flight == inf else f"{in_flight:g} in flight"
