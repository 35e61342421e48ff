# SPDX-License-Identifier: MIT
"""HTTPS of an image, in virtual time: contents of every kind, on good lines and bad ones."""

from pathlib import Path

import pytest

from tests.harness import engine_of
from tests.https.secured import Secured, sealed_once, started
from tests.support import MADE_FILES, get
from whit.model.policy import Options
from whit.wire.units import MS
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment
from whit_testbed.net import Net

FILES = ("/n0.bin", "/n33.bin", "/n752.bin", "/n4000.bin", "/n57254.bin")


engine = engine_of("application", start=started, ends=sealed_once)


@pytest.mark.parametrize("mss", [96, 536, 1460])
def test_contents_of_every_kind_on_one_connection(engine: Engine, mss: int) -> None:
    client = Secured(Net(engine), options=Options(mss=mss))
    for target in FILES:
        assert client.get(target).body == MADE_FILES[target[1:]]
    first, second = (int(client.get("/count").body.split()[1]) for _ in range(2))
    assert second == first + 1
    plain = client.net.get(client.net.host("10.0.0.9").client(), "/lines?cnt=400")
    assert client.get("/lines?cnt=400").body == plain.body
    assert client.get("/nothing").status == 404
    assert client.get("/n33.bin", "Connection: close").status == 200
    client.net.idle(1)
    assert client.told_end and client.connection.peer_closed


def test_requests_in_one_record_and_octet_by_octet(engine: Engine) -> None:
    client = Secured(Net(engine))
    client.say(get("/n33.bin") * 3)
    assert [one.body for one in client.wait(3)] == [MADE_FILES["n33.bin"]] * 3
    for octet in get("/n752.bin"):
        client.say(bytes((octet,)))
    assert client.wait()[0].body == MADE_FILES["n752.bin"]


def test_an_idle_connection_is_a_tag_and_its_keys(engine: Engine) -> None:
    net = Net(engine)
    clients = [Secured(net, f"10.0.0.{2 + number}") for number in range(4)]
    for _ in range(3):
        for client in clients:
            assert client.get("/n33.bin").status == 200
        net.idle(20)
    assert engine.counters["count_slot_evicted"] == 0


def test_what_finds_no_place_among_the_idle_is_told_so(application: Path) -> None:
    with started(application, idle=0) as engine:
        net = Net(engine)
        clients = [Secured(net, f"10.0.0.{2 + number}") for number in range(3)]
        for client in clients:
            assert client.get("/n33.bin").status == 200
            net.idle(0.3)
        assert clients[0].told_end and not clients[2].ended


def test_who_rests_gives_room_to_who_begins(application: Path) -> None:
    """Connections without idle places stay in their slots, with their blocks of the shared buffer."""
    with started(application, idle=0, connections=6) as engine:
        net = Net(engine)
        for number in range(12):
            client = Secured(net, f"10.0.0.{2 + number}")
            begun_us = net.loop.now_us
            assert client.get("/n33.bin").status == 200
            assert net.loop.now_us - begun_us < 1500 * MS  # a client that sends a part of its hello once more
            net.idle(0.3)
        net.idle(30)
        begun_us = net.loop.now_us
        assert client.get("/n33.bin").status == 200 and not client.told_end  # idle for longer than a request may last
        assert net.loop.now_us - begun_us < 100 * MS


@pytest.mark.parametrize("tags", [1, 2])
def test_who_comes_back_while_its_tag_is_given_away(application: Path, tags: int) -> None:
    """A returning client's request evicts an idle connection, which takes the oldest tag: the client's own. The client
    is reset, because its keys are gone. As a hello, the request would get an alert in the clear, from a block longer
    than was reserved.
    """
    with started(application, connections=1, tags=tags, idle=tags) as engine:
        net = Net(engine)
        clients = [Secured(net, f"10.0.0.{2 + number}") for number in range(tags + 1)]
        net.loop.run(lambda: all(client.open for client in clients))
        net.idle(1)
        before = engine.counters["count_slot_evicted"]
        clients[0].say(get("/n33.bin"))
        clients[0].wait()
        assert engine.counters["count_slot_evicted"] == before + 1
        assert clients[0].connection.reset and clients[0].error is None
        assert Secured(net, "10.0.0.9").get("/n33.bin").status == 200


def test_a_ticket_resumes(engine: Engine) -> None:
    net = Net(engine)
    first = Secured(net)
    first.get("/n33.bin")
    again = Secured(net, session=first.tls.session)
    assert again.get("/n33.bin").status == 200 and again.tls.session_reused


@pytest.mark.parametrize("seed", range(4))
def test_a_line_that_loses_repeats_and_spoils(application: Path, seed: int) -> None:
    bad = Impairment(delay_us=2 * MS, loss=0.08, duplicate=0.05, reorder=0.05, corrupt=0.04)
    with started(application, keeps_frames=seed % 2 == 1) as engine:
        net = Net(engine, up=bad, seed=seed, split="random")
        served = 0
        for number in range(6):
            client = Secured(net, f"10.0.0.{2 + number}")
            for target in ("/n4000.bin", "/lines?cnt=400", "/count"):
                client.say(get(target))
                responses = client.wait()
                if not responses:
                    assert client.connection.reset or client.told_end, client.error
                    break
                assert responses[0].status == 200
                served += 1
        sealed, repeated, broken = engine.nonces
        assert served >= 14 and repeated > 0 and broken == 0, (served, sealed)


def test_a_slow_driver_refuses_frames(application: Path) -> None:
    with started(application) as engine:
        net = Net(engine, up=Impairment(rate=10_000), driver_queue=1)
        clients = [Secured(net, f"10.0.0.{2 + number}") for number in range(3)]
        for client in clients:
            client.say(get("/n4000.bin"))
        assert [client.wait()[0].body for client in clients] == [MADE_FILES["n4000.bin"]] * 3
        assert engine.nonces[2] == 0
