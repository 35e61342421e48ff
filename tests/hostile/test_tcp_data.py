# SPDX-License-Identifier: MIT
"""Hostile and edge cases X074..X124: data, closing, resources."""

import itertools
import random

import pytest

from tests.harness import Make
from tests.property.test_harm import surf
from tests.segments.test_retransmit import END, begin, drain
from tests.support import BIG, MADE_FILES, ask, exchange, get, parsed, served
from whit.model.policy import Options
from whit.wire.packet import Flags
from whit.wire.units import MS, SECOND
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment
from whit_testbed.net import Net
from whit_testbed.trace import Peer

REQUEST = get("/n33.bin")
AT = 1 + len(REQUEST)


def opened(engine: Engine, port: int = 40000) -> Peer:
    peer = Peer(engine, port=port)
    peer.handshake()
    return peer


def test_x074_one_octet_segments(engine: Engine) -> None:
    client = exchange(engine, REQUEST, options=Options(segment=1))
    assert client.responses[0].body == MADE_FILES["n33.bin"]


def test_x076_reverse_order(engine: Engine) -> None:
    peer = opened(engine)
    octets = get("/count")
    pieces = [(at, octets[at : at + 10]) for at in range(0, len(octets), 10)]
    for _ in range(5):
        for at, piece in reversed(pieces):
            ask(peer, piece, at=1 + at)
    said = {segment.seq: segment.payload for segment in peer.take_all() if segment.payload}
    assert parsed(b"".join(said[seq] for seq in sorted(said))).body == b"run 1"
    assert engine.persistent_writes == 1


def test_x077_overlap(engine: Engine) -> None:
    peer = opened(engine)
    ask(peer, REQUEST[:20])
    ask(peer, REQUEST[10:], at=11)
    assert parsed(peer.take_all()[-1].payload).body == MADE_FILES["n33.bin"]


def test_x079_three_times_each(engine: Engine) -> None:
    peer = opened(engine)
    octets = get("/typed?octet=12&number=34&text=fivesix")
    for at in range(0, len(octets), 3):
        for _ in range(3):
            ask(peer, octets[at : at + 3], at=1 + at)
    assert parsed(next(s for s in peer.take_all() if s.payload).payload).body.startswith(b"12 34 [fivesix]")


def test_x080_ahead(engine: Engine) -> None:
    """Octets ahead get an acknowledgment on a connection with a slot. Before a request's first octet they are dropped
    silently."""
    peer = opened(engine)
    ask(peer, REQUEST[:10])
    peer.expect("A", ack=11)
    peer.send("PA", seq=61, ack=1, payload=b"x" * 50)
    peer.expect("A", seq=1, ack=11, length=0)


def test_x082_never_acknowledged(engine: Engine) -> None:
    peer = opened(engine)
    ask(peer, REQUEST)
    first = peer.expect("A", seq=1)
    times = [engine.now_ms]
    while not peer.queue or peer.queue[0][0] - times[0] < 1_000_000:
        time_ms, _ = peer.queue[0] if peer.queue else (0, b"")
        if not peer.queue:
            peer.wait(60_000)
            if engine.now_ms - times[-1] > 200_000:
                break
            continue
        segment = peer.next_segment()
        if segment.flags & Flags.R:
            assert time_ms - times[0] >= 100_000
            break
        assert segment.payload == first.payload
        times.append(time_ms)
    gaps = [b - a for a, b in itertools.pairwise(times)]
    assert len(gaps) >= 6
    assert all(b > 1.8 * a for a, b in itertools.pairwise(gaps) if b < 59_000)
    peer.expect_nothing(100_000)
    served(peer)


@pytest.mark.parametrize("cut", range(1, 1600, 97))
def test_x083_ack_in_the_middle(engine: Engine, cut: int) -> None:
    peer, first = begin(engine)
    stream = bytearray(b"".join(segment.payload for segment in first)[:cut])
    peer.send("A", seq=END, ack=1 + cut)
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


