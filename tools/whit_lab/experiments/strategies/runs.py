# SPDX-License-Identifier: MIT
"""Measures every kind of content by its own strategy.

A server with one segment in flight is measured beside it, and S3 by the size of its buffer.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from typing import cast

from whit.errors import WhitError
from whit.image.build import build
from whit.model.policy import AckPolicy, Options
from whit.wire.http import Response
from whit.wire.units import MS, SECOND
from whit_lab.experiment import Progress
from whit_lab.experiments import sending_time as sending
from whit_lab.instruments.exchange import Exchange, Visitor, link
from whit_lab.instruments.served import LARGE, SMALL, generated, strategies_application
from whit_testbed.classic import Classic
from whit_testbed.engine import Engine
from whit_testbed.http import Client
from whit_testbed.link import Deadlock, Impairment
from whit_testbed.net import Net

RATE = 100_000  # bytes each second and way, TCP and IP heads included
RTT_MS = 50
MSS = 1460
DELAYED_ACK_MS = 200
BUFFER = 2048  # bytes of the shared buffer, unless it is measured
SEED = 1
# Bytes of content that S3 holds at most, and the shared buffer for them.
S3_MSS, S3_SMALL = (1460, 1480), (300, 320)
KINDS = ("content", "points", "arguments")  # of the memory that the engine holds (sim/engine.py, Meter)
DRAWN = (200, 500, 900, 1200)  # bytes of buffers, beside those of the search
# Shared buffers of the search for the equal one, in the two readings; reduced: on both sides of it.
EQUAL, EQUAL_WHOLE = range(220, 348, 4), range(320, 452, 4)
EQUAL_REDUCED = (316, 320, 344)
FILES = sending.SIZES[3::4]  # an even number of full segments


@dataclass(frozen=True)
class Case:
    """One strategy for one content."""

    key: str
    label: str
    target: str
    size: int  # bytes of content
    buffer: int = BUFFER


S0 = Case("s0_8k", "S0: file", "/s0_8k.bin", LARGE)
S0_STORED = Case("s0s_8k", "S0: stored at run time", "/s0s_8k.bin", LARGE)
S1 = Case("s1_600", "S1: persistent", "/s1_600", SMALL)
S2 = Case("s2_600", "S2: volatile", "/s2_600?id=7", SMALL)
S2_LARGE = Case("s2_8k", "S2: idempotent", "/s2_8k", LARGE)
S3 = Case("s3_8k", "S3: persistent thread, one MSS", "/s3_8k", LARGE, S3_MSS[1])
S3_300 = Case("s3_300_8k", "S3: persistent thread, 300 B", "/s3_8k", LARGE, S3_SMALL[1])
S4 = Case("s4_8k", "S4: volatile thread", "/s4_8k?id=7", LARGE)
S4_INDEX = Case("s4i_8k", "S4: volatile, by index", "/s4i_8k", LARGE)
S5 = Case("s5_8k", "S3 or S4: idempotent thread", "/s5_8k", LARGE)
CASES = (S0, S0_STORED, S1, S2, S2_LARGE, S3, S3_300, S4, S4_INDEX, S5)


@dataclass(frozen=True)
class Measured:
    """An exchange, and the figures of the engine's own meter."""

    exchange: Exchange
    charge: Mapping[str, float] = field(default_factory=dict)  # byte seconds, by kind
    held_most: int = 0  # bytes of content


def image_of(case: Case, https: Mapping[str, object] | None = None) -> Path:
    """Returns the image with all generators. If the buffer is measured, the application has one generator only."""
    application = strategies_application("" if case.buffer == BUFFER else case.target.lstrip("/"))
    overrides = {"buffer": case.buffer, **(https or {})}
    return build(application, target="inprocess", meter=True, overrides=overrides).image


def options() -> Options:
    """Returns the client's options."""
    return Options(mss=MSS, ack=AckPolicy.DELAYED, delayed_ack=DELAYED_ACK_MS * MS, rto_min=200 * MS)


def measure(image: Path, case: Case, seed: int, key: bytes = b"") -> Measured:
    """Measures the second request of a connection; with a key by HTTPS."""
    with Engine(image, seed=seed, key=key) as engine:
        net = Net(engine, up=link(RATE, RTT_MS), seed=seed)
        visitor = Visitor(net, options(), lambda: engine.meter.held[0], tls=bool(key))
        visitor.get(case.target, generated(case.size))
        before = engine.meter.charge
        exchange = visitor.get(case.target, generated(case.size))
        charges = (after - earlier for earlier, after in zip(before, engine.meter.charge, strict=True))
        return Measured(exchange, dict(zip(KINDS, charges, strict=True)), engine.meter.held_max[0])


