# SPDX-License-Identifier: MIT
"""Counts how often a reader who follows a request through the engine must turn to another file.

The engine is compiled as for devices, with a call at the entry of each function, inlined ones too. lab/instructions.c
sends it requests. The third request of a connection is counted, with the acknowledgments of its response. Each function
of engine/ counts that is entered next after a function of another file. Functions of headers, and returns, do not
count.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from elftools.dwarf.compileunit import CompileUnit
from elftools.dwarf.die import DIE
from elftools.elf.elffile import ELFFile

from whit.paths import ROOT
from whit_lab.instruments.instructions import Program

INSTRUMENTED = "-finstrument-functions"
# Optimisations that change functions' names are off.
OPTIMIZE = ";".join(("-O2", INSTRUMENTED, "-fno-ipa-icf", "-fno-ipa-cp", "-fno-ipa-sra", "-fno-partial-inlining"))


@dataclass(frozen=True)
class Read:
    """The path of a request: the file of each function entered, in this order."""

    entered: Sequence[str]

    @property
    def files(self) -> set[str]:
        return set(self.entered)

    @property
    def changes(self) -> int:
        return sum(a != b for a, b in zip(self.entered, self.entered[1:], strict=False))


class Reader(Program):
    """A program that follows requests to an application."""

    def __init__(self, application: Path, directory: Path) -> None:
        super().__init__(application, directory, "trace.c", optimize=OPTIMIZE, flags=(INSTRUMENTED,))
        self._file_at = dict(_functions(self.program))

    def read(self, request: bytes) -> Read:
        files = [self._file_at[int(address, 16)] for (address,) in self.entered(request)]
        engine = [file for file in files if Path(file).is_relative_to(ROOT / "engine") and file.endswith(".c")]
        if not engine:
            raise self.none_entered()
        return Read(engine)


def _functions(program: Path) -> Iterator[tuple[int, str]]:
    """(address, file) of each function with debug information."""
    with program.open("rb") as stream:
        dwarf = ELFFile(stream).get_dwarf_info()
        for unit in dwarf.iter_CUs():
            files = _files(unit)
            for die in unit.iter_DIEs():
                if die.tag == "DW_TAG_subprogram" and "DW_AT_low_pc" in die.attributes:
                    yield die.attributes["DW_AT_low_pc"].value, files[_declared(die)]


def _declared(die: DIE) -> int:
    """Returns the number of the file that declares a function, or its origin if it is a copy."""
    while "DW_AT_decl_file" not in die.attributes:
        die = die.get_DIE_from_attribute("DW_AT_abstract_origin")
    return int(die.attributes["DW_AT_decl_file"].value)


def _files(unit: CompileUnit) -> list[str]:
    """Returns the files by number, as DWARF 5 counts."""
    lines = unit.dwarfinfo.line_program_for_CU(unit)
    if lines is None:
        return []
    directories = [entry.decode() for entry in lines.header.include_directory]
    return [str(Path(directories[entry.dir_index]) / entry.name.decode()) for entry in lines.header.file_entry]
