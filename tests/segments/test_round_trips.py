# SPDX-License-Identifier: MIT
"""The timeout of a lone segment: by measured round trips (RFC 6298 section 2), and by its request's retransmission."""

import itertools

import pytest

from tests.harness import Make
from tests.support import ask, get
from whit_testbed.engine import Engine
from whit_testbed.trace import Peer

DELAYED_ACK = 200  # ms that a peer may wait with the acknowledgment of a lone segment
GRAIN = 16  # ms: of the stamp, while the RTO is longer than 1020 ms


def expected_ms(round_trips: list[int]) -> tuple[float, float]:
    """Returns the time of a lone segment's probe, and of the timeout after it: by (2.2) and (2.3), with the minimum
    (docs/internals/tcp.md)."""
    srtt, rttvar = float(round_trips[0]), round_trips[0] / 2
    for trip in round_trips[1:]:
        rttvar = 0.75 * rttvar + 0.25 * abs(srtt - trip)
        srtt = 0.875 * srtt + 0.125 * trip
    return 2 * srtt + DELAYED_ACK, srtt + max(4 * rttvar, 200 + 2 * srtt)


@pytest.mark.parametrize("round_trips", [[800], [800, 100], [800, 100, 100], [800, 100, 800], [400, 50]])
def test_timers_by_the_first_round_trips(engine: Engine, round_trips: list[int]) -> None:
    peer = Peer(engine)
    peer.handshake()
    octets = get("/n33.bin")
    at, position = 1, 1
    for trip in [*round_trips, None]:
        peer.send("PA", seq=at, ack=position, payload=octets)
        at += len(octets)
        length = len(peer.expect("A", seq=position, ack=at).payload)
        if trip is None:
            break
        peer.wait(trip)
        position += length
        peer.send("A", seq=at, ack=position)
        peer.expect_nothing()
    probe, rto = expected_ms(round_trips)
    for number, (time, grain) in enumerate(((probe, GRAIN), (rto, GRAIN), (2 * rto, 2 * GRAIN))):
        assert abs(engine.next_ms() - time) <= grain, number
        assert len(peer.next_segment(within=10_000).payload) == length


@pytest.mark.parametrize("late", [0, 4])
def test_the_stamp_has_a_tick_s_grain_up_to_an_rto_of_255_ticks(engine: Engine, late: int) -> None:
    """272 ms give just that: the next round trip is measured to a tick, at which tick it ever begins."""
    peer = Peer(engine)
    peer.handshake()
    octets = get("/n33.bin")
    at, position = 1, 1
    for trip in (272, 300, 0):
        peer.send("PA", seq=at, ack=position, payload=octets)
        at += len(octets)
        length = len(peer.expect("A", seq=position, ack=at).payload)
        if trip == 0:
            break
        peer.wait(trip)
        position += length
        peer.send("A", seq=at, ack=position)
        peer.expect_nothing()
        peer.wait(late)
    assert engine.next_ms() == 2 * 272 + DELAYED_ACK + 4


@pytest.mark.parametrize("connections", [2, 80])
def test_a_restart_forgets_what_was_measured(make_engine: Make, connections: int) -> None:
    engine = make_engine(connections=connections)
    for expected in (range(1000, 1033), range(200, 400), range(1000, 1033)):
        peer = Peer(engine, port=40000 + expected.start)
        peer.handshake()
        ask(peer, get("/n33.bin"))
        length = len(peer.expect("A", seq=1).payload)
        waited = engine.next_ms()
        assert waited in expected
        if waited < 1000:
            engine.reset()
            continue
        peer.wait(20)
        peer.send("A", seq=1 + len(get("/n33.bin")), ack=1 + length)


@pytest.mark.parametrize("rtt", [0, 20, 100])
def test_where_there_is_room_timeouts_do_not_double_without_end(make_engine: Make, rtt: int) -> None:
    """The first three timeouts of a measured host are equal, and all from five seconds on; there are more of them
    (docs/internals/tcp.md)."""
    engine = make_engine(repeats=8)
    peer = Peer(engine)
    peer.handshake()
    octets, at, position, times = get("/n33.bin"), 1, 1, [0]
    for _ in range(12 if rtt else 0):
        peer.send("PA", seq=at, ack=position, payload=octets)
        at += len(octets)
        position += len(peer.expect("A", seq=position, ack=at).payload)
        peer.wait(rtt)
        peer.send("A", seq=at, ack=position)
    peer.take_all()
    begun_ms = engine.now_ms
    peer.send("PA", seq=at, ack=position, payload=octets)
    while engine.counters["count_given_up"] == 0:
        peer.next_segment(within=15_000)
        times.append(engine.now_ms - begun_ms)
    gaps = [later - earlier for earlier, later in itertools.pairwise(times[2 if rtt else 1 :])]
    growth = [round(later / earlier, 1) for earlier, later in itertools.pairwise(gaps[:-1])]
    short = sum(gap < 4_950 for gap in gaps)
    linear = 3 if rtt else 0
    assert growth[:linear] == [1] * linear
    assert set(growth[linear : min(short, 6)]) == {2}
    assert all(sorted(pair) in ([1, 2], [2, 2]) for pair in itertools.pairwise(growth[min(short, 6) - 1 : short]))
    assert set(growth[short:]) == {1}
    assert 5_000 <= max(gaps) <= 10_100
    assert 100_000 <= times[-1] <= 200_000


@pytest.mark.parametrize("more", [False, True])
def test_a_request_that_comes_again_after_a_timeout(make_engine: Make, more: bool) -> None:
    """The sender lives, and has nothing of the response: with memory for it, the next timeout is immediate. Before a
    timeout, the request may be a late copy."""
    engine = make_engine(repeats=8 if more else 0)
    peer = Peer(engine)
    peer.handshake()
    request = get("/n33.bin")
    ask(peer, request)
    first = peer.expect("A", seq=1)
    ask(peer, request)
    peer.expect("A", seq=1 + len(first.payload), ack=1 + len(request), length=0)
    peer.wait(3_500)
    peer.take_all()
    ask(peer, request)
    answers = peer.take_all(within=8)
    assert (first.payload in [answer.payload for answer in answers]) == more
    peer.send("A", seq=1 + len(request), ack=1 + len(first.payload))
    peer.expect_nothing(30_000)
