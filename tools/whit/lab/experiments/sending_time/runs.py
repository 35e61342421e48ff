# SPDX-License-Identifier: MIT
"""What sending-time measures: responses of the engine, and of the sender that the papers' equations describe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import ceil, inf
from pathlib import Path
from typing import cast

from whit.image.build import BuildResult, build
from whit.lab.instruments.exchange import Exchange, Visitor, link
from whit.lab.instruments.served import content, files_application
from whit.ladder.steps import Ladder
from whit.ladder.watch import record
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
HALVED = 0.5  # of a segment: two of them are in flight where the client's window has no room for two segments
HALF_MSS = FIGURE_1.mss // 16 * 8  # the engine keeps an MSS in eighths
OF_ENGINE = (HALVED, *IN_FLIGHT)
LONE_MSS = 168  # of whole chunks, and too small for the engine to halve a window of it: one is in flight
SEGMENTS = 10  # of the largest content
SEED = 1
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


Points = Mapping[str, dict[float, Sequence[Point]]]
"""By the link's duplex and segments in flight, in the order of octets."""


@dataclass(frozen=True)
class Measured:
    engine: Points
    sender: Points
    """The one that the equations describe."""


def built() -> BuildResult:
    return build(files_application(SIZES), target="inprocess", overrides={"chunk": CHUNK})


def engine_flight(in_flight: float) -> tuple[float, int]:
    """How many segments of the engine are in flight at most, and of how many octets."""
    if in_flight == HALVED:
        return 2, HALF_MSS
    return in_flight, LONE_MSS if in_flight == 1 else FIGURE_1.mss


def options(in_flight: float) -> Options:
    """A window of so many segments and 1/256 more, as the engine keeps it exact to that; of halves, of them alone, else
    a last segment of few octets finds room beside them."""
    number, mss = engine_flight(in_flight)
    if in_flight == HALVED:
        mss, window = FIGURE_1.mss, 2 * HALF_MSS
    else:
        window = WINDOW if in_flight == inf else ceil(mss * number * 257 / 256)
    return Options(mss=mss, window=window, ack=AckPolicy.DELAYED, rto_min=200 * MS)


def measure(image: Path, size: int, in_flight: float, duplex: str, seed: int) -> Exchange:
    """The second response of a connection with so many segments in flight, by its client's window."""
    with Engine(image, seed=seed) as engine:
        return _visitor(engine, size, options(in_flight), duplex, seed).get(_target(size), content(size))


def measure_sender(response: bytes, size: int, in_flight: float, duplex: str, seed: int) -> Exchange:
    """The same octets by the sender of the equations."""
    server = cast(Engine, _sender(response, in_flight))
    return _visitor(server, size, options(inf), duplex, seed).get(_target(size), content(size))


def _sender(response: bytes, in_flight: float) -> Classic:
    segments = UNLIMITED if in_flight == inf else int(in_flight)
    behaviour = Behaviour(in_flight=segments, mss=FIGURE_1.mss, in_windows=True)
    return Classic(lambda target: cut(response, in_flight), behaviour)


def ladders(result: BuildResult, in_flight: int, size: int, seed: int) -> list[Ladder]:
    """What passes with so many in flight: the engine, and the sender of the equations."""
    response = measure(result.image, size, in_flight, HALF, seed).response.raw
    sender = cast(Engine, _sender(response, in_flight))
    found = []
    with Engine(result.image, seed=seed) as engine:
        for server, window, who in ((engine, in_flight, "the engine"), (sender, inf, "the sender of the equations")):
            visitor = _visitor(server, size, options(window), HALF, seed)
            title = f"{len(response)} octets, {in_flight} in flight: {who}"
            get = partial(visitor.get, _target(size), content(size))
            found.append(record(visitor.net, title, get, application=result.application))
    return found


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


def _visitor(engine: Engine, size: int, client: Options, duplex: str, seed: int) -> Visitor:
    """On a connection that has had one response."""
    way = link(int(FIGURE_1.bandwidth), round(1000 * FIGURE_1.rtt_s))
    net = Net(engine, up=way, half_duplex=DUPLEX[duplex].charge_acks, seed=seed)
    visitor = Visitor(net, client, lambda: 0)
    visitor.get(_target(size), content(size))
    return visitor


def _target(size: int) -> str:
    return f"/{size}.bin"


def point(exchange: Exchange) -> Point:
    arrival_us = exchange.whole_us - exchange.first_us
    return Point(len(exchange.response.raw), exchange.served_us / SECOND, arrival_us / SECOND)
