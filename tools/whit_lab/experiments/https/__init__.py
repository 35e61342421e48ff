# SPDX-License-Identifier: MIT
"""Costs of HTTPS: bytes of an image and of a connection, round trips, bytes and time of the line.

The engine takes no time of its own. Strategies are compared too.
"""

import contextlib
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from whit.errors import WhitError
from whit.image.build import build
from whit.image.groups import TLS
from whit.image.sizes import CERTIFICATE, CRYPTO
from whit.image.structures import connection_octets
from whit.paths import ROOT
from whit.wire.http import Response
from whit.wire.units import MS, SECOND
from whit_lab.experiment import Bars, Beside, Figure, Found, Progress, Sheet
from whit_lab.experiments.https import peer, strategies
from whit_lab.instruments import secured
from whit_lab.instruments.exchange import datagram_len
from whit_lab.instruments.handshake import can_count, handshakes
from whit_lab.instruments.image import look
from whit_lab.instruments.secured import Secured
from whit_testbed.engine import Engine
from whit_testbed.http import Client
from whit_testbed.link import Impairment
from whit_testbed.net import Net

APPLICATION = str(ROOT / "apps" / "contacts")
PAGES = ("/", "/style.css", "/script.js", "/logo.png", "/cb_extract", "/cb_get?id=0")
DELAY_MS = 10
RTT_US = 2 * DELAY_MS * MS
RATE, PAGE_RTT_MS = 10_000, 5  # bytes a second
LOSS = 0.1
TAG = 8  # bytes
SEED = 1


def run(progress: Progress, *, reduced: bool = False) -> Iterator[Found]:
    asked = 30 if reduced else 300
    yield {"seed": SEED, "requests_under_loss": asked, "openssl": ssl.OPENSSL_VERSION}
    steps = (
        ("sizes on Cortex-M3", _sizes()),
        ("instructions of handshakes", _handshakes()),
        ("round trips", _round_trips()),
        ("the line", _line()),
        ("loss", _loss(asked)),
        ("strategies", strategies.compare()),
        ("Mbed TLS", peer.compare(reduced=reduced)),
    )
    for index, (what, step) in enumerate(steps):
        progress(what, index / len(steps))
        yield from step


def _sizes() -> Iterator[Found]:
    plain = look(APPLICATION, "cortex-m")
    secure = look(APPLICATION, "cortex-m", secured.settings())
    certificate = secure.sizes.parts[CERTIFICATE].flash
    flash, ram = secure.sizes.flash - plain.sizes.flash - certificate, secure.sizes.ram - plain.sizes.ram
    octets = connection_octets(secure.built.image)
    handshake = "of a connection beside its slot, while a hello is read and answered"
    yield Figure("https_flash_bytes_cortex_m", "flash that HTTPS adds, without certificate", flash, "B", 19_500)
    yield Figure("https_ram_bytes_cortex_m", "variables that HTTPS adds, all connections", ram, "B", 2_500)
    yield Figure("https_stack_bytes_cortex_m", "the stack, proven, with HTTPS", secure.stack, "B", 1_700)
    yield Figure("https_handshake_bytes", handshake, octets.handshake, "B", 440)
    yield Figure("https_open_bytes", "of an open connection, beside its slot", octets.opened, "B", 72)
    yield Figure("https_idle_bytes", "of an idle connection, with its tag", octets.idle + TAG, "B", 80)
    yield Beside("https_certificate_bytes", "the certificate, which is the laboratory's", certificate, "B")
    yield Beside("https_stack_added_bytes", "of it, added by HTTPS", secure.stack - plain.stack, "B")
    parts = {"cryptography": secure.sizes.parts[CRYPTO].flash, "TLS": secure.sizes.engine_groups[TLS]}
    parts["elsewhere in the image"] = flash - sum(parts.values())
    yield Bars(f"Flash of HTTPS: {flash:,} octets".replace(",", " "), "octets on Cortex-M3, -Os", parts)


HANDSHAKES = {
    "full": ("", 45.0),
    "full_prepared": ("_prepared", 5.0),
    "resumed": ("_resumed", 7.5),
    "resumed_prepared": ("_resumed_prepared", 4.5),
}
"""How the figure of each ends, and the most millions of instructions."""


def _handshakes() -> Iterator[Found]:
    """Counts handshakes, in millions of instructions. On a Cortex-M3 one takes one cycle or a few."""
    if not can_count():
        raise WhitError("lab: expected arm-none-eabi-gcc and qemu-system-arm; ./whit setup installs them")
    found = handshakes()
    for name, (end, limit) in HANDSHAKES.items():
        what, cost = f"million instructions of a handshake, {name.replace('_', ', ')}", found[name].instructions / 1e6
        yield Figure(f"https_handshake_mcycles_cortex_m{end}", what, round(cost, 2), "M", limit)
    longest = max(cost.longest_slice for name, cost in found.items() if name != "record_by_aes")  # it is no slice
    what = "instructions of the longest slice, between two of which others are served"
    yield Figure("https_slice_kcycles_cortex_m", what, round(longest / 1000, 1), "k", 500)
    what = "thousand instructions of sealing a record of 1438 octets, its key at hand"
    record, first = (round(found[name].instructions / 1000, 1) for name in ("record_again", "record"))
    yield Figure("https_record_kcycles_cortex_m", what, record, "k", 90)
    prepared = round(found["preparation"].instructions / 1e6, 2)
    yield Beside("https_preparation_mcycles_cortex_m", "million instructions that idle time does", prepared, "M")
    yield Beside("https_record_first_kcycles_cortex_m", "of a record whose key is derived for it", first, "k")
    by_aes = round(found["record_by_aes"].instructions / 1000, 1)
    yield Beside("https_record_by_aes_kcycles_cortex_m", "of a record by AES-128-GCM (https.aes)", by_aes, "k")


