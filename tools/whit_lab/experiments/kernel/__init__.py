# SPDX-License-Identifier: MIT
"""Real clients and real servers beside virtual time: the kernel's TCP with curl and Chromium, nginx and Apache."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from whit.image.build import build
from whit.paths import ROOT
from whit_lab.experiment import Bars, Figure, Found, Line, Lines, Progress, Row, Sheet
from whit_lab.experiments.kernel import devices as kernel_devices
from whit_lab.experiments.kernel import servers as kernel_servers
from whit_lab.experiments.kernel.runs import Client, Page, Timed, chromium_page, curl_contents, curl_file, wire
from whit_lab.instruments.instructions import request
from whit_lab.instruments.served import BIG, content, files_application
from whit_lab.real import namespace
from whit_lab.real.fetch import why_no_curl
from whit_lab.real.visit import why_no_chromium

APP = ROOT / "apps" / "contacts"
GZIP = "Accept-Encoding: gzip, deflate\r\n"
CURL_LIMIT, PAGE_LIMIT = 25.0, 50.0  # percent: real time on a busy machine
PAGE_RATE, PAGE_RTT_MS = 10_000, 5  # 001 section 5.2


@dataclass(frozen=True)
class Point:
    """A file of 57 254 bytes by curl."""

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


def run(progress: Progress, *, reduced: bool = False, exact: bool = False) -> Iterator[Found]:
    """Yields the results. In real time two runs never give the same figures. exact: reduced form; rows compare with
    virtual time."""
    progress("the images", 0.0)
    files = build(files_application(), target="inprocess", link="slip").image
    built = build(APP, target="inprocess", link="slip", meter=True)
    no_namespace = namespace.why_not()
    no_kernel, no_chromium = no_namespace or why_no_curl(), no_namespace or why_no_chromium()
    points = REDUCED if reduced else FULL
    yield {"curl": [f"{point.line}, {point.client.name}, {point.runs} runs" for point in points]}
    if no_kernel:
        yield f"No column of the kernel's: {no_kernel}."
    if no_chromium:
        yield f"No column of Chromium's: {no_chromium}."
    yield from _show_curl(_curl(progress, files, points, real=not no_kernel))
    slow = wire(PAGE_RATE, PAGE_RTT_MS)
    if not reduced:
        progress("the contents of the address book by curl", 0.35)
        yield from _show_contents(curl_contents(built.image, slow, 0 if no_kernel else 3))
    progress("the address book in Chromium", 0.4)
    loads = 0 if no_chromium else 1 if reduced else 3
    pages = {"10 kB/s": chromium_page(built, slow, loads, _canned())}
    if not reduced:
        pages["200 kB/s"] = chromium_page(built, wire(200_000, PAGE_RTT_MS), loads, _canned())
    yield from _show_pages(pages)
    if not no_kernel:
        yield from kernel_servers.measure(progress, files, built.image, reduced=reduced, chromium=not no_chromium)
    if not reduced and not no_kernel and not no_chromium:
        yield from kernel_devices.measure(progress)


def _curl(progress: Progress, image: Path, points: Sequence[Point], *, real: bool) -> dict[Point, Timed]:
    found = {}
    for number, point in enumerate(points):
        progress(f"curl: {point.line}, {point.client.name}", 0.05 + 0.3 * number / len(points))
        line, runs = wire(point.rate, point.rtt_ms), point.runs if real else 0
        found[point] = curl_file(image, f"/{BIG}.bin", content(BIG), line, point.client, runs)
    return found


def _show_curl(timed: Mapping[Point, Timed]) -> Iterator[Found]:
    what = "curl through the kernel's TCP against virtual time, the worst of {} settings"
    yield from _deviation("curl_deviation_percent", what, list(timed.values()), CURL_LIMIT)
    for point, one in timed.items():
        if one.real_s is not None:
            name = f"{BIG} B, {point.line}, {point.client.name}"
            yield Row(name, one.virtual_s, one.real_s, "s", "curl, the kernel's TCP", "near")
    rows = [(point.line, point.client.name, *_columns(one)) for point, one in timed.items()]
    title = f"A file of {BIG} octets by curl, its handshake included: seconds"
    yield Sheet(title, ("line", "client", "kernel", "virtual", "ratio"), rows)
    for line in dict.fromkeys(point.line for point in timed if _plain(point)):
        of_it = {point.client.mss: one for point, one in timed.items() if _plain(point) and point.line == line}
        if len(of_it) < 2:
            continue
        lines = [Line("virtual time", [(mss, of_it[mss].virtual_s) for mss in sorted(of_it)], "model")]
        real = [(mss, seconds) for mss in sorted(of_it) if (seconds := of_it[mss].real_s) is not None]
        lines += [Line("curl on the kernel's TCP", real)] if real else []
        yield Lines(f"{BIG} octets, {line}", "MSS, octets", "seconds", lines)


def _plain(point: Point) -> bool:
    return point.client == Client(point.client.mss)


def _show_contents(timed: Mapping[str, Timed]) -> Iterator[Found]:
    what = "the same for each content of the address book, the worst of them"
    yield from _deviation("content_deviation_percent", what, list(timed.values()), CURL_LIMIT)
    title = "The address book's contents by curl on one connection, 10 kB/s, RTT 5 ms: seconds"
    rows = [(name, *_columns(one)) for name, one in timed.items()]
    yield Sheet(f"{title} from request to last octet", ("content", "kernel", "virtual", "ratio"), rows)


def _show_pages(pages: Mapping[str, Page]) -> Iterator[Found]:
    rows, amounts = [], {}
    for line, page in pages.items():
        timed = page.timed
        rows += [(line, target, *_columns(one)) for target, one in page.parts.items()]
        rows.append((line, "all of it", *_columns(timed)))
        amounts[f"virtual time, {line}"] = round(timed.virtual_s * 1000, 1)
        if timed.real_s is not None:
            amounts[f"Chromium, {line}"] = round(timed.real_s * 1000, 1)
            source, name = f"Chromium, {page.connections} connections", f"the address book's page, {line}, RTT 5 ms"
            yield Row(name, timed.virtual_s, timed.real_s, "s", source, "near")
    title = "The address book's page in Chromium, RTT 5 ms: seconds from the first SYN"
    yield Sheet(title, ("line", "part", "Chromium", "virtual", "ratio"), rows)
    what = "the address book's page in Chromium against virtual time, 10 kB/s, RTT 5 ms"
    for figure in _deviation("page_deviation_percent", what, [pages["10 kB/s"].timed], PAGE_LIMIT):
        yield figure
        yield Bars("The address book's page, RTT 5 ms", "milliseconds", amounts)
    yield from [page.ladder for page in pages.values() if page.ladder][:1]


def _columns(one: Timed) -> tuple[str, str, str]:
    real, ratio = ("–", "–") if one.real_s is None else (f"{one.real_s:.3f}", f"{one.ratio:.3f}")
    return real, f"{one.virtual_s:.3f}", ratio


def _deviation(name: str, what: str, timed: Sequence[Timed], limit: float) -> Iterator[Figure]:
    """Yields the largest deviation, unless nothing was measured in real time."""
    ratios = [one.ratio for one in timed if one.ratio is not None]
    if ratios:
        worst = max(abs(ratio - 1) for ratio in ratios)
        yield Figure(name, what.format(len(ratios)), round(worst * 100, 1), "%", limit)


def _canned() -> dict[str, bytes]:
    targets = ("/", "/style.css", "/script.js", "/logo.png", "/cb_extract")
    return {target: request(target, GZIP) for target in targets}
