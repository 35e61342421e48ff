# SPDX-License-Identifier: MIT
"""Programs that are unpacked from their package and not installed: installing nginx's would start a service.

Standard library only.
"""

import shutil
import subprocess
import tempfile
from pathlib import Path

from whit.errors import WhitError
from whit.paths import ROOT

UNPACKED = ROOT / ".whit" / "packages"


def program(name: str) -> str | None:
    """Returns the path of the installed or unpacked program."""
    unpacked = UNPACKED / "usr" / "sbin" / name
    return shutil.which(name) or (str(unpacked) if unpacked.exists() else None)


def unpack(name: str) -> None:
    """Unpacks the package of that name, unless the program exists."""
    if not program(name):
        _unpack(name)


def unpack_file(name: str, path: str) -> None:
    """Unpacks a file of a package, unless it exists."""
    if not Path(path).exists() and not (UNPACKED / path.lstrip("/")).exists():
        _unpack(name)


def _unpack(name: str) -> None:
    if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
        raise WhitError(f"{name} is not here, and there is no apt-get to fetch it; columns of it will be missing")
    UNPACKED.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=UNPACKED.parent) as made:
        fetch = ["apt-get", "-q", "-o", "APT::Sandbox::User=", "download", name]
        said = subprocess.run(fetch, cwd=made, capture_output=True, text=True)
        archives = list(Path(made).glob("*.deb"))
        if not archives:
            reason = (said.stdout + said.stderr).strip().rpartition("\n")[2]
            raise WhitError(f"{name} cannot be fetched ({reason}); columns of it will be missing")
        subprocess.run(["dpkg-deb", "-x", str(archives[0]), str(UNPACKED)], check=True, capture_output=True)
