# SPDX-License-Identifier: MIT
"""Sending time by size of the content and segments in flight: EMSOFT 2009 (Smews), eq. 1 to 8 and Figure 1.

Responses of the engine, and of the sender of the papers' equations, on both kinds of a line.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import ceil, inf
from pathlib import Path
from typing import cast

from whit.image.build import BuildResult, build
from whit.ladder.steps import Ladder
from whit.model.policy import AckPolicy, Options
from whit.wire.units import MS, SECOND
from whit_lab.experiment import Figure, Found, Line, Lines, Progress, Row, Sheet
from whit_lab.instruments.exchange import Exchange, Visitor, link
from whit_lab.instruments.served import content, files_application
from whit_lab.model.paper import Setting, in_flight_s, packets_s, segment_cnt, to_even
from whit_testbed.classic import UNLIMITED, Behaviour, Classic
from whit_testbed.engine import Engine
from whit_testbed.ladder_watch import record
from whit_testbed.net import Net

FIGURE_1 = Setting()  # 100 kB/s, RTT 50 ms, MSS 1460, acknowledgments 200 ms late; half duplex as printed
HALF, FULL = "half duplex", "full duplex"
DUPLEX = {HALF: FIGURE_1, FULL: replace(FIGURE_1, charge_acks=False)}
IN_FLIGHT = (1, 2, 3, 4, 5, 6, 7, 8, inf)
HALVED = 0.5  # half a segment: two are in flight if the client's window has no room for two segments
HALF_MSS = FIGURE_1.mss // 16 * 8  # the engine stores an MSS in eighths
OF_ENGINE = (HALVED, *IN_FLIGHT)
LONE_MSS = 168  # whole chunks, too small for the engine to halve the window: one is in flight
SEGMENTS = 10  # of the largest content
SEED = 1
CHUNK = 4  # bytes: segments are as large as the MSS
HEAD = 123  # bytes in front of a body, about
WINDOW = 65_535
# Sizes of files: of two responses, one begins a segment and one fills it.
SIZES = tuple(1460 * whole + more - HEAD for whole in range(SEGMENTS) for more in (160, 1450))
FEW = (SIZES[4], SIZES[7], SIZES[8], SIZES[-1])  # 3, 4, 5 and 10 segments
ALONE = (HALVED, 1, 2, inf)  # with these, a sliding window equals one that waits for all its segments
AT_FIGURE_1 = (1, 2, 3, 4, 5, inf)  # at its MSS, in a chart by content
DRAWN = (HALVED, *AT_FIGURE_1[1:])  # for the engine, which has one in flight only at another MSS
NEAR_PERCENT = 1.0
ODD = 2  # segments and a part of another


@dataclass(frozen=True)
class Point:
    """Times of a response.

    `st_s`: from its first byte leaving the server to the last acknowledgment there. `arrival_s`: to its last byte at
    the client.
    """

    octets: int
    st_s: float
    arrival_s: float


Points = Mapping[str, dict[float, Sequence[Point]]]
"""By the link's duplex and segments in flight, in the order of bytes."""


@dataclass(frozen=True)
class Measured:
    engine: Points
    sender: Points
    """The one that the equations describe."""


def run(progress: Progress, *, reduced: bool = False) -> Iterator[Found]:
    progress("building", 0.0)
    result = built()
    sizes = FEW if reduced else SIZES
    measured = Measured({duplex: {} for duplex in DUPLEX}, {duplex: {} for duplex in DUPLEX})
    runs = [(duplex, in_flight) for duplex in DUPLEX for in_flight in OF_ENGINE]
    for index, (duplex, in_flight) in enumerate(runs):
        progress(f"{in_flight:g} in flight, {duplex}", 0.1 + 0.9 * index / len(runs))
        ours = [measure(result.image, size, in_flight, duplex, SEED) for size in sizes]
        measured.engine[duplex][in_flight] = list(map(point, ours))
        if in_flight == HALVED:  # the equations' sender does not halve segments
            continue
        theirs = [
            measure_sender(one.response.raw, size, in_flight, duplex, SEED)
            for one, size in zip(ours, sizes, strict=True)
        ]
        measured.sender[duplex][in_flight] = list(map(point, theirs))
    yield {
        "rate_octets_per_s": FIGURE_1.bandwidth,
        "mss": FIGURE_1.mss,
        "chunk": CHUNK,
        "files": list(sizes),
        "seed": SEED,
    }
    yield from figures(measured)
    yield from rows(measured)
    yield sheet(measured)
    yield from series(measured)
    yield from ladders(result, 3, FEW[1], SEED)


def built() -> BuildResult:
    """Builds the engine. Heads have no keep-alive time: SIZES depend on HEAD."""
    return build(files_application(SIZES), target="inprocess", overrides={"chunk": CHUNK, "keep_alive": False})


def engine_flight(in_flight: float) -> tuple[float, int]:
    """Returns the engine's most segments in flight, and their bytes."""
    if in_flight == HALVED:
        return 2, HALF_MSS
    return in_flight, LONE_MSS if in_flight == 1 else FIGURE_1.mss


