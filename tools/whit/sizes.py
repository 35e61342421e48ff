# SPDX-License-Identifier: MIT
"""What an image costs, by who it belongs to: read from the linker's map, which names the object file of every section,
and from the ELF file's symbols."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

# Parts of an image.
ENGINE = "engine"
FILES = "files"  # the application's content and tables
HANDLERS = "handlers"  # the application's code
PORT = "port"  # start-up, driver and the C library

RAM_SECTIONS = (".data", ".bss", ".tbss", ".tdata", "COMMON")
FLASH_SECTIONS = (".text", ".rodata", ".data.rel.ro", ".data")

_NAME = re.compile(r"^ (\.?[\w.$-]+)$")
_ENTRY = re.compile(r"^ (?:(\.?[\w.$-]+)\s+|\s+)0x([0-9a-f]+)\s+0x([0-9a-f]+)\s+(\S.*)$")


@dataclass(frozen=True)
class Section:
    """An input section that the linker kept."""

    name: str
    address: int
    size: int  # octets
    object_file: str


@dataclass
class Cost:
    """Octets of one part."""

    flash: int = 0
    ram: int = 0


@dataclass
class Sizes:
    """Octets of an image by part, and of the engine's RAM by object."""

    parts: dict[str, Cost] = field(default_factory=dict)
    engine_objects: dict[str, int] = field(default_factory=dict)

    @property
    def flash(self) -> int:
        return sum(part.flash for part in self.parts.values())

    @property
    def ram(self) -> int:
        return sum(part.ram for part in self.parts.values())


def read_map(path: Path) -> Iterator[Section]:
    """The sections that the linker kept, as GNU ld's map lists them."""
    lines = iter(path.read_text(errors="replace").splitlines())
    for line in lines:
        if line.startswith("Linker script and memory map"):
            break
    name = ""
    for line in lines:
        only_name = _NAME.match(line)
        if only_name:  # too long a name has its line to itself
            name = only_name[1]
            continue
        entry = _ENTRY.match(line)
        if entry is None:
            name = ""
            continue
        name = entry[1] or name
        if name and int(entry[3], 16) > 0 and not entry[4].startswith("0x"):
            yield Section(name, int(entry[2], 16), int(entry[3], 16), entry[4])
        name = ""


def part_of(object_file: str) -> str:
    """Whose an object file is, by the target of CMake that made it."""
    if "whit_engine.dir/" in object_file:
        return ENGINE
    if "whit_application.dir/" in object_file:
        return FILES if "whit_tables.c" in object_file else HANDLERS
    return PORT


def _is(name: str, kinds: tuple[str, ...]) -> bool:
    return any(name == kind or name.startswith(kind + ".") for kind in kinds)


def measure(image: Path, linker_map: Path) -> Sizes:
    """Sizes of an image. The engine's RAM objects are named by their symbols."""
    sizes = Sizes({part: Cost() for part in (ENGINE, FILES, HANDLERS, PORT)})
    engine_ram: list[Section] = []
    for section in read_map(linker_map):
        part = part_of(section.object_file)
        cost = sizes.parts[part]
        if _is(section.name, FLASH_SECTIONS):
            cost.flash += section.size
        if _is(section.name, RAM_SECTIONS) and not section.name.startswith(".data.rel.ro"):
            cost.ram += section.size
            if part == ENGINE:
                engine_ram.append(section)
    for name, address, size in _objects(image):
        if any(section.address <= address < section.address + section.size for section in engine_ram):
            sizes.engine_objects[name] = size
    return sizes


def _objects(image: Path) -> Iterator[tuple[str, int, int]]:
    with image.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        if not isinstance(table, SymbolTableSection):
            return
        for symbol in table.iter_symbols():
            if symbol["st_info"]["type"] == "STT_OBJECT" and symbol["st_size"] > 0:
                yield symbol.name, symbol["st_value"], symbol["st_size"]
