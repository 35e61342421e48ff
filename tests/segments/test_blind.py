# SPDX-License-Identifier: MIT
"""A blind attacker's segments: RST, SYN, data and acknowledgments with guessed numbers (RFC 5961)."""

import pytest

from tests.harness import Make
from tests.segments.test_retransmit import END, begin, drain
from tests.support import BIG, MADE_FILES, ask, get, parsed, served
from whit_testbed.engine import Engine
from whit_testbed.trace import Peer

HALF = get("/n33.bin")[:20]


def half_request(engine: Engine) -> Peer:
    peer = Peer(engine)
    peer.handshake()
    ask(peer, HALF)
    peer.expect("A", ack=21)
    return peer


def goes_on(peer: Peer) -> None:
    ask(peer, get("/n33.bin")[20:], at=21)
    assert parsed(peer.expect("A").payload).body == MADE_FILES["n33.bin"]


@pytest.mark.parametrize("offset", [1, 100, 5000])
def test_rst_in_the_window_is_challenged(engine: Engine, offset: int) -> None:
    peer = half_request(engine)
    peer.send("R", seq=21 + offset)
    peer.expect("A", seq=1, ack=21, length=0)
    goes_on(peer)


@pytest.mark.parametrize("offset", [-1, -1000, 200_000, 1 << 30, (1 << 31) - 1, -(1 << 31)])
def test_rst_outside_the_window_is_ignored(engine: Engine, offset: int) -> None:
    peer = half_request(engine)
    for flags in ("R", "RA"):
        peer.send(flags, seq=21 + offset, ack=1)
    peer.expect_nothing(500)
    goes_on(peer)


def test_rst_with_wrong_checksum_is_ignored(engine: Engine) -> None:
    peer = half_request(engine)
    peer.send("R", seq=21, sum=0x1234)
    peer.expect_nothing()
    goes_on(peer)


@pytest.mark.parametrize("flags", ["R", "RA"])
def test_exact_rst_ends_the_connection(engine: Engine, flags: str) -> None:
    peer = half_request(engine)
    peer.send(flags, seq=21, ack=1)
    peer.expect_nothing(60_000)
    served(peer)


def test_exact_rst_in_a_response(engine: Engine) -> None:
    peer, _ = begin(engine)
    peer.send("R", seq=END)
    peer.expect_nothing(200_000)
    served(peer)


@pytest.mark.parametrize("offset", [-21, -5, 0, 1, 3000, 1 << 30])
@pytest.mark.parametrize("flags", ["S", "SA"])
def test_syn_on_a_connection_is_challenged(engine: Engine, flags: str, offset: int) -> None:
    peer = half_request(engine)
    peer.send(flags, seq=21 + offset, ack=1, mss=1460)
    segment = peer.next_segment()
    assert (segment.flags, segment.ack) == (16, peer.iss + 21)
    goes_on(peer)


def test_rebooted_client(engine: Engine) -> None:
    """SYN, challenge ACK, RST, SYN (RFC 5961 section 4.2)."""
    peer = half_request(engine)
    again = Peer(engine, iss=500_000)
    again.send("S", mss=1460)
    challenge = again.next_segment()
    assert challenge.flags == 16
    again.send("R", seq=(challenge.ack - again.iss))
    again.handshake()
    octets = get("/n33.bin")
    ask(again, octets)
    assert parsed(again.expect("A").payload).status == 200
    peer.expect_nothing()


def test_challenges_are_limited(engine: Engine) -> None:
    peer = half_request(engine)
    for _ in range(200):
        peer.send("R", seq=1000)
    assert 1 <= len(peer.take_all()) <= 20
    peer.wait(2000)
    peer.send("R", seq=1000)
    peer.expect("A", ack=21)
    goes_on(peer)


