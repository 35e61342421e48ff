# SPDX-License-Identifier: MIT
"""Paths of certificates and keys below .whit, which git ignores. Standard library only."""

import contextlib
import fcntl
import itertools
import subprocess
from collections.abc import Iterator
from pathlib import Path

from whit.errors import WhitError
from whit.paths import KEPT, directory_name

THERE = KEPT / "https"
AUTHORITY, AUTHORITY_KEY = "ca.pem", "ca-key.pem"  # of this machine
CERTIFICATE = "certificate.pem"
KEY = "key.pem"


def directory_of(name: str) -> Path:
    """An application's, by its name."""
    return THERE / directory_name(name)


@contextlib.contextmanager
def locked() -> Iterator[None]:
    """Locks the directory: one command at a time writes, so that key and certificate fit each other."""
    THERE.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (THERE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def keep(key: Path, certificate: Path) -> Path:
    """Gives a key and its certificate names of their own, before others take their places. Returns the key's."""
    number = next(one for one in itertools.count(1) if not _numbered(key, one).exists())
    if certificate.exists():
        certificate.replace(_numbered(certificate, number))
    return key.replace(_numbered(key, number))


def _numbered(path: Path, number: int) -> Path:
    return path.with_name(f"{path.name}.{number}")


def check_secret(path: Path) -> None:
    """Checks the mode of a secret. WhitError: others can read the file, or git tracks it."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise WhitError(f"{path}: {error.strerror}: expected the certificate's key") from None
    if mode & 0o077:
        raise WhitError(f"{path}: others may read it, and so have the key: expected mode 0600; chmod 600 {path}")
    if _is_tracked(path):
        raise WhitError(f"{path}: git tracks it, so that all who get the tree get the key: expected another place")


def _is_tracked(path: Path) -> bool:
    there = path.resolve()
    command = ["git", "-C", str(there.parent), "ls-files", "--error-unmatch", "--", there.name]
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except OSError:  # no git, no repository
        return False


def write_secret(path: Path, octets: bytes) -> None:
    """Writes a file that only its owner may read; replaces an existing one."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    _write(path, octets, 0o600)


def write(path: Path, octets: bytes) -> None:
    """Writes a file that everybody may read, atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _write(path, octets, 0o666)


def _write(path: Path, octets: bytes, mode: int) -> None:
    new = path.with_name(f".{path.name}.new")
    try:
        new.unlink(missing_ok=True)
        new.touch(mode=mode, exist_ok=False)
        new.write_bytes(octets)
        new.replace(path)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise WhitError(f"{path}: {error.strerror}; give a place that can be written") from error
