# SPDX-License-Identifier: MIT
"""Source packages of Debian, of a release that may differ from this machine's. The package lists are kept next to the
archive: nothing of the system changes, and root is not required. Standard library only.
"""

import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

from whit.errors import WhitError


def fetch_source(package: str, release: str, there: Path) -> str:
    """Saves the archive of the source package in `there`. Returns the package manager's last line, which is the reason
    if the archive is missing."""
    if shutil.which("apt-get") is None:
        return "there is no apt-get to fetch it"
    apt = there / "apt"
    for directory in ("lists/partial", "archives/partial", "sources"):
        (apt / directory).mkdir(parents=True, exist_ok=True)
    _name_sources(apt / "sources", release)
    settings = {
        "Dir::Etc::sourcelist": "/dev/null",
        "Dir::Etc::sourceparts": apt / "sources",
        "Dir::State": apt,
        "Dir::Cache": apt,
        "APT::Sandbox::User": "",
        "Acquire::http::Timeout": 20,
    }
    options = [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]
    _run(["apt-get", *options, "update"], there)
    said = _run(["apt-get", *options, "source", "--download-only", "--tar-only", package], there)
    return said.strip().rpartition("\n")[2]


def _name_sources(into: Path, wanted: str) -> None:
    etc = Path("/etc/apt")
    release = re.search(r"^VERSION_CODENAME=(\w+)", Path("/etc/os-release").read_text(), re.MULTILINE)
    for path in (etc / "sources.list", *sorted((etc / "sources.list.d").glob("*"))):
        if path.suffix in (".list", ".sources") and path.exists():
            (into / path.name).write_text(source_lists(path.read_text(), release[1] if release else "", wanted))


def source_lists(text: str, release: str, wanted: str) -> str:
    """Returns the text of a sources list, changed to name source packages of the wanted release."""
    text = re.sub(r"^deb(?=[ \t])", "deb-src", text, flags=re.MULTILINE)
    text = re.sub(r"^Types:.*", "Types: deb-src", text, flags=re.MULTILINE | re.IGNORECASE)
    return re.sub(rf"\b{release}(?=[-/ \t\n]|$)", wanted, text) if release else text


def unpack_plain(archive: Path, directory: Path) -> None:
    """Extracts regular files only, and only below the directory. tarfile has such a filter since Python 3.11.4."""
    with tarfile.open(archive) as tar:
        for member in tar:
            path = (directory / member.name).resolve()
            if not path.is_relative_to(directory.resolve()):
                raise WhitError(f"{archive}: {member.name} is outside of {directory}; delete the archive and try again")
            content = tar.extractfile(member) if member.isfile() else None
            if content is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content.read())


def _run(command: list[str], there: Path) -> str:
    environment = os.environ | {"LC_ALL": "C"}
    return subprocess.run(
        command, cwd=there, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ).stdout