def test_x083_ack_in_the_middle_of_generated_content(engine: Engine) -> None:
    octets = get("/lines?cnt=300")
    body = b"".join(b"line %d\n" % (1000000000 + i) for i in range(300))
    for cut in (1, 60, 61, 80, 100, 500, 777):
        peer = opened(engine, port=42_000 + cut)
        ask(peer, octets)
        first = b"".join(segment.payload for segment in peer.take_all())
        stream = bytearray(first[:cut])
        peer.send("A", seq=1 + len(octets), ack=1 + cut)
        drain(peer, stream, at=1 + len(octets))
        assert parsed(bytes(stream)).body == body


def test_x085_three_duplicates(engine: Engine) -> None:
    peer, first = begin(engine)
    for _ in range(4):
        peer.send("A", seq=END, ack=first[1].seq)
    assert first[1].seq in {segment.seq for segment in peer.take_all()}
    assert engine.counters["count_retransmit_fast"] == 1


def test_x086_ack_beyond(engine: Engine) -> None:
    peer, first = begin(engine)
    end = first[-1].seq + len(first[-1].payload)
    peer.send("A", seq=END, ack=end + 50_000)
    peer.expect("A", seq=end, length=0)
    stream = bytearray(b"".join(segment.payload for segment in first))
    peer.send("A", seq=END, ack=1 + len(stream))
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


def test_x088_window_0_with_the_request(engine: Engine) -> None:
    peer, first = begin(engine, wnd=0)
    assert sum(len(segment.payload) for segment in first) <= 1
    assert all(len(segment.payload) <= 1 for segment in peer.take_all(within=3500))
    peer.send("A", seq=END, ack=1, wnd=65535)
    stream = bytearray()
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


def test_x089_window_update_lost(engine: Engine) -> None:
    peer, first = begin(engine, wnd=3000)
    stream = bytearray(b"".join(segment.payload for segment in first))
    peer.send("A", seq=END, ack=1 + len(stream), wnd=0)
    probe = peer.expect("A", within=2000)
    assert len(probe.payload) <= 1
    peer.send("A", seq=END, ack=1 + len(stream), wnd=30_000)
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


def test_x091_window_shrunk(engine: Engine) -> None:
    peer, _first = begin(engine, wnd=4096)
    peer.send("A", seq=END, ack=1, wnd=200)
    assert all(segment.seq - 1 + len(segment.payload) <= 200 for segment in peer.take_all(within=8000))
    peer.send("A", seq=END, ack=1, wnd=65535)
    stream = bytearray()
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


def test_x092_window_1(engine: Engine) -> None:
    peer, first = begin(engine, wnd=1)
    stream = bytearray(b"".join(segment.payload for segment in first))
    assert len(stream) == 1
    peer.send("A", seq=END, ack=2, wnd=65535)
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


@pytest.mark.parametrize("urgent", [0, 1, 3, 100, 65535])
@pytest.mark.parametrize("flags", ["UA", "UPA", "UFA"])
@pytest.mark.parametrize("payload", [b"", REQUEST])
def test_x094_urgent(engine: Engine, urgent: int, flags: str, payload: bytes) -> None:
    peer = opened(engine)
    peer.send(flags, seq=1, ack=1, payload=payload, urgent=urgent)
    stream = b"".join(segment.payload for segment in peer.take_all())
    if payload:
        assert parsed(stream).body == MADE_FILES["n33.bin"]
    served(peer)


def test_x095_data_without_ack(engine: Engine) -> None:
    peer = opened(engine)
    peer.send("P", seq=1, payload=get("/count"))
    assert all(not segment.payload for segment in peer.take_all(within=3000))
    assert engine.persistent_writes == 0


