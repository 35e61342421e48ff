# SPDX-License-Identifier: MIT
"""A client reads one consistent response, wherever it is cut and whatever changes during it."""

import pytest

from tests.harness import Make
from tests.strategies.conftest import text
from whit.errors import WhitError
from whit.model.policy import Options
from whit.wire.http import request
from whit.wire.packet import Flags, Segment
from whit.wire.units import MS
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment
from whit_testbed.net import Net
from whit_testbed.trace import Peer


class Reader(Peer):
    """A client that keeps the first copy of each octet, in any order, and sees the RST."""

    def __init__(self, engine: Engine, *, port: int = 40000) -> None:
        super().__init__(engine, port=port)
        self.octets: dict[int, int] = {}
        self.ended = self.was_reset = False

    def look(self, within: int = 0, *, lose: bool = False) -> list[Segment]:
        segments = self.take_all(within)
        for segment in [] if lose else segments:
            self.was_reset |= bool(segment.flags & Flags.R)
            self.ended |= bool(segment.flags & Flags.F)
            for at, octet in enumerate(segment.payload, segment.seq):
                self.octets.setdefault(at, octet)
        return segments

    def read(self, at: int = 1) -> bytes:
        """Returns the octets received without a gap, from position `at` on."""
        octets = bytearray()
        while at + len(octets) in self.octets:
            octets.append(self.octets[at + len(octets)])
        return bytes(octets)


def opened(engine: Engine, is_open: bool, port: int) -> None:
    other = Peer(engine, port=port, address="10.0.0.9", mac=b"\2\0\x0a\0\0\x09")
    other.handshake()
    octets = request(f"/gate?open={int(is_open)}")
    other.send("PA", seq=1, ack=1, payload=octets)
    other.receive(seq=1 + len(octets))


def head_len(engine: Engine, target: str) -> int:
    """Octets of the response's head, without its length field."""
    peer = Reader(engine, port=39000)
    peer.handshake()
    octets = request(target)
    peer.send("PA", seq=1, ack=1, payload=octets)
    return peer.receive(seq=1 + len(octets)).index(b"Content-Length")


VOLATILE = "/plain_volatile?len=30&change=3"


def letters(content: bytes) -> set[int]:
    return {content[0], content[-1]}


@pytest.mark.parametrize("cut", [10, 22, 23, 29, 30, 40, 50, 53, 54])
@pytest.mark.parametrize("then", ["acknowledged", "lost", "opened"])
def test_a_volatile_content_that_was_cut_does_not_change(make: Make, cut: int, then: str) -> None:
    """The window ends within a chunk's framing or content. The rest, or a full retransmission, comes from the
    same run.
    """
    engine = make(keep_alive=False)
    opened(engine, False, 50000)
    window = head_len(engine, VOLATILE) + cut
    peer = Reader(engine)
    peer.handshake()
    octets = request(VOLATILE)
    end = 1 + len(octets)
    peer.send("PA", seq=1, ack=1, payload=octets, wnd=window)
    peer.look()
    sent = len(peer.read())
    assert sent == window
    if then == "lost":  # its rest
        peer.send("A", seq=end, ack=1, wnd=1000)
        peer.look(lose=True)
    opened(engine, True, 50001)
    if then == "acknowledged":
        peer.look(1500)  # it comes once more, as the acknowledgment was lost
        peer.send("A", seq=end, ack=1 + sent, wnd=1000)
    elif then == "opened":  # the window's update was sent before the segment came
        engine.limit(0)
        peer.look(1500)
        peer.send("A", seq=end, ack=1, wnd=1000)
        engine.limit(256)
        engine.pump()
    peer.look(5000)
    content = peer.read().partition(b"\r\n\r\n")[2]
    assert len(content) == 32 or peer.was_reset or engine.counters["count_changed"]
    if len(content) == 32:
        assert len(letters(content)) == 1, content


