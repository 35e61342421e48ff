# SPDX-License-Identifier: MIT
"""Uploads over links that lose, duplicate, reorder and corrupt: the handler reads exactly the sent octets, once.
WHIT_SEED=n replays a run."""

import random

import pytest

from tests.bodies.support import FORM, MULTIPART, OCTETS, Part, chunked, digest, multipart, noise, posted, told
from tests.harness import Make
from whit.model.policy import Options
from whit.wire.http import Response
from whit.wire.units import MS, SECOND
from whit_testbed.http import Client
from whit_testbed.link import Impairment
from whit_testbed.net import Net

STREAM = b"application/octet-stream"


def harm_of(rng: random.Random) -> Impairment:
    return Impairment(
        delay_us=rng.choice([0, 1, 10, 50]) * MS,
        rate=rng.choice([None, None, 11_520, 125_000]),
        loss=rng.choice([0, 0.02, 0.1]),
        duplicate=rng.choice([0, 0.1, 0.3]),
        reorder=rng.choice([0, 0.1, 0.3]),
        corrupt=rng.choice([0, 0.02, 0.1]),
    )


def sent(rng: random.Random, target: str, body: bytes, *fields: str) -> bytes:
    expect = ["Expect: 100-continue"] if rng.random() < 0.3 else []
    if rng.random() < 0.5:
        return posted(target, body, *fields, *expect)
    return chunked(
        target, body, *fields, *expect, size=rng.choice([1, 7, 100, 700, 5000]), tail=rng.choice([b"", b"T: x\r\n"])
    )


def upload(rng: random.Random) -> tuple[bytes, bytes]:
    """Returns a request with a body, and its expected answer."""
    length = rng.choice([0, 1, 50, 300, 2000])
    kind = rng.randrange(5)
    if kind == 0:
        number = rng.randrange(99)
        return sent(rng, "/form", b"octet=%d&text=x" % number, FORM), b"post %d 0 [x] run " % number
    if kind == 1:
        content = noise(length, rng.randrange(1000))
        return sent(rng, "/upload", content, OCTETS), told((b"", STREAM, content))
    if kind == 2:
        content = noise(length // 2, rng.randrange(1000))
        return sent(rng, "/slow", content), b"%d %d" % (len(content), digest(content))
    if kind == 3:
        return sent(rng, "/whole", b"y" * min(length, 50)), b"0=" + b"y" * min(length, 50) + b"\n"
    parts: list[Part] = [
        (b"f%d" % number, rng.choice([STREAM, b"text/plain"]), noise(rng.choice([0, 3, length]), rng.randrange(1000)))
        for number in range(rng.randrange(1, 4))
    ]
    return sent(rng, "/upload", multipart(*parts), MULTIPART), told(*parts)


class Sender:
    """Sends random bodies, one after the other, on as few connections as it can."""

    def __init__(self, net: Net, number: int, rng: random.Random, options: Options, uploads: int) -> None:
        self.net, self.number, self.rng, self.options, self.left = net, number, rng, options, uploads
        self.client: Client | None = None
        self.said = b""
        self.answers: list[Response] = []
        self.lost = 0
        self.asked_us = 0

    @property
    def busy(self) -> bool:
        stuck = self.net.loop.now_us - self.asked_us > 600 * SECOND  # what a person would call dead
        return self.client is not None and bool(self.client.waiting) and not self.client.ended and not stuck

    def step(self) -> None:
        """Judges the responses, and sends the next request."""
        if self.client is not None:
            if self.client.responses:
                answer = self.client.responses.pop()
                if answer.status == 200:
                    assert answer.body.startswith(self.said), (answer, self.said)
                    self.answers.append(answer)
                else:
                    assert answer.status in (408, 503), answer
                    self.lost += 1
            else:
                self.lost += 1
            self.left -= 1
        if self.left == 0:
            return
        if self.client is None or self.client.ended or self.client.waiting:
            self.client = self.net.host(f"10.0.1.{self.number + 1}").client(self.options)
        octets, self.said = upload(self.rng)
        self.client.send(octets, "POST")
        self.asked_us = self.net.loop.now_us


@pytest.mark.parametrize("link", ["ethernet", "slip"])
@pytest.mark.parametrize("mss", [100, 536, 1460])
@pytest.mark.parametrize("senders", [1, 3])
def test_uploads_through_harm(make: Make, seed: int, senders: int, mss: int, link: str) -> None:
    rng = random.Random(seed * 7 + mss + senders)
    engine = make(link=link, seed=seed % 1000, request_timeout_s=60)
    net = Net(engine, up=harm_of(rng), seed=seed, split=rng.choice([None, "random"]))
    options = Options(mss=mss, segment=mss, rto_min=200 * MS, strict=False)
    crowd = [Sender(net, number, rng, options, 8) for number in range(senders)]
    while any(sender.left for sender in crowd):
        for sender in crowd:
            if sender.left and not sender.busy:
                sender.step()
        net.loop.run(
            lambda: any(not sender.busy for sender in crowd if sender.left) or not any(sender.left for sender in crowd),
            for_us=2000 * SECOND,
        )
    assert sum(sender.lost for sender in crowd) <= senders
    runs = [int(answer.body.split()[-1]) for sender in crowd for answer in sender.answers if answer.body[:4] == b"post"]
    assert len(set(runs)) == len(runs)
    net.idle(400)
    assert sum(engine.meter.held) == 0
    net.up.impairment = net.down.impairment = Impairment()
    assert net.get(net.host("10.0.9.9").client(), "/page.txt").status == 200


@pytest.mark.parametrize("limits", [{}, {"buffer": 4096, "connections": 200}, {"receive_window": 5840}])
def test_three_large_ones_at_once(make: Make, limits: dict[str, int]) -> None:
    """Three large bodies share the room for input; each is received completely."""
    engine = make(body_max=200_000, **limits)
    net = Net(engine, up=Impairment(delay_us=5 * MS))
    content = noise(50_000)
    clients = [net.host(f"10.0.1.{number}").client(Options(rto_min=200 * MS)) for number in range(1, 4)]
    for client in clients:
        client.send(posted("/upload", content, OCTETS), "POST")
    net.run(*clients, for_s=600)
    assert [client.responses[0].body for client in clients] == [told((b"", STREAM, content))] * 3
    net.idle(1)
    assert sum(engine.meter.held) == 0


def test_stalled_upload_makes_room(make: Make) -> None:
    """Three clients begin and fall silent; a fourth is served after two seconds."""
    net = Net(make())
    for number in range(1, 4):
        client = net.host(f"10.0.1.{number}").client()
        client.send(posted("/upload", noise(3000), OCTETS)[:700], "POST")
    net.idle(3)
    assert net.get(net.host("10.0.9.9").client(), "/page.txt", for_s=10).status == 200
