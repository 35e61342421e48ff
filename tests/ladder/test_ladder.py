# SPDX-License-Identifier: MIT
"""Ladders: of a small exchange, of a capture; as text and as a picture."""

import struct
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.harness import Make
from whit.errors import WhitError
from whit.ladder.pcap import ladder_of_capture, read_capture
from whit.ladder.scale import scale_of
from whit.ladder.steps import Event, Ladder, Step
from whit.ladder.svg import svg
from whit.ladder.text import plain
from whit.ladder.write import write_ladders
from whit.model.policy import AckPolicy, Options
from whit_testbed.ladder_watch import record
from whit_testbed.link import Impairment
from whit_testbed.net import Net

SVG = "{http://www.w3.org/2000/svg}"
GOLDEN = """\
a page, its last segment lost once
            client                                                    server
       0.0  │── ARP request · 28 B ───────────────────────────────────────▶│     16.0
      16.0  │◀───────────────────────────────────────── ARP reply · 28 B ──│     30.2
      30.2  │── SYN, MSS 1460 · 44 B ─────────────────────────────────────▶│     46.2
      46.2  │◀───────────────────────────────── SYN ACK, MSS 1460 · 44 B ──│     62.0
      62.0  │── ACK 1 · 40 B ─────────────────────────────────────────────▶│     78.0
      68.0  │── GET / · 70 B ─────────────────────────────────────────────▶│     86.4
      86.4  │                         ✗───────── 200, data 1:897 · 936 B ──│     lost
    1062.0  │ ● retransmission timeout                                     │
    1062.0  │╌╌ GET / · 70 B ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌▶│   1080.4
    1080.4  │◀─────────────────────────────── ACK 31, duplicate 1 · 40 B ──│   1095.8
    1084.0  │                                     ● retransmission timeout │
    1085.8  │◀╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌ 200, data 1:897 · 936 B ╌╌│   1190.8
    1190.8  │── ACK 897 · 40 B ───────────────────────────────────────────▶│   1206.8
11 datagrams, 2 276 bytes, 1206.8 ms, 1 lost, 2 sent again
"""


def exchange(make_app: Make) -> Ladder:
    """A page on a slow line. Its only segment is lost once."""
    net = Net(make_app("contacts", keep_alive=False), up=Impairment(delay_us=10_000, rate=10_000))
    lost: list[bytes] = []

    def drop(frame: bytes) -> bool:
        if b"HTTP/1.1 200" not in frame or lost:
            return False
        lost.append(frame)
        return True

    net.down.drop = drop
    return record(net, "a page, its last segment lost once", lambda: net.get(net.host().client(), "/"))


def test_exchange_as_text(make_app: Make) -> None:
    assert plain(exchange(make_app)) == GOLDEN


def long(length: int) -> Ladder:
    """Segments of 10 ms each, every second one acknowledged, and a pause of a second."""
    steps = [
        Step(
            index * 10_000 + 1_000_000 * (index > 5),
            (index + 1) * 10_000 + 1_000_000 * (index > 5),
            index % 3 == 2,
            "ack" if index % 3 == 2 else "data",
            f"step {index}",
            40,
            "S0",
        )
        for index in range(length)
    ]
    return Ladder("long & <sharp>", "a", "b", steps, [Event(15_000, False, "timer")], [(0, 0), (20_000, 512)])


@pytest.mark.parametrize("length", [10, 150])
def test_picture_is_well_formed_and_the_same_each_time(length: int) -> None:
    drawn = svg(long(length))
    assert drawn == svg(long(length))
    root = ElementTree.fromstring(drawn)
    words = [text.text or "" for text in root.iter(f"{SVG}text")]
    assert "long & <sharp>" in words
    shown = {word for word in words if word.startswith("S0 step")}
    data = {f"S0 step {index} · 40 B" for index in range(length) if index % 3 != 2}
    assert data <= shown, "every segment has its words"
    assert any("ms" in word and word != "ms" for word in words), "the pause is folded"


def test_no_flight_is_folded() -> None:
    """A segment that takes long beside a usual one that takes little; the silence behind is folded."""
    steps = [Step(index * 4_000, index * 4_000 + 3_000, False, "data", "short", 60) for index in range(5)]
    steps += [Step(20_000, 140_000, False, "data", "long", 1500), Step(900_000, 903_000, True, "ack", "ACK", 40)]
    scale = scale_of(Ladder("", "a", "b", steps))
    assert len(scale.folds) == 1
    assert scale.folds[0].time_us == 760_000
    assert scale.ends[5] - scale.begins[5] > 2 * (scale.ends[0] - scale.begins[0])


