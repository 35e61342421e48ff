# SPDX-License-Identifier: MIT
"""Opening a connection: SYN cookies, MSS option, initial sequence numbers, closed ports (RFC 9293 section 3.10.7)."""

import pytest

from tests.harness import Make
from tests.support import MADE_FILES, ask, get, parsed, served
from whit.wire.packet import TCP_PROTOCOL, Flags, Ipv4, Segment, ip
from whit.wire.units import MS
from whit_testbed.engine import Engine
from whit_testbed.net import Net
from whit_testbed.trace import Peer, Raw


def test_three_way_handshake(engine: Engine) -> None:
    peer = Peer(engine)
    peer.send("S", mss=1460)
    syn = peer.expect("SA", ack=1, length=0)
    assert syn.wnd > 0
    assert syn.mss is not None
    assert 536 <= syn.mss <= 1460
    assert syn.raw_options[4:] == b""  # no scaling, no SACK, no timestamps
    peer.send("A", seq=1, ack=1)
    peer.expect_nothing(5000)


def test_syn_is_answered_again_with_the_same_isn(engine: Engine) -> None:
    peer = Peer(engine)
    peer.send("S", mss=1460)
    first = peer.next_segment()
    peer.wait(1000)
    peer.send("S", mss=1460)
    assert peer.next_segment().seq == first.seq


def test_syn_ack_is_not_repeated_and_holds_no_memory(engine: Engine) -> None:
    peer = Peer(engine)
    peer.send("S", mss=1460)
    peer.expect("SA")
    peer.expect_nothing(120_000)


REPEATED = (252, 756)  # ms after the SYN


def large(make_engine: Make) -> Engine:
    """Starts an engine whose tables are looked up by hash."""
    return make_engine(idle=65)


def test_syn_ack_is_repeated_on_a_large_build(make_engine: Make) -> None:
    """RFC 9293 section 3.8.1. The client's own timer would take a second; then it has to do."""
    engine = large(make_engine)
    peer = Peer(engine)
    begun = engine.now_ms
    peer.send("S", mss=1460)
    first = peer.expect("SA", ack=1, mss=1460)
    for after in REPEATED:
        time_ms = begun + after
        peer.wait(time_ms - engine.now_ms - 8)
        peer.expect_nothing()
        again = peer.expect("SA", ack=1, seq=0, mss=1460, within=16)
        assert (again.wnd, again.dport, again.sport) == (first.wnd, first.dport, first.sport)
    peer.expect_nothing(120_000)
    assert engine.counters["count_retransmit_timeout"] == 2
    served(peer)


@pytest.mark.parametrize("how", ["acknowledged", "asked", "reset"])
def test_syn_ack_is_not_repeated_to_a_peer_that_has_answered(make_engine: Make, how: str) -> None:
    engine = large(make_engine)
    peer = Peer(engine)
    peer.send("S", mss=1460)
    peer.expect("SA")
    if how == "acknowledged":
        peer.send("A", seq=1, ack=1)
    elif how == "asked":
        ask(peer, get("/n33.bin"))
        answer = peer.expect("A")
        peer.send("A", seq=1 + len(get("/n33.bin")), ack=1 + len(answer.payload))
    else:
        peer.send("R", seq=1)
    peer.expect_nothing(3000)


def test_lost_syn_ack_costs_a_quarter_of_a_second(make_engine: Make) -> None:
    """The engine retransmits a lost SYN-ACK after 250 ms, before the client's own timer of 1 s."""
    net = Net(large(make_engine))
    lost = iter([True])
    down = net.down.send
    net.down.send = lambda frame, *rest: None if is_syn_ack(frame) and next(lost, False) else down(frame, *rest)  # type: ignore
    client = net.host().client()
    begun = net.loop.now_us
    assert net.get(client, "/n33.bin").body == MADE_FILES["n33.bin"]
    assert net.loop.now_us - begun < 300 * MS


def is_syn_ack(frame: bytes) -> bool:
    return len(frame) > 47 and frame[12:14] == b"\x08\0" and frame[23] == 6 and frame[47] == 0x12


def test_a_syn_flood_takes_no_more_than_the_ring(make_engine: Make) -> None:
    """Older handshakes leave the ring, and their cookies still open connections."""
    engine = large(make_engine)
    early = Peer(engine, port=30_000)
    early.send("S", mss=1460)
    early.expect("SA")
    flood = Raw(engine, address="10.3.3.3", mac=b"\2\0\3\3\3\3")
    for port in range(1000):
        source = ip(f"10.3.{port % 7}.3")
        segment = Segment(1024 + port, 80, port, 0, Flags.S, 1000, b"", 1460)
        flood.datagram(Ipv4(source, flood.server, TCP_PROTOCOL, segment.pack(source, flood.server)))
    flood.wait(2000)
    flood.collect()
    assert engine.counters["count_retransmit_timeout"] == 2 * 64
    early.expect_nothing()
    early.send("A", seq=1, ack=1)
    ask(early, get("/n33.bin"))
    assert parsed(early.expect("A").payload).body == MADE_FILES["n33.bin"]


