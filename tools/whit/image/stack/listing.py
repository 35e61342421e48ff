# SPDX-License-Identifier: MIT
"""An image as the toolchain's objdump shows it, with the functions that its symbols name."""

import re
import subprocess
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from whit.errors import WhitError
from whit.image.stack.model import Instruction

_LINE = re.compile(r"\s*([0-9a-f]+):\t([0-9a-f ]+?) *\t(\S+)(?:\s+(.*))?$")
_NAMED = re.compile(r"(?:0x)?([0-9a-f]+) <")
_AVR = re.compile(r";\s*0x([0-9a-f]+)")


@dataclass(frozen=True)
class Function:
    """A symbol of type function. `file`: its source; "" if the symbol table does not name it."""

    name: str
    address: int
    len: int  # octets; 0: unknown
    file: str


@dataclass
class Listing:
    """`objects`: the image's symbols for data, by name."""

    path: Path
    entry: int
    instructions: dict[int, Instruction]
    functions: dict[int, Function]  # by address
    labels: dict[int, str]  # of code that no symbol calls a function
    objects: dict[str, tuple[int, int]]  # name: address, octets
    segments: list[tuple[int, bytes]] = field(default_factory=list)
    _starts: list[int] = field(default_factory=list)

    def named(self, name: str) -> list[Function]:
        return [function for function in self.functions.values() if function.name == name]

    def name(self, address: int) -> str:
        """Returns the name of the function that begins there."""
        if address in self.functions:
            return self.functions[address].name
        return self.labels.get(address, f"0x{address:x}")

    def around(self, address: int) -> str:
        """Returns the name of the symbol that contains an address."""
        if not self._starts:
            self._starts = sorted(self.functions.keys() | self.labels.keys())
        index = bisect_right(self._starts, address)
        return self.name(self._starts[index - 1]) if index else f"0x{address:x}"

    def word(self, address: int, length: int) -> int | None:
        """Returns a constant of the image; None if that address has no content."""
        for start, octets in self.segments:
            if start <= address and address + length <= start + len(octets):
                return int.from_bytes(octets[address - start : address - start + length], "little")
        return None


def read(image: Path, toolchain: str, thumb: bool) -> Listing:
    with image.open("rb") as file:
        elf = ELFFile(file)
        mask = ~1 if thumb else ~0
        listing = Listing(image, elf.header["e_entry"] & mask, {}, {}, {}, {})
        _symbols(elf, listing, mask)
        for section in elf.iter_sections():
            if section["sh_flags"] & 2 and section["sh_type"] == "SHT_PROGBITS":  # SHF_ALLOC
                listing.segments.append((section["sh_addr"], section.data()))
    listing.instructions.update((one.address, one) for one in _instructions(image, toolchain))
    return listing


def _symbols(elf: ELFFile, listing: Listing, mask: int) -> None:
    table = elf.get_section_by_name(".symtab")
    if not isinstance(table, SymbolTableSection):
        raise WhitError(f"{listing.path}: expected a table of symbols; link it without -s")
    executable = {index for index, section in enumerate(elf.iter_sections()) if section["sh_flags"] & 4}
    source = ""
    for symbol in table.iter_symbols():
        kind, binding = symbol["st_info"]["type"], symbol["st_info"]["bind"]
        address, name = symbol["st_value"], symbol.name
        if kind == "STT_FILE":
            source = name
        elif kind == "STT_FUNC":
            function = Function(name, address & mask, symbol["st_size"], source if binding == "STB_LOCAL" else "")
            before = listing.functions.get(function.address)
            if before is None or (binding == "STB_GLOBAL" and before.len <= function.len):
                listing.functions[function.address] = function
        elif kind == "STT_OBJECT":
            listing.objects[name] = (address, symbol["st_size"])
        elif kind == "STT_NOTYPE" and symbol["st_shndx"] in executable and not name.startswith(("$", ".L")):
            listing.labels.setdefault(address & mask, name)


def _instructions(image: Path, toolchain: str) -> Iterator[Instruction]:
    try:
        command = [f"{toolchain}objdump", "-d", "-z", "--insn-width=16", str(image)]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    except FileNotFoundError:
        raise WhitError(f"{toolchain}objdump: not found; ./whit build installs it, or names the package") from None
    if done.returncode != 0:
        raise WhitError(f"{toolchain}objdump {image}: {done.stderr.strip()}")
    for line in done.stdout.splitlines():
        if found := _LINE.match(line):
            operands, comment = _split(found[4] or "")
            named = _NAMED.search(found[4] or "") or _AVR.search(comment)
            length = len(found[2].replace(" ", "")) // 2
            target = int(named[1], 16) if named else None
            yield Instruction(int(found[1], 16), length, found[3], operands, target)


def _split(text: str) -> tuple[str, str]:
    """Splits operands from objdump's remarks."""
    remark = re.search(r"\t|;|(?:^|\s)[#@] ", text)
    end = remark.start() if remark else len(text)
    return text[:end].strip(), text[end:]
