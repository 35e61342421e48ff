# SPDX-License-Identifier: MIT
"""RAM and flash of whole servers on three devices, in the papers' tables, and against our own bounds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from whit.errors import WhitError
from whit.image.build import build
from whit.image.sizes import ENGINE, FILES, HANDLERS, LIBRARY, PORT, WORDS, part_of, read_map
from whit.machines.machines import why_no_machine
from whit.paths import ROOT
from whit.wire.units import MS
from whit_lab.experiment import Figure, Found, Progress, Row, Sheet, Stacks, against
from whit_lab.instruments import shipped
from whit_lab.instruments.image import Footprint, look
from whit_lab.instruments.served import application_of
from whit_lab.papers import DYNAWEB_CONNECTION, FUNCARD, SMEWS_CONNECTION, SMEWS_S3_BUFFER, TABLE6
from whit_testbed import lwip_build
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment
from whit_testbed.net import Net
from whit_testbed.painted import PAINTED, painted_stack

CONTACTS, BUTTONS = ROOT / "apps" / "contacts", ROOT / "apps" / "buttons"
STATIC_FILES = ("index.html", "style.css", "script.js", "logo.png")  # of the address book
SLOT_MAX, IDLE_MAX = 32, 8  # bytes
SMALL: Mapping[str, object] = {"counter_bits": 0, "ping": False, "recovery": "small"}
"""Of a device at the end of one slow line: nobody reads its counters, or asks whether it is there."""
LEFT_OUT: Mapping[str, object] = {
    **SMALL, "connections": 1, "idle": 0, "entity_tags": False, "replay": False, "pipelining": False
}  # fmt: skip
"""All that app.toml can leave out."""
SMALLEST: Mapping[str, object] = {**SMALL, "connections": 4, "idle": 4, "buffer": 128}
ALONE: Mapping[str, object] = {**SMALLEST, "connections": 1, "idle": 2, "buffer": 0, "link.local": True}
SETTINGS: Mapping[str, Mapping[str, object]] = {"buttons": {}, "files": ALONE, "contacts": SMALLEST}
"""By application: the papers' console, a server of files for one visitor, the papers' address book with four slots."""
NAMES = {"gba": "console", "avr": "AVR", "cortex-m": "Cortex-M3"}
Key = tuple[str, str]  # application, target
CONSOLE, CARD = ("buttons", "gba"), ("contacts", "avr")
FILES_ALONE, BOOK = ("files", "cortex-m"), ("contacts", "cortex-m")
REDUCED = (CONSOLE, CARD)
SERVER = (ENGINE, LIBRARY, PORT)  # the papers count these, without the application
ASKED = ("cb_extract", "cb_get?id=0", "cb_add?name=Ada&phone=1&mail=a")
# Bounds of all RAM, and of the engine's flash with the settings SMALL, then LEFT_OUT.
RAM_MAX = {CONSOLE: ("buttons_ram_bytes_gba", 450), CARD: ("contacts_ram_bytes_avr", 640)}
FLASH_MAX: Mapping[Key, tuple[str, int]] = {
    ("files", "cortex-m"): ("static_flash_bytes_cortex_m", 7900),
    ("contacts", "cortex-m"): ("contacts_flash_bytes_cortex_m", 11_300),
    CARD: ("contacts_flash_bytes_avr", 17_400),
}
LEAST_MAX = {("files", "cortex-m"): 6600, ("contacts", "cortex-m"): 9200, CARD: 13_600}
FLASH_NAMES = {
    ("files", "cortex-m"): "flash, files only, Cortex-M3",
    ("contacts", "cortex-m"): "flash, address book, Cortex-M3",
    CARD: "flash, address book, AVR",
}


@dataclass(frozen=True)
class Image:
    """Sizes of an image, in bytes."""

    footprint: Footprint
    ro_data: int  # constants of the server, HTTP's words among them
    painted: int | None  # used stack; None: not measured

    @property
    def variables(self) -> int:
        return self.footprint.sizes.ram

    @property
    def flash(self) -> int:
        return sum(self.footprint.sizes.parts[part].flash for part in SERVER)


Images = Mapping[Key, Image]


def run(progress: Progress, *, reduced: bool = False) -> Iterator[Found]:
    """Builds images and measures them. Those of two emulated devices answer every request once, for their stack's
    paint."""
    wanted = REDUCED if reduced else [(name, target) for name in SETTINGS for target in NAMES]
    images: dict[Key, Image] = {}
    for index, key in enumerate(wanted):
        progress(_named(key), index / len(wanted))
        images[key] = _measure(key, painted=not reduced or key == CARD)
    progress("flash", 0.9)
    small = {key: look(_application(key[0]), key[1], SMALL, link="slip") for key in FLASH_MAX}
    least = {key: look(_application(key[0]), key[1], LEFT_OUT, link="slip") for key in LEAST_MAX}
    held = _held()
    yield {"images": list(map(_named, images)), "contacts": dict(SMALLEST), "files": dict(ALONE), "flash": dict(SMALL)}
    yield from _figures(images, small, least)
    yield from shipped.figures()
    yield from _images(images)
    yield from _public(images, small, least)
    yield Row("kept of cb_add's answer", held["cb_add"][0], SMEWS_S3_BUFFER, "B", "001 section 5.1, Smews: fixed")
    yield from (_sheet(images), _small_sheet(small, least), _held_sheet(held))
    yield from _series(images, small)


def _named(key: Key) -> str:
    return f"{key[0]}, {NAMES[key[1]]}"


def _application(name: str) -> Path:
    """Returns the application. files: the address book's, without generators."""
    if name == "files":
        return application_of("static", {file: (CONTACTS / file).read_bytes() for file in STATIC_FILES})
    return BUTTONS if name == "buttons" else CONTACTS


