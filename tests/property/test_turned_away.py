# SPDX-License-Identifier: MIT
"""More clients than slots at a driver that keeps no frame; each asks again after its answer."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.harness import opened
from tests.support import target
from whit.model.policy import AckPolicy, Options
from whit.wire.units import MS, SECOND
from whit_testbed.http import Client
from whit_testbed.link import Impairment
from whit_testbed.net import Net

pytestmark = pytest.mark.skipif(target() != "inprocess", reason="its driver keeps frames")

LINUX = Options(window=64240, ack=AckPolicy.LINUX, rto_min=200 * MS, sack=True, tail_probe=True, late=14 * MS)
APART = replace(LINUX, ack=AckPolicy.EVERY)  # acknowledges a response before it asks again
ETHERNET = Impairment(delay_us=60, rate=500_000, overhead=24)
THINK_US = 200
FOR_S = 4


class Asker:
    """Asks without end. `waits`: the wait for each answer, and the current wait."""

    def __init__(self, net: Net, options: Options) -> None:
        self.net, self.options = net, options
        self.waits_us: list[int] = []
        self.begun_us = net.loop.now_us
        net.loop.after(net.rng.randrange(2 * MS), self._connect)

    def _connect(self) -> None:
        self.client: Client = self.net.host().client(self.options)
        received = self.client.connection.on_data

        def data() -> None:
            waiting = self.client.waiting
            received()
            assert not self.client.ended
            if self.client.waiting < waiting:
                self.waits_us.append(self.net.loop.now_us - self.begun_us)
                self.net.loop.after(self.net.rng.randrange(THINK_US), self.ask)

        self.client.connection.on_data = data
        self.ask()

    def ask(self) -> None:
        self.begun_us = self.net.loop.now_us
        self.client.ask("/n752.bin")

    def longest_s(self) -> float:
        return max(*self.waits_us, self.net.loop.now_us - self.begun_us, 0) / SECOND


def crowd(application: Path, clients: int, options: Options, seed: int, slots: int = 4) -> list[Asker]:
    with opened(application, drops=True, connections=slots, idle=16, seed=seed) as engine:
        net = Net(engine, up=ETHERNET, seed=seed)
        askers = [Asker(net, options) for _ in range(clients)]
        net.idle(FOR_S)
        return askers


@pytest.mark.parametrize("options", [LINUX, APART], ids=["together", "apart"])
@pytest.mark.parametrize(("clients", "seconds"), [(6, 1), (12, 2)])
def test_all_have_their_turn(application: Path, seed: int, clients: int, seconds: float, options: Options) -> None:
    askers = crowd(application, clients, options, seed)
    assert max(asker.longest_s() for asker in askers) <= seconds
    answered = sorted(len(asker.waits_us) for asker in askers)
    assert answered[0] >= answered[-1] / 10


def test_as_many_as_there_are_slots_are_not_slower(application: Path, seed: int) -> None:
    """No client is refused, and none is evicted, if there are as many as slots."""
    askers = crowd(application, 4, LINUX, seed)
    assert max(asker.longest_s() for asker in askers) < 0.05
