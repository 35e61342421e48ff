# SPDX-License-Identifier: MIT
"""The small recovery from loss (docs/internals/tcp.md): its common part with the full one, and its own methods."""

from collections.abc import Callable
from types import ModuleType

import pytest

from tests.harness import engine_of, maker_of, on_target
from tests.segments import test_retransmit, test_window
from tests.segments.test_retransmit import END, begin, drain, span
from tests.support import BIG, ask, get, parsed
from whit_testbed.engine import Engine
from whit_testbed.trace import Peer

# Tests that need more than four segments in flight, NewReno, early retransmit, a tail-loss probe, or a fast clock.
OF_FULL = {
    "test_57_kB_take_three_round_trips",
    "test_acknowledgment_in_the_middle_of_a_segment",
    "test_back_off_is_forgotten_with_progress",
    "test_duplicates_that_are_none",
    "test_early_retransmit",
    "test_fast_retransmit_after_three_duplicates",
    "test_first_round_trip_takes_the_place_of_a_backed_off_rto",
    "test_initial_window_is_ten_segments",
    "test_local_link_starts_with_the_whole_window",
    "test_loss_of_a_whole_flight_after_a_few_round_trips",
    "test_new_segments_come_before_an_early_retransmit",
    "test_rto_is_three_round_trips_and_200_ms",
    "test_slow_start_doubles_each_round_trip",
    "test_stretch_acks_do_not_burst",
    "test_tail_loss_is_repaired_within_three_round_trips",
    "test_time_of_a_probe",
    "test_two_losses_in_a_window_are_repaired_without_a_timeout",
}


def of_both(module: ModuleType) -> dict[str, Callable[..., None]]:
    tests = {name: test for name, test in vars(module).items() if name.startswith("test_") and callable(test)}
    return {name: test for name, test in tests.items() if name not in OF_FULL}


globals().update(of_both(test_retransmit) | of_both(test_window))


make_engine = maker_of("application", start=on_target, recovery="small")
engine = engine_of("application", start=on_target, recovery="small")


def test_what_is_left_out_exists() -> None:
    assert set(vars(test_retransmit)) | set(vars(test_window)) >= OF_FULL


@pytest.mark.parametrize("mss", [88, 536, 1000, 1460])
def test_no_more_than_four_segments_and_4095_octets_are_in_flight(engine: Engine, mss: int) -> None:
    peer, flight = begin(engine, mss=mss)
    for _ in range(8):
        end = flight[-1].seq + len(flight[-1].payload)
        assert min(4 * mss, 4095) - mss < end - flight[0].seq <= min(4 * mss, 4095)
        peer.send("A", seq=END, ack=end)
        flight = peer.take_all()


def test_timer_of_a_second_backs_off_and_sends_one_segment(engine: Engine) -> None:
    peer, first = begin(engine, mss=536)
    at = engine.now_ms
    for wait_ms in (1000, 2000, 4000, 8000):
        segments = peer.take_all(within=wait_ms + 10)
        assert span(segments) == span(first[:1])
        assert wait_ms - 10 <= engine.now_ms - at
        at = engine.now_ms
    assert engine.counters["count_retransmit_timeout"] == 4
    stream = bytearray()
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


def test_a_lost_fin_is_a_retransmission(engine: Engine) -> None:
    """Only the FIN is not acknowledged."""
    peer = Peer(engine)
    peer.handshake()
    octets = get("/n33.bin", "Connection: close")
    ask(peer, octets)
    end = 1 + len(peer.expect("FA", seq=1).payload)
    peer.send("A", seq=1 + len(octets), ack=end)
    peer.expect_nothing(950)
    peer.expect("FA", seq=end, length=0, within=100)
    assert engine.counters["count_retransmit_timeout"] == 1