@pytest.mark.parametrize("beyond", [1, 50_000, 1 << 30])
def test_acknowledgment_of_what_was_never_sent(engine: Engine, beyond: int) -> None:
    peer, first = begin(engine)
    end = max(segment.seq + len(segment.payload) for segment in first)
    peer.send("A", seq=END, ack=end + beyond)
    peer.expect("A", seq=end, ack=END, length=0)
    stream = bytearray(b"".join(segment.payload for segment in first))
    peer.send("A", seq=END, ack=1 + len(stream))
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


def test_optimistic_acknowledgments_skip_nothing(engine: Engine) -> None:
    peer, first = begin(engine)
    stream = bytearray(b"".join(segment.payload for segment in first))
    for step in range(1, 40):
        peer.send("A", seq=END, ack=1 + len(stream) + step * 1460)
        for segment in peer.take_all():
            if segment.payload:
                stream += segment.payload[len(stream) - (segment.seq - 1) :]
        peer.send("A", seq=END, ack=1 + len(stream))
        for segment in peer.take_all():
            if segment.payload:
                assert segment.seq - 1 <= len(stream)
                stream += segment.payload[len(stream) - (segment.seq - 1) :]
    peer.send("A", seq=END, ack=1 + len(stream))
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


@pytest.mark.parametrize("ack", [1 - 70_000, 1 - (1 << 30), 2, 100_000, 1 << 30])
def test_blind_data_in_a_request(engine: Engine, ack: int) -> None:
    """RFC 5961 section 5: data whose acknowledgment is far off change nothing."""
    peer = half_request(engine)
    peer.send("PA", seq=21, ack=ack, payload=b" HTTP/9.9\r\n\r\n")
    assert all(not segment.payload for segment in peer.take_all(within=500))
    goes_on(peer)


@pytest.mark.parametrize("ack", [1 - 70_000, 1 - (1 << 30), 100_000])
def test_blind_data_in_a_response(engine: Engine, ack: int) -> None:
    peer, first = begin(engine)
    peer.send("PA", seq=END, ack=ack, payload=get("/count"))
    stream = bytearray(b"".join(segment.payload for segment in first))
    peer.take_all()
    peer.send("A", seq=END, ack=1 + len(stream))
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG
    assert engine.persistent_writes == 0


@pytest.mark.parametrize("shift", [1, -1, 1000, 1 << 20, 1 << 31])
@pytest.mark.parametrize("side", ["seq", "ack"])
def test_blind_request_on_an_idle_connection(engine: Engine, side: str, shift: int) -> None:
    """A tag recognises both numbers, all 32 bits of each."""
    peer = Peer(engine)
    peer.handshake()
    octets = get("/n33.bin")
    ask(peer, octets)
    end = 1 + len(peer.expect("A").payload)
    peer.send("A", seq=1 + len(octets), ack=end)
    peer.wait(100)
    seq, ack = 1 + len(octets) + (shift if side == "seq" else 0), end + (shift if side == "ack" else 0)
    peer.send("PA", seq=seq, ack=ack, payload=get("/count"))
    assert all(not segment.payload for segment in peer.take_all(within=1000))
    assert engine.persistent_writes == 0
    peer.send("PA", seq=1 + len(octets), ack=end, payload=get("/count"))
    assert parsed(b"".join(segment.payload for segment in peer.take_all())).body == b"run 1"


def test_rst_for_an_idle_connection(engine: Engine) -> None:
    """A RST ends the connection only if both numbers match; others change nothing."""
    peer = Peer(engine)
    peer.handshake()
    octets = get("/n33.bin")
    ask(peer, octets)
    end = 1 + len(peer.expect("A").payload)
    at = 1 + len(octets)
    peer.send("A", seq=at, ack=end)
    for seq, ack in ((at, end + 1), (at - 1, end), (at + 40_000, end), (0, 0)):
        peer.send("RA", seq=seq, ack=ack)
    peer.expect_nothing(100)
    ask_again = get("/n31.bin")
    peer.send("PA", seq=at, ack=end, payload=ask_again)
    answer = peer.expect("A", seq=end)
    assert parsed(answer.payload).status == 200
    at, end = at + len(ask_again), end + len(answer.payload)
    peer.send("A", seq=at, ack=end)
    peer.send("RA", seq=at, ack=end)
    peer.send("PA", seq=at, ack=end, payload=get("/count"))
    peer.expect("R", seq=end)
    assert engine.persistent_writes == 0


