# SPDX-License-Identifier: MIT
"""What whole images of small devices consist of: octets of flash and of RAM, the proven stack included.

Flash is counted as the public figures beside it are: the engine with what it needs of the C library, without driver,
start-up and application. RAM is all that the image takes: variables of everybody, and the worst case of the stack.
"""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from whit.build import BuildResult, build
from whit.cost import PLANNED, engine_globals
from whit.errors import WhitError
from whit.lab.experiment import Experiment, Figure, Progress, Result, Row, Series, Stacks
from whit.lab.instruments.groups import C_LIBRARY, GROUPS
from whit.lab.instruments.image import MEMORY, engine_members
from whit.lab.instruments.served import application_of
from whit.paths import ROOT
from whit.sizes import ENGINE, FILES, HANDLERS, LIBRARY, PORT, Sizes, is_code, measure, read_map
from whit.stack import analyse

CONTACTS = ROOT / "apps" / "contacts"
BUTTONS = ROOT / "apps" / "buttons"
STATIC_FILES = ("index.html", "style.css", "script.js", "logo.png")  # of the address book

SMALL: Mapping[str, object] = {"counter_bits": 0, "ping": False, "recovery": "small"}
"""Of a device at the end of one slow line: nobody reads its counters, or asks whether it is there."""
SMALLEST: Mapping[str, object] = {**SMALL, "connections": 4, "idle": 4, "peers": 1, "buffer": 128}

COMPILERS = {
    "avr": ("avr-gcc", "gcc-avr avr-libc"),
    "cortex-m": ("arm-none-eabi-gcc", "gcc-arm-none-eabi libnewlib-arm-none-eabi"),
    "gba": ("arm-none-eabi-gcc", "gcc-arm-none-eabi libnewlib-arm-none-eabi"),
}

RAM_CONSOLE, RAM_AVR = "buttons_ram_bytes_gba", "contacts_ram_bytes_avr"
FLASH_FILES, FLASH_CONTACTS = "static_flash_bytes_cortex_m", "contacts_flash_bytes_cortex_m"
FLASH_AVR = "contacts_flash_bytes_avr"
# Of others, none of them run here: our figure, what is compared, octets, and whose it is. Flash is that of servers
# built for the same kind of processor, without their applications.
PUBLIC: Sequence[tuple[str, str, int, str]] = (
    (RAM_CONSOLE, "RAM, one connection, ARM7", 244, "000 Table 6, dynaWeb: 152 of variables, 92 of stack"),
    (RAM_CONSOLE, "RAM, one connection, ARM7", 356, "000 Table 6, miniWeb: one fixed connection"),
    (RAM_CONSOLE, "RAM, one connection, ARM7", 1200, "000 Table 6, uIP, MSS 200"),
    (RAM_CONSOLE, "RAM, one connection, ARM7", 3800, "000 Table 6, uIP, MSS 1460"),
    (RAM_AVR, "RAM, address book, AVR", 200, "001 §5.2, Smews; of what, it does not say"),
    (RAM_AVR, "RAM, address book, AVR", 955, "Smews, the least of its own AVR builds"),
    (RAM_AVR, "RAM, address book, AVR", 1488, "Smews, the most of them"),
    (RAM_AVR, "RAM, address book, AVR", 3000, "001 §5.2, uIP"),
    (FLASH_FILES, "flash, files only, Cortex-M3", 5846, "Smews, everything off"),
    (FLASH_FILES, "flash, files only, Cortex-M3", 6640, "uIP with its web server"),
    (FLASH_FILES, "flash, files only, Cortex-M3", 20110, "lwIP with its web server"),
    (FLASH_FILES, "flash, files only, Cortex-M3", 38685, "Mongoose"),
    (FLASH_CONTACTS, "flash, address book, Cortex-M3", 7452, "Smews with its address book"),
    (FLASH_AVR, "flash, address book, AVR", 10720, "Smews without POST"),
    (FLASH_AVR, "flash, address book, AVR", 14988, "Smews with all"),
    (FLASH_AVR, "flash, address book, AVR", 12000, "001 §5.2, uIP with its web server"),
)
NOTES = (
    "RAM above the others': of ours, the part that is stack is the worst case that the image can reach, proven from "
    "its instructions; 000 looked what was left of its own, and what 001's 200 B contain the paper does not say.",
    "Builds of Smews, uIP, lwIP and Mongoose that no paper has are constants, known since the bounds were set; no run "
    "here gives them.",
    "Flash above Smews and uIP: TCP takes a third of it (congestion control, fast retransmission, tail-loss probes, "
    "defences against blind attackers), connections that wait or are idle a fifth. DESIGN.md, section 9, names the "
    "ways down that are left.",
)


@dataclass(frozen=True)
class Footprint:
    """Of one image, in octets."""

    sizes: Sizes
    stack: int
    flash: Mapping[str, int]  # of the engine, by group; the C library's part of it too

    @property
    def engine_flash(self) -> int:
        return sum(self.flash.values())

    @property
    def ram(self) -> int:
        return self.sizes.ram + self.stack

    @property
    def ram_parts(self) -> dict[str, int]:
        planned = {what: self.sizes.engine_objects.get(symbol, 0) for symbol, what in PLANNED.items()}
        engine = self.sizes.parts[ENGINE].ram
        return {
            "stack": self.stack,
            "engine's state": engine_globals(self.sizes),
            **planned,
            "application": self.sizes.parts[FILES].ram + self.sizes.parts[HANDLERS].ram,
            "port, driver": self.sizes.ram - engine - self.sizes.parts[FILES].ram - self.sizes.parts[HANDLERS].ram,
        }