def _measure(key: Key, *, painted: bool) -> Image:
    name, target = key
    footprint = look(_application(name), target, SETTINGS[name], link="slip")
    can = painted and target in PAINTED and not why_no_machine(target)
    constants = [s for s in read_map(footprint.built.map) if s.name.startswith((".rodata", ".progmem"))]
    ro_data = sum(s.size for s in constants if part_of(s.object_file) in SERVER or s.name.endswith(WORDS))
    return Image(footprint, ro_data, painted_stack(footprint.built) if can else None)


def _held() -> dict[str, tuple[int, ...]]:
    """Returns the most bytes of the shared buffer held for each request to the address book.

    They are counted for content, for points and for arguments; heads of blocks are included.
    """
    image = build(CONTACTS, target="inprocess", meter=True).image
    held = {}
    for target in ASKED:
        with Engine(image) as engine:
            net = Net(engine, up=Impairment(delay_us=5 * MS))
            net.get(net.host().client(), f"/{target}")
            held[target.partition("?")[0]] = engine.meter.held_max
    return held


def _figures(images: Images, small: Mapping[Key, Footprint], least: Mapping[Key, Footprint]) -> Iterator[Figure]:
    slot, idle = _slot_and_idle(images)
    what = "RAM of a connection with a request being received or a response in flight"
    yield Figure("slot_bytes", what, slot, "B", SLOT_MAX)
    yield Figure("idle_bytes", "RAM of an idle kept-alive connection", idle, "B", IDLE_MAX)
    for key, (name, limit) in RAM_MAX.items():
        yield Figure(name, f"{_named(key)}: all variables and the stack", images[key].footprint.ram, "B", limit)
    for key, (name, limit) in FLASH_MAX.items():
        yield Figure(name, f"{_named(key)}: the engine's flash", small[key].engine_flash, "B", limit)
    for key, limit in LEAST_MAX.items():
        name, what = f"{FLASH_MAX[key][0]}_least", f"{_named(key)}: the same, all left out"
        yield Figure(name, what, least[key].engine_flash, "B", limit)


def _slot_and_idle(images: Images) -> tuple[int, int]:
    """Returns the largest sizes."""
    looks = [one.footprint for one in images.values()]
    return max(one.slot for one in looks), max(one.idle for one in looks)


def _images(images: Images) -> Iterator[Row]:
    """Yields each image beside the papers' servers with these functions on such a processor."""
    for key, server in {CONSOLE: "dynaWeb", ("files", "gba"): "miniWeb"}.items():
        beside = {f"000 Table 6, {one}": TABLE6[one] for one in (server, "uIP, MSS 200", "uIP, MSS 1460")}
        for source, theirs in beside.items() if key in images else ():
            yield from _image(key, images[key], source, theirs.globals, theirs.stack, theirs.ram, theirs.rom)
    for key, server in ((CARD, "Smews"), (CARD, "uIP"), (("files", "avr"), "Miniweb")):
        if key in images:
            ram, rom = FUNCARD[server]
            yield from _image(key, images[key], f"001 section 5.2, {server}", ram, None, ram, rom)


def _image(key: Key, one: Image, source: str, variables: int, stack: int | None, ram: int, flash: int) -> list[Row]:
    ours = {"variables": one.variables, "stack": one.footprint.stack, "RAM": one.footprint.ram, "flash": one.flash}
    theirs = zip(ours.items(), (variables, stack, ram, flash), strict=True)
    return [
        Row(f"{_named(key)}: {what}", octets, value, "B", source)
        for (what, octets), value in theirs
        if value is not None
    ]


