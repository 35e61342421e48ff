# SPDX-License-Identifier: MIT
"""Uploads at once under TLS: their records wait until they are whole, and do not wait for each other."""

import json
import zlib

import pytest
from whit.paths import ROOT
from whit.sim.link import MS
from whit.sim.net import Net

from tests.https.secured import Secured, started

APP = ROOT / "apps" / "upload"
RECORDS = 12


def body_of(number: int, length: int) -> bytes:
    return bytes((index * index + number * 37) % 251 for index in range(length))


def upload(client: Secured, number: int, record: int) -> bytes:
    """A POST whose body comes in records of so many octets. What it uploads."""
    body = body_of(number, record * RECORDS)
    head = (
        f"POST /checksums HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nContent-Length: {len(body)}"
    )
    client.say(f"{head}\r\n\r\n".encode())
    for at in range(0, len(body), record):
        client.say(body[at : at + record])
    return body


TOGETHER = [(2, 2048, 700), (2, 2048, 1000), (2, 4096, 2000), (4, 8192, 2500)]


@pytest.mark.parametrize(("cnt", "buffer", "record"), TOGETHER)
def test_uploads_at_once(cnt: int, buffer: int, record: int) -> None:
    """There is room for one record, and for a part of another one."""
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
        assert engine.counters["count_frames_out"] - sent < 4 * frames  # nobody is told again and again
        assert engine.nonces[2] == 0