@dataclass
class _Measured:
    figures: list[Figure] = field(default_factory=list)
    beside: list[Figure] = field(default_factory=list)
    flash: dict[str, Mapping[str, float]] = field(default_factory=dict)
    ram: dict[str, Mapping[str, float]] = field(default_factory=dict)
    flash_marks: dict[str, float] = field(default_factory=dict)
    ram_marks: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class FootprintExperiment:
    """Builds and looks; nothing runs. Nothing is left out of the reduced form."""

    name: str = "footprint"
    title: str = "Whole images of small devices, in octets"
    answers_to: str = "What does the engine take of a small device's flash, and a whole application of its RAM?"
    paper: str = "000 Table 6; 001 §5.2"
    rows: Sequence[str] = ("D28", "S26")
    seconds: int = 30

    def run(self, progress: Progress, *, reduced: bool = False) -> Result:
        for target, (program, packages) in COMPILERS.items():
            if shutil.which(program) is None:
                raise WhitError(f"lab: {program} not found, for {target}; install it with: apt-get install {packages}")
        measured = _Measured()
        progress("buttons on the console", 0.0)
        self._ram(measured, RAM_CONSOLE, "buttons", BUTTONS, "gba", {}, 300)
        progress("the address book on AVR", 0.2)
        self._ram(measured, RAM_AVR, "address book", CONTACTS, "avr", SMALLEST, 450)
        progress("files only on Cortex-M3", 0.4)
        self._flash(measured, FLASH_FILES, "files only", static_application(), "cortex-m", 6500)
        progress("the address book on Cortex-M3", 0.6)
        self._flash(measured, FLASH_CONTACTS, "address book", CONTACTS, "cortex-m", 8500)
        progress("its flash on AVR", 0.8)
        self._flash(measured, FLASH_AVR, "address book", CONTACTS, "avr", 12000)
        progress("done", 1.0)
        values = {figure.name: figure.value for figure in measured.figures}
        rows = [Row(what, values[name], octets, "B", whose) for name, what, octets, whose in PUBLIC]
        return Result(
            self._settings(), measured.figures, self._charts(measured), measured.beside, compared=rows, notes=NOTES
        )

    def _settings(self) -> dict[str, object]:
        return {
            "optimize": "-Os",
            "link": "slip",
            "buttons": "as its app.toml says",
            "contacts_ram": _shown(SMALLEST),
            "flash": _shown(SMALL),
        }

    def _ram(
        self,
        measured: _Measured,
        name: str,
        what: str,
        application: Path,
        target: str,
        settings: Mapping[str, object],
        limit: int,
    ) -> None:
        footprint = look(_built(application, target, settings))
        measured.figures.append(
            Figure(name, f"{what}, {target}: all variables and the stack", footprint.ram, "B", limit)
        )
        measured.beside += [
            Figure(f"{name}_{_word(part)}", f"of {name}: {part}", octets, "B")
            for part, octets in footprint.ram_parts.items()
        ]
        measured.ram[f"{what}, {target}"] = footprint.ram_parts
        measured.ram_marks[f"{what}, {target}"] = limit

    def _flash(self, measured: _Measured, name: str, what: str, application: Path, target: str, limit: int) -> None:
        footprint = look(_built(application, target, SMALL))
        measured.figures.append(Figure(name, f"{what}, {target}: the engine", footprint.engine_flash, "B", limit))
        measured.beside += [
            Figure(f"{name}_{_word(group)}", f"of {name}: {group}", octets, "B")
            for group, octets in footprint.flash.items()
        ]
        sizes = footprint.sizes
        measured.beside += [
            Figure(f"{name}_application", "beside it: the application's code", sizes.parts[HANDLERS].flash, "B"),
            Figure(f"{name}_files", "beside it: the application's files and tables", sizes.parts[FILES].flash, "B"),
            Figure(f"{name}_port", "beside it: start-up and driver", sizes.parts[PORT].flash, "B"),
            Figure(f"{name}_image", "all of the image", sizes.flash, "B"),
        ]
        measured.flash[f"{what}, {target}"] = footprint.flash
        measured.flash_marks[f"{what}, {target}"] = limit

    def _charts(self, measured: _Measured) -> list[Series]:
        label = "octets; a line marks the most that it may be"
        return [
            Stacks("Flash of the engine", label, measured.flash, measured.flash_marks),
            Stacks("RAM of the whole image", label, measured.ram, measured.ram_marks),
        ]


def look(result: BuildResult) -> Footprint:
    sizes = measure(result.image, result.map)
    return Footprint(sizes, analyse(result).len, engine_flash(result, sizes))


def engine_flash(result: BuildResult, sizes: Sizes) -> dict[str, int]:
    """By group of the engine's files, and the C library's functions that it needs."""
    members = engine_members(result.map)
    library = sum(
        section.size
        for section in read_map(result.map)
        if (section.object_file in members or MEMORY in section.object_file) and is_code(section)
    )
    flash = {group: sizes.engine_groups[group] for group in GROUPS if group in sizes.engine_groups}
    flash |= {group: octets for group, octets in sizes.engine_groups.items() if group not in flash}
    return flash | {C_LIBRARY: min(library, sizes.parts[LIBRARY].flash)}


def static_application() -> Path:
    """The address book's files, without what generates anything."""
    return application_of("static", {name: (CONTACTS / name).read_bytes() for name in STATIC_FILES})


def _built(application: Path, target: str, settings: Mapping[str, object]) -> BuildResult:
    return build(application, target=target, link="slip", overrides=settings, optimize="-Os", check_budget=False)


def _shown(settings: Mapping[str, object]) -> str:
    return ", ".join(f"{key} = {str(value).lower()}" for key, value in settings.items())


def _word(text: str) -> str:
    return "".join(letter if letter.isalnum() else "_" for letter in text.lower()).replace("__", "_")


EXPERIMENT: Experiment = FootprintExperiment()