def test_a_volatile_content_may_change_until_its_first_octet_leaves(make: Make) -> None:
    """The head leaves alone, as the window has no room for more; each run gives another number of octets."""
    engine = make()
    target = "/plain_volatile?len=30&change=2"
    window = head_len(engine, target)
    peer = Reader(engine)
    peer.handshake()
    octets = request(target)
    peer.send("PA", seq=1, ack=1, payload=octets, wnd=window)
    peer.look()
    assert len(peer.read()) == window
    peer.send("A", seq=1 + len(octets), ack=1 + window, wnd=1000)
    peer.look()
    assert not peer.was_reset
    assert b"Content-Length: " in peer.read()


@pytest.mark.parametrize("size", [1, 30, 900])
def test_a_volatile_content_may_grow_before_it_is_sent(make: Make, size: int) -> None:
    """The handler runs once when the request is complete, and writes more when the segment is made."""
    engine = make()
    net = Net(engine, up=Impairment(delay_us=5 * MS))
    client = net.host().client()
    for _ in range(10):
        body = net.get(client, f"/plain_volatile?len={size}&change=2").body
        assert body == b"a" + text(len(body) - 2) + b"a"
    assert engine.counters["count_changed"] == 0


def test_a_volatile_content_waits_for_what_others_keep(make: Make) -> None:
    """The buffer was full between the first run and the first segment: the next run would cut off a part."""
    engine = make(buffer=512)
    peers = [Reader(engine, port=40000 + number) for number in range(2)]
    ends = []
    for peer in peers:
        peer.handshake()
    engine.limit(0)
    for peer, target in zip(peers, ("/plain_volatile?len=360&change=1", "/plain_persistent?len=150"), strict=True):
        octets = request(target)
        ends.append(1 + len(octets))
        peer.send("PA", seq=1, ack=1, payload=octets)
    engine.limit(256)
    engine.pump()
    peers[1].look(10)
    kept = peers[1].read()
    assert kept.endswith(text(150))
    peers[1].send("A", seq=ends[1], ack=1 + len(kept))
    for _ in range(3):
        peers[0].look(3000)
        peers[0].send("A", seq=ends[0], ack=1 + len(peers[0].read()))
    content = peers[0].read().partition(b"\r\n\r\n")[2]
    assert len(content) == 362 and len(letters(content)) == 1 and not peers[0].was_reset


def chunks_of(stream: bytes) -> list[bytes]:
    body, chunks = stream.partition(b"\r\n\r\n")[2], []
    while body:
        size, _, rest = body.partition(b"\r\n")
        chunks.append(rest[: int(size, 16)])
        body = rest[int(size, 16) + 2 :]
    return chunks


def test_a_chunk_is_of_one_run_when_its_end_is_probed(make: Make) -> None:
    """The tail-loss probe begins inside a chunk. A client that lost all other segments keeps the probe's octets."""
    engine = make()
    peer = Reader(engine)
    peer.handshake()
    octets = request("/index_volatile?len=10")
    peer.send("PA", seq=1, ack=1, payload=octets)
    at = 1 + len(peer.receive(seq=1 + len(octets)))  # there is a round-trip time now
    more = request("/index_changing?len=3000")
    peer.send("PA", seq=1 + len(octets), ack=at, payload=more)
    peer.look(lose=True)
    end = 1 + len(octets) + len(more)
    assert peer.look(400), "the probe"
    for _ in range(40):
        peer.look(100)
        peer.send("A", seq=end, ack=at + len(peer.read(at)))
        peer.look()
    assert not peer.was_reset
    found = chunks_of(peer.read(at))
    assert sum(map(len, found)) == 3000
    assert all(len(set(chunk)) == 1 for chunk in found if chunk), found


@pytest.mark.parametrize("window", [200, 500, 1000, 1500, 2000, 3000])
def test_a_chunk_that_a_window_cuts_is_of_one_run(make: Make, window: int) -> None:
    engine = make()
    net = Net(engine, up=Impairment(delay_us=5 * MS))
    client = net.host().client(Options(window=window))
    client.ask("/index_changing?len=3000")
    net.idle(60)
    found = chunks_of(client.responses[0].raw)
    assert sum(map(len, found)) == 3000
    assert all(len(set(chunk)) == 1 for chunk in found if chunk), found
    assert net.get(net.host().client(Options(window=window)), "/index_volatile?len=3000").body == text(3000)


