# SPDX-License-Identifier: MIT
"""Closing: half-close, FIN in every state, simultaneous close, RST (RFC 9293 sections 3.6 and 3.10.7)."""

from pathlib import Path

import pytest

from tests.harness import Make, opened
from tests.segments.test_retransmit import begin, drain
from tests.support import BIG, MADE_FILES, ask, get, parsed, served
from whit.wire.packet import Flags
from whit_testbed.engine import Engine
from whit_testbed.trace import Peer

REQUEST = get("/n33.bin")
AT = 1 + len(REQUEST)
CLOSING = get("/n33.bin", "Connection: close")
CLOSING_AT = 1 + len(CLOSING)


def idle(engine: Engine) -> tuple[Peer, int]:
    """An idle kept-alive connection; returns the engine's next octet as well."""
    peer = Peer(engine)
    peer.handshake()
    ask(peer, REQUEST)
    end = 1 + len(peer.expect("A", ack=AT).payload)
    peer.send("A", seq=AT, ack=end)
    peer.expect_nothing()
    return peer, end


def test_connection_close(engine: Engine) -> None:
    peer = Peer(engine)
    peer.handshake()
    ask(peer, CLOSING)
    answer = peer.expect("FA", seq=1, ack=CLOSING_AT)
    end = 2 + len(answer.payload)
    peer.send("A", seq=CLOSING_AT, ack=end)
    peer.expect_nothing()
    peer.send("FA", seq=CLOSING_AT, ack=end)
    peer.expect("A", seq=end, ack=CLOSING_AT + 1, length=0)
    peer.send("FA", seq=CLOSING_AT, ack=end)  # ours was lost: TIME-WAIT answers again
    peer.expect("A", seq=end, ack=CLOSING_AT + 1, length=0)
    peer.expect_nothing(60_000)


@pytest.mark.parametrize("heads", ["octets", "code"])
def test_a_reset_tells_no_window(application: Path, heads: str) -> None:
    """A RST has window 0: for an unknown acknowledgment, a closed port, and a connection with an unfinished
    response.
    """
    with opened(application, heads=heads) as engine:
        stranger, closed = Peer(engine), Peer(engine, remote_port=81)
        stranger.send("A", seq=1, ack=5)
        stranger.expect("R", seq=5, wnd=0)
        closed.send("S", mss=1460)
        closed.expect("RA", seq=0, ack=1, wnd=0)
        peer = Peer(engine, port=40001)
        peer.handshake()
        ask(peer, get("/n57254.bin"))
        peer.take_all()
        peer.send("RA", seq=1 + len(get("/n57254.bin")), ack=1)
        peer.send("A", seq=1 + len(get("/n57254.bin")), ack=1)
        peer.expect("R", seq=1, wnd=0)


def test_fin_comes_with_the_last_octets_of_a_long_response(engine: Engine) -> None:
    peer = Peer(engine)
    peer.handshake()
    octets = get("/n57254.bin", "Connection: close")
    ask(peer, octets)
    stream, fins = bytearray(), []
    while segments := peer.take_all():
        for segment in segments:
            stream += segment.payload
            if segment.flags & Flags.F:
                fins.append(segment.seq + len(segment.payload))
            peer.send("A", seq=1 + len(octets), ack=1 + len(stream) + len(fins))
    assert fins == [1 + len(stream)]
    assert parsed(bytes(stream)).body == BIG


def test_lost_fin_is_sent_again_and_given_up(engine: Engine) -> None:
    peer = Peer(engine)
    peer.handshake()
    ask(peer, CLOSING)
    answer = peer.expect("FA", seq=1)
    peer.send("A", seq=CLOSING_AT, ack=1 + len(answer.payload))
    times, last = [], None
    for _ in range(40):
        peer.wait(10_000)
        while peer.queue:
            times.append(peer.queue[0][0])
            last = peer.next_segment()
            if not last.flags & Flags.R:
                assert last.flags & Flags.F
    assert len(times) >= 6
    assert times[-1] - times[0] >= 90_000
    peer.expect_nothing(200_000)
    served(peer)


@pytest.mark.parametrize("apart", [False, True])
def test_half_close_behind_the_request(engine: Engine, apart: bool) -> None:
    """CLOSE-WAIT sends: the whole response, then our FIN."""
    peer = Peer(engine)
    peer.handshake()
    octets = get("/n57254.bin")
    end = 2 + len(octets)
    if apart:
        ask(peer, octets)
        peer.send("FA", seq=end - 1, ack=1)
    else:
        peer.send("FPA", seq=1, ack=1, payload=octets)
    first = peer.take_all()
    assert max(segment.ack for segment in first) == end
    stream, fin = bytearray(), False
    segments = first
    while segments:
        for segment in segments:
            if segment.seq == 1 + len(stream):
                stream += segment.payload
                fin = fin or bool(segment.flags & Flags.F)
        peer.send("A", seq=end, ack=1 + len(stream) + fin)
        segments = peer.take_all()
    assert fin
    assert parsed(bytes(stream)).body == BIG
    peer.expect_nothing(60_000)
    served(peer)


