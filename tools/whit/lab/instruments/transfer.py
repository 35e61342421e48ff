# SPDX-License-Identifier: MIT
"""How long a response takes, in virtual time: a link with a delay each way, no rate limit, and nothing lost but what
is said. The engine answers at once, as its own time is not part of this."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from whit.errors import WhitError
from whit.lab.instruments.served import content
from whit.sim.client import Connection, State
from whit.sim.engine import Engine
from whit.sim.link import MS, Impairment
from whit.sim.net import Net
from whit.sim.packet import Ethernet, Ipv4, Segment
from whit.sim.policy import AckPolicy, Options

DELAY_MS = 10
RTT_US = 2 * DELAY_MS * MS
POLICIES = (AckPolicy.EVERY, AckPolicy.DELAYED)


@dataclass(frozen=True)
class Transfer:
    """A response. Times in µs since its request left the client."""

    arrivals: Sequence[tuple[int, int]]  # (time, octets of the response that are there in order)

    @property
    def duration_us(self) -> int:
        return self.arrivals[-1][0]

    @property
    def rtts(self) -> float:
        return self.duration_us / RTT_US

    @property
    def whole_rtts(self) -> int:
        return -(-self.duration_us // RTT_US)


class Visit:
    """A client on one connection whose handshake is done."""

    def __init__(self, engine: Engine, policy: AckPolicy, seed: int) -> None:
        self.net = Net(engine, up=Impairment(delay_us=DELAY_MS * MS), seed=seed)
        self.client = self.net.host().client(Options(ack=policy))
        self.connection: Connection = self.client.connection
        self.net.loop.run(lambda: self.connection.state is State.OPEN)

    def get(self, size: int, *, lose_tail: bool = False) -> Transfer:
        """The file of that size. lose_tail: the segment that brings its last octet is lost once."""
        begin_us, before = self.net.loop.now_us, len(self.connection.received)
        arrivals: list[tuple[int, int]] = [(0, 0)]
        told = self.connection.on_data

        def data() -> None:
            arrivals.append((self.net.loop.now_us - begin_us, len(self.connection.input.stream) - before))
            told()

        self.connection.on_data = data
        lost_before = self.net.down.lost_cnt
        if lose_tail:
            self.net.down.drop = self._once(content(size)[-8:])
        response = self.net.get(self.client, f"/{size}.bin")
        self.connection.on_data = told
        self.net.down.drop = None
        if response.status != 200 or response.body != content(size):
            raise WhitError(f"lab: /{size}.bin: {response.status}, {len(response.body)} octets; expected the file", 1)
        lost, expected = self.net.down.lost_cnt - lost_before, int(lose_tail)
        if lost != expected:
            raise WhitError(f"lab: /{size}.bin: {lost} segments were lost, expected {expected}", 1)
        self.net.idle(1)  # what is still under way ends, delayed acknowledgments too
        return Transfer(arrivals)

    @staticmethod
    def _once(tail: bytes) -> Callable[[bytes], bool]:
        """Says of the first segment that ends in `tail` that it is lost."""
        lost = False

        def drop(frame: bytes) -> bool:
            nonlocal lost
            if lost or not _payload(frame).endswith(tail):
                return False
            lost = True
            return True

        return drop


def _payload(frame: bytes) -> bytes:
    datagram = Ipv4.parse(Ethernet.parse(frame).payload)
    return Segment.parse(datagram.payload, datagram.src, datagram.dst).payload


def first_response(image: Path, size: int, policy: AckPolicy, seed: int) -> Transfer:
    """The first response of a fresh connection."""
    with Engine(image, seed=seed) as engine:
        return Visit(engine, policy, seed).get(size)


def tail_loss(image: Path, size: int, policy: AckPolicy, seed: int, *, warm_up: int = 4) -> float:
    """Round trips that the loss of the last segment adds, after `warm_up` responses on the connection."""

    def run(lose_tail: bool) -> int:
        with Engine(image, seed=seed) as engine:
            visit = Visit(engine, policy, seed)
            for _ in range(warm_up):
                visit.get(size)
            return visit.get(size, lose_tail=lose_tail).duration_us

    return (run(True) - run(False)) / RTT_US
