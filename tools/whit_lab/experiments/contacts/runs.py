# SPDX-License-Identifier: MIT
"""The address book of EMSOFT 2009 (Smews) on an emulated AVR, content by content and as a page."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from whit.compiler.persistent import seal_of
from whit.errors import WhitError
from whit.image.build import BuildResult, build
from whit.ladder.steps import Ladder
from whit.model.policy import windows_xp
from whit.paths import ROOT
from whit.wire.http import Response
from whit.wire.packet import Ipv4, Segment
from whit.wire.units import MS, SECOND
from whit_lab.instruments.browser import browser
from whit_lab.instruments.device import powered
from whit_lab.instruments.instructions import request
from whit_lab.instruments.served import application_of
from whit_testbed.browser import Item
from whit_testbed.ladder_watch import Watch
from whit_testbed.machine import Line

CLOCK_HZ = 8_000_000
BAUD = 100_000
RTT_MS = 5
GZIP = "Accept-Encoding: gzip, deflate\r\n"
FILES = {"index": "index.html", "css": "style.css", "js": "script.js", "png": "logo.png"}
CONTACT_CNT, NAME_LEN, NUMBER_LEN = 87, 19, 9  # of lab/contacts/contacts.h
ADDED = "A" * (NAME_LEN + NUMBER_LEN)
EEPROM_LEN = 4096
SLOTS = 14  # contacts of apps/contacts


@dataclass(frozen=True)
class Content:
    """One row of Table 2."""

    key: str
    target: str
    size: int  # bytes
    strategy: str


CONTENTS = (
    Content("index", "/", 752, "S0"),
    Content("css", "/style.css", 826, "S0"),
    Content("js", "/script.js", 3613, "S0"),
    Content("png", "/logo.png", 5805, "S0"),
    Content("cb_extract", "/cb_extract", 1915, "S4"),
    Content("cb_get", "/cb_get?id=7", 28, "S2"),
    Content("cb_add", f"/cb_add?contact={ADDED}", 2, "S1"),
)
PAGE = (
    Item("/"),
    Item("/style.css", ("/",)),
    Item("/script.js", ("/",)),
    Item("/logo.png", ("/",)),
    Item("/cb_extract", ("/style.css", "/script.js")),  # a deferred script runs after the style sheets before it
)


def application() -> Path:
    """Returns lab/contacts with the files of apps/contacts."""
    files = {path.name: path.read_bytes() for path in (ROOT / "lab" / "contacts").iterdir()}
    files |= {name: (ROOT / "apps" / "contacts" / name).read_bytes() for name in FILES.values()}
    return application_of("contacts", files)


def records() -> bytes:
    """Returns persistent memory of lab/contacts with 87 contacts."""
    return b"".join(f"Contact number {i:04d}+33 {i:05d}".encode() for i in range(CONTACT_CNT))


def real_records(built: BuildResult) -> bytes:
    """Returns a full address book of apps/contacts, in the layout of [persistent.contact] of its app.toml."""
    (area,) = built.application.memory.areas
    assert area.record_cnt == SLOTS
    stored = bytes(area.address)
    for i in range(SLOTS):
        texts = {"name": f"Contact {i:02d}".ljust(14, "o"), "phone": f"+33 3 {i:06d}", "mail": f"c{i:02d}@example.org"}
        octets = b"".join(texts[field.name].encode().ljust(field.size, b"\0") for field in area.fields)
        stored += seal_of(area.seed, octets).to_bytes(2, "little") + octets
    assert len(stored) == area.address + area.len, "the fields stand one after the other"
    return stored


def avr(app: Path = ROOT / "apps" / "contacts", *, baud: int = BAUD) -> BuildResult:
    overrides = {"avr.clock_hz": CLOCK_HZ, "link.baud": baud}
    return build(app, target="avr", overrides=overrides, check_budget=False)


def card(built: BuildResult, stored: bytes = b"", *, rtt_us: int = RTT_MS * MS) -> AbstractContextManager[Line]:
    """Starts the device. Its EEPROM is erased to ones except for the stored bytes."""
    eeprom = bytes(255 - octet for octet in stored).ljust(EEPROM_LEN, b"\xff")
    return powered(built, eeprom, hz=CLOCK_HZ, delay_us=rtt_us // 2)


@dataclass(frozen=True)
class Answered:
    """A request and its response. Times in seconds since the request's first byte left the client."""

    response: Response
    first_s: float  # the response's first byte leaves
    whole_s: float  # its last byte arrives
    acked_s: float  # its last acknowledgment arrives at the server
    asleep_s: float  # sleep of the processor until then: the EEPROM is being written
    gaps_s: Sequence[float]  # between the response's segments
    octets: int  # bytes of the request

    @property
    def head_len(self) -> int:
        return len(self.response.raw) - len(self.response.body)


