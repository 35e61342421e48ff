# SPDX-License-Identifier: MIT
"""Notices that a file of an application was changed, added or removed."""

import os
import time
from collections.abc import Callable
from pathlib import Path

INTERVAL_S = 0.3

WELL_KNOWN = ".well-known"  # RFC 8615: hidden, and served all the same

Snapshot = dict[str, tuple[int, int]]
"""Time (ns) and size (bytes) of each file by its path."""


def snapshot(directory: Path) -> Snapshot:
    """Returns the application's files. Leaves out hidden files, and files that cannot be accessed now."""
    files: Snapshot = {}
    for folder, folders, names in os.walk(directory):
        folders[:] = [name for name in folders if not name.startswith(".") or name == WELL_KNOWN]
        for name in names:
            if name.startswith("."):
                continue
            path = Path(folder) / name
            try:
                status = path.stat()
            except OSError:
                continue
            files[str(path)] = (status.st_mtime_ns, status.st_size)
    return files


def wait_for_change(directory: Path, before: Snapshot, meanwhile: Callable[[], None]) -> None:
    """Returns when a file differs from `before` and nothing moves any more: an editor has finished."""
    while (now := snapshot(directory)) == before:
        meanwhile()
        time.sleep(INTERVAL_S)
    while True:
        time.sleep(INTERVAL_S)
        settled = snapshot(directory)
        if settled == now:
            return
        now = settled
