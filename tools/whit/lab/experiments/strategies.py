# SPDX-License-Identifier: MIT
"""Every kind of content by its own strategy, beside a server that has one segment in flight: time, memory, loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

from whit.build import build
from whit.lab.experiment import Bars, Curves, Experiment, Figure, Progress, Result, Row, Series
from whit.lab.instruments.exchange import Exchange, Visitor, link
from whit.lab.instruments.losses import answered
from whit.lab.instruments.served import LARGE, SMALL, generated, strategies_application
from whit.lab.papers import SECTION_43
from whit.sim.classic import Classic
from whit.sim.engine import Engine
from whit.sim.http import Response
from whit.sim.link import MS, SECOND
from whit.sim.net import Net
from whit.sim.policy import AckPolicy, Options

RATE = 100_000  # octets each second and way, TCP and IP heads included
RTT_MS = 50
MSS = 1460
DELAYED_ACK_MS = 200
BUFFER = 2048  # octets of the shared buffer, where it is not what is measured
# Octets of content that S3 holds at most, and the shared buffer with which it does.
S3_MSS, S3_SMALL = (1460, 1480), (300, 320)
NOTES = (
    "One segment in flight is a model server (tools/whit/sim/classic.py) that sends the same octets to the same client "
    "and holds to the papers' formula to a microsecond a segment; it stands for uIP, and keeps nothing of a file.",
    "A memory charge is that of content. What S2 and S4 keep so that they can run again, and arguments, stand beside "
    "it (..._points_bs, ..._arguments_bs).",
    "S1 is held against a server that sends its head apart, as uIP's does (001 §5.3.1), by the time that a user waits. "
    "With the head in the content's segment, and by the paper's time, it gains less than the printed 4.5 "
    "(s1_speedup_600_together_st), as a head makes the response longer. By a user's time, S3 with 300 octets is "
    "slower than one segment in flight (s3_300_speedup_8k_whole).",
)
ONE_SIZES = {"one_8k": "8 kB", "one_600": "600 B"}
KINDS = ("content", "points", "arguments")  # of what the engine holds (sim/engine.py, Meter)


@dataclass(frozen=True)
class Case:
    """One strategy for one content."""

    key: str
    label: str
    target: str
    size: int  # octets of content
    buffer: int = BUFFER


S0 = Case("s0_8k", "S0: file", "/s0_8k.bin", LARGE)
S0_STORED = Case("s0s_8k", "S0: stored at run time", "/s0s_8k.bin", LARGE)
S1 = Case("s1_600", "S1: persistent", "/s1_600", SMALL)
S2 = Case("s2_600", "S2: volatile", "/s2_600?id=7", SMALL)
S2_LARGE = Case("s2_8k", "S2: idempotent", "/s2_8k", LARGE)
S3 = Case("s3_8k", "S3: persistent thread, one MSS", "/s3_8k", LARGE, S3_MSS[1])
S3_300 = Case("s3_300_8k", "S3: persistent thread, 300 B", "/s3_8k", LARGE, S3_SMALL[1])
S4 = Case("s4_8k", "S4: volatile thread", "/s4_8k?id=7", LARGE)
S4_INDEX = Case("s4i_8k", "S4: volatile, by index", "/s4i_8k", LARGE)
S5 = Case("s5_8k", "S3 or S4: idempotent thread", "/s5_8k", LARGE)
CASES = (S0, S0_STORED, S1, S2, S2_LARGE, S3, S3_300, S4, S4_INDEX, S5)


@dataclass(frozen=True)
class Measured:
    """An exchange, and what the engine's own meter says of it."""

    exchange: Exchange
    charge: Mapping[str, float] = field(default_factory=dict)  # octet seconds, by kind
    held_most: int = 0  # octets of content


