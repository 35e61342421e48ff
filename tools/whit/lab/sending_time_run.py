# SPDX-License-Identifier: MIT
"""What sending-time measures: responses of the engine, and of the sender that the papers' equations describe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, inf
from pathlib import Path
from typing import cast

from whit.build import BuildResult, build
from whit.lab.exchange import Exchange, Visitor, link
from whit.lab.served import content, files_application
from whit.model.paper import Setting, segment_cnt
from whit.sim.classic import UNLIMITED, Behaviour, Classic
from whit.sim.engine import Engine
from whit.sim.link import MS, SECOND
from whit.sim.net import Net
from whit.sim.policy import AckPolicy, Options

FIGURE_1 = Setting()  # 100 kB/s, RTT 50 ms, MSS 1460, acknowledgments 200 ms late; as printed: half duplex
HALF, FULL = "half duplex", "full duplex"
DUPLEX = {HALF: FIGURE_1, FULL: replace(FIGURE_1, charge_acks=False)}
IN_FLIGHT = (1, 2, 3, 4, 5, 6, 7, 8, inf)
SEGMENTS = 10  # of the largest content
CHUNK = 4  # octets: segments are as large as the MSS
HEAD = 123  # octets in front of a body, about
WINDOW = 65_535
# Octets of files: of two responses, one begins a segment and one fills it.
SIZES = tuple(1460 * whole + more - HEAD for whole in range(SEGMENTS) for more in (160, 1450))
FEW = (SIZES[4], SIZES[7], SIZES[8], SIZES[-1])  # 3, 4, 5 and 10 segments


@dataclass(frozen=True)
class Point:
    """A response. `st_s`: from its first octet leaving the server to the last acknowledgment there; `arrival_s`: to its
    last octet arriving at the client."""

    octets: int
    st_s: float
    arrival_s: float


Points = Mapping[str, Mapping[float, Sequence[Point]]]
"""By the link's duplex and segments in flight, in the order of octets."""


@dataclass(frozen=True)
class Measured:
    engine: Points
    sender: Points
    """The one that the equations describe."""


def built() -> BuildResult:
    return build(files_application(SIZES), target="inprocess", overrides={"chunk": CHUNK})


def options(in_flight: float) -> Options:
    window = min(WINDOW, FIGURE_1.mss * in_flight)
    return Options(mss=FIGURE_1.mss, window=int(window), ack=AckPolicy.DELAYED, rto_min=200 * MS)


def measure(image: Path, size: int, in_flight: float, duplex: str, seed: int) -> Exchange:
    """The second response of a connection whose client has a window of so many segments."""
    with Engine(image, seed=seed) as engine:
        return _visit(engine, size, options(in_flight), duplex, seed)


def measure_sender(response: bytes, size: int, in_flight: float, duplex: str, seed: int) -> Exchange:
    """The same octets by the sender of the equations."""
    segments = UNLIMITED if in_flight == inf else int(in_flight)
    behaviour = Behaviour(in_flight=segments, mss=FIGURE_1.mss, in_windows=True)
    server = Classic(lambda target: cut(response, in_flight), behaviour)
    return _visit(cast(Engine, server), size, options(inf), duplex, seed)


def cut(octets: bytes, in_flight: float) -> list[bytes]:
    """Windows of whole segments, and what is left in an even number of segments where there may be so many (eq. 7)."""
    mss = FIGURE_1.mss
    whole = 0 if in_flight == inf else len(octets) // (mss * int(in_flight)) * mss * int(in_flight)
    pieces = [octets[at : at + mss] for at in range(0, whole, mss)]
    rest = octets[whole:]
    if rest:
        step = ceil(len(rest) / segment_cnt(FIGURE_1, len(rest), in_flight))
        pieces += [rest[at : at + step] for at in range(0, len(rest), step)]
    return pieces


def _visit(engine: Engine, size: int, client: Options, duplex: str, seed: int) -> Exchange:
    way = link(int(FIGURE_1.bandwidth), round(1000 * FIGURE_1.rtt_s))
    net = Net(engine, up=way, half_duplex=DUPLEX[duplex].charge_acks, seed=seed)
    visitor, target = Visitor(net, client, lambda: 0), f"/{size}.bin"
    visitor.get(target, content(size))
    return visitor.get(target, content(size))


def point(exchange: Exchange) -> Point:
    arrival_us = exchange.whole_us - exchange.first_us
    return Point(len(exchange.response.raw), exchange.served_us / SECOND, arrival_us / SECOND)
