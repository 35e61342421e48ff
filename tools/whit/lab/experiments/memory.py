# SPDX-License-Identifier: MIT
"""RAM and flash of whole servers on three devices, as the papers' tables have them."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from whit.build import BuildResult, build
from whit.cost import SLOTS, TAGS
from whit.errors import WhitError
from whit.lab.experiment import Experiment, Figure, Progress, Result, Row, Series, Sheet, Stacks
from whit.lab.experiments.footprint import BUTTONS, COMPILERS, CONTACTS, SMALLEST, Footprint, look, static_application
from whit.lab.papers import DYNAWEB_CONNECTION, FUNCARD, SMEWS_CONNECTION, SMEWS_S3_BUFFER, TABLE6
from whit.machines import why_no_machine
from whit.painted import PAINTED, painted_stack
from whit.sim.engine import Engine
from whit.sim.link import MS, Impairment
from whit.sim.net import Net
from whit.sizes import ENGINE, FILES, HANDLERS, LIBRARY, PORT, WORDS, part_of, read_map

SLOT_MAX, IDLE_MAX = 32, 8  # octets
ALONE: Mapping[str, object] = {**SMALLEST, "connections": 1, "idle": 2, "buffer": 0, "link.local": True}
SETTINGS: Mapping[str, Mapping[str, object]] = {"buttons": {}, "files": ALONE, "contacts": SMALLEST}
"""By application: the papers' console, a server of files for one visitor, the papers' address book with four slots."""
NAMES = {"gba": "console", "avr": "AVR", "cortex-m": "Cortex-M3"}
REDUCED = (("buttons", "gba"), ("contacts", "avr"))
SERVER = (ENGINE, LIBRARY, PORT)  # what the papers count: without the application
ASKED = ("cb_extract", "cb_get?id=0", "cb_add?name=Ada&phone=1&mail=a")


@dataclass(frozen=True)
class Measured:
    """An image, in octets."""

    built: BuildResult
    footprint: Footprint
    ro_data: int  # of the server
    painted: int | None  # stack that it used; None: nobody looked

    @property
    def variables(self) -> int:
        return self.footprint.sizes.ram

    @property
    def flash(self) -> int:
        return sum(self.footprint.sizes.parts[part].flash for part in SERVER)

    @property
    def slot(self) -> float:
        return self._objects(SLOTS) / self.built.application.limits.connections

    @property
    def idle(self) -> float:
        return self._objects(TAGS) / self.built.application.limits.idle

    def _objects(self, symbol: str) -> int:
        return self.footprint.sizes.engine_objects[symbol]


@dataclass(frozen=True)
class MemoryExperiment:
    """Images are built and looked at. Those of two emulated devices answer everything once, for their stack's paint."""

    name: str = "memory"
    title: str = "RAM and flash of whole servers, beside the papers'"
    answers_to: str = "What do a server, a connection and what is in flight take of a small device's memory?"
    paper: str = "000 Table 6; 001 section 5.2"
    rows: Sequence[str] = ("D1", "D9", "D10", "D11", "D22", "D28", "S17", "S24", "S26")
    seconds: int = 60

    def run(self, progress: Progress, *, reduced: bool = False) -> Result:
        for target, (program, packages) in COMPILERS.items():
            if shutil.which(program) is None:
                raise WhitError(f"lab: {program} not found, for {target}; install it with: apt-get install {packages}")
        wanted = REDUCED if reduced else [(name, target) for name in SETTINGS for target in NAMES]
        measured: dict[tuple[str, str], Measured] = {}
        for index, (name, target) in enumerate(wanted):
            progress(f"{name}, {NAMES[target]}", index / len(wanted))
            measured[name, target] = _measure(name, target, painted=not reduced or target == "avr")
        held = _held()
        progress("done", 1.0)
        return Result(
            _settings(measured),
            _figures(measured),
            _series(measured),
            compared=[*_images(measured), *_connections(measured), *_buffer(held)],
            sheets=[_sheet(measured), _held_sheet(held)],
            notes=NOTES,
        )