@dataclass(frozen=True)
class StrategiesExperiment:
    """The defaults are the experiment; reduced, less is lost."""

    losses: Sequence[float] = (0.01, 0.05, 0.1)
    loss_seeds: int = 10
    loss_requests: int = 20  # for each strategy, loss and seed
    cases: Sequence[Case] = CASES
    seed: int = 1
    name: str = "strategies"
    title: str = "Strategies: time, memory and loss by kind of content"
    answers_to: str = (
        "What does a strategy for each kind of content gain over one segment in flight, and what does it hold?"
    )
    paper: str = "001 eq. 13–20, Table 3"
    rows: Sequence[str] = ("S7", "S8", "S9", "S10", "S11", "S12", "S13")
    seconds: int = 20

    def run(self, progress: Progress, *, reduced: bool = False) -> Result:
        if reduced:
            return replace(self, losses=(0.05,), loss_seeds=1, loss_requests=3).run(progress)
        progress("building", 0.0)
        images = {case: image_of(case) for case in self.cases}
        measured: dict[Case, Measured] = {}
        for index, case in enumerate(self.cases):
            progress(case.label, 0.1 + 0.1 * index / len(self.cases))
            measured[case] = measure(images[case], case, self.seed)
        classic = one_in_flight(measured[S0].exchange.response, measured[S1].exchange.response, self.seed)
        complete = self._losses(images, progress)
        with Engine(images[S4]) as engine:
            point_len = engine.point_len
        progress("done", 1.0)
        figures = _figures(measured, classic, complete, point_len)
        return Result(
            self._settings(),
            figures,
            _series(measured, classic),
            _beside(measured, classic),
            _compared(figures, measured, classic),
            notes=NOTES,
        )

    def _settings(self) -> dict[str, object]:
        return {
            "application": "lab/strategies",
            "seed": self.seed,
            "rate_octets_per_s": RATE,
            "octets_counted": "datagrams, with 40 octets of TCP and IP heads, without Ethernet's",
            "rtt_ms": RTT_MS,
            "mss": MSS,
            "delayed_ack_ms": DELAYED_ACK_MS,
            "request": "the second one of a connection",
            "st": "from the response's first octet leaving the server to its last acknowledgment's arrival there",
            "whole": "from the request's first octet leaving the client to the response's last octet arriving there",
            "buffer": {case.label: case.buffer for case in self.cases},
            "losses": list(self.losses),
            "loss_requests": self.loss_requests * self.loss_seeds,
        }

    def _losses(self, images: Mapping[Case, Path], progress: Progress) -> float:
        """Percent of the requests that were answered."""
        asked = answers = 0
        runs = [(case, loss) for case in self.cases for loss in self.losses]
        for index, (case, loss) in enumerate(runs):
            progress(f"{case.label}, {100 * loss:g} % lost", 0.2 + 0.8 * index / len(runs))
            for seed in range(self.seed, self.seed + self.loss_seeds):
                both_ways = link(RATE, RTT_MS, loss)
                answers += answered(
                    images[case],
                    both_ways,
                    options(),
                    case.target,
                    generated(case.size),
                    seed,
                    self.loss_requests,
                )
                asked += self.loss_requests
        return 100 * answers / asked


def image_of(case: Case) -> Path:
    """All generators in one application; but where the buffer is measured, the one that it is for has it alone."""
    application = strategies_application("" if case.buffer == BUFFER else case.target.lstrip("/"))
    return build(application, target="inprocess", meter=True, overrides={"buffer": case.buffer}).image


def options() -> Options:
    """How the client behaves."""
    return Options(mss=MSS, ack=AckPolicy.DELAYED, delayed_ack=DELAYED_ACK_MS * MS, rto_min=200 * MS)


def measure(image: Path, case: Case, seed: int) -> Measured:
    """The second request of a connection."""
    with Engine(image, seed=seed) as engine:
        net = Net(engine, up=link(RATE, RTT_MS), seed=seed)
        visitor = Visitor(net, options(), lambda: engine.meter.held[0])
        visitor.get(case.target, generated(case.size))
        before = engine.meter.charge
        exchange = visitor.get(case.target, generated(case.size))
        charges = (after - earlier for earlier, after in zip(before, engine.meter.charge, strict=True))
        return Measured(exchange, dict(zip(KINDS, charges, strict=True)), engine.meter.held_max[0])


def measure_classic(writes: Sequence[bytes], size: int, seed: int) -> Exchange:
    server = Classic(lambda target: writes, mss=MSS)
    net = Net(cast(Engine, server), up=link(RATE, RTT_MS), seed=seed)
    visitor = Visitor(net, options(), lambda: server.held)
    visitor.get("/", generated(size))
    return visitor.get("/", generated(size))


def one_in_flight(large: Response, small: Response, seed: int) -> dict[str, Exchange]:
    """The same responses, octet for octet, by a server with one segment in flight."""
    heads = {response: response.raw[: -len(response.body)] for response in (large, small)}
    return {
        "one_8k": measure_classic([large.raw], LARGE, seed),
        "one_8k_apart": measure_classic([heads[large], large.body], LARGE, seed),
        "one_600": measure_classic([small.raw], SMALL, seed),
        "one_600_apart": measure_classic([heads[small], small.body], SMALL, seed),
    }


