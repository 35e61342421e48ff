# SPDX-License-Identifier: MIT
"""A response that waits for its content, and a form whose handler waits."""

import pytest

from tests.harness import ask, engine_of, opened
from tests.http.app_client import BAD, post
from tests.support import exchange
from whit.paths import ROOT
from whit.wire.http import request
from whit.wire.units import MS
from whit_testbed.engine import Engine
from whit_testbed.net import Net

APP = ROOT / "tests" / "apps" / "later"
FORM = "application/x-www-form-urlencoded"


engine = engine_of(APP)


@pytest.mark.parametrize("waits", [0, 1, 300, 5000])
@pytest.mark.parametrize(("first", "second"), [(0, 0), (1, 0), (0, 1), (40, 40), (1500, 500), (3000, 6000), (20000, 7)])
def test_octets_are_those_that_were_said(engine: Engine, first: int, second: int, waits: int) -> None:
    response = ask(engine, f"/later?first={first}&second={second}&waits={waits}")
    assert response.status == 200
    assert response.body == b"a" * first + b"b" * second
    length = response.field("Content-Length")
    assert (length is not None) == (first + second <= 1600), length


@pytest.mark.parametrize("waits", [0, 40, 3000])
@pytest.mark.parametrize(("ends", "status"), [("status", 404), ("field", 303), ("nothing", 500), ("unavailable", 503)])
def test_what_is_decided_at_the_end(engine: Engine, ends: str, status: int, waits: int) -> None:
    response = ask(engine, f"/later?first=40&second=50&waits={waits}&ends={ends}")
    assert response.status == status
    kept = ends in ("status", "field")
    assert response.body == (b"a" * 40 + b"b" * 50 if kept else b"")
    assert response.field("Location") == ("/elsewhere" if ends == "field" else None)
    assert ask(engine, "/later?first=3").body == b"aaa"


@pytest.mark.parametrize("ends", ["nothing", "unavailable"])
def test_what_fails_after_its_first_octets_is_cut(engine: Engine, ends: str) -> None:
    for query in (f"first=9000&second=50&waits=100&ends={ends}", f"first=40&waits=100&ends={ends}&later=0"):
        client = exchange(engine, request(f"/later?{query}"))
        assert client.connection.reset
        assert not client.responses
        assert bytes(client.connection.input.stream).startswith(b"HTTP/1.1 200")
    assert ask(engine, "/later?first=3").body == b"aaa"


@pytest.mark.parametrize("connections", [1, 2])
@pytest.mark.parametrize("buffer", [512, 600, 4096])
def test_a_form_finds_room_beside_what_its_handler_writes(buffer: int, connections: int) -> None:
    with opened(APP, buffer=buffer, connections=connections) as engine:
        for _ in range(3):
            response = post(engine, "/form", FORM, b"name=abc&times=100")
            assert (response.status, response.body) == (200, 100 * b"abc.")


def test_nothing_leaves_before(engine: Engine) -> None:
    net = Net(engine)
    client = net.host().client()
    client.send(request("/later?first=40&waits=2000"))
    net.loop.run(for_us=1900 * MS)
    assert bytes(client.connection.input.stream) == b""
    other = net.host().client()
    other.send(request("/index.html"))
    net.run(other, for_s=0.05)
    assert other.responses[0].status == 200
    assert bytes(client.connection.input.stream) == b""
    net.run(client, for_s=5)
    assert client.responses[0].body == b"a" * 40


def test_head_does_not_run_it(engine: Engine) -> None:
    client = exchange(engine, request("/later?ends=unavailable", method="HEAD"), "HEAD")
    assert client.responses[0].status == 200


@pytest.mark.parametrize("waits", [0, 700])
@pytest.mark.parametrize("times", [0, 1, 200, 3000])
def test_a_form_that_waits(engine: Engine, times: int, waits: int) -> None:
    response = post(engine, "/form", FORM, f"name=Zo%C3%AB&times={times}&waits={waits}".encode())
    assert response.status == 200
    assert response.body == "Zoë.".encode() * times


@pytest.mark.parametrize("waits", [0, 700])
def test_a_form_that_cannot_be_taken(engine: Engine, waits: int) -> None:
    assert post(engine, "/form", FORM, f"name=a&there=0&waits={waits}".encode()).status == 503
    assert post(engine, "/form", FORM, b"times=1").status == 400
    for query in ("?name=a", "", "?times=many", "?name=a&name=b"):  # a method is wrong whatever its arguments say
        assert ask(engine, f"/form{query}").status == 405


@pytest.mark.parametrize("seed", range(12))
def test_on_a_bad_link(engine: Engine, seed: int) -> None:
    """Losses, repetitions and reordering; the handler runs once whatever happens."""
    net = Net(engine, seed=seed, up=BAD, down=BAD)
    clients = [net.host().client() for _ in range(3)]
    for number, client in enumerate(clients):
        client.send(request(f"/later?first={200 * number}&waits={300 * number}&second=2000"))
    for client in clients:
        net.run(client, for_s=120)
    assert [client.responses[0].body for client in clients] == [
        b"a" * (200 * number) + b"b" * 2000 for number in range(3)
    ]
