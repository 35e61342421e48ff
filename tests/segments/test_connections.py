# SPDX-License-Identifier: MIT
"""Slots and tags: a connection holds memory only while something is in flight, and makes room when it does not."""

import pytest

from tests.harness import Make
from tests.segments.test_retransmit import begin
from tests.support import BIG, MADE_FILES, ask, get, parsed, served
from whit.model.policy import Options
from whit.wire.units import MS
from whit_testbed.http import Client
from whit_testbed.link import Impairment
from whit_testbed.net import Net
from whit_testbed.trace import Peer

REQUEST = get("/n33.bin")


def use(peer: Peer, at: int, position: int, octets: bytes = REQUEST) -> tuple[int, int]:
    """Sends one request on a connection, and acknowledges the response."""
    peer.send("PA", seq=at, ack=position, payload=octets)
    answer = peer.expect("A", seq=position, ack=at + len(octets)).payload
    answer += b"".join(segment.payload for segment in peer.take_all())  # what is kept has its head apart
    assert parsed(answer).status == 200
    at, position = at + len(octets), position + len(answer)
    peer.send("A", seq=at, ack=position)
    peer.expect_nothing()
    return at, position


@pytest.mark.parametrize("connections", [1, 2, 4])
def test_browser_opens_more_connections_than_there_are_slots(make_engine: Make, connections: int) -> None:
    net = Net(make_engine(connections=connections, idle=8), up=Impairment(delay_us=10 * MS))
    clients = [net.host().client(Options(rto_min=200 * MS)) for _ in range(6)]
    for turn in range(4):
        for i, client in enumerate(clients):
            client.ask("/n4000.bin" if (i + turn) % 2 else "/prose.txt")
        net.run(*clients, for_s=120)
    assert all(len(client.responses) == 4 for client in clients)
    for i, client in enumerate(clients):
        for turn, response in enumerate(client.responses):
            assert response.body == MADE_FILES["n4000.bin" if (i + turn) % 2 else "prose.txt"]
    assert not any(client.connection.reset for client in clients)


@pytest.mark.parametrize("pause_s", [1, 60, 115])
def test_idle_connection_goes_on(make_engine: Make, pause_s: int) -> None:
    peer = Peer(make_engine())
    peer.handshake(mss=300)
    at, position = use(peer, 1, 1)
    for _ in range(3):
        peer.wait(pause_s * 1000)
        at, position = use(peer, at, position)
    octets = get("/n4000.bin")
    peer.send("PA", seq=at, ack=position, payload=octets)
    assert max(len(segment.payload) for segment in peer.take_all()) <= 300  # the tag knows the MSS


def test_fifty_idle_connections(make_engine: Make) -> None:
    engine = make_engine(idle=50)
    peers = [Peer(engine, port=30_000 + i, iss=i * 7919) for i in range(50)]
    places = []
    for peer in peers:
        peer.handshake()
        places.append(use(peer, 1, 1))
    engine.advance(50_000)
    for peer, (at, position) in zip(peers, places, strict=True):
        use(peer, at, position)
    assert engine.counters["count_tag_evicted"] == 0


def test_oldest_idle_connection_makes_room(make_engine: Make) -> None:
    engine = make_engine(idle=5)  # with fewer, young ones do not make room (test_promises.py)
    peers = [Peer(engine, port=30_000 + i) for i in range(7)]
    places = []
    for peer in peers:
        peer.handshake()
        places.append(use(peer, 1, 1))
        engine.advance(10_000)
    assert engine.counters["count_tag_evicted"] == 2
    for peer, (at, position) in list(zip(peers, places, strict=True))[2:]:
        use(peer, at, position)
    for peer, (at, position) in list(zip(peers, places, strict=True))[:2]:
        peer.send("PA", seq=at, ack=position, payload=REQUEST)
        peer.expect("R", seq=position)


def test_idle_connection_is_forgotten_at_last(make_engine: Make) -> None:
    engine = make_engine(idle_timeout_s=20)
    peer = Peer(engine)
    peer.handshake()
    at, position = use(peer, 1, 1)
    peer.wait(40_000)
    peer.send("PA", seq=at, ack=position, payload=REQUEST)
    peer.expect("R", seq=position)