def test_syn_ack_is_repeated_after_hundreds_that_nobody_answered(make_engine: Make) -> None:
    engine = large(make_engine)
    for number in range(256):
        Peer(engine, port=20_000 + number).send("S", mss=1460)
        if number % 51 == 50:
            engine.advance(2000)
    assert engine.counters["count_retransmit_timeout"] == 2 * 255
    engine.advance(2000)
    assert engine.counters["count_retransmit_timeout"] == 2 * 256


def test_syn_ack_is_not_repeated_into_a_frame(make_engine: Make) -> None:
    """A frame half received when the SYN-ACK is due is read to its end, and its own sender gets the answer."""
    engine = large(make_engine)
    peer, other = Peer(engine), Peer(engine, port=40_001, address="10.0.0.9", mac=b"\2\0\0\0\0\x09")
    other.handshake()
    peer.send("S", mss=1460)
    peer.expect("SA")
    segment = other.make("PA", seq=1, ack=1, payload=get("/n33.bin")).pack(other.address, other.server)
    frame = other.link_frame(Ipv4(other.address, other.server, TCP_PROTOCOL, segment).pack())
    engine.octets_in(frame[:50])
    engine.advance(400)
    engine.octets_in(frame[50:])
    engine.frame_end()
    peer.collect()
    assert parsed(other.expect("A", seq=1).payload).body == MADE_FILES["n33.bin"]
    peer.expect_nothing()
    peer.expect("SA", seq=0, ack=1, within=1000)


def test_isn_depends_on_the_connection_and_on_the_secret(make_engine: Make) -> None:
    def isn(engine: Engine, port: int = 40000, iss: int = 1000, address: str = "10.0.0.2") -> int:
        peer = Peer(engine, port=port, iss=iss, address=address)
        peer.send("S", mss=1460)
        return peer.next_segment().seq

    engine = make_engine()
    isns = [isn(engine), isn(engine, 40001), isn(engine, 40000, 1001), isn(engine, 40000, 1000, "10.0.0.3")]
    isns += [isn(make_engine(seed=seed)) for seed in range(2, 22)]
    assert len(set(isns)) == len(isns)
    engine.reset()
    assert isn(engine) not in isns


def test_isn_moves_on_with_time(make_engine: Make) -> None:
    engine = make_engine()
    seen = []
    for _ in range(6):
        peer = Peer(engine)
        peer.send("S", mss=1460)
        seen.append(peer.next_segment().seq)
        engine.advance(300_000)
    assert len(set(seen)) > 1


@pytest.mark.parametrize(
    "mss", [88, 89, 90, 91, 92, 127, 128, 200, 256, 535, 536, 537, 1000, 1459, 1460, 1461, 9000, 65535]
)
def test_mss_is_never_exceeded_and_used_to_the_last_chunk(make_engine: Make, mss: int) -> None:
    for chunk in (4, 32, 128):
        peer = Peer(make_engine(chunk=chunk))
        peer.handshake(mss=mss)
        octets = get("/n57254.bin")
        ask(peer, octets)
        sizes: list[int] = []
        received = bytearray()
        while segments := peer.take_all():
            for segment in segments:
                sizes.append(len(segment.payload))
                received += segment.payload
                peer.send("A", seq=1 + len(octets), ack=1 + len(received))
        assert parsed(bytes(received)).body == MADE_FILES["n57254.bin"]
        assert max(sizes) <= min(mss, 1460)
        if mss >= 2 * chunk + 88:
            middle = sizes[2:-1]
            assert min(middle) > min(mss, 1460) - chunk - 16, (chunk, sizes)


def test_mss_option_absent_means_536(engine: Engine) -> None:
    peer = Peer(engine)
    peer.handshake(mss=None)
    octets = get("/n57254.bin")
    ask(peer, octets)
    assert max(len(segment.payload) for segment in peer.take_all()) in range(500, 537)


@pytest.mark.parametrize("mss", [0, 1, 20, 64, 87])
def test_mss_below_88_is_dropped_and_counted(engine: Engine, mss: int) -> None:
    peer = Peer(engine)
    peer.send("S", mss=mss)
    peer.expect_nothing(5000)
    assert engine.counters["drop_tcp_mss"] == 1


def test_mss_rides_in_the_cookie_for_a_while(engine: Engine) -> None:
    peer = Peer(engine)
    peer.handshake(mss=300)
    peer.wait(20_000)
    octets = get("/n4000.bin")
    ask(peer, octets)
    body = peer.receive(seq=1 + len(octets))
    assert parsed(body).body == MADE_FILES["n4000.bin"]


