# SPDX-License-Identifier: MIT
"""Every kind of content by its own strategy: time, memory and loss, and how much faster than one segment in flight it
is, by a run and by the model (EMSOFT 2009, section 4.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from whit.lab.experiment import Bars, Curves, Figure, Progress, Result, Row, Series, Sheet
from whit.lab.experiments.strategies import ratios
from whit.lab.experiments.strategies.runs import (
    CASES,
    KINDS,
    RATE,
    RTT_MS,
    S0,
    S0_STORED,
    S1,
    S2,
    S3,
    S3_300,
    S3_MSS,
    S3_SMALL,
    S4,
    S4_INDEX,
    SEED,
    Case,
    Losses,
    Measured,
    buffers,
    files,
    image_of,
    measure,
    one_in_flight,
)
from whit.lab.instruments.exchange import Exchange
from whit.sim.engine import Engine
from whit.sim.link import MS, SECOND


def run(progress: Progress, *, reduced: bool = False) -> Result:
    progress("building", 0.0)
    losses = Losses((0.05,), 1, 3) if reduced else Losses()
    images = {case: image_of(case) for case in CASES}
    measured = {}
    for index, case in enumerate(CASES):
        progress(case.label, 0.1 + 0.1 * index / len(CASES))
        measured[case] = measure(images[case], case, SEED)
    classic = one_in_flight(measured[S0].exchange.response, measured[S1].exchange.response, SEED)
    complete = losses.complete(images, progress)
    with Engine(images[S4]) as engine:
        point_len = engine.point_len
    by_buffer = buffers(measured[S3], classic["one_8k"], progress, reduced=reduced)
    progress("files", 0.95)
    run = ratios.Ratios(measured, classic, by_buffer, files(reduced=reduced))
    settings = {
        "seed": SEED,
        "rate_octets_per_s": RATE,
        "rtt_ms": RTT_MS,
        "buffer": {case.label: case.buffer for case in CASES},
        "losses": list(losses.losses),
        "loss_requests": losses.requests * losses.seeds,
    }
    return Result(
        settings,
        [*figures(measured, classic, complete, point_len), *ratios.figures(run)],
        [*series(measured, classic), *ratios.series(run)],
        compared=[*rows(measured, classic), *ratios.rows(run)],
        sheets=[ratios.sheet(run), sheet(measured, classic)],
        notes=ratios.notes(run),
    )


# ---------------------------------------------------------------- what is shown


ONE_SIZES = {"one_8k": "8 kB", "one_600": "600 B"}


def figures(
    measured: Mapping[Case, Measured], classic: Mapping[str, Exchange], complete: float, point_len: int
) -> list[Figure]:
    by_st = {case: one.exchange.served_us for case, one in measured.items()}
    slow = classic["one_8k"].served_us
    s4 = max(by_st[S4], by_st[S4_INDEX])
    s1 = classic["one_600_apart"].whole_us / measured[S1].exchange.whole_us
    charge = {case: round(one.charge["content"], 3) for case, one in measured.items()}
    s4_charge = max(charge[S4], charge[S4_INDEX])
    what = "8 kB: time (st) with one segment in flight, over"
    held = "octets of content that S3 holds at most, buffer of"
    return [
        Figure("s0_speedup_8k", f"{what} S0", round(slow / by_st[S0], 2), "times", least=11.2),
        Figure(
            "s1_speedup_600",
            "600 B: time (whole) with one segment in flight and the head apart, over S1",
            round(s1, 2),
            "times",
            least=4.5,
        ),
        Figure("s3_speedup_8k", f"{what} S3 with one MSS", round(slow / by_st[S3], 2), "times", least=4.1),
        Figure("s3_300_speedup_8k", f"{what} S3 with 300 B", round(slow / by_st[S3_300], 2), "times", least=1.0),
        Figure("s4_over_s0_time", "8 kB volatile: time (st) of S4, over S0", round(s4 / by_st[S0], 3), "times", 1.03),
        Figure("s0_charge_bs", "memory charge of 8 kB by S0", max(charge[S0], charge[S0_STORED]), "B·s", 0),
        Figure("s2_charge_bs", "memory charge of 600 B by S2, rerun points apart", charge[S2], "B·s", 0),
        Figure("s4_charge_bs", "memory charge of 8 kB by S4, rerun points apart", s4_charge, "B·s", 0),
        Figure("rerun_point_bytes", "RAM of a rerun point without the author's state", point_len, "B", 16),
        Figure("s3_held_bytes", f"{held} one MSS", measured[S3].held_most, "B", S3_MSS[0]),
        Figure("s3_300_held_bytes", f"{held} 300 B", measured[S3_300].held_most, "B", S3_SMALL[0]),
        Figure("loss_complete_percent", "requests answered whole at every loss", round(complete, 3), "%", least=100),
    ]


def rows(measured: Mapping[Case, Measured], classic: Mapping[str, Exchange]) -> list[Row]:
    """The same run's server with one segment in flight."""
    slow, ours = classic["one_8k"].served_us, measured[S3_300].exchange.served_us
    what = "S3, 300 B: 8 kB, times as fast as one in flight"
    rows = [Row(what, round(slow / ours, 2), 1, "times", "001 §4.3: both equal", "more")]
    cases = [("one_8k", S3), ("one_8k", S3_300), ("one_8k", S4), ("one_600", S1), ("one_600", S2)]
    charge, of_file = round(measured[S0].charge["content"], 3), "one segment in flight keeps nothing of a file"
    rows.append(Row(f"{S0.label}, 8 kB: memory charge of content", charge, 0, "B·s", of_file))
    for name, case in cases:
        charge, what = round(measured[case].charge["content"], 3), f"{case.label}, {ONE_SIZES[name]}"
        theirs = round(classic[name].charge, 3)
        rows.append(Row(f"{what}: memory charge of content", charge, theirs, "B·s", "one segment in flight, same run"))
    return rows


