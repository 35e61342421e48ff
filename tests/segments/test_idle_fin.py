# SPDX-License-Identifier: MIT
"""Idle connections that time out or are evicted: closed by a FIN where their addresses are stored (CLOSES_IDLE), else
forgotten. Each is served until the time that Keep-Alive promises."""

import itertools

import pytest

from tests.harness import Make
from tests.segments.test_connections import REQUEST, use
from tests.support import ask, get, parsed
from whit.wire.packet import Flags, Segment
from whit_testbed.engine import Engine
from whit_testbed.trace import Peer

TIMEOUT_S = 9
TIMEOUTS = [5, 6, 8, 9, 16, 17, 26, 27, 53, 54, 106, 107, 120, 200]  # on both sides of each unit of a tag's age


def rested(make: Make, *, link: str = "ethernet", **options: object) -> tuple[Engine, Peer, int, int]:
    """An idle connection, and its numbers."""
    engine = make(link=link, closes=True, **{"idle_timeout_s": TIMEOUT_S, **options})
    peer = Peer(engine)
    peer.handshake()
    return engine, peer, *use(peer, 1, 1)


def fins(peer: Peer, within: int) -> list[tuple[int, Segment]]:
    """Segments with a FIN, and after how many ms each came."""
    came = []
    begun = peer.engine.now_ms
    for _ in range(within // 20):
        came += [(peer.engine.now_ms - begun, one) for one in peer.take_all(within=20) if one.flags & Flags.F]
    return came


@pytest.mark.parametrize("link", ["ethernet", "slip"])
@pytest.mark.parametrize("answers", ["acknowledges", "closes"])
def test_an_idle_connection_is_closed_by_a_fin(make_engine: Make, link: str, answers: str) -> None:
    engine, peer, at, position = rested(make_engine, link=link)
    peer.expect_nothing(TIMEOUT_S * 1000)
    fin = peer.expect("FA", seq=position, ack=at, length=0, within=2100)
    if answers == "acknowledges":
        peer.send("A", seq=at, ack=position + 1)
        peer.expect_nothing(3000)
        peer.send("FA", seq=at, ack=position + 1)
        peer.expect("A", seq=position + 1, ack=at + 1)
    else:
        peer.send("FA", seq=at, ack=position + 1)
        peer.expect("A", seq=position + 1, ack=at + 1)
        peer.send("FA", seq=at, ack=position + 1)  # that acknowledgment was lost
        peer.expect("A", seq=position + 1, ack=at + 1)
    assert fin.wnd > 0
    peer.expect_nothing(20_000)
    assert engine.counters["count_retransmit_timeout"] == 0


def test_a_lost_fin_comes_again(make_engine: Make) -> None:
    """Twice as late each time; a peer that never answers is forgotten."""
    _, peer, at, position = rested(make_engine)
    came = fins(peer, 30_000)
    assert {(one.seq, one.ack, len(one.payload)) for _, one in came} == {(position, at, 0)}
    gaps = [later - earlier for (earlier, _), (later, _) in itertools.pairwise(came)]
    assert len(gaps) == 5 and gaps == sorted(gaps) and 240 <= gaps[0] <= 280 and gaps[-1] <= 4100
    peer.send("A", seq=at, ack=position + 1)
    peer.send("FA", seq=at, ack=position + 1)
    assert all(one.flags & (Flags.R | Flags.A) for one in peer.take_all())


def test_an_acknowledgment_ends_the_repetition(make_engine: Make) -> None:
    _, peer, at, position = rested(make_engine)
    peer.expect("FA", seq=position, within=12_000)
    peer.expect("FA", seq=position, within=300)
    peer.send("A", seq=at, ack=position + 1)
    peer.expect_nothing(20_000)


@pytest.mark.parametrize("fin_arrives", [True, False])
def test_a_request_that_crosses_the_fin_is_refused(make_engine: Make, fin_arrives: bool) -> None:
    """Data that no handler will read get a RST, within the peer's window (RFC 9293, 3.6, RFC 1122, 4.2.2.13). They have
    run no handler, and the peer may ask again on another connection (RFC 9112, 9.5)."""
    engine, peer, at, position = rested(make_engine)
    peer.expect("FA", seq=position, within=12_000)
    octets = get("/count")
    peer.send("PA", seq=at, ack=position, payload=octets)
    first, *others = peer.take_all(within=20)
    assert (first.flags & Flags.R, first.seq) == (Flags.R, position + 1)  # exact where the FIN has come
    assert [(one.flags & Flags.F, one.seq) for one in others] == [(Flags.F, position)]  # ... and else it comes now
    if not fin_arrives:  # ... and the earlier RST was not taken: the peer retransmits
        peer.send("A", seq=at + len(octets), ack=position + 1)
        peer.send("PA", seq=at, ack=position + 1, payload=octets)
        assert any(one.flags & Flags.R and one.seq == position + 1 for one in peer.take_all())
    assert engine.persistent_writes == 0


def test_both_close_at_once(make_engine: Make) -> None:
    """RFC 9293, 3.6, case 3: the peer's FIN does not acknowledge ours."""
    _, peer, at, position = rested(make_engine)
    peer.expect("FA", seq=position, within=12_000)
    peer.send("FA", seq=at, ack=position)
    peer.expect("A", seq=position + 1, ack=at + 1, length=0)
    peer.expect("FA", seq=position, within=300)  # the FIN is not acknowledged yet
    peer.send("A", seq=at + 1, ack=position + 1)
    peer.expect_nothing(20_000)


@pytest.mark.parametrize("closes", [True, False])
@pytest.mark.parametrize("timeout_s", TIMEOUTS)
def test_a_connection_lives_as_long_as_is_told(make_engine: Make, timeout_s: int, closes: bool) -> None:
    """A regression: idle_timeout_s of 5 to 8 closed every response. A request of the last second is answered, whenever
    the connection became idle. No connection lives much longer."""
    for now_ms in (1000, 8190):
        engine = make_engine(idle_timeout_s=timeout_s, idle=4, closes=closes, now_ms=now_ms)
        peer = Peer(engine)
        peer.handshake()
        at, position = use(peer, 1, 1)
        for _ in range(2):
            for _ in range(timeout_s - 1):
                peer.wait(1000)
            at, position = use(peer, at, position)
        peer.send("PA", seq=at, ack=position, payload=REQUEST)
        answer = peer.expect("A", seq=position)
        assert dict(parsed(answer.payload).fields)["keep-alive"] == f"timeout={timeout_s}"
        at, position = at + len(REQUEST), position + len(answer.payload)
        peer.send("A", seq=at, ack=position)
        came = [one for _ in range(timeout_s * 2 + 10) for one in peer.take_all(within=600)]
        assert bool(came) == closes
        peer.send("PA", seq=at, ack=position, payload=REQUEST)
        assert all(one.flags & Flags.R for one in peer.take_all())


def test_a_long_silence_takes_nothing_off(make_engine: Make) -> None:
    """A late turn of the main loop sweeps for its whole time, but the time does not count for a new connection."""
    engine = make_engine(idle_timeout_s=5)
    peer = Peer(engine)
    peer.handshake()
    at, position = use(peer, 1, 1)
    for _ in range(4):
        peer.wait(4000)
        at, position = use(peer, at, position)


def test_who_gives_up_its_place_is_told(make_engine: Make) -> None:
    """The oldest connection gets a FIN when evicted. A later segment of its peer is answered as on a closed
    connection.
    """
    engine = make_engine(closes=True, connections=2, idle=5)
    peers = [Peer(engine, port=30_000 + number) for number in range(7)]
    places = []
    for peer in peers:
        peer.handshake()
        places.append(use(peer, 1, 1))
        engine.advance(9000)
    assert engine.counters["count_tag_evicted"] == 2
    for peer, (at, position) in list(zip(peers, places, strict=True))[2:]:
        assert not any(one.flags & Flags.F for one in peer.take_all())
        use(peer, at, position)
    for peer, (at, position) in list(zip(peers, places, strict=True))[:2]:
        assert any(one.flags & Flags.F and one.seq == position and one.ack == at for one in peer.take_all())


@pytest.mark.parametrize("says", ["ack", "fin", "data"])
def test_what_the_displaced_one_says(make_engine: Make, says: str) -> None:
    engine = make_engine(closes=True, connections=2, idle=1)
    first, second = Peer(engine, port=30_001), Peer(engine, port=30_002)
    first.handshake()
    at, position = use(first, 1, 1)
    second.handshake()
    places = use(second, 1, 1)
    first.expect("FA", seq=position, ack=at, length=0, within=20)
    if says == "ack":
        first.send("A", seq=at, ack=position + 1)
        first.expect_nothing(10_000)
    elif says == "fin":
        first.send("FA", seq=at, ack=position + 1)
        first.expect("A", seq=position + 1, ack=at + 1)
        first.expect_nothing(10_000)
    else:
        first.send("PA", seq=at, ack=position + 1, payload=REQUEST)
        assert first.expect("R", seq=position + 1)
    use(second, *places)


def test_more_than_can_be_repeated(make_engine: Make) -> None:
    """A hundred connections end at once. Each gets its FIN; without a place for retransmissions, it gets it once."""
    engine = make_engine(closes=True, idle=100, idle_timeout_s=5)
    peers = [Peer(engine, port=30_000 + number, iss=number * 7919) for number in range(100)]
    for peer in peers:
        peer.handshake()
        use(peer, 1, 1)
    for _ in range(160):
        peers[0].wait(100)
    cnts = [sum(1 for one in peer.take_all() if one.flags & Flags.F) for peer in peers]
    assert min(cnts) == 1 and max(cnts) > 1


def test_without_memory_it_is_forgotten(make_engine: Make) -> None:
    engine = make_engine(idle_timeout_s=TIMEOUT_S)
    peer = Peer(engine)
    peer.handshake()
    at, position = use(peer, 1, 1)
    peer.expect_nothing(30_000)
    peer.send("PA", seq=at, ack=position, payload=REQUEST)
    peer.expect("R", seq=position)


def test_a_new_connection_of_the_port_ends_the_repetition(make_engine: Make) -> None:
    engine, peer, _, position = rested(make_engine)
    peer.expect("FA", seq=position, within=12_000)
    again = Peer(engine, port=peer.port, iss=500_000)
    again.handshake()
    ask(again, REQUEST)
    assert parsed(again.expect("A").payload).status == 200
    assert not any(one.flags & Flags.F for one in again.take_all(within=8000))
