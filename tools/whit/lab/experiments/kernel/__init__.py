# SPDX-License-Identifier: MIT
"""Real clients and real servers beside virtual time: the kernel's TCP with curl and Chromium, nginx and Apache."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from whit.build import build
from whit.lab.experiment import Bars, Figure, Line, Lines, Progress, Result, Row, Series, Sheet
from whit.lab.experiments.kernel import devices as kernel_devices
from whit.lab.experiments.kernel import servers as kernel_servers
from whit.lab.experiments.kernel.runs import Client, Page, Timed, chromium_page, curl_contents, curl_file, wire
from whit.lab.instruments.instructions import request
from whit.lab.instruments.served import BIG, content, files_application
from whit.paths import ROOT
from whit.real import namespace
from whit.real.fetch import why_no_curl
from whit.real.visit import why_no_chromium

APP = ROOT / "apps" / "contacts"
GZIP = "Accept-Encoding: gzip, deflate\r\n"
CURL_LIMIT, PAGE_LIMIT = 25.0, 50.0  # percent: real time on a busy machine
PAGE_RATE, PAGE_RTT_MS = 10_000, 5  # 001 section 5.2


@dataclass(frozen=True)
class Point:
    """A file of 57 254 octets by curl."""

    rate: int
    rtt_ms: int
    client: Client
    runs: int

    @property
    def line(self) -> str:
        return f"{self.rate / 1000:g} kB/s, RTT {self.rtt_ms} ms"


FULL = (
    *(Point(14_400, 5, Client(mss), 2) for mss in (1460, 536, 200)),
    *(Point(200_000, 5, Client(mss), 3) for mss in (1460, 536, 200)),
    Point(200_000, 5, Client(quick=True), 3),
    *(Point(100_000, 50, Client(window=window), 3) for window in (None, 8192, 5840)),
)
REDUCED = tuple(Point(200_000, 5, Client(mss), 1) for mss in (1460, 200))


@dataclass
class _Found:
    """What was found out, part by part."""

    figures: list[Figure] = field(default_factory=list)
    series: list[Series] = field(default_factory=list)
    beside: list[Figure] = field(default_factory=list)
    compared: list[Row] = field(default_factory=list)
    sheets: list[Sheet] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class KernelExperiment:
    """Real time: two runs never give the same figures."""

    name = "kernel"
    title = "The kernel's TCP and Chromium beside virtual time"
    answers_to = (
        "Do real clients see what clients in virtual time see, and what do nginx and Apache do on the same line?"
    )
    paper = "000 Figure 5; 001 Table 2"
    rows = ("D2", "D19", "S27")
    seconds = 150
    deterministic = False
    alone = True  # another experiment beside it would disturb its time

    def run(self, progress: Progress, *, reduced: bool = False) -> Result:
        progress("the images", 0.0)
        files = build(files_application(), target="inprocess", link="slip").image
        built = build(APP, target="inprocess", link="slip", meter=True)
        book = built.image
        no_namespace = namespace.why_not()
        no_kernel = no_namespace or why_no_curl()
        no_chromium = no_namespace or why_no_chromium()
        found = _Found()
        if no_kernel:
            found.notes.append(f"No column of the kernel's: {no_kernel}.")
        if no_chromium:
            found.notes.append(f"No column of Chromium's: {no_chromium}.")
        points = REDUCED if reduced else FULL
        timed = _curl(progress, files, points, real=not no_kernel)
        _show_curl(found, timed)
        if not reduced:
            progress("the contents of the address book by curl", 0.35)
            _show_contents(found, curl_contents(book, wire(PAGE_RATE, PAGE_RTT_MS), 0 if no_kernel else 3))
        progress("the address book in Chromium", 0.4)
        loads = 0 if no_chromium else 1 if reduced else 3
        pages = {"10 kB/s": chromium_page(built, wire(PAGE_RATE, PAGE_RTT_MS), loads, _canned())}
        if not reduced:
            pages["200 kB/s"] = chromium_page(built, wire(200_000, PAGE_RTT_MS), loads, _canned())
        _show_pages(found, pages)
        if not no_kernel:
            said = kernel_servers.measure(progress, files, book, reduced=reduced, chromium=not no_chromium)
            _take(found, said)
        if not reduced and not no_kernel and not no_chromium:
            _take(found, kernel_devices.measure(progress))
        ladders = [page.ladder for page in pages.values() if page.ladder]
        return Result(
            _settings(points, reduced),
            found.figures,
            found.series,
            found.beside,
            found.compared,
            found.sheets,
            ladders[:1],
            found.notes,
        )


def _curl(progress: Progress, image: Path, points: Sequence[Point], *, real: bool) -> dict[Point, Timed]:
    found = {}
    for number, point in enumerate(points):
        progress(f"curl: {point.line}, {point.client.name}", 0.05 + 0.3 * number / len(points))
        line, runs = wire(point.rate, point.rtt_ms), point.runs if real else 0
        found[point] = curl_file(image, f"/{BIG}.bin", content(BIG), line, point.client, runs)
    return found


def _show_curl(found: _Found, timed: Mapping[Point, Timed]) -> None:
    ratios = [one.ratio for one in timed.values() if one.ratio is not None]
    if ratios:
        what = f"curl through the kernel's TCP against virtual time, the worst of {len(ratios)} settings"
        found.figures.append(Figure("curl_deviation_percent", what, _deviation(ratios), "%", CURL_LIMIT))
    rows = []
    for point, one in timed.items():
        rows.append((point.line, point.client.name, *_columns(one)))
        if one.real_s is not None:
            name = f"{BIG} B, {point.line}, {point.client.name}"
            found.compared.append(Row(name, one.virtual_s, one.real_s, "s", "curl, the kernel's TCP", "near"))
    title = f"A file of {BIG} octets by curl, its handshake included: seconds"
    found.sheets.append(Sheet(title, ("line", "client", "kernel", "virtual", "ratio"), rows))
    for line in dict.fromkeys(point.line for point in timed if point.client == Client(point.client.mss)):
        of_it = {point.client.mss: one for point, one in timed.items() if _plain(point) and point.line == line}
        if len(of_it) < 2:
            continue
        lines = [Line("virtual time", [(mss, of_it[mss].virtual_s) for mss in sorted(of_it)], "model")]
        real = [(mss, seconds) for mss in sorted(of_it) if (seconds := of_it[mss].real_s) is not None]
        lines += [Line("curl on the kernel's TCP", real)] if real else []
        found.series.append(Lines(f"{BIG} octets, {line}", "MSS, octets", "seconds", lines))


def _plain(point: Point) -> bool:
    return point.client == Client(point.client.mss)


def _show_contents(found: _Found, timed: Mapping[str, Timed]) -> None:
    rows = [(name, *_columns(one)) for name, one in timed.items()]
    title = (
        "The address book's contents by curl on one connection, 10 kB/s, RTT 5 ms: seconds from request to last octet"
    )
    found.sheets.append(Sheet(title, ("content", "kernel", "virtual", "ratio"), rows))
    ratios = [one.ratio for one in timed.values() if one.ratio is not None]
    if ratios:
        what = "the same for each content of the address book, the worst of them"
        found.figures.append(Figure("content_deviation_percent", what, _deviation(ratios), "%", CURL_LIMIT))


def _show_pages(found: _Found, pages: Mapping[str, Page]) -> None:
    rows = []
    for line, page in pages.items():
        for target, one in page.parts.items():
            rows.append((line, target, *_columns(one)))
        rows.append((line, "all of it", *_columns(page.timed)))
        if page.timed.real_s is not None:
            source = f"Chromium, {page.connections} connections"
            name = f"the address book's page, {line}, RTT 5 ms"
            found.compared.append(Row(name, page.timed.virtual_s, page.timed.real_s, "s", source, "near"))
    title = "The address book's page in Chromium, RTT 5 ms: seconds from the first SYN"
    found.sheets.append(Sheet(title, ("line", "part", "Chromium", "virtual", "ratio"), rows))
    slow = pages["10 kB/s"].timed
    if slow.ratio is None:
        return
    what = "the address book's page in Chromium against virtual time, 10 kB/s, RTT 5 ms"
    found.figures.append(Figure("page_deviation_percent", what, _deviation([slow.ratio]), "%", PAGE_LIMIT))
    amounts = {}
    for line, page in pages.items():
        amounts[f"virtual time, {line}"] = round(page.timed.virtual_s * 1000, 1)
        if page.timed.real_s is not None:
            amounts[f"Chromium, {line}"] = round(page.timed.real_s * 1000, 1)
    found.series.append(Bars("The address book's page, RTT 5 ms", "milliseconds", amounts))
    found.notes.append("Virtual time loads the page on as many connections as Chromium asked on.")
    found.notes.append(
        "Chromium needs time of its own to read a page and to run its script; virtual time has none of it. On a fast "
        "line that is most of the time of a page."
    )


def _take(found: _Found, result: Result) -> None:
    found.figures += result.figures
    found.series += result.series
    found.beside += result.beside
    found.compared += result.compared
    found.sheets += result.sheets
    found.notes += result.notes


def _columns(one: Timed) -> tuple[str, str, str]:
    real, ratio = ("–", "–") if one.real_s is None else (f"{one.real_s:.3f}", f"{one.ratio:.3f}")
    return real, f"{one.virtual_s:.3f}", ratio


def _deviation(ratios: Sequence[float]) -> float:
    return round(max(abs(ratio - 1) for ratio in ratios) * 100, 1)


def _canned() -> dict[str, bytes]:
    targets = ("/", "/style.css", "/script.js", "/logo.png", "/cb_extract")
    return {target: request(target, GZIP) for target in targets}


def _settings(points: Sequence[Point], reduced: bool) -> dict[str, object]:
    return {
        "link": "SLIP's octets, full duplex, no limit of the queue; the same in real and in virtual time",
        "server": "the engine in this process, without any time of its own",
        "client": "curl and Chromium in a network namespace; a TUN device leads to the relay",
        "virtual client": "acknowledges as Linux does; quickack: every segment; the requests are the real client's",
        "curl": [f"{point.line}, {point.client.name}, {point.runs} runs" for point in points],
        "reduced": reduced,
    }


EXPERIMENT = KernelExperiment()
