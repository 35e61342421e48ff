# SPDX-License-Identifier: MIT
"""Ladders of a few segments with a delayed acknowledgment: they show a used-up send window, and who waits."""

from collections.abc import Callable, Iterator

from whit.compiler.model import Application
from whit.ladder.steps import Ladder
from whit.wire.http import request
from whit_lab import papers
from whit_lab.experiments.window.runs import KEEP, Peer, client, generator, model, opened
from whit_testbed.engine import Engine
from whit_testbed.ladder_watch import record
from whit_testbed.lwip import MSS
from whit_testbed.net import Server

OCTETS = 6 * MSS
DELAY_MS = 10


def ladders(peer: Peer | None, seed: int) -> Iterator[Ladder]:
    """Yields the ladders. peer: lwIP, if it is available."""
    body = bytes(OCTETS)
    one = model(body, MSS, 1)
    yield _ladder(one, "one in flight (model of uIP)", "/", seed, held=lambda: one.held)
    if peer:
        window = papers.LWIP_KNEE
        with peer.start(body, window, window) as lwip:
            title = f"lwIP with a send window of {window}: three segments, the third alone"
            yield _ladder(lwip, title, "/zeros", seed, held=lambda: lwip.held.transfer)
    built = generator()
    with Engine(built.image, seed=seed) as engine:
        target = f"/zeros?length={OCTETS}"
        yield _ladder(engine, "ours, generated", target, seed, application=built.application)


def _ladder(
    server: Server,
    name: str,
    target: str,
    seed: int,
    *,
    application: Application | None = None,
    held: Callable[[], int] | None = None,
) -> Ladder:
    net, connection = opened(server, client("on"), DELAY_MS, seed)

    def get() -> None:
        connection.send(request(target, KEEP))
        net.loop.run(lambda: len(connection.input.stream) > OCTETS)
        net.idle(0.3)

    title = f"{OCTETS} octets, {DELAY_MS} ms, delayed acknowledgments: {name}"
    return record(net, title, get, application=application, held=held)
