# SPDX-License-Identifier: MIT
"""Ladders of the traffic in virtual time: on a `Net`, or on the line of an emulated machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from whit.compiler.model import Application
from whit.ladder.datagram import Sighting, ethernet_datagram
from whit.ladder.reading import Manner, Reader
from whit.ladder.steps import Event, Ladder, since
from whit.ladder.strategy import StrategyOf, of_application, unknown
from whit.wire.units import SECOND
from whit_testbed.engine import Engine
from whit_testbed.machine import Line
from whit_testbed.net import Net

if TYPE_CHECKING:
    from types import TracebackType

COUNTED = {
    "count_retransmit_timeout": "retransmission timeout",
    "count_retransmit_fast": "fast retransmit",
    "count_tail_probe": "tail probe",
    "count_given_up": "gives up",
    "count_changed": "said something else: reset",
    "drop_no_slot": "no slot is free",
    "drop_no_buffer": "no room in the buffer",
    "count_slot_evicted": "a stalled connection gives way",
}
"""Counters of the engine that are worth an event."""
KEPT = "count_kept"
DATAGRAM_MAX = 1600  # bytes on a line, framing included
MACHINE_SLACK_US = 100_000  # allows for the time of an emulated processor's answer


def record(
    net: Net | Line,
    title: str,
    act: Callable[[], object],
    *,
    application: Application | None = None,
    held: Callable[[], int] | None = None,
    left: str = "client",
    right: str = "server",
) -> Ladder:
    """Returns the ladder of the frames sent while `act` runs: `record(net, "a page", lambda: net.get(client, "/"))`.

    `application`: its strategies colour the data. `held`: bytes that the server holds now; an engine with a meter
    reports them by itself. Frames in flight before or after are seen in part.
    """
    with Watch(net, title, application=application, held=held, left=left, right=right) as watch:
        act()
    return watch.ladder()


class Watch:
    """Watches a net from `with` on, or from `begin()`, until the block's end, or `end()`. One at a time on a net."""

    def __init__(
        self,
        net: Net | Line,
        title: str,
        *,
        application: Application | None = None,
        strategy_of: StrategyOf = unknown,
        held: Callable[[], int] | None = None,
        left: str = "client",
        right: str = "server",
    ) -> None:
        self._net = net
        self._title, self._left, self._right = title, left, right
        self._strategy_of = of_application(application) if application else strategy_of
        self._sightings: list[Sighting] = []
        self._events: list[Event] = []
        self._held: list[tuple[int, int]] = []
        self._kept_us: list[int] = []
        self._origin_us = net.loop.now_us
        self._engine = net.engine if isinstance(net, Net) and isinstance(net.engine, Engine) else None
        self._held_now = held or (_meter(self._engine) if self._engine else None)
        self._counters: dict[str, int] = {}

    def __enter__(self) -> Watch:
        self.begin()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.end()

    def begin(self) -> None:
        self._origin_us = self._net.loop.now_us
        self._counters = self._engine.counters if self._engine else {}
        if isinstance(self._net, Net):
            self._net.up.watch = partial(self._seen, True)
            self._net.down.watch = partial(self._seen, False)
        else:
            self._net.watch = self._seen
        self._net.loop.each = self._look
        self._look()

    def end(self) -> None:
        self._net.loop.each = None
        if isinstance(self._net, Net):
            self._net.up.watch = self._net.down.watch = None
        else:
            self._net.watch = None

    def ladder(self) -> Ladder:
        """Returns the ladder of the frames seen so far."""
        slack_us = _busy_us(self._net) if isinstance(self._net, Net) else MACHINE_SLACK_US
        counts = any(self._counters.values())  # app.toml may leave out an engine's counters
        kept_us = self._kept_us if counts else None
        manner = Manner(self._strategy_of, slack_us, kept_us, knows_timers=counts)
        events, held = self._events, [(time_us - self._origin_us, octets) for time_us, octets in self._held]
        return ladder_of(self._sightings, manner, self._origin_us, self._title, self._left, self._right, events, held)

    def _seen(self, is_up: bool, begin_us: int, end_us: int | None, frame: bytes) -> None:
        datagram = ethernet_datagram(frame) if self._net.engine.link == "ethernet" else frame
        queued_us = self._net.loop.now_us if isinstance(self._net, Net) else begin_us
        self._sightings.append(Sighting(queued_us, begin_us, end_us, datagram, is_up))

    def _look(self) -> None:
        """Samples held bytes and counters after each event of the loop."""
        now_us = self._net.loop.now_us
        if self._held_now:
            octets = self._held_now()
            if not self._held or octets != self._held[-1][1]:
                self._held.append((now_us, octets))
        if not self._engine:
            return
        counters, before = self._engine.counters, self._counters
        if counters == before:
            return
        self._counters = counters
        for name, label in COUNTED.items():
            if counters[name] > before[name]:
                self._events.append(Event(now_us - self._origin_us, False, label))
        if counters[KEPT] > before[KEPT]:
            self._kept_us.append(now_us)


def ladder_of(
    sightings: Sequence[Sighting],
    manner: Manner,
    origin_us: int,
    title: str,
    left: str,
    right: str,
    events: Sequence[Event] = (),
    held: Sequence[tuple[int, int]] = (),
) -> Ladder:
    """Makes a ladder of the seen frames. Its times begin with the first frame."""
    reader = Reader(manner, origin_us)
    for seen in sorted(sightings, key=lambda seen: seen.queued_us):
        reader.take(seen)
    reader.finish()
    steps = sorted(reader.steps, key=lambda step: step.begin_us)
    events = sorted([*events, *reader.events], key=lambda event: event.time_us)
    begin_us = min([one.begin_us for one in steps[:1]] + [one.time_us for one in events[:1]], default=0)
    return since(Ladder(title, left, right, tuple(steps), tuple(events), tuple(held)), begin_us)


def _busy_us(net: Net) -> int:
    """Returns the longest wait of an answer for the other direction's datagram on a shared medium."""
    rate = net.up.impairment.rate
    return DATAGRAM_MAX * SECOND // rate if rate and net.up.medium.shared else 0


def _meter(engine: Engine) -> Callable[[], int] | None:
    """Returns a function that reads held bytes, or None if the image has no meter."""
    try:
        _ = engine.meter
    except (AttributeError, KeyError):  # cffi's errors for a missing symbol
        return None
    return lambda: sum(engine.meter.held)
