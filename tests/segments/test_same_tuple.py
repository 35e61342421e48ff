# SPDX-License-Identifier: MIT
"""Connections of other ports go idle or close between the SYN and the first request of a connection."""

from collections.abc import Iterator

from tests.harness import Make
from tests.support import get
from whit.wire.packet import Ethernet, Flags, Ipv4, Segment
from whit_testbed.trace import Raw

PORTS = range(20_000, 24_000)
REQUEST = get("/n33.bin", "Connection: close")


def received(raw: Raw) -> Iterator[Segment]:
    while raw.queue:
        _, frame = raw.queue.popleft()
        datagram = Ipv4.parse(Ethernet.parse(frame).payload)
        yield Segment.parse(datagram.payload, datagram.src, datagram.dst)


def resets(raw: Raw) -> int:
    """4 000 connections open at once, then each asks once and closes: how many are answered by a RST."""
    cookies, cnt = {}, 0
    for port in PORTS:
        raw.segment(Segment(port, 80, 1000, 0, Flags.S, mss=1460))
    for answer in received(raw):
        cookies[answer.dport] = answer.seq + 1
    assert len(cookies) == len(PORTS)
    for port, seq in cookies.items():
        raw.segment(Segment(port, 80, 1001, seq, Flags.A | Flags.P, payload=REQUEST))
        for answer in received(raw):
            if answer.flags & Flags.R:
                cnt += 1
            elif answer.seq_len:
                at = 1001 + len(REQUEST)
                raw.segment(Segment(port, 80, at, answer.seq + answer.seq_len, Flags.A | Flags.F))
    return cnt


def test_first_requests_are_answered_on_a_fast_machine(make_engine: Make) -> None:
    """Tags of a fast machine tell peers apart by 32 bits. With 16, as on a device, one request in some thousands
    matches another's tag."""
    assert resets(Raw(make_engine(heads="code", idle=64))) == 0
    assert 0 < resets(Raw(make_engine(heads="octets", idle=64))) < 12
