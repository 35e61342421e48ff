# SPDX-License-Identifier: MIT
"""The console's buttons in a browser: initial load and service time of INRIA RT-0349 (dynaWeb), Table 4."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from whit.errors import WhitError
from whit.image.build import BuildResult, build
from whit.ladder.steps import Ladder
from whit.model.policy import Options, linux, windows_xp
from whit.paths import ROOT
from whit.wire.units import MS
from whit_lab import papers
from whit_lab.experiment import Bars, Figure, Found, Progress, Row, against
from whit_lab.instruments import models
from whit_lab.instruments.browser import browser
from whit_lab.instruments.device import powered
from whit_lab.instruments.instructions import REQUEST_LEN, request
from whit_lab.instruments.served import application_of
from whit_testbed.browser import Browser, Item
from whit_testbed.engine import Engine
from whit_testbed.http import Client
from whit_testbed.ladder_watch import Watch
from whit_testbed.link import Impairment
from whit_testbed.machine import Line
from whit_testbed.net import Net

BAUD = 115_200
CLIENTS: Mapping[str, Callable[[], Options]] = {"xp": windows_xp, "linux": linux}
NAMES = {"xp": "Windows XP, IE 6", "linux": "Linux, Firefox 2"}
SIZES = {"index.html": 1946, "script.js": 1741}  # bytes: 1.9 and 1.7 KB
STATE = "/buttons"
STATE_LEN = 2
PAGE = (Item("/"), Item("/script.js", ("/",)))
SEED = 1
PAUSE_MS = 40  # from an answer to the next request, as in apps/buttons
ASKED, FEW = 20, 5
SAVE_LEN = 32768  # bytes of a cartridge's save memory; the last ones are its seed
CARTRIDGE = bytes(range(16))  # the same for each run; a new cartridge has its own
RATES = {"11.52 kB/s": 11_520, "14.4 kB/s": 14_400}  # of the model servers' line; the first is the console's


@dataclass(frozen=True)
class Times:
    """Times in ms."""

    load: float
    service: Sequence[float]

    @property
    def slowest(self) -> float:
        return max(self.service)


def run(progress: Progress, *, reduced: bool = False) -> Iterator[Found]:
    asked = FEW if reduced else ASKED
    progress("building", 0.0)
    built = console()
    ours: dict[str, Times] = {}
    for name in CLIENTS:
        progress(NAMES[name], 0.5)
        ours[name], ladder = on_console(built, CLIENTS[name](), asked, f"Load and first state: {NAMES[name]}")
        yield ladder
    progress("model servers", 0.8)
    peers = {
        (client, rate): one_in_flight(CLIENTS[client](), RATES[rate], asked, SEED)
        for client in CLIENTS
        for rate in RATES
    }
    settings = {"files": SIZES, "request_octets": REQUEST_LEN, "asked": asked, "seed": SEED}
    yield settings
    yield from _figures(ours)
    yield from _rows(ours, peers)
    yield from _series(ours, peers)


# ---------------------------------------------------------------- runs


def console() -> BuildResult:
    """Builds apps/buttons with the papers' sizes."""
    files = {path.name: path.read_bytes() for path in (ROOT / "apps" / "buttons").iterdir()}
    files |= {name: files[name].ljust(size, b"\n") for name, size in SIZES.items()}
    return build(application_of("buttons", files), target="gba", overrides={"link.baud": BAUD}, check_budget=False)


def on_console(built: BuildResult, options: Options, asked: int, title: str) -> tuple[Times, Ladder]:
    with powered(built, b"\xff" * (SAVE_LEN - len(CARTRIDGE)) + CARTRIDGE) as line:
        visitor = browser(line, PAGE, options)
        with Watch(line, title, application=built.application) as watch:
            load = 1000 * visitor.load()
            service = [_state(line, visitor.clients[0])]
        line.idle(PAUSE_MS / 1000)
        for _ in range(asked - 1):
            service.append(_state(line, visitor.clients[0]))
            line.idle(PAUSE_MS / 1000)
        _expect(visitor)
        return Times(round(load, 2), [round(ms, 2) for ms in service]), watch.ladder()