@pytest.mark.parametrize(
    "option",
    [
        b"\x05\x0a" + b"\xff" * 4 + b"\0" * 4,
        b"\x05\x12" + b"\x80" * 16,
        b"\x05\x02",
        b"\x05\x09" + b"\1" * 7,
        b"\x05\x22" + b"\x11" * 10,
        b"\x05",
    ],
)
def test_x097_sack_nobody_asked_for(engine: Engine, option: bytes) -> None:
    peer, first = begin(engine)
    for segment in first[:5]:
        peer.send("A", seq=END, ack=segment.seq, options=option)
    stream = bytearray(b"".join(segment.payload for segment in first))
    peer.take_all()
    peer.send("A", seq=END, ack=1 + len(stream))
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


def test_x098_above_our_mss(engine: Engine) -> None:
    peer = opened(engine)
    octets = get("/n33.bin", "X: " + "y" * 3000)
    for _ in range(20):
        peer.send("PA", seq=1, ack=1, payload=octets)
        if any(segment.payload for segment in peer.take_all()):
            return
    raise peer.error("never answered")


def test_x100_segments_fit_the_mtu(engine: Engine) -> None:
    peer, _ = begin(engine, mss=9000)
    peer.queue.clear()
    peer.wait(3000)
    assert all(len(frame) <= 1514 for _, frame in peer.queue)


def test_x101_ten_octets_and_silence(engine: Engine) -> None:
    peer = opened(engine)
    ask(peer, REQUEST[:10])
    peer.expect("A", ack=11, within=500)


def test_x103_bad_wire(make_engine: Make, seed: int) -> None:
    harm = Impairment(delay_us=2 * MS, loss=0.05, duplicate=0.02, reorder=0.05, corrupt=0.02)
    net = Net(make_engine(connections=2, seed=seed & 0xFFFFFFFF), up=harm, seed=seed)
    surf(net, random.Random(seed), 1460, clients=3, requests=100)


@pytest.mark.slow
@pytest.mark.parametrize(
    "harm", [Impairment(loss=0.2), Impairment(loss=0.03, burst=8), Impairment(outage=(60 * SECOND, 10 * SECOND))]
)
def test_x104_worse_wire(make_engine: Make, seed: int, harm: Impairment) -> None:
    net = Net(make_engine(connections=2, seed=seed & 0xFFFFFFFF), up=harm, seed=seed)
    surf(net, random.Random(seed), 536, clients=3, requests=30)
    net.idle(700)
    served(Peer(net.engine, port=50_000))


# ---------------------------------------------------------------- closing


def test_x106_rst_in_the_window(engine: Engine) -> None:
    peer, first = begin(engine)
    peer.send("R", seq=END + 10)
    assert [segment.flags for segment in peer.take_all()] == [Flags.A]
    stream = bytearray(b"".join(segment.payload for segment in first))
    peer.send("A", seq=END, ack=1 + len(stream))
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


@pytest.mark.parametrize("offset", [-1, -1000, 200_000, 1 << 30, (1 << 31) - 1])
def test_x107_rst_elsewhere(engine: Engine, offset: int) -> None:
    peer, first = begin(engine)
    peer.send("R", seq=END + offset)
    peer.send("R", seq=END, sum=0x2222)
    peer.expect_nothing()
    stream = bytearray(b"".join(segment.payload for segment in first))
    peer.send("A", seq=END, ack=1 + len(stream))
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