def test_fin_behind_two_pipelined_requests(engine: Engine) -> None:
    peer = Peer(engine)
    peer.handshake()
    octets = REQUEST + get("/n31.bin")
    peer.send("FPA", seq=1, ack=1, payload=octets)
    stream, acked, fin = bytearray(), 1, False
    for _ in range(8):
        for segment in peer.take_all():
            acked = max(acked, segment.ack)
            if segment.seq == 1 + len(stream):
                stream += segment.payload
                fin = fin or bool(segment.flags & Flags.F)
        if fin:
            break
        if acked < 2 + len(octets):
            peer.send("FPA", seq=acked, ack=1 + len(stream), payload=octets[acked - 1 :])
        else:
            peer.send("A", seq=2 + len(octets), ack=1 + len(stream))
    first = parsed(bytes(stream))
    assert first.body == MADE_FILES["n33.bin"]
    assert parsed(bytes(stream[len(first.raw) :])).body == MADE_FILES["n31.bin"]


def test_fin_on_an_idle_connection(engine: Engine) -> None:
    peer, end = idle(engine)
    peer.send("FA", seq=AT, ack=end)
    peer.expect("FA", seq=end, ack=AT + 1, length=0)
    peer.send("FA", seq=AT, ack=end)  # the answer was lost
    peer.expect("FA", seq=end, ack=AT + 1, length=0)
    peer.send("A", seq=AT + 1, ack=end + 1)
    peer.expect_nothing(60_000)


def test_fin_before_any_request(engine: Engine) -> None:
    peer = Peer(engine)
    peer.handshake()
    peer.send("FA", seq=1, ack=1)
    peer.expect("FA", seq=1, ack=2, length=0)
    peer.send("FA", seq=1, ack=1)
    peer.expect("FA", seq=1, ack=2, length=0)
    peer.send("A", seq=2, ack=2)
    peer.expect_nothing(60_000)


@pytest.mark.parametrize("length", [1, 10, 20, len(REQUEST) - 1])
@pytest.mark.parametrize("apart", [False, True])
def test_fin_in_a_request(engine: Engine, length: int, apart: bool) -> None:
    """A request cut by FIN is never answered as if it were complete (RFC 9112 section 8)."""
    peer = Peer(engine)
    peer.handshake()
    if apart:
        ask(peer, REQUEST[:length])
        peer.expect("A", ack=1 + length)
        peer.send("FA", seq=1 + length, ack=1)
    else:
        peer.send("FPA", seq=1, ack=1, payload=REQUEST[:length])
    answer = peer.take_all()
    assert answer[-1].ack == 2 + length
    stream = b"".join(segment.payload for segment in answer)
    assert b" 200 " not in stream
    assert answer[-1].flags & Flags.F
    peer.send("A", seq=2 + length, ack=2 + len(stream))
    peer.expect_nothing(60_000)
    served(peer)


def test_fin_ahead_of_a_gap(engine: Engine) -> None:
    peer = Peer(engine)
    peer.handshake()
    ask(peer, REQUEST[:10])
    peer.expect("A", ack=11)
    peer.send("FA", seq=AT, ack=1)
    peer.expect("A", seq=1, ack=11, length=0)
    ask(peer, REQUEST[10:], at=11)
    answer = peer.expect("A", seq=1, ack=AT)
    assert parsed(answer.payload).status == 200
    peer.send("FA", seq=AT, ack=1 + len(answer.payload))
    assert peer.take_all()[-1].ack == AT + 1


def test_fin_ahead_of_a_gap_in_a_response(engine: Engine) -> None:
    peer, first = begin(engine)
    at = 1 + len(get("/n57254.bin"))
    peer.send("FA", seq=at + 100, ack=1)
    assert all(segment.ack == at for segment in peer.take_all())
    stream = bytearray(b"".join(segment.payload for segment in first))
    peer.send("A", seq=at, ack=1 + len(stream))
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


def test_simultaneous_close(engine: Engine) -> None:
    """Both FINs cross: CLOSING (RFC 9293 section 3.6, figure 13)."""
    peer = Peer(engine)
    peer.handshake()
    ask(peer, CLOSING)
    answer = peer.expect("FA", seq=1)
    end = 1 + len(answer.payload)
    peer.send("FA", seq=CLOSING_AT, ack=end)  # does not acknowledge the FIN
    segment = peer.expect("A", ack=CLOSING_AT + 1, length=0)
    assert segment.seq in (end, end + 1)
    peer.send("A", seq=CLOSING_AT + 1, ack=end + 1)
    peer.expect_nothing(60_000)
    served(peer)


