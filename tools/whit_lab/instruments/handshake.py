# SPDX-License-Identifier: MIT
"""Instructions on a Cortex-M3, mainly of handshakes: programs of lab/ on QEMU, which counts them."""

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from whit.errors import WhitError
from whit.paths import BUILD, ROOT
from whit.setup.libraries import library
from whit_lab.real.programs import run

CERTIFICATE_LEN = 430
HELLO_LEN = 517  # of curl and Python, its record's header included
SECONDS_MAX = 120
COMPILER = ("arm-none-eabi-gcc", "-std=c11", "-Os", "-mcpu=cortex-m3", "-mthumb", "--specs=nano.specs", "-nostartfiles")
AS_IMAGES = ("-fno-move-loop-invariants", "-fno-schedule-insns2", "-fno-tree-loop-distribute-patterns")
SECTIONS = ("-DWHIT_TLS_ALONE=0", "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections", "-Wl,--entry=0")
EMULATOR = ("qemu-system-arm", "-machine", "mps2-an385", "-nographic", "-monitor", "none", "-serial", "none")
COUNTING = ("-icount", "shift=0", "-semihosting-config", "enable=on,target=native")


@dataclass(frozen=True)
class Cost:
    instructions: int
    longest_slice: int
    slices: int


def can_count() -> bool:
    return all(shutil.which(program) for program in (COMPILER[0], EMULATOR[0]))


def handshakes() -> dict[str, Cost]:
    """Returns costs by the names in lab/handshake.c."""
    place = BUILD / "lab" / "handshake"
    place.mkdir(parents=True, exist_ok=True)
    for name, octets in (("hello", _hello()), ("certificate", bytes(CERTIFICATE_LEN))):
        (place / f"{name}.h").write_text(",".join(map(str, octets)))
    found = count("handshake", place, sorted((ROOT / "engine" / "tls").glob("*.c")))
    if "record_again" not in found:
        raise WhitError("lab: lab/handshake.c did not come to its end", 1)
    return found


def count(name: str, place: Path, engine: Iterable[Path], headers: Sequence[str] = ()) -> dict[str, Cost]:
    """Runs lab/`name`.c with files of the engine and returns its costs. place: directory of its includes."""
    libraries = [word for one in ("monocypher", "p256-m", "bearssl-aes") for word in ("-isystem", str(library(one)))]
    crypto = ROOT / "ports" / "common" / "crypto"
    includes = (f"-I{place}", f"-I{crypto / 'p256_m'}", f"-I{ROOT / 'include'}", f"-I{ROOT / 'ports' / 'flat'}")
    where = ("-iquote", str(ROOT / "engine"), "-T", str(ROOT / "ports" / "cortex_m" / "mps2_an385.ld"))
    ours = (ROOT / "lab" / f"{name}.c", ROOT / "ports" / "common" / "memory.c")
    sources = (*sorted(crypto.glob("*.c")), *engine, *ours)
    image = place / f"{name}.elf"
    options = (*COMPILER, *AS_IMAGES, *SECTIONS, *libraries, *headers, *includes, *where)
    run([*options, *sources, "-o", image], SECONDS_MAX)
    told = run([*EMULATOR, *COUNTING, "-kernel", image], SECONDS_MAX)
    found = {}
    for line in told.splitlines():
        what, *numbers = line.split()
        if len(numbers) == 3:
            found[what] = Cost(*(int(number, 16) for number in numbers))
    if not found or "failed" in found:
        raise WhitError(f"lab: lab/{name}.c said {told!r}", 1)
    return found


def _list(octets: bytes, length: int = 2) -> bytes:
    return len(octets).to_bytes(length, "big") + octets


def _hello() -> bytes:
    """Returns a ClientHello with the required offers, padded as OpenSSL does. Its key share is the generator."""
    extensions = {
        43: _list(b"\x03\x04", 1),
        10: _list(b"\x00\x1d"),
        13: _list(b"\x04\x03"),
        45: _list(b"\x01", 1),
        16: _list(_list(b"http/1.1", 1)),
        51: _list(b"\x00\x1d" + _list(b"\x09" + bytes(31))),
    }
    told = b"".join(number.to_bytes(2, "big") + _list(content) for number, content in extensions.items())
    head = b"\x03\x03" + bytes(32) + _list(bytes(32), 1) + _list(b"\x13\x03") + _list(b"\0", 1)
    padding = HELLO_LEN - 5 - 4 - len(head) - 2 - len(told) - 4
    message = head + _list(told + (21).to_bytes(2, "big") + _list(bytes(padding)))
    return b"\x16\x03\x01" + _list(b"\x01" + _list(message, 3))
