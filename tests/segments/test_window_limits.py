# SPDX-License-Identifier: MIT
"""Each segment fits the peer's window, whatever started the response; lengths and timers work at their limits."""

import pytest

from tests.harness import Make, opened
from tests.support import ask, exchange, get, noise, target
from whit_testbed.engine import Engine
from whit_testbed.trace import Peer


def open_peer(engine: Engine, port: int = 40000) -> Peer:
    peer = Peer(engine, port=port)
    peer.handshake()
    return peer


@pytest.mark.parametrize("wnd", [0, 10])
def test_timeout_of_a_request_keeps_to_the_window(engine: Engine, wnd: int) -> None:
    peer = open_peer(engine)
    ask(peer, b"GET /", wnd=wnd)
    peer.expect("A", ack=6)
    assert all(len(segment.payload) <= max(wnd, 1) for segment in peer.take_all(within=15_500))


@pytest.mark.parametrize(("wnd", "whole"), [(1460, True), (1459, True), (175, False)])
def test_timeout_of_a_request_is_sent_whole_into_a_window_of_a_segment(engine: Engine, wnd: int, whole: bool) -> None:
    """The slot remembers only that the window takes a segment; one octet asks for a smaller window. The engine halves
    1459, not 175."""
    peer = open_peer(engine)
    ask(peer, b"GET /", wnd=wnd)
    peer.expect("A", ack=6)
    first = peer.take_all(within=15_500)[0].payload
    assert first.endswith(b"\r\n\r\n") if whole else len(first) == 1


def test_response_that_waited_keeps_to_the_window(make_engine: Make) -> None:
    engine = make_engine(buffer=72)
    holder, waiter = open_peer(engine), open_peer(engine, port=40001)
    request = get("/typed?octet=1&number=2&text=abc")
    ask(holder, request)
    segments = holder.take_all()
    ask(waiter, get("/count"), wnd=0)
    assert not [segment for segment in waiter.take_all() if segment.payload]
    while segments:
        holder.send("A", seq=1 + len(request), ack=segments[-1].seq + len(segments[-1].payload))
        segments = holder.take_all()
    assert engine.counters["count_requests"] == 2
    assert all(len(segment.payload) <= 1 for segment in waiter.take_all())


def test_content_longer_than_16_bits_can_say_is_not_cut_off(engine: Engine) -> None:
    """A response of 67 200 octets must be complete."""
    client = exchange(engine, get("/lines?cnt=4200"), "GET", for_s=60)
    assert [(response.status, len(response.body)) for response in client.responses] == [(200, 67_200)]


def test_fin_keeps_to_the_window(make_engine: Make) -> None:
    engine = make_engine(keep_alive=False)
    request = get("/n33.bin")
    peer = open_peer(engine)
    peer.send("PAF", seq=1, ack=1, payload=request)
    whole = sum(len(segment.payload) for segment in peer.take_all())
    other = open_peer(engine, port=40001)
    other.send("PAF", seq=1, ack=1, payload=request, wnd=whole)
    assert [(len(segment.payload), segment.flags & 1) for segment in other.take_all()] == [(whole, 0)]


@pytest.mark.parametrize("limits", [{}, {"connections": 200, "idle": 300}])
def test_next_ms_of_a_timer_that_is_overdue(make_engine: Make, limits: dict[str, int]) -> None:
    engine = make_engine(**limits)
    peer = open_peer(engine)
    ask(peer, get("/n4000.bin"))
    assert peer.take_all()
    engine.now_ms += 5000
    assert engine.next_ms() == 0


@pytest.mark.skipif(target() != "inprocess", reason="looks at kinds of the in-process engine")
@pytest.mark.parametrize("heads", ["octets", "code"])
def test_rest_of_a_file_that_is_shorter_than_a_segment(heads: str) -> None:
    """The last segment, shorter than the template's, has exactly the remaining octets."""
    with opened({"a.pdf": noise(140)}, heads=heads) as engine:
        for port, mss in enumerate((1460, 96, 128, 160, 192, 224, 256), 40000):
            peer = Peer(engine, port=port)
            peer.handshake(mss=mss)
            ask(peer, get("/a.pdf", "Connection: close"))
            segments = peer.take_all()
            stream = b"".join(segment.payload for segment in segments)
            assert (len(segments) > 1) == (mss < 1460)
            assert stream.endswith(b"\r\n\r\n" + noise(140)), mss
            peer.send("FA", seq=1 + len(get("/a.pdf", "Connection: close")), ack=2 + len(stream))
            peer.take_all()