def options(in_flight: float) -> Options:
    """Returns options with a window of that many segments and 1/256 more, the precision of the engine's window.

    Halves have no such addition: a short last segment would fit beside them.
    """
    number, mss = engine_flight(in_flight)
    if in_flight == HALVED:
        mss, window = FIGURE_1.mss, 2 * HALF_MSS
    else:
        window = WINDOW if in_flight == inf else ceil(mss * number * 257 / 256)
    return Options(mss=mss, window=window, ack=AckPolicy.DELAYED, rto_min=200 * MS)


def measure(image: Path, size: int, in_flight: float, duplex: str, seed: int) -> Exchange:
    """Returns the second response of a connection. The client's window limits the segments in flight."""
    with Engine(image, seed=seed) as engine:
        return _visitor(engine, size, options(in_flight), duplex, seed).get(_target(size), content(size))


def measure_sender(response: bytes, size: int, in_flight: float, duplex: str, seed: int) -> Exchange:
    """Measures the same bytes from the sender of the equations."""
    server = cast(Engine, _sender(response, in_flight))
    return _visitor(server, size, options(inf), duplex, seed).get(_target(size), content(size))


def _sender(response: bytes, in_flight: float) -> Classic:
    segments = UNLIMITED if in_flight == inf else int(in_flight)
    behaviour = Behaviour(in_flight=segments, mss=FIGURE_1.mss, in_windows=True)
    return Classic(lambda target: cut(response, in_flight), behaviour)


def ladders(result: BuildResult, in_flight: int, size: int, seed: int) -> Iterator[Ladder]:
    """Yields the packets of a response, from the engine and from the sender of the equations."""
    response = measure(result.image, size, in_flight, HALF, seed).response.raw
    sender = cast(Engine, _sender(response, in_flight))
    with Engine(result.image, seed=seed) as engine:
        for server, window, who in ((engine, in_flight, "the engine"), (sender, inf, "the sender of the equations")):
            visitor = _visitor(server, size, options(window), HALF, seed)
            title = f"{len(response)} octets, {in_flight} in flight: {who}"
            get = partial(visitor.get, _target(size), content(size))
            yield record(visitor.net, title, get, application=result.application)


def cut(octets: bytes, in_flight: float) -> list[bytes]:
    """Returns windows of whole segments. The remaining bytes are an even number of segments if `in_flight` allows it
    (eq. 7)."""
    mss = FIGURE_1.mss
    whole = 0 if in_flight == inf else len(octets) // (mss * int(in_flight)) * mss * int(in_flight)
    pieces = [octets[at : at + mss] for at in range(0, whole, mss)]
    rest = octets[whole:]
    if rest:
        step = ceil(len(rest) / segment_cnt(FIGURE_1, len(rest), in_flight))
        pieces += [rest[at : at + step] for at in range(0, len(rest), step)]
    return pieces


def _visitor(engine: Engine, size: int, client: Options, duplex: str, seed: int) -> Visitor:
    """Returns a client on a connection that has had one response."""
    way = link(int(FIGURE_1.bandwidth), round(1000 * FIGURE_1.rtt_s))
    net = Net(engine, up=way, half_duplex=DUPLEX[duplex].charge_acks, seed=seed)
    visitor = Visitor(net, client, lambda: 0)
    visitor.get(_target(size), content(size))
    return visitor


def _target(size: int) -> str:
    return f"/{size}.bin"


def point(exchange: Exchange) -> Point:
    arrival_us = exchange.whole_us - exchange.first_us
    return Point(len(exchange.response.raw), exchange.served_us / SECOND, arrival_us / SECOND)


# ---------------------------------------------------------------- what is shown


def st_s(octets: int, in_flight: float, duplex: str, *, even: bool = True, mss: int = FIGURE_1.mss) -> float:
    """Returns ST by eq. 8; even: as printed."""
    return in_flight_s(replace(DUPLEX[duplex], even=even, mss=mss), octets, in_flight)


def engine_st_s(octets: int, in_flight: float, duplex: str, *, even: bool = True) -> float:
    """Returns the same for the engine's segments in flight."""
    number, mss = engine_flight(in_flight)
    return st_s(octets, number, duplex, even=even, mss=mss)


def arrival_s(octets: int, in_flight: float, duplex: str) -> float:
    """Returns eq. 8 up to the last byte at the client, for whole segments. The last window takes its time on the link
    and half a round trip."""
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