def measure_classic(writes: Sequence[bytes], size: int, seed: int) -> Exchange:
    server = Classic(lambda target: writes, mss=MSS)
    net = Net(cast(Engine, server), up=link(RATE, RTT_MS), seed=seed)
    visitor = Visitor(net, options(), lambda: server.held)
    visitor.get("/", generated(size))
    return visitor.get("/", generated(size))


def one_in_flight(large: Response, small: Response, seed: int) -> dict[str, Exchange]:
    """Measures the same responses, byte for byte, from a server with one segment in flight."""
    heads = {response: response.raw[: -len(response.body)] for response in (large, small)}
    return {
        "one_8k": measure_classic([large.raw], LARGE, seed),
        "one_8k_apart": measure_classic([heads[large], large.body], LARGE, seed),
        "one_600": measure_classic([small.raw], SMALL, seed),
        "one_600_apart": measure_classic([heads[small], small.body], SMALL, seed),
    }


def answered(
    image: Path, impairment: Impairment, options: Options, target: str, expected: bytes, seed: int, requests: int
) -> int:
    """Returns the number of requests that got the right bytes on a link that loses frames.

    They follow one another on a connection that is kept alive, or on a new one after it has ended.
    """
    right = 0
    with Engine(image, seed=seed) as engine:
        net = Net(engine, up=impairment, seed=seed)
        client: Client | None = None
        for _ in range(requests):
            if client is None or client.ended or client.waiting:
                client = net.host().client(options)
            before = len(client.responses)
            client.ask(target)
            try:
                net.run(client, for_s=600)
            except Deadlock:
                continue
            if len(client.responses) > before:
                response = client.responses[-1]
                right += response.status == 200 and response.body == expected
            net.loop.run(for_us=net.rng.choice((0, SECOND)))
    return right


@dataclass(frozen=True)
class Losses:
    """Lost shares and numbers of requests, for each strategy, loss and seed."""

    losses: Sequence[float] = (0.01, 0.05, 0.1)
    seeds: int = 10
    requests: int = 20

    def complete(self, images: Mapping[Case, Path], progress: Progress) -> float:
        """Returns the percentage of answered requests."""
        right = asked = 0
        runs = [(case, loss) for case in images for loss in self.losses]
        for index, (case, loss) in enumerate(runs):
            progress(f"{case.label}, {100 * loss:g} % lost", 0.2 + 0.4 * index / len(runs))
            way, expected = link(RATE, RTT_MS, loss), generated(case.size)
            for seed in range(SEED, SEED + self.seeds):
                right += answered(images[case], way, options(), case.target, expected, seed, self.requests)
                asked += self.requests
        return 100 * right / asked


@dataclass(frozen=True)
class Buffers:
    by_buffer: Sequence[tuple[int, Measured]]  # S3 by bytes of the shared buffer
    equal: int  # smallest buffer that is as fast as one in flight, in the paper's time
    equal_whole: int | None  # ... in a user's time

    def measured(self, buffer: int) -> Measured:
        return dict(self.by_buffer)[buffer]


def buffers(s3: Measured, one: Exchange, progress: Progress, *, reduced: bool) -> Buffers:
    known = {S3.buffer: s3}

    def by_buffer(buffer: int) -> Exchange:
        if buffer not in known:
            progress(f"S3, buffer of {buffer}", min(0.95, 0.6 + 0.02 * len(known)))
            case = replace(S3, key=f"s3_{buffer}", buffer=buffer)
            known[buffer] = measure(image_of(case), case, SEED)
        return known[buffer].exchange

    equal = smallest(EQUAL_REDUCED if reduced else EQUAL, lambda b: by_buffer(b).served_us <= one.served_us)
    equal_whole = None
    if not reduced:
        equal_whole = smallest(EQUAL_WHOLE, lambda b: by_buffer(b).whole_us <= one.whole_us)
        for buffer in (*DRAWN, S3_300.buffer):
            by_buffer(buffer)
    return Buffers(sorted(known.items()), equal, equal_whole)


def smallest(buffers: Sequence[int], fast: Callable[[int], bool]) -> int:
    """Returns the first fast buffer; all behind it are fast too."""
    low, high = 0, len(buffers) - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if fast(buffers[middle]) else (middle + 1, high)
    if not fast(buffers[low]):
        raise WhitError(f"lab: S3 with a buffer of {buffers[-1]} is slower than one segment in flight", 1)
    return buffers[low]


def files(*, reduced: bool) -> Iterator[tuple[int, float]]:
    """Yields bytes of a response, and time with one in flight divided by that of S0."""
    image = sending.built().image
    for size in FILES[-1:] if reduced else FILES:
        ours = sending.measure(image, size, inf, sending.FULL, SEED)
        one = sending.measure_sender(ours.response.raw, size, 1, sending.FULL, SEED)
        yield (len(ours.response.raw), one.served_us / ours.served_us)