def _state(line: Line, client: Client) -> float:
    """Returns the service time on the open connection."""
    begin_us = line.loop.now_us
    client.send(request(STATE))
    line.run(client)
    if len(client.responses[-1].body) != STATE_LEN:
        raise WhitError(f"lab: {STATE}: {client.responses[-1].status}, expected {STATE_LEN} octets", 1)
    return (line.loop.now_us - begin_us) / MS


def one_in_flight(options: Options, rate: int, asked: int, seed: int) -> Times:
    """Returns the times of uIP's model: each answer has a connection of its own, and ends with it."""
    sizes = {"/": SIZES["index.html"], "/script.js": SIZES["script.js"], STATE: STATE_LEN}
    server = models.uip(lambda target: b"x" * sizes[target])
    net = Net(cast(Engine, server), up=Impairment(rate=rate), seed=seed)
    visitor = browser(net, PAGE, options)
    load = 1000 * visitor.load()
    _expect(visitor)
    net.idle(1)
    service = []
    for _ in range(asked):
        begin_us = net.loop.now_us
        client = net.host().client(options)
        client.send(request(STATE))
        net.run(client)
        service.append((net.loop.now_us - begin_us) / MS)
        client.connection.close()
        net.idle(PAUSE_MS / 1000)
    return Times(round(load, 2), [round(ms, 2) for ms in service])


def _expect(browser: Browser) -> None:
    for target, name in (("/", "index.html"), ("/script.js", "script.js")):
        response = browser.responses[target]
        if response.status != 200 or len(response.body) != SIZES[name]:
            raise WhitError(f"lab: {target}: {response.status}, {len(response.body)} octets; expected its content", 1)


# ---------------------------------------------------------------- what is shown


def _figures(ours: Mapping[str, Times]) -> Iterator[Figure]:
    for name, times in ours.items():
        load, service = papers.DYNAWEB_TABLE4_MS[name]
        what = f"{NAMES[name]}: initial load (dynaWeb: {load})"
        yield Figure(f"load_{name}_ms", what, times.load, "ms", load)
        what = f"{NAMES[name]}: service time, the slowest (dynaWeb: {service})"
        yield Figure(f"service_{name}_ms", what, times.slowest, "ms", service)


def _rows(ours: Mapping[str, Times], peers: Mapping[tuple[str, str], Times]) -> Iterator[Row]:
    for name, times in ours.items():
        tables = {"dynaWeb": papers.DYNAWEB_TABLE4_MS, "uIP": papers.UIP_TABLE4_MS}
        theirs: dict[str, tuple[float, float]] = {f"000 Table 4, {x}": table[name] for x, table in tables.items()}
        for rate in RATES:
            one = peers[name, rate]
            theirs[f"one in flight (model of uIP), {rate}, same run"] = one.load, one.slowest
        loads = {source: load for source, (load, _) in theirs.items()}
        yield from against(f"initial load, {NAMES[name]}", times.load, "ms", loads)
        services = {source: service for source, (_, service) in theirs.items()}
        yield from against(f"service time, {NAMES[name]}", times.slowest, "ms", services)
    for (name, rate), one in peers.items():
        load, service = papers.UIP_TABLE4_MS[name]
        label = f"model of uIP, {rate}, {NAMES[name]}"
        yield Row(f"{label}: load", one.load, load, "ms", "000 Table 4, uIP", "near")
        yield Row(f"{label}: service", one.slowest, service, "ms", "000 Table 4, uIP", "near")


def _series(ours: Mapping[str, Times], peers: Mapping[tuple[str, str], Times]) -> Iterator[Bars]:
    loads, services = {}, {}
    first = next(iter(RATES))
    for name, times in ours.items():
        client = "XP" if name == "xp" else "Linux"
        for label, (load, service) in {
            "ours": (times.load, times.slowest),
            "dynaWeb (000)": papers.DYNAWEB_TABLE4_MS[name],
            "uIP (000)": papers.UIP_TABLE4_MS[name],
            "one in flight, run": (peers[name, first].load, peers[name, first].slowest),
        }.items():
            loads[f"{label}, {client}"], services[f"{label}, {client}"] = load, service
    yield Bars("Initial load: 1.9 KB page, 1.7 KB script", "milliseconds", loads)
    yield Bars("Service time: 2 octets", "milliseconds", services)
