# SPDX-License-Identifier: MIT
"""Finds the tools that build and run a device's image."""

import shutil
from glob import glob

_PROGRAMS = {
    "avr": ("avr-gcc",),
    "cortex-m": ("arm-none-eabi-gcc", "qemu-system-arm"),
    "riscv": ("riscv64-unknown-elf-gcc", "qemu-system-riscv32"),
    "gba": ("arm-none-eabi-gcc",),
    "pc": ("i686-linux-gnu-gcc", "qemu-system-i386"),
}
_LIBRARIES = {
    "avr": ("libsimavr-dev", "/usr/include/simavr/sim_avr.h"),
    "gba": ("libmgba-dev", "/usr/include/mgba/core/core.h"),
}
MACHINES = tuple(_PROGRAMS)


def why_no_machine(target: str) -> str:
    """Returns what is missing; empty if all tools are installed."""
    for program in _PROGRAMS[target]:
        if shutil.which(program) is None:
            return f"{program} is not installed"
    package, header = _LIBRARIES.get(target, ("", "/"))
    return "" if glob(header) else f"{package} is not installed"
