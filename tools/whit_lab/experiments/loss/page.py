# SPDX-License-Identifier: MIT
"""The address book's files as a page, loaded by a browser over lossy hops, from the engine and from lwIP."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from whit.errors import WhitError
from whit.image.build import BuildResult, build
from whit.ladder.steps import Ladder
from whit.model.policy import AckPolicy, Options
from whit.paths import ROOT
from whit.wire.packet import Icmp, Ipv4
from whit.wire.units import MS, SECOND
from whit_lab.experiments.contacts.runs import FILES, PAGE
from whit_lab.instruments.browser import browser
from whit_lab.instruments.image import look
from whit_testbed import lwip, lwip_build
from whit_testbed.browser import Item
from whit_testbed.chain import lengthen
from whit_testbed.engine import Engine
from whit_testbed.ladder_watch import record
from whit_testbed.link import Deadlock, Impairment
from whit_testbed.lwip import Content, Lwip
from whit_testbed.net import Host, Net

APP = ROOT / "apps" / "contacts"
ITEMS: Sequence[Item] = PAGE[:4]  # without the generated list
BODIES = {item.target: (APP / name).read_bytes() for item, name in zip(ITEMS, FILES.values(), strict=True)}
RATE = 31_250  # bytes a second of a hop, each way: the 250 kbit/s of IEEE 802.15.4
PATIENCE_S = 300.0  # a page that takes longer is incomplete
CONNECTIONS = 6
OURS, LWIP, LWIP_8 = "ours", "lwIP", "lwIP, 8 segments"
SND_BUF = {LWIP: lwip.SND_BUF, LWIP_8: 8 * lwip.MSS}  # bytes
PING, ICMP = Icmp(8, 0, b"\0\1\0\1").pack(), 1


@dataclass(frozen=True)
class Way:
    """The hops from the browser to the server. Each has this round trip, and loses this share of the frames each
    way."""

    rtt_ms: int
    loss: float
    hops: int = 1

    @property
    def end_to_end(self) -> float:
        """Lost share of the frames, each way."""
        return 1 - (1 - self.loss) ** self.hops

    @property
    def hop(self) -> Impairment:
        return Impairment(delay_us=self.rtt_ms * MS // 2, rate=RATE, loss=self.loss)


@dataclass(frozen=True)
class Loaded:
    """Times of a page. Charges in byte seconds, until it is complete."""

    seconds: float  # PATIENCE_S if it is incomplete
    complete: bool
    again_cnt: int  # requests that were repeated on another connection
    opened_s: float  # until the first connection was open
    kept_bs: float  # of memory kept for responses
    connections_bs: float  # of a connection's other memory; for Whit the upper bound

    @property
    def charge_bs(self) -> float:
        return self.kept_bs + self.connections_bs


@dataclass(frozen=True)
class Servers:
    """The two compared servers. Sizes are those of a Cortex-M3, in bytes."""

    built: BuildResult
    library: Path
    slot: int
    tag: int
    elements: dict[str, int] | None  # of lwIP's pools

    def load(self, name: str, way: Way, seed: int) -> Loaded:
        if name == OURS:
            with Engine(self.built.image, seed=seed) as engine:
                page = Page(Net(engine, up=way.hop, seed=seed), way, seed)
                page.load()
                every = (self.slot + self.tag) * len(page.host.connections)
                return page.loaded(engine.meter.charge[0], every * page.seconds)
        with self.lwip(SND_BUF[name]) as server:
            page = Page(Net(server, up=way.hop, seed=seed), way, seed)
            before = server.charge_bs, server.connections_bs
            page.load()
            return page.loaded(server.charge_bs - before[0], server.connections_bs - before[1])

    def lwip(self, snd_buf: int) -> Lwip:
        contents = {target: Content(body) for target, body in BODIES.items()}
        return Lwip(self.library, contents, snd_buf=snd_buf, sizes=self.elements)


def servers() -> Servers:
    sizes = look(APP, "cortex-m")
    built = build(APP, target="inprocess", meter=True)
    return Servers(built, lwip_build.shared_object(), sizes.slot, sizes.idle, lwip_build.sizes_32())


def options() -> Options:
    return Options(ack=AckPolicy.LINUX, rto_min=200 * MS)


class Page:
    """A browser with an empty cache. Both sides know each other's MAC address."""

    def __init__(self, net: Net, way: Way, seed: int, items: Sequence[Item] = ITEMS) -> None:
        self.host = net.host()
        _meet(net, self.host)
        lengthen(net, way.hops - 1, way.hop, seed)
        self._net, self._items = net, items
        self._begin_us = net.loop.now_us
        self.seconds, self.complete = PATIENCE_S, False
        self.browser = browser(net, items, options(), connection_max=CONNECTIONS, late=True)

    def load(self) -> None:
        self._begin_us = self._net.loop.now_us
        try:
            seconds = self.browser.load(for_s=PATIENCE_S)
        except Deadlock:
            return
        if self.browser.failed:
            return
        for item in self._items:
            response = self.browser.responses[item.target]
            if response.status != 200 or response.body != BODIES[item.target]:
                raise WhitError(f"lab: {item.target}: {response.status}, expected its content", 1)
        self.seconds, self.complete = seconds, True

    def loaded(self, kept_bs: float, connections_bs: float) -> Loaded:
        opened_us = [one.opened_us - self._begin_us for one in self.host.connections.values() if one.opened_us]
        opened_s = min(opened_us) / SECOND if opened_us else PATIENCE_S
        return Loaded(self.seconds, self.complete, self.browser.again_cnt, opened_s, kept_bs, connections_bs)


def _meet(net: Net, host: Host) -> None:
    """Exchanges an echo over a hop without loss."""
    hop = net.up.impairment
    net.up.impairment = net.down.impairment = replace(hop, loss=0.0)
    host.send_datagram(Ipv4(host.address, net.engine.identity.address, ICMP, PING).pack())
    net.idle(5)
    if not host.datagrams:
        raise WhitError("lab: the server does not answer an echo", 1)
    net.up.impairment = net.down.impairment = hop


def ladder(servers: Servers, way: Way, seed: int, title: str) -> Ladder:
    """Returns the ladder of the page with its picture alone."""
    with Engine(servers.built.image, seed=seed) as engine:
        net = Net(engine, up=way.hop, seed=seed)
        page = Page(net, way, seed, (ITEMS[0], ITEMS[3]))
        act: Callable[[], None] = page.load
        return record(net, title, act, application=servers.built.application)
