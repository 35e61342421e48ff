# SPDX-License-Identifier: MIT
"""The phases of a connection to the database (002 Figures 15 and 16), from a capture."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median

from whit_lab.experiments.pc.pages import PORT
from whit_lab.papers import BARE_PC_HEADS, BARE_PC_MSS
from whit_lab.real.capture import ACK, FIN, SYN, Seen
from whit_lab.real.relay import SERVER

FCS = 4  # bytes of a frame that a TAP device does not show
COM_QUERY, COM_STMT_EXECUTE = 3, 23


@dataclass
class _Connection:
    opened: float | None = None
    connected: float | None = None
    heard: float | None = None  # the last data from the database
    asked: float | None = None  # the query in progress
    logged_in: bool = False
    ending: float | None = None


@dataclass(frozen=True)
class Phases:
    """Durations in milliseconds, one for each occurrence."""

    handshakes: list[float] = field(default_factory=list)
    logins: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    ends: list[float] = field(default_factory=list)

    def medians(self) -> tuple[float | None, ...]:
        each = (self.handshakes, self.logins, self.answers, self.ends)
        return tuple(median(times) if times else None for times in each)


def phases(segments: Iterable[Seen]) -> Phases:
    """Returns the phases. A retransmitted segment counts from its first time. Connections that were already open count
    by their answers."""
    found, connections = Phases(), dict[tuple[str, int], _Connection]()
    for one in segments:
        if PORT not in (one.source[1], one.target[1]):
            continue
        asks = one.target[1] == PORT
        peer = one.source if asks else one.target
        connection = connections.setdefault(peer, _Connection())
        if asks and one.flags & SYN:
            connection.opened = connection.opened or one.time_s
        else:
            (_asked if asks else _heard)(connection, one, found)
    for connection in connections.values():
        _end(connection, found)
    return found


def _asked(connection: _Connection, one: Seen, found: Phases) -> None:
    """Handles a segment to the database."""
    if connection.connected is None and connection.opened is not None and one.flags & ACK:
        connection.connected = one.time_s
        found.handshakes.append(1000 * (one.time_s - connection.opened))
    if one.flags & FIN and connection.ending is None:
        _end(connection, found)
        connection.ending = one.time_s
    if one.len < 5 or one.data[3] != 0:  # not a command; an exchange begins with one
        return
    _end(connection, found)
    if not connection.logged_in and connection.connected is not None and connection.heard is not None:
        connection.logged_in = True
        found.logins.append(1000 * (connection.heard - connection.connected))
    connection.asked = one.time_s if one.data[4] in (COM_QUERY, COM_STMT_EXECUTE) else None
    connection.heard = None


def _heard(connection: _Connection, one: Seen, found: Phases) -> None:
    """Handles a segment from the database."""
    if one.len:
        connection.heard = one.time_s
    if one.flags & FIN and connection.ending is not None:
        found.ends.append(1000 * (one.time_s - connection.ending))


def _end(connection: _Connection, found: Phases) -> None:
    """Ends an exchange: its answer is complete."""
    if connection.asked is not None and connection.heard is not None:
        found.answers.append(1000 * (connection.heard - connection.asked))
    connection.asked = None


def to_clients(segments: Sequence[Seen]) -> tuple[int, int]:
    """Returns bytes and frames that the PC sent to clients, with the frames' checksums.

    A large segment, which virtio-net may send, counts as the segments that a card makes of it.
    """
    sent = [one for one in segments if one.source[0] == SERVER and one.target[1] != PORT]
    more = sum(max(0, -(-one.len // BARE_PC_MSS) - 1) for one in sent)
    return sum(one.octets + FCS for one in sent) + more * BARE_PC_HEADS, len(sent) + more
