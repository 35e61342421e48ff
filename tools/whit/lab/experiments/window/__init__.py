# SPDX-License-Identifier: MIT
"""Throughput by send window over Ethernet, with and without delayed acknowledgments: Dunkels' figures 4, 5 and 7."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from whit.lab import papers
from whit.lab.experiment import Figure, Progress, Result, Row, against
from whit.lab.experiments.window import runs as window_run
from whit.lab.experiments.window.ladders import ladders
from whit.lab.experiments.window.runs import (
    BUFFERS,
    DELAYS_MS,
    LARGE,
    LARGE_REDUCED,
    Download,
)
from whit.lab.experiments.window.show import charts, sheets
from whit.lab.experiments.window.sweep import (
    FEW,
    FEW_LARGE,
    KNEE_DELAY_MS,
    PEER_WINDOWS_FEW,
    WRITES,
    Runs,
    measure,
    settings_of,
)
from whit.sim import lwip_build
from whit.sim.lwip import MSS, WRITE_MAX

OURS_PERCENT, FORMULA_PERCENT = 95.0, 1.0
SEED = 1
KNEE_FACTOR = 10  # times what the window before carries


def run(progress: Progress, *, reduced: bool = False) -> Result:
    progress("building", 0.0)
    runs = Runs()
    for what, share in measure(runs, SEED, reduced=reduced):
        progress(what, share)
    settings = {
        "file_octets": LARGE_REDUCED if reduced else LARGE,
        "windows": list(FEW if reduced else papers.UIP_WINDOWS),
        "windows_lwip": list(FEW_LARGE if reduced else papers.LWIP_WINDOWS),
        "lwip": runs.no_lwip or f"{lwip_build.VERSION} with its web server; TCP_SND_BUF is the window",
        "seed": SEED,
    }
    drawn = ladders(runs.peer, SEED)
    return Result(settings, figures(runs), charts(runs), (), compared(runs), sheets(runs), drawn, notes(runs))


def ours_percent(runs: Runs, delays_ms: Sequence[int], *, generated: bool = False) -> float:
    """The worst, of what full segments make of the line."""
    downloads = runs.generated if generated else runs.file
    worst = min(downloads[setting].kb_s for setting in settings_of(delays_ms))
    return round(100 * worst / window_run.limit_kb_s(), 2)


def formula_error(runs: Runs, in_flight: int) -> float:
    """Per cent, the worst."""
    return round(
        max(
            100 * abs(download.kb_s / window_run.formula_kb_s(window, in_flight, *setting) - 1)
            for (cnt, setting), by_window in runs.model.items()
            if cnt == in_flight
            for window, download in by_window.items()
        ),
        2,
    )


def knee(by_window: Mapping[int, Download]) -> float | None:
    """The first window that carries many times as much as the one before."""
    windows = sorted(by_window)
    for before, window in pairwise(windows):
        if by_window[window].kb_s >= KNEE_FACTOR * by_window[before].kb_s:
            return window
    return None


def figures(runs: Runs) -> list[Figure]:
    limit = f"of the line's limit of {window_run.limit_kb_s():.0f} kB/s"
    found = [
        Figure("ours_percent_min", f"a file, {limit}: the worst of all delays, delayed acknowledgments off and on",
               ours_percent(runs, DELAYS_MS), "%", least=OURS_PERCENT),
        Figure("generated_percent_min", f"generated with {BUFFERS[-1]} B, {limit}: the worst of 0 and 10 ms",
               ours_percent(runs, DELAYS_MS[:2], generated=True), "%", least=OURS_PERCENT),
    ]  # fmt: skip
    for in_flight, name in ((1, "one"), (2, "two")):
        what = f"model server with {name} in flight against its formula, the worst of all windows and delays"
        found.append(Figure(f"{name}_formula_percent_max", what, formula_error(runs, in_flight), "%", FORMULA_PERCENT))
    if runs.lwip:
        at = knee(runs.lwip[WRITE_MAX, (KNEE_DELAY_MS, "on")])
        what = f"window from which lwIP escapes the delayed acknowledgment, {KNEE_DELAY_MS} ms (003: two segments)"
        least = float(MSS + 1)
        found.append(Figure("lwip_knee_octets", what, at or 0, "octets", float(papers.LWIP_KNEE), least))
    return found


def compared(runs: Runs) -> list[Row]:
    rows = []
    for delay_ms, delayed in settings_of(DELAYS_MS):
        name, setting = f"{delay_ms} ms, delayed ACK {delayed}, kB/s", (delay_ms, delayed)
        models = {1: "one in flight (model of uIP)", 2: "two in flight (model)"}
        beside = {
            f"{words}, window of 1450 B, same run": runs.model[n, setting][1450].kb_s for n, words in models.items()
        }
        writes = {
            f"{words}, window of 11 000 B, same run": runs.lwip[write_max, setting][11_000].kb_s
            for write_max, words in (WRITES.items() if runs.lwip else ())
        }
        rows += against(name, runs.file[setting].kb_s, "kB/s", {**beside, **writes}, "more")
        rows += against(f"generated, {name}", runs.generated[setting].kb_s, "kB/s", writes, "more")
    if runs.lwip:
        at = knee(runs.lwip[WRITE_MAX, (KNEE_DELAY_MS, "on")])
        name = "lwIP's knee, in this run and the paper's"
        rows.append(Row(name, at or 0, papers.LWIP_KNEE, "octets", "003 Figure 7", "near"))
    for window in PEER_WINDOWS_FEW:
        if "lwIP" in runs.peer_window:
            name, ours = f"client's window of {window} B, 10 ms, delayed ACK on", runs.peer_window["ours"][window].kb_s
            theirs = runs.peer_window["lwIP"][window].kb_s
            rows.append(Row(name, ours, theirs, "kB/s", "lwIP, send window of 11 000 B, same run", "more"))
    if runs.processor:
        for name, carries in zip(("a file", "generated"), runs.processor, strict=True):
            what = f"{name}, AVR of 14.7 MHz: its processor's limit"
            rows.append(Row(what, carries, papers.LWIP_FIG7_MAX / 1000, "kB/s", "003 Figure 7, lwIP", "more"))
    return rows


def notes(runs: Runs) -> list[str]:
    said = []
    if runs.no_lwip:
        said.append(f"No lwIP: {runs.no_lwip}")
    else:
        said.append(
            "lwIP with writes of any size falls back where three segments are in flight: the third is alone and waits "
            "for the delayed acknowledgment. Its web server as it comes writes two segments and waits until both are "
            "acknowledged, so that a larger window is of no use to it. 003's server had its knee at two full segments."
        )
    if runs.processor:
        said.append(
            "Servers take no time here; 003's 415 kB/s are its processor's. Beside it are the cycles of ours on an "
            "emulated AVR at the same clock, acknowledgments included; frames are copied into RAM as into a card's "
            "register, but neither a card's own waits nor reading from it are in it. What is generated goes through a "
            "call for each octet, which counts in 32 bits, and is added up: "
            f"{papers.ETHERNUT_HZ / runs.processor[1] / 1000:.0f} cycles for an octet."
        )
    if runs.no_processor:
        said.append(f"No emulated AVR: {runs.no_processor}")
    return said
