# SPDX-License-Identifier: MIT
"""Charts and sheets of the experiment `window`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from whit.lab import papers
from whit.lab.experiment import Line, Lines, Series, Sheet
from whit.lab.experiments.window.runs import DELAYS_MS, Download, frame_us, limit_kb_s
from whit.lab.experiments.window.sweep import FILLS, KNEE_DELAY_MS, WRITES, Runs, Setting, settings_of
from whit.sim.lwip import MSS, WRITE_MAX

X, Y = "send window, octets", "kB/s"
FIGURE = {0: "003 Fig. 5", 10: "003 Fig. 4"}
IN_FLIGHT = {1: "one in flight (model of uIP)", 2: "two in flight (model)"}
SHOWN = (50, 100, 200, 500, 1000, 1450)
SHOWN_LWIP = (1000, 1500, 3000, 6000, 11_000)


def charts(runs: Runs) -> list[Series]:
    found: list[Series] = [_small(runs, delay_ms) for delay_ms in FIGURE]
    if runs.lwip:
        found += [_large(runs, WRITE_MAX), _large(runs, FILLS)]
    return [*found, _ram(runs), _peer_window(runs)]


def _points(by_window: Mapping[int, Download]) -> list[tuple[float, float]]:
    return [(window, download.kb_s) for window, download in sorted(by_window.items())]


def _flat(runs: Runs, delays_ms: Sequence[int], windows: Sequence[int]) -> list[tuple[float, float]]:
    """The worst: it is as fast at any window."""
    worst = min(runs.file[setting].kb_s for setting in settings_of(delays_ms))
    return [(window, worst) for window in windows]


def _small(runs: Runs, delay_ms: int) -> Lines:
    """Figures 4 and 5."""
    windows = sorted(runs.model[1, (delay_ms, "off")])
    lines = [
        Line("limit of the line", [(window, limit_kb_s()) for window in (windows[0], windows[-1])], "model"),
        Line("ours, which has no send window", _flat(runs, (delay_ms,), windows)),
        Line("ours in segments of that size", _points(runs.segments[delay_ms, "on"])),
    ]
    for in_flight, delayed in ((1, "off"), (1, "on"), (2, "on")):  # two without delay are as fast as one
        by_window = runs.model[in_flight, (delay_ms, delayed)]
        lines.append(Line(f"{IN_FLIGHT[in_flight]}, delayed ACK {delayed}", _points(by_window), "peer"))
    return Lines(f"One and two in flight, {delay_ms} ms ({FIGURE[delay_ms]})", X, Y, lines, log_y=True)


def _large(runs: Runs, write_max: int) -> Lines:
    """Figure 7: delayed acknowledgments."""
    windows = sorted(runs.lwip[write_max, (0, "on")])
    lines = [Line("ours at 0, 10 and 20 ms, no send window", _flat(runs, DELAYS_MS, windows))]
    for delay_ms in DELAYS_MS:
        lines.append(
            Line(f"{WRITES[write_max]}, {delay_ms} ms", _points(runs.lwip[write_max, (delay_ms, "on")]), "peer")
        )
    most = [(window, papers.LWIP_FIG7_MAX / 1000) for window in (papers.LWIP_KNEE, papers.LWIP_WINDOWS[-1])]
    lines.append(Line("003: about 415 kB/s without delay, by its processor", most, "paper"))
    how = "as its web server comes" if write_max == WRITE_MAX else "writes what fits"
    return Lines(f"lwIP 2.1.3, {how}, delayed ACK (003 Fig. 7)", X, Y, lines, log_y=True)


def _ram(runs: Runs) -> Lines:
    """What RAM buys, with delayed acknowledgments."""
    lines = [Line(f"ours, generated, {delay_ms} ms", _points(runs.buffers[delay_ms])) for delay_ms in DELAYS_MS]
    if runs.lwip:
        for delay_ms in DELAYS_MS:
            downloads = runs.lwip[FILLS, (delay_ms, "on")].values()
            points = sorted((float(download.held), download.kb_s) for download in downloads)
            lines.append(Line(f"lwIP, {delay_ms} ms", points, "peer"))
    lines.append(Line("one in flight (model), 10 ms", _points(runs.model[1, (KNEE_DELAY_MS, "on")]), "peer"))
    x_label = "octets of RAM: our buffer, what others keep of what they sent"
    return Lines("What RAM for sending buys, delayed ACK; a file takes none of ours", x_label, Y, lines, True, True)


def _peer_window(runs: Runs) -> Lines:
    lines = [Line("ours", _points(runs.peer_window["ours"]))]
    if "lwIP" in runs.peer_window:
        lines.append(Line("lwIP, send window of 11 000", _points(runs.peer_window["lwIP"]), "peer"))
    title, x_label = f"The client's window, {KNEE_DELAY_MS} ms, delayed ACK", "client's window, octets"
    return Lines(title, x_label, Y, lines, True, True)


def sheets(runs: Runs) -> list[Sheet]:
    columns = ["server", "window, B", *(f"{delay_ms} ms, {delayed}" for delay_ms, delayed in settings_of(DELAYS_MS))]
    rows = [
        ["ours, a file", "none", *(_kb_s(runs.file[at].kb_s) for at in settings_of(DELAYS_MS))],
        ["ours, generated", "none", *(_kb_s(runs.generated[at].kb_s) for at in settings_of(DELAYS_MS))],
    ]
    for in_flight, name in IN_FLIGHT.items():
        for window in SHOWN:
            by_setting = [runs.model[in_flight, setting] for setting in settings_of(DELAYS_MS)]
            if window in by_setting[0]:
                rows.append([name, f"{window}", *(_kb_s(by_window[window].kb_s) for by_window in by_setting)])
    for write_max, name in WRITES.items() if runs.lwip else ():
        for window in SHOWN_LWIP:
            by_setting = [runs.lwip[write_max, setting] for setting in settings_of(DELAYS_MS)]
            if window in by_setting[0]:
                rows.append([name, f"{window}", *(_kb_s(by_window[window].kb_s) for by_window in by_setting)])
    title = "Throughput in kB/s by delay, delayed acknowledgments off and on"
    return [Sheet(title, columns, rows), _said(runs), _kept(runs)]


def _said(runs: Runs) -> Sheet:
    """What 003 says in words, and the same here."""
    one = {at: runs.model[1, at] for at in settings_of(DELAYS_MS)}
    last, first = max(one[0, "on"]), min(one[0, "on"])

    def over(at: Setting, than: Setting) -> str:
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


def _kept(runs: Runs) -> Sheet:
    """U3, U4."""
    rows = [
        ["uIP, one in flight", f"{window}", f"{ram}", f"{window}, by design"]
        for window, ram in zip((papers.UIP_WINDOWS[0], papers.UIP_WINDOWS[-1]), papers.UIP_RAM, strict=True)
    ]
    for window, ram in zip((papers.LWIP_WINDOWS[0], papers.LWIP_WINDOWS[-1]), papers.LWIP_RAM, strict=True):
        held = runs.lwip[FILLS, (KNEE_DELAY_MS, "on")].get(window) if runs.lwip else None
        rows.append(["lwIP", f"{window}", f"{ram}", f"{held.held}" if held else ""])
    rows.append(["ours, a file", "none", "", f"{max(download.held for download in runs.file.values())}"])
    generated = max(download.held for download in runs.generated.values())
    rows.append(["ours, generated", "none", "", f"{generated} of a buffer of {max(runs.buffers[0])}"])
    columns = ["stack", "window, B", "RAM of all of it in 003, B", "kept for sending here, B"]
    return Sheet("RAM by send window", columns, rows)


def _kb_s(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