def test_picture_says_what_is_held() -> None:
    held = [(0, 0), (10_000, 512), (40_000, 96), (90_000, 0)]
    words = [text.text for text in ElementTree.fromstring(svg(replace(long(10), held=held))).iter(f"{SVG}text")]
    assert [word for word in words if word in ("512 B", "96 B", "0 B")] == ["512 B", "96 B"]


def test_picture_shows_what_was_lost(make_app: Make) -> None:
    root = ElementTree.fromstring(svg(exchange(make_app)))
    assert any(text.text == "lost" for text in root.iter(f"{SVG}text"))
    assert any(line.get("stroke-dasharray") for line in root.iter(f"{SVG}line"))


def test_times_begin_with_the_first_datagram(make_app: Make) -> None:
    """The ladder names a wait of the client as an event, but not an immediate answer."""
    for policy, events in ((AckPolicy.DELAYED, ["delayed ACK, 200 ms"]), (AckPolicy.EVERY, [])):
        net = Net(make_app("contacts"))

        def act(net: Net = net, policy: AckPolicy = policy) -> None:
            net.idle(3)
            net.get(net.host().client(Options(ack=policy)), "/")
            net.idle(1)

        ladder = record(net, "late", act, held=lambda: 7)
        assert ladder.steps[0].begin_us == 0
        assert [event.label for event in ladder.events] == events
        assert ladder.held == ((0, 7),)


def test_of_several_connections_each_timer_is_of_one(make_app: Make) -> None:
    net = Net(make_app("contacts"))
    lost: list[bytes] = []

    def drop(frame: bytes) -> bool:
        if b"GET /style.css" not in frame or lost:
            return False
        lost.append(frame)
        return True

    net.up.drop = drop

    def act() -> None:
        for target in ("/", "/style.css"):
            net.get(net.host().client(), target)

    ladder = record(net, "two", act)
    assert [(event.label, event.connection) for event in ladder.events] == [("retransmission timeout", 2)]
    for drawn in (plain(ladder), svg(ladder)):
        assert "#2 retransmission timeout" in drawn
        assert "#1 retransmission" not in drawn


def capture(path: Path, link_type: int, frames: list[tuple[int, bytes]]) -> Path:
    octets = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, link_type)
    for time_us, frame in frames:
        octets += struct.pack("<IIII", time_us // 1_000_000, time_us % 1_000_000, len(frame), len(frame)) + frame
    path.write_bytes(octets)
    return path


def test_capture_says_what_the_line_saw(make_app: Make, tmp_path: Path) -> None:
    """The frames of an exchange, as a file."""
    net = Net(make_app("contacts"))
    frames: list[tuple[int, bytes]] = []
    net.up.tap = net.down.tap = lambda begin_us, frame: frames.append((begin_us, frame))
    watched = record(net, "x", lambda: net.get(net.host().client(), "/"))
    cut = [(frames[-1][0], frames[0][1][:length]) for length in (14, 16, 30)]
    assert read_capture(capture(tmp_path / "cut.pcap", 1, [*frames, *cut])).frame_cnt == len(frames) + 3
    ladder_of_capture(read_capture(tmp_path / "cut.pcap"))
    read = ladder_of_capture(read_capture(capture(tmp_path / "x.pcap", 1, frames)))
    assert [(step.label, step.octets, step.left_to_right) for step in read.steps] == [
        (step.label, step.octets, step.left_to_right) for step in watched.steps
    ]
    with pytest.raises(WhitError, match="--connection 2"):
        ladder_of_capture(read_capture(tmp_path / "x.pcap"), connection=2)


@pytest.mark.parametrize("octets", [b"", b"no capture at all, though long enough"])
def test_what_is_no_capture_is_said_in_a_line(octets: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.pcap"
    path.write_bytes(octets)
    with pytest.raises(WhitError, match="pcap or pcapng"):
        read_capture(path)
    with pytest.raises(WhitError, match=r"this is a directory; \./whit run APP --pcap FILE records one"):
        read_capture(tmp_path)


def test_ladders_of_the_same_title_are_files_of_their_own(tmp_path: Path) -> None:
    paths = write_ladders([long(3), long(4)], tmp_path / "there")
    assert len(set(paths)) == 2 and all(path.exists() for path in paths)
