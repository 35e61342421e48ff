# SPDX-License-Identifier: MIT
"""Counts the round trips of a response in virtual time, on a link with a delay and no rate limit.

Only the given losses happen. The engine answers at once: its own time is not part of the count.
"""

from collections.abc import Callable
from pathlib import Path

from whit.errors import WhitError
from whit.model.policy import AckPolicy, Options
from whit.wire.http import parse_response, request
from whit.wire.packet import Ethernet, Ipv4, Segment
from whit.wire.units import MS
from whit_lab.instruments.exchange import Exchange, Visitor
from whit_lab.instruments.served import content
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment
from whit_testbed.net import Net
from whit_testbed.trace import Peer

DELAY_MS = 10
RTT_US = 2 * DELAY_MS * MS
POLICIES = (AckPolicy.EVERY, AckPolicy.DELAYED)


def first_response(image: Path, size: int, policy: AckPolicy, seed: int) -> Exchange:
    """The first response of a fresh connection."""
    with Engine(image, seed=seed) as engine:
        return _visitor(engine, policy, seed).get(f"/{size}.bin", content(size))


def tail_loss(image: Path, size: int, policy: AckPolicy, seed: int, *, warm_up: int = 4) -> float:
    """Returns the round trips that the loss of the last segment adds, after `warm_up` responses on the connection."""

    def run(lose_tail: bool) -> int:
        with Engine(image, seed=seed) as engine:
            visitor = _visitor(engine, policy, seed)
            for _ in range(warm_up):
                visitor.get(f"/{size}.bin", content(size))
            visitor.net.down.drop = _once(content(size)[-8:]) if lose_tail else None
            whole_us = visitor.get(f"/{size}.bin", content(size)).whole_us
            if visitor.net.down.lost_cnt != lose_tail:
                raise WhitError(f"lab: {visitor.net.down.lost_cnt} segments were lost, expected {int(lose_tail)}", 1)
            return whole_us

    return (run(True) - run(False)) / RTT_US


def answer_segments(image: Path, link: str) -> int:
    """Returns the segments with bytes of a service's answer. A function's result is kept until it is acknowledged."""
    body = b'{"text":"hello"}'
    call = request("/echo", "Content-Type: application/json", f"Content-Length: {len(body)}", method="POST", body=body)
    with Engine(image, link=link) as engine:
        peer = Peer(engine)
        peer.handshake()
        peer.send("PA", seq=1, ack=1, payload=call)
        segments = [segment.payload for segment in peer.take_all() if segment.payload]
    answer = parse_response(b"".join(segments), "POST")
    if answer is None or answer.status != 200:
        raise WhitError(f"lab: the service answered {answer}, expected 200", 1)
    return len(segments)


def _visitor(engine: Engine, policy: AckPolicy, seed: int) -> Visitor:
    return Visitor(Net(engine, up=Impairment(delay_us=DELAY_MS * MS), seed=seed), Options(ack=policy), lambda: 0)


def _once(tail: bytes) -> Callable[[bytes], bool]:
    """Returns a filter that drops the first segment that ends in `tail`."""
    lost = False

    def drop(frame: bytes) -> bool:
        nonlocal lost
        datagram = Ipv4.parse(Ethernet.parse(frame).payload)
        now = not lost and Segment.parse(datagram.payload, datagram.src, datagram.dst).payload.endswith(tail)
        lost = lost or now
        return now

    return drop
