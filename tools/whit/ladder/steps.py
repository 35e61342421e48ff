# SPDX-License-Identifier: MIT
"""The parts of a ladder. text.py draws it as text, svg.py as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

Kind = Literal["handshake", "request", "data", "ack", "fin", "reset", "other"]


@dataclass(frozen=True)
class Step:
    """A datagram. Times in µs since the ladder began."""

    begin_us: int  # its first octet leaves
    end_us: int | None  # its last octet arrives; None: it was lost
    left_to_right: bool  # from the client to the server
    kind: Kind
    label: str  # "ACK 301", "data 1:1441"
    octets: int  # of the datagram
    strategy: str = ""  # "S0": how its octets were made
    again: bool = False  # octets that were sent before
    connection: int = 1  # which of several, in the order in which they began; 0: none (ARP, ICMP)


@dataclass(frozen=True)
class Event:
    """Something that happened on one side: a timer, a generator that ran."""

    time_us: int
    on_left: bool
    label: str
    connection: int = 0  # 0: not known


@dataclass(frozen=True)
class Ladder:
    """Steps and events in the order of their times. held: (time in µs, octets that the server holds from then on)."""

    title: str
    left: str
    right: str
    steps: Sequence[Step]
    events: Sequence[Event] = ()
    held: Sequence[tuple[int, int]] = ()


def since(ladder: Ladder, begin_us: int) -> Ladder:
    """With another beginning of its times, before which nothing passed."""
    steps = tuple(
        replace(step, begin_us=step.begin_us - begin_us, end_us=None if step.end_us is None else step.end_us - begin_us)
        for step in ladder.steps
    )
    events = tuple(replace(event, time_us=event.time_us - begin_us) for event in ladder.events)
    before = [octets for time_us, octets in ladder.held if time_us <= begin_us][-1:]
    behind = [(time_us - begin_us, octets) for time_us, octets in ladder.held if time_us > begin_us]
    return replace(ladder, steps=steps, events=events, held=(*((0, octets) for octets in before), *behind))
