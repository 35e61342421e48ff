# SPDX-License-Identifier: MIT
"""Runs of the experiment `kernel`, each in real time and with the same settings in virtual time."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from whit.errors import WhitError
from whit.image.build import BuildResult
from whit.ladder.steps import Ladder
from whit.model.policy import AckPolicy, Options
from whit.wire.units import MS
from whit_lab.experiments.contacts.runs import PAGE
from whit_lab.real import placed, virtual
from whit_lab.real.fetch import Fetched, fetch
from whit_lab.real.placed import Placed
from whit_lab.real.relay import Wire
from whit_lab.real.visit import Visited, visit
from whit_testbed.ladder_watch import Watch
from whit_testbed.link import Impairment

SHOWS = "#message:has-text('Nobody')"  # selector of the address book with its loaded list
CURL = "GET {} HTTP/1.1\r\nHost: 10.7.0.2\r\nUser-Agent: curl/7.88.1\r\nAccept: */*\r\n\r\n"
ADDED = "/cb_add?name=Ada+Lovelace&phone=%2B44+20+7946&mail=ada%40example.org"
CONTENTS = {  # names of 001 Table 2
    "index": "/",
    "css": "/style.css",
    "js": "/script.js",
    "png": "/logo.png",
    "cb_extract": "/cb_extract",
    "cb_add": ADDED,
    "cb_get": "/cb_get?id=0",
}


def wire(rate: int, rtt_ms: int, loss: float = 0.0, seed: int = 0) -> Wire:
    each = Impairment(delay_us=rtt_ms * MS // 2, rate=rate, loss=loss)
    return Wire(each, each, seed=seed)


@dataclass(frozen=True)
class Client:
    """Options of the kernel's route, and a client that behaves alike in virtual time."""

    mss: int = 1460
    window: int | None = None
    quick: bool = False  # every segment is acknowledged at once

    @property
    def name(self) -> str:
        words = [f"MSS {self.mss}"]
        words += [f"window {self.window}"] if self.window else []
        words += ["quickack"] if self.quick else []
        return ", ".join(words)

    @property
    def route(self) -> list[object]:
        options: list[object] = ["advmss", self.mss]
        options += ["window", self.window] if self.window else []
        return [*options, "quickack", 1] if self.quick else options

    @property
    def options(self) -> Options:
        ack = AckPolicy.EVERY if self.quick else AckPolicy.LINUX
        return virtual.kernel_options(self.mss, ack, self.window or virtual.KERNEL_WINDOW)


@dataclass(frozen=True)
class Timed:
    """Seconds in virtual time and, if possible here, in real time: the median of the runs."""

    virtual_s: float
    real_s: float | None

    @property
    def ratio(self) -> float | None:
        return None if self.real_s is None else self.real_s / self.virtual_s


@dataclass(frozen=True)
class Passed:
    """A file through the relay: the median of several runs by time, and the traffic of that run, both ways."""

    seconds: float
    packets: int
    octets: int  # on the line, SLIP's own included
    runs: int
    right: int  # runs with the correct bytes


def curl_file(image: Path, path: str, expected: bytes, line: Wire, client: Client, runs: int) -> Timed:
    """Fetches a file on a connection of its own, handshake included. runs 0: in virtual time only."""
    asked = [CURL.format(path).encode()]
    seconds = []
    for _ in range(runs):
        with placed.engine(image, line, client.route) as at:
            seconds.append(_right(fetch(at.relay, at.client, [path]), [expected])[0].total_s)
            asked = virtual.requests(at.relay.seen)[:1]
    (virtual_s,) = virtual.exchanges(image, line, client.options, asked)
    return Timed(virtual_s, median(seconds) if seconds else None)