@pytest.mark.parametrize("wrong", [1, -1, 1 << 8, 1 << 16, 1 << 31, 0x5A5A5A5A])
def test_guessed_acknowledgment_opens_nothing(engine: Engine, wrong: int) -> None:
    peer = Peer(engine)
    peer.send("S", mss=1460)
    peer.expect("SA")
    peer.send("PA", seq=1, ack=1 + wrong, payload=get("/count"))
    assert all(segment.flags & Flags.R and not segment.payload for segment in peer.take_all(within=3000))
    assert engine.persistent_writes == 0


def test_cookie_is_of_one_connection_only(engine: Engine) -> None:
    peer = Peer(engine)
    peer.send("S", mss=1460)
    peer.expect("SA")
    for other in (Peer(engine, port=40001), Peer(engine, address="10.0.0.3"), Peer(engine, iss=1001)):
        other.irs = peer.irs
        other.send("PA", seq=1, ack=1, payload=get("/count"))
        answers = other.take_all(within=3000)
        if other.iss == peer.iss:
            assert answers and all(segment.flags & Flags.R for segment in answers)
        else:  # one octet ahead of the first
            assert [(s.flags, s.ack, s.payload) for s in answers] == [(Flags.A, 0, b"")], answers
        assert engine.persistent_writes == 0


def test_cookie_grows_old(engine: Engine) -> None:
    peer = Peer(engine)
    peer.handshake()
    peer.wait(3_600_000)
    ask(peer, get("/count"))
    peer.expect("R", seq=1)
    assert engine.persistent_writes == 0
    served(peer)


def test_data_may_come_with_the_last_ack(engine: Engine) -> None:
    peer = Peer(engine)
    peer.send("S", mss=1460)
    peer.expect("SA", ack=1)
    octets = get("/n33.bin")
    ask(peer, octets)
    answer = peer.expect("A", seq=1, ack=1 + len(octets))
    assert parsed(answer.payload).body == MADE_FILES["n33.bin"]


@pytest.mark.parametrize("iss", [0xFFFFFFF0, 0xFFFFFFFF, 0, 0x7FFFFFF0, 0x7FFFFFFF, 0x80000000])
def test_sequence_numbers_wrap(engine: Engine, iss: int) -> None:
    peer = Peer(engine, iss=iss)
    peer.handshake()
    octets = get("/n4000.bin")
    ask(peer, octets)
    assert parsed(peer.receive(seq=1 + len(octets))).body == MADE_FILES["n4000.bin"]


# ---------------------------------------------------------------- what is not for us (RFC 9293 section 3.10.7.1)


@pytest.mark.parametrize("data", [b"", b"12345"])
def test_syn_to_a_closed_port(engine: Engine, data: bytes) -> None:
    peer = Peer(engine, remote_port=81)
    peer.irs = 0
    peer.send("S", mss=1460, payload=data)
    peer.expect("RA", seq=0, ack=1 + len(data), length=0)


def test_ack_to_a_closed_port(engine: Engine) -> None:
    peer = Peer(engine, remote_port=443)
    peer.irs = 0
    peer.send("A", seq=5, ack=4711, payload=b"x")
    peer.expect("R", seq=4711, length=0)


def test_ack_to_listen(engine: Engine) -> None:
    peer = Peer(engine)
    peer.irs = 0
    peer.send("A", seq=5, ack=4711)
    peer.expect("R", seq=4711, length=0)
    peer.send("SA", seq=5, ack=99)
    peer.expect("R", seq=99, length=0)
    peer.send("FA", seq=5, ack=77)
    peer.expect("R", seq=77, length=0)


@pytest.mark.parametrize("port", [80, 81])
@pytest.mark.parametrize("flags", ["R", "RA", "RS", "RSA", "RF", "RPU"])
def test_rst_is_never_answered(engine: Engine, flags: str, port: int) -> None:
    peer = Peer(engine, remote_port=port)
    peer.send(flags, seq=5, ack=7)
    peer.expect_nothing(5000)


@pytest.mark.parametrize("flags", ["-", "F", "U", "P", "FPU", "PU"])
def test_no_syn_ack_without_syn(engine: Engine, flags: str) -> None:
    peer = Peer(engine)
    peer.irs = 0
    peer.send(flags, seq=5)
    for segment in peer.take_all(within=3000):
        assert segment.flags & 4, segment


@pytest.mark.parametrize("flags", ["SEC", "SE", "SC", "SP"])
def test_syn_with_ecn_is_a_syn(engine: Engine, flags: str) -> None:
    peer = Peer(engine)
    peer.send(flags, mss=1460, reserved=15 if flags == "SP" else 0)
    peer.expect("SA", ack=1)


def test_reset_answers_the_network_and_not_a_forgotten_peer(engine: Engine) -> None:
    """A device that was reset knows no connection: it sends a RST, and the client tries again."""
    peer = Peer(engine)
    peer.handshake()
    octets = get("/n57254.bin")
    ask(peer, octets)
    peer.take_all()
    engine.reset()
    peer.send("A", seq=1 + len(octets), ack=500)
    peer.expect("R", seq=500)
    served(peer)
