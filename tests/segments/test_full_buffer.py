# SPDX-License-Identifier: MIT
"""Connections keep working with a full buffer, a FIN in an odd place, or a corrupted segment."""

import pytest

from tests.harness import Make
from tests.support import ask, get, parsed
from whit_testbed.engine import Engine
from whit_testbed.trace import Peer


def open_peer(engine: Engine, port: int = 40000, mss: int = 1460) -> Peer:
    peer = Peer(engine, port=port)
    peer.handshake(mss=mss)
    return peer


@pytest.mark.parametrize("name", ["n31.bin", "n33.bin", "n4000.bin"])
def test_data_behind_the_fin_are_not_taken(engine: Engine, name: str) -> None:
    """A FIN ends the stream: octets behind it neither count nor undo our own FIN."""
    request = get("/" + name)
    end = 1 + len(request)
    peer = open_peer(engine)
    peer.send("PAF", seq=1, ack=1, payload=request)
    segments = [segment for segment in peer.take_all() if segment.payload]
    last = segments[-1].seq + len(segments[-1].payload)
    peer.send("PA", seq=end + 1, ack=1, payload=b"x")
    assert all(segment.ack <= end + 1 for segment in peer.take_all())
    peer.send("A", seq=end + 1, ack=last + 1)
    assert not [segment for segment in peer.take_all(within=5000) if segment.payload]


def test_next_request_with_the_ack_of_a_response_that_fills_the_buffer(make_engine: Make) -> None:
    """The room that the acknowledgment makes is the request's."""
    engine = make_engine(buffer=72)
    peer = open_peer(engine)
    first = second = get("/typed?octet=1&number=2&text=abc")
    ask(peer, first)
    answer = peer.expect("A", seq=1)
    assert parsed(answer.payload).status == 200
    for _ in range(3):  # as often as a client repeats it
        peer.send("PA", seq=1 + len(first), ack=1 + len(answer.payload), payload=second)
        got = b"".join(s.payload for s in peer.take_all(within=1000) if s.seq > 1)
        if got:
            break
    assert got.startswith(b"HTTP/1.1 200"), got


@pytest.mark.parametrize("spare", [0, 4, 8, 12, 16, 100])
def test_pipelined_octets_leave_room_for_an_idempotent_response(engine: Engine, spare: int) -> None:
    """A connection must not block itself, and all others, with pipelined octets."""
    peer = open_peer(engine)
    first = get("/lines?cnt=3")
    ahead = b"GET /n33.bin HTTP/1.1\r\nHost: a\r\nX: "
    ahead += b"y" * (512 - 12 - spare - len(ahead))  # the buffer without the arguments and two blocks' heads
    ask(peer, first + ahead)
    stream, taken = bytearray(), 1
    for _ in range(6):
        for segment in peer.take_all(within=1000):
            taken = segment.ack
            if segment.seq == 1 + len(stream):
                stream += segment.payload
        peer.send("A", seq=taken, ack=1 + len(stream))
    assert parsed(bytes(stream)).status == 200
    other = open_peer(engine, port=40001)
    ask(other, get("/count"))
    got = b"".join(segment.payload for segment in other.take_all(within=1000))
    assert got.startswith(b"HTTP/1.1 200"), got


def test_pipelined_octets_leave_room_for_a_persistent_response(engine: Engine) -> None:
    peer = open_peer(engine)
    first = get("/count")
    ask(peer, first + get("/n33.bin", "X-Filler: " + "y" * 700))
    got = b"".join(segment.payload for segment in peer.take_all())
    assert got.startswith(b"HTTP/1.1 200"), got


def test_reset_wakes_those_who_wait_for_room(make_engine: Make) -> None:
    engine = make_engine(buffer=64)
    holder = open_peer(engine)
    ask(holder, get("/typed?octet=1&number=2&text=abc"))
    assert holder.take_all()
    waiter = open_peer(engine, port=40001)
    request = get("/count")
    ask(waiter, request)
    assert not [segment for segment in waiter.take_all() if segment.payload]
    holder.send("R", seq=1 + len(get("/typed?octet=1&number=2&text=abc")))
    got = b"".join(segment.payload for segment in waiter.take_all(within=3000))
    assert got.startswith(b"HTTP/1.1 200"), got


@pytest.mark.parametrize("spoilt", ["checksum", "acknowledgment"])
def test_a_bad_segment_writes_no_arguments(engine: Engine, spoilt: str) -> None:
    peer = open_peer(engine)
    begin = b"GET /typed?octet=1&number=2&text=abc&"
    ask(peer, begin)
    peer.expect("A", ack=1 + len(begin))
    segment = peer.make("PA", seq=1 + len(begin), ack=1, payload=b"wide=77&half=5")
    if spoilt == "checksum":
        octets = bytearray(segment.pack(peer.address, peer.server))
        octets[17] ^= 1
        peer.ipv4(6, bytes(octets))
    else:
        segment.ack += 100_000
        segment.ack &= 0xFFFFFFFF
        peer.segment(segment)
    peer.take_all()
    ask(peer, b"deep=3 HTTP/1.1\r\nHost: a\r\n\r\n", at=1 + len(begin))
    assert parsed(peer.expect("A").payload).body == b"1 2 [abc] 0 0 3 0 0"


def test_request_repeated_with_a_fin_is_not_another_request(engine: Engine) -> None:
    peer = open_peer(engine)
    request = get("/n33.bin")
    ask(peer, request)
    end = 1 + len(peer.expect("A", seq=1).payload)
    peer.send("PAF", seq=1, ack=end, payload=request)
    segments = peer.take_all()
    assert b"".join(segment.payload for segment in segments) == b""
    assert engine.counters["count_refused"] == 0


def test_empty_lines_before_a_request_wherever_they_are_cut(make_engine: Make) -> None:
    octets = b"\r\n\r\n" + get("/n33.bin")
    answers = set()
    for size in (1, 2, 3, 4, len(octets)):
        peer = open_peer(make_engine())
        for at in range(0, len(octets), size):
            ask(peer, octets[at : at + size], at=1 + at)
        answers.add(b"".join(segment.payload for segment in peer.take_all())[:12])
    assert len(answers) == 1, answers


def test_what_no_frame_can_carry_is_given_up(make_engine: Make) -> None:
    """The response is given up, like any other without acknowledgments."""
    engine = make_engine()
    peer = open_peer(engine)
    engine.limit(0)
    ask(peer, get("/n33.bin"))
    peer.wait(450_000)
    assert engine.counters["count_given_up"] == 1
