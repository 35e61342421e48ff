# SPDX-License-Identifier: MIT
"""The simulator's own TCP client against a server of the same class: it must be right before it judges others."""

import random
from functools import partial

import pytest

from whit.model.policy import AckPolicy, Options
from whit.wire.packet import Flags, Segment
from whit.wire.units import MS, SECOND
from whit_testbed.client import Connection, State
from whit_testbed.link import Deadlock, Impairment, Link, Loop, Medium
from whit_testbed.reassembly import Reassembly, Splice

A, B = b"\x0a\0\0\2", b"\x0a\0\0\1"


def note_time(loop: Loop, times: list[int], segment: Segment) -> None:
    times.append(loop.now_us)


class Pair:
    """A client and a passive server that answers with `content` and closes, as soon as it got a line."""

    def __init__(self, content: bytes, impairment: Impairment, seed: int, options: Options) -> None:
        self.loop = Loop()
        rng = random.Random(seed)
        self.up = Link(self.loop, self._to_server, impairment, rng=rng)
        self.down = Link(self.loop, self._to_client, impairment, rng=rng)
        self.content = content
        self.client = Connection(self.loop, lambda s: self.up.send(s.pack(A, B)), (5000, 80), seed * 77777, options)
        self.server = Connection(self.loop, lambda s: self.down.send(s.pack(B, A)), (80, 5000), seed * 99991)
        self.server.on_data = self._asked

    def _to_server(self, octets: bytes, begun_us: int) -> None:
        segment = parse(octets, A, B)
        if segment is None:
            return
        if segment.flags & Flags.S:
            self.server.irs = segment.seq
            self.server._peer_mss = segment.mss or 536
            self.server._wnd = segment.wnd
            self.server._cwnd = 10 * self.server._peer_mss
            self.server.state = State.OPEN
            self.server._emit(Flags.S | Flags.A, 0, mss=1460)
        else:
            self.server.segment_in(segment, begun_us)

    def _to_client(self, octets: bytes, begun_us: int) -> None:
        segment = parse(octets, B, A)
        if segment:
            self.client.segment_in(segment, begun_us)

    def _asked(self) -> None:
        if self.server.received.endswith(b"\n") and not self.server._fin:
            self.server.send(self.content)
            self.server.close()


def parse(octets: bytes, src: bytes, dst: bytes) -> Segment | None:
    try:
        return Segment.parse(octets, src, dst)
    except Exception:
        return None


HARM = Impairment(delay_us=20 * MS, loss=0.1, duplicate=0.1, reorder=0.1, corrupt=0.1)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("policy", AckPolicy)
def test_stream_survives(seed: int, policy: AckPolicy) -> None:
    content = random.Random(seed).randbytes(20_000)
    pair = Pair(content, HARM if seed else Impairment(), seed, Options(mss=[88, 200, 536, 1460][seed % 4], ack=policy))
    pair.client.open()
    pair.client.send(b"x" * 3000 + b"\n")
    pair.loop.run(lambda: pair.client.peer_closed, for_us=3600 * SECOND)
    pair.client.close()
    pair.loop.run(lambda: pair.client.finished, for_us=3600 * SECOND)
    assert pair.client.received == content


def test_closed_window_opens_again() -> None:
    content = bytes(range(256)) * 100
    pair = Pair(content, Impairment(delay_us=5 * MS), 3, Options(window=4000))
    pair.client.open()
    pair.client.pause()
    pair.client.send(b"\n")
    pair.loop.run(for_us=30 * SECOND)
    assert len(pair.client.received) == 4000
    pair.client.resume()
    pair.loop.run(lambda: pair.client.peer_closed)
    assert pair.client.received == content


def test_delayed_ack_waits_200_ms_from_the_first_octet_on_xp() -> None:
    acks = {}
    for policy in (AckPolicy.DELAYED, AckPolicy.XP):
        loop = Loop(0)
        times: list[int] = []
        client = Connection(loop, partial(note_time, loop, times), (1, 2), 0, Options(ack=policy))
        client.open()
        client.segment_in(Segment(2, 1, 500, 1, Flags.S | Flags.A), 0)
        times.clear()
        loop.run(for_us=1000 * MS)
        client.segment_in(Segment(2, 1, 501, 1, Flags.A, payload=b"lone"), begun_us=900 * MS)
        loop.run(for_us=SECOND)
        acks[policy] = times
    assert acks[AckPolicy.DELAYED] == [1200 * MS]
    assert acks[AckPolicy.XP] == [1100 * MS]


def test_changed_octets_are_a_splice() -> None:
    for order in ([(0, b"abcd"), (2, b"cX")], [(4, b"efgh"), (2, b"cdeX")], [(0, b"ab"), (4, b"ef"), (3, b"dX")]):
        reassembly = Reassembly()
        with pytest.raises(Splice):
            for position, octets in order:
                reassembly.add(position, octets)


def test_link_rate_half_duplex_and_outage() -> None:
    loop = Loop(0)
    seen: list[tuple[int, int]] = []
    medium = Medium()
    link = Link(
        loop, lambda frame, begun: seen.append((begun, loop.now_us)), Impairment(delay_us=10, rate=1000), medium=medium
    )
    back = Link(
        loop, lambda frame, begun: seen.append((begun, loop.now_us)), Impairment(rate=1000, overhead=1), medium=medium
    )
    link.send(bytes(100))
    back.send(bytes(9))
    loop.run(for_us=SECOND)
    assert seen == [(10, 100_010), (100_000, 110_000)] or seen == [(10, 100_010), (100_000, 110_000)][::-1]
    dead = Link(loop, lambda frame, begun: seen.append((begun, 0)), Impairment(outage=(60 * SECOND, 10 * SECOND)))
    loop.run(for_us=54 * SECOND)
    dead.send(b"lost")
    assert dead.lost_cnt == 1
    with pytest.raises(Deadlock):
        loop.run(lambda: False, for_us=SECOND)


@pytest.mark.parametrize(("probes", "expected_ms"), [(False, [0, 1000, 3000]), (True, [0, 280, 1280, 3280])])
def test_a_lost_segment_is_probed_for_once(probes: bool, expected_ms: list[int]) -> None:
    """RFC 8985 section 7: after two round trips and the time of a delayed acknowledgment, then RFC 6298's timer."""
    pair = Pair(b"", Impairment(delay_us=20 * MS), 1, Options(tail_probe=probes))
    pair.client.open()
    pair.loop.run(lambda: pair.client.state is State.OPEN)
    pair.client._sack = True
    begun_us, sent_us = pair.loop.now_us, list[int]()
    pair.client._send_segment = partial(note_time, pair.loop, sent_us)
    pair.client.send(b"GET\n")
    pair.loop.run(for_us=5 * SECOND)
    assert [(time_us - begun_us) // MS for time_us in sent_us] == expected_ms
