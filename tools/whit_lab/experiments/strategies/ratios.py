# SPDX-License-Identifier: MIT
"""The four numbers of EMSOFT 2009, section 4.3, by the model and by a run."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Literal

from whit.wire.units import MS, SECOND
from whit_lab.experiment import Figure, Line, Lines, Row, Sheet
from whit_lab.experiments.strategies.runs import DRAWN, S0, S1, S3, Buffers, Case, Measured
from whit_lab.instruments.exchange import Exchange
from whit_lab.model.charge import (
    equal_buffer,
    one_charge,
    one_s,
    s0_ratio,
    s1_ratio,
    s3_ratio_exact,
    strategy_charge,
    strategy_s,
)
from whit_lab.model.paper import Setting
from whit_lab.papers import SECTION_43

FIGURE_1 = Setting()
STATIC, GENERATED = 8000, 600  # bytes of content in 001 section 4.3
Better = Literal["less", "more", "near"]
S0_KEY, S1_KEY, S3_KEY, BUFFER_KEY = "s0_ratio", "s1_ratio", "s3_ratio", "s3_equal_buffer_bytes"
EQUAL_PRINTED = SECTION_43[BUFFER_KEY]
# Ranges that round to the printed values; 11.2 is 11.28 cut off.
PRINTED = {S0_KEY: (11.2, 11.3), S1_KEY: (4.45, 4.55), S3_KEY: (4.05, 4.15), BUFFER_KEY: (295, 304)}
WHAT = {
    S0_KEY: "8 kB, one in flight over S0",
    S1_KEY: "600 B, one in flight over S1",
    S3_KEY: "8 kB, one in flight over S3 with one MSS",
    BUFFER_KEY: "8 kB, held by S3 that is as fast as one in flight",
}
EQUATION = {S0_KEY: "eq. 15", S1_KEY: "eq. 17", S3_KEY: "eq. 8", BUFFER_KEY: "eq. 8, long contents"}
APART, TOGETHER = "the other's head apart", "head in the content's segment"
READING = {S0_KEY: "st", S1_KEY: f"whole, {APART}", S3_KEY: "st", BUFFER_KEY: "st"}


def _unit(name: str) -> str:
    return "B" if name == BUFFER_KEY else "times"


@dataclass(frozen=True)
class Ratios:
    strategies: Mapping[Case, Measured]
    classic: Mapping[str, Exchange]  # runs.one_in_flight
    buffers: Buffers
    files: Sequence[tuple[int, float]]  # bytes of a response, time with one in flight divided by that of S0


def by_model() -> dict[str, float]:
    ratios = (s0_ratio(FIGURE_1, STATIC), s1_ratio(FIGURE_1, GENERATED), s3_ratio_exact(FIGURE_1, STATIC))
    return dict(zip(WHAT, (*(round(ratio, 2) for ratio in ratios), equal_buffer(FIGURE_1)), strict=True))


def by_run(run: Ratios) -> dict[str, float]:
    """Returns the ratios in the readings of READING."""
    one, apart = run.classic["one_8k"], run.classic["one_600_apart"]
    return {
        S0_KEY: _st(one, _of(run, S0)),
        S1_KEY: _whole(apart, _of(run, S1)),
        S3_KEY: _st(one, _of(run, S3)),
        BUFFER_KEY: run.buffers.measured(run.buffers.equal).held_most,
    }


def _of(run: Ratios, case: Case) -> Exchange:
    return run.strategies[case].exchange


def _st(one: Exchange, ours: Exchange) -> float:
    return round(one.served_us / ours.served_us, 2)


def _whole(one: Exchange, ours: Exchange) -> float:
    return round(one.whole_us / ours.whole_us, 2)


def figures(run: Ratios) -> Iterator[Figure]:
    for name, value in by_model().items():
        least, most = PRINTED[name]
        what = f"{WHAT[name]}: the model, {EQUATION[name]} (printed: {SECTION_43[name]:g})"
        yield Figure(f"model_{name}", what, value, _unit(name), most, least)
    for name, value in by_run(run).items():
        bound = SECTION_43[name]
        limit, least_ = (bound, None) if name == BUFFER_KEY else (None, bound)
        yield Figure(f"measured_{name}", f"{WHAT[name]}: run ({READING[name]})", value, _unit(name), limit, least_)


def by_user(run: Ratios) -> dict[str, float]:
    """Returns the ratios in a user's time, if that is another reading."""
    large = run.classic["one_8k"]
    values: dict[str, float] = {S0_KEY: _whole(large, _of(run, S0)), S3_KEY: _whole(large, _of(run, S3))}
    if run.buffers.equal_whole is not None:
        values[BUFFER_KEY] = run.buffers.measured(run.buffers.equal_whole).held_most
    return values


