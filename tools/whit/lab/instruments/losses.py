# SPDX-License-Identifier: MIT
"""Requests on a link that loses frames: how many of them are answered, with the right octets."""

from pathlib import Path

from whit.sim.engine import Engine
from whit.sim.http import Client
from whit.sim.link import SECOND, Deadlock, Impairment
from whit.sim.net import Net
from whit.sim.policy import Options


def answered(
    image: Path, impairment: Impairment, options: Options, target: str, expected: bytes, seed: int, requests: int
) -> int:
    """Asks one request after the other on a connection that is kept alive, or on another once that has ended."""
    right = 0
    with Engine(image, seed=seed) as engine:
        net = Net(engine, up=impairment, seed=seed)
        client: Client | None = None
        for _ in range(requests):
            if client is None or client.ended or client.waiting:
                client = net.host().client(options)
            before = len(client.responses)
            client.ask(target)
            try:
                net.run(client, for_s=600)
            except Deadlock:
                continue
            if len(client.responses) > before:
                response = client.responses[-1]
                right += response.status == 200 and response.body == expected
            net.loop.run(for_us=net.rng.choice((0, SECOND)))
    return right
