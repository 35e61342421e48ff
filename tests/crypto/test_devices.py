# SPDX-License-Identifier: MIT
"""A smaller set of the vectors on emulated processors: each primitive, and Wycheproof's cases at the ends of numbers
and blocks. They have an int of 16 bits, no long multiply, or constants that loads do not reach."""

import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.crypto.built import GCM, MADE, SOURCES, compile_with, vectors
from tests.crypto.test_vectors import KEY_6979, SIGNED_6979
from whit.machines.emulator import MACHINES, build_machine
from whit.paths import ROOT
from whit_testbed.machine import Machine

HERE = Path(__file__).parent
HZ = 16_000_000
SECONDS_MAX = 200


def record(operation, first, second, rest=b""):
    octets = bytes((len(first), len(second))) + first + second + rest
    return operation.encode() + len(octets).to_bytes(2, "big") + octets


def fields(test, *names):
    return [bytes.fromhex(test[name]) for name in names]


def chosen(ladders, signatures, verified=0):
    """Returns a device's records and its expected output. `ladders`, `signatures` and `verified` count the slow
    operations: X25519, signatures made and verified."""
    records, told = [], b""
    for length in (0, 55, 56, 64, 200):
        octets = bytes(range(length))
        records.append(record("s", b"", b"", octets))
        told += hashlib.sha256(octets).digest()
    for _, test in [pair for pair in vectors("hkdf_sha256") if pair[1]["size"] == 32][:3]:
        key, salt, info = fields(test, "ikm", "salt", "info")
        records.append(record("h", salt, info, key))
        told += bytes.fromhex(test["okm"])
    for operation, name, bits, each in (("a", "chacha20_poly1305", 256, 9), ("g", "aes_gcm", 128, 11)):
        for group, test in vectors(name):
            fits = (group["ivSize"], group["keySize"]) == (96, bits) and len(test["aad"]) < 400
            if fits and test["result"] == "valid" and test["tcId"] % each == 0:
                key, nonce, data, text, sealed, tag = fields(test, "key", "iv", "aad", "msg", "ct", "tag")
                records.append(record(operation, key.ljust(32, b"\0") + nonce, data, text))
                told += sealed + tag + text
    ends = [test for _, test in vectors("x25519") if "EdgeCaseMultiplication" in test["flags"]]
    small = [test for _, test in vectors("x25519") if "ZeroSharedSecret" in test["flags"]]
    for test in [*ends[: ladders - ladders // 2], *small[: ladders // 2]]:
        secret, point, shared = fields(test, "private", "public", "shared")
        records.append(record("x", secret, point))
        told += shared if any(shared) else b"\xff" + shared[1:]
    for message, signature in list(SIGNED_6979.items())[:signatures]:
        records.append(record("p", KEY_6979, hashlib.sha256(message).digest()))
        told += bytes.fromhex(signature[64:] + signature[:64])
    pairs = [(group, test) for group, test in vectors("ecdsa_secp256r1_sha256_p1363") if len(test["sig"]) == 128]
    wrong = [pair for pair in pairs if pair[1]["result"] != "valid"][::20]
    for group, test in [*wrong, *pairs[::30]][:verified]:
        point, digest = bytes.fromhex(group["publicKey"]["uncompressed"])[1:], hashlib.sha256(fields(test, "msg")[0])
        records.append(record("v", *fields(test, "sig"), point, digest.digest()))
        told += bytes([test["result"] == "valid"]) * 32
    return b"".join(records), told


def built(name, compiler, flash, machine, *which, more=()):
    records, told = chosen(*which)
    header = MADE / name / "vectors.h"
    header.parent.mkdir(parents=True, exist_ok=True)
    header.write_text(",".join(map(str, records)))
    compiler = (*compiler, f"-I{header.parent}", "-iquote", str(ROOT / "ports"))
    sources = (*SOURCES, GCM["small"], HERE / "device.c", HERE / machine, *more)
    return compile_with(compiler, flash, sources, MADE / name / "device.elf"), told


@pytest.mark.skipif(
    not (shutil.which("arm-none-eabi-gcc") and shutil.which("qemu-system-arm")),
    reason="gcc-arm-none-eabi or qemu-system-arm is not installed",
)
def test_cortex_m():
    script = ROOT / "ports" / "cortex_m" / "mps2_an385.ld"
    compiler = ("arm-none-eabi-gcc", "-Os", "-mcpu=cortex-m3", "-mthumb", "--specs=nano.specs", "-nostartfiles")
    image, told = built("cortex_m", (*compiler, "-T", str(script)), "flat", "device_cortex_m.c", 6, 2, 10)
    emulator = ["qemu-system-arm", "-machine", "mps2-an385", "-nographic", "-monitor", "none", "-serial", "none"]
    semihosting = ["-semihosting-config", "enable=on,target=native", "-kernel", str(image)]
    done = subprocess.run([*emulator, *semihosting], capture_output=True, text=True, timeout=120)
    assert (done.stdout + done.stderr).split()[0] == told.hex()


@pytest.mark.skipif(
    not (shutil.which("riscv64-unknown-elf-gcc") and shutil.which("qemu-system-riscv32")),
    reason="gcc-riscv64-unknown-elf or qemu-system-misc is not installed",
)
def test_riscv():
    machine = ("-march=rv32imac", "-mabi=ilp32", "-msmall-data-limit=0", "--specs=picolibc.specs", "-nostartfiles")
    memory = {"__flash": 0x80000000, "__flash_size": 1 << 20, "__ram": 0x80100000, "__ram_size": 1 << 20}
    places = [f"-Wl,--defsym={name}={place}" for name, place in memory.items()]
    compiler = ("riscv64-unknown-elf-gcc", "-Os", *machine, *places)
    image, told = built("riscv", compiler, "flat", "device_riscv.c", 6, 2, 10)
    emulator = ["qemu-system-riscv32", "-machine", "virt", "-bios", "none", "-display", "none", "-serial", "stdio"]
    done = subprocess.run([*emulator, "-kernel", str(image)], capture_output=True, text=True, timeout=120)
    assert done.stdout == told.hex(), done.stderr


def on_machine(name, image, told, hz):
    """Runs an image on one of emulators/, whose line carries its output."""
    build_machine(name)
    heard = b""
    with Machine(MACHINES / f"libwhit_{name}.so", image, hz=hz) as machine:
        while len(heard) < len(told) and machine.cycle < SECONDS_MAX * machine.hz:
            machine.run(machine.cycle + machine.hz // 10)
            while octet := machine.receive():
                heard += octet[0].to_bytes()
    assert heard.hex() == told.hex()


@pytest.mark.skipif(shutil.which("arm-none-eabi-gcc") is None, reason="gcc-arm-none-eabi is not installed")
def test_gba():
    """An ARM7TDMI, whose Thumb instructions have no long multiply."""
    port = ROOT / "ports" / "gba"
    machine = ("-mcpu=arm7tdmi", "-mthumb", "--specs=nano.specs", "-nostartfiles", "-T", str(port / "gba.ld"))
    compiler = ("arm-none-eabi-gcc", "-Os", *machine)
    image, told = built("gba", compiler, "flat", "device_gba.c", 2, 1, 2, more=(port / "start.c",))
    rom = image.with_suffix(".gba")
    subprocess.run(["arm-none-eabi-objcopy", "-O", "binary", image, rom], check=True)
    on_machine("gba", rom, told, 0)


def run_on_avr(ladders, signatures):
    compiler = ("avr-gcc", "-Os", "-mmcu=atmega1284p")
    image, told = built(f"avr{signatures}", compiler, "avr", "device_avr.c", ladders, signatures)
    on_machine("avr", image, told, HZ)


NO_AVR = pytest.mark.skipif(shutil.which("avr-gcc") is None, reason="gcc-avr is not installed")


@NO_AVR
def test_avr():
    run_on_avr(1, 0)


@NO_AVR
@pytest.mark.slow
def test_avr_signs():
    run_on_avr(2, 1)
