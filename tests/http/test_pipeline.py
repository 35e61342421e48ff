# SPDX-License-Identifier: MIT
"""Pipelined requests to an engine whose driver keeps frames. A frame without room is offered again with its old
acknowledgment number: the segments that made room have been acknowledged since. The client never has to retransmit it.
"""

import os
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.harness import Make, maker_of, opened
from tests.support import MADE_FILES, get, noise
from whit.model.policy import AckPolicy, Options
from whit.wire.packet import Ethernet, Ipv4, Segment
from whit.wire.units import MS
from whit_testbed.engine import Engine
from whit_testbed.http import Client
from whit_testbed.link import Impairment
from whit_testbed.net import Net

pytestmark = pytest.mark.skipif(os.environ.get("WHIT_TARGET", "inprocess") != "inprocess", reason="has no driver")

DEPTH = 30
RTO = 200 * MS  # of Linux
NAMES = ("n33.bin", "n752.bin", "n1.bin", "n4000.bin")


@pytest.mark.parametrize("connections", [1, 2, 3, 4])
@pytest.mark.parametrize("buffer", [64, 512])
@pytest.mark.parametrize("segment", [1460, 536, 97])
def test_pipelined_requests_are_answered_before_the_client_repeats_them(
    make_engine: Make, connections: int, buffer: int, segment: int
) -> None:
    """buffer 64: no input is kept, so that the connection has become a tag when the frame is offered again."""
    engine = make_engine(connections=connections, buffer=buffer)
    engine.keeps_frames = True
    net = Net(engine)
    cnt = 1 if connections == 1 and segment < 1460 else 2  # that the driver keeps all of
    clients = [net.host(f"10.0.0.{2 + i}").client(Options(rto_min=RTO, segment=segment)) for i in range(cnt)]
    begun_us = net.loop.now_us
    for client in clients:
        client.send(b"".join(get("/" + NAMES[i % 4]) for i in range(DEPTH)), *["GET"] * DEPTH)
    net.run(*clients, for_s=120)
    for client in clients:
        bodies = [response.body for response in client.responses]
        assert bodies == [MADE_FILES[NAMES[i % 4]] for i in range(DEPTH)]
    assert net.loop.now_us - begun_us < RTO


LENGTHS = (1, 3000, 30_000, 65_535, 65_536, 200_000)


SIZED = {f"{length}.bin": noise(length) for length in LENGTHS} | {"index.html": b"<!doctype html>"}


def sized(app: Path, **settings: object) -> Engine:
    """Starts an engine with plain files of all lengths, as `./whit run DIRECTORY` serves them."""
    return opened(app, keeps_frames=not settings.get("drops"), **settings)


make_sized = maker_of(SIZED, start=sized)


def answered(net: Net, client: Client, lengths: Sequence[int]) -> int:
    """Asks for them in one write. The longest time in which nothing came, in µs."""
    longest, last = 0, net.loop.now_us
    data = client.connection.on_data

    def came() -> None:
        nonlocal longest, last
        longest, last = max(longest, net.loop.now_us - last), net.loop.now_us
        if data:
            data()

    client.connection.on_data = came
    client.send(b"".join(get(f"/{length}.bin") for length in lengths), *["GET"] * len(lengths))
    net.run(client, for_s=600)
    assert [response.status for response in client.responses] == [200] * len(lengths)
    for response, length in zip(client.responses, lengths, strict=True):
        assert response.body == noise(length)
    return longest


@pytest.mark.parametrize("kept", [{}, {"buffer": 512}, {"buffer": 512, "pipelining": False}], ids=str)
@pytest.mark.parametrize(
    ("length", "cnt"), [(1, 200), (3000, 200), (30_000, 200), (65_535, 40), (65_536, 40), (200_000, 20)]
)
def test_the_client_never_has_to_repeat_a_request(
    make_sized: Make, length: int, cnt: int, kept: dict[str, object]
) -> None:
    """Three answers of 30 kB were followed by a reset, 14 of 57 kB by silence. 200 exceed the window."""
    net = Net(make_sized(**kept))
    assert answered(net, net.host().client(Options(rto_min=RTO)), [length] * cnt) < 20 * MS


WRAP = 1 << 32


def near_the_end_of_numbers(net: Net, left: int) -> Client:
    """A connection on which both ends begin less than `left` octets before their numbers begin anew."""
    for port in range(1025, 65536):
        client = net.host().client(Options(rto_min=RTO), port=port, iss=WRAP - 2500)
        client.wait(lambda connection: connection.opened_us is not None)
        if WRAP - client.connection.irs < left:
            return client
        client.connection.abort()
    raise AssertionError("no port has such numbers")