def test_three_duplicates_send_again_from_the_gap(engine: Engine) -> None:
    peer, first = begin(engine, mss=536)
    for _ in range(2):
        peer.send("A", seq=END, ack=1)
    peer.expect_nothing()
    peer.send("A", seq=END, ack=1)
    assert span(peer.take_all()) == span(first[:1])
    assert engine.counters["count_retransmit_fast"] == 1
    peer.send("A", seq=END, ack=1)
    peer.expect_nothing()  # more duplicates have no effect
    behind = first[-1].seq + len(first[-1].payload)
    peer.send("A", seq=END, ack=behind)  # the others had come
    assert peer.take_all()[0].seq == behind
    assert engine.counters["count_retransmit_timeout"] == 0


@pytest.mark.parametrize("rtt_ms", [1500, 3000])
def test_a_slow_line_is_learned(engine: Engine, rtt_ms: int) -> None:
    """A round trip longer than the first RTO is never timed, but later segments wait for it (RFC 6298 section 5)."""
    peer, flight = begin(engine, mss=88)
    early: list[int] = []
    for _ in range(8):
        end = flight[-1].seq + len(flight[-1].payload)
        early.append(sum(segment.seq < end for segment in peer.take_all(within=rtt_ms)))
        peer.send("A", seq=END, ack=end)
        flight = peer.take_all()
    assert early[0] > 0
    assert not any(early[4:])


@pytest.mark.parametrize(("timeouts", "kept_ms"), [(1, 2000), (2, 4000), (3, 8000), (5, 8000)])
def test_a_backed_off_timer_stays_in_force(engine: Engine, timeouts: int, kept_ms: int) -> None:
    """RFC 6298 section 5, Karn's algorithm: until a round trip can be timed; 8 s at most."""
    peer, first = begin(engine, mss=536)
    for number in range(timeouts):
        assert peer.take_all(within=(1000 << number) + 20)
    peer.send("A", seq=END, ack=first[-1].seq + len(first[-1].payload))
    assert peer.take_all()
    assert kept_ms - 256 <= engine.next_ms() <= kept_ms


@pytest.mark.parametrize(
    ("round_trips_ms", "least_ms", "most_ms"),
    [
        ([900], 1800, 3200),  # the first one counts three times (RFC 6298 section 2.2)
        ([900] * 20, 1000, 1500),
        ([300] * 4 + [900] * 24, 1000, 1800),
        ([900] * 6 + [300] * 30, 1000, 1024),  # its minimum, in units of 128 ms
    ],
)
def test_the_timer_follows_the_round_trips(
    engine: Engine, round_trips_ms: list[int], least_ms: int, most_ms: int
) -> None:
    peer = Peer(engine)
    peer.handshake()
    at, position, octets = 1, 1, get("/n1.bin")
    for rtt_ms in (*round_trips_ms, 0):
        peer.send("PA", seq=at, ack=position, payload=octets)
        at += len(octets)
        position += len(peer.expect("A", seq=position, ack=at).payload)
        last_ms = engine.next_ms()
        peer.wait(rtt_ms)
        peer.send("A", seq=at, ack=position)
        peer.expect_nothing()
    assert least_ms <= last_ms <= most_ms


def test_a_closed_window_is_no_round_trip(engine: Engine) -> None:
    """Karn's algorithm: a retransmission as a probe is not timed. All peers share the measured time here."""
    peer, flight = begin(engine, mss=536)
    peer.send("A", seq=END, ack=flight[1].seq)
    flight += peer.take_all()
    una = flight[1].seq
    peer.send("A", seq=END, ack=una, wnd=0)
    peer.take_all(within=12_000)
    peer.send("A", seq=END, ack=flight[-1].seq + len(flight[-1].payload), wnd=65535)
    flight = peer.take_all()
    again = peer.take_all(within=3000)
    assert again and again[0].seq == flight[0].seq


def test_round_trips_are_forgotten_when_it_starts_anew(engine: Engine) -> None:
    octets = get("/n1.bin")
    for port, rtt_ms in ((40000, 900), (40001, 0)):
        peer = Peer(engine, port=port)
        peer.handshake()
        peer.send("PA", seq=1, ack=1, payload=octets)
        answer = peer.expect("A", seq=1)
        if rtt_ms == 0:
            assert engine.next_ms() <= 1000
        peer.wait(rtt_ms)
        peer.send("A", seq=1 + len(octets), ack=1 + len(answer.payload))
        engine.reset()
