# SPDX-License-Identifier: MIT
"""A PC that QEMU emulates, with a card and a disk for persistent memory: started from the ELF file, or by its firmware
from the image's own disk."""

from whit.image.build import BuildResult
from whit.machines.qemu import ERASED, QemuServer, kept, kept_file
from whit.machines.qemu_link import link, quoted
from whit.machines.run_options import RunOptions
from whit.machines.server import Server

BLOCK = 512
MARK = b"Whit keeps its persistent memory on this disk.\n"  # ports/pc/disk.c
DISK_USED = 2 * 0x40000  # octets after the mark's block: ports/pc/machine.h
DISK = BLOCK + DISK_USED
CARDS = ("virtio-net-pci", "e1000", "e1000e")
MEMORY = "64M"


class PcServer(QemuServer):
    """A PC. Its serial line reports its devices before "ready", or why it stopped."""

    preface = ""

    def _goes_on(self, said: str) -> bool:
        self.preface += f"{said}\n"
        return said != "ready" and not said.startswith(("Whit has stopped", "Whit: "))


def start_pc(options: RunOptions, result: BuildResult) -> Server:
    """Starts a PC as `whit run` does."""
    return start_machine(options, result)


def start_machine(
    options: RunOptions,
    result: BuildResult,
    *,
    card: str = CARDS[0],
    from_disk: bool = False,
    memory: str = MEMORY,
    processor: str = "max",
    machine: str = "pc",
) -> PcServer:
    """`from_disk`: by the firmware and the image's own boot sector, as from a stick. `card`: of QEMU's; empty: none."""
    assert result.flashable is not None
    command = ["qemu-system-i386", "-machine", machine, "-m", memory, "-cpu", processor]
    if from_disk:
        boot = f"format=raw,snapshot=on,file={quoted(result.flashable)}"
        command += ["-drive", f"if=ide,index=0,{boot}"]
    else:
        command += ["-kernel", str(result.image)]
    if card:
        command += ["-device", f"{card},netdev=net,mac={bytes(result.application.board.mac).hex(':')},romfile="]
    with link(options, result), kept(options, result, DISK, MARK.ljust(BLOCK, b"\0") + ERASED * DISK_USED) as held:
        if held:
            disk = quoted(kept_file(options, result).resolve())
            command += ["-drive", f"if=ide,index=1,format=raw,cache=unsafe,file={disk}"]
        return PcServer(command, options, result, held)
