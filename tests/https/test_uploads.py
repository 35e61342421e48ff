# SPDX-License-Identifier: MIT
"""Uploads at once under TLS: their records wait until they are whole, and do not wait for each other."""

import json
import zlib
from collections.abc import Iterator

import pytest

from tests.https.early import Early
from tests.https.secured import Secured, started
from tests.support import get
from whit.paths import ROOT
from whit.wire.units import MS, SECOND
from whit_testbed.net import Net

APP = ROOT / "apps" / "upload"
RECORDS = 12


def body_of(number: int, length: int) -> bytes:
    return bytes((index * index + number * 37) % 251 for index in range(length))


def head_of(length: int) -> bytes:
    fields = f"Host: x\r\nContent-Type: application/octet-stream\r\nContent-Length: {length}"
    return f"POST /checksums HTTP/1.1\r\n{fields}\r\n\r\n".encode()


def upload(client: Secured, number: int, record: int) -> bytes:
    """A POST whose body arrives in records of `record` octets. Returns its content."""
    body = body_of(number, record * RECORDS)
    client.say(head_of(len(body)))
    for at in range(0, len(body), record):
        client.say(body[at : at + record])
    return body


TOGETHER = [(2, 2048, 700), (2, 2048, 1000), (2, 4096, 2000), (4, 8192, 2500)]


@pytest.mark.parametrize(("cnt", "buffer", "record"), TOGETHER)
def test_uploads_at_once(cnt: int, buffer: int, record: int) -> None:
    """The buffer has room for one record, and for part of another."""
    with started(APP, keeps_frames=True, buffer=buffer) as engine:
        net = Net(engine)
        clients = [Secured(net, f"10.0.0.{2 + number}") for number in range(cnt)]
        net.idle(1)
        begun_us, sent = net.loop.now_us, engine.counters["count_frames_out"]
        bodies = [upload(client, number, record) for number, client in enumerate(clients)]
        for client, body in zip(clients, bodies, strict=True):
            (response,) = client.wait()
            assert response.status == 200
            assert json.loads(response.body)[0]["crc32"] == f"{zlib.crc32(body):08x}"
        assert net.loop.now_us - begun_us < 2000 * MS
        frames = sum(map(len, bodies)) / 512
        assert engine.counters["count_frames_out"] - sent < 4 * frames  # no repeated window updates
        assert engine.nonces[2] == 0


HALF, WHOLE = 900, 1500  # octets of a record, of which two do not find room side by side


def half_in(net: Net, address: str, first: int = HALF) -> tuple[Early, bytes]:
    """Returns a client whose body record is half sent, and the other half."""
    client = Early(net, address=address)
    client.ticket()
    net.idle(0.1)
    client.say(head_of(WHOLE))
    net.idle(0.1)
    client.tls.write(body_of(1, WHOLE))
    record = client.tls.take()
    client.connection.send(record[:first])
    net.idle(0.02)
    return client, record[first:]


def asks(net: Net, address: str, *records: bytes) -> float:
    """Seconds until it is answered, on a connection that is open."""
    client = Early(net, address=address)
    client.ticket()
    net.idle(0.1)
    begun_us = net.loop.now_us
    for octets in records:
        client.say(octets)
    assert [one.status for one in client.wait()] == [200]
    return (net.loop.now_us - begun_us) / SECOND


@pytest.fixture(name="net")
def fixture_net() -> Iterator[Net]:
    with started(APP, keeps_frames=True, buffer=4096) as engine:
        yield Net(engine)
        assert engine.nonces[2] == 0


def test_the_rest_of_a_record_is_promised(net: Net) -> None:
    """A request that finds room beside it is answered at once; another record is not begun in its room."""
    first, rest = half_in(net, "10.0.0.2")
    assert asks(net, "10.0.0.3", get("/style.css")) < 0.1
    second = Early(net, address="10.0.0.4")
    second.ticket()
    first.connection.send(rest[:10])
    net.idle(0.1)
    second.say(head_of(WHOLE))
    second.say(body_of(2, WHOLE))
    net.idle(0.1)
    assert second.responses() == []
    assert asks(net, "10.0.0.3", get("/style.css")) < 0.1
    first.connection.send(rest[10:])
    net.idle(0.05)
    assert [one.status for one in first.responses()] == [200]
    assert [one.status for one in second.wait(for_s=1)] == [200]


def test_a_promise_ends(net: Net) -> None:
    """A connection silent for 252 ms loses its reserved room to others, and continues when room is free again."""
    first, rest = half_in(net, "10.0.0.2", 300)
    assert asks(net, "10.0.0.3", head_of(WHOLE), body_of(2, WHOLE)) < 1
    first.connection.send(rest)
    assert [one.status for one in first.wait(for_s=2)] == [200]


def test_an_octet_now_and_then_keeps_no_promise(net: Net) -> None:
    first, rest = half_in(net, "10.0.0.2", 300)

    def drip(at: int) -> None:
        first.connection.send(rest[at : at + 1])
        net.loop.after(100 * MS, lambda: drip(at + 1))

    drip(0)
    assert 1 < asks(net, "10.0.0.3", head_of(WHOLE), body_of(2, WHOLE)) < 3


def test_half_a_record_gives_way(net: Net) -> None:
    """A client that stalls for two seconds loses its half record; until then, other clients' records wait for room."""
    first, _ = half_in(net, "10.0.0.2", 1400)
    assert asks(net, "10.0.0.3", head_of(WHOLE), body_of(2, WHOLE)) < 3
    net.idle(1)
    assert first.connection.reset
