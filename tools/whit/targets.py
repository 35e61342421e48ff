# SPDX-License-Identifier: MIT
"""The machines that an image can be built for."""

from dataclasses import dataclass

from whit.errors import WhitError


@dataclass(frozen=True)
class Target:
    """A machine and how images for it are made. `port` names its directory in ports/."""

    name: str
    port: str
    machine: str  # for a reader
    link: str  # ethernet or slip, unless a build asks for the other
    suffix: str  # of the image that the linker makes
    optimize: str
    toolchain: str = ""  # prefix of its programs: avr- for avr-gcc; empty: the host's own
    flashable: str = ""  # suffix of the file that goes into the device, made from the image by objcopy; empty: none
    array_max: int = 0  # octets of the largest array that the compiler takes; 0: any
    constants_max: int = 0  # octets of constants that code can reach; 0: any
    persistent_max: int = 0  # octets of persistent memory that an application may declare; 0: any
    journal_max: int = 0  # octets of it and of the longest write together; 0: any
    logs: bool = False  # images have the request log and error pages unless a build says otherwise

    @property
    def is_device(self) -> bool:
        """False: its images run on this machine, or for tests."""
        return bool(self.flashable)

    @property
    def describes(self) -> bool:
        """True if images describe their services, unless app.toml says otherwise."""
        return self.logs or not self.is_device


# The EEPROM has 4096 octets: 8 for the seed, 72 for the journal's heads, at least 64 for its records (ports/avr).
AVR = Target(
    *("avr", "avr", "ATmega1284P", "slip", ".elf", "-Os", "avr-", ".hex"),
    array_max=32767,
    constants_max=65536,
    persistent_max=3952,
    journal_max=4016,
)
TARGETS = {
    target.name: target
    for target in (
        Target("linux", "linux", "a Linux process", "ethernet", "", "-O2", logs=True),
        # Tests build dozens, and Python takes most of their time. -O0 would keep calls of functions that are left out.
        Target("inprocess", "inprocess", "a shared object for tests", "ethernet", ".so", "-Og"),
        AVR,
        Target("avr-inprocess", "avr_inprocess", "the engine on an AVR, for tests", "ethernet", ".elf", "-Os", "avr-"),
        Target("cortex-m", "cortex_m", "Cortex-M3 (MPS2 AN385)", "ethernet", ".elf", "-Os", "arm-none-eabi-", ".bin"),
        Target("riscv", "riscv", "rv32imac (QEMU virt)", "ethernet", ".elf", "-Os", "riscv64-unknown-elf-", ".bin"),
        Target(
            *("gba", "gba", "ARM7TDMI (Game Boy Advance)", "slip", ".elf", "-Os", "arm-none-eabi-", ".gba"),
            persistent_max=16366,
        ),
        Target("pc", "pc", "PC (IA-32)", "ethernet", ".elf", "-O2", "i686-linux-gnu-", ".img", logs=True),
    )
}
LINKS = ("ethernet", "slip")


def find_target(name: str) -> Target:
    """Returns the target. WhitError lists the targets."""
    if name not in TARGETS:
        from whit.suggest import did_you_mean  # which needs the targets

        raise WhitError(f"--target {name}: expected one of {', '.join(TARGETS)}{did_you_mean(name, TARGETS)}")
    return TARGETS[name]