def _figures(
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


def _compared(
    figures: Sequence[Figure], measured: Mapping[Case, Measured], classic: Mapping[str, Exchange]
) -> list[Row]:
    """The papers' ratios over uIP, and the same run's server with one segment in flight."""
    values = {figure.name: figure.value for figure in figures}
    theirs = (
        ("s0_speedup_8k", "S0: 8 kB, times as fast as one in flight", SECTION_43["s0_ratio"], "001 §4.3"),
        ("s1_speedup_600", "S1: 600 B, times as fast as one in flight", SECTION_43["s1_ratio"], "001 §4.3"),
        ("s3_speedup_8k", "S3, one MSS: 8 kB, times as fast as one in flight", SECTION_43["s3_ratio"], "001 §4.3"),
        ("s3_300_speedup_8k", "S3, 300 B: 8 kB, times as fast as one in flight", 1, "001 §4.3: both equal"),
    )
    rows = [Row(what, values[name], value, "times", whose, "more") for name, what, value, whose in theirs]
    one, of_file = "one segment in flight, same run", "one segment in flight keeps nothing of a file"
    charge = round(measured[S0].charge["content"], 3)
    rows.append(Row(f"{S0.label}, 8 kB: memory charge of content", charge, 0, "B·s", of_file))
    for name, cases in (("one_8k", (S3, S3_300, S4)), ("one_600", (S1, S2))):
        for case in cases:
            ours = measured[case]
            size = "8 kB" if case.size == LARGE else "600 B"
            charge, what = round(ours.charge["content"], 3), f"{case.label}, {size}: memory charge of content"
            rows.append(Row(what, charge, round(classic[name].charge, 3), "B·s", one))
    return rows


def _beside(measured: Mapping[Case, Measured], classic: Mapping[str, Exchange]) -> list[Figure]:
    figures = []
    slow = classic["one_8k"].whole_us
    for name, case in (("s0_speedup_8k", S0), ("s3_speedup_8k", S3), ("s3_300_speedup_8k", S3_300)):
        value = round(slow / measured[case].exchange.whole_us, 2)
        figures.append(Figure(f"{name}_whole", f"{name}, time (whole)", value, "times"))
    st = classic["one_600_apart"].served_us / measured[S1].exchange.served_us
    figures.append(Figure("s1_speedup_600_st", "s1_speedup_600, time (st)", round(st, 2), "times"))
    together = classic["one_600"].served_us / measured[S1].exchange.served_us
    what = "s1_speedup_600 with the head in the same segment, time (st)"
    figures.append(Figure("s1_speedup_600_together_st", what, round(together, 2), "times"))
    for name, what, exchange in _rows(measured, classic):
        figures += [
            Figure(f"{name}_whole_ms", f"{what}: time (whole)", exchange.whole_us / MS, "ms"),
            Figure(f"{name}_st_ms", f"{what}: time (st)", exchange.served_us / MS, "ms"),
            Figure(f"{name}_segments", f"{what}: segments of the response", exchange.segment_cnt, "segments"),
        ]
    for name in ("one_8k", "one_600"):
        charge = round(classic[name].charge, 3)
        figures.append(Figure(f"{name}_charge_bs", f"{name}, generated: memory charge", charge, "B·s"))
    for case, one in measured.items():
        for kind in KINDS:
            what = f"{case.label}: memory charge, {kind}"
            figures.append(Figure(f"{case.key}_{kind}_bs", what, round(one.charge[kind], 3), "B·s"))
    return figures


def _rows(measured: Mapping[Case, Measured], classic: Mapping[str, Exchange]) -> list[tuple[str, str, Exchange]]:
    names = {
        "one_8k": "one in flight, 8 kB",
        "one_8k_apart": "one in flight, head apart, 8 kB",
        "one_600": "one in flight, 600 B",
        "one_600_apart": "one in flight, head apart, 600 B",
    }
    rows = [(name, names[name], exchange) for name, exchange in classic.items()]
    return rows + [(case.key, case.label, one.exchange) for case, one in measured.items()]


def _series(measured: Mapping[Case, Measured], classic: Mapping[str, Exchange]) -> list[Series]:
    rows = _rows(measured, classic)
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


EXPERIMENT: Experiment = StrategiesExperiment()
