# SPDX-License-Identifier: MIT
"""Connections that the server forgot: does each learn it at its next request? Virtual time, plain segments."""

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from whit.image.build import build
from whit.wire.http import request
from whit.wire.packet import Flags, Segment
from whit_lab.experiment import Figure, Found, Progress, Sheet
from whit_lab.instruments.served import application_of, content
from whit_testbed.engine import Engine
from whit_testbed.swarm import Swarm

SIZES = (0, 1, 31, 32, 33, 64, 752, 1200)  # bytes of files: answers that fit a segment
REQUEST = request("/33.bin")
EVICTIONS, PLACES, IDLE = 200, 20_000, (10_000, 20_000)
FEW = 5  # places, all taken by others; with fewer, responses promise some, and no client is evicted
AGE_MS = 200_000  # longest time from eviction to the next request: a cookie is valid for 131 s
ANSWERED, TOLD, SILENT = "answered", "told by a RST", "silence"


def measure(progress: Progress, *, reduced: bool) -> Iterator[Found]:
    shrunk = 10 if reduced else 1
    files = application_of("forgotten", {f"{size}.bin": content(size) for size in SIZES})
    small = build(files, target="inprocess", overrides={"connections": 1, "idle": FEW}).image
    overrides = {"connections": 200, "idle": PLACES // shrunk, "idle_timeout_s": 200}
    large = build(files, target="inprocess", overrides=overrides).image
    progress("evictions", 0.1)
    evicted = Counter(eviction(small, seed) for seed in range(EVICTIONS // shrunk))
    fates = {}
    for number, idle in enumerate(IDLE):
        progress(f"{idle} idle connections", 0.2 + 0.4 * number)
        fates[idle // shrunk] = idled(large, idle // shrunk)
    trials = evicted.total()
    what = f"of {trials} idle connections that were evicted after any answer, those whose next request meets silence"
    yield Figure("evicted_silent", what, evicted[SILENT], "", 0)
    for idle, fate in fates.items():
        what = f"of {idle} idle connections on {PLACES // shrunk} places, those that ask again and meet silence"
        name = f"idle_lost_silently_{'half' if idle < PLACES // shrunk else 'full'}"
        yield Figure(name, what, fate[SILENT], "", 0)
    rows = [(f"{trials} evictions", *_columns(evicted))]
    rows += [(f"{idle} idle on {PLACES // shrunk} places", *_columns(fate)) for idle, fate in fates.items()]
    title = "What the next request of a connection meets that was evicted, or idle among many"
    yield Sheet(title, ("connections", ANSWERED, TOLD, SILENT), rows)


def eviction(image: Path, seed: int) -> str:
    """Returns the answer to an idle connection after others have taken all places."""
    rng = random.Random(seed)
    with Engine(image, now_ms=rng.getrandbits(32), seed=rng.getrandbits(31)) as engine:
        swarm = Swarm(engine, REQUEST)
        swarm.open(0)
        for _ in range(rng.randrange(1, 4)):
            swarm.ask(0, _any(rng, swarm))
            swarm.acknowledge(0)
        for other in range(1, FEW + 1):
            swarm.open(other)
            swarm.ask(other)
            swarm.acknowledge(other)
        engine.advance(rng.choice((0, rng.randrange(AGE_MS))))
        return _fate(swarm, 0)


def idled(image: Path, idle: int) -> Counter[str]:
    """Returns the answers to `idle` connections that were idle at once, each for its second request."""
    with Engine(image) as engine:
        swarm, fates = Swarm(engine, REQUEST), Counter[str]()
        for number in range(idle):
            swarm.open(number)
            swarm.ask(number)
            swarm.acknowledge(number)
        for number in range(idle):
            fates[_fate(swarm, number)] += 1
        return fates


def _any(rng: random.Random, swarm: Swarm) -> bytes:
    """Returns a request whose answer is long, short, has no content, or is an error."""
    target = f"/{rng.choice(SIZES)}.bin"
    if rng.random() < 0.3:
        head = swarm.ask(0, request(target)).partition(b"\r\n\r\n")[0].decode()
        swarm.acknowledge(0)
        tags = [line.partition(": ")[2] for line in head.split("\r\n") if line.lower().startswith("etag: ")]
        return request(target, *(f"If-None-Match: {tag}" for tag in tags))
    return request(rng.choice((target, "/nothing")), method=rng.choice(("GET", "HEAD")))


def _fate(swarm: Swarm, number: int) -> str:
    seq, ack = swarm.places[number]
    answers: list[Segment] = swarm.send(number, Flags.A | Flags.P, seq, ack, REQUEST)
    if any(answer.flags & Flags.R and answer.seq == ack for answer in answers):
        return TOLD
    if any(answer.payload for answer in answers):
        swarm.places[number] = (seq + len(REQUEST), ack + sum(len(answer.payload) for answer in answers))
        swarm.acknowledge(number)
        return ANSWERED
    return SILENT


def _columns(fates: Counter[str]) -> list[str]:
    return [str(fates[fate]) for fate in (ANSWERED, TOLD, SILENT)]
