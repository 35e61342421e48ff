# SPDX-License-Identifier: MIT
"""Files on a card that computes sums and cuts large segments (whit_driver_cut()). The peer gets the same octets as
without such a card; only segments differ."""

from pathlib import Path
from statistics import median

import pytest

from tests.harness import Make, maker_of, opened
from tests.property.lossy import visits
from tests.segments.test_retransmit import REQUEST, begin, drain
from tests.segments.test_sack import told
from tests.support import BIG, get, parsed, target
from whit.wire.packet import Flags, Segment
from whit_testbed.engine import Engine
from whit_testbed.trace import Peer

pytestmark = pytest.mark.skipif(target() != "inprocess", reason="of fast kinds")
LARGE = 14600


def with_card(app: Path, payload: int = LARGE, **settings: object) -> Engine:
    """Starts an engine on a card that cuts segments of `payload` octets."""
    engine = opened(app, heads="code", **settings)
    engine.large(payload)
    return engine


make_large = maker_of("application", start=with_card)


def joined(segments: list[Segment]) -> bytes:
    stream = b""
    for segment in segments:
        assert segment.seq == 1 + len(stream)
        stream += segment.payload
    return stream


@pytest.mark.parametrize("mss", [88, 536, 1000, 1460])
def test_segments_of_the_peers_mss(make_large: Make, mss: int) -> None:
    _, segments = begin(make_large(), get("/n4000.bin"), mss=mss)
    lengths = {len(segment.payload) for segment in segments[:-1]}
    assert len(lengths) == 1 and mss - 32 < lengths.pop() <= mss
    assert len(segments[-1].payload) <= mss
    stream = joined(segments)
    if mss >= 536:  # else the initial window does not hold it
        assert len(parsed(stream).body) == 4000
        assert [Flags.P in segment.flags for segment in segments] == [False] * (len(segments) - 1) + [True]


def test_nothing_is_large_without_the_card(make_large: Make) -> None:
    streams = [joined(begin(make_large(payload=payload), get("/n4000.bin"))[1]) for payload in (0, LARGE)]
    assert streams[0] == streams[1]


@pytest.mark.parametrize("wnd", [1, 100, 1460, 3000, 5000])
def test_the_peers_window_is_kept(make_large: Make, wnd: int) -> None:
    engine = make_large()
    peer, segments = begin(engine, wnd=wnd)
    assert 0 < len(joined(segments)) <= wnd
    stream = bytearray()
    drain(peer, stream, wnd=max(wnd, 1000))


@pytest.mark.parametrize("payload", [1500, 2880, 4000, 14600, 16384])
def test_the_initial_window_is_kept(make_large: Make, payload: int) -> None:
    """The initial window is sent in full segments: no chunk's sum is needed."""
    _, segments = begin(make_large(payload=payload))
    assert [len(segment.payload) for segment in segments] == 10 * [1460]


def test_recovery_sends_full_segments(make_large: Make) -> None:
    peer, _ = begin(make_large())
    for _ in range(10):
        peer.send("A", seq=1 + len(REQUEST), ack=1)
    sent = peer.take_all()
    assert sent[0].seq == 1 + 14600 and len(sent) > 5  # by limited transmit
    assert {len(segment.payload) for segment in sent} == {1460}


def test_the_last_one_ends_the_connection(make_large: Make) -> None:
    _, segments = begin(make_large(), get("/n4000.bin", version="1.0"))
    assert [Flags.F in segment.flags for segment in segments] == [False, False, True]
    assert len(parsed(joined(segments)).body) == 4000


@pytest.mark.parametrize("lost", range(10))
def test_a_lost_segment_comes_again_whole(make_large: Make, lost: int) -> None:
    """The retransmission fits one segment: no octets remain for another round trip."""
    peer, segments = begin(make_large())
    for _ in range(4):
        peer.send("A", seq=1 + len(REQUEST), ack=segments[lost].seq)
    again = peer.take_all()
    assert (segments[lost].seq, segments[lost].payload) in [(one.seq, one.payload) for one in again]
    stream = bytearray(joined(segments[:lost]))
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


@pytest.mark.parametrize("cut", [1, 31, 700, 1439])
def test_an_acknowledgment_of_half_a_segment(make_large: Make, cut: int) -> None:
    peer, segments = begin(make_large())
    stream = bytearray(joined(segments))[:cut]
    peer.send("A", seq=1 + len(REQUEST), ack=1 + cut)
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


def test_a_busy_card(make_large: Make) -> None:
    engine = make_large()
    peer = Peer(engine)
    peer.handshake()
    engine.limit(0)
    peer.send("PA", seq=1, ack=1, payload=get("/n4000.bin"))
    assert peer.take_all() == []
    engine.limit(256)
    assert len(parsed(joined(peer.take_all(within=1000))).body) == 4000


@pytest.mark.parametrize("path", ["/n33.bin", "/gone"])
def test_short_responses(make_large: Make, path: str) -> None:
    """The card sums files; the engine sums other content."""
    answers = [joined(begin(make_large(payload=payload), get(path))[1]) for payload in (0, LARGE)]
    assert answers[0] == answers[1]


@pytest.mark.parametrize(("loss", "seconds"), [(0.0, 0.004), (0.05, 0.006), (0.2, 0.1)])
def test_median_time_under_loss(make_large: Make, loss: float, seconds: float) -> None:
    """The bounds are those of tests/property/test_lossy.py."""
    engine = make_large(connections=4)
    visitors = visits(engine, "/n57254.bin", len(BIG), loss)
    assert median(second for visitor in visitors for second in visitor.seconds) <= seconds


def test_a_round_trip_is_measured_though_its_first_segment_is_lost(make_large: Make) -> None:
    """The first segment of a large frame is timed, and any later one that arrives ends its round trip. Probes, not a
    timeout of a second, repair a retransmission that is lost."""
    peer, segments = begin(make_large())
    first, second = segments[0].seq, segments[1].seq
    peer.wait(20)
    sent = [one for later in segments[2:5] for one in told(peer, first, (second, later.seq))]
    assert first in [one.seq for one in sent]
    again = peer.take_all(within=100)
    assert [one.seq for one in again] == [first]