@pytest.mark.parametrize("kept", [{}, {"buffer": 512}], ids=str)
def test_numbers_that_begin_anew(make_sized: Make, kept: dict[str, object]) -> None:
    """The sequence numbers wrap, and pass over a hundred multiples of 65 536."""
    net = Net(make_sized(idle=32, **kept))
    client = near_the_end_of_numbers(net, 4_000_000)
    lengths = random.Random(4).choices((1, 30_000, 65_535, 65_536, 200_000), k=120)
    assert sum(lengths) > 7_000_000
    assert answered(net, client, lengths) < 20 * MS


@pytest.mark.parametrize("kept", [{}, {"buffer": 512}, {"pipelining": False, "buffer": 512}], ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_a_lossy_line(make_sized: Make, seed: int, kept: dict[str, object]) -> None:
    """Frames are lost, doubled and late both ways: each answer is right, and in its place."""
    lossy = Impairment(delay_us=MS, loss=0.03, duplicate=0.03, reorder=0.05, reorder_us=3 * MS)
    net = Net(make_sized(seed=seed, **kept), up=lossy, seed=seed)
    lengths = random.Random(seed).choices((1, 3000, 30_000, 65_535, 65_536), k=60)
    answered(net, net.host().client(Options(rto_min=RTO, sack=seed % 2 == 0)), lengths)


LINUX = Options(window=64240, ack=AckPolicy.LINUX, rto_min=RTO, sack=True, tail_probe=True, scoreboard=True)


def segments_of(frame: bytes) -> Iterator[Segment]:
    """Yields the frame's TCP segment, unless it is ARP."""
    if frame[12:14] == b"\x08\x00":
        datagram = Ipv4.parse(Ethernet.parse(frame).payload)
        yield Segment.parse(datagram.payload, datagram.src, datagram.dst)


def data_of(frame: bytes) -> bytes:
    return b"".join(segment.payload for segment in segments_of(frame))


def acknowledged(frame: bytes) -> Iterator[int]:
    return (segment.ack for segment in segments_of(frame))


@pytest.mark.parametrize("kept", [{}, {"buffer": 512}], ids=str)
@pytest.mark.parametrize("lost", range(5))
@pytest.mark.parametrize(("length", "cnt"), [(3000, 160), (65_535, 50)])
def test_a_lost_segment_of_requests_is_repeated_at_once(
    make_sized: Make, length: int, cnt: int, lost: int, kept: dict[str, object]
) -> None:
    """The lost segment is retransmitted at once, not by the client's timer, which had measured the earlier
    responses."""
    net = Net(make_sized(**kept), up=Impairment(delay_us=5 * MS))
    segments = iter(range(1000))
    net.up.drop = lambda frame: data_of(frame) != b"" and next(segments) == lost
    acks: list[int] = []
    net.down.tap = lambda _, frame: acks.extend(acknowledged(frame))
    assert answered(net, net.host().client(LINUX), [length] * cnt) < RTO // 2
    assert acks == sorted(acks), "a BSD takes the window of an older one, and sends beyond ours"


@pytest.mark.parametrize(("loss", "most_ms"), [(0.02, 500), (0.05, 2000)])
@pytest.mark.parametrize(("length", "cnt"), [(3000, 160), (65_535, 50)])
def test_pipelined_requests_on_a_lossy_line(make_sized: Make, length: int, cnt: int, loss: float, most_ms: int) -> None:
    """PLACEHOLDER."""
    longest = []
    for seed in range(8):
        net = Net(make_sized(seed=seed, buffer=512), up=Impairment(delay_us=5 * MS, loss=loss), seed=seed)
        client = net.host().client(LINUX)
        client.wait(lambda connection: connection.opened_us is not None)
        longest.append(answered(net, client, [length] * cnt) // MS)
    assert max(longest) < most_ms, longest


@pytest.mark.parametrize("kept", [{}, {"buffer": 512}], ids=str)
def test_responses_that_take_long(make_sized: Make, kept: dict[str, object]) -> None:
    """Each response takes 7 s, a segment 150 ms. Three faults are covered: the driver dropped kept frames after 10 s,
    the client's timer grew to a minute, and half a request got 408."""
    net = Net(make_sized(**kept), up=Impairment(delay_us=MS), down=Impairment(delay_us=MS, rate=10_000))
    assert answered(net, net.host().client(Options(rto_min=RTO)), [65_536] * 45) < 300 * MS
