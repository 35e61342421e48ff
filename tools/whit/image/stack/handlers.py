# SPDX-License-Identifier: MIT
"""The handlers of an application, as the tables of its image name them. The engine calls them through pointers.

doGet, initGet, doPost, doPostIn and doPostOut follow from the tables of each generator. set_timer represents the
functions whose address the application's code takes.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from elftools.dwarf.die import DIE
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import SymbolTableSection

from whit.errors import WhitError
from whit.image.stack.listing import Listing
from whit.image.stack.model import Machine

KINDS = {
    ("whit_generator", "init_get"): "initGet",
    ("whit_post", "form"): "doPost",
    ("whit_post", "in"): "doPostIn",
    ("whit_post", "in_thread"): "doPostIn",
    ("whit_post", "out"): "doPostOut",
}
TIMER = "set_timer"
GET = "doGet"
NAMES = (GET, *dict.fromkeys(KINDS.values()), TIMER)


def handlers(listing: Listing, machine: Machine, objects: Path) -> dict[str, list[int]]:
    """Addresses of functions by kind. `objects`: the directory of the application's object files."""
    found: dict[str, list[int]] = {name: [] for name in NAMES}
    layouts = _layouts(listing.path)
    for name, (address, _) in _tables(listing, "whit_generator_"):
        layout = _layout(layouts, "whit_generator", name)
        _pointer(listing, machine, address + layout["get"], found[GET])
        for (table, member), kind in KINDS.items():
            if table == "whit_generator":
                _pointer(listing, machine, address + layout[member], found[kind])
        post = listing.word(address + layout["post"], machine.pointer_len)
        if post:
            post_layout = _layout(layouts, "whit_post", name)
            for (table, member), kind in KINDS.items():
                if table == "whit_post":
                    _pointer(listing, machine, post + post_layout[member], found[kind])
    taken = set(_addresses_taken(objects))
    found[TIMER] += [function.address for function in listing.functions.values() if function.name in taken]
    return {kind: list(dict.fromkeys(addresses)) for kind, addresses in found.items()}


def _tables(listing: Listing, prefix: str) -> Iterator[tuple[str, tuple[int, int]]]:
    return ((name, place) for name, place in listing.objects.items() if name.startswith(prefix))


def _layout(layouts: Mapping[str, dict[str, int]], struct: str, table: str) -> dict[str, int]:
    if struct not in layouts:
        raise WhitError(f"{table}: expected struct {struct} in the image's debug information; compile it with -g")
    return layouts[struct]


def _pointer(listing: Listing, machine: Machine, address: int, to: list[int]) -> None:
    value = listing.word(address, machine.pointer_len)
    if value:
        to.append(value * machine.pointer_unit & (~1 if machine.thumb else ~0))


def _layouts(image: Path) -> dict[str, dict[str, int]]:
    """Offsets of the members of structs, by the first generator's debug information."""
    layouts: dict[str, dict[str, int]] = {}
    wanted = ("whit_generator", "whit_post")
    with image.open("rb") as file:
        elf = ELFFile(file)
        if not elf.has_dwarf_info():
            return layouts
        for unit in elf.get_dwarf_info().iter_CUs():
            top = unit.get_top_DIE()
            name = top.attributes.get("DW_AT_name")
            if name is None or "/generator_" not in name.value.decode(errors="replace"):
                continue
            for die in top.iter_children():
                struct = die.attributes.get("DW_AT_name")
                if die.tag != "DW_TAG_structure_type" or struct is None or not die.has_children:
                    continue
                if (struct_name := struct.value.decode()) in wanted:
                    layouts[struct_name] = dict(_members(die))
            if len(layouts) == len(wanted):
                break
    return layouts


def _members(struct: DIE, begin: int = 0) -> Iterator[tuple[str, int]]:
    """With their offsets; those of a member without a name, too. Those of a union all begin with it."""
    for member in struct.iter_children():
        if member.tag != "DW_TAG_member":
            continue
        name, location = (member.attributes.get(f"DW_AT_{word}") for word in ("name", "data_member_location"))
        offset = begin + (_offset(location.value) if location else 0)
        if name:
            yield name.value.decode(), offset
        else:
            yield from _members(member.get_DIE_from_attribute("DW_AT_type"), offset)


def _offset(location: object) -> int:
    """A number, or in DWARF 2 the expression DW_OP_plus_uconst."""
    if isinstance(location, int):
        return location
    number = 0
    for index, octet in enumerate(list(location)[1:]):  # type: ignore[call-overload]
        number |= (octet & 0x7F) << 7 * index
    return number


_CALLS = {
    "EM_ARM": {1, 10, 28, 29, 30, 51, 102, 103},  # PC24, THM_CALL, CALL, JUMP24, THM_JUMP24, ...
    "EM_AVR": {2, 3, 18},  # 7_PCREL, 13_PCREL, CALL
    "EM_RISCV": {16, 17, 18, 19, 43, 44, 45, 51},  # BRANCH, JAL, CALL, CALL_PLT, ALIGN, RVC_*, RELAX
}


def _addresses_taken(objects: Path) -> Iterator[str]:
    """Yields the functions whose address the code of object files takes."""
    for path in sorted(objects.rglob("*.o*")):
        with path.open("rb") as file:
            elf = ELFFile(file)
            for section in elf.iter_sections():
                if isinstance(section, RelocationSection) and section.name.startswith((".rela.text", ".rel.text")):
                    yield from _taken(elf, section)


def _taken(elf: ELFFile, relocations: RelocationSection) -> Iterator[str]:
    calls = _CALLS.get(elf["e_machine"], set())
    symbols = elf.get_section(relocations["sh_link"])
    assert isinstance(symbols, SymbolTableSection)
    for relocation in relocations.iter_relocations():
        if relocation["r_info_type"] in calls:
            continue
        symbol = symbols.get_symbol(relocation["r_info_sym"])
        if symbol["st_info"]["type"] == "STT_FUNC":
            yield symbol.name
        elif symbol["st_info"]["type"] == "STT_SECTION":
            name = elf.get_section(symbol["st_shndx"]).name
            if name.startswith(".text.") and elf.get_section(relocations["sh_info"]).name != name:
                yield name.removeprefix(".text.")
