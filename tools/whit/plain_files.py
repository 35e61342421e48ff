# SPDX-License-Identifier: MIT
"""Reads files that others may have written: a pipe or a device in place of a file is an error."""

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

SETTINGS_MAX = 1 << 18  # bytes of app.toml
SECRETS_MAX = 1 << 20  # bytes of a certificate, a key or a password
SOURCES_MAX = 1 << 24  # bytes of a C file
DEPTH_MAX = 100  # directories


def octets_of(path: Path, most: int) -> bytes:
    """Returns the content of a file. OSError, its reason in `strerror`: not a file, or more than `most` bytes."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        mode = os.fstat(file.fileno()).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "Not a file", str(path))
        octets = file.read(most + 1)
    if len(octets) > most:
        raise OSError(errno.EFBIG, f"More than {most} bytes", str(path))
    return octets


def below(directory: Path, *suffixes: str) -> Iterator[Path]:
    """Yields files with these suffixes, in order. Skips hidden directories and links to directories."""
    waiting = [(directory, 0)]
    while waiting:
        place, depth = waiting.pop()
        try:
            entries = sorted(os.scandir(place), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if not entry.name.startswith(".") and depth < DEPTH_MAX:
                    waiting.append((Path(entry), depth + 1))
            elif entry.name.endswith(suffixes) and entry.is_file():
                yield Path(entry)


def from_home(text: str) -> Path:
    """Returns a path with ~ or ~USER replaced by a home; unchanged if that user does not exist."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)
