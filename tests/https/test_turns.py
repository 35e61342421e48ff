# SPDX-License-Identifier: MIT
"""Handshakes are computed in slices: other clients are served, a vanished client leaks nothing, and each gets
its turn.
"""

from pathlib import Path

from tests.https.secured import Secured, started
from tests.support import MADE_FILES
from whit_testbed.engine import Engine
from whit_testbed.net import Net


def prepared(engine: Engine) -> None:
    """Lets the engine compute all that it computes in idle time."""
    engine.advance(1)
    assert engine.next_ms() > 0


def amid(net: Net, engine: Engine, client: Secured) -> None:
    """Runs until the client's hello has arrived and its answer is being computed."""
    while not client.connection.received and engine.next_ms() != 0:
        assert net.loop.step()
    assert not client.connection.received


def test_what_waits_is_computed_in_many_turns(application: Path) -> None:
    """Idle time takes a hundred turns for a pair and a nonce, and not one more."""
    with started(application) as engine:
        turns = 0
        while engine.next_ms() == 0:
            engine.tick()
            turns += 1
        assert 80 < turns < 200


def test_clients_that_come_at_once_have_their_turns(application: Path) -> None:
    with started(application, connections=6, buffer=4000) as engine:
        prepared(engine)
        net = Net(engine)
        clients = [Secured(net, f"10.0.0.{3 + number}") for number in range(3)]
        for client in clients:
            assert client.get("/n33.bin").body == MADE_FILES["n33.bin"]
        assert engine.nonces[2] == 0


def test_who_vanishes_amid_its_handshake_leaves_nothing(application: Path) -> None:
    with started(application, connections=1) as engine:
        prepared(engine)
        net = Net(engine)
        for number in range(12):
            gone = Secured(net, f"10.0.1.{number}")
            amid(net, engine, gone)
            for _ in range(number):
                assert net.loop.step()
            gone.connection.abort()
            net.idle(0.05)
        client = Secured(net)
        assert client.get("/n33.bin").body == MADE_FILES["n33.bin"]
        prepared(engine)
        assert engine.nonces[2] == 0


def test_a_plain_page_is_answered_between_two_slices(application: Path) -> None:
    """The main loop runs turn by turn: the page arrives before the handshake is computed."""
    with started(application) as engine:
        prepared(engine)
        net = Net(engine)
        plain = net.host("10.0.0.9").client()
        assert net.get(plain, "/n33.bin").status == 200
        client = Secured(net)
        amid(net, engine, client)
        assert net.get(plain, "/n33.bin").body == MADE_FILES["n33.bin"]
        assert not client.connection.received and engine.next_ms() == 0
        assert client.get("/n33.bin").status == 200


def test_what_the_next_client_needs_is_computed_after_each(application: Path) -> None:
    """The engine computes keys in advance after each client, so that the next waits no longer."""
    with started(application) as engine:
        prepared(engine)
        net = Net(engine)
        waited = []
        for number in range(3):
            client = Secured(net, f"10.0.0.{3 + number}")
            amid(net, engine, client)
            turns = 0
            while engine.next_ms() == 0:
                engine.tick()
                turns += 1
            waited.append(turns)
            assert client.get("/n33.bin").status == 200
            prepared(engine)
        assert waited[0] == waited[1] == waited[2] > 100
