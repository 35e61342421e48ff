# SPDX-License-Identifier: MIT
"""Repeats a real client's requests by the client in virtual time: equal byte for byte, on the same link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from whit.errors import WhitError
from whit.model.policy import AckPolicy, Options
from whit.wire.packet import ip
from whit.wire.units import MS, SECOND
from whit_lab.real.relay import CLIENT, SERVER, Seen, Wire
from whit_testbed.browser import Browser, Item
from whit_testbed.client import State
from whit_testbed.engine import Engine, Identity
from whit_testbed.net import Net

KERNEL_WINDOW = 64240  # bytes that Linux announces first, out of 128 KB for a connection


def kernel_options(mss: int = 1460, ack: AckPolicy = AckPolicy.LINUX, window: int = KERNEL_WINDOW) -> Options:
    """Returns options that match the kernel of a client's namespace."""
    return Options(mss=mss, window=window, ack=ack, rto_min=200 * MS)


def requests(seen: Seen) -> list[bytes]:
    """Returns the client's requests, one per segment, in the order of their first arrival."""
    said: dict[tuple[int, int], bytes] = {}
    for _, segment in seen.segments(up=True):
        if segment.payload:
            said.setdefault((segment.sport, segment.seq), segment.payload)
    return list(said.values())


def by_target(asked: Sequence[bytes]) -> dict[str, bytes]:
    """Returns the first request for each path."""
    found: dict[str, bytes] = {}
    for request in asked:
        found.setdefault(urlsplit(request.split(b" ", 2)[1].decode("latin-1")).path, request)
    return found


def engine(image: Path, seed: int = 1) -> Engine:
    """Returns the in-process image over SLIP, at the address of real servers."""
    return Engine(image, link="slip", identity=Identity(address=ip(SERVER)), seed=seed)


def _net(served: Engine, wire: Wire) -> Net:
    return Net(served, up=wire.up, down=wire.down, half_duplex=wire.half_duplex, seed=wire.seed)


def exchanges(
    image: Path, wire: Wire, options: Options, asked: Sequence[bytes], *, handshake: bool = True
) -> list[float]:
    """Returns seconds of each request on one connection, to the last byte of its response; the first with the
    handshake."""
    with engine(image) as served:
        net = _net(served, wire)
        begin_us = net.loop.now_us
        client = net.host(CLIENT).client(options)
        if not handshake:
            net.loop.run(lambda: client.connection.state is State.OPEN)
            begin_us = net.loop.now_us
        times = []
        for request in asked:
            client.send(request, "GET")
            net.run(client, for_s=600)
            if not client.responses or client.responses[-1].status != 200:
                raise WhitError(f"lab: {request[:60]!r}: no answer in virtual time", 1)
            times.append((net.loop.now_us - begin_us) / SECOND)
            begin_us = net.loop.now_us
        return times


def page(
    image: Path, wire: Wire, options: Options, items: Sequence[Item], asked: Mapping[str, bytes], connections: int
) -> dict[str, float]:
    """Returns the time at which each part was loaded, in seconds since the first SYN."""
    with engine(image) as served:
        net = _net(served, wire)
        browser = Browser(
            net.host(CLIENT),
            net.loop,
            items,
            lambda target, known: asked[target],
            options=options,
            connection_max=connections,
        )
        browser.load()
        return {target: time_us / SECOND for target, time_us in browser.times_us.items()}
