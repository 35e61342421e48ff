# SPDX-License-Identifier: MIT
"""Ladders of captures: files in pcap or pcapng format."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whit.errors import WhitError
from whit.ladder.datagram import Sighting, ethernet_datagram, read_tcp
from whit.ladder.reading import Manner, Reader
from whit.ladder.steps import Ladder, Step, since
from whit.ladder.strategy import StrategyOf, unknown
from whit.wire.magic import is_capture
from whit.wire.packet import Malformed, slip_decode
from whit.wire.units import SECOND

MOST = 300  # steps: with more of them a ladder is no picture any more
SLACK_US = 30_000  # a host answers within that time, if no timer of its own delays it
ETHERNET, NULL, SLIP, LOOP, SLL, SLL2 = 1, 0, 8, 108, 113, 276
RAW = (12, 14, 101, 228)
HEADS = {NULL: 4, LOOP: 4, SLL: 16, SLL2: 20}
"""Link types (draft-ietf-opsawg-pcaplinktype), and the bytes before the datagram."""


class NothingPassed(WhitError):
    """A capture without a segment."""


@dataclass(frozen=True)
class Capture:
    """The IPv4 datagrams of a file, in its order."""

    path: Path
    sightings: Sequence[Sighting]
    frame_cnt: int


def read_capture(path: Path) -> Capture:
    """Reads a capture. WhitError: the file cannot be read, or holds no datagram."""
    sightings: list[Sighting] = []
    frame_cnt = 0
    for time_us, link_type, frame in _frames(path):
        frame_cnt += 1
        for datagram in _datagrams(path, link_type, frame):
            sightings.append(Sighting(time_us, time_us, time_us, datagram))
    if not any(read_tcp(seen.datagram) for seen in sightings):
        raise NothingPassed(f"{path}: no TCP over IPv4 in its {frame_cnt} frames", 1)
    sightings.sort(key=lambda seen: seen.queued_us)
    return Capture(path, sightings, frame_cnt)


def ladder_of_capture(
    capture: Capture,
    *,
    title: str = "",
    connection: int | None = None,
    most: int = MOST,
    strategy_of: StrategyOf = unknown,
    left: str = "",
    right: str = "",
) -> Ladder:
    """Returns the ladder of one connection, or of all; connections are numbered by their start. `most`: steps."""
    origin_us = capture.sightings[0].queued_us
    reader = Reader(Manner(strategy_of, SLACK_US, is_capture=True), origin_us)
    for seen in capture.sightings:
        reader.take(seen)
    reader.finish()
    conversations = reader.conversations
    if connection is not None and not 1 <= connection <= len(conversations):
        expected = f"expected 1 to {len(conversations)}" if len(conversations) > 1 else "it has one, which is 1"
        raise WhitError(f"--connection {connection}: {expected}, as they begin in {capture.path}")
    steps = [step for step in reader.steps if connection in (None, step.connection)]
    shown = conversations if connection is None else conversations[connection - 1 : connection]
    title = title or capture.path.name
    if connection is not None and len(conversations) > 1:
        title = f"{title}, connection {connection} of {len(conversations)}"
    if len(steps) > most:
        title, steps = f"{title}, the first {most} of {len(steps)} datagrams", steps[:most]
    begin_us, end_us = steps[0].begin_us, steps[-1].begin_us
    events = [
        event
        for event in reader.events
        if begin_us <= event.time_us <= end_us and (connection is None or _is_of(steps, event.time_us))
    ]
    clients = sorted({conversation.client[0] for conversation in shown})
    servers = sorted({f"{conversation.server[0]}:{conversation.server[1]}" for conversation in shown})
    left = left or (clients[0] if len(clients) == 1 else f"{len(clients)} clients")
    right = right or (servers[0] if len(servers) == 1 else f"{len(servers)} servers")
    return since(Ladder(title, left, right, tuple(steps), tuple(events)), begin_us)


def _is_of(steps: Sequence[Step], time_us: int) -> bool:
    """True if a step begins at the event's time."""
    return any(step.begin_us == time_us for step in steps)


def _frames(path: Path) -> Iterator[tuple[int, int, bytes]]:
    """Time in µs, link type, octets of each."""
    if not path.exists():
        raise WhitError(f"{path}: no such file; expected a capture")
    if path.is_dir():
        raise WhitError(f"{path}: expected a capture, this is a directory; ./whit run APP --pcap FILE records one")
    if not is_capture(path):
        raise WhitError(f"{path}: expected a capture in pcap or pcapng format")
    from scapy.error import Scapy_Exception
    from scapy.utils import RawPcapReader

    try:
        reader = RawPcapReader(str(path))
    except OSError as error:
        raise WhitError(f"{path}: {error.strerror}") from None
    except (Scapy_Exception, EOFError):
        raise WhitError(f"{path}: expected a capture in pcap or pcapng format") from None
    about: Any  # its fields are those of the format
    with reader:
        for frame, about in reader:
            if hasattr(about, "tshigh"):  # pcapng: units of 1/tsresol s
                ticks = (about.tshigh or 0) << 32 | (about.tslow or 0)
                yield ticks * SECOND // about.tsresol, about.linktype, frame
            else:
                fraction = about.usec // 1000 if reader.nano else about.usec
                yield about.sec * SECOND + fraction, reader.linktype, frame


def _datagrams(path: Path, link_type: int, frame: bytes) -> list[bytes]:
    if link_type == ETHERNET:
        found = [ethernet_datagram(frame)]
    elif link_type in RAW:
        found = [frame]
    elif link_type in HEADS:
        found = [frame[HEADS[link_type] :]]
    elif link_type == SLIP:
        try:
            found = slip_decode(frame)
        except Malformed:
            found = []
    else:
        raise WhitError(
            f"{path}: link type {link_type}; expected Ethernet, raw IP, SLIP, or a Linux or BSD loopback", 1
        )
    return [datagram for datagram in found if datagram and (link_type == ETHERNET or datagram[0] >> 4 == 4)]
