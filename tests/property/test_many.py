# SPDX-License-Identifier: MIT
"""Ten thousand idle connections and two hundred active ones, on the table that is looked up by hash."""

import random
import time

import pytest
from whit.sim.packet import Flags
from whit.sim.swarm import Swarm

from tests.http.test_methods import Make
from tests.support import MADE_FILES, get, parsed

REQUEST = get("/n33.bin")


def use(swarm: Swarm, number: int) -> None:
    assert parsed(swarm.ask(number)).body == MADE_FILES["n33.bin"]
    swarm.acknowledge(number)


@pytest.mark.slow
def test_ten_thousand_idle_and_two_hundred_active(make_engine: Make, seed: int) -> None:
    engine = make_engine(connections=200, idle=12_000, idle_timeout_s=200)
    swarm, rng = Swarm(engine, REQUEST), random.Random(seed)
    for number in range(10_000):
        swarm.open(number)
        use(swarm, number)
    active = list(range(10_000, 10_200))
    for number in active:
        swarm.open(number)
        assert parsed(swarm.ask(number)).status == 200
    for number in rng.sample(range(10_000), 1000):  # every slot is in use: the idle ones wait and come again
        seq, ack = swarm.places[number]
        assert all(segment.flags & Flags.R for segment in swarm.send(number, Flags.A, seq, ack, REQUEST))
    for number in active:
        swarm.acknowledge(number)
    lost = 0
    for number in rng.sample(range(10_000), 3000):
        seq, ack = swarm.places[number]
        answers = swarm.send(number, Flags.A, seq, ack, REQUEST)
        if not answers or answers[0].flags & Flags.R:  # silence: its tag gave way to one with the same 16 bits
            lost += 1
            continue
        (answer,) = answers
        assert parsed(answer.payload).body == MADE_FILES["n33.bin"]
        swarm.places[number] = (seq + len(REQUEST), ack + len(answer.payload))
        swarm.acknowledge(number)
    assert lost <= 15, f"{lost} of 3000 idle connections were forgotten though there is room for 12 000"


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
