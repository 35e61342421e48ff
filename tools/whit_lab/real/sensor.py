# SPDX-License-Identifier: MIT
"""A sensor behind a serial line: a pseudo terminal, on which a thread answers each "?" after a delay."""

from __future__ import annotations

import os
import threading
import time
import tty
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def sensor(answer: bytes, after_s: float) -> Iterator[str]:
    """Yields the path of its line."""
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    os.fchmod(theirs, 0o666)  # a program of Apache's does not run as root

    def answers() -> None:
        while (asked := os.read(ours, 1)) == b"?":
            time.sleep(after_s)
            os.write(ours, answer)
        assert asked == b"."

    thread = threading.Thread(target=answers, daemon=True)
    thread.start()
    try:
        yield os.ttyname(theirs)
    finally:
        os.write(theirs, b".")
        thread.join()
        os.close(ours)
        os.close(theirs)
