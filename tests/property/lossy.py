# SPDX-License-Identifier: MIT
"""Clients that behave as Linux does, on a lossy line."""

from tests.support import get
from whit.model.policy import AckPolicy, Options
from whit.wire.units import MS, SECOND
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment, Loop
from whit_testbed.net import Host, Net

WINDOW = 64240  # that Linux announces
PATIENCE = 60 * SECOND


def linux(*, sack: bool = True) -> Options:
    return Options(window=WINDOW, ack=AckPolicy.LINUX, rto_min=200 * MS, sack=sack)


class Visitor:
    """Asks for a target again and again on a connection that is kept; on another when it is reset."""

    def __init__(self, net: Net, host: Host, target: str, length: int, times: int, options: Options) -> None:
        self.host, self.target, self.length, self.left, self.options = host, target, length, times, options
        self.loop: Loop = net.loop
        self.seconds: list[float] = []
        self.reset_cnt = 0
        self.client = host.client(options)
        self.asked_us = 0

    def step(self) -> None:
        client = self.client
        if client.waiting and (client.ended or self.loop.now_us - self.asked_us > PATIENCE):
            self.reset_cnt += 1
            client.connection.abort()
            self.client = client = self.host.client(self.options)
        elif client.connection.opened_us is None or client.waiting or not self.left:
            return
        if client.responses:
            assert len(client.responses[-1].body) == self.length
            client.responses.clear()
            self.seconds.append((self.loop.now_us - self.asked_us) / 1e6)
            self.left -= 1
        if client.connection.opened_us is not None and self.left:
            self.asked_us = self.loop.now_us
            client.send(get(self.target))


def visits(
    engine: Engine,
    target: str,
    length: int,
    loss: float,
    *,
    sack: bool = True,
    clients: int = 3,
    times: int = 20,
    rtt_ms: int = 1,
    seed: int = 1,
) -> list[Visitor]:
    """Each client gets the target several times, over a line that loses frames both ways."""
    net = Net(engine, up=Impairment(delay_us=rtt_ms * MS // 2, loss=loss), seed=seed)
    visitors = [
        Visitor(net, net.host(f"10.0.0.{2 + number}"), target, length, times, linux(sack=sack))
        for number in range(clients)
    ]

    def done() -> bool:
        for visitor in visitors:
            visitor.step()
        return not any(visitor.left for visitor in visitors)

    net.loop.run(done)
    return visitors
