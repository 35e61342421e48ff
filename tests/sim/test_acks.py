# SPDX-License-Identifier: MIT
"""The times at which clients acknowledge, segment by segment, also on lines that both directions share."""

import pytest

from whit.model.policy import LINUX_WINDOW, XP_WINDOW, AckPolicy, Options, linux, windows_xp
from whit.wire.packet import Flags, Segment
from whit.wire.units import MS
from whit_testbed.client import Connection
from whit_testbed.link import Impairment, Link, Loop, Medium


class Receiver:
    """A client whose handshake is done at time 0, and the times of its segments, in ms."""

    def __init__(self, options: Options) -> None:
        self.loop = Loop(0)
        self.times: list[float] = []
        self.client = Connection(self.loop, self._note, (1, 2), 0, options)
        self.client.open()
        self.loop.run(for_us=5 * MS)
        self.client.segment_in(Segment(2, 1, 500, 1, Flags.S | Flags.A, wnd=5000, mss=1460), 5 * MS)
        self.position = 501
        self.windows: list[int] = []
        self.times.clear()

    def _note(self, segment: Segment) -> None:
        self.times.append(self.loop.now_us / MS)

    def take(self, at_ms: int, length: int, *, began_ms: int | None = None) -> None:
        self.loop.run(for_us=at_ms * MS - self.loop.now_us)
        acked = self.client._una + 1
        segment = Segment(2, 1, self.position, acked, Flags.A, payload=bytes(length), wnd=5000)
        self.position += length
        self.client.segment_in(segment, (at_ms if began_ms is None else began_ms) * MS)

    def rest(self) -> list[float]:
        self.loop.run(for_us=900 * MS)
        return self.times


def test_xp_waits_from_the_first_octet_and_acknowledges_every_second() -> None:
    receiver = Receiver(windows_xp())
    receiver.take(100, 1460, began_ms=0)
    receiver.take(150, 1460, began_ms=100)
    receiver.take(250, 1460, began_ms=150)
    assert receiver.rest() == [150, 350]


def test_late_ones_come_when_the_first_segment_has_waited() -> None:
    receiver = Receiver(Options(ack=AckPolicy.LATE))
    for at_ms in (100, 110, 290, 310):
        receiver.take(at_ms, 1460)
    assert receiver.rest() == [300, 510]


def test_xp_has_acknowledged_a_segment_that_takes_longer_than_200_ms_when_it_is_there() -> None:
    receiver = Receiver(windows_xp())
    receiver.take(400, 1460, began_ms=150)
    assert receiver.rest() == [400]


def test_linux_acknowledges_half_a_window_one_by_one_and_then_every_second() -> None:
    receiver = Receiver(linux())
    assert LINUX_WINDOW // (2 * 1460) == 2
    for index in range(6):
        receiver.take(100 + 10 * index, 1460)
    assert receiver.rest() == [100, 110, 130, 150]


@pytest.mark.parametrize(("window", "quick"), [(65535, 16), (5840, 2), (2000, 2)])
def test_linux_is_quick_for_16_segments_at_most(window: int, quick: int) -> None:
    receiver = Receiver(Options(window=window, ack=linux().ack))
    for index in range(quick):
        receiver.take(100 + index, 1460)
    assert len(receiver.times) == quick
    receiver.take(200, 1460)
    assert len(receiver.times) == quick
    assert receiver.rest()[-1] == 240, "a lone one waits for 40 ms"


def test_linux_waits_longer_when_it_waited_in_vain() -> None:
    receiver = Receiver(Options(window=5840, ack=linux().ack))
    for at in (100, 101):
        receiver.take(at, 1460)
    receiver.client._round_trips.srtt = 300 * MS
    for at in (200, 400, 700):
        receiver.take(at, 1460)
    assert receiver.rest() == [100, 101, 240, 480, 860]


def test_linux_acknowledges_the_short_end_of_an_answer_at_once_but_not_in_a_dialogue() -> None:
    receiver = Receiver(linux())
    for at in (100, 101, 110):
        receiver.take(at, 1460)
    receiver.take(120, 400)
    assert receiver.rest() == [100, 101, 120]
    dialogue = Receiver(linux())
    dialogue.take(100, 200)
    dialogue.client.send(b"x" * 50)
    dialogue.times.clear()
    dialogue.take(110, 200)
    assert dialogue.times == []
    assert dialogue.rest()[0] == pytest.approx(150, abs=1)


def test_linux_is_quick_again_after_a_silence() -> None:
    receiver = Receiver(linux())
    for at in (100, 101, 110, 2000, 2010):
        receiver.take(at, 1460)
    assert receiver.rest() == [100, 101, 150, 2000, 2010]


def test_windows_of_5_and_8_kb() -> None:
    for options, window in ((linux(), LINUX_WINDOW), (windows_xp(), XP_WINDOW)):
        seen: list[int] = []
        client = Connection(Loop(0), lambda segment, seen=seen: seen.append(segment.wnd), (1, 2), 0, options)
        client.open()
        assert seen == [window]


def test_an_acknowledgment_waits_for_the_medium_and_both_take_turns() -> None:
    """Half duplex: three frames wait when the first arrives. Its acknowledgment comes next."""
    loop, medium = Loop(0), Medium()
    arrived: list[tuple[str, int]] = []
    left: list[int] = []
    rate = Impairment(rate=1000)
    up = Link(loop, lambda frame, begun: arrived.append(("ack", loop.now_us)), rate, medium=medium)

    def answered(frame: bytes, begun_us: int) -> None:
        arrived.append(("data", loop.now_us))
        up.send(bytes(4))
        up.send(bytes(6))

    down = Link(loop, answered, rate, medium=medium)
    for length in (100, 50, 30):
        down.send(bytes(length), lambda: left.append(loop.now_us))
    loop.run(for_us=1000 * MS)
    kinds = [("data", 100), ("ack", 104), ("data", 154), ("ack", 160), ("data", 190), ("ack", 194)]
    assert arrived[:6] == [(kind, ms * MS) for kind, ms in kinds]
    assert left == [100 * MS, 154 * MS, 190 * MS]
    assert arrived[-1] == ("ack", (100 + 50 + 30 + 3 * 10) * MS), "nothing is sent twice, and the line is never idle"


def test_both_directions_at_once_when_they_do_not_share() -> None:
    loop = Loop(0)
    arrived: list[int] = []
    links = [Link(loop, lambda frame, begun: arrived.append(loop.now_us), Impairment(rate=1000)) for _ in range(2)]
    for link in links:
        link.send(bytes(100))
    loop.run(for_us=1000 * MS)
    assert arrived == [100 * MS, 100 * MS]