def test_x109_connection_close(engine: Engine) -> None:
    client = exchange(engine, get("/n33.bin", "Connection: close"))
    connection = client.connection
    connection.loop.run(lambda: connection.peer_closed, for_us=SECOND)
    connection.close()
    connection.loop.run(lambda: connection.finished, for_us=SECOND // 2)
    assert not connection.reset


@pytest.mark.parametrize("target", ["/n33.bin", "/n57254.bin", "/lines?cnt=300"])
def test_x110_half_close(engine: Engine, target: str) -> None:
    net = Net(engine, up=Impairment(delay_us=10 * MS))
    client = net.host().client()
    client.ask(target)
    client.connection.close()
    net.run(client, for_s=60)
    assert client.responses[0].status == 200
    net.loop.run(lambda: client.connection.finished, for_us=SECOND)
    assert not client.connection.reset


def test_x112_fin_ahead(engine: Engine) -> None:
    peer = opened(engine)
    ask(peer, REQUEST[:10])
    peer.send("FA", seq=AT, ack=1)
    assert {segment.ack for segment in peer.take_all()} == {11}


def test_x113_fin_never_acknowledged(engine: Engine) -> None:
    peer = opened(engine)
    octets = get("/n1.bin", "Connection: close")
    ask(peer, octets)
    length = len(peer.expect("FA").payload)
    peer.send("A", seq=1 + len(octets), ack=1 + length)
    assert len([segment for segment in peer.take_all(within=150_000) if segment.flags & Flags.F]) >= 5
    peer.take_all(within=300_000)
    peer.expect_nothing(300_000)
    served(peer)


def test_x115_data_after_rst(engine: Engine) -> None:
    peer = opened(engine)
    ask(peer, REQUEST)
    end = 1 + len(peer.expect("A").payload)
    peer.send("R", seq=AT)
    peer.send("PA", seq=AT, ack=end, payload=REQUEST)
    peer.expect("R", seq=end, length=0)


@pytest.mark.parametrize("ack", [1 - 100_000, 1 - (1 << 30), 500_000, 1 << 30])
def test_x116_data_with_a_wrong_ack(engine: Engine, ack: int) -> None:
    peer = opened(engine)
    ask(peer, REQUEST[:10])
    peer.expect("A", ack=11)
    peer.send("PA", seq=11, ack=ack, payload=REQUEST[10:])
    for segment in peer.take_all(within=1000):
        reset = segment.flags & Flags.R and segment.seq == ack % (1 << 32)  # the position of such a peer
        assert not segment.payload and (reset or segment.ack == 11)
    ask(peer, REQUEST[10:], at=11)
    assert parsed(peer.expect("A").payload).status == 200


def test_x118_many_rsts(engine: Engine) -> None:
    peer, _ = begin(engine)
    for _ in range(200):
        peer.send("R", seq=END + 10)
    assert len(peer.take_all()) <= 20


# ---------------------------------------------------------------- resources


@pytest.mark.slow
def test_x119_syn_flood(make_engine: Make) -> None:
    engine = make_engine(connections=1, idle=2)
    rng = random.Random(119)
    for _ in range(10_000):
        address = f"10.{rng.randrange(1, 255)}.{rng.randrange(256)}.{rng.randrange(1, 255)}"
        peer = Peer(engine, address=address, port=rng.randrange(1024, 65536), iss=rng.getrandbits(32))
        peer.send("S", mss=1460)
    served(Peer(engine))


def test_x121_many_established(make_engine: Make) -> None:
    engine = make_engine(connections=1, idle=4)
    for i in range(64):
        opened(engine, port=20_000 + i)
    served(Peer(engine))


def test_x122_stalled_at_window_0(make_engine: Make) -> None:
    engine = make_engine(connections=4)
    for i in range(20):
        peer = Peer(engine, port=20_000 + i)
        peer.handshake(wnd=0)
        ask(peer, get("/n4000.bin"), wnd=0)
    engine.advance(15_000)
    served(Peer(engine))


def test_x124_open_close_and_reset(make_engine: Make) -> None:
    engine = make_engine(connections=2)
    net = Net(engine)
    host = net.host()
    for i in range(500):
        client = host.client()
        client.ask("/n57254.bin" if i % 5 < 2 else "/n1.bin")
        if i % 5 < 2:
            client.wait(lambda connection: len(connection.received) > 5000)
            client.connection.abort()
        else:
            net.run(client)
            client.connection.close()
            net.idle(0.01)
    assert net.get(host.client(), "/n33.bin", for_s=1).status == 200
    assert net.get(host.client(), "/n33.bin", for_s=1).status == 200