def _application(name: str) -> Path:
    return {"buttons": BUTTONS, "contacts": CONTACTS}.get(name) or static_application()


def _measure(name: str, target: str, *, painted: bool) -> Measured:
    settings = SETTINGS[name]
    built = build(
        _application(name), target=target, link="slip", overrides=settings, optimize="-Os", check_budget=False
    )
    can = painted and target in PAINTED and not why_no_machine(target)
    return Measured(built, look(built), _ro_data(built), painted_stack(built) if can else None)


def _ro_data(built: BuildResult) -> int:
    """Constants of the server; HTTP's words are among them, which the application compiler writes."""
    constants = [s for s in read_map(built.map) if s.name.startswith((".rodata", ".progmem"))]
    return sum(s.size for s in constants if part_of(s.object_file) in SERVER or s.name.endswith(WORDS))


def _held() -> dict[str, tuple[int, ...]]:
    """By request to the address book: octets of the shared buffer that were held at most for content, for points, for
    arguments; heads of blocks included."""
    image = build(CONTACTS, target="inprocess", meter=True).image
    held = {}
    for target in ASKED:
        with Engine(image) as engine:
            net = Net(engine, up=Impairment(delay_us=5 * MS))
            net.get(net.host().client(), f"/{target}")
            held[target.partition("?")[0]] = engine.meter.held_max
    return held


# ---------------------------------------------------------------- what is shown


def _settings(measured: Mapping[tuple[str, str], Measured]) -> dict[str, object]:
    return {
        "optimize": "-Os",
        "link": "slip",
        "images": [f"{name}, {NAMES[target]}" for name, target in measured],
        "buttons": "as its app.toml says: one slot",
        "files": dict(ALONE),
        "contacts": dict(SMALLEST),
        "stack": "proven from the image; painted: used while everything was asked for once",
        "flash": "the server with its driver, start-up and the C library's part, as the papers have it; no application",
    }


def _figures(measured: Mapping[tuple[str, str], Measured]) -> list[Figure]:
    slot = max(one.slot for one in measured.values())
    idle = max(one.idle for one in measured.values())
    what = "RAM of a connection with a request being received or a response in flight"
    return [
        Figure("slot_bytes", what, slot, "B", SLOT_MAX),
        Figure("idle_bytes", "RAM of an idle kept-alive connection", idle, "B", IDLE_MAX),
    ]


def _images(measured: Mapping[tuple[str, str], Measured]) -> list[Row]:
    """Each image beside the papers' servers that do such a thing on such a processor."""
    beside = {
        ("buttons", "gba"): ("dynaWeb", "uIP, MSS 200", "uIP, MSS 1460"),
        ("files", "gba"): ("miniWeb", "uIP, MSS 200", "uIP, MSS 1460"),
    }
    rows = []
    for key, servers in beside.items():
        for server in servers if key in measured else ():
            one, theirs = measured[key], TABLE6[server]
            what, source = f"{key[0]}, {NAMES[key[1]]}", f"000 Table 6, {server}"
            rows += [
                Row(f"{what}: variables", one.variables, theirs.globals, "B", source),
                Row(f"{what}: stack", one.footprint.stack, theirs.stack, "B", source),
                Row(f"{what}: RAM", one.footprint.ram, theirs.ram, "B", source),
                Row(f"{what}: flash", one.flash, theirs.rom, "B", source),
            ]
    for key, server in ((("contacts", "avr"), "Smews"), (("contacts", "avr"), "uIP"), (("files", "avr"), "Miniweb")):
        if key in measured:
            one, (ram, rom) = measured[key], FUNCARD[server]
            what, source = f"{key[0]}, {NAMES[key[1]]}", f"001 section 5.2, {server}"
            rows += [
                Row(f"{what}: variables", one.variables, ram, "B", source),
                Row(f"{what}: RAM", one.footprint.ram, ram, "B", source),
                Row(f"{what}: flash", one.flash, rom, "B", source),
            ]
    return rows


