# SPDX-License-Identifier: MIT
"""The page of an empty address book, and its first contact, on the same AVR and line (001 5.2)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from whit.errors import WhitError
from whit.image.build import BuildResult
from whit.model.policy import AckPolicy, Options
from whit_lab.experiment import Beside, Figure, Found, Progress, Row
from whit_lab.experiments.contacts.runs import FAST_BAUD, GZIP, PAGE, card, reading_cycles
from whit_lab.instruments.browser import browser
from whit_lab.instruments.instructions import request
from whit_lab.papers import MINIWEB_TABLE2_S, SMEWS_TABLE2_S, UIP_TABLE2_S
from whit_testbed.browser import Browser

CONNECTIONS = (1, 2, 4)  # connections of the browser; the slowest run counts
LISTED, FILES_ONLY = "with a list of 1915 B", "files only"
THEIRS = {
    "Smews": (SMEWS_TABLE2_S["page"], LISTED),
    "Miniweb": (MINIWEB_TABLE2_S["page"], FILES_ONLY),
    "uIP": (UIP_TABLE2_S["page"], LISTED),
}
ADDED = "name=Ada+Lovelace&phone=%2B44+20+7946&mail=ada%40example.org"


@dataclass(frozen=True)
class Loaded:
    """Seconds of a fresh browser's page, and of its reload."""

    first_s: float
    again_s: float


def load(built: BuildResult, coding: str, connection_max: int) -> Loaded:
    with card(built) as line:
        visitor = browser(line, PAGE, Options(ack=AckPolicy.DELAYED), coding, again=True, connection_max=connection_max)
        first_s = visitor.load()
        _expect(dict.fromkeys(visitor.responses, 200), visitor)
        line.idle(2)
        again_s = visitor.load()
        _expect({item.target: 200 if item.target == "/cb_extract" else 304 for item in PAGE}, visitor)
        return Loaded(first_s, again_s)


def _expect(statuses: Mapping[str, int], browser: Browser) -> None:
    for target, status in statuses.items():
        if browser.responses[target].status != status:
            raise WhitError(f"lab: {target}: {browser.responses[target].status}, expected {status}", 1)


@dataclass(frozen=True)
class Added:
    """Cycles from the end of a request's last byte to the beginning of its answer's first byte."""

    awake: int
    asleep: int  # writing the EEPROM


def add(built: BuildResult) -> Added:
    with card(built) as line:
        machine = line.machine
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


def measure(built: BuildResult, progress: Progress, *, reduced: bool) -> Iterator[Found]:
    """Measures page and first contact. reduced: a browser with one connection."""
    loaded: dict[str, list[Loaded]] = {}
    for coding in ("", GZIP):
        progress(f"the page of an empty book{', compressed' if coding else ''}", 0.9)
        loaded[coding] = [load(built, coding, connections) for connections in CONNECTIONS[: 1 if reduced else None]]
    added = add(built)
    plain, gzip = (round(max(one.first_s for one in some), 3) for some in loaded.values())
    again = round(max(one.again_s for some in loaded.values() for one in some), 3)
    page = "the address book's page with an empty book, SLIP at 10 kB/s, 8 MHz"
    what = "cb_add: last octet in to first octet out, processor awake"
    reading = f"an octet of a request of 330 to 1130, at {FAST_BAUD} baud: the processor, or the line if that is slower"
    yield Figure("avr_page_seconds", f"{page}, uncompressed", plain, "s", 1.8)
    yield Figure("avr_page_gzip_seconds", f"{page}, compressed", gzip, "s", 1.4)
    yield Figure("avr_page_again_seconds", f"{page}, again with entity tags", again, "s", 0.4)
    yield Figure("avr_add_cycles", what, added.awake, "cycles", 60_000)
    yield Figure("avr_octet_cycles", reading, round(reading_cycles()), "cycles", 780)
    what = "beside avr_add_cycles: asleep while the EEPROM is written"
    yield Beside("avr_add_eeprom_cycles", what, added.asleep, "cycles")
    for server, (seconds, with_it) in THEIRS.items():
        name, source = "page of an empty address book, AVR at 8 MHz, 10 kB/s", f"001 Table 2, {server}: {with_it}"
        yield Row(name, plain, seconds, "s", source)
