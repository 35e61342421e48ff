# SPDX-License-Identifier: MIT
"""Every kind of content by its own strategy: time, memory and loss.

The speedup over one segment in flight comes from a run and from the model (EMSOFT 2009, section 4.3).
"""

from collections.abc import Iterator, Mapping, Sequence

from whit.wire.units import MS, SECOND
from whit_lab.experiment import Bars, Curves, Figure, Found, Progress, Row, Series, Sheet
from whit_lab.experiments.strategies import ratios, runs
from whit_lab.instruments.exchange import Exchange
from whit_testbed.engine import Engine


def run(progress: Progress, *, reduced: bool = False) -> Iterator[Found]:
    progress("building", 0.0)
    losses = runs.Losses((0.05,), 1, 3) if reduced else runs.Losses()
    images = {case: runs.image_of(case) for case in runs.CASES}
    measured = {}
    for index, case in enumerate(runs.CASES):
        progress(case.label, 0.1 + 0.1 * index / len(runs.CASES))
        measured[case] = runs.measure(images[case], case, runs.SEED)
    classic = runs.one_in_flight(measured[runs.S0].exchange.response, measured[runs.S1].exchange.response, runs.SEED)
    complete = losses.complete(images, progress)
    with Engine(images[runs.S4]) as engine:
        point_len = engine.point_len
    by_buffer = runs.buffers(measured[runs.S3], classic["one_8k"], progress, reduced=reduced)
    progress("files", 0.95)
    run = ratios.Ratios(measured, classic, by_buffer, [*runs.files(reduced=reduced)])
    yield {
        "seed": runs.SEED,
        "rate_octets_per_s": runs.RATE,
        "rtt_ms": runs.RTT_MS,
        "buffer": {case.label: case.buffer for case in runs.CASES},
        "losses": list(losses.losses),
        "loss_requests": losses.requests * losses.seeds,
    }
    yield from figures(measured, classic, complete, point_len)
    yield from ratios.figures(run)
    yield from rows(measured, classic)
    yield from ratios.rows(run)
    yield from (ratios.sheet(run), sheet(measured, classic))
    yield from series(measured, classic)
    yield from ratios.series(run)
    yield from ratios.notes(run)


# ---------------------------------------------------------------- what is shown


ONE_SIZES = {"one_8k": "8 kB", "one_600": "600 B"}


def figures(
    measured: Mapping[runs.Case, runs.Measured], classic: Mapping[str, Exchange], complete: float, point_len: int
) -> Iterator[Figure]:
    by_st = {case: one.exchange.served_us for case, one in measured.items()}
    slow = classic["one_8k"].served_us
    s4 = max(by_st[runs.S4], by_st[runs.S4_INDEX])
    s1 = classic["one_600_apart"].whole_us / measured[runs.S1].exchange.whole_us
    charge = {case: round(one.charge["content"], 3) for case, one in measured.items()}
    s4_charge = max(charge[runs.S4], charge[runs.S4_INDEX])
    what = "8 kB: time (st) with one segment in flight, over"
    held = "octets of content that S3 holds at most, buffer of"
    yield Figure("s0_speedup_8k", f"{what} S0", round(slow / by_st[runs.S0], 2), "times", least=11.2)
    what_s1 = "600 B: time (whole) with one segment in flight and the head apart, over S1"
    yield Figure("s1_speedup_600", what_s1, round(s1, 2), "times", least=4.5)
    yield Figure("s3_speedup_8k", f"{what} S3 with one MSS", round(slow / by_st[runs.S3], 2), "times", least=4.1)
    yield Figure("s3_300_speedup_8k", f"{what} S3 with 300 B", round(slow / by_st[runs.S3_300], 2), "times", least=1.0)
    yield Figure(
        "s4_over_s0_time", "8 kB volatile: time (st) of S4, over S0", round(s4 / by_st[runs.S0], 3), "times", 1.03
    )
    yield Figure("s0_charge_bs", "memory charge of 8 kB by S0", max(charge[runs.S0], charge[runs.S0_STORED]), "B·s", 0)
    yield Figure("s2_charge_bs", "memory charge of 600 B by S2, rerun points apart", charge[runs.S2], "B·s", 0)
    yield Figure("s4_charge_bs", "memory charge of 8 kB by S4, rerun points apart", s4_charge, "B·s", 0)
    yield Figure("rerun_point_bytes", "RAM of a rerun point without the author's state", point_len, "B", 16)
    yield Figure("s3_held_bytes", f"{held} one MSS", measured[runs.S3].held_most, "B", runs.S3_MSS[0])
    yield Figure("s3_300_held_bytes", f"{held} 300 B", measured[runs.S3_300].held_most, "B", runs.S3_SMALL[0])
    yield Figure("loss_complete_percent", "requests answered whole at every loss", round(complete, 3), "%", least=100)


