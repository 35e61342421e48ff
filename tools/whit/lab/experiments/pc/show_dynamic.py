# SPDX-License-Identifier: MIT
"""Pages from the database, beside 002's figures 5 to 16."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from whit.lab.experiment import Figure, Line, Lines, Result, Row, Sheet
from whit.lab.experiments.pc import rates
from whit.lab.experiments.pc.cost import Way
from whit.lab.experiments.pc.dynamic import (
    ALONE,
    BUSY,
    MIX_RATES,
    MIXED,
    SIZE_RATE,
    SIZES,
    STATIC_RATE,
    Asking,
    Measured,
    Timed,
)
from whit.lab.experiments.pc.phases import Phases
from whit.lab.experiments.pc.rates import Point
from whit.lab.experiments.pc.systems import OURS
from whit.lab.papers import (
    BARE_PC_HZ,
    BARE_PC_MIX_LINEAR,
    BARE_PC_MIX_MOST,
    BARE_PC_PAGE_LINEAR,
    BARE_PC_PAGE_MOST,
    BARE_PC_PAGE_USE,
)

Found = Mapping[str, Mapping[str, Measured]]  # by server, then by card
ONE = (ALONE[0], Way(False, 1))
WITH = {"nginx": "nginx, PHP-FPM", "Apache": "Apache, PHP"}
USE_RATES = (200, 400, 600, 800, 1000)
STATIC_RATES = (0, 1000, 2000, 3000, 4000, 5000, 6000)
PHASES = ("handshake", "log-in", "tabular response", "disconnect")


def costs(found: Found) -> Result:
    """The figures are the worst of all ways and cards."""
    compared: list[Row] = []
    beside: list[Figure] = []
    figures: list[Figure] = []
    theirs = [name for name in found if name != OURS]
    for name in theirs:
        pairs = _pairs(found, name)
        compared += [
            Row(f"{card}, {_name(asking)}", ours, other, "instructions", f"{WITH[name]}, same PC")
            for card, asking, ours, other in pairs
        ]
        ratio = round(min(other / ours for _, asking, ours, other in pairs if asking[0] == ALONE[0]), 2)
        what = f"instructions of the page of {SIZES[0]} octets: {WITH[name]} over ours"
        bound = 10 if name == "Apache" else None
        (figures if bound else beside).append(
            Figure(f"{name.lower()}_php_over_pc_dynamic", what, ratio, "", None, bound)
        )
    if theirs:
        figures.append(Figure("pc_mix_ratio_min", *_mix(found, theirs), "", None, 1.5))
    for word, way in (("pc_dynamic_instructions", ONE[1]), ("pc_dynamic_keepalive_instructions", Way(True, 1))):
        most = max(one.costs[ALONE[0], way].instructions for one in found[OURS].values())
        beside.append(Figure(word, f"ours for the page of {SIZES[0]} octets, {way.name}", most, "instructions"))
    series: list[Lines] = [_use(found)] + ([_capacity(found)] if theirs else [])
    return Result({}, figures, series, beside, compared, [_sheet(found)])


def _mix(found: Found, theirs: Sequence[str]) -> tuple[str, float]:
    """On one machine, rates that can be sustained are as the reciprocals of the instructions that a request takes."""
    ratios = {
        (card, work.name): min(found[name][card].costs[work, BUSY].instructions for name in theirs)
        / ours.costs[work, BUSY].instructions
        for card, ours in found[OURS].items()
        for work in (*ALONE, *MIXED)
    }
    card, work = min(ratios, key=lambda key: ratios[key])
    what = f"rates that can be sustained, ours over the better of both: {work}, {card}"
    return what, round(ratios[card, work], 2)


def _pairs(found: Found, name: str) -> list[tuple[str, Asking, float, float]]:
    return [
        (card, asking, found[OURS][card].costs[asking].instructions, cost.instructions)
        for card, measured in found[name].items()
        for asking, cost in measured.costs.items()
    ]


def _name(asking: Asking) -> str:
    work, way = asking
    return f"{work.name}, {way.name}"


def _sheet(found: Found) -> Sheet:
    rows = [
        (name if name == OURS else WITH[name], card, work.name, way.name, f"{cost.instructions:.0f}",
         "none" if name == OURS else f"{cost.instructions - cost.programs:.0f}")
        for name, by_card in found.items()
        for card, measured in by_card.items()
        for (work, way), cost in measured.costs.items()
    ]  # fmt: skip
    columns = ("server", "card", "asked for", "way", "instructions a request", "of these the kernel's")
    return Sheet("Pages from the database on the emulated PC", columns, rows)


def _use(found: Found) -> Lines:
    """As show._use() has it for files."""
    lines = [Line(f"002's {name}", list(points.items()), "paper") for name, points in BARE_PC_PAGE_USE.items()]
    for name, by_card in found.items():
        each = min(one.costs[ONE].instructions for one in by_card.values())
        points = [(rate, round(100 * rate * each / BARE_PC_HZ, 2)) for rate in USE_RATES]
        lines.append(_line(name, points))
    title = "Share of a processor of 2.4 GHz for the page of 211 octets (002 section IV.B), an instruction a cycle"
    return Lines(title, "requests a second", "percent", lines, log_y=True)


def _capacity(found: Found) -> Lines:
    lines = []
    for name, by_card in found.items():
        one = next(iter(by_card.values()))
        page, file = one.costs[ALONE[0], BUSY].instructions, one.file.instructions
        left = [(rate, (BARE_PC_HZ - rate * file) / page) for rate in STATIC_RATES]
        lines.append(_line(name, [(rate, round(pages)) for rate, pages in left if pages > 0]))
    lines += [Line(f"002's {name}", [(1000, float(most))], "paper") for name, most in BARE_PC_MIX_MOST.items() if most]
    title = "Pages beside files: the most that 2.4 GHz sustain, an instruction a cycle (002 Figure 8)"
    return Lines(title, "files a second", "pages a second", lines, log_y=True)


def _line(name: str, points: Sequence[tuple[float, float]]) -> Line:
    return Line(name, points, "ours" if name == OURS else "peer")


def times(found: Mapping[str, Timed]) -> Result:
    """002 prints no points of its figures; what its text says of them is in the last sheet."""
    small = {name: one.alone[SIZES[0]] for name, one in found.items()}
    mixed = {name: one.mixed for name, one in found.items()}
    ours = found[OURS]
    sizes = {f"{size} octets": points for size, points in ours.alone.items()}
    beside = f"beside {STATIC_RATE} files/s, a fifth of 002's rates"
    series = [
        rates.response("Response time of the page of 211 octets (002 Figure 5)", small),
        rates.connection("Connection time of the page of 211 octets (002 Figure 6)", small),
        _of_pages(f"Response time of pages {beside} (002 Figure 7)", mixed, "milliseconds, median"),
        _by_size(f"Response time by size, {SIZE_RATE} pages/s (002 Figure 9)", found, response=True),
        _by_size(f"Connection time by size, {SIZE_RATE} pages/s (002 Figure 10)", found, response=False),
        _ours("Response time of ours by size (002 Figure 11)", sizes, response=True),
        _ours("Connection time of ours by size (002 Figure 12)", sizes, response=False),
        _throughput(small),
        _of_pages(f"Throughput of pages {beside} (002 Figure 14)", mixed, "Mb/s"),
    ]
    sheets = [
        Sheet("The page of 211 octets at a rate (002 Figures 5, 6, 13)", rates.columns(), rates.rows(small)),
        Sheet(f"Pages {beside} (002 Figures 7, 14)", rates.columns("requests/s, files included"), rates.rows(mixed)),
        Sheet("Ours by size and rate (002 Figures 11, 12)", ("size", *rates.columns()[1:]), rates.rows(sizes)),
        _phases("by size", {f"{size} octets": ours.one_rate[size].phases for size in SIZES}, "002 Figure 15"),
        _phases("by rate", {f"{one.rate}/s": one.phases for one in small[OURS]}, "002 Figure 16"),
        _said(found),
    ]
    return Result({"pages_a_second_by_size": SIZE_RATE}, (), series, sheets=sheets)


def _of_pages(title: str, mixed: Mapping[str, Sequence[Point]], y: str) -> Lines:
    lines = [
        _line(name, [
            (rate, round(one.mb_s if y == "Mb/s" else one.response_ms, 2))
            for rate, one in zip(MIX_RATES, points, strict=True) if one.answered
        ])
        for name, points in mixed.items()
    ]  # fmt: skip
    return Lines(title, "pages a second", y, lines, log_y=y != "Mb/s")


def _by_size(title: str, found: Mapping[str, Timed], *, response: bool) -> Lines:
    lines = [
        _line(name, [
            (size, round(one.response_ms if response else one.connection_ms, 2))
            for size, one in timed.one_rate.items() if one.answered
        ])
        for name, timed in found.items()
    ]  # fmt: skip
    return Lines(title, "octets of the page", "milliseconds, median", lines, log_y=True)


def _ours(title: str, sizes: Mapping[str, Sequence[Point]], *, response: bool) -> Lines:
    lines = [
        Line(name, [
            (one.rate, round(one.response_ms if response else one.connection_ms, 2)) for one in points if one.answered
        ])
        for name, points in sizes.items()
    ]  # fmt: skip
    return Lines(title, "pages a second", "milliseconds, median", lines, log_x=True, log_y=True)


def _throughput(small: Mapping[str, Sequence[Point]]) -> Lines:
    title = "Throughput of the page of 211 octets (002 Figure 13)"
    return rates.lines(title, small, lambda one: one.mb_s, "Mb/s")


def _phases(by: str, several: Mapping[str, Phases], figure: str) -> Sheet:
    """Of ours. Connections stay, so that most rates see no handshake, and none a disconnect."""
    rows = [
        (name, *("–" if ms is None else f"{ms:.2f}" for ms in one.medians()), str(len(one.answers)))
        for name, one in several.items()
    ]
    columns = ("of", *(f"{name}, ms" for name in PHASES), "answers")
    return Sheet(f"Phases of our connections to the database {by} ({figure})", columns, rows)


def _said(found: Mapping[str, Timed]) -> Sheet:
    """002's numbers, and ours on the emulated PC."""
    rows = [
        *(("the most pages a second", name, str(rate), f"{ms:g} ms of response")
          for name, (rate, ms) in BARE_PC_PAGE_MOST.items()),
        *(("throughput rises in a line to", name, str(rate), "pages a second")
          for name, rate in BARE_PC_PAGE_LINEAR.items()),
        *(("the same beside 1000 files", name, str(rate), "pages a second")
          for name, rate in BARE_PC_MIX_LINEAR.items()),
        *(("the most beside 1000 files", name, "none" if rate is None else str(rate), "pages a second, up to 400")
          for name, rate in BARE_PC_MIX_MOST.items()),
    ]  # fmt: skip
    for name, timed in found.items():
        most = [one for one in timed.alone[SIZES[0]] if one.answered >= rates.ENOUGH]
        last = most[-1] if most else None
        rows.append((
            "the most pages a second that were tried and answered", f"{name}, emulated",
            str(last.rate) if last else "none", f"{last.response_ms:.2f} ms of response" if last else "",
        ))  # fmt: skip
    return Sheet("What 002 says of figures 5 to 14", ("what", "whose", "number", "of"), rows)
