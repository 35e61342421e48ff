# SPDX-License-Identifier: MIT
"""Throughput by send window over Ethernet, with and without delayed acknowledgments: Dunkels' figures 4, 5 and 7."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from whit_lab import papers
from whit_lab.experiment import Figure, Found, Line, Lines, Progress, Row, Sheet, against
from whit_lab.experiments.window import sweep
from whit_lab.experiments.window.ladders import ladders
from whit_lab.experiments.window.runs import (
    BUFFERS,
    DELAYS_MS,
    LARGE,
    LARGE_REDUCED,
    Download,
    formula_kb_s,
    frame_us,
    limit_kb_s,
)
from whit_testbed import lwip_build
from whit_testbed.lwip import MSS, WRITE_MAX

OURS_PERCENT, FORMULA_PERCENT = 95.0, 1.0
SEED = 1
KNEE_FACTOR = 10  # times the throughput of the window before


def run(progress: Progress, *, reduced: bool = False) -> Iterator[Found]:
    progress("building", 0.0)
    runs = sweep.Runs()
    for what, share in sweep.measure(runs, SEED, reduced=reduced):
        progress(what, share)
    yield {
        "file_octets": LARGE_REDUCED if reduced else LARGE,
        "windows": list(sweep.FEW if reduced else papers.UIP_WINDOWS),
        "windows_lwip": list(sweep.FEW_LARGE if reduced else papers.LWIP_WINDOWS),
        "lwip": runs.no_lwip or f"{lwip_build.VERSION} with its web server; TCP_SND_BUF is the window",
        "seed": SEED,
    }
    yield from figures(runs)
    yield from compared(runs)
    yield from (_throughput(runs), _said(runs), _kept(runs))
    yield from charts(runs)
    yield from ladders(runs.peer, SEED)
    yield from notes(runs)


def slowest(downloads: Mapping[sweep.Setting, Download], delays_ms: Sequence[int]) -> float:
    return min(download.kb_s for (delay_ms, _), download in downloads.items() if delay_ms in delays_ms)


def percent(kb_s: float) -> float:
    """Returns the share of the throughput of full segments, in per cent."""
    return round(100 * kb_s / limit_kb_s(), 2)


def formula_error(runs: sweep.Runs, in_flight: int) -> float:
    """Returns the largest error in per cent."""
    errors = [
        abs(download.kb_s / formula_kb_s(window, in_flight, *setting) - 1)
        for (cnt, setting), by_window in runs.model.items()
        for window, download in by_window.items()
        if cnt == in_flight
    ]
    return round(100 * max(errors), 2)


def knee(by_window: Mapping[int, Download]) -> float | None:
    """Returns the first window with many times the throughput of the one before."""
    windows = sorted(by_window)
    for before, window in pairwise(windows):
        if by_window[window].kb_s >= KNEE_FACTOR * by_window[before].kb_s:
            return window
    return None


def figures(runs: sweep.Runs) -> Iterator[Figure]:
    limit = f"of the line's limit of {limit_kb_s():.0f} kB/s"
    what = f"a file, {limit}: the worst of all delays, delayed acknowledgments off and on"
    yield Figure("ours_percent_min", what, percent(slowest(runs.file, DELAYS_MS)), "%", least=OURS_PERCENT)
    generated = percent(slowest(runs.generated, DELAYS_MS[:2]))
    what = f"generated with {BUFFERS[-1]} B, {limit}: the worst of 0 and 10 ms"
    yield Figure("generated_percent_min", what, generated, "%", least=OURS_PERCENT)
    for in_flight, name in ((1, "one"), (2, "two")):
        what = f"model server with {name} in flight against its formula, the worst of all windows and delays"
        yield Figure(f"{name}_formula_percent_max", what, formula_error(runs, in_flight), "%", FORMULA_PERCENT)
    if runs.lwip:
        at = knee(runs.lwip[WRITE_MAX, (sweep.KNEE_DELAY_MS, "on")])
        what = (
            f"window from which lwIP escapes the delayed acknowledgment, {sweep.KNEE_DELAY_MS} ms (003: two segments)"
        )
        least = float(MSS + 1)
        yield Figure("lwip_knee_octets", what, at or 0, "octets", float(papers.LWIP_KNEE), least)


def compared(runs: sweep.Runs) -> Iterator[Row]:
    for delay_ms, delayed in sweep.SETTINGS:
        name, setting = f"{delay_ms} ms, delayed ACK {delayed}, kB/s", (delay_ms, delayed)
        beside = {
            f"{words}, window of 1450 B, same run": runs.model[n, setting][1450].kb_s for n, words in IN_FLIGHT.items()
        }
        writes = {
            f"{words}, window of 11 000 B, same run": runs.lwip[write_max, setting][11_000].kb_s
            for write_max, words in (sweep.WRITES.items() if runs.lwip else ())
        }
        yield from against(name, runs.file[setting].kb_s, "kB/s", {**beside, **writes}, "more")
        yield from against(f"generated, {name}", runs.generated[setting].kb_s, "kB/s", writes, "more")
    if runs.lwip:
        at = knee(runs.lwip[WRITE_MAX, (sweep.KNEE_DELAY_MS, "on")])
        name = "lwIP's knee, in this run and the paper's"
        yield Row(name, at or 0, papers.LWIP_KNEE, "octets", "003 Figure 7", "near")
    for window in sweep.PEER_WINDOWS_FEW:
        if "lwIP" in runs.peer_window:
            name, ours = f"client's window of {window} B, 10 ms, delayed ACK on", runs.peer_window["ours"][window].kb_s
            theirs = runs.peer_window["lwIP"][window].kb_s
            yield Row(name, ours, theirs, "kB/s", "lwIP, send window of 11 000 B, same run", "more")
    if runs.processor:
        for name, carries in zip(("a file", "generated"), runs.processor, strict=True):
            what = f"{name}, AVR of 14.7 MHz: its processor's limit"
            yield Row(what, carries, papers.LWIP_FIG7_MAX / 1000, "kB/s", "003 Figure 7, lwIP", "more")


def notes(runs: sweep.Runs) -> Iterator[str]:
    if runs.no_lwip:
        yield f"No lwIP: {runs.no_lwip}"
    else:
        yield (
            "lwIP with writes of any size falls back where three segments are in flight: the third is alone and waits "
            "for the delayed acknowledgment. Its web server as it comes writes two segments and waits until both are "
            "acknowledged, so that a larger window is of no use to it. 003's server had its knee at two full segments."
        )
    if runs.processor:
        yield (
            "Servers take no time here; 003's 415 kB/s are its processor's. Beside it are the cycles of ours on an "
            "emulated AVR at the same clock, acknowledgments included; frames are copied into RAM as into a card's "
            "register, but neither a card's own waits nor reading from it are in it. What is generated goes through a "
            "call for each octet, which counts in 32 bits, and is added up: "
            f"{papers.ETHERNUT_HZ / runs.processor[1] / 1000:.0f} cycles for an octet."
        )
    if runs.no_processor:
        yield f"No emulated AVR: {runs.no_processor}"


# ---------------------------------------------------------------- charts and sheets


X, Y = "send window, octets", "kB/s"
FIGURE = {0: "003 Fig. 5", 10: "003 Fig. 4"}
IN_FLIGHT = {1: "one in flight (model of uIP)", 2: "two in flight (model)"}
SHOWN = (50, 100, 200, 500, 1000, 1450)
SHOWN_LWIP = (1000, 1500, 3000, 6000, 11_000)


def charts(runs: sweep.Runs) -> Iterator[Lines]:
    for delay_ms in FIGURE:
        yield _small(runs, delay_ms)
    for write_max in sweep.WRITES if runs.lwip else ():
        yield _large(runs, write_max)
    yield _ram(runs)
    yield _peer_window(runs)


def _points(by_window: Mapping[int, Download]) -> list[tuple[float, float]]:
    return [(window, download.kb_s) for window, download in sorted(by_window.items())]


def _flat(runs: sweep.Runs, delays_ms: Sequence[int], windows: Sequence[int]) -> list[tuple[float, float]]:
    """Returns the slowest throughput, as points of a flat line over the windows."""
    return [(window, slowest(runs.file, delays_ms)) for window in windows]


def _small(runs: sweep.Runs, delay_ms: int) -> Lines:
    """Returns figures 4 and 5."""
    windows = sorted(runs.model[1, (delay_ms, "off")])
    lines = [
        Line("limit of the line", [(window, limit_kb_s()) for window in (windows[0], windows[-1])], "model"),
        Line("ours, which has no send window", _flat(runs, (delay_ms,), windows)),
        Line("ours in segments of that size", _points(runs.segments[delay_ms, "on"])),
    ]
    for in_flight, delayed in ((1, "off"), (1, "on"), (2, "on")):  # undelayed, two are as fast as one
        by_window = runs.model[in_flight, (delay_ms, delayed)]
        lines.append(Line(f"{IN_FLIGHT[in_flight]}, delayed ACK {delayed}", _points(by_window), "peer"))
    return Lines(f"One and two in flight, {delay_ms} ms ({FIGURE[delay_ms]})", X, Y, lines, log_y=True)


def _large(runs: sweep.Runs, write_max: int) -> Lines:
    """Returns figure 7, with delayed acknowledgments."""
    windows = sorted(runs.lwip[write_max, (0, "on")])
    lines = [Line("ours at 0, 10 and 20 ms, no send window", _flat(runs, DELAYS_MS, windows))]
    for delay_ms in DELAYS_MS:
        lines.append(
            Line(f"{sweep.WRITES[write_max]}, {delay_ms} ms", _points(runs.lwip[write_max, (delay_ms, "on")]), "peer")
        )
    most = [(window, papers.LWIP_FIG7_MAX / 1000) for window in (papers.LWIP_KNEE, papers.LWIP_WINDOWS[-1])]
    lines.append(Line("003: about 415 kB/s without delay, by its processor", most, "paper"))
    how = "as its web server comes" if write_max == WRITE_MAX else "writes what fits"
    return Lines(f"lwIP 2.1.3, {how}, delayed ACK (003 Fig. 7)", X, Y, lines, log_y=True)


def _ram(runs: sweep.Runs) -> Lines:
    """Returns a chart of throughput by RAM, with delayed acknowledgments."""
    lines = [Line(f"ours, generated, {delay_ms} ms", _points(runs.buffers[delay_ms])) for delay_ms in DELAYS_MS]
    if runs.lwip:
        for delay_ms in DELAYS_MS:
            downloads = runs.lwip[sweep.FILLS, (delay_ms, "on")].values()
            points = sorted((float(download.held), download.kb_s) for download in downloads)
            lines.append(Line(f"lwIP, {delay_ms} ms", points, "peer"))
    lines.append(Line("one in flight (model), 10 ms", _points(runs.model[1, (sweep.KNEE_DELAY_MS, "on")]), "peer"))
    x_label = "octets of RAM: our buffer, what others keep of what they sent"
    return Lines("What RAM for sending buys, delayed ACK; a file takes none of ours", x_label, Y, lines, True, True)


def _peer_window(runs: sweep.Runs) -> Lines:
    lines = [Line("ours", _points(runs.peer_window["ours"]))]
    if "lwIP" in runs.peer_window:
        lines.append(Line("lwIP, send window of 11 000", _points(runs.peer_window["lwIP"]), "peer"))
    title, x_label = f"The client's window, {sweep.KNEE_DELAY_MS} ms, delayed ACK", "client's window, octets"
    return Lines(title, x_label, Y, lines, True, True)


def _throughput(runs: sweep.Runs) -> Sheet:
    columns = [
        "server",
        "window, B",
        *(f"{delay_ms} ms, {delayed}" for delay_ms, delayed in sweep.SETTINGS),
    ]
    rows = [
        ["ours, a file", "none", *(_kb_s(runs.file[at].kb_s) for at in sweep.SETTINGS)],
        ["ours, generated", "none", *(_kb_s(runs.generated[at].kb_s) for at in sweep.SETTINGS)],
    ]
    for found, names, shown in (
        (runs.model, IN_FLIGHT, SHOWN),
        (runs.lwip, sweep.WRITES if runs.lwip else {}, SHOWN_LWIP),
    ):
        for key, name in names.items():
            by_setting = [found[key, setting] for setting in sweep.SETTINGS]
            for window in (window for window in shown if window in by_setting[0]):
                rows.append([name, f"{window}", *(_kb_s(by_window[window].kb_s) for by_window in by_setting)])
    return Sheet("Throughput in kB/s by delay, delayed acknowledgments off and on", columns, rows)


def _said(runs: sweep.Runs) -> Sheet:
    """Returns a table of the statements of 003, beside the same here."""
    one = {at: runs.model[1, at] for at in sweep.SETTINGS}
    last, first = max(one[0, "on"]), min(one[0, "on"])

    def over(at: sweep.Setting, than: sweep.Setting) -> str:
        return f"{one[at][last].kb_s / one[than][last].kb_s:.2f} times"

    def rise(delay_ms: int) -> str:
        return f"{one[delay_ms, 'off'][last].kb_s / one[delay_ms, 'off'][first].kb_s:.1f}"

    off, no_delay = over((10, "off"), (10, "on")), over((0, "on"), (10, "on"))
    last_b, first_b = f"at {last} B", f"{last / first:.0f} times the window"
    rows = [
        ["4", "delayed acknowledgments degrade one in flight", f"off is {off} on, {last_b}"],
        ["4, 5", "with them, the curves of 10 ms and of none are similar", f"none is {no_delay} 10 ms"],
        ["4", "without them, throughput is linear in the window", f"{rise(10)} times for {first_b}"],
        ["5", "... and without delay, it rises less and less", f"{rise(0)} times for {first_b}, by heads alone"],
    ]
    if runs.lwip:
        on = {delay_ms: runs.lwip[WRITE_MAX, (delay_ms, "on")] for delay_ms in DELAYS_MS}
        small, knee, large = 1000, 1500, max(on[0])
        per_trip = on[20][large].kb_s * (20_000 + 2 * frame_us(MSS) + frame_us(0)) / 1000 / MSS
        apart, most = on[10][large].kb_s / on[20][large].kb_s, _kb_s(on[0][large].kb_s)
        least, escaped = _kb_s(on[0][small].kb_s), _kb_s(on[0][knee].kb_s)
        rows += [
            ["7", "lwIP's small windows suffer as well", f"{least} kB/s at {small} B, no delay"],
            ["7", "above two segments it escapes", f"{escaped} kB/s at {knee} B"],
            ["7", "two segments in a round trip", f"{per_trip:.2f} at 20 ms, {large} B, as its web server comes"],
            ["7", "the most is about 415 kB/s, its processor's", f"{most} kB/s, with no processor"],
            ["7", "10 and 20 ms are similar, perhaps by Dummynet", f"10 ms is {apart:.2f} times 20 ms"],
        ]
    return Sheet("What 003 says of its figures, and this run", ["figure", "003", "here"], rows)


def _kept(runs: sweep.Runs) -> Sheet:
    """Returns the table of kept memory: U3, U4."""
    rows = [
        ["uIP, one in flight", f"{window}", f"{ram}", f"{window}, by design"]
        for window, ram in zip((papers.UIP_WINDOWS[0], papers.UIP_WINDOWS[-1]), papers.UIP_RAM, strict=True)
    ]
    for window, ram in zip((papers.LWIP_WINDOWS[0], papers.LWIP_WINDOWS[-1]), papers.LWIP_RAM, strict=True):
        held = runs.lwip[sweep.FILLS, (sweep.KNEE_DELAY_MS, "on")].get(window) if runs.lwip else None
        rows.append(["lwIP", f"{window}", f"{ram}", f"{held.held}" if held else ""])
    rows.append(["ours, a file", "none", "", f"{max(download.held for download in runs.file.values())}"])
    generated = max(download.held for download in runs.generated.values())
    rows.append(["ours, generated", "none", "", f"{generated} of a buffer of {max(runs.buffers[0])}"])
    columns = ["stack", "window, B", "RAM of all of it in 003, B", "kept for sending here, B"]
    return Sheet("RAM by send window", columns, rows)


def _kb_s(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
