# SPDX-License-Identifier: MIT
"""Ten thousand idle connections and a thousand active ones, on the table that is looked up by hash."""

import random
import time

import pytest

from tests.harness import Make
from tests.support import MADE_FILES, get, parsed
from whit.wire.packet import Flags
from whit_testbed.swarm import Swarm

REQUEST = get("/n33.bin")


def use(swarm: Swarm, number: int) -> None:
    assert parsed(swarm.ask(number)).body == MADE_FILES["n33.bin"]
    swarm.acknowledge(number)


@pytest.mark.slow
@pytest.mark.parametrize("places", [12_000, 100_000])
def test_ten_thousand_idle_and_a_thousand_active(make_engine: Make, seed: int, places: int) -> None:
    engine = make_engine(connections=1000, idle=places, idle_timeout_s=200)
    swarm, rng = Swarm(engine, REQUEST), random.Random(seed)
    for number in range(10_000):
        swarm.open(number)
        use(swarm, number)
    active = list(range(10_000, 11_000))
    for number in active:
        swarm.open(number)
        assert parsed(swarm.ask(number)).status == 200
    for number in rng.sample(range(10_000), 1000):  # every slot is in use: the idle ones wait and retransmit
        seq, ack = swarm.places[number]
        assert all(segment.flags & Flags.R for segment in swarm.send(number, Flags.A, seq, ack, REQUEST))
    for number in active:
        swarm.acknowledge(number)
    lost = 0
    for number in rng.sample(range(10_000), 3000):
        seq, ack = swarm.places[number]
        answers = swarm.send(number, Flags.A, seq, ack, REQUEST)
        if not answers or answers[0].flags & Flags.R:  # another connection took its tag
            lost += 1
            continue
        (answer,) = answers
        assert parsed(answer.payload).body == MADE_FILES["n33.bin"]
        swarm.places[number] = (seq + len(REQUEST), ack + len(answer.payload))
        swarm.acknowledge(number)
    most = 15 if places == 12_000 else 0
    assert lost <= most, f"{lost} of 3000 idle connections were forgotten though there is room for {places}"


@pytest.mark.parametrize("places", [1024, 1025, 70_000])
@pytest.mark.parametrize("step_ms", [20, 30_000])
def test_idle_connections_are_forgotten_when_they_are_old(make_engine: Make, places: int, step_ms: int) -> None:
    """Many tags grow old in parts, as time passes: within a unit of 8 s each."""
    engine = make_engine(connections=100, idle=places, idle_timeout_s=60)
    swarm = Swarm(engine, REQUEST)
    for number in range(200):
        swarm.open(number)
        use(swarm, number)
    for _ in range(60_000 // step_ms):
        engine.advance(step_ms)
    for number in range(100):
        use(swarm, number)
    for _ in range(90_000 // step_ms):
        engine.advance(step_ms)
    for number in range(200):
        seq, ack = swarm.places[number]
        answers = swarm.send(number, Flags.A, seq, ack, REQUEST)
        assert answers and all(segment.flags & Flags.R for segment in answers), number


@pytest.mark.slow
def test_look_up_does_not_grow_with_the_table(make_engine: Make) -> None:
    """Time of a request beside 20 and beside 9000 idle connections. Coarse: a scan would cost 100 times as much."""
    swarm = Swarm(make_engine(connections=200, idle=12_000, idle_timeout_s=200), REQUEST)
    times = []
    for idle in (20, 9000):
        for number in range(len(swarm.places), idle):
            swarm.open(number)
            use(swarm, number)
        begun = time.perf_counter()
        for number in range(300):
            use(swarm, number % 20)
        times.append(time.perf_counter() - begun)
    assert times[1] < 5 * times[0], times