def test_lost_answer_to_the_request_that_became_idle(make_engine: Make) -> None:
    """The last acknowledgment confirms the whole response; a repeated request is old then."""
    engine = make_engine()
    peer = Peer(engine)
    peer.handshake()
    octets = get("/count")
    at, position = use(peer, 1, 1, octets)
    peer.send("PA", seq=1, ack=1, payload=octets)
    assert all(not segment.payload for segment in peer.take_all(within=1000))
    assert engine.persistent_writes == 1
    use(peer, at, position)


def test_slow_request_gets_408_and_frees_its_slot(make_engine: Make) -> None:
    engine = make_engine(connections=1, request_timeout_s=5)
    peer = Peer(engine)
    peer.handshake()
    ask(peer, REQUEST[:10])
    peer.expect("A", ack=11)
    for i in range(4):
        peer.wait(1000)
        ask(peer, REQUEST[10 + i : 11 + i], at=11 + i)
        peer.expect("A", ack=12 + i)
    answer = peer.expect("FA", seq=1, within=3000)
    response = parsed(answer.payload)
    assert (response.status, response.field("connection")) == (408, "close")
    peer.send("FA", seq=15, ack=2 + len(answer.payload))
    peer.take_all()
    served(peer)


@pytest.mark.parametrize("connections", [1, 2, 4])
def test_stalled_requests_give_way_to_a_newcomer(make_engine: Make, connections: int) -> None:
    engine = make_engine(connections=connections)
    for i in range(connections):
        peer = Peer(engine, port=30_000 + i)
        peer.handshake()
        ask(peer, b"G")
        peer.expect("A", ack=2)
    engine.advance(3000)
    served(Peer(engine))
    assert engine.counters["count_slot_evicted"] == 1


@pytest.mark.parametrize("connections", [1, 2])
def test_stalled_responses_give_way_to_a_newcomer(make_engine: Make, connections: int) -> None:
    engine = make_engine(connections=connections)
    for i in range(connections):
        peer = Peer(engine, port=30_000 + i)
        peer.handshake(wnd=0)
        ask(peer, REQUEST, wnd=0)
    engine.advance(10_000)
    served(Peer(engine))


def test_newcomer_waits_for_no_slot_in_vain(make_engine: Make) -> None:
    """All slots are busy: the newcomer's segment is dropped and retransmitted."""
    engine = make_engine(connections=1)
    busy, first = begin(engine)
    newcomer = Peer(engine, port=30_000)
    newcomer.handshake()
    ask(newcomer, REQUEST)
    newcomer.expect_nothing()
    assert engine.counters["drop_no_slot"] == 1
    at, end = 1 + len(get("/n57254.bin")), first[-1].seq + len(first[-1].payload)
    while end < len(BIG):
        busy.send("A", seq=at, ack=end)
        end = max(segment.seq + len(segment.payload) for segment in busy.take_all())
    busy.send("A", seq=at, ack=end)
    ask(newcomer, REQUEST)
    assert parsed(newcomer.expect("A").payload).status == 200


def test_half_open_connections_cost_nothing(make_engine: Make) -> None:
    engine = make_engine(connections=1, idle=1)
    for i in range(2000):
        peer = Peer(engine, port=1024 + i, address=f"10.1.{i >> 8}.{i & 255}", iss=i * 31)
        peer.send("S", mss=1460)
        peer.expect("SA", ack=1)
    served(peer)


def test_opened_and_never_asked_costs_nothing(make_engine: Make) -> None:
    engine = make_engine(connections=1, idle=1)
    peers = [Peer(engine, port=20_000 + i) for i in range(64)]
    for peer in peers:
        peer.handshake()
    for peer in peers:
        octets = get("/n33.bin")
        ask(peer, octets)
        answer = peer.expect("A")
        assert parsed(answer.payload).status == 200
        peer.send("A", seq=1 + len(octets), ack=1 + len(answer.payload))


