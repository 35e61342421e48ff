# SPDX-License-Identifier: MIT
"""What an attacker who sees nothing may send: RST, SYN, data and acknowledgments with guessed numbers (RFC 5961)."""

import pytest
from whit.sim.engine import Engine
from whit.sim.trace import Peer

from tests.segments.test_retransmit import END, begin, drain
from tests.support import BIG, MADE_FILES, ask, get, parsed, served

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
    """Only one with both numbers ends it; others change nothing."""
    peer = Peer(engine)
    peer.handshake()
    octets = get("/n33.bin")
    ask(peer, octets)
    end = 1 + len(peer.expect("A").payload)
    at = 1 + len(octets)
    peer.send("A", seq=at, ack=end)
    for seq, ack in ((at + 1, end), (at, end + 1), (at - 1, end), (0, 0)):
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