def rows(run: Ratios) -> Iterator[Row]:
    measured, equations = by_run(run), by_model()
    for name in WHAT:
        better: Better = "less" if name == BUFFER_KEY else "more"
        printed, unit = SECTION_43[name], _unit(name)
        yield Row(f"{WHAT[name]}: run", measured[name], printed, unit, "001 §4.3", better)
        yield Row(f"{WHAT[name]}: model", equations[name], printed, unit, "001 §4.3", "near")
    for name, whole in by_user(run).items():
        better = "less" if name == BUFFER_KEY else "more"
        yield Row(f"{WHAT[name]}: run (whole)", whole, SECTION_43[name], _unit(name), "001 §4.3", better)
    together = _st(run.classic["one_600"], _of(run, S1))
    name = f"{WHAT[S1_KEY]}: run (st, {TOGETHER})"
    octets = len(_of(run, S1).response.raw)
    yield Row(name, together, SECTION_43[S1_KEY], "times", "001 §4.3", "more")
    yield Row(name, together, round(s1_ratio(FIGURE_1, octets), 2), "times", f"eq. 17 for {octets} octets", "near")
    yield from _times(run)
    yield from _charges(run)


def _times(run: Ratios) -> Iterator[Row]:
    """Yields the model's times for the sent bytes."""
    equal = run.buffers.measured(run.buffers.equal)
    cases = (("one in flight, 8 kB", run.classic["one_8k"], "one", None),
             ("S0, 8 kB", _of(run, S0), "S0", None),
             ("S3 with one MSS, 8 kB", _of(run, S3), "S3", None),
             ("one in flight, 600 B", run.classic["one_600"], "one", None),
             ("S1, 600 B", _of(run, S1), "S1", None),
             ("S1, 600 B, as one in flight", _of(run, S1), "one", None),
             (f"S3 with {equal.held_most} B, 8 kB", equal.exchange, "S3", equal.held_most))  # fmt: skip
    for what, exchange, strategy, buffer in cases:
        octets = len(exchange.response.raw)
        model = 1000 * strategy_s(FIGURE_1, strategy, octets, buffer)
        source = f"eq. 8 for {octets} octets"
        yield Row(f"{what}: st", round(exchange.served_us / MS, 2), round(model, 2), "ms", source, "near")


def _charges(run: Ratios) -> list[Row]:
    """Returns charges by eq. 13 and 18, for the sent bytes."""
    large, small = run.classic["one_8k"], run.classic["one_600"]
    s1, s3 = run.strategies[S1], run.strategies[S3]
    cases = (
        ("one in flight, 8 kB", large.charge, one_charge(FIGURE_1, len(large.response.raw)), "eq. 13"),
        ("S3 with one MSS, 8 kB", s3.charge["content"],
         strategy_charge(FIGURE_1, "S3", len(s3.exchange.response.raw)), "M × T3"),
        ("one in flight, 600 B", small.charge, one_charge(FIGURE_1, len(small.response.raw)), "eq. 13"),
        ("S1, 600 B", s1.charge["content"], strategy_charge(FIGURE_1, "S1", GENERATED), "eq. 18"),
        ("S1, 600 B, as one in flight", s1.charge["content"], one_charge(FIGURE_1, GENERATED), "eq. 13"),
    )  # fmt: skip
    return [
        Row(f"{what}: memory charge", round(ours, 1), round(model, 1), "B·s", f"001 {source}", "near")
        for what, ours, model, source in cases
    ]


def sheet(run: Ratios) -> Sheet:
    measured, equations = by_run(run), by_model()
    exact = {S0_KEY: one_s(FIGURE_1, STATIC) / strategy_s(FIGURE_1, "S0", STATIC),
             S1_KEY: one_s(FIGURE_1, GENERATED) / strategy_s(FIGURE_1, "S1", GENERATED),
             S3_KEY: one_s(FIGURE_1, STATIC) / strategy_s(FIGURE_1, "S3", STATIC),
             BUFFER_KEY: equal_buffer(FIGURE_1, STATIC)}  # fmt: skip
    whole = by_user(run)
    lines = [
        (
            WHAT[name],
            f"{SECTION_43[name]:g}",
            f"{equations[name]:g}",
            f"{exact[name]:.4g}",
            f"{measured[name]:g} ({READING[name]})",
            f"{whole[name]:g}" if name in whole else "",
        )
        for name in WHAT
    ]
    columns = ("what", "printed", "by its equation", "by eq. 8 for 8000 and 600 octets", "run", "run (whole)")
    return Sheet("001 section 4.3", columns, lines)


def series(run: Ratios) -> Iterator[Lines]:
    yield from (_by_content(run), _by_buffer(run), _charge_by_buffer(run))