def test_three_hundred_connections_lose_no_slot(make_engine: Make) -> None:
    engine = make_engine(connections=2)
    for i in range(300):
        peer = Peer(engine, port=10_000 + i)
        peer.handshake()
        if i % 3 == 0:
            ask(peer, get("/n57254.bin"))
            peer.take_all()
            peer.send("R", seq=1 + len(get("/n57254.bin")))
        elif i % 3 == 1:
            octets = get("/n33.bin", "Connection: close")
            ask(peer, octets)
            end = 2 + len(peer.expect("FA").payload)
            peer.send("FA", seq=1 + len(octets), ack=end)
            peer.expect("A", ack=2 + len(octets))
        else:
            peer.send("FA", seq=1, ack=1)
            peer.expect("FA", ack=2)
    served(Peer(engine))
    served(Peer(engine, port=60_001))


def test_tables_of_both_kinds_behave_the_same(make_engine: Make) -> None:
    """A scan for small tables, hashing for large ones: the same requests, the same octets, the same order."""
    logs = []
    for idle in (64, 65):
        net = Net(
            make_engine(connections=4, idle=idle), up=Impairment(delay_us=7 * MS, loss=0.05, duplicate=0.05), seed=5
        )
        clients: list[Client] = [net.host(f"10.0.0.{2 + i}").client() for i in range(8)]
        for _ in range(3):
            for client in clients:
                client.ask("/n4000.bin")
            net.run(*clients)
        logs.append([response.body for client in clients for response in client.responses])
    assert logs[0] == logs[1] == [MADE_FILES["n4000.bin"]] * 24


@pytest.mark.parametrize("word", [2, 5, 7])
def test_a_timer_of_a_large_table_is_not_late_for_another_that_ended(make_engine: Make, word: int) -> None:
    """Timers are in lists of 16 ms, 32 lists a word. Removing one must not affect lists of the previous word."""
    other_at = (32 * word + 1) * 16 - 1000 + 4096
    engine = make_engine(connections=80, now_ms=other_at - 512)
    waiting, other = Peer(engine), Peer(engine, port=40001)
    waiting.handshake()
    ask(waiting, REQUEST)
    waiting.take_all()
    waiting.wait(512)
    other.handshake()
    use(other, 1, 1)
    waiting.next_segment(within=3000)
    assert 1000 <= engine.now_ms - (other_at - 512) <= 1016


def test_clock_wraps_in_a_transfer(make_engine: Make) -> None:
    for wrap in (1 << 32, 1 << 18, 1 << 16):
        net = Net(make_engine(now_ms=wrap - 700), up=Impairment(delay_us=40 * MS, loss=0.1), seed=wrap % 1000)
        client = net.host().client()
        for _ in range(6):
            assert net.get(client, "/n57254.bin", for_s=120).body == MADE_FILES["n57254.bin"]


@pytest.mark.parametrize("slots", [4, 80])
@pytest.mark.parametrize("gone", [(), (0,), (1,), (3,), (0, 1), (2, 3), (3, 2), (0, 1, 2, 3)])
def test_those_that_wait_for_the_driver_do_not_depend_on_each_other(
    make_engine: Make, slots: int, gone: tuple[int, ...]
) -> None:
    """Some clients reset their connections; the others, and later ones, get their turns."""
    engine = make_engine(connections=slots)
    peers = [Peer(engine, port=40000 + number) for number in range(4)]
    octets = get("/n33.bin")
    for peer in peers:
        peer.handshake()
    engine.limit(0)
    for peer in peers:
        ask(peer, octets)
    for number in gone:
        peers[number].send("R", seq=1 + len(octets))
    engine.limit(256)
    engine.pump()
    peers[0].collect()
    for number, peer in enumerate(peers):
        segments = peer.take_all()
        assert [parsed(segment.payload).status for segment in segments] == ([] if number in gone else [200])
        if segments:
            peer.send("A", seq=1 + len(octets), ack=1 + len(segments[0].payload))
    served(Peer(engine, port=41000))
