# SPDX-License-Identifier: MIT
"""The driver keeps a request until a slot is free. Its peer learns that it arrived, and its later fate."""

import pytest

from tests.harness import Make, engine_of, on_target
from tests.support import ask, get, parsed
from whit.wire.packet import Flags
from whit_testbed.engine import Engine
from whit_testbed.trace import Peer

LARGE, COUNT = get("/n57254.bin"), get("/count")
WINDOW = 5840  # octets, as it is announced


class Holder:
    """Has the only slot, and keeps it: it takes an octet each 20 ms."""

    def __init__(self, engine: Engine) -> None:
        self.peer = Peer(engine, port=40_009)  # of the same host as the waiting peers, which therefore evict no slot
        self.peer.handshake()
        ask(self.peer, LARGE)
        self.taken = 0

    def hold(self, ms: int) -> None:
        for _ in range(ms // 20):
            self.taken += 1
            self.peer.send("A", seq=1 + len(LARGE), ack=1 + self.taken)
            self.peer.wait(20)
            self.peer.queue.clear()

    def go(self) -> None:
        self.peer.send("R", seq=1 + len(LARGE))


engine = engine_of("application", start=on_target, connections=1, keeps_frames=True)


def asks(engine: Engine, idle: bool) -> tuple[Peer, int, int]:
    """Returns a peer that asks while another holds the slot, the end of its request, and the begin of its response."""
    peer = Peer(engine, port=40_001)
    peer.handshake()
    seq = ack = 1
    if idle:
        ask(peer, COUNT)
        seq, ack = 1 + len(COUNT), 1 + len(answer(peer))
        peer.send("A", seq=seq, ack=ack)
    return peer, seq, ack


def answer(peer: Peer) -> bytes:
    return b"".join(segment.payload for segment in peer.take_all(within=50))


@pytest.mark.parametrize("idle", [False, True])
def test_it_is_told_thrice_and_then_asked(engine: Engine, idle: bool) -> None:
    other, seq, ack = asks(engine, idle)
    holder = Holder(engine)
    other.send("PA", seq=seq, ack=ack, payload=COUNT)
    end = seq + len(COUNT)
    for _ in range(3):
        other.expect_nothing()
        holder.hold(60)
        other.expect("A", seq=ack, ack=end, length=0, wnd=WINDOW - len(COUNT))
    for _ in range(15):
        other.expect_nothing()
        holder.hold(1000)
        other.expect("A", seq=ack - 1, ack=end, length=0)
        other.send("A", seq=end, ack=ack)  # it is there
        other.take_all()
    holder.go()
    answers = answer(other)
    assert parsed(answers).body == (b"run 2" if idle else b"run 1")
    other.send("A", seq=end, ack=ack + len(answers))
    other.expect_nothing(3000)
    assert engine.persistent_writes == 1 + idle


def test_who_is_to_send_more_is_not_told(engine: Engine) -> None:
    other, seq, ack = asks(engine, idle=False)
    holder = Holder(engine)
    other.send("PA", seq=seq, ack=ack, payload=COUNT[:20])
    holder.hold(2000)
    other.expect_nothing()


def test_who_is_to_send_more_is_not_let_go_while_its_timer_doubles(engine: Engine) -> None:
    """An upload that waits for half a minute: from its seventh copy to its eighth a kernel takes 13 s."""
    other, seq, ack = asks(engine, idle=False)
    holder = Holder(engine)
    for rto_ms in (200, 400, 800, 1600, 3200, 6400, 12_800, 25_600):
        other.send("PA", seq=seq, ack=ack, payload=COUNT[:20])
        holder.hold(rto_ms)
        other.expect_nothing()
    holder.hold(60_000)
    other.expect("RA", seq=ack)


def test_it_is_not_told_when_it_waits_for_a_moment(engine: Engine) -> None:
    other, seq, ack = asks(engine, idle=False)
    holder = Holder(engine)
    other.send("PA", seq=seq, ack=ack, payload=COUNT)
    holder.hold(40)
    other.expect_nothing()
    holder.go()
    assert parsed(answer(other)).body == b"run 1"


def test_who_has_not_heard_it_is_told_again(engine: Engine) -> None:
    other, seq, ack = asks(engine, idle=True)
    holder = Holder(engine)
    other.send("PA", seq=seq, ack=ack, payload=COUNT)
    holder.hold(300)
    other.take_all()
    other.send("PA", seq=seq, ack=ack, payload=COUNT)
    holder.hold(20)
    other.expect("A", seq=ack, ack=seq + len(COUNT), length=0)
    holder.go()
    assert parsed(answer(other)).body == b"run 2"


@pytest.mark.parametrize("idle", [False, True])
def test_who_is_silent_is_let_go(engine: Engine, idle: bool) -> None:
    """A silent peer gets a RST with the right number, and its request takes no effect."""
    other, seq, ack = asks(engine, idle)
    holder = Holder(engine)
    other.send("PA", seq=seq, ack=ack, payload=COUNT)
    holder.hold(9_900)
    assert not any(segment.flags & Flags.R for segment in other.take_all())
    holder.hold(1_500)
    last = other.take_all()[-1]
    assert last.seq == ack and last.flags == Flags.R | Flags.A
    holder.go()
    other.expect_nothing(1000)
    assert engine.persistent_writes == idle
    other.send("PA", seq=seq + len(COUNT), ack=ack, payload=COUNT)
    other.expect("R", seq=ack)


@pytest.mark.parametrize("idle", [False, True])
def test_who_goes_on_to_the_end_of_the_window_is_not_reset(engine: Engine, idle: bool) -> None:
    """The answer keeps the window's right edge in place."""
    other, seq, ack = asks(engine, idle)
    holder = Holder(engine)
    other.send("PA", seq=seq, ack=ack, payload=COUNT)
    holder.hold(300)
    told = other.take_all()[-1]
    edge = seq + len(COUNT) + told.wnd
    assert edge == seq + WINDOW
    other.send("A", seq=edge - 100, ack=ack, payload=bytes(100))
    other.send("A", seq=edge, ack=ack)
    assert not any(segment.flags & Flags.R for segment in other.take_all())


def test_a_crowd_that_leaves_costs_each_frame_a_few_offers(make_engine: Make) -> None:
    """256 clients have asked, and close before their turn. Each frame offered all kept FINs again: the next client
    waited for 100 ms."""
    engine = make_engine(connections=4)
    engine.keeps_frames = True
    peers = [Peer(engine, port=40_000 + number) for number in range(256)]
    for peer in peers:
        peer.handshake()
        ask(peer, COUNT)
    before = engine.counters["count_frames_in"]
    for peer in peers[4:]:
        peer.send("FA", seq=1 + len(COUNT), ack=1)
    assert engine.counters["count_frames_in"] - before <= 4 * len(peers)
    for peer in peers[:4]:
        peer.send("RA", seq=1 + len(COUNT), ack=1 + len(answer(peer)))
    for peer in peers[4:]:
        segments = peer.take_all(within=5)
        assert parsed(b"".join(segment.payload for segment in segments)).status == 200
        peer.send("R", seq=2 + len(COUNT))
