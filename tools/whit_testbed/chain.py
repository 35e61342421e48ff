# SPDX-License-Identifier: MIT
"""Hops between a server and its hosts. Each stores a frame and forwards it, with its own loss and delay."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from whit_testbed.link import Impairment, Link
from whit_testbed.net import Net


@dataclass(frozen=True)
class Chain:
    """The added hops, in the order in which a frame passes them. The net's own link is the first, each way."""

    up: tuple[Link, ...]
    down: tuple[Link, ...]

    @property
    def lost_cnt(self) -> int:
        return sum(link.lost_cnt for link in (*self.up, *self.down))


def lengthen(net: Net, hop_cnt: int, impairment: Impairment, seed: int = 0) -> Chain:
    """Puts `hop_cnt` hops behind the net's link, each way."""
    rng = random.Random(seed)

    def behind(link: Link) -> tuple[Link, ...]:
        deliver, hops = link.deliver, []
        for _ in range(hop_cnt):
            hop = Link(net.loop, deliver, impairment, rng=random.Random(rng.getrandbits(32)), wire_len=link.wire_len)
            link.deliver = _forward(hop)
            link = hop
            hops.append(hop)
        return tuple(hops)

    return Chain(behind(net.up), behind(net.down))


def _forward(hop: Link) -> Callable[[bytes, int], None]:
    return lambda frame, begun_us: hop.send(frame)
