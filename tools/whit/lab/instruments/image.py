# SPDX-License-Identifier: MIT
"""What the engine takes of a microcontroller's image: from the ELF file, its DWARF and the linker's map.

The engine's are all sections of objects made from engine/, the table of HTTP's own words (which the application
compiler writes, but which is the same for every application), and the members of the C library to which an object of
the engine refers, with what those need. The padding that the linker puts behind them depends on its order; it is not
the size of anything, and counted by itself.
"""

import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from whit.build import BuildResult, build
from whit.cost import BUFFER, SLOTS, TAGS
from whit.errors import WhitError
from whit.lab.instruments.groups import C_LIBRARY, HTTP, group_of
from whit.sizes import ENGINE, FLASH_SECTIONS, RAM_SECTIONS, Section, engine_file, owners, part_of, read_map

WORDS = ".rodata.whit_words"
MEMORY = "whit_memory.dir/"  # the C library's functions that a port brings (ports/common)
ALIGNMENT_MAX = 8  # a gap from there on is not padding

_MEMBER = re.compile(r"^(\S+\(\S+\))$")
_REFERRER = re.compile(r"^\s+(\S+) \(\S+\)$")


@dataclass(frozen=True)
class ImageSizes:
    """In octets."""

    slot: int
    idle: int
    engine_ram: int
    engine_globals: int  # without slots, tags and the shared buffer
    flash: Mapping[str, int]  # of the engine, by group
    words: int  # part of flash[HTTP]
    flash_padding: int  # behind sections of the engine, in none of the others
    ram_padding: int

    @property
    def engine_flash(self) -> int:
        return sum(self.flash.values())


def build_cortex_m(app_dir: str, *, one_unit: bool = True) -> BuildResult:
    if shutil.which("arm-none-eabi-gcc") is None:
        raise WhitError(
            "lab: arm-none-eabi-gcc not found; install it with: "
            "apt-get install gcc-arm-none-eabi libnewlib-arm-none-eabi"
        )
    return build(app_dir, target="cortex-m", optimize="-Os", one_unit=one_unit, check_budget=False)


def measure_image(result: BuildResult) -> ImageSizes:
    library = engine_members(result.map)
    sections = [section for section in read_map(result.map) if _is(section, FLASH_SECTIONS + RAM_SECTIONS)]
    flash: dict[str, int] = {}
    ram = words = flash_padding = ram_padding = 0
    files = owners(result.image)
    for section, padding in padded(sections):
        group = owner(section, library, files)
        if group is None:
            continue
        if _is(section, FLASH_SECTIONS):
            flash[group] = flash.get(group, 0) + section.size
            flash_padding += padding
        if _is(section, RAM_SECTIONS) and not section.name.startswith(".data.rel.ro"):
            ram += section.size
            ram_padding += padding
        if section.name == WORDS:
            words = section.size
    if not words:
        raise WhitError(f"lab: {result.map}: expected a section {WORDS}")
    limits = result.application.limits
    objects, structs = _objects(result.image), _structs(result.image)
    slot, idle = structs["whit_tcb"], structs["whit_tag"]
    expected = {SLOTS: slot * limits.connections, TAGS: idle * limits.idle, BUFFER: limits.buffer}
    for name, size in expected.items():
        if objects.get(name, 0) != size:
            raise WhitError(f"lab: {result.image}: {name} has {objects.get(name, 0)} octets, expected {size}")
    globals_ = ram - sum(expected.values())
    return ImageSizes(slot, idle, ram, globals_, flash, words, flash_padding, ram_padding)


def owner(section: Section, library: set[str], files: Mapping[str, str]) -> str | None:
    """The group of the engine to which a section belongs; None: it is not the engine's."""
    if section.name == WORDS:
        return HTTP
    if section.object_file in library or "whit_memory.dir/" in section.object_file:
        return C_LIBRARY
    if part_of(section.object_file) == ENGINE:
        return group_of(engine_file(section, files))
    return None


def engine_members(linker_map: Path) -> set[str]:
    """The members of libraries that the engine's objects need, directly or through one another.

    The linker names one referrer of each member, the first; engine objects stand first in its command, so a member that
    the engine needs is named with the engine.
    """
    referrers: dict[str, str] = {}
    member = ""
    for line in linker_map.read_text(errors="replace").splitlines():
        if line.startswith("Discarded input sections"):
            break
        if found := _MEMBER.match(line):
            member = found[1]
        elif member and (found := _REFERRER.match(line)):
            referrers[member] = found[1]
            member = ""
    ours: set[str] = set()
    for _ in referrers:  # each round finds one more at least, or nothing changes any more
        ours |= {name for name, by in referrers.items() if part_of(by) == ENGINE or by in ours}
    return ours


def padded(sections: list[Section]) -> Iterator[tuple[Section, int]]:
    """Each section and the octets of padding between it and the next one."""
    ordered = sorted(sections, key=lambda section: section.address)
    for section, following in zip(ordered, [*ordered[1:], None], strict=True):
        gap = following.address - section.address - section.size if following else 0
        yield section, gap if 0 < gap < ALIGNMENT_MAX else 0


def _is(section: Section, kinds: tuple[str, ...]) -> bool:
    return any(section.name == kind or section.name.startswith(kind + ".") for kind in kinds)


def _objects(image: Path) -> dict[str, int]:
    with image.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        if not isinstance(table, SymbolTableSection):
            raise WhitError(f"lab: {image}: expected a table of symbols")
        return {symbol.name: symbol["st_size"] for symbol in table.iter_symbols() if symbol["st_size"] > 0}


def _structs(image: Path) -> dict[str, int]:
    """Octets of every struct that the image's DWARF describes whole."""
    sizes: dict[str, int] = {}
    with image.open("rb") as file:
        for unit in ELFFile(file).get_dwarf_info().iter_CUs():
            for die in unit.iter_DIEs():
                attributes = die.attributes
                if die.tag == "DW_TAG_structure_type" and {"DW_AT_name", "DW_AT_byte_size"} <= attributes.keys():
                    sizes[attributes["DW_AT_name"].value.decode()] = attributes["DW_AT_byte_size"].value
    return sizes
