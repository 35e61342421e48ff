# SPDX-License-Identifier: MIT
"""The loop of virtual time, driven by the clock. Links and engines of whit_testbed run unchanged."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from whit.wire.units import MS, SECOND
from whit_testbed.link import Deadlock
from whit_testbed.machine import MachineLoop

QUANTUM_US = MS  # between two checks of a condition; the largest lag of an emulated machine


class RealLoop(MachineLoop):
    """A loop that runs events in real time. `now_us` is the event's registered time: a late wake-up delays no later
    event.

    `late_us` is the largest lateness of an event.
    """

    def __init__(self) -> None:
        super().__init__()
        self.late_us = 0
        self._origin_us = _clock_us() - self.now_us
        self._readers: dict[int, Callable[[], None]] = {}

    def reader(self, descriptor: int, ready: Callable[[], None]) -> None:
        """Calls `ready` when the descriptor has data; `ready` reads all of it."""
        self._readers[descriptor] = ready

    def run(self, until: Callable[[], bool] | None = None, *, for_us: int = 3600 * SECOND) -> None:
        with _promptly():
            self._run(until, self._real_us() + for_us, for_us)

    def _run(self, until: Callable[[], bool] | None, end: int, for_us: int) -> None:
        while not (until and until()):
            self._catch_up()
            if self.now_us >= end:
                if until:
                    raise Deadlock(f"nothing came of it within {for_us / SECOND:.0f} s")
                return
            next_us = min(end, self._queue[0][0] if self._queue else end, self._real_us() + QUANTUM_US)
            timeout_s = max(0, next_us - self._real_us()) / SECOND
            ready, _, _ = select.select(list(self._readers), (), (), timeout_s)
            if ready:
                self._catch_up()
                for descriptor in ready:
                    self._readers[descriptor]()

    def _catch_up(self) -> None:
        """Runs all due events, in the order of their times."""
        real_us = self._real_us()
        while True:
            next_us = min(real_us, self._queue[0][0]) if self._queue else real_us
            if not self.advance(next_us):
                continue
            if not self._queue or self._queue[0][0] > real_us:
                break
            if self.step():
                self.late_us = max(self.late_us, real_us - self.now_us)
        self.now_us = max(self.now_us, real_us)

    def _real_us(self) -> int:
        return _clock_us() - self._origin_us


@contextmanager
def _promptly() -> Iterator[None]:
    """Raises the priority of this mostly idle process, if allowed. Processes that it starts keep theirs."""
    before, priority = os.sched_getscheduler(0), os.sched_getparam(0)
    with suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    try:
        yield
    finally:
        with suppress(PermissionError):
            os.sched_setscheduler(0, before, priority)


def _clock_us() -> int:
    return time.monotonic_ns() // 1000
