# SPDX-License-Identifier: MIT
"""Builds lwIP and its web server from the distribution's source package, below build/lwip.

Standard library only: set-up fetches the archive before other packages exist.
"""

import hashlib
import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

from whit.errors import WhitError
from whit.paths import BUILD, ROOT
from whit.setup.alone import alone
from whit.setup.sources import fetch_source, unpack_plain

VERSION = "2.1.3"
RELEASE = "bookworm"
PACKAGE = "lwip=2.1.3+dfsg1-2"
ARCHIVE = "lwip_2.1.3+dfsg1.orig.tar.xz"
SHA256 = "0a8276d09fc4e97bbba2f953d74af2388fc2195ea156be9d7589e297a68fde24"
THERE = BUILD / "lwip"
SOURCES = THERE / f"lwip-{VERSION}"
OURS = ROOT / "lab" / "lwip"
DEVICE = OURS / "device"
WAY_OUT = f"put {ARCHIVE} into {THERE}, or connect to the network and try again"


def shared_object() -> Path:
    """Returns lwIP as a library, built on first use. Raises WhitError if it cannot be built."""
    return _built() / "liblwip_peer.so"


def tap_program() -> Path:
    """Returns lwIP as a program on a TAP device, built on first use."""
    return _built() / "lwip_tap"


def _built() -> Path:
    sources()
    directory = THERE / "inprocess"
    with alone(THERE / "lock"):
        if not (directory / "build.ninja").exists():
            _must(["cmake", "-S", str(OURS), "-B", str(directory), "-G", "Ninja", f"-DLWIP_DIR={SOURCES}"])
        _must(["ninja", "-C", str(directory)])
    return directory


@cache
def sizes_32() -> dict[str, int] | None:
    """Returns the bytes of an element of each pool, and of a pbuf's head ("pbuf"), on a Cortex-M. None: no compiler."""
    compiler = shutil.which("arm-none-eabi-gcc")
    if compiler is None:
        return None
    sources()
    made = THERE / "sizes.o"
    include = [f"-I{OURS}", f"-I{SOURCES / 'src' / 'include'}"]
    with alone(THERE / "lock"):
        _must([compiler, "-mcpu=cortex-m3", "-mthumb", *include, "-c", str(OURS / "sizes.c"), "-o", str(made)])
        listed = _must(["arm-none-eabi-nm", "-S", str(made)])
    return {name: int(size, 16) for size, name in re.findall(r"^\w+ (\w+) \w lwip_size_(\w+)$", listed, re.MULTILINE)}


@cache
def device_flash() -> int:
    """Returns the bytes of lwIP and its web server on a Cortex-M3, as small as its options allow: lab/lwip/device.

    It includes the C library functions they need, not the program and the driver of its serial line.
    """
    sources()
    made = THERE / "device"
    made.mkdir(exist_ok=True)
    core = SOURCES / "src"
    own = [DEVICE / "main.c", core / "netif" / "slipif.c"]
    files = [*sorted((core / "core").glob("*.c")), *sorted((core / "core" / "ipv4").glob("*.c"))]
    files += [core / "apps" / "http" / name for name in ("httpd.c", "fs.c")]
    flags = ["-mcpu=cortex-m3", "-mthumb", "-Os", "-ffunction-sections", "-fdata-sections"]
    compiler = ["arm-none-eabi-gcc", *flags, f"-I{DEVICE}", f"-I{core / 'include'}"]
    link = ["-Wl,--gc-sections", "-nostartfiles", "--specs=nosys.specs"]
    with alone(THERE / "lock"):
        _must([*compiler, *link, "-o", str(made / "lwip.elf"), *map(str, [*own, *files])])
        octets = _flash(made / "lwip.elf")
        for path in own:
            _must([*compiler, "-c", "-o", str(made / "own.o"), str(path)])
            octets -= _flash(made / "own.o")
    return octets


def _flash(file: Path) -> int:
    """Returns the bytes of code, constants and initial values."""
    code, data, *_ = _must(["arm-none-eabi-size", str(file)]).splitlines()[1].split()
    return int(code) + int(data)


def sources() -> Path:
    """Returns lwIP's sources, fetched and unpacked on first use."""
    with alone(THERE / "lock"):
        if SOURCES.exists():
            return SOURCES
        archive = THERE / ARCHIVE
        if not archive.exists():
            _fetch()
        found = hashlib.sha256(archive.read_bytes()).hexdigest()
        if found != SHA256:
            raise WhitError(f"{archive}: SHA-256 {found}, expected {SHA256}; delete it and try again")
        unpacked = THERE / "unpacked"
        shutil.rmtree(unpacked, ignore_errors=True)
        unpack_plain(archive, unpacked)
        (unpacked / SOURCES.name).rename(SOURCES)
        return SOURCES


def _fetch() -> None:
    said = fetch_source(PACKAGE, RELEASE, THERE)
    if not (THERE / ARCHIVE).exists():
        raise WhitError(f"lwIP {VERSION}: its source package cannot be had ({said}); {WAY_OUT}")


def _must(command: list[str]) -> str:
    done = _run(command)
    if done.returncode != 0:
        raise WhitError(f"lwIP: the build failed:\n{done.stdout.strip()}")
    return done.stdout


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"LC_ALL": "C"}
    return subprocess.run(
        command, cwd=THERE, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