def _round_trips() -> Iterator[Found]:
    image = build(APPLICATION, target="inprocess", overrides=secured.settings()).image
    with Engine(image, seed=SEED, key=secured.device_key()) as engine:
        net = Net(engine, up=Impairment(delay_us=DELAY_MS * MS), seed=SEED)
        net.get(net.host().client(), "/")  # resolves addresses before the measurement
        trips = []
        session = None
        for _ in range(2):
            client = Secured(net, session=session)
            client.get("/")
            trips.append((client.first_us - client.begun_us) / RTT_US)
            if client.resumed != (session is not None):
                raise WhitError("lab: OpenSSL did not resume as it was asked to", 1)
            session = client.session
        begun = net.loop.now_us
        client.get("/style.css")
        kept = (client.first_us - begun) / RTT_US
    what = "round trips to the first octet of a response, TCP's handshake included"
    yield {"one_way_ms": DELAY_MS}
    yield Figure("https_rtts_first_octet", what, round(trips[0], 3), "RTT", 3)
    yield Beside("https_rtts_first_octet_resumed", "the same, resumed", round(trips[1], 3), "RTT")
    yield Beside("https_rtts_first_octet_kept", "of a further request on the connection", round(kept, 3), "RTT")


@dataclass
class _Load:
    """Loads all files of the address book, one after the other on a connection."""

    whole_us: int
    octets: int  # of datagrams, both ways


class _Line:
    """A link of RATE bytes a second each way, and its traffic."""

    def __init__(self, engine: Engine) -> None:
        one_way = Impairment(delay_us=PAGE_RTT_MS * MS // 2, rate=RATE)
        self.net = Net(engine, up=one_way, down=one_way, seed=SEED)
        self._octets = 0
        for link in (self.net.up, self.net.down):
            link.wire_len = datagram_len
            link.tap = self._tap

    def _tap(self, begin_us: int, frame: bytes) -> None:
        self._octets += datagram_len(frame)

    def load(self, get: Callable[[str], Response]) -> _Load:
        begun, before = self.net.loop.now_us, self._octets
        for page in PAGES:
            if (status := get(page).status) != 200:
                raise WhitError(f"lab: {page}: {status}, expected 200", 1)
        whole_us = self.net.loop.now_us - begun
        self.net.idle(2)
        return _Load(whole_us, self._octets - before)


def _line() -> Iterator[Found]:
    loads: dict[str, _Load] = {}
    image = build(APPLICATION, target="inprocess", overrides=secured.settings()).image
    with Engine(image, seed=SEED, key=secured.device_key()) as engine:
        line = _Line(engine)
        line.net.get(line.net.host().client(), "/")  # resolves addresses before the measurement
        clients: list[Client] = []

        def plain(page: str) -> Response:
            clients[:] = clients or [line.net.host().client()]
            return line.net.get(clients[0], page)

        loads["plain"], loads["plain, kept alive"] = line.load(plain), line.load(plain)
        asked: list[Secured] = []

        def secure(page: str) -> Response:
            asked[:] = asked or [Secured(line.net)]
            return asked[0].get(page)

        loads["full"], loads["kept alive"] = line.load(secure), line.load(secure)
        asked[:] = [Secured(line.net, session=asked[0].session)]
        loads["resumed"] = line.load(secure)
        if not asked[0].resumed:
            raise WhitError("lab: OpenSSL did not resume as it was asked to", 1)
    what = "address book's files on the line over the same by plain HTTP"
    limits = {"full": ("plain", 1.9), "resumed": ("plain", 1.15), "kept alive": ("plain, kept alive", 1.06)}
    yield {"octets_per_s": RATE, "rtt_ms": PAGE_RTT_MS, "targets": list(PAGES)}
    for name, (beside, limit) in limits.items():
        over = round(loads[name].whole_us / loads[beside].whole_us, 3)
        yield Figure(f"https_line_over_plain_{name.replace(' ', '_')}", f"{what}: {name}", over, "times", limit)
    rows = [[name, f"{load.whole_us / SECOND:.3f}", str(load.octets)] for name, load in loads.items()]
    yield Sheet("Files of the address book, one after the other", ["", "s", "octets of datagrams"], rows)


def _loss(cnt: int) -> Iterator[Found]:
    """Checks connections of a few requests each. Contents of all kinds are compared with those by plain HTTP."""
    image = build(APPLICATION, target="inprocess", overrides=secured.settings()).image
    whole = 0
    with Engine(image, seed=SEED, key=secured.device_key()) as engine:
        harm = Impairment(delay_us=DELAY_MS * MS, loss=LOSS)
        net = Net(engine, up=harm, down=harm, seed=SEED)
        plain = net.host("10.0.0.3").client()
        expected = {page: net.get(plain, page).body for page in PAGES}
        client = Secured(net)
        for number in range(cnt):
            if (number > 0 and number % 3 == 0) or client.has_ended:
                client = Secured(net)
            page = PAGES[number % len(PAGES)]
            with contextlib.suppress(WhitError):  # the connection ended, or was closed
                whole += client.get(page).body == expected[page]
    what = f"responses that came whole at {LOSS:.0%} loss each way"
    yield Figure("https_loss_whole_percent", what, round(100 * whole / cnt, 2), "%", least=100)
