# SPDX-License-Identifier: MIT
"""A response's memory charge: its octets in the shared buffer times their duration, as the engine counts them."""

import pytest

from tests.harness import Make
from whit.model.policy import AckPolicy, Options
from whit.paths import ROOT
from whit.wire.units import MS
from whit_testbed.link import Impairment
from whit_testbed.net import Net

HEAD = 4  # octets of a block beside its own


# Sorted by path, as the image's table.
PATHS = sorted(path.stem for path in (ROOT / "tests" / "apps" / "strategies").glob("*.c"))


def index_of(path: str) -> int:
    return PATHS.index(path)


def test_of_each_strategy(make: Make) -> None:
    """RTT 100 ms: octets kept until acknowledged are held that long; repeatable output is not held at all."""
    engine = make()
    net = Net(engine, up=Impairment(delay_us=50 * MS))
    client = net.host().client(Options(ack=AckPolicy.DELAYED))
    for target in ("plain_persistent?len=600", "plain_volatile?len=600", "index_volatile?len=600"):
        net.get(client, f"/{target}")
    net.idle(1)
    responses, (content, points, _) = engine.charges(index_of("plain_persistent"))
    assert responses == 1 and points == 0
    assert content == pytest.approx((604 + HEAD) * 0.1, rel=0.05)
    for path in ("plain_volatile", "index_volatile"):
        responses, (content, points, request) = engine.charges(index_of(path))
        assert responses == 1 and content == 0 and points > 0 and request > 0
    assert engine.meter.held == (0, 0, 0)


def test_a_response_that_is_given_up_is_counted_as_well(make: Make) -> None:
    engine = make()
    net = Net(engine, up=Impairment(delay_us=5 * MS))
    client = net.host().client()
    client.ask("/plain_persistent?len=600")
    net.idle(0.027)
    client.connection.vanish()
    net.idle(200)
    responses, (content, _, _) = engine.charges(index_of("plain_persistent"))
    assert responses == 1 and content > 608 * 60
    assert engine.meter.held == (0, 0, 0)


def test_each_response_is_charged_for_its_own(make: Make) -> None:
    """The first of three resources ends while the next slot's keeps octets. Only the keeper is charged."""
    engine = make(buffer=4096)
    net = Net(engine, up=Impairment(delay_us=50 * MS))
    paths = ("plain_volatile", "plain_persistent", "index_volatile")
    clients = [net.host(f"10.0.0.{number}").client() for number in (2, 3, 4)]
    for path, client in zip(paths, clients, strict=True):
        client.ask(f"/{path}?len=300")
        net.idle(0.03)
    net.run(*clients)
    net.idle(1)
    responses = {path: engine.charges(index_of(path))[0] for path in PATHS}
    assert responses == {path: int(path in paths) for path in PATHS}
    charged = [sum(kind) for kind in zip(*(engine.charges(index_of(path))[1] for path in PATHS), strict=True)]
    assert charged == pytest.approx(engine.meter.charge)
