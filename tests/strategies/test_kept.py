# SPDX-License-Identifier: MIT
"""S3: a protothread's output is kept until acknowledged, and the thread continues as room becomes free."""

import pytest

from tests.harness import Make, opened, saying
from whit.model.policy import Options
from whit.wire.http import request
from whit.wire.units import MS
from whit_testbed.link import Impairment
from whit_testbed.net import Net
from whit_testbed.trace import Peer

BLOCK_HEAD = 4  # octets of the buffer


def test_a_thread_goes_on_when_three_eighths_of_its_room_are_free(make: Make) -> None:
    """An earlier start would make small chunks, a later one would make the client wait."""
    engine = make(buffer=8000)
    peer = Peer(engine)
    peer.handshake(mss=500)
    octets = request("/thread_persistent?len=60000")
    peer.send("PA", seq=1, ack=1, payload=octets)
    stream = b"".join(segment.payload for segment in peer.take_all())
    content_at = 1 + stream.index(b"\r\n\r\n") + 4
    kept, room = 1 + len(stream) - content_at, engine.meter.held[0] - BLOCK_HEAD
    acked = kept - (room - room // 8 * 3)
    assert room // 2 < kept <= room and acked > 0
    peer.send("A", seq=1 + len(octets), ack=content_at + acked - 1)
    assert peer.take_all() == []
    peer.send("A", seq=1 + len(octets), ack=content_at + acked)
    new = peer.take_all()
    assert new[0].seq == 1 + len(stream)
    assert sum(len(segment.payload) for segment in new) <= acked + room - kept


@pytest.mark.parametrize("buffer", [300, 1000, 4000])
@pytest.mark.parametrize("mss", [88, 536, 1460])
def test_numbers_are_whole_whatever_room_there_is(make: Make, buffer: int, mss: int) -> None:
    net = Net(make(buffer=buffer), up=Impairment(delay_us=5 * MS))
    lines = b"".join(b"%d and %d\n" % (number, number % 2**32) for number in (0, -1, 12, 2**31 - 1, -(2**31)))
    assert net.get(net.host().client(Options(mss=mss)), "/thread_numbers").body == lines * 40


def test_the_least_room_for_which_a_thread_begins(make: Make) -> None:
    """A thread begins with room for a chunk's framing and 32 octets. A request that waits behind it takes the buffer's
    other octets."""
    rooms = {}
    for more in range(40, 172, 4):
        engine = make(buffer=272, connections=1)
        peer = Peer(engine)
        peer.handshake()
        octets = request("/thread_persistent?len=3000&pause=0") + b"GET /" + b"x" * more
        peer.send("PA", seq=1, ack=1, payload=octets)
        begun = any(segment.payload.startswith(b"HTTP/1.1 200") for segment in peer.take_all())
        rooms[more] = engine.meter.held[0] - BLOCK_HEAD if begun else 0
    assert min(room for room in rooms.values() if room) == 12 + 32
    assert 0 in rooms.values()


@pytest.mark.parametrize(("size", "least"), [(6000, 261), (7000, 508)])
def test_what_a_thread_wrote_last_is_an_even_number_of_segments(make: Make, size: int, least: int) -> None:
    """The segments at the end have about the same length, also behind octets acknowledged since."""
    engine = make(buffer=9000, connections=1, keep_alive=False)
    peer = Peer(engine)
    peer.handshake(mss=536)
    octets = request(f"/thread_persistent?len={size}")
    peer.send("PA", seq=1, ack=1, payload=octets, wnd=1072)
    lengths = []
    while segments := peer.take_all():
        lengths += [len(segment.payload) for segment in segments]
        end = segments[-1].seq + len(segments[-1].payload)
        peer.send("A", seq=1 + len(octets), ack=end, wnd=1072)
    assert set(lengths[:9]) == {512}
    assert all(least <= length <= least + 2 for length in lengths[10:]) and len(lengths) == 14


def test_a_thread_writes_on_while_a_pair_is_on_its_way(make: Make) -> None:
    """A write of 1 kB or more is four segments, even if two would hold it; a shorter one is two."""
    engine = make(buffer=1500, connections=1)
    peer = Peer(engine)
    peer.handshake(mss=600)
    octets = request("/thread_persistent?len=4000")
    peer.send("PA", seq=1, ack=1, payload=octets)
    flights = []
    while segments := peer.take_all():
        flights.append(len(segments))
        peer.send("A", seq=1 + len(octets), ack=segments[-1].seq + len(segments[-1].payload))
    assert flights == [4, 4, 4, 2]


@pytest.mark.parametrize("buffer", [64, 300])
def test_output_that_fills_the_buffer_to_its_last_octet(buffer: int) -> None:
    """The output fits beside the arguments and two heads, without reruns and other connections."""
    most = buffer - BLOCK_HEAD - 4 - BLOCK_HEAD
    source = saying("for (uint32_t i = 0; i < args->len; i++) out_c('x');", 'name="len" type="uint32"')
    with opened({"say.c": source}, buffer=buffer, connections=1) as engine:
        net = Net(engine)
        for size, status in ((most - 1, 200), (most, 200), (most + 1, 500), (most, 200)):
            assert net.get(net.host().client(), f"/say?len={size}").status == status, size


@pytest.mark.parametrize("link", ["ethernet", "slip"])
@pytest.mark.parametrize("mss", [88, 536, 1460])
def test_an_answer_that_fits_a_segment_leaves_in_one(make: Make, link: str, mss: int) -> None:
    """S1: the head does not leave before the content. Longer answers fill their segments, except at the end of a piece
    of the head."""
    peer = Peer(make(link=link, buffer=1024))
    peer.handshake(mss=mss)
    octets = request("/plain_persistent?len=200")
    peer.send("PA", seq=1, ack=1, payload=octets)
    lengths = [len(segment.payload) for segment in peer.take_all() if segment.payload]
    assert (len(lengths) == 1) == (mss > 88)
    assert lengths[1:-1] == [mss] * len(lengths[1:-1])


def test_it_leaves_in_two_while_others_wait_for_the_slot(make: Make) -> None:
    """A client acknowledges a lone segment late, the second one at once."""
    engine = make(buffer=1024, connections=1)
    engine.keeps_frames = True
    first, second, third = (Peer(engine, port=41_000 + number) for number in range(3))
    octets = request("/plain_persistent?len=200")
    for peer in (first, second, third):
        peer.handshake()
        peer.send("PA", seq=1, ack=1, payload=octets)
    alone = [segment for segment in first.take_all() if segment.payload]
    assert len(alone) == 1
    first.send("A", seq=1 + len(octets), ack=1 + len(alone[0].payload))
    for peer, segments in ((second, 2), (third, 1)):
        found = [segment for segment in peer.take_all() if segment.payload]
        assert len(found) == segments
        peer.send("A", seq=1 + len(octets), ack=1 + sum(len(segment.payload) for segment in found))
