# SPDX-License-Identifier: MIT
"""Requests with a body that wait: for room, or for octets that do not come."""

import pytest

from tests.bodies.support import FORM, OCTETS, posted, told
from tests.harness import Make
from tests.support import parsed
from whit.wire.http import request
from whit_testbed.engine import Engine
from whit_testbed.trace import Peer


def test_a_pipelined_upload_waits_for_room(bodies: Engine) -> None:
    """A body waits while another connection's output fills the buffer. After its acknowledgment the upload is read from
    the beginning."""
    peer, other = Peer(bodies), Peer(bodies, port=40001)
    for one in (peer, other):
        one.handshake()
    page, upload = request("/page.txt"), posted("/upload", b"abc", OCTETS)
    peer.send("PA", seq=1, ack=1, payload=page + upload)
    end = 1 + len(page + upload)
    answer = peer.expect("A", seq=1, ack=end)
    other.send("PA", seq=1, ack=1, payload=request("/long"))
    kept = b"".join(segment.payload for segment in other.take_all())
    assert kept.endswith(b"x" * 350)
    peer.send("A", seq=end, ack=1 + len(answer.payload))
    peer.expect_nothing(1000)
    other.send("A", seq=1 + len(request("/long")), ack=1 + len(kept))
    stream = peer.receive(seq=end, at=1 + len(answer.payload))
    assert parsed(stream).body == told((b"", b"application/octet-stream", b"abc"))
    assert bodies.counters["count_requests"] == 3


@pytest.mark.parametrize("pauses_ms", [(), (14_000,), (100, 7000), (3000, 3000, 3000)])
def test_a_body_has_fifteen_seconds_and_sixteen_ms_for_each_octet(bodies: Engine, pauses_ms: tuple[int, ...]) -> None:
    peer = Peer(bodies)
    peer.handshake()
    octets = posted("/form", b"octet=7&number=1", FORM)
    at = len(octets) - 10
    peer.send("PA", seq=1, ack=1, payload=octets[:at])
    for pause in pauses_ms:
        peer.take_all(within=pause)
        peer.send("PA", seq=1 + at, ack=1, payload=octets[at : at + 1])
        at += 1
    left = 15_000 + 16 * len(pauses_ms) - sum(pauses_ms)
    peer.take_all(within=left // 2)
    peer.send("A", seq=1 + at, ack=1)  # says nothing
    assert bodies.next_ms() > left // 2 - 10  # no handler is slow: none is polled
    peer.expect_nothing(left - left // 2 - 10)
    answer = peer.next_segment(within=20)
    assert answer.payload.startswith(b"HTTP/1.1 408")


def test_a_refused_segment_is_asked_for_when_the_only_other_upload_ends(make: Make) -> None:
    """However often it was looked at before, without avail: by four acknowledgments, of which three are duplicates."""
    engine = make(connections=2, buffer=2048)
    peer, other = Peer(engine), Peer(engine, port=40001)
    octets = posted("/whole", b"x" * 900)
    head = len(octets) - 900
    for one in (peer, other):
        one.handshake()
        one.send("PA", seq=1, ack=1, payload=octets[:head])
        one.take_all()
    other.send("PA", seq=1 + head, ack=1, payload=octets[head : head + 600])
    assert other.take_all()[-1].ack == 1 + head + 600
    peer.send("PA", seq=1 + head, ack=1, payload=octets[head : head + 200])
    told = peer.take_all(within=1000)
    acked = told[-1].ack
    assert acked < 1 + head + 200
    peer.expect_nothing(100)
    other.send("R", seq=1 + head + 600)
    peer.collect()
    again = peer.take_all()
    assert [segment.ack for segment in again] == [acked] * 4


@pytest.mark.parametrize("octets", [posted("/upload", b"a" * 20, OCTETS), posted("/slow", b"a" * 20, OCTETS)])
def test_no_output_is_open_while_a_handler_waits(bodies: Engine, octets: bytes) -> None:
    """Output of a timer is discarded while a handler waits; it does not go into the handler's response."""
    peer = Peer(bodies)
    peer.handshake()
    peer.send("PA", seq=1, ack=1, payload=octets[:-10])
    peer.take_all(within=100)
    assert bodies._lib.whit_out == 0
    peer.send("PA", seq=1 + len(octets) - 10, ack=1, payload=octets[-10:])
    assert parsed(peer.receive(seq=1 + len(octets), at=1)).status == 200
