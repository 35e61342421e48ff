# SPDX-License-Identifier: MIT
"""The address book on an ATmega1284P at 8 MHz, over SLIP at 100 kbaud: 10 kB/s, full duplex, with a round trip of 5 ms
beside the time that octets take, for a client that delays its acknowledgments by 200 ms (Smews, EMSOFT 2009, 5.2)."""

from collections.abc import Mapping
from dataclasses import dataclass

from whit.build import BuildResult, build
from whit.emulator import build_machine
from whit.errors import WhitError
from whit.lab.experiment import Figure, Progress, Result, Row
from whit.lab.instruments.instructions import request
from whit.lab.papers import MINIWEB_TABLE2_S, SMEWS_TABLE2_S, UIP_TABLE2_S
from whit.paths import ROOT
from whit.sim.browser import Browser, Item
from whit.sim.http import Response
from whit.sim.link import MS
from whit.sim.machine import Line, Machine
from whit.sim.policy import AckPolicy, Options
from whit.symbols import STACK, symbols

CLOCK_HZ = 8_000_000
BAUD = 100_000
RTT_MS = 5
BOOT_S = 1.0  # until the image listens
CONNECTIONS = (1, 2, 4)  # of the browser; the slowest counts
GZIP = "Accept-Encoding: gzip, deflate\r\n"
LISTED, FILES_ONLY = "with a list of 1915 B", "files only"
THEIRS = {
    "Smews": (SMEWS_TABLE2_S["page"], LISTED),
    "Miniweb": (MINIWEB_TABLE2_S["page"], FILES_ONLY),
    "uIP": (UIP_TABLE2_S["page"], LISTED),
}
PAGE_OF_NONE = "page of an empty address book"
NOTES = (
    "The address book is empty: its list has 2 octets, where the papers' has 1915. So it is not their page; that one "
    "is in the experiment contacts, and takes longer than Smews'.",
)
PAGE = (
    Item("/"),
    Item("/style.css", ("/",)),
    Item("/script.js", ("/",)),
    Item("/logo.png", ("/",)),
    Item("/cb_extract", ("/style.css", "/script.js")),  # a deferred script runs when style sheets before it are there
)
ADDED = "name=Ada+Lovelace&phone=%2B44+20+7946&mail=ada%40example.org"


def image() -> BuildResult:
    overrides = {"avr.clock_hz": CLOCK_HZ, "link.baud": BAUD}
    return build(ROOT / "apps" / "contacts", target="avr", overrides=overrides)


