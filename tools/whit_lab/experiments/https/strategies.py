# SPDX-License-Identifier: MIT
"""Costs of each strategy with TLS and without: time, and memory by time (the open question of EMSOFT 2009)."""

from collections.abc import Callable, Iterator, Mapping

from whit.wire.units import MS
from whit_lab.experiment import Bars, Beside, Figure, Found, Sheet
from whit_lab.experiments.strategies import runs
from whit_lab.instruments import secured
from whit_lab.instruments.served import SMALL

BY_TLS = "by TLS"
# Upper bounds over plain HTTP.
LIMITS = {runs.S0: ("s0", 1.1), runs.S1: ("s1", 1.05)}
NOTE = (
    "A strategy by TLS: what is held has the open connection in it, 76 octets as long as its response. Content that a "
    "volatile function or a thread writes is kept until it is acknowledged, as sealed records: a record that is made "
    "again could differ, under the same nonce. So S4 becomes S3, and a volatile S2 becomes S1. The shared buffer has "
    "1152 octets more by TLS, for what comes in; S3 fills them too, and is faster with them. Records are those of a "
    "device, of at most 536 octets."
)


def compare() -> Iterator[Found]:
    plain = {case: runs.measure(runs.image_of(case), case, runs.SEED) for case in runs.CASES}
    settings, key = secured.settings(), secured.device_key()
    tls = {case: runs.measure(runs.image_of(case, settings), case, runs.SEED, key) for case in runs.CASES}
    over = {case: round(_whole(tls[case]) / _whole(plain[case]), 3) for case in runs.CASES}
    what = "time (whole) by TLS on a connection that is open, over plain HTTP"
    yield {
        "strategies": {"octets_per_s": runs.RATE, "rtt_ms": runs.RTT_MS, "request": "the second one of a connection"}
    }
    for case, (name, limit) in LIMITS.items():
        yield Figure(f"https_{name}_whole_over_plain", f"{case.label}: {what}", over[case], "times", limit)
    s4 = (runs.S4, runs.S4_INDEX)
    charge = max(round(_held(tls[case]), 3) for case in s4)
    what = f"S4, which becomes S3: {what}"
    yield Beside("https_s4_whole_over_plain", what, max(over[case] for case in s4), "times")
    yield Beside("https_s4_charge_bs", "memory charge of S4 by TLS, of content and connection", charge, "B·s")
    rows = [row for case in runs.CASES for row in (_row(case, "", plain[case]), _row(case, BY_TLS, tls[case]))]
    columns = ("", "", "st, ms", "whole, ms", "segments", "most held, B", "charge, B·s", "... of rerun points")
    yield Sheet("Strategies with TLS and without", columns, rows)
    yield Bars("A response by strategy", "milliseconds (whole)", _bars(plain, tls, _whole))
    yield Bars("Memory charge by strategy, with TLS and without", "octet seconds", _bars(plain, tls, _held))
    yield NOTE


def _whole(one: runs.Measured) -> float:
    return one.exchange.whole_us / MS


def _held(one: runs.Measured) -> float:
    return one.charge["content"]


def _row(case: runs.Case, way: str, one: runs.Measured) -> list[str]:
    exchange = one.exchange
    times = (f"{exchange.served_us / MS:.2f}", f"{_whole(one):.2f}")
    charges = (f"{_held(one):.3f}", f"{one.charge['points']:.3f}")
    return [_name(case), way or "plain", *times, str(exchange.segment_cnt), str(exchange.held_most), *charges]


def _bars(
    plain: Mapping[runs.Case, runs.Measured],
    tls: Mapping[runs.Case, runs.Measured],
    value: Callable[[runs.Measured], float],
) -> dict[str, float]:
    found = {}
    for case in runs.CASES:
        found[_name(case)] = value(plain[case])
        found[f"{_name(case)}, {BY_TLS}"] = value(tls[case])
    return found


def _name(case: runs.Case) -> str:
    return f"{case.label}, {'600 B' if case.size == SMALL else '8 kB'}"
