# SPDX-License-Identifier: MIT
"""A hostile host answers the engine at random: numbers near the right ones; random flags, lengths and options. The
engine stays within its memory (guard pages, sanitizers), sends only its handler's octets, and soon frees each
connection."""

import random

import pytest

from tests.harness import opened
from tests.segments.origins import APP, Asking, Origin
from whit.wire.packet import MASK32, Flags, Ipv4, Segment
from whit_testbed.engine import Engine

LENGTHS = (0, 0, 0, 1, 5, 100, 536, 1460, 2048)
OPTIONS = (b"", b"", b"\2\4\0\0", b"\2\4\xff\xff", b"\1\1\1\1", b"\xff\0\0\0", b"\2\2\0\0", bytes(40))
NEAR = (0, 0, 0, 0, 1, -1, 2, 5, 6, 100, -100, 2047, 2048, 2049, 4096, 65535, -65536, 1 << 31, (1 << 31) - 1, 1 << 30)
FLAGS = ("A", "A", "PA", "FA", "FPA", "S", "SA", "R", "RA", "", "F", "SF", "SR", "U", "SFRPAU")


class Hostile:
    def __init__(self, engine: Engine, draw: random.Random, port: int) -> None:
        self.origin, self.draw = Origin(engine, port=port), draw
        self.rcv, self.snd = 0, self.origin.iss  # what the engine sent last, and its acknowledgment

    def hear(self) -> None:
        """Reads the engine's segments, which must contain only octets of its handler."""
        for segment in self.segments():
            if segment.flags & Flags.S:
                self.origin.remote_port, self.rcv = segment.sport, segment.seq + 1
            elif not segment.flags & Flags.R:
                self.rcv, self.snd = segment.seq + len(segment.payload), segment.ack
            assert set(segment.payload) <= set(b"ab")
            assert len(segment.payload) <= 1460

    def segments(self) -> list[Segment]:
        self.origin.collect()
        return [self.origin.next_segment() for _ in range(len(self.origin.queue))]

    def say(self) -> None:
        draw, origin = self.draw, self.origin
        segment = Segment(
            origin.port,
            origin.remote_port,
            self.snd + draw.choice(NEAR) & MASK32,
            self.rcv + draw.choice(NEAR) & MASK32,
            Flags(sum(Flags[letter] for letter in set(draw.choice(FLAGS)))),
            draw.choice((0, 1, 100, 1460, 65535)),
            bytes(draw.choice(LENGTHS)),
            options=draw.choice(OPTIONS),
        )
        octets = segment.pack(origin.address, origin.server)
        if draw.random() < 0.1:
            octets = octets[: draw.randrange(len(octets) + 1)]
        datagram = Ipv4(origin.address, origin.server, 6, octets)
        origin.split = draw.choice((None, None, 1, 7, 60))
        origin.datagram(datagram)


@pytest.mark.parametrize("run", range(25))
def test_anything(run: int, seed: int) -> None:
    draw = random.Random(f"{seed} {run}")
    with opened(APP) as engine:
        engine.keeps_frames = run % 2 == 1
        for turn in range(20):
            hostile = Hostile(engine, draw, 7000 + turn)
            length = draw.choice((0, 1, 5, 3000))
            asking = Asking(engine, f"/fetch?port={7000 + turn}&timeout=1500&len={length}", port=40000 + turn)
            hostile.hear()
            if draw.random() < 0.8:
                ports = hostile.origin.port, hostile.origin.remote_port
                hostile.origin.segment(Segment(*ports, hostile.snd, hostile.rcv, Flags.S | Flags.A, 3000))
            for _ in range(draw.randrange(30)):
                hostile.hear()
                hostile.say()
                if draw.random() < 0.3:
                    hostile.origin.wait(draw.choice((1, 100, 700)))
                if draw.random() < 0.3:
                    asking.body()
            if draw.random() < 0.2:
                asking.peer.send("R", seq=1 + len(asking.octets))
            else:
                for _ in range(8):
                    asking.body(1000)
                assert asking.body().endswith((b"|failed", b"|ended"))
                asking.peer.send("RA", seq=1 + len(asking.octets), ack=1 + len(asking.got))
        engine.advance(20_000)
        origin = Origin(engine, port=9000)
        asking = Asking(engine, "/fetch?port=9000", port=50000)
        origin.accept()
        origin.expect("PA", seq=1, payload=b"aaaab")
        origin.send("FPA", seq=1, ack=6, payload=b"fine")
        assert asking.body() == b"fine|ended"
