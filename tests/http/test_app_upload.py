# SPDX-License-Identifier: MIT
"""apps/upload: a picture into stored content, and files of any size."""

import json
import zlib

import pytest

from tests.harness import Make, ask
from tests.http.app_client import MULTIPART, multipart, post
from tests.support import exchange, noise, prose
from whit.model.policy import Options
from whit.wire.http import request
from whit.wire.units import MS
from whit_testbed.link import Impairment
from whit_testbed.net import Net

ROOM = 12288


def test_picture_is_stored_and_served(make_app: Make) -> None:
    engine = make_app("upload")
    assert ask(engine, "/picture.png").status == 404
    assert json.loads(ask(engine, "/picture").body) == {"octets": 0, "room": ROOM}
    for octets in (noise(1), noise(63), noise(64), noise(5000), noise(ROOM), b""):
        answer = post(engine, "/picture", MULTIPART, multipart(("a.png", "image/png", octets)))
        assert json.loads(answer.body) == {"octets": len(octets), "room": ROOM}
        served = ask(engine, "/picture.png")
        assert (served.status, served.body, served.field("content-type")) == (200, octets, "image/png")
        again = exchange(engine, request("/picture.png", f"If-None-Match: {served.field('etag')}")).responses[0]
        assert again.status == 304


def test_picture_as_the_body_itself(make_app: Make) -> None:
    engine = make_app("upload")
    assert json.loads(post(engine, "/picture", "image/png", noise(700)).body) == {"octets": 700, "room": ROOM}
    assert ask(engine, "/picture.png").body == noise(700)


def test_what_is_no_picture_changes_nothing(make_app: Make) -> None:
    engine = make_app("upload")
    post(engine, "/picture", "image/png", noise(700))
    refused = post(engine, "/picture", "image/png", noise(ROOM + 1))
    assert refused.status == 422 and "error" in json.loads(refused.body)
    assert post(engine, "/picture", "text/plain", b"picture").status == 415
    assert post(engine, "/picture", MULTIPART, multipart(("a.txt", "text/plain", b"picture"))).status == 415
    assert ask(engine, "/picture.png").body == noise(700)


def test_picture_that_comes_half_changes_nothing(make_app: Make) -> None:
    engine = make_app("upload")
    post(engine, "/picture", "image/png", noise(700))
    net = Net(engine)
    quitter = net.host("10.0.0.9").client()
    quitter.send(
        request("/picture", "Content-Type: image/png", "Content-Length: 900", method="POST") + noise(500), "POST"
    )
    net.idle(1)
    quitter.connection.abort()
    net.idle(1)
    assert net.get(net.host().client(), "/picture.png").body == noise(700)


@pytest.mark.parametrize("seed", range(3))
def test_checksums_over_a_bad_link(make_app: Make, seed: int) -> None:
    files = {"a.bin": noise(20_000), "empty": b"", "c d.txt": prose(3000), "x" * 40: noise(1)}
    body = multipart(*((name, "application/octet-stream", octets) for name, octets in files.items()))
    harm = Impairment(delay_us=10 * MS, loss=0.05, duplicate=0.2, reorder=0.2)
    net = Net(make_app("upload"), up=harm, seed=seed)
    client = net.host().client(Options(rto_min=200 * MS))
    fields = (f"Content-Type: {MULTIPART}", f"Content-Length: {len(body)}")
    answer = net.get(client, "/checksums", *fields, method="POST", body=body)
    assert json.loads(answer.body) == [
        {"name": name[:23], "octets": len(octets), "crc32": f"{zlib.crc32(octets):08x}"}
        for name, octets in files.items()
    ]


def test_more_files_than_are_remembered(make_app: Make) -> None:
    files = [(f"{i}", "text/plain", b"%d" % i) for i in range(9)]
    answer = json.loads(post(make_app("upload"), "/checksums", MULTIPART, multipart(*files)).body)
    assert [row["name"] for row in answer[:6]] == [name for name, _, _ in files[:6]]
    assert answer[6:] == [{"more": 3}]


def test_several_uploads_share_the_buffer(make_app: Make) -> None:
    net = Net(make_app("upload"), up=Impairment(delay_us=10 * MS))
    clients = [net.host(f"10.0.0.{i}").client() for i in range(2, 7)]
    for i, client in enumerate(clients):
        body = multipart((f"{i}", "image/png", noise(4000 + i)))
        fields = (f"Content-Type: {MULTIPART}", f"Content-Length: {len(body)}")
        client.ask("/checksums" if i else "/picture", *fields, method="POST", body=body)
    net.run(*clients, for_s=60)
    answers = [json.loads(client.responses[0].body) for client in clients]
    assert answers[0] == {"octets": 4000, "room": ROOM}
    assert [answer[0]["crc32"] for answer in answers[1:]] == [f"{zlib.crc32(noise(4000 + i)):08x}" for i in range(1, 5)]