def _connections(measured: Mapping[tuple[str, str], Measured]) -> list[Row]:
    slot = max(one.slot for one in measured.values())
    idle = max(one.idle for one in measured.values())
    return [
        Row(f"connection, {what}", ours, theirs, "B", source)
        for what, ours in (("in use", slot), ("idle", idle))
        for theirs, source in (
            (DYNAWEB_CONNECTION, "000 section 5.2.2, dynaWeb"),
            (SMEWS_CONNECTION, "001 section 4.4.1, Smews: around"),
        )
    ]


def _buffer(held: Mapping[str, tuple[int, ...]]) -> list[Row]:
    source = "001 section 5.1, Smews: fixed"
    return [Row("kept of cb_add's answer", held["cb_add"][0], SMEWS_S3_BUFFER, "B", source)]


def _sheet(measured: Mapping[tuple[str, str], Measured]) -> Sheet:
    columns = ["server", "globals", "stack", "painted", "RAM", "code", "RO data", "flash", "application", "files"]
    rows = []
    for (name, target), one in measured.items():
        parts = one.footprint.sizes.parts
        octets = [one.variables, one.footprint.stack, one.painted, one.footprint.ram]
        octets += [one.flash - one.ro_data, one.ro_data, one.flash, parts[HANDLERS].flash, parts[FILES].flash]
        rows.append([f"{name}, {NAMES[target]}", *("–" if one is None else str(one) for one in octets)])
    for server, theirs in TABLE6.items():
        octets = [theirs.globals, theirs.stack, None, theirs.ram, theirs.code, theirs.ro_data, theirs.rom, None, None]
        rows.append([f"{server} (000)", *("–" if one is None else str(one) for one in octets)])
    for server, (ram, rom) in FUNCARD.items():
        rows.append([f"{server}, AVR (001)", "–", "–", "–", str(ram), "–", "–", str(rom), "–", "–"])
    return Sheet("RAM and flash in octets (000 Table 6, 001 section 5.2)", columns, rows)


def _held_sheet(held: Mapping[str, tuple[int, ...]]) -> Sheet:
    rows = [[name, *map(str, octets)] for name, octets in held.items()]
    columns = ["request", "content", "rerun points", "arguments, input"]
    return Sheet("The address book's shared buffer: octets held at most", columns, rows)


def _series(measured: Mapping[tuple[str, str], Measured]) -> list[Series]:
    ram: dict[str, Mapping[str, float]] = {}
    flash: dict[str, Mapping[str, float]] = {}
    for (name, target), one in measured.items():
        ram[f"{name}, {NAMES[target]}"] = {part: octets for part, octets in one.footprint.ram_parts.items() if octets}
        flash[f"{name}, {NAMES[target]}"] = {"code": one.flash - one.ro_data, "constants": one.ro_data}
    for server, theirs in TABLE6.items():
        ram[f"{server} (000)"] = {"stack": theirs.stack, "all variables": theirs.globals}
        flash[f"{server} (000)"] = {"code": theirs.code, "constants": theirs.ro_data}
    for server, (octets, rom) in FUNCARD.items():
        ram[f"{server}, AVR (001)"] = {"not told apart": octets}
        flash[f"{server}, AVR (001)"] = {"not told apart": rom}
    return [
        Stacks("RAM, stack included", "octets", ram),
        Stacks("Flash of the server, without the application", "octets", flash),
    ]


NOTES = (
    "RAM is worse than dynaWeb's, miniWeb's and Smews': most of it is stack, much of it for spans and headers "
    "of the frame that is on its way (DESIGN.md, section 9). The papers painted their stacks; ours is the proven worst "
    "case, with what was used of it beside.",
    "Flash is worse than dynaWeb's, miniWeb's and Smews', and on AVR than uIP's in 001 too: see the experiment "
    "functions for what they leave out. Less than uIP's is only that of the console, beside 000's uIP on ARM.",
    "What 001's 200 octets of RAM contain, and whether its stack is among them, the paper does not say.",
    "No setting of an image is an MSS: the same variables serve any, where uIP's grow from 1 kB to 3.6 kB.",
)

EXPERIMENT: Experiment = MemoryExperiment()