def _by_content(run: Ratios) -> Lines:
    mss = FIGURE_1.mss
    places = sorted(
        {at for whole in range(12) for at in (whole * mss + 1, (whole + 1) * mss)} | {*range(100, mss, 100)}
    )
    places = [at for at in places if at >= 100]

    def model(strategy: str, most: float) -> list[tuple[float, float]]:
        return [(x, one_s(FIGURE_1, x) / strategy_s(FIGURE_1, strategy, x)) for x in places if x <= most]

    measured, s0, s1, s3 = by_run(run), _of(run, S0), _of(run, S1), _of(run, S3)
    files = sorted([*run.files, (len(s0.response.raw), measured[S0_KEY])])
    lines = [
        Line("S0: files, run (st)", files),
        Line("S1, run (st, head in the segment)", [(len(s1.response.raw), _st(run.classic["one_600"], s1))]),
        Line("S3 with one MSS, run (st)", [(len(s3.response.raw), measured[S3_KEY])]),
        Line("S1, run (whole, head apart)", [(len(s1.response.raw), measured[S1_KEY])]),
        Line("S0, eq. 8", model("S0", inf), "model"),
        Line("S1, eq. 8", model("S1", mss), "model"),
        Line("S3 with one MSS, eq. 8", model("S3", inf), "model"),
        Line("S0: 11.2 (001 §4.3)", [(STATIC, SECTION_43[S0_KEY])], "paper"),
        Line("S1: 4.5 (001 §4.3)", [(GENERATED, SECTION_43[S1_KEY])], "paper"),
        Line("S3: 4.1 (001 §4.3)", [(STATIC, SECTION_43[S3_KEY])], "paper"),
    ]
    return Lines("Over one segment in flight, by content", "octets of the response", "times as fast", lines)


def _by_buffer(run: Ratios) -> Lines:
    one, octets, held = run.classic["one_8k"], *_axis(run)
    lines = [
        Line("S3, run (st)", [(x.held_most, x.exchange.served_us / SECOND) for x in _drawn(run)]),
        Line("S3, eq. 8", [(x, strategy_s(FIGURE_1, "S3", octets, x)) for x in held], "model"),
        Line("one in flight, run (st)", [(x, one.served_us / SECOND) for x in (held[0], held[-1])], "peer"),
        Line("one in flight, run (whole)", [(x, one.whole_us / SECOND) for x in (held[0], held[-1])], "peer"),
        Line("300 B: both equal (001 §4.3)", [(EQUAL_PRINTED, 0), (EQUAL_PRINTED, one_s(FIGURE_1, STATIC))], "paper"),
    ]
    return Lines("8 kB by S3, by its buffer", "octets that are held at most", "seconds", lines)


def _charge_by_buffer(run: Ratios) -> Lines:
    one, octets, held = run.classic["one_8k"], *_axis(run)
    lines = [
        Line("S3, run", [(x.held_most, x.charge["content"]) for x in _drawn(run)]),
        Line("S3: M × T3", [(x, strategy_charge(FIGURE_1, "S3", octets, x)) for x in held], "model"),
        Line("one in flight, run", [(x, one.charge) for x in (held[0], held[-1])], "peer"),
        Line("one in flight, eq. 13", [(x, one_charge(FIGURE_1, octets)) for x in (held[0], held[-1])], "paper"),
    ]
    return Lines("Memory charge of 8 kB", "octets that are held at most", "octet seconds", lines)


def _drawn(run: Ratios) -> list[Measured]:
    """Returns the drawn buffers, without the intermediate ones of the search for the equal one."""
    wanted = (*DRAWN, run.buffers.equal, run.buffers.equal_whole, S3.buffer)
    return [one for buffer, one in run.buffers.by_buffer if buffer in wanted]


def _axis(run: Ratios) -> tuple[int, list[int]]:
    """Returns the response's bytes, and sizes of buffers between the ends of the measured ones."""
    ends = [one.held_most for one in _drawn(run)]
    return len(run.classic["one_8k"].response.raw), sorted({*range(ends[0], ends[-1], 20), ends[-1]})


def notes(run: Ratios) -> Iterator[str]:
    octets = len(_of(run, S1).response.raw)
    found = by_user(run)
    whole = f"; up to the last octet it needs {found[BUFFER_KEY]:g}" if BUFFER_KEY in found else ""
    yield (
        "uIP's web server sends heads apart (001 §5.3.1), so S1 is held against that, by the time that a user waits; "
        "up to the last acknowledgment it would be more. S1 sends what fits one segment in one segment, and its client "
        "delays the acknowledgment of a lone segment. So S1 takes as long as one segment in flight up to the last "
        "acknowledgment, and holds its content as long; no user waits for that. Eq. 17 counts two segments: for the "
        f"{octets} octets of the response with its head it gives {s1_ratio(FIGURE_1, octets):.2f}."
    )
    yield (
        f"S3 is as fast as one in flight with {by_run(run)[BUFFER_KEY]:g} octets up to the last "
        f"acknowledgment{whole}. The setting is a shared buffer of {run.buffers.equal}: 20 octets are the block's own."
    )