@pytest.mark.parametrize(
    ("cut", "more", "whole"),
    [(0, 1, True), (3, 0, False), (5, 2, False), (6, 3, True), (7, 0, True), (99, 0, True), (1447, 0, True),
     (1451, 0, True), (1452, 1, True), (1453, 2, False), (1454, 3, False)],
)  # fmt: skip
def test_a_chunk_that_changed_comes_again_from_its_begin(make: Make, cut: int, more: int, whole: bool) -> None:
    """`cut` octets of the chunk are acknowledged, and the window ends with it. The rest is the same in every run if
    none or all of the content arrived."""
    engine = make()
    peer = Reader(engine)
    peer.handshake()
    octets = request("/index_changing?len=3000")
    peer.send("PA", seq=1, ack=1, payload=octets)
    chunk = peer.look()[1]
    assert (chunk.payload[:5], len(chunk.payload)) == (b"5a8\r\n", 1455)
    peer.send("A", seq=1 + len(octets), ack=chunk.seq + cut, wnd=1455 - cut + more)  # a multiple of 4, as it is kept
    peer.look(20)  # perhaps the probe
    again = peer.look(300)[0]
    assert again.seq == (chunk.seq if whole else chunk.seq + cut)
    assert again.seq + len(again.payload) == chunk.seq + 1455
    if whole:
        assert len(letters(again.payload[5:-2])) == 1 and again.payload[5] != chunk.payload[5]


@pytest.mark.parametrize("cnt", [0, 1, 100, 250])
def test_a_state_of_255_octets(make: Make, cnt: int) -> None:
    for buffer in (2048, 8000):
        net = Net(make("large_state", buffer=buffer), up=Impairment(delay_us=5 * MS, loss=0.05))
        assert net.get(net.host().client(), f"/thread_large?cnt={cnt}").body == text(7 * cnt)


@pytest.mark.parametrize("grows", [False, True])
def test_a_content_that_was_tried_out_shorter_comes_in_chunks(make: Make, grows: bool) -> None:
    """A content planned as one segment with its length grows. Its first segment has the head and content anyway."""
    engine = make()
    opened(engine, False, 50000)
    peer = Reader(engine)
    peer.handshake()
    octets = request("/index_growing")
    peer.send("PA", seq=1, ack=1, payload=octets, wnd=0)
    peer.look()
    opened(engine, grows, 50001)
    peer.send("A", seq=1 + len(octets), ack=1, wnd=8000)
    first = peer.look()[0].payload
    assert len(first.partition(b"\r\n\r\n")[2]) > (1000 if grows else 0)
    peer.send("A", seq=1 + len(octets), ack=1 + len(peer.read()))
    peer.look()
    head, _, content = peer.read().partition(b"\r\n\r\n")
    assert (b"Transfer-Encoding: chunked" in head, b"Content-Length" in head) == (grows, not grows)
    assert (b"".join(chunks_of(peer.read())) if grows else content) == text(2000 if grows else 30)


def test_a_text_that_becomes_shorter_ends(make: Make) -> None:
    """Octets behind the text's end in memory are not sent."""
    engine = make(buffer=2048)
    opened(engine, False, 50000)
    peer = Reader(engine)
    peer.handshake()
    octets = request("/thread_text")
    peer.send("PA", seq=1, ack=1, payload=octets)
    peer.look()
    opened(engine, True, 50001)
    for _ in range(20):
        peer.send("A", seq=1 + len(octets), ack=1 + len(peer.read()))
        peer.look(50)
    said = b"".join(chunks_of(peer.read()))
    assert set(said) == {ord("a")} and len(said) < 3000


def test_waiting_threads_of_clients_that_are_gone_give_way(make: Make) -> None:
    """All slots wait for an event that never comes; no segment in flight can time out."""
    engine = make(buffer=8000, connections=2)
    opened(engine, False, 50000)
    net = Net(engine, up=Impairment(delay_us=5 * MS))
    clients = [net.host(f"10.0.0.{i}").client() for i in (2, 3)]
    for i, client in enumerate(clients):
        client.ask(f"/thread_persistent?len=100{i}&pause=5")
        net.idle(1)
    for client in clients:
        client.connection.vanish()
    net.idle(5)
    assert net.get(net.host("10.0.0.4").client(), "/index_volatile?len=30", for_s=5).body == text(30)
    assert engine.counters["count_slot_evicted"] == 1