def ask(line: Line, content: Content, octets: bytes) -> Answered:
    """Sends a request on an open connection."""
    machine = line.machine
    client = line.host().client(windows_xp())
    line.idle(1)
    begin_us, asleep = line.loop.now_us, machine.slept
    seen: list[tuple[bool, int, int, int]] = []

    def watch(up: bool, from_us: int, until_us: int, datagram: bytes) -> None:
        ip = Ipv4.parse(datagram)
        length = len(Segment.parse(ip.payload, ip.src, ip.dst).payload)
        seen.append((up, from_us - begin_us, until_us - begin_us, length))

    line.watch = watch
    client.send(octets, "GET")
    line.run(client)
    whole_us, asleep = line.loop.now_us - begin_us, machine.slept - asleep
    line.idle(1)
    line.watch = None
    response = client.responses[-1]
    if response.status != 200 or len(response.body) != content.size or response.body[:1] == b"-":
        raise WhitError(
            f"lab: {content.target}: {response.status}, {len(response.body)} octets, expected its content", 1
        )
    down = [(begin, end) for up, begin, end, length in seen if not up and length]
    acked_us = max(end for up, _, end, _ in seen if up)
    delay_us = line.delay_us
    gaps = [later - (end - delay_us) for (_, end), (later, _) in pairwise(down)]
    client.connection.close()
    line.idle(1)
    return Answered(
        response,
        down[0][0] / SECOND,
        whole_us / SECOND,
        acked_us / SECOND,
        asleep / machine.hz,
        [gap / SECOND for gap in gaps],
        len(octets),
    )


@dataclass(frozen=True)
class Profile:
    """The processor's times, from requests without a delay that are shorter than the measured ones."""

    octet_s: float  # per byte of a request: the line's time, or the time to read it if that is longer
    request_s: dict[str, float]  # from the last byte of a request to the first of the response, by content
    gap_s: dict[str, float]  # between two segments


SHORT = (330, 380)  # bytes of a request


def profile(built: BuildResult, contents: Sequence[Content]) -> Profile:
    with card(built, records(), rtt_us=0) as line:
        css = CONTENTS[1]
        firsts = [ask(line, css, request(css.target, length=length)).first_s for length in SHORT]
        octet_s = max(10 / BAUD, (firsts[1] - firsts[0]) / (SHORT[1] - SHORT[0]))
        requests, gaps = {}, {}
        for content in contents:
            answered = ask(line, content, request(content.target, length=SHORT[1]))
            requests[content.key] = answered.first_s - (SHORT[1] + 42) * octet_s
            gaps[content.key] = sum(answered.gaps_s) / len(answered.gaps_s) if answered.gaps_s else 0.0
        return Profile(octet_s, requests, gaps)


FAST_BAUD = 500_000  # a byte takes 160 cycles: the processor holds such a line by RTS
LONG = (330, 1130)  # bytes of a request; it reads what its ring holds, so a difference is exact to some ten bytes


def reading_cycles() -> float:
    """Returns the cycles per byte of a request on a line that is faster than the processor."""
    with card(avr(application(), baud=FAST_BAUD), records(), rtt_us=0) as line:
        css = CONTENTS[1]
        firsts = [ask(line, css, request(css.target, length=length)).first_s for length in LONG]
        return (firsts[1] - firsts[0]) * CLOCK_HZ / (LONG[1] - LONG[0])


def measure(built: BuildResult, contents: Sequence[Content]) -> dict[str, Answered]:
    with card(built, records()) as line:
        return {content.key: ask(line, content, request(content.target)) for content in contents}


def page(
    built: BuildResult, stored: bytes, connections: int, *, gzip: bool = False, title: str = ""
) -> tuple[float, int, Ladder | None]:
    """Returns seconds from the first SYN to the last byte, and bytes of the list. A title adds a ladder."""
    with card(built, stored) as line:
        visitor = browser(line, PAGE, windows_xp(), GZIP if gzip else "", connection_max=connections)
        watch = Watch(line, title, application=built.application) if title else None
        if watch:
            watch.begin()
        seconds = visitor.load()
        if watch:
            watch.end()
        if any(response.status != 200 for response in visitor.responses.values()):
            raise WhitError("lab: the address book's page: expected 200 for all of it", 1)
        return seconds, len(visitor.responses["/cb_extract"].body), watch.ladder() if watch else None


Contents = Callable[[str], bytes]


def contents_by_target() -> Contents:
    """Returns a model server's contents: the files, and as many bytes as the generators write."""
    files = {content.target: (ROOT / "apps" / "contacts" / FILES[content.key]) for content in CONTENTS[:4]}
    known = {target: file.read_bytes() for target, file in files.items()}
    known |= {content.target: b"c" * content.size for content in CONTENTS[4:]}
    return known.__getitem__
