# SPDX-License-Identifier: MIT
"""Files that a user names: looked at before the work, written after it."""

import os
import tempfile
from collections.abc import Collection
from pathlib import Path

from whit.errors import WhitError


def check_output(option: str, path: Path, suffixes: Collection[str] = ()) -> None:
    """WhitError: the file cannot be written, as far as this is known. suffixes: allowed ends of its name."""
    if suffixes and path.suffix not in suffixes:
        raise WhitError(f"{option} {path}: expected a name that ends in {' or '.join(suffixes)}")
    try:
        if path.is_dir() or not path.resolve().parent.is_dir():
            raise WhitError(f"{option} {path}: expected a file in a directory that exists")
        is_there = path.exists()
    except OSError as error:  # a name that is too long, for instance
        raise WhitError(f"{option} {path}: {error.strerror}; expected a file that can be written") from error
    if not (os.access(path, os.W_OK) if is_there else _takes_files(path.resolve().parent)):
        raise WhitError(f"{option} {path}: expected a place where you may write")


def check_directory(option: str, path: Path) -> None:
    """WhitError: the directory cannot be made, or not be written to."""
    try:
        there = next(one for one in (path.absolute(), *path.absolute().parents) if os.path.lexists(one))
        if not there.is_dir():
            raise WhitError(f"{option} {path}: expected a directory, or a name for one; {there} is a file")
    except OSError as error:
        raise WhitError(f"{option} {path}: {error.strerror}; expected a directory, or a name for one") from error
    if not _takes_files(there):
        raise WhitError(f"{option} {path}: expected a place where you may write")


def _takes_files(directory: Path) -> bool:
    """True if a file can be created there. Access rights are no proof: root has all of them even in /proc."""
    try:
        with tempfile.TemporaryFile(dir=directory):
            return True
    except OSError:
        return False


def write_output(path: Path, content: str | bytes) -> None:
    """Writes a file. WhitError: it cannot be written."""
    try:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    except OSError as error:
        raise WhitError(f"{path}: {error.strerror}; expected a file that can be written") from error
