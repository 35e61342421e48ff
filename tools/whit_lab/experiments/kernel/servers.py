# SPDX-License-Identifier: MIT
"""nginx and Apache on the kernel's TCP beside the engine: the same files, the same client, the same line."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from whit.paths import ROOT
from whit_lab.experiment import Bars, Figure, Found, Progress, Row, Sheet
from whit_lab.experiments.kernel.runs import Passed, page_passed, passed, wire
from whit_lab.instruments.served import BIG, content
from whit_lab.real import placed, servers
from whit_lab.real.placed import Placed
from whit_lab.real.relay import Wire

OURS = "Whit"
BOOK = ("index.html", "style.css", "script.js", "logo.png")
EMPTY_LIST = b"[]"  # cb_extract's answer, which these servers have as a file
LOADS = 3


@dataclass(frozen=True)
class Setting:
    name: str
    rate: int
    rtt_ms: int
    loss: float = 0.0
    runs: int = 1

    @property
    def wires(self) -> list[Wire]:
        """Returns a wire for each run, with another seed: other frames are lost."""
        return [wire(self.rate, self.rtt_ms, self.loss, seed) for seed in range(self.runs)]


FULL = (
    Setting("14.4 kB/s, RTT 5 ms", 14_400, 5),
    Setting("100 kB/s, RTT 50 ms", 100_000, 50, runs=3),
    Setting("100 kB/s, RTT 50 ms, loss 3 %", 100_000, 50, 0.03, runs=7),
)
REDUCED = (Setting("200 kB/s, RTT 5 ms", 200_000, 5),)

Place = Callable[[Wire], AbstractContextManager[Placed]]


def measure(progress: Progress, files: Path, book: Path, *, reduced: bool, chromium: bool) -> Iterator[Found]:
    there = [name for name in servers.NAMES if not servers.why_not(name)]
    yield from (f"No column of {name}'s: {servers.why_not(name)}." for name in servers.NAMES if name not in there)
    file = {f"{BIG}.bin": content(BIG)}
    found: dict[str, dict[str, Passed]] = {}
    for number, setting in enumerate(REDUCED if reduced else FULL):
        progress(f"a file from {', '.join([OURS, *there])}: {setting.name}", 0.5 + 0.1 * number)
        found[f"{BIG} B, {setting.name}"] = {
            name: passed(place, f"/{BIG}.bin", content(BIG), setting.wires)
            for name, place in _places(files, file, there)
        }
    if chromium and not reduced and there:
        progress(f"the address book in Chromium from {', '.join([OURS, *there])}", 0.8)
        pages = {name: (ROOT / "apps" / "contacts" / name).read_bytes() for name in BOOK} | {"cb_extract": EMPTY_LIST}
        line = wire(10_000, 5)
        found["the page in Chromium, 10 kB/s, RTT 5 ms"] = {
            name: page_passed(place(line), LOADS) for name, place in _places(book, pages, there)
        }
    files_passed = [one for by_server in found.values() for one in by_server.values()]
    runs, right = sum(one.runs for one in files_passed), sum(one.right for one in files_passed)
    what = f"of {runs} transfers through the relay, those that brought the right octets"
    yield Figure("transfers_complete_percent", what, 100 * right / runs, "%", None, 100)
    yield from _compared(found)
    yield _sheet(found)
    for what, by_server in found.items():  # the shortest time last
        if len(by_server) > 1:
            amounts = {name: round(one.seconds * 1000, 1) for name, one in by_server.items()}
            yield Bars(what, "milliseconds", amounts)


def _places(image: Path, files: Mapping[str, bytes], there: list[str]) -> list[tuple[str, Place]]:
    def of(name: str) -> Place:
        return lambda line: placed.server(name, files, line)

    return [(OURS, lambda line: placed.engine(image, line)), *((name, of(name)) for name in there)]


def _sheet(found: Mapping[str, Mapping[str, Passed]]) -> Sheet:
    rows = [
        (what, name, f"{one.seconds:.3f}", str(one.packets), str(one.octets))
        for what, by_server in found.items()
        for name, one in by_server.items()
    ]
    columns = ("what", "server", "seconds", "packets, both ways", "octets, both ways")
    return Sheet("The same client and the same line: Whit, nginx and Apache", columns, rows)


def _compared(found: Mapping[str, Mapping[str, Passed]]) -> Iterator[Row]:
    for what, by_server in found.items():
        ours = by_server[OURS]
        for name, one in by_server.items():
            if name != OURS:
                source = f"{servers.version(name)}, same run"
                yield Row(what, ours.seconds, one.seconds, "s", source)
                yield Row(f"{what}: octets on the line", ours.octets, one.octets, "B", source)
                yield Row(f"{what}: packets", ours.packets, one.packets, "", source)