# ------------------------------------------------------------------------------------------------ without a slot

REQUEST = get("/n33.bin")
AHEAD_MAX = 0x7FFF  # octets: a cookie knows the lower half of the peer's ISN


def unasked(engine: Engine, **fields: int) -> Peer:
    """A connection that has not asked yet: only its cookie knows it."""
    peer = Peer(engine, **fields)
    peer.handshake()
    return peer


def is_served(peer: Peer) -> None:
    ask(peer, REQUEST)
    assert parsed(peer.expect("A").payload).body == MADE_FILES["n33.bin"]


@pytest.mark.parametrize("iss", [1000, 0xFFFF0000, 0xFFFFFF00, 0x12345678])
@pytest.mark.parametrize("offset", [5839, 5840, 5841, 20_000, AHEAD_MAX])
@pytest.mark.parametrize(("flags", "payload"), [("A", b""), ("PA", b"x"), ("PA", b"GET / HTTP/1.1\r\n"), ("FA", b"")])
def test_beyond_the_window_before_the_first_request(
    engine: Engine, iss: int, offset: int, flags: str, payload: bytes
) -> None:
    """RFC 9293 section 3.10.7.4: it is acknowledged and dropped. A RST would end its sender's connection."""
    peer = unasked(engine, iss=iss)
    peer.send(flags, seq=1 + offset, ack=1, payload=payload)
    peer.expect("A", seq=1, ack=1, length=0)
    peer.expect_nothing(1000)
    is_served(peer)


def test_far_beyond_the_window_the_cookie_knows_no_number(engine: Engine) -> None:
    peer = unasked(engine)
    peer.send("PA", seq=2 + AHEAD_MAX, ack=1, payload=REQUEST)
    peer.expect("R", seq=1, length=0)


def test_a_wrong_acknowledgment_before_the_first_request(engine: Engine) -> None:
    """A peer with a wrong cookie gets the RST of LISTEN, at any offset of its segment."""
    peer = unasked(engine)
    for offset in (0, 10, 20_000):
        peer.send("PA", seq=1 + offset, ack=1000 + offset, payload=REQUEST)
        peer.expect("R", seq=1000 + offset, length=0)
    is_served(peer)


def test_a_kept_frame_is_in_the_window(make_engine: Make) -> None:
    """A driver that keeps frames also drops a frame beyond the window."""
    engine = make_engine()
    engine.keeps_frames = True
    peer = unasked(engine)
    for offset, kept in ((20_000, False), (100, True)):
        peer.send("PA", seq=1 + offset, ack=1, payload=REQUEST)
        peer.expect("A", seq=1, ack=1, length=0)
        assert bool(engine._lib.later_waits()) == kept


def test_exact_rst_before_the_first_request(engine: Engine) -> None:
    """RFC 9293 section 3.10.7.4: the connection has ended. A tag remembers that for a while."""
    peer = unasked(engine)
    peer.send("RA", seq=1, ack=1)
    peer.expect_nothing(100)
    for _ in range(3):
        ask(peer, REQUEST)
        peer.expect("R", seq=1, length=0)
    again = unasked(engine, iss=700_000)
    is_served(again)


def test_a_rst_before_the_first_request_takes_no_place_of_others(make_engine: Make) -> None:
    engine = make_engine(idle=3)
    idle = [unasked(engine, port=port) for port in (40001, 40002)]
    for peer in idle:
        ask(peer, REQUEST)
        peer.send("A", seq=1 + len(REQUEST), ack=1 + len(peer.expect("A").payload))
    for port in range(41000, 41050):
        peer = unasked(engine, port=port)
        peer.send("RA", seq=1, ack=1)
        peer.expect_nothing()
    assert engine.counters["count_tag_evicted"] == 0


