# SPDX-License-Identifier: MIT
"""The cost of an image, by owner. The linker's map names the object file of each section. The ELF file says whether a
section is in flash, in RAM, or in RAM with its initial value in flash."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from whit.image.groups import HTTP, group_of

# Parts of an image.
ENGINE = "engine"
FILES = "files"  # the application's content and tables
HANDLERS = "handlers"  # the application's code
CRYPTO = "cryptography"  # of HTTPS
CERTIFICATE = "certificate"
PORT = "port"  # start-up and driver
LIBRARY = "C library"
PADDING = "padding"  # between objects, and sections without an object file

WORDS = "whit_words"  # HTTP's own words: written by the application compiler, the same for every application
_WRITTEN_ONCE = (".data.rel.ro", ".init_array", ".fini_array", ".dynamic", ".got", ".got.plt")  # by the loader
_NOT_LOADED = (".debug", ".stab", ".comment", ".note", ".ARM.attributes", ".riscv.attributes")

_DECLARED = "DW_AT_specification"  # of a definition: refers to the declaration, which has the name
ONE_UNIT = "unity_"  # CMake's name of the engine as one translation unit
# .text.tcp_head, .text.unlikely.tcp_head.part.0: the name is tcp_head
_OF_NAME = re.compile(
    r"^\.(?:text|rodata|data|bss|progmem\.(?:data|gcc_sw_table))(?:\.(?:unlikely|startup|hot|exit))?\.([A-Za-z_]\w*)(?:\.|$)"
)

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


@dataclass(frozen=True)
class Symbol:
    """A function or an object. `flash` and `ram`: where it is; both if it has an initial value."""

    name: str
    size: int  # octets
    flash: bool
    ram: bool


@dataclass
class Sizes:
    """Octets of an image by part; of the engine's flash by group of its files, of its RAM by object."""

    parts: dict[str, Cost] = field(default_factory=dict)
    engine_groups: dict[str, int] = field(default_factory=dict)
    engine_objects: dict[str, int] = field(default_factory=dict)
    symbols: list[Symbol] = field(default_factory=list)
    sources: dict[str, int] = field(default_factory=dict)  # flash by the stem of the application's C files

    @property
    def flash(self) -> int:
        return sum(part.flash for part in self.parts.values())

    @property
    def ram(self) -> int:
        return sum(part.ram for part in self.parts.values())


@dataclass(frozen=True)
class _Output:
    """A section of the image."""

    address: int
    size: int
    flash: bool
    ram: bool

    def holds(self, address: int) -> bool:
        return self.address <= address < self.address + self.size


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


def owners(image: Path) -> Mapping[str, str]:
    """The stem of the file of engine/ in which a function or an object of the engine is written, by its DWARF."""
    found: dict[str, str] = {}
    with image.open("rb") as file:
        dwarf = ELFFile(file).get_dwarf_info()
        for unit in dwarf.iter_CUs():
            top = unit.get_top_DIE()
            name, lines = top.attributes.get("DW_AT_name"), dwarf.line_program_for_CU(unit)
            if name is None or b"whit_engine.dir" not in name.value or lines is None:
                continue
            files = [entry.name.decode() for entry in lines.header.file_entry]
            first = 0 if lines.header.version >= 5 else 1
            for die in top.iter_children():
                if die.tag in ("DW_TAG_subprogram", "DW_TAG_variable") and "DW_AT_decl_file" in die.attributes:
                    named = die.get_DIE_from_attribute("DW_AT_specification") if _DECLARED in die.attributes else die
                    source = Path(files[die.attributes["DW_AT_decl_file"].value - first])
                    if source.suffix == ".c" and "DW_AT_name" in named.attributes:
                        found[named.attributes["DW_AT_name"].value.decode()] = source.stem
    return found


def engine_file(section: Section, owners: Mapping[str, str]) -> str:
    """Returns the stem of the engine's file that contains a section. Sections of headers and unknown ones are common to
    all files."""
    stem = Path(section.object_file).name.partition(".")[0]
    if not stem.startswith(ONE_UNIT):
        return stem
    named = _OF_NAME.match(section.name)
    return owners.get(named[1], ENGINE) if named else ENGINE


