# SPDX-License-Identifier: MIT
"""What each strategy takes with TLS and without: time, and memory by time (the open question of EMSOFT 2009)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from whit.lab.experiment import Bars, Figure, Result, Sheet
from whit.lab.experiments.strategies.runs import (
    CASES,
    RATE,
    RTT_MS,
    S0,
    S1,
    S4,
    S4_INDEX,
    SEED,
    Case,
    Measured,
    image_of,
    measure,
)
from whit.lab.instruments import secured
from whit.lab.instruments.served import SMALL
from whit.sim.link import MS

BY_TLS = "by TLS"
# At most, over plain HTTP.
LIMITS = {S0: ("s0", 1.1), S1: ("s1", 1.05)}
NOTE = (
    "A strategy by TLS: what is held has the open connection in it, 76 octets as long as its response. Content that a "
    "volatile function or a thread writes is kept until it is acknowledged, as sealed records: a record that is made "
    "again could differ, under the same nonce. So S4 becomes S3, and a volatile S2 becomes S1. The shared buffer has "
    "1152 octets more by TLS, for what comes in; S3 fills them too, and is faster with them. Records are those of a "
    "device, of at most 536 octets."
)


def compare() -> Result:
    plain = {case: measure(image_of(case), case, SEED) for case in CASES}
    settings, key = secured.settings(), secured.device_key()
    tls = {case: measure(image_of(case, settings), case, SEED, key) for case in CASES}
    over = {case: round(_whole(tls[case]) / _whole(plain[case]), 3) for case in CASES}
    what = "time (whole) by TLS on a connection that is open, over plain HTTP"
    figures = [
        Figure(f"https_{name}_whole_over_plain", f"{case.label}: {what}", over[case], "times", limit)
        for case, (name, limit) in LIMITS.items()
    ]
    s4 = max(over[S4], over[S4_INDEX])
    charge = max(round(_held(tls[case]), 3) for case in (S4, S4_INDEX))
    beside = [
        Figure("https_s4_whole_over_plain", f"S4, which becomes S3: {what}", s4, "times"),
        Figure("https_s4_charge_bs", "memory charge of S4 by TLS, of content and connection", charge, "B·s"),
    ]
    rows = [row for case in CASES for row in (_row(case, "", plain[case]), _row(case, BY_TLS, tls[case]))]
    columns = ("", "", "st, ms", "whole, ms", "segments", "most held, B", "charge, B·s", "... of rerun points")
    return Result(
        {"strategies": {"octets_per_s": RATE, "rtt_ms": RTT_MS, "request": "the second one of a connection"}},
        figures,
        [
            Bars("A response by strategy", "milliseconds (whole)", _bars(plain, tls, _whole)),
            Bars("Memory charge by strategy, with TLS and without", "octet seconds", _bars(plain, tls, _held)),
        ],
        beside=beside,
        sheets=[Sheet("Strategies with TLS and without", columns, rows)],
        notes=[NOTE],
    )


def _whole(one: Measured) -> float:
    return one.exchange.whole_us / MS


def _held(one: Measured) -> float:
    return one.charge["content"]


def _row(case: Case, way: str, one: Measured) -> list[str]:
    exchange = one.exchange
    times = (f"{exchange.served_us / MS:.2f}", f"{_whole(one):.2f}")
    charges = (f"{_held(one):.3f}", f"{one.charge['points']:.3f}")
    return [_name(case), way or "plain", *times, str(exchange.segment_cnt), str(exchange.held_most), *charges]


def _bars(
    plain: Mapping[Case, Measured], tls: Mapping[Case, Measured], value: Callable[[Measured], float]
) -> dict[str, float]:
    found = {}
    for case in CASES:
        found[_name(case)] = value(plain[case])
        found[f"{_name(case)}, {BY_TLS}"] = value(tls[case])
    return found


def _name(case: Case) -> str:
    return f"{case.label}, {'600 B' if case.size == SMALL else '8 kB'}"
