# SPDX-License-Identifier: MIT
"""An exhaustive search of the real engine in virtual time: every placement of a few events on a scenario's frames.

A plan names frames, counted in sending order, and their events: lost, duplicated later, or delayed. Plans grow depth
first. A further event comes only after the last one, on a frame that was really sent under this plan, so that each
sequence of events occurs once. In every run, each client must be answered or reset within a bound, and a generator that
counts must run no oftener than asked. Each run has its own random numbers: the engine's secret, its clock, and the
lengths of the answers.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from whit.model.policy import Options
from whit.wire.units import MS, SECOND
from whit_testbed.engine import Engine
from whit_testbed.http import Client
from whit_testbed.link import Deadlock, Impairment, Loop
from whit_testbed.net import Host, Net

EVENTS = ("lost", "again 1", "again 250", "again 3000", "late 40")  # ms
BOUND_US = 10 * SECOND  # without an answer or a reset
COUNTED = "/visits"  # of apps/plain: persistent, sent once
OTHERS = ("/uptime", "/", "/style.css", "/nothing")  # their answers have other lengths
PERSISTENT_LEN = 8  # octets of its persistent memory
Plan = dict[int, str]


class Unanswered(Exception):
    """A client has neither an answer nor a reset."""


class Wire:
    """One direction, of 1 ms. Frames of both directions share one count."""

    impairment = Impairment()

    def __init__(self, run: "Run", deliver: Callable[[bytes, int], None]) -> None:
        self.run, self.deliver = run, deliver

    def send(self, frame: bytes, left: Callable[[], None] | None = None) -> None:
        event, _, later_ms = self.run.plan.get(self.run.frame_cnt, "").partition(" ")
        self.run.frame_cnt += 1
        loop = self.run.net.loop
        if left:
            loop.at(loop.now_us, left)
        times_ms = {"": [1], "lost": [], "again": [1, 1 + int(later_ms or 0)], "late": [1 + int(later_ms or 0)]}[event]
        for time_ms in times_ms:
            loop.after(time_ms * MS, partial(self.deliver, frame, loop.now_us))


class Run:
    """A scenario under a plan."""

    def __init__(self, engine: Engine, plan: Plan, luck: int) -> None:
        self.plan, self.frame_cnt = plan, 0
        self._luck = random.Random(luck)
        seed, now_ms = self._luck.randrange(1, 1 << 30), self._luck.randrange(1 << 32)
        engine.restart(seed=seed, persistent=bytes(PERSISTENT_LEN), now_ms=now_ms)
        self.net = Net(engine, seed=3)
        wire: Callable[[Callable[[bytes, int], None]], Wire] = partial(Wire, self)
        self.net.up, self.net.down = wire(self.net._to_engine), wire(self.net._to_hosts)  # type: ignore[assignment]
        self.clients: list[Client] = []
        self.targets: dict[Client, list[str]] = {}  # what each has asked for

    @property
    def loop(self) -> Loop:
        return self.net.loop

    def host(self, last: int) -> Host:
        host = self.net.host(f"10.0.0.{last}")
        host._server_mac = self.net.engine.identity.mac  # ARP is another matter
        return host

    def connect(self, last: int, iss: int = 1000) -> Client:
        client = self.host(last).client(Options(rto_min=200 * MS, strict=False), port=5000 + last, iss=iss)
        self.clients.append(client)
        return client

    def asks(self, client: Client) -> None:
        target = self._luck.choice((COUNTED, COUNTED, COUNTED, *OTHERS))
        self.targets.setdefault(client, []).append(target)
        client.ask(target, host="w")

    def ask(self, client: Client) -> None:
        """Answered or reset, or Unanswered."""
        if client.ended:
            return
        self.asks(client)
        self.wait(client)

    @property
    def told(self) -> list[int]:
        """Returns the counts of the generator, as its answers report them."""
        return [
            int(response.body)
            for client, targets in self.targets.items()
            for target, response in zip(targets, client.responses, strict=False)
            if target == COUNTED and response.status == 200
        ]

    @property
    def counted_cnt(self) -> int:
        return sum(targets.count(COUNTED) for targets in self.targets.values())

    def wait(self, client: Client) -> None:
        asked_us, stream = self.loop.now_us, client.connection.input.stream
        while client.waiting and not client.ended:
            try:
                self.loop.run(partial(_goes_on, client, len(stream)), for_us=BOUND_US)
            except Deadlock:
                seconds = (self.loop.now_us - asked_us) / SECOND
                raise Unanswered(f"{client.connection.port} after {seconds:.0f} s") from None


def _goes_on(client: Client, had: int) -> bool:
    return not client.waiting or client.ended or len(client.connection.input.stream) > had


def keeps(run: Run) -> None:
    """One connection, two requests; then the client closes."""
    one = run.connect(2)
    run.ask(one)
    run.ask(one)
    if not one.ended:
        one.connection.close()
    run.net.idle(10)


def evicted(run: Run) -> None:
    """The second connection takes the only tag; then the first asks again."""
    one = run.connect(2)
    run.ask(one)
    run.ask(run.connect(3, 9000))
    run.ask(one)
    run.net.idle(5)


def asks_after_eviction_twice(run: Run) -> None:
    """The same, and the first had two answers."""
    one = run.connect(2)
    run.ask(one)
    run.ask(one)
    run.ask(run.connect(3, 9000))
    run.ask(one)
    run.net.idle(5)


def three_on_one_tag(run: Run) -> None:
    """Each asks; then each asks again."""
    clients = [run.connect(2 + number, 1000 * (number + 1)) for number in range(3)]
    for client in clients:
        run.ask(client)
    run.net.idle(1)
    for client in clients:
        run.ask(client)
    run.net.idle(5)


def port_again(run: Run) -> None:
    """Closes, connects again from the same port at once, asks, and asks again 4 s later."""
    one = run.connect(2)
    run.ask(one)
    if not one.ended:
        one.connection.close()
    run.net.idle(0.01)
    again = run.connect(2, 70_000)
    run.ask(again)
    run.net.idle(4)
    run.ask(again)
    run.net.idle(5)


def rebooted(run: Run) -> None:
    """Forgets its connection, and opens another from the same port."""
    one = run.connect(2)
    run.ask(one)
    one.connection.vanish()
    run.ask(run.connect(2, 70_000))
    run.net.idle(5)


def at_once(run: Run) -> None:
    """Two ask at the same time; then the first asks again."""
    one, other = run.connect(2), run.connect(3, 9000)
    run.asks(one)
    run.asks(other)
    run.wait(one)
    run.wait(other)
    run.ask(one)


SCENARIOS = (keeps, evicted, asks_after_eviction_twice, three_on_one_tag, port_again, rebooted, at_once)


@dataclass(frozen=True)
class Case:
    """A run that went wrong; Run(engine, plan, luck) shows it again."""

    plan: Plan
    luck: int
    why: str


@dataclass
class Found:
    """The findings of a search, shortest plans first."""

    run_cnt: int
    unanswered: list[Case]
    wrong: list[Case]


class Search:
    """Searches one scenario on one engine, which restarts for each run. `seed` gives each run its random numbers."""

    def __init__(
        self, engine: Engine, scenario: Callable[[Run], None], seed: int, events: Sequence[str] = EVENTS
    ) -> None:
        self.engine, self.scenario, self.events = engine, scenario, events
        self._random = random.Random(seed)
        self.found = Found(0, [], [])

    def one(self, plan: Plan) -> int:
        """Runs a plan, and returns the number of its frames."""
        luck = self._random.randrange(1 << 32)
        run = Run(self.engine, plan, luck)
        self.found.run_cnt += 1
        try:
            self.scenario(run)
        except Unanswered as silent:
            self.found.unanswered.append(Case(plan, luck, str(silent)))
        else:
            told = run.told
            # A copy of a first request may run again when its connection's tag is gone (DESIGN.md, invariant 4).
            asked_cnt = run.counted_cnt + sum(event.startswith("again") for event in plan.values())
            if len(set(told)) != len(told):
                self.found.wrong.append(Case(plan, luck, f"a count told twice: {told}"))
            elif max(told, default=0) > asked_cnt:
                self.found.wrong.append(Case(plan, luck, f"ran oftener than it was asked: {told}"))
        return run.frame_cnt

    def all(self, event_cnt: int) -> Found:
        frame_cnt = self.one({})
        for _ in self._grow({}, 0, frame_cnt, event_cnt, frame_cnt + 4):
            pass
        for plans in (self.found.unanswered, self.found.wrong):
            plans.sort(key=lambda case: len(case.plan))
        return self.found

    def _grow(self, plan: Plan, begin: int, frame_cnt: int, left: int, end: int) -> Iterator[None]:
        """Runs all longer plans. Frames from `end` on, a few after those of the clean run, only repeat earlier
        results.
        """
        for frame in range(begin, min(frame_cnt, end)):
            for event in self.events:
                longer = {**plan, frame: event}
                sent = self.one(longer)
                yield
                if left > 1:
                    yield from self._grow(longer, frame + 1, sent, left - 1, end)
