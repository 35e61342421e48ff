# SPDX-License-Identifier: MIT
"""The loop of virtual time, driven by the clock: links and engines of whit_testbed do not see the difference."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from whit.wire.units import MS, SECOND
from whit_testbed.link import Deadlock
from whit_testbed.machine import MachineLoop

QUANTUM_US = MS  # between two looks at a condition, and the most that an emulated machine lags behind


class RealLoop(MachineLoop):
    """Events run when their time has come, and `now_us` is the time for which they were asked: a late wake-up delays
    nothing that follows. `late_us` is how late one ran at most."""

    def __init__(self) -> None:
        super().__init__()
        self.late_us = 0
        self._origin_us = _clock_us() - self.now_us
        self._readers: dict[int, Callable[[], None]] = {}

    def reader(self, descriptor: int, ready: Callable[[], None]) -> None:
        """`ready` reads all that there is, whenever there is something."""
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
        """Everything that was due until now, in the order of its time."""
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
    """This process, which mostly waits, goes before others, where it may. Processes that it starts do not."""
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
