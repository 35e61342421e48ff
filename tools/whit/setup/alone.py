# SPDX-License-Identifier: MIT
"""Lets one process at a time do a job. Standard library only."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def alone(lock: Path) -> Iterator[None]:
    """Locks out other processes that build or fetch the same. The system releases the lock of a dead process."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