def _public(images: Images, small: Mapping[Key, Footprint], least: Mapping[Key, Footprint]) -> Iterator[Row | str]:
    """Yields Whit beside papers' figures of such servers, and beside lwIP, which is built here."""
    miniweb = {"000 Table 6, miniWeb: one fixed connection": TABLE6["miniWeb"].ram}
    yield from against("RAM, one connection, ARM7", images[CONSOLE].footprint.ram, "B", miniweb)
    lwip: Mapping[str, int] = {}
    try:
        lwip = {f"lwIP {lwip_build.VERSION} with its web server, files only, built here": lwip_build.device_flash()}
    except WhitError as lacks:
        yield f"No row of lwIP's flash: {lacks}."
    uip = {"001 section 5.2, uIP with its web server": FUNCARD["uIP"][1]}
    for some, words in ((small, ""), (least, ", all left out")):
        for key, others in {FILES_ALONE: lwip, BOOK: lwip, CARD: uip}.items():
            yield from against(f"{FLASH_NAMES[key]}{words}", some[key].engine_flash, "B", others)
    theirs = {
        "000 section 5.2.2, dynaWeb": DYNAWEB_CONNECTION,
        "001 section 4.4.1, Smews: around": SMEWS_CONNECTION,
    }
    for octets, words in zip(_slot_and_idle(images), ("in use", "idle"), strict=True):
        yield from against(f"connection, {words}", octets, "B", theirs)


def _cells(octets: Sequence[int | None]) -> list[str]:
    return ["–" if one is None else str(one) for one in octets]


def _sheet(images: Images) -> Sheet:
    columns = ["server", "globals", "stack", "painted", "RAM", "code", "RO data", "flash", "application", "files"]
    rows = []
    for key, one in images.items():
        parts = one.footprint.sizes.parts
        octets = [one.variables, one.footprint.stack, one.painted, one.footprint.ram]
        octets += [one.flash - one.ro_data, one.ro_data, one.flash, parts[HANDLERS].flash, parts[FILES].flash]
        rows.append([_named(key), *_cells(octets)])
    for server, theirs in TABLE6.items():
        octets = [theirs.globals, theirs.stack, None, theirs.ram, theirs.code, theirs.ro_data, theirs.rom, None, None]
        rows.append([f"{server} (000)", *_cells(octets)])
    for server, (ram, rom) in FUNCARD.items():
        rows.append([f"{server}, AVR (001)", *_cells([None, None, None, ram, None, None, rom, None, None])])
    return Sheet("RAM and flash in octets (000 Table 6, 001 section 5.2)", columns, rows)


def _small_sheet(small: Mapping[Key, Footprint], least: Mapping[Key, Footprint]) -> Sheet:
    images = {_named(key): one for key, one in small.items()}
    images |= {f"{_named(key)}, all left out": one for key, one in least.items()}
    groups = list(dict.fromkeys(group for one in images.values() for group in one.flash))
    beside = {"application": HANDLERS, "files": FILES, "start-up, driver": PORT}
    rows = []
    for name, one in images.items():
        octets = [one.flash.get(group, 0) for group in groups]
        octets += [one.sizes.parts[part].flash for part in beside.values()]
        rows.append([name, *map(str, octets), str(one.sizes.flash)])
    return Sheet("Flash of the engine, and beside it, in octets", ["image", *groups, *beside, "all of it"], rows)


def _held_sheet(held: Mapping[str, tuple[int, ...]]) -> Sheet:
    rows = [[name, *map(str, octets)] for name, octets in held.items()]
    columns = ["request", "content", "rerun points", "arguments, input"]
    return Sheet("The address book's shared buffer: octets held at most", columns, rows)


def _series(images: Images, small: Mapping[Key, Footprint]) -> Iterator[Stacks]:
    ram: dict[str, Mapping[str, float]] = {}
    flash: dict[str, Mapping[str, float]] = {}
    for key, one in images.items():
        ram[_named(key)] = {part: octets for part, octets in one.footprint.ram_parts.items() if octets}
        flash[_named(key)] = {"code": one.flash - one.ro_data, "constants": one.ro_data}
    for server, theirs in TABLE6.items():
        ram[f"{server} (000)"] = {"stack": theirs.stack, "all variables": theirs.globals}
        flash[f"{server} (000)"] = {"code": theirs.code, "constants": theirs.ro_data}
    for server, (octets, rom) in FUNCARD.items():
        ram[f"{server}, AVR (001)"] = {"not told apart": octets}
        flash[f"{server}, AVR (001)"] = {"not told apart": rom}
    label = "octets; a line marks the most that it may be"
    engine = {_named(key): one.flash for key, one in small.items()}
    engine_max = {_named(key): float(limit) for key, (_, limit) in FLASH_MAX.items()}
    yield Stacks("RAM, stack included", label, ram, {_named(key): float(limit) for key, (_, limit) in RAM_MAX.items()})
    yield Stacks("Flash of the server, without the application", "octets", flash)
    yield Stacks("Flash of the engine", label, engine, engine_max)
