# SPDX-License-Identifier: MIT
"""Ten kinds of content over a lossy wire, in virtual time: does every client get every response?"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from whit.image.build import build
from whit.model.policy import AckPolicy, Options
from whit.wire.units import MS, SECOND
from whit_lab.experiment import Figure, Found, Progress, Sheet
from whit_lab.instruments.served import BIG, LARGE, SMALL, application_of, content, generated, strategies_application
from whit_testbed.engine import Engine
from whit_testbed.http import Client
from whit_testbed.link import Impairment
from whit_testbed.net import Host, Net

PATIENCE_US = 60 * SECOND
SLOTS, BUFFER = 4, 1024
SMALL_HERE = 300  # bytes: with the 600 of lab/strategies a persistent function finds its share of the buffer too small
LINUX = Options(window=64240, ack=AckPolicy.LINUX, rto_min=200 * MS, sack=True, tail_probe=True)
TIMES, CLIENTS = ((0.05, 1000), (0.2, 200)), (3, 12)  # responses by loss for each number of clients
REDUCED = 20  # times fewer
NOT_WHOLE, RESET, REFUSED, LATE = "not whole", "reset", "503", "later than 60 s"
FAILURES = (NOT_WHOLE, RESET, REFUSED, LATE)

CONTENTS: Mapping[str, tuple[str, bytes]] = {
    "a file of 57 254 octets": (f"/{BIG}.bin", content(BIG)),
    "a file": ("/s0_8k.bin", generated(LARGE)),
    "a stored file": ("/s0s_8k.bin", generated(LARGE)),
    "a persistent function": ("/s1_600", generated(SMALL_HERE)),
    "a volatile function": ("/s2_600?id=1", generated(SMALL_HERE)),
    "an idempotent function": ("/s2_8k", generated(LARGE)),
    "a persistent thread": ("/s3_8k", generated(LARGE)),
    "a volatile thread": ("/s4_8k?id=1", generated(LARGE)),
    "a volatile function of the index": ("/s4i_8k", generated(LARGE)),
    "an idempotent thread": ("/s5_8k", generated(LARGE)),
}


@dataclass
class Soaked:
    """Results for one kind of content: times in ms of correct responses, and counts of the failed ones."""

    times_ms: list[float] = field(default_factory=list)
    failures: Counter[str] = field(default_factory=Counter)

    @property
    def failure_cnt(self) -> int:
        return self.failures.total()

    @property
    def columns(self) -> list[str]:
        counts = [len(self.times_ms), *(self.failures[failure] for failure in FAILURES)]
        return [*map(str, counts), f"{median(self.times_ms or [0]):.0f}", f"{max(self.times_ms, default=0):.0f}"]


def image() -> Path:
    """Builds the generators of lab/strategies, and a larger file."""
    there = strategies_application()
    files = {path.name: path.read_bytes() for path in there.iterdir()} | {f"{BIG}.bin": content(BIG)}
    files["content.h"] = files["content.h"].replace(b"SMALL UINT32_C(%d)" % SMALL, b"SMALL UINT32_C(%d)" % SMALL_HERE)
    soaked = application_of("soak", files)
    return build(soaked, target="inprocess", overrides={"connections": SLOTS, "buffer": BUFFER, "repeats": 64}).image


def bad_wire(loss: float) -> Impairment:
    return Impairment(delay_us=MS // 2, loss=loss, duplicate=0.02, reorder=0.05, reorder_us=3 * MS, corrupt=0.02)


class Visitor:
    """Requests one content again and again on a kept connection, and on a new one after a failure."""

    def __init__(self, net: Net, host: Host, target: str, expected: bytes, times: int, found: Soaked) -> None:
        self.net, self.host, self.left, self.found = net, host, times, found
        self.target, self.expected = target, expected
        self.client: Client | None = None
        self.asked_us = 0

    def step(self) -> None:
        """Checks the received responses, and sends the next request."""
        client, now_us = self.client, self.net.loop.now_us
        if client:
            if client.waiting and not client.ended and now_us - self.asked_us <= PATIENCE_US:
                return
            failure = self._judge(client)
            if failure:
                self.found.failures[failure] += 1
            else:
                self.found.times_ms.append((now_us - self.asked_us) / MS)
            self.left -= 1
            client.responses.clear()
            if failure or client.ended:
                client.connection.abort()
                self.client = None
        if self.left:
            self.client = self.client or self.host.client(LINUX)
            self.asked_us = now_us
            self.client.ask(self.target)

    def _judge(self, client: Client) -> str:
        """Returns the response's fault, or "" if it is correct."""
        if client.waiting:
            return RESET if client.ended else LATE
        response = client.responses[-1]
        if response.status == 503:
            return REFUSED
        return "" if response.status == 200 and response.body == self.expected else NOT_WHOLE


def soak(image: Path, name: str, clients: int, loss: float, times: int, *, keeps: bool = True, seed: int = 1) -> Soaked:
    """Returns results of one kind, `times` responses over all clients. keeps: the driver offers refused frames
    again."""
    found = Soaked()
    target, expected = CONTENTS[name]
    with Engine(image, seed=seed) as engine:
        engine.keeps_frames = keeps
        net = Net(engine, up=bad_wire(loss), seed=seed)
        visitors = [
            Visitor(net, net.host(f"10.0.0.{2 + i}"), target, expected, times // clients + (i < times % clients), found)
            for i in range(clients)
        ]

        def done() -> bool:
            for visitor in visitors:
                if visitor.left:
                    visitor.step()
            return not any(visitor.left for visitor in visitors)

        net.loop.run(done, for_us=times * (PATIENCE_US + SECOND))
    return found


def measure(progress: Progress, *, reduced: bool) -> Iterator[Found]:
    """Yields the results. In virtual time the same seed gives the same figures."""
    progress("the image", 0)
    there = image()
    shrunk = REDUCED if reduced else 1
    runs = [(name, loss, clients, times // shrunk) for name in CONTENTS for loss, times in TIMES for clients in CLIENTS]
    found: dict[tuple[str, float, int], Soaked] = {}
    for number, (name, loss, clients, times) in enumerate(runs):
        progress(f"{clients} clients get {name} at {loss:.0%} loss", (1 + number) / (1 + len(runs)))
        found[name, loss, clients] = soak(there, name, clients, loss, times)
    yield from _show(found, sum(times for *_, times in runs))


def _show(found: Mapping[tuple[str, float, int], Soaked], asked: int) -> Iterator[Found]:
    what = f"of {asked} responses of ten kinds at 5 and 20 % loss, 3 and 12 clients, four slots: those that came not"
    failures = sum(one.failure_cnt for one in found.values())
    yield {"soak": _settings()}
    yield Figure("soak_failures", f"{what} whole, as a reset, as 503, or later than 60 s", failures, "", 0)
    rows = [(name, f"{loss:.0%}", str(clients), *one.columns) for (name, loss, clients), one in found.items()]
    columns = ("content", "loss", "clients", "right", *FAILURES, "median, ms", "longest, ms")
    yield Sheet("Ten kinds of content on four slots and a bad wire, round trip 1 ms", columns, rows)


def _settings() -> str:
    wire = bad_wire(0)
    late = f"{wire.reorder:.0%} {wire.reorder_us // MS} ms late"
    harm = f"{wire.duplicate:.0%} duplicated, {late}, {wire.corrupt:.0%} corrupted"
    return f"virtual time; {SLOTS} slots, a buffer of {BUFFER} octets; clients as Linux, each a host; both ways {harm}"
