# SPDX-License-Identifier: MIT
"""One emulated PC for any system: the same processor, memory and card, on a TAP device of a namespace.

QEMU counts the instructions of its processor by lab/counter.
"""

from __future__ import annotations

import os
import re
import selectors
import shutil
import struct
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from whit.errors import WhitError
from whit.machines.qemu_link import quoted
from whit.paths import BUILD, ROOT
from whit.setup.alone import alone
from whit_lab.real.namespace import Namespace
from whit_lab.real.programs import run
from whit_lab.real.relay import CLIENT, SERVER

QEMU = "qemu-system-x86_64"  # its processor also runs 32-bit code, the only code of Whit's image
CARDS = ("e1000", "virtio-net-pci")
DEVICE, MAC = "whit0", "02:00:00:00:00:02"
MACHINE = ("-machine", "pc", "-accel", "tcg", "-cpu", "max", "-smp", "1", "-m", "512M")  # 002: 512 MB
COUNTER = ROOT / "lab" / "counter" / "counter.c"
THERE = BUILD / "counter"
READY = re.compile("^ready$")
READY_S, END_S = 120.0, 5.0


@dataclass(frozen=True)
class System:
    """The software of the PC. It reports on a line of its serial port that it is ready."""

    kernel: Path
    initrd: Path | None = None
    words: str = ""  # the kernel's command line


@dataclass(frozen=True)
class Counts:
    """Instructions since the PC was switched on."""

    low: int  # lower half of the address space: programs, and all of a 32-bit image
    high: int  # upper half: Linux itself

    @property
    def all(self) -> int:
        return self.low + self.high

    def __sub__(self, other: Counts) -> Counts:
        return Counts(self.low - other.low, self.high - other.high)


class CountedPc:
    """A PC that serves at SERVER, port 80, for clients in its namespace."""

    def __init__(self, process: subprocess.Popen[bytes], counts: Path, namespace: Namespace) -> None:
        self._process, self._counts, self.namespace = process, counts, namespace
        self.said: list[str] = []

    @property
    def counts(self) -> Counts:
        return Counts(*struct.unpack("=QQ", self._counts.read_bytes()))

    def listen(self, *, seconds: float, until: re.Pattern[str]) -> bool:
        """Reads lines of the serial port until one matches."""
        assert self._process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            end, line = time.monotonic() + seconds, b""
            while selector.select(max(0.0, end - time.monotonic())):
                octet = os.read(self._process.stdout.fileno(), 1)
                if not octet:
                    break
                if octet != b"\n":
                    line += octet
                    continue
                self.said.append(line.decode(errors="replace").strip())
                line = b""
                if until.search(self.said[-1]):
                    return True
        return False


def why_not() -> str:
    """Returns the missing program, or "" if QEMU is installed."""
    return "" if shutil.which(QEMU) else f"{QEMU} is not installed (qemu-system-x86)"


@contextmanager
def counted_pc(system: System, card: str) -> Iterator[CountedPc]:
    """Yields the PC when it serves. It runs to the end of the block."""
    network = f"tap,id=net,ifname={DEVICE},script=no,downscript=no"
    command = [QEMU, *MACHINE, "-kernel", str(system.kernel), "-append", system.words]
    command += ["-initrd", str(system.initrd)] if system.initrd else []
    command += ["-display", "none", "-nodefaults", "-no-reboot", "-serial", "stdio"]
    command += ["-netdev", network, "-device", f"{card},netdev=net,mac={MAC},romfile="]
    with Namespace() as namespace, tempfile.TemporaryDirectory(prefix="whit-pc-") as made:
        namespace.do("sh", "-c", _device())
        counts = Path(made) / "counts"
        command += ["-plugin", f"{quoted(counter())},into={quoted(counts)}"]
        process = subprocess.Popen(
            namespace.inside("setpriv", "--pdeathsig", "TERM", "--", *command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        pc = CountedPc(process, counts, namespace)
        try:
            if not pc.listen(seconds=READY_S, until=READY):
                process.kill()
                errors = process.communicate()[1].decode(errors="replace").strip()
                raise WhitError(f"lab: the PC does not serve: {errors or ' / '.join(pc.said[-5:])}", 1)
            yield pc
        finally:
            process.terminate()
            try:
                process.communicate(timeout=END_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()


def counter() -> Path:
    """Returns the plugin, built on first use."""
    version = qemu_version()
    interface = 1 if version < (9, 0) else 2 if version < (9, 1) else 3
    made = THERE / f"counter-{interface}.so"
    flags = ["-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-O2", "-fPIC", "-shared", "-fvisibility=hidden"]
    with alone(THERE / "lock"):
        if not made.exists() or made.stat().st_mtime < COUNTER.stat().st_mtime:
            run(["gcc", *flags, f"-DPLUGIN_INTERFACE={interface}", str(COUNTER), "-o", str(made)])
    return made


def qemu_version() -> tuple[int, int]:
    found = re.search(r"version (\d+)\.(\d+)", run([QEMU, "--version"]))
    if not found:
        raise WhitError(f"lab: {QEMU} does not tell its version", 1)
    return int(found[1]), int(found[2])


def _device() -> str:
    """Returns the commands that make the PC's device. The neighbour entry is fixed, so no connection waits for ARP."""
    return (
        f"ip tuntap add dev {DEVICE} mode tap; ip addr add {CLIENT}/24 dev {DEVICE}; ip link set {DEVICE} up; "
        f"ip neigh replace {SERVER} lladdr {MAC} dev {DEVICE} nud permanent"
    )
