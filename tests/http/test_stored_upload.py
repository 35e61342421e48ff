# SPDX-License-Identifier: MIT
"""A picture that is uploaded, by the example of docs/application.md: a part of any size into persistent memory."""

import pytest

from tests.harness import Make, ask
from tests.http.stored import get, write
from tests.support import noise
from whit.model.policy import Options
from whit.wire.http import Response, request
from whit.wire.units import MS
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment
from whit_testbed.net import Net

TYPE = "Content-Type: image/png"


def upload_of(body: bytes) -> bytes:
    return request("/upload", TYPE, f"Content-Length: {len(body)}", method="PUT", body=body)


def upload(engine: Engine, body: bytes) -> Response:
    return ask(engine, upload_of(body))


@pytest.mark.parametrize("length", [0, 1, 63, 64, 65, 1000, 3999, 4000])
def test_what_was_uploaded_is_served(make_stored: Make, length: int) -> None:
    engine = make_stored()
    assert upload(engine, noise(length)).status == 200
    assert get(engine, 1).body == noise(length)
    assert engine.static_checksum_octets == 0


def test_too_large(make_stored: Make) -> None:
    engine = make_stored()
    assert upload(engine, noise(300)).status == 200
    tag = get(engine, 1).field("etag")
    assert upload(engine, noise(4001)).status == 500
    assert (get(engine, 1).body, get(engine, 1).field("etag")) == (noise(300), tag)


@pytest.mark.parametrize("harm", [{}, {"loss": 0.05, "duplicate": 0.2}])
def test_under_loss(make_stored: Make, harm: dict[str, float]) -> None:
    engine = make_stored(request_timeout_s=60)
    net = Net(engine, up=Impairment(delay_us=10 * MS, **harm), seed=3)
    for turn in range(5):
        client = net.host(f"10.0.0.{turn + 9}").client(Options(mss=1460))
        client.send(upload_of(noise(3000 + turn)), "PUT")
        net.run(client)
        assert client.responses[0].status == 200
        assert net.get(client, "/photo.png").body == noise(3000 + turn)


@pytest.mark.parametrize("end", ["abort", "vanish", "close"])
def test_body_that_ends_early_changes_nothing(make_stored: Make, end: str) -> None:
    engine = make_stored()
    assert upload(engine, noise(300)).status == 200
    net = Net(engine, up=Impairment(delay_us=10 * MS))
    client = net.host("10.0.0.9").client()
    client.send(upload_of(noise(4000))[:-1], "PUT")
    net.idle(1)
    getattr(client.connection, end)()
    net.idle(60)
    reader = net.host("10.0.0.10").client()
    assert net.get(reader, "/photo.png").body == noise(300)
    reader.send(upload_of(noise(500)), "PUT")
    net.run(reader)
    assert net.get(reader, "/photo.png").body == noise(500)


def test_two_uploads_at_the_same_time_do_not_mix(make_stored: Make) -> None:
    engine = make_stored()
    net = Net(engine, up=Impairment(delay_us=10 * MS))
    bodies = [noise(3001), noise(3002)]
    clients = [net.host(f"10.0.0.{9 + i}").client() for i in range(2)]
    for client, body in zip(clients, bodies, strict=True):
        client.send(upload_of(body)[:1500], "PUT")
        net.idle(0.5)
    for client, body in zip(clients, bodies, strict=True):
        client.connection.send(upload_of(body)[1500:])
        net.idle(0.5)
    net.run(*clients)
    # The second may wait until the first is through; else it ends that one.
    assert clients[0].responses[0].status in (200, 500)
    assert clients[1].responses[0].status == 200
    assert net.get(net.host("10.0.0.20").client(), "/photo.png").body == bodies[1]


def test_an_old_ticket_is_worth_nothing(make_stored: Make) -> None:
    engine = make_stored()
    assert write(engine, 1, 500, 1, more="&stay=1") == 200
    assert upload(engine, noise(300)).status == 200
    assert write(engine, 1, 500, 1, more="&add=1") == 500
    assert get(engine, 1).body == noise(300)