def test_close_in_the_middle_of_a_response(engine: Engine) -> None:
    peer, first = begin(engine)
    at = 1 + len(get("/n57254.bin"))
    peer.send("FA", seq=at, ack=1)
    assert max(segment.ack for segment in peer.take_all()) == at + 1
    stream = bytearray(b"".join(segment.payload for segment in first))
    peer.send("A", seq=at + 1, ack=1 + len(stream))
    drain(peer, stream, at=at + 1)
    assert parsed(bytes(stream)).body == BIG


def test_data_behind_our_fin_are_reset(engine: Engine) -> None:
    """Data that no handler reads get a RST: RFC 9293 section 3.6.1, RFC 2525 section 2.17."""
    peer = Peer(engine)
    peer.handshake()
    ask(peer, CLOSING)
    end = 2 + len(peer.expect("FA", seq=1).payload)
    peer.send("A", seq=CLOSING_AT, ack=end)
    peer.send("PA", seq=CLOSING_AT, ack=end, payload=get("/count"))
    assert all(not segment.payload for segment in peer.take_all())
    assert engine.persistent_writes == 0


def test_error_response_reaches_the_client_though_more_data_come(engine: Engine) -> None:
    """A RST would destroy the answer: octets before the acknowledgment of our FIN are read and dropped."""
    peer = Peer(engine)
    peer.handshake()
    bad = b"GET / HTTP/1.1\r\nNa me: x\r\n" + b"y" * 200
    ask(peer, bad)
    answer = peer.expect("FA", seq=1, ack=1 + len(bad))
    assert parsed(answer.payload).status == 400
    for i in range(5):
        ask(peer, b"z" * 100, at=1 + len(bad) + 100 * i)
        peer.expect("A", ack=1 + len(bad) + 100 * (i + 1), length=0)
    at = 1 + len(bad) + 500
    peer.send("FA", seq=at, ack=2 + len(answer.payload))
    peer.expect("A", ack=at + 1, length=0)
    served(peer)


def test_data_after_a_reset(engine: Engine) -> None:
    peer = Peer(engine)
    peer.handshake()
    ask(peer, REQUEST)
    end = 1 + len(peer.expect("A").payload)
    peer.send("R", seq=AT)
    peer.send("PA", seq=AT, ack=end, payload=REQUEST)
    peer.expect("R", seq=end, length=0)


def test_rest_of_a_request_after_a_reset(engine: Engine) -> None:
    """The connection is unknown: its segments are refused or dropped, and never served."""
    peer = Peer(engine)
    peer.handshake()
    octets = get("/count")
    ask(peer, octets[:10])
    peer.expect("A", ack=11)
    peer.send("R", seq=11)
    ask(peer, octets[10:], at=11)
    assert all(segment.flags & Flags.R for segment in peer.take_all(within=5000))
    assert engine.persistent_writes == 0


def test_port_used_again_with_a_higher_isn(engine: Engine) -> None:
    peer, end = idle(engine)
    peer.send("FA", seq=AT, ack=end)
    peer.expect("FA")
    peer.send("A", seq=AT + 1, ack=end + 1)
    again = Peer(engine, iss=peer.iss + 100_000)
    again.handshake()
    ask(again, REQUEST)
    assert parsed(again.expect("A").payload).status == 200


@pytest.mark.parametrize("flags", ["FS", "FSA", "FR", "F", "FU", "-"])
def test_odd_flags_change_nothing(engine: Engine, flags: str) -> None:
    peer = Peer(engine)
    peer.handshake()
    ask(peer, REQUEST[:10])
    peer.expect("A", ack=11)
    peer.send(flags, seq=2000, ack=1)
    peer.take_all()
    ask(peer, REQUEST[10:], at=11)
    assert parsed(peer.expect("A").payload).status == 200


def test_fin_is_not_counted_twice(make_engine: Make) -> None:
    engine = make_engine()
    peer = Peer(engine)
    peer.handshake()
    for _ in range(3):
        peer.send("FPA", seq=1, ack=1, payload=REQUEST)
    segments = peer.take_all()
    assert {segment.ack for segment in segments} == {AT + 1}
    assert engine.counters["count_requests"] == 1


def test_a_reset_that_was_lost_is_said_again(make_engine: Make) -> None:
    """A client whose connection was evicted learns it by any later segment."""
    engine = make_engine(connections=1)
    peer = Peer(engine)
    peer.handshake()
    peer.send("PA", seq=1, ack=1, payload=b"GET /")
    peer.take_all()
    peer.wait(3000)
    served(peer)
    assert [segment.flags & Flags.R for segment in peer.take_all()] == [Flags.R]  # as if lost
    peer.send("A", seq=3, ack=1)
    assert [segment.flags & Flags.R for segment in peer.take_all()] == [Flags.R]