def rows(measured: Mapping[runs.Case, runs.Measured], classic: Mapping[str, Exchange]) -> Iterator[Row]:
    """Yields rows beside the same run's server with one segment in flight."""
    slow, ours = classic["one_8k"].served_us, measured[runs.S3_300].exchange.served_us
    what = "S3, 300 B: 8 kB, times as fast as one in flight"
    yield Row(what, round(slow / ours, 2), 1, "times", "001 §4.3: both equal", "more")
    cases = {"one_8k": (runs.S3, runs.S3_300, runs.S4), "one_600": (runs.S1, runs.S2)}
    charge, of_file = round(measured[runs.S0].charge["content"], 3), "one segment in flight keeps nothing of a file"
    yield Row(f"{runs.S0.label}, 8 kB: memory charge of content", charge, 0, "B·s", of_file)
    for name, case in ((name, case) for name, several in cases.items() for case in several):
        charge, what = round(measured[case].charge["content"], 3), f"{case.label}, {ONE_SIZES[name]}"
        theirs = round(classic[name].charge, 3)
        yield Row(f"{what}: memory charge of content", charge, theirs, "B·s", "one segment in flight, same run")


def sheet(measured: Mapping[runs.Case, runs.Measured], classic: Mapping[str, Exchange]) -> Sheet:
    lines = []
    for name, what, exchange in _exchanges(measured, classic):
        one = next((one for case, one in measured.items() if case.key == name), None)
        held = [one.charge[kind] for kind in runs.KINDS] if one else [exchange.charge]
        cells = [f"{exchange.served_us / MS:.2f}", f"{exchange.whole_us / MS:.2f}", str(exchange.segment_cnt)]
        lines.append([what, *cells, *[f"{charge:.3f}" for charge in held], *[""] * (len(runs.KINDS) - len(held))])
    charges = [f"charge of {kind}, B·s" for kind in runs.KINDS]
    return Sheet("A response", ["", "st, ms", "whole, ms", "segments", *charges], lines)


def _exchanges(
    measured: Mapping[runs.Case, runs.Measured], classic: Mapping[str, Exchange]
) -> list[tuple[str, str, Exchange]]:
    names = {
        "one_8k": "one in flight, 8 kB",
        "one_8k_apart": "one in flight, head apart, 8 kB",
        "one_600": "one in flight, 600 B",
        "one_600_apart": "one in flight, head apart, 600 B",
    }
    rows = [(name, names[name], exchange) for name, exchange in classic.items()]
    return rows + [(case.key, case.label, one.exchange) for case, one in measured.items()]


def series(measured: Mapping[runs.Case, runs.Measured], classic: Mapping[str, Exchange]) -> Iterator[Series]:
    rows = _exchanges(measured, classic)
    times = {
        f"{what}, 600 B" if name in (runs.S1.key, runs.S2.key) else what: x.served_us / MS for name, what, x in rows
    }
    shown = {"one in flight": classic["one_8k"]}
    short = {"S3, 300 B": runs.S3_300, "S3, one MSS": runs.S3, "S4": runs.S4, "S0": runs.S0}
    shown |= {name: measured[case].exchange for name, case in short.items()}
    charges = {f"one in flight, generated {size}": classic[name].charge for name, size in ONE_SIZES.items()}
    charges |= {case.label: one.charge["content"] for case, one in measured.items()}
    arrived = {name: _in_seconds(exchange.arrivals) for name, exchange in shown.items()}
    held = {name: _in_seconds([*exchange.held[:-1], (exchange.acked_us, 0)]) for name, exchange in shown.items()}
    seconds = "seconds since the request left"
    yield Bars("Time (st) of a response", "milliseconds", times)
    yield Curves("8 kB arrive", seconds, "octets of the response received", arrived)
    yield Bars("Memory charge of the content of a response", "octet seconds", charges)
    yield Curves("Memory held for 8 kB", seconds, "octets of content held", held)


def _in_seconds(points: Sequence[tuple[int, int]]) -> list[tuple[float, float]]:
    return [(time_us / SECOND, octets) for time_us, octets in points]