def is_code(section: Section) -> bool:
    """Code or constants, by its name."""
    return section.name.startswith((".text", ".rodata", ".progmem"))


def part_of(object_file: str) -> str:
    """Returns the part to which an object file belongs, by its CMake target."""
    if "whit_engine.dir/" in object_file:
        return ENGINE
    if "whit_application.dir/" in object_file:
        if "/ports/common/" in object_file:
            return CRYPTO
        if "whit_certificate.c" in object_file:
            return CERTIFICATE
        return FILES if "whit_tables.c" in object_file else HANDLERS
    return PORT if "whit_image.dir/" in object_file else LIBRARY


def measure(image: Path, linker_map: Path) -> Sizes:
    """Measures an image. The sum of the parts equals the content of its ELF file."""
    sizes = Sizes({part: Cost() for part in (ENGINE, FILES, HANDLERS, CRYPTO, CERTIFICATE, PORT, LIBRARY, PADDING)})
    engine_ram: list[Section] = []
    files = owners(image)
    with image.open("rb") as file:
        elf = ELFFile(file)
        outputs = list(_outputs(elf))
        symbols = list(_symbols(elf, outputs))
    for section in read_map(linker_map):
        if section.name.startswith(_NOT_LOADED):
            continue
        output = next((output for output in outputs if output.holds(section.address)), None)
        if output is None:
            continue
        part = part_of(section.object_file)
        sizes.parts[part].flash += section.size if output.flash else 0
        sizes.parts[part].ram += section.size if output.ram else 0
        if part == HANDLERS and output.flash:
            stem = Path(section.object_file).name.partition(".")[0]
            sizes.sources[stem] = sizes.sources.get(stem, 0) + section.size
        if part == ENGINE:
            group = group_of(engine_file(section, files))
            sizes.engine_groups[group] = sizes.engine_groups.get(group, 0) + (section.size if output.flash else 0)
            engine_ram += [section] if output.ram else []
    for address, symbol in symbols:
        sizes.symbols.append(symbol)
        if symbol.name == WORDS:
            sizes.parts[FILES].flash -= symbol.size
            sizes.parts[ENGINE].flash += symbol.size
            sizes.engine_groups[HTTP] = sizes.engine_groups.get(HTTP, 0) + symbol.size
        if any(section.address <= address < section.address + section.size for section in engine_ram):
            sizes.engine_objects[symbol.name] = symbol.size
    sizes.parts[PADDING].flash = sum(output.size for output in outputs if output.flash) - sizes.flash
    sizes.parts[PADDING].ram = sum(output.size for output in outputs if output.ram) - sizes.ram
    return sizes


def _outputs(elf: ELFFile) -> Iterator[_Output]:
    """Yields the sections of the running image, except those for a Linux loader."""
    for section in elf.iter_sections():
        if not section["sh_flags"] & 2 or section["sh_size"] == 0:  # SHF_ALLOC
            continue
        name, in_file = section.name, section["sh_type"] != "SHT_NOBITS"
        if name in _WRITTEN_ONCE or not section["sh_flags"] & 1:
            loader = name.startswith((".dyn", ".gnu", ".rela", ".note", ".interp", ".eh_frame", ".got", ".plt"))
            if in_file and not loader and name not in (".init_array", ".fini_array"):
                yield _Output(section["sh_addr"], section["sh_size"], True, False)
        else:
            yield _Output(section["sh_addr"], section["sh_size"], in_file, True)


def _symbols(elf: ELFFile, outputs: list[_Output]) -> Iterator[tuple[int, Symbol]]:
    table = elf.get_section_by_name(".symtab")
    if not isinstance(table, SymbolTableSection):
        return
    for symbol in table.iter_symbols():
        if symbol["st_size"] == 0 or symbol["st_info"]["type"] not in ("STT_OBJECT", "STT_FUNC"):
            continue
        address = symbol["st_value"]
        output = next((output for output in outputs if output.holds(address)), None)
        if output is not None:
            yield address, Symbol(symbol.name, symbol["st_size"], output.flash, output.ram)