class Device:
    """A machine that has just got power, and the line to it."""

    def __init__(self, built: BuildResult, seed: int = 1) -> None:
        self.built = built
        library = build_machine("avr").with_name("libwhit_avr.so")
        self.machine = Machine(library, built.image, hz=CLOCK_HZ, seed=seed)
        self.line = Line(self.machine, bytes(built.application.board.address), delay_us=RTT_MS * MS // 2)
        self.line.idle(BOOT_S)

    @property
    def stack(self) -> int:
        places = symbols(self.built, *STACK)
        return self.machine.stack_used(places[STACK[0]], places[STACK[1]])


@dataclass(frozen=True)
class Loaded:
    """A page of a fresh browser, and the same page again."""

    first_s: float
    again_s: float
    times_us: Mapping[str, int]
    octets: int  # on the line from the device, the first time
    stack: int


def load(built: BuildResult, coding: str, connection_max: int) -> Loaded:
    device = Device(built)
    line = device.line

    def ask(target: str, known: Response | None) -> bytes:
        etag = known.field("etag") if known else None
        return request(target, coding + (f"If-None-Match: {etag}\r\n" if etag else ""))

    options = Options(ack=AckPolicy.DELAYED)
    browser = Browser(line.host(), line.loop, PAGE, ask, options=options, connection_max=connection_max)
    first_s = browser.load()
    _expect(dict.fromkeys(browser.responses, 200), browser)
    times_us, octets = dict(browser.times_us), line.down_cnt
    line.idle(2)
    again_s = browser.load()
    _expect({item.target: 200 if item.target == "/cb_extract" else 304 for item in PAGE}, browser)
    return Loaded(first_s, again_s, times_us, octets, device.stack)


def _expect(statuses: Mapping[str, int], browser: Browser) -> None:
    for target, status in statuses.items():
        if browser.responses[target].status != status:
            raise WhitError(f"lab: {target}: {browser.responses[target].status}, expected {status}", 1)


@dataclass(frozen=True)
class Added:
    """Cycles from the end of the last octet of a request to the beginning of the first octet of its answer."""

    awake: int
    asleep: int  # the EEPROM is being written


def add(built: BuildResult) -> Added:
    device = Device(built)
    line, machine = device.line, device.machine
    client = line.host().client(Options(ack=AckPolicy.DELAYED))
    line.idle(1)
    first: list[tuple[int, int]] = []
    line.heard = lambda octet, cycle: first.append((cycle - machine.octet_cycles, machine.slept))
    client.send(request(f"/cb_add?{ADDED}"), "GET")
    line.run(client)
    if client.responses[-1].body != b'{"id":0}':
        raise WhitError(f"lab: /cb_add: {client.responses[-1].raw!r}, expected a new contact", 1)
    begin, slept = first[0]
    if begin < line.sent_cycle:
        raise WhitError("lab: /cb_add: something was sent before the request had ended", 1)
    asleep = slept - line.sent_slept
    return Added(begin - line.sent_cycle - asleep, asleep)


def measure(progress: Progress, *, reduced: bool = False) -> Result:
    """reduced: a browser with one connection."""
    by_connections = CONNECTIONS[:1] if reduced else CONNECTIONS
    progress("the address book for an ATmega1284P", 0.0)
    built = image()
    loaded: dict[str, list[Loaded]] = {}
    for number, (name, coding) in enumerate((("plain", ""), ("gzip", GZIP))):
        progress(f"its page at {CLOCK_HZ // 1_000_000} MHz over {BAUD // 10_000} kB/s, {name}", 0.2 + 0.3 * number)
        loaded[name] = [load(built, coding, connections) for connections in by_connections]
    progress("a new contact", 0.8)
    added = add(built)
    plain, gzip = loaded["plain"], loaded["gzip"]
    page = "the address book's page with an empty book, SLIP at 10 kB/s, 8 MHz"
    figures = [
        Figure("avr_page_seconds", f"{page}, uncompressed", _worst(plain), "s", 1.8),
        Figure("avr_page_gzip_seconds", f"{page}, compressed", _worst(gzip), "s", 1.4),
        Figure("avr_page_again_seconds", f"{page}, again with entity tags", _again([*plain, *gzip]), "s", 0.4),
        Figure(
            "avr_add_cycles", "cb_add: last octet in to first octet out, processor awake", added.awake, "cycles", 60_000
        ),
    ]
    beside = [
        Figure(
            "avr_add_eeprom_cycles", "beside avr_add_cycles: asleep while the EEPROM is written", added.asleep, "cycles"
        ),
        Figure(
            "avr_page_octets",
            "octets that the page takes on the line from the device",
            max(one.octets for one in plain),
            "B",
        ),
        Figure("avr_page_stack_bytes", "stack that the page used", max(one.stack for one in (*plain, *gzip)), "B"),
    ]
    for connections, one in zip(by_connections, plain, strict=True):
        name = f"avr_page_{connections}_connections_seconds"
        beside.append(Figure(name, f"of avr_page_seconds: {connections} connections", round(one.first_s, 3), "s"))
    settings = {
        "avr_clock_hz": CLOCK_HZ,
        "avr_baud": BAUD,
        "avr_rtt_ms": RTT_MS,
        "avr_acknowledgments": AckPolicy.DELAYED.value,
        "avr_connections": list(by_connections),
        "avr_request_octets": len(request("/")),
    }
    compared = [
        Row(f"{PAGE_OF_NONE}, AVR at 8 MHz, 10 kB/s", _worst(plain), seconds, "s", f"001 Table 2, {server}: {with_it}")
        for server, (seconds, with_it) in THEIRS.items()
    ]
    return Result(settings, figures, (), beside, compared, notes=NOTES)


def _worst(loaded: list[Loaded]) -> float:
    return round(max(one.first_s for one in loaded), 3)


def _again(loaded: list[Loaded]) -> float:
    return round(max(one.again_s for one in loaded), 3)
