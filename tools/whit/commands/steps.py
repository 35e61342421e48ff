# SPDX-License-Identifier: MIT
"""The steps of a command that takes long: a terminal shows the one that it is at. Elsewhere, a long one has a line."""

import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console

LONG_S = 2.0  # a step that takes longer is printed
_SHARE = re.compile(r"(compressing \S+ [kM]B) \S+ \d+% .*")

Step = Callable[[str], None]


@contextmanager
def steps(console: Console, first: str = "") -> Iterator[Step]:
    """Yields a function; call it with the name of each step at its start."""
    if console.is_terminal:
        with console.status(first or "building") as status:
            yield status.update
        return
    told = _Told()
    if first:
        told.begin(first)
    try:
        yield told.begin
    finally:
        told.end()


class _Told:
    """Prints the name of a step once it has lasted LONG_S, on standard error."""

    def __init__(self) -> None:
        self._step = ""
        self._timer: threading.Timer | None = None

    def begin(self, step: str) -> None:
        share = _SHARE.fullmatch(step)  # of a file of megabytes, a step of many names
        step = share[1] if share else step
        if step == self._step:
            return
        self.end()
        self._step = step
        self._timer = threading.Timer(LONG_S, print, (step,), {"file": sys.stderr, "flush": True})
        self._timer.daemon = True
        self._timer.start()

    def end(self) -> None:
        self._step = ""
        if self._timer is not None:
            self._timer.cancel()
