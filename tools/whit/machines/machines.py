# SPDX-License-Identifier: MIT
"""Whether the tools are here that build and run the image of a device."""

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
    """What is missing; empty when nothing is."""
    for program in _PROGRAMS[target]:
        if shutil.which(program) is None:
            return f"{program} is not installed"
    package, header = _LIBRARIES.get(target, ("", "/"))
    return "" if glob(header) else f"{package} is not installed"
