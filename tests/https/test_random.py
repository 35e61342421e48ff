# SPDX-License-Identifier: MIT
"""Clients open connections, ask, pause and leave at random, with few slots, tags and idle places. Each gets a whole
response or the end of its connection; never a record that its keys do not open."""

import random
from collections import Counter
from pathlib import Path

import pytest

from tests.https.secured import Secured, started
from tests.support import MADE_FILES, get
from whit.model.policy import Options
from whit.wire.units import MS, SECOND
from whit_testbed.link import Impairment
from whit_testbed.net import Net

FILES = ("n0.bin", "n33.bin", "n752.bin", "n4000.bin")
SEEDS, LASTS_S, PATIENCE_S = 4, 40, 60
RESTS_S = (0.0, 0.01, 0.1, 0.3, 1.0, 5.0)


class Person:
    """Reconnects with its last ticket whenever its connection has ended."""

    def __init__(self, net: Net, address: str) -> None:
        self.net, self.address, self.draw = net, address, net.rng
        self.client: Secured | None = None
        self.session = None
        self.asked: list[bytes] = []  # what the responses have to be that are awaited
        self.had: Counter[str] = Counter()
        self._acts_us = 0  # when it does the next thing
        self._since_us = 0  # that it waits for something

    def act(self) -> None:
        now_us, client = self.net.loop.now_us, self.client
        if client is None:
            if now_us >= self._acts_us:
                self.client = Secured(
                    self.net, self.address, Options(window=self.draw.choice((2000, 65535))), self.session
                )
                self._since_us = now_us
            return
        assert client.error is None or client.connection.reset, (self.address, client.error)
        found = list(client.responses())
        if client.open and not self.asked and self._since_us:
            self._rest("opened")
        elif self.asked and len(found) == len(self.asked):
            assert [(one.status, one.body) for one in found] == [(200, body) for body in self.asked]
            client.heard, self.session = b"", client.tls.session or self.session
            self._rest("answered")
        elif client.ended or client.told_end:
            self._leave("reset" if client.connection.reset else "ended")
        elif self._since_us:
            assert now_us - self._since_us < PATIENCE_S * SECOND, (self.address, self.asked, client.heard)
        elif now_us >= self._acts_us:
            self._go_on(client)

    def _go_on(self, client: Secured) -> None:
        chance = self.draw.random()
        if chance < 0.1:
            client.connection.abort() if chance < 0.05 else client.connection.close()
            self._leave("left")
            return
        names = self.draw.choices(FILES, k=self.draw.choice((1, 1, 1, 3)))
        self.asked, self._since_us = [MADE_FILES[name] for name in names], self.net.loop.now_us
        client.say(b"".join(get(f"/{name}") for name in names))

    def _rest(self, had: str) -> None:
        self.had[had] += 1
        self.asked, self._since_us = [], 0
        self._acts_us = self.net.loop.now_us + int(self.draw.choice(RESTS_S) * self.draw.random() * 2 * SECOND)

    def _leave(self, how: str) -> None:
        self._rest(how)
        self.client = None


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize(
    ("persons", "settings"),
    [
        (2, {"connections": 1, "tags": 1, "idle": 1}),
        (4, {"connections": 1, "tags": 2, "idle": 1}),
        (3, {"connections": 2, "tags": 3, "idle": 2, "https__early_data": "idempotent"}),
        (6, {"connections": 3, "tags": 80, "idle": 4, "heads": "code", "keeps_frames": True}),
    ],
    ids=["one of each", "one slot", "early data", "a host"],
)
def test_everybody_learns(application: Path, persons: int, settings: dict[str, object], seed: int) -> None:
    with started(application, **settings) as engine:  # type: ignore[arg-type]
        loss = random.Random(seed).choice((0.0, 0.05))
        net = Net(
            engine, seed=seed, up=Impairment(delay_us=3 * MS, loss=loss), down=Impairment(delay_us=3 * MS, loss=loss)
        )
        people = [Person(net, f"10.0.0.{2 + number}") for number in range(persons)]
        for _ in range(LASTS_S * 50):
            for person in people:
                person.act()
            net.idle(0.02)
        assert engine.nonces[2] == 0
        assert all(person.had["answered"] for person in people)
