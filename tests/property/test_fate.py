# SPDX-License-Identifier: MIT
"""A client learns at its next request that its connection was forgotten."""

import random

import pytest

from tests.harness import Make
from tests.support import get, parsed
from whit.wire.packet import Flags
from whit_testbed.swarm import Swarm

REQUEST = get("/n33.bin")


def test_each_of_200_that_lost_their_tag_gets_a_rst(make_engine: Make, seed: int) -> None:
    """An answer near the initial sequence number must not look like a new connection's."""
    rng = random.Random(seed)
    silent = []
    for trial in range(200):
        engine = make_engine(connections=1, idle=5, now_ms=rng.getrandbits(32), seed=rng.getrandbits(31))
        swarm, answers = Swarm(engine, REQUEST), []
        swarm.open(0)
        for _ in range(rng.randrange(1, 4)):
            answers.append(
                swarm.ask(0, get(f"/{rng.choice(('n0.bin', 'n1.bin', 'n31.bin', 'n33.bin', 'n752.bin', 'nothing'))}"))
            )
            swarm.acknowledge(0)
        for other in range(1, 6):
            swarm.open(other)
            assert parsed(swarm.ask(other)).status == 200
            swarm.acknowledge(other)
        seq, ack = swarm.places[0]
        told = swarm.send(0, Flags.A | Flags.P, seq, ack, get("/n33.bin"))
        if not (len(told) == 1 and told[0].flags & Flags.R and told[0].seq == ack):
            silent.append((trial, [len(octets) for octets in answers], told))
    assert silent == []


@pytest.mark.parametrize("ahead", [0, 1])
def test_a_late_copy_of_a_first_request_does_not_hold_its_client(make_engine: Make, ahead: int) -> None:
    """The first connection's tag is gone, so the copy opens a slot. The client's next request matches that slot, and
    gets a RST."""
    engine = make_engine(connections=2, idle=1)
    swarm, first = Swarm(engine, REQUEST), get("/n33.bin")
    swarm.open(0)
    copy = swarm.places[0]
    for _ in range(1 + ahead):
        swarm.ask(0, first)
        swarm.acknowledge(0)
    swarm.open(1)
    swarm.ask(1)
    swarm.acknowledge(1)
    assert parsed(swarm.send(0, Flags.A | Flags.P, *copy, first)[0].payload).status == 200
    seq, ack = swarm.places[0]
    (told,) = swarm.send(0, Flags.A | Flags.P, seq, ack, get("/n752.bin")) or (None,)
    assert ahead == 0 or (told is not None and told.flags & Flags.R and told.seq == ack)
