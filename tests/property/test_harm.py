# SPDX-License-Identifier: MIT
"""Random impairments of the link: a client finally reads exactly the resource's octets. The client compares each
retransmitted octet with the first copy. WHIT_SEED=n replays a run.
"""

import random
from dataclasses import replace

import pytest

from tests.harness import Make
from tests.support import MADE_FILES
from whit.model.policy import AckPolicy, Options
from whit.wire.units import MS, SECOND
from whit_testbed.http import Client
from whit_testbed.link import Impairment
from whit_testbed.net import Net

TARGETS = {"/" + name.replace(" ", "%20"): body for name, body in MADE_FILES.items() if name != "n57254.bin"}
LINES = b"".join(b"line %d\n" % (1000000000 + i) for i in range(200))
TARGETS["/lines?cnt=200"] = LINES
TARGETS["/typed?octet=9&number=-9&text=nine"] = b"9 -9 [nine] 0 0 0 0 0"


def harm_of(rng: random.Random) -> Impairment:
    loss, burst = rng.choice([(0, 1), (0.02, 1), (0.02, 4), (0.1, 1), (0.2, 1)])
    return Impairment(
        delay_us=rng.choice([0, 1, 10, 50]) * MS,
        rate=rng.choice([None, None, 11_520, 125_000]),
        loss=loss,
        duplicate=rng.choice([0, 0.1, 0.3]),
        reorder=rng.choice([0, 0.1, 0.3]),
        corrupt=rng.choice([0, 0.02, 0.1]),
        burst=burst,
    )


class Surfer:
    """Asks for random targets, on one connection after the other, until `requests` of them were answered."""

    def __init__(self, net: Net, number: int, rng: random.Random, mss: int, requests: int) -> None:
        self.net, self.number, self.rng, self.mss, self.left = net, number, rng, mss, requests
        self.client: Client | None = None
        self.target = ""
        self.asked_us = 0
        self.abandoned = 0

    @property
    def stuck(self) -> bool:
        """True after ten minutes without an answer."""
        return self.net.loop.now_us - self.asked_us > 600 * SECOND

    @property
    def busy(self) -> bool:
        client = self.client
        return client is not None and bool(client.waiting) and not client.ended and not self.stuck

    def step(self) -> None:
        """Judges the responses, and asks again."""
        client = self.client
        if client and not client.waiting:
            response = client.responses[-1]
            if response.status not in (408, 503):  # cut into pieces that were lost for too long; no room
                assert response.status == 200, self.target
                assert response.body == TARGETS[self.target], self.target
                self.left -= 1
        elif client and not client.ended:
            self.abandoned += 1
        if not self.left:
            return
        if client is None or client.ended or client.waiting or self.rng.random() < 0.2:
            if client and self.rng.random() < 0.5:
                client.connection.abort()
            rng = self.rng
            client = self.net.host(f"10.0.0.{2 + self.number}").client(
                Options(
                    mss=self.mss,
                    ack=rng.choice(list(AckPolicy)),
                    window=rng.choice([2000, 65535]),
                    rto_min=200 * MS,
                    segment=rng.choice([20, 1460]),
                )
            )
        self.client, self.target, self.asked_us = client, self.rng.choice(sorted(TARGETS)), self.net.loop.now_us
        client.ask(self.target)


def surf(net: Net, rng: random.Random, mss: int, clients: int, requests: int) -> None:
    surfers = [Surfer(net, i, rng, mss, requests) for i in range(clients)]
    while any(surfer.left for surfer in surfers):
        for surfer in surfers:
            if surfer.left and not surfer.busy:
                surfer.step()
        wake = net.loop.after(601 * SECOND, lambda: None)
        net.loop.run(lambda: any(s.left and not s.busy for s in surfers) or not any(s.left for s in surfers))
        wake.cancel()
    counters = net.engine.counters
    excuses = sum(counters[name] for name in ("count_slot_evicted", "count_tag_evicted", "count_given_up"))
    assert sum(surfer.abandoned for surfer in surfers) <= excuses, "a connection died and nobody knows why"


@pytest.mark.parametrize("link", ["ethernet", "slip"])
@pytest.mark.parametrize("mss", [88, 200, 536, 1460])
def test_every_completed_response_is_the_resource(make_engine: Make, seed: int, mss: int, link: str) -> None:
    for round_seed in range(seed, seed + 6):
        rng = random.Random(f"{round_seed} {mss} {link}")
        up = harm_of(rng)
        down = replace(harm_of(rng), delay_us=up.delay_us)
        net = Net(
            make_engine(link=link, seed=round_seed & 0xFFFFFFFF, connections=2),
            up=up,
            down=down,
            half_duplex=rng.random() < 0.3,
            seed=round_seed,
            split=rng.choice([None, "random", 1]),
        )
        surf(net, rng, mss, clients=rng.choice([1, 3]), requests=4)


@pytest.mark.parametrize("mss", [88, 1460])
def test_persistent_generator_runs_once_for_each_answer(make_engine: Make, seed: int, mss: int) -> None:
    """Clients see all runs, each exactly once, under loss, duplicates and reordering."""
    for round_seed in range(seed, seed + 5):
        rng = random.Random(round_seed)
        harm = Impairment(
            delay_us=20 * MS, loss=0.1, duplicate=0.3, reorder=0.3, reorder_us=rng.choice([30, 300, 3000]) * MS
        )
        engine = make_engine(seed=round_seed & 0xFFFFFFFF)
        net = Net(engine, up=harm, seed=round_seed)
        client = net.host().client(Options(mss=mss, rto_min=200 * MS))
        for run in range(1, 9):
            assert net.get(client, "/count").body == b"run %d" % run
            net.idle(rng.choice([0, 0.1, 5]))
        assert engine.persistent_writes == 8


def test_bit_flips_loss_duplicates_and_reordering_for_300_requests(make_engine: Make, seed: int) -> None:
    harm = Impairment(delay_us=5 * MS, loss=0.05, duplicate=0.02, reorder=0.05, corrupt=0.02)
    net = Net(make_engine(connections=2, seed=seed & 0xFFFFFFFF), up=harm, seed=seed)
    surf(net, random.Random(seed), 536, clients=3, requests=100)


@pytest.mark.slow
def test_heavy_loss_bursts_and_a_wire_that_dies(make_engine: Make, seed: int) -> None:
    for harm in (
        Impairment(delay_us=5 * MS, loss=0.2),
        Impairment(delay_us=5 * MS, loss=0.03, burst=8),
        Impairment(delay_us=5 * MS, outage=(60 * SECOND, 10 * SECOND)),
    ):
        engine = make_engine(connections=2, seed=seed & 0xFFFFFFFF)
        net = Net(engine, up=harm, seed=seed)
        surf(net, random.Random(seed), 1460, clients=3, requests=25)
        net.idle(1000)
        healthy = Net(engine)
        newcomer = healthy.host("10.0.9.9").client()
        assert healthy.get(newcomer, "/n33.bin", for_s=30).body == MADE_FILES["n33.bin"]