def sheet(measured: Mapping[Case, Measured], classic: Mapping[str, Exchange]) -> Sheet:
    lines = []
    for name, what, exchange in _exchanges(measured, classic):
        one = next((one for case, one in measured.items() if case.key == name), None)
        held = [one.charge[kind] for kind in KINDS] if one else [exchange.charge]
        cells = [f"{exchange.served_us / MS:.2f}", f"{exchange.whole_us / MS:.2f}", str(exchange.segment_cnt)]
        lines.append([what, *cells, *[f"{charge:.3f}" for charge in held], *[""] * (len(KINDS) - len(held))])
    charges = [f"charge of {kind}, B·s" for kind in KINDS]
    return Sheet("A response", ["", "st, ms", "whole, ms", "segments", *charges], lines)


def _exchanges(measured: Mapping[Case, Measured], classic: Mapping[str, Exchange]) -> list[tuple[str, str, Exchange]]:
    names = {
        "one_8k": "one in flight, 8 kB",
        "one_8k_apart": "one in flight, head apart, 8 kB",
        "one_600": "one in flight, 600 B",
        "one_600_apart": "one in flight, head apart, 600 B",
    }
    rows = [(name, names[name], exchange) for name, exchange in classic.items()]
    return rows + [(case.key, case.label, one.exchange) for case, one in measured.items()]


def series(measured: Mapping[Case, Measured], classic: Mapping[str, Exchange]) -> list[Series]:
    rows = _exchanges(measured, classic)
    times = {f"{what}, 600 B" if name in (S1.key, S2.key) else what: x.served_us / MS for name, what, x in rows}
    shown = {"one in flight": classic["one_8k"]}
    short = {"S3, 300 B": S3_300, "S3, one MSS": S3, "S4": S4, "S0": S0}
    shown |= {name: measured[case].exchange for name, case in short.items()}
    charges = {f"one in flight, generated {size}": classic[name].charge for name, size in ONE_SIZES.items()}
    charges |= {case.label: one.charge["content"] for case, one in measured.items()}
    arrived = {name: _in_seconds(exchange.arrivals) for name, exchange in shown.items()}
    held = {name: _in_seconds([*exchange.held[:-1], (exchange.acked_us, 0)]) for name, exchange in shown.items()}
    seconds = "seconds since the request left"
    return [
        Bars("Time (st) of a response", "milliseconds", times),
        Curves("8 kB arrive", seconds, "octets of the response received", arrived),
        Bars("Memory charge of the content of a response", "octet seconds", charges),
        Curves("Memory held for 8 kB", seconds, "octets of content held", held),
    ]


def _in_seconds(points: Sequence[tuple[int, int]]) -> list[tuple[float, float]]:
    return [(time_us / SECOND, octets) for time_us, octets in points]