@pytest.mark.parametrize(("waited_ms", "answered"), [(1990, False), (2010, True)])
def test_a_thread_that_waits_for_two_seconds_gives_way(make: Make, waited_ms: int, answered: bool) -> None:
    """All of its output was acknowledged. It is polled each 20 ms."""
    engine = make(connections=1)
    opened(engine, False, 50000)
    waiting, newcomer = (Peer(engine, port=port) for port in (40000, 40001))
    octets = request("/thread_persistent?len=100&pause=5")
    waiting.handshake()
    waiting.send("PA", seq=1, ack=1, payload=octets)
    said = waiting.take_all()
    waiting.send("A", seq=1 + len(octets), ack=said[-1].seq + len(said[-1].payload))
    newcomer.handshake()
    engine.advance(waited_ms)
    newcomer.send("PA", seq=1, ack=1, payload=request("/index_volatile?len=30"))
    assert (newcomer.take_all() != []) == answered


def test_responses_that_go_on_do_not_give_way(make: Make) -> None:
    """Responses in progress hold all slots: the newcomer waits."""
    engine = make()
    peers = [Peer(engine, port=40000 + number) for number in range(4)]
    octets = request("/index_volatile?len=30")
    for peer in peers:
        peer.handshake()
        peer.send("PA", seq=1, ack=1, payload=octets)
    said = [b"".join(segment.payload for segment in peer.take_all()) for peer in peers]
    assert [text(30) in octets for octets in said] == [True, True, True, False]
    assert engine.counters["count_slot_evicted"] == 0
    peers[0].send("A", seq=1 + len(octets), ack=1 + len(said[0]))
    peers[3].send("PA", seq=1, ack=1, payload=octets)
    assert text(30) in peers[3].receive(seq=1 + len(octets))


def test_a_reset_behind_a_probe_that_found_no_room_is_heard(make: Make) -> None:
    """The peer takes a RST at the octet that it waits for, which the probe of its closed window was."""
    engine = make()
    opened(engine, False, 50000)
    peer = Reader(engine)
    peer.handshake()
    octets = request(VOLATILE)
    window = head_len(engine, VOLATILE) + 30
    end = 1 + len(octets)
    peer.send("PA", seq=1, ack=1, payload=octets, wnd=window)
    peer.look()
    peer.send("A", seq=end, ack=1 + window, wnd=0)
    opened(engine, False, 50001)
    assert any(len(segment.payload) == 1 for segment in peer.look(1500))
    opened(engine, True, 50002)
    peer.send("A", seq=end, ack=1 + window, wnd=1000)
    (last,) = peer.look()
    assert last.flags & Flags.R and last.seq == 1 + window


def test_a_content_of_more_octets_than_a_position_tells_is_refused(make: Make) -> None:
    net = Net(make())
    assert net.get(net.host().client(), "/plain_idempotent?len=16777216").status == 500


def test_a_buffer_that_is_too_small_is_told_when_it_is_built(make: Make) -> None:
    with pytest.raises(WhitError, match=r"app\.toml:4: buffer is 600: expected at least 846 for .* thread_large\.c"):
        make("large_state", buffer=600)


def test_what_a_chunk_said_moves_on_with_it(make: Make) -> None:
    """A chunk's digest moves along when an earlier chunk is acknowledged. A part may be retransmitted, as each run gave
    the same."""
    engine = make()
    peer = Reader(engine)
    peer.handshake(mss=536)
    octets = request("/index_volatile?len=3000")
    end = 1 + len(octets)
    peer.send("PA", seq=1, ack=1, payload=octets)
    second = peer.look()[1]
    peer.send("A", seq=end, ack=second.seq, wnd=100)
    again = peer.look(3000)
    assert again and all(segment.seq == second.seq for segment in again)
    assert 0 < len(again[0].payload) <= 100 and second.payload.startswith(again[0].payload)
    for _ in range(10):
        peer.send("A", seq=end, ack=1 + len(peer.read()))
        peer.look(1000)
    assert not peer.was_reset and b"".join(chunks_of(peer.read())) == text(3000)
