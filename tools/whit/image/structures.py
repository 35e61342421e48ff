# SPDX-License-Identifier: MIT
"""Lengths of structures in an image, from its DWARF."""

from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile

from whit.errors import WhitError

SIZE, PLACE = "DW_AT_byte_size", "DW_AT_data_member_location"


@dataclass(frozen=True)
class Structure:
    """A structure's octets, and the offsets of its members; a member without a name is ""."""

    size: int
    members: dict[str, int]


def structures(image: Path, *names: str) -> dict[str, Structure]:
    found: dict[str, Structure] = {}
    with image.open("rb") as file:
        for unit in ELFFile(file).get_dwarf_info().iter_CUs():
            for die in unit.iter_DIEs():
                name = die.attributes.get("DW_AT_name")
                if die.tag != "DW_TAG_structure_type" or name is None or SIZE not in die.attributes:
                    continue
                text = name.value.decode()
                if text in names and text not in found:
                    members = [child for child in die.iter_children() if PLACE in child.attributes]
                    places = {_name(child): child.attributes[PLACE].value for child in members}
                    found[text] = Structure(die.attributes[SIZE].value, places)
    if missing := set(names) - found.keys():
        raise WhitError(f"{image}: no debugging data about struct {', struct '.join(sorted(missing))}")
    return found


def _name(child) -> str:  # type: ignore[no-untyped-def]  # noqa: ANN001
    name = child.attributes.get("DW_AT_name")
    return name.value.decode() if name else ""


@dataclass(frozen=True)
class ConnectionOctets:
    """A connection's octets for HTTPS: in a handshake and open, in addition to its slot; idle, besides its tag."""

    handshake: int
    opened: int
    idle: int


def connection_octets(image: Path) -> ConnectionOctets:
    found = structures(image, "sealed", "sealed_idle", "tls", "tls_kept")
    before = found["sealed"].members["tls"] + found["tls"].members[""]
    return ConnectionOctets(found["sealed"].size, before + found["tls_kept"].size, found["sealed_idle"].size)
