# SPDX-License-Identifier: MIT
"""lab/mbedtls, built below build/mbedtls with Mbed TLS from the distribution's source package.

Standard library only: set-up fetches the archive before other packages exist. Security releases change the version, so
none is named here; the results name it.
"""

import re
import shutil
import subprocess
from pathlib import Path

from whit.errors import WhitError
from whit.paths import BUILD, ROOT
from whit.setup.alone import alone
from whit.setup.sources import fetch_source, unpack_plain

PACKAGE, RELEASE = "mbedtls", "trixie"  # the first release of Debian whose Mbed TLS has TLS 1.3
THERE = BUILD / "mbedtls"
OURS = ROOT / "lab" / "mbedtls"
WAY_OUT = f"put mbedtls_3.6.*.orig.tar.bz2 into {THERE}, or connect to the network and try again"


def server(*, quickly: bool = False) -> Path:
    """Returns the program, built on first use. quickly: not optimised. Raises WhitError if it cannot be built."""
    kind = "Debug" if quickly else "Release"
    there, directory = sources(), THERE / f"server-{kind.lower()}"
    with alone(THERE / "lock"):
        if not (directory / "build.ninja").exists():
            settings = (f"-DMBEDTLS_DIR={there}", f"-DCMAKE_BUILD_TYPE={kind}")
            _must("cmake", "-S", OURS, "-B", directory, "-G", "Ninja", *settings)
        _must("ninja", "-C", directory)
    return directory / "server"


def version() -> str:
    """Returns the version of the unpacked sources; "" if there are no sources."""
    header = THERE / "sources" / "include" / "mbedtls" / "build_info.h"
    found = re.search(r'VERSION_STRING +"([\d.]+)"', header.read_text()) if header.exists() else None
    return found[1] if found else ""


def sources() -> Path:
    """Returns the sources, fetched and unpacked on first use."""
    found = THERE / "sources"
    with alone(THERE / "lock"):
        if found.exists():
            return found
        said = "" if _archives() else fetch_source(PACKAGE, RELEASE, THERE)
        if not _archives():
            raise WhitError(f"Mbed TLS: its source package cannot be had ({said}); {WAY_OUT}")
        unpacked = THERE / "unpacked"
        shutil.rmtree(unpacked, ignore_errors=True)
        unpack_plain(_archives()[-1], unpacked)
        next(unpacked.iterdir()).rename(found)
        return found


def _archives() -> list[Path]:
    return sorted(THERE.glob("mbedtls_*.orig.tar.*"))


def _must(*words: object) -> None:
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise WhitError(f"Mbed TLS: the build failed:\n{done.stdout.strip()[-600:]}")