def figures(measured: Measured) -> Iterator[Figure]:
    engine, sender = list(_every(measured.engine)), list(_every(measured.sender))
    alone = [(d, n, p) for d, n, p in engine if n in ALONE]
    even = [(d, n, p) for d, n, p in alone if _whole_and_even_agree(p.octets, n, d)]
    st = [abs(_percent(p.st_s, engine_st_s(p.octets, n, d))) for d, n, p in even]
    arrival = [abs(_percent(p.arrival_s, arrival_s(p.octets, n, d))) for d, n, p in alone]
    over = [_percent(p.st_s, engine_st_s(p.octets, n, d, even=False)) for d, n, p in engine]
    equations = [abs(_percent(p.st_s, st_s(p.octets, n, d))) for d, n, p in sender]
    few = "1, 2, two halves and without limit in flight"
    what = (
        ("engine_st_deviation_percent", f"engine, {few}, even rest: st against eq. 8 as printed", st),
        ("engine_arrival_deviation_percent", f"engine, {few}, all contents: arrival against eq. 8", arrival),
        ("engine_over_model_percent", "engine, any number in flight, all contents: st above eq. 8", over),
        ("sender_deviation_percent", "the equations' sender, any number, all contents: st against eq. 8", equations),
    )
    for name, says, values in what:
        yield Figure(name, f"{says}, the worst", round(max(values), 2), "%", NEAR_PERCENT)
    odd, ours = (_odd_over_even(points).values() for points in (measured.sender, measured.engine))
    says = f"{_LARGEST}, the equations' sender: 3, 5, 7 in flight over 2, 4, 6, the least"
    yield Figure("odd_over_even", says, round(min(odd), 2), "times", least=1.1)
    yield Figure("engine_odd_over_even", f"{_LARGEST}, engine: the same, the most", round(max(ours), 2), "times", 1.01)


_LARGEST = f"{SEGMENTS} segments"


def _odd_over_even(points: Points) -> dict[tuple[str, int], float]:
    return {
        (duplex, odd): points[duplex][odd][-1].st_s / points[duplex][odd - 1][-1].st_s
        for duplex in DUPLEX
        for odd in (3, 5, 7)
    }


def sheet(measured: Measured) -> Sheet:
    """Returns a table of both links, by segments in flight."""
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


def rows(measured: Measured) -> Iterator[Row]:
    """Yields rows for the largest content, and for an odd number of segments."""
    source = "001 eq. 8, half duplex"
    for number in (1, 2, 3, 4, 5, inf):
        ours = measured.engine[HALF][number][-1]
        model = engine_st_s(ours.octets, number, HALF)
        name = f"{_named(number)} of {LONE_MSS} B" if number == 1 else _named(number)
        yield Row(f"{ours.octets} B, {name}: st", _ms(ours.st_s), _ms(model), "ms", source)
    halves = measured.engine[HALF][HALVED][-1]
    model = st_s(halves.octets, 1, HALF)
    name = f"{halves.octets} B, a window of {2 * HALF_MSS} B, two halves in flight: st"
    yield Row(name, _ms(halves.st_s), _ms(model), "ms", f"{source}, 1 in flight")
    odd = next(p for p in measured.engine[HALF][inf] if p.octets > ODD * DUPLEX[HALF].mss)
    model = arrival_s(odd.octets, inf, HALF)
    name = f"{odd.octets} B in {ODD + 1} segments, no limit"
    yield Row(f"{name}: st", _ms(odd.st_s), _ms(st_s(odd.octets, inf, HALF)), "ms", source)
    yield Row(f"{name}: arrival", _ms(odd.arrival_s), _ms(model), "ms", f"{source}, up to the last octet", "near")


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 1)


def series(measured: Measured) -> Iterator[Lines]:
    yield _by_content("Figure 1: one window after the other, eq. 8 and run", measured.sender, AT_FIGURE_1)
    yield _by_number(measured)
    yield _by_content("Engine: a window that slides", measured.engine, DRAWN, arrival=True)
    yield _by_content("Engine: an odd last segment is acknowledged late", measured.engine, (HALVED, 2, inf))


def _by_content(title: str, points: Points, numbers: Sequence[float], *, arrival: bool = False) -> Lines:
    """Returns a half-duplex chart by content."""

    def y(point: Point) -> float:
        return point.arrival_s if arrival else point.st_s

    model = arrival_s if arrival else engine_st_s if HALVED in numbers else st_s
    lines = [Line(_named(n), [(p.octets, y(p)) for p in points[HALF][n]]) for n in numbers]
    places = _places(max(point.octets for point in points[HALF][1]))
    lines += [Line(f"{_named(n)}: eq. 8", [(x, model(x, n, HALF)) for x in places], "model") for n in numbers]
    until = "the last octet's arrival" if arrival else "the last acknowledgment"
    return Lines(title, "octets of the response", f"seconds to {until}", lines, log_y=True)


def _places(end: int) -> list[int]:
    """Returns the sizes at which curves jump, behind whole segments. Between them they are straight."""
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
    """Returns the engine's segments in flight at the MSS of Figure 1, in a window of `in_flight` segments."""
    return HALVED if in_flight == 1 else in_flight


def _named(in_flight: float) -> str:
    if in_flight == HALVED:
        return "two halves in flight"
    return "no limit" if in_flight == inf else f"{in_flight:g} in flight"