def curl_contents(image: Path, line: Wire, runs: int) -> dict[str, Timed]:
    """Fetches the address book's contents one after the other on one connection; only the first has a handshake."""
    targets = list(CONTENTS.values())
    asked = [CURL.format(target).encode() for target in targets]
    seconds: list[list[float]] = []
    for _ in range(runs):
        with placed.engine(image, line) as at:
            seconds.append(contents_seconds(at))
            asked = virtual.requests(at.relay.seen)
    in_virtual = virtual.exchanges(image, line, virtual.kernel_options(), asked, handshake=False)
    found = {}
    for number, name in enumerate(CONTENTS):
        found[name] = Timed(in_virtual[number], median(run[number] for run in seconds) if seconds else None)
    return found


def contents_seconds(at: Placed) -> list[float]:
    return [one.response_s for one in _right(fetch(at.relay, at.client, list(CONTENTS.values())))]


@dataclass(frozen=True)
class Page:
    """The address book's page, loaded by a browser. Times since the first SYN."""

    timed: Timed
    parts: Mapping[str, Timed]
    connections: int
    ladder: Ladder | None


def chromium_page(built: BuildResult, line: Wire, loads: int, canned: Mapping[str, bytes]) -> Page:
    """Loads the page from the engine. loads 0: in virtual time only, with canned requests."""
    visits: list[Visited] = []
    image, title, ladder = built.image, "The address book's page in Chromium", None
    asked, connections = dict(canned), 2
    if loads:
        with placed.engine(image, line) as at:
            assert at.relay.net is not None
            watch = Watch(at.relay.net, title, application=built.application, left="Chromium", right="Whit")
            with watch:
                visits = visit(at.relay, at.client, shows=SHOWS, times=1)
            ladder = watch.ladder()
            asked = virtual.by_target(virtual.requests(at.relay.seen))
            connections = len({segment.sport for _, segment in at.relay.seen.segments(up=True) if segment.payload})
            visits += visit(at.relay, at.client, shows=SHOWS, times=loads - 1) if loads > 1 else []
    in_virtual = virtual.page(image, line, virtual.kernel_options(), PAGE, asked, connections)
    names = [item.target for item in PAGE]
    parts = {name: Timed(in_virtual[name], _median([one.parts[name] for one in visits])) for name in names}
    timed = Timed(max(in_virtual.values()), _median([one.whole_s for one in visits]))
    return Page(timed, parts, connections, ladder)


def machine_page(at: AbstractContextManager[Placed], loads: int) -> float:
    """Returns the seconds of the page from the server behind the relay."""
    with at as there:
        return median(one.whole_s for one in visit(there.relay, there.client, shows=SHOWS, times=loads))


def passed(
    place: Callable[[Wire], AbstractContextManager[Placed]], path: str, expected: bytes, lines: Sequence[Wire]
) -> Passed:
    """Fetches a file by curl on a connection of its own, once on each line."""
    runs, right = [], 0
    for line in lines:
        with place(line) as at:
            (one,) = fetch(at.relay, at.client, [path])
            right += one.status == 200 and one.body == expected
            runs.append((one.total_s, *_counted(at)))
    return Passed(*sorted(runs)[len(runs) // 2], len(runs), right)


def page_passed(place: AbstractContextManager[Placed], loads: int) -> Passed:
    """Loads the page by Chromium: median of its times, mean of the traffic, icon and FINs included."""
    with place as at:
        visits = visit(at.relay, at.client, shows=SHOWS, times=loads)
        packets, octets = _counted(at)
        return Passed(median(one.whole_s for one in visits), packets // loads, octets // loads, loads, loads)


def _counted(at: Placed) -> tuple[int, int]:
    assert at.relay.up is not None and at.relay.down is not None
    links = at.relay.up, at.relay.down
    return sum(link.frame_cnt for link in links), sum(link.octet_cnt for link in links)


def _median(values: Sequence[float]) -> float | None:
    return median(values) if values else None


def _right(fetched: Sequence[Fetched], expected: Sequence[bytes] | None = None) -> Sequence[Fetched]:
    """Raises WhitError for a wrong status or body."""
    for number, one in enumerate(fetched):
        if one.status != 200 or (expected and one.body != expected[number]):
            raise WhitError(f"lab: curl: status {one.status} and {len(one.body)} octets; expected 200 and the file", 1)
    return fetched
