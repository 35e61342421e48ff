# SPDX-License-Identifier: MIT
"""A handshake, a request octet by octet, a new key and an answer on emulated processors. The octets equal this
machine's; the cost is bounded."""

import shutil
import subprocess
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from tests.crypto.built import SOURCES, compile_with
from tests.support import write_whole
from tests.tls.host import MADE, PHASES, Server, code, identity, start
from tests.tls.peer import APPLICATION, HANDSHAKE, Hello, finished, plain, sealed
from whit.machines.emulator import MACHINES, build_machine
from whit.paths import ROOT
from whit_testbed.machine import Machine

CRYPTO = ROOT / "tests" / "crypto"
REQUEST = b"GET /" + b"a" * 150
HZ = 16_000_000
# The options for size, as ports have them: cmake/settings.cmake.
SMALL = ("-fno-move-loop-invariants", "-fno-schedule-insns2", "-fno-tree-loop-distribute-patterns")
OURS = {"script", "whit_tls_certificate", "device_key", "main", "send_out", "tell_text", "tell", "tell_all"}
OURS |= {"ask", "reset", "finish"}
STACK_MAX = 1_500
FLASH_MAX = 19_500  # of a Cortex-M3: TLS with its cryptography, without certificate and harness


def scripted():
    """Returns the client's octets, and the device's expected answer."""
    start()
    server, sent, told = Server(record_len=200), [], b""
    steps = (
        lambda: plain(Hello().message()),
        lambda: sealed(server.secret(), 0, finished(server) + bytes([HANDSHAKE])),
        lambda: sealed(server.secret(), 0, REQUEST + bytes([APPLICATION])),
        lambda: sealed(server.secret(), 1, b"\x18\0\0\1\1" + bytes([HANDSHAKE])),
    )
    for step in steps:
        sent.append(step())
        before = len(server.told)
        assert server.give(sent[-1]) == b""
        told += server.told[before:] + server.take() + bytes([PHASES.index(server.phase)])
    told += server.response(b"answer")
    assert server.phase == "open" and server.text == REQUEST
    return sent, told


def built(name, compiler, flash, *machine):
    sent, told = scripted()
    place = MADE / name
    place.mkdir(parents=True, exist_ok=True)
    for header, octets in (
        ("script", b"".join(len(part).to_bytes(2, "big") + part for part in sent)),
        ("certificate", identity().message),
        ("key", identity().key),
    ):
        write_whole(place / f"{header}.h", ",".join(map(str, octets)).encode())
    sources = (*SOURCES, *sorted((ROOT / "engine" / "tls").glob("*.c")), Path(__file__).with_name("device.c"), *machine)
    quoted = (f"-I{place}", "-DWHIT_TLS_ALONE=0", "-iquote", str(ROOT / "engine"))
    return compile_with((*compiler, *quoted), flash, sources, place / "device.elf"), told


def flash_of(image):
    """Returns the octets of code and constants, less the test's own."""
    with image.open("rb") as file:
        elf = ELFFile(file)
        text = elf.get_section_by_name(".text")["sh_size"]
        table = elf.get_section_by_name(".symtab")
        return text - sum(symbol["st_size"] for symbol in table.iter_symbols() if symbol.name in OURS)


@pytest.mark.skipif(
    not (shutil.which("arm-none-eabi-gcc") and shutil.which("qemu-system-arm")),
    reason="gcc-arm-none-eabi or qemu-system-arm is not installed",
)
def test_cortex_m():
    script = ROOT / "ports" / "cortex_m" / "mps2_an385.ld"
    compiler = ("arm-none-eabi-gcc", "-Os", "-mcpu=cortex-m3", "-mthumb", "--specs=nano.specs", "-nostartfiles", *SMALL)
    machine = (CRYPTO / "device_cortex_m.c", ROOT / "ports" / "common" / "memory.c")
    image, told = built("cortex_m", (*compiler, "-T", str(script)), "flat", *machine)
    emulator = ["qemu-system-arm", "-machine", "mps2-an385", "-nographic", "-monitor", "none", "-serial", "none"]
    semihosting = ["-semihosting-config", "enable=on,target=native", "-kernel", str(image)]
    done = subprocess.run([*emulator, *semihosting], capture_output=True, text=True, timeout=120)
    heard, stack = (done.stdout + done.stderr).split()
    assert heard == told.hex()
    assert int(stack, 16) <= STACK_MAX
    assert flash_of(image) <= FLASH_MAX


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("avr-gcc") is None, reason="gcc-avr is not installed")
def test_avr():
    """An AVR's handshake takes some 800 million cycles, most of them for the signature."""
    compiler = ("avr-gcc", "-Os", "-mmcu=atmega1284p")
    image, told = built("avr", compiler, "avr", CRYPTO / "device_avr.c")
    build_machine("avr")
    heard = b""
    with Machine(MACHINES / "libwhit_avr.so", image, hz=HZ) as machine:
        while len(heard) < len(told) and machine.cycle < 100 * HZ:
            machine.run(machine.cycle + HZ // 10)
            while octet := machine.receive():
                heard += octet[0].to_bytes()
    assert heard.hex() == told.hex()


def test_what_a_connection_holds():
    """The size in octets, without the influence of pointers: see docs/internals/tls.md."""
    assert code().host_size() <= 560
