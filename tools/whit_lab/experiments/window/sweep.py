# SPDX-License-Identifier: MIT
"""All downloads of the experiment `window`: by server, window, delay and acknowledgments."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from whit.errors import WhitError
from whit.machines.machines import why_no_machine
from whit_lab import papers
from whit_lab.experiments.window import avr, runs
from whit_lab.experiments.window.runs import ACK, BUFFERS, DELAYS_MS, Download, Peer, client
from whit_testbed import lwip_build
from whit_testbed.lwip import WRITE_MAX

FEW, FEW_LARGE = (500, 1450), (1000, 1500, 11_000)  # windows of the reduced form
MSS_MIN = 88  # bytes: the engine's least
PEER_WINDOWS = (500, 1000, 1460, 2000, 2920, 4380, 5840, 8760, 11_680, 16_060, 23_360, 32_120, 65_535)
FILLS = 65_535  # bytes of a write: as many as the send buffer takes
WRITES = {WRITE_MAX: "lwIP", FILLS: "lwIP, writes of any size"}
KNEE_DELAY_MS = 10
PEER_WINDOWS_FEW = (1460, 2920, 65_535)
Setting = tuple[int, str]  # delay in ms, delayed acknowledgments
SETTINGS: Sequence[Setting] = tuple(product(DELAYS_MS, ACK))


@dataclass
class Runs:
    """The measured downloads."""

    file: dict[Setting, Download] = field(default_factory=dict)
    generated: dict[Setting, Download] = field(default_factory=dict)
    segments: dict[Setting, dict[int, Download]] = field(default_factory=dict)  # of the file, by MSS
    peer_window: dict[str, dict[int, Download]] = field(default_factory=dict)  # by server; delay 10 ms, delayed
    buffers: dict[int, dict[int, Download]] = field(default_factory=dict)  # delay, buffer; delayed
    model: dict[tuple[int, Setting], dict[int, Download]] = field(default_factory=dict)  # segments in flight, window
    lwip: dict[tuple[int, Setting], dict[int, Download]] = field(default_factory=dict)  # most of a write, window
    processor: tuple[float, float] | None = None  # kB/s: file, generated
    peer: Peer | None = None
    no_processor: str = ""  # the reason
    no_lwip: str = ""


def measure(found: Runs, seed: int, *, reduced: bool) -> Iterator[tuple[str, float]]:
    """Measures all downloads. Yields the current one, and the finished share."""
    yield from _ours(found, seed, reduced=reduced)
    windows = FEW if reduced else papers.UIP_WINDOWS
    for index, window in enumerate(windows):
        yield f"one and two in flight, {window} octets", 0.2 + 0.5 * index / len(windows)
        for (delay_ms, delayed), in_flight in product(SETTINGS, (1, 2)):
            download = runs.from_model(window, in_flight, delayed, delay_ms, seed)
            found.model.setdefault((in_flight, (delay_ms, delayed)), {})[window] = download
    yield from _lwip(found, seed, reduced=reduced)


def _ours(found: Runs, seed: int, *, reduced: bool) -> Iterator[tuple[str, float]]:
    octets = runs.LARGE_REDUCED if reduced else runs.LARGE
    file, generator = runs.file_image(), runs.generator().image
    for at in SETTINGS:
        delay_ms, delayed = at
        yield f"ours, {delay_ms} ms, delayed acknowledgments {delayed}", 0.02
        found.file[at] = runs.from_engine(file, octets, client(delayed), delay_ms, seed)
        found.generated[at] = runs.from_engine(generator, octets, client(delayed), delay_ms, seed, generated=True)
        found.segments[at] = {
            mss: runs.from_engine(file, octets, client(delayed, mss=mss), delay_ms, seed)
            for mss in (FEW if reduced else papers.UIP_WINDOWS)
            if mss >= MSS_MIN
        }
    found.peer_window["ours"] = {
        window: runs.from_engine(file, octets, client("on", window=window), KNEE_DELAY_MS, seed)
        for window in (PEER_WINDOWS_FEW if reduced else PEER_WINDOWS)
    }
    for buffer in BUFFERS[-1:] if reduced else BUFFERS:
        yield f"ours, generated with {buffer} octets", 0.1
        image = runs.generator(buffer).image
        for delay_ms in DELAYS_MS:
            download = runs.from_engine(image, octets, client("on"), delay_ms, seed, generated=True)
            found.buffers.setdefault(delay_ms, {})[buffer] = download
    if not reduced and not (why := why_no_machine("avr")):
        yield "ours on the emulated AVR", 0.15
        found.processor = avr.kb_s()
    elif not reduced:
        found.no_processor = why


def _lwip(found: Runs, seed: int, *, reduced: bool) -> Iterator[tuple[str, float]]:
    yield "building lwIP", 0.7
    try:
        found.peer = peer = Peer(lwip_build.shared_object(), lwip_build.sizes_32())
    except WhitError as error:
        found.no_lwip = str(error)
        return
    octets, windows = (runs.LARGE_REDUCED, FEW_LARGE) if reduced else (runs.LARGE, papers.LWIP_WINDOWS)
    for index, window in enumerate(windows):
        yield f"lwIP, {window} octets", 0.72 + 0.28 * index / len(windows)
        for (delay_ms, delayed), write_max in product(SETTINGS, WRITES):
            download = peer.download(octets, window, write_max, client(delayed), delay_ms, seed)
            found.lwip.setdefault((write_max, (delay_ms, delayed)), {})[window] = download
    most = papers.LWIP_WINDOWS[-1]
    found.peer_window["lwIP"] = {
        window: peer.download(octets, most, FILLS, client("on", window=window), KNEE_DELAY_MS, seed)
        for window in found.peer_window["ours"]
    }