@pytest.mark.parametrize("offset", [1, 100, 5000])
def test_rst_in_the_window_before_the_first_request_is_challenged(engine: Engine, offset: int) -> None:
    peer = unasked(engine)
    peer.send("RA", seq=1 + offset, ack=1)
    peer.expect("A", seq=1, ack=1, length=0)
    is_served(peer)


@pytest.mark.parametrize("offset", [-1000, -1, 5840, 20_000, 1 << 20 | 0x9000])
def test_rst_outside_the_window_before_the_first_request_is_ignored(engine: Engine, offset: int) -> None:
    peer = unasked(engine)
    peer.send("RA", seq=1 + offset, ack=1)
    peer.send("R", seq=1)  # without ACK nothing proves it
    peer.send("RA", seq=1, ack=77)
    peer.expect_nothing(100)
    is_served(peer)


@pytest.mark.parametrize("offset", [0, 100, 5000])
def test_syn_ack_before_the_first_request_is_challenged(engine: Engine, offset: int) -> None:
    """RFC 5961 section 4.2. It was met by a RST that ends its sender's connection."""
    peer = unasked(engine)
    peer.send("SA", seq=1 + offset, ack=1, mss=1460)
    peer.expect("A", seq=1, ack=1, length=0)
    is_served(peer)


@pytest.mark.parametrize("offset", [0, 100, 5000])
def test_syn_before_the_first_request_changes_nothing(engine: Engine, offset: int) -> None:
    """A SYN carries no cookie and is offered another. The connection's owner answers that with a challenge ACK."""
    peer = unasked(engine)
    irs = peer.irs
    peer.send("S", seq=1 + offset, mss=1460)
    peer.expect("SA")
    peer.irs = irs
    is_served(peer)


def idle_peer(engine: Engine) -> tuple[Peer, int, int]:
    peer = unasked(engine)
    ask(peer, REQUEST)
    seq, ack = 1 + len(REQUEST), 1 + len(peer.expect("A").payload)
    peer.send("A", seq=seq, ack=ack)
    return peer, seq, ack


@pytest.mark.parametrize("flags", ["RA", "SA"])
def test_in_the_window_of_an_idle_connection_it_is_challenged(engine: Engine, flags: str) -> None:
    peer, seq, ack = idle_peer(engine)
    peer.send(flags, seq=seq + 100, ack=ack)
    peer.expect("A", seq=ack, ack=seq, length=0)
    ask_at(peer, seq, ack)


@pytest.mark.parametrize(("offset", "acked"), [(-1, 0), (5840, 0), (20_000, 0), (100, 1000), (0, 1), (1, -1)])
def test_a_rst_elsewhere_leaves_an_idle_connection(engine: Engine, offset: int, acked: int) -> None:
    peer, seq, ack = idle_peer(engine)
    peer.send("RA", seq=seq + offset, ack=ack + acked)
    peer.expect_nothing(100)
    ask_at(peer, seq, ack)


def ask_at(peer: Peer, seq: int, ack: int) -> None:
    peer.send("PA", seq=seq, ack=ack, payload=REQUEST)
    assert parsed(peer.expect("A", seq=ack).payload).body == MADE_FILES["n33.bin"]


@pytest.mark.parametrize("flags", ["RA", "R"])
@pytest.mark.parametrize("offset", [0, 100, 5000])
def test_a_rst_meets_silence_when_the_connection_is_closing(engine: Engine, flags: str, offset: int) -> None:
    peer, seq, ack = idle_peer(engine)
    peer.send("FA", seq=seq, ack=ack)
    peer.expect("FA", seq=ack, ack=seq + 1)
    peer.send(flags, seq=seq + 1 + offset, ack=ack)
    peer.expect_nothing(1000)
