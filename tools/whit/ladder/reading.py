# SPDX-License-Identifier: MIT
"""Turns the datagrams of a line into the steps of a ladder."""

from bisect import bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from whit.ladder.datagram import End, Sighting, TcpDatagram, other_label, other_len, other_source, read_tcp
from whit.ladder.records import records, said
from whit.ladder.steps import Event, Kind, Step
from whit.ladder.strategy import StrategyOf, unknown
from whit.ladder.stream import Asked, Stream, asked
from whit.wire.packet import Flags
from whit.wire.units import MS

TIMEOUT = "retransmission timeout"
TIMER = "sent again by a timer"
DELAYED_LEAST_MS = 10  # a real client takes some time of its own; no timer of an acknowledgment is as short


@dataclass(frozen=True)
class Manner:
    """Settings for reading steps.

    * slack_us: a segment within this time after an arrival answers it; a later one was sent by a timer
    * kept_us: times at which the engine buffered output that it could have regenerated; None: unknown
    * knows_timers: the server reports its timers itself
    * is_capture: times were taken at one place of the path; an answer from beyond it takes a round trip
    """

    strategy_of: StrategyOf = unknown
    slack_us: int = 0
    kept_us: Sequence[int] | None = None
    knows_timers: bool = False
    is_capture: bool = False


@dataclass
class Conversation:
    """A connection. Streams: client to server, server to client."""

    number: int
    client: End
    server: End
    up: Stream = field(default_factory=Stream)
    down: Stream = field(default_factory=Stream)
    data: list[tuple[int, int, int]] = field(default_factory=list)  # of the server: step, position, end
    requests: list[tuple[int, int]] = field(default_factory=list)  # of the client: step, position
    arrivals_us: dict[bool, list[int]] = field(default_factory=lambda: {False: [], True: []})  # by direction, sorted
    round_trip_us: int = 0  # from the place of a capture to the client
    syn_ack_us: int | None = None  # the last one, before the client's first acknowledgment
    unacknowledged_us: list[int] = field(default_factory=list)  # arrivals of data at the client, sorted


class Reader:
    """Takes sightings in the order in which they were queued. `steps` and `events` are complete after `finish()`."""

    def __init__(self, manner: Manner, origin_us: int) -> None:
        self.steps: list[Step] = []
        self.events: list[Event] = []
        self.conversations: list[Conversation] = []
        self._manner = manner
        self._origin_us = origin_us
        self._by_ends: dict[tuple[End, End], Conversation] = {}
        self._others: list[tuple[int, str]] = []  # of steps that are not TCP: index, address of the sender
        self._previous: tuple[int, bytes] = 0, b""

    def take(self, seen: Sighting) -> None:
        tcp = read_tcp(seen.datagram)
        if tcp is None:
            label, octets = other_label(seen.datagram), other_len(seen.datagram)
            if seen.is_up is None:
                self._others.append((len(self.steps), other_source(seen.datagram)))
            self._add(seen, seen.is_up is not False, "other", label, octets, connection=0)
            return
        conversation = self._conversation(tcp, seen.is_up)
        is_up = tcp.source == conversation.client
        stream, other = (conversation.up, conversation.down) if is_up else (conversation.down, conversation.up)
        if tcp.flags & Flags.S and stream.origin is None:
            stream.origin = tcp.seq
        begin = stream.position(tcp.seq)
        length = tcp.payload_len + bool(tcp.flags & Flags.S) + bool(tcp.flags & Flags.F)
        again = length > 0 and begin < stream.most
        copied = self._previous == (seen.queued_us, seen.datagram)
        self._previous = seen.queued_us, seen.datagram
        self._timers(seen, conversation, tcp, is_up=is_up, again=again and not copied)
        if self._manner.is_capture:
            _measure(conversation, seen, tcp, is_up=is_up)
        label = _label(tcp, begin, other)
        kind = _kind(tcp, is_up=is_up)
        if kind == "data":
            conversation.data.append((len(self.steps), begin, begin + tcp.payload_len))
        elif kind == "request":
            conversation.requests.append((len(self.steps), begin))
        if tcp.payload:
            stream.put(begin, tcp.payload)
        stream.most = max(stream.most, begin + length)
        self._add(seen, is_up, kind, label, tcp.octets, again=again, connection=conversation.number)
        if seen.end_us is not None:
            insort(conversation.arrivals_us[is_up], seen.end_us)
            if length and not is_up:
                insort(conversation.unacknowledged_us, seen.end_us)

    def finish(self) -> None:
        """Sets names that need the whole capture: targets, statuses, strategies; finds the server."""
        servers = {conversation.server[0] for conversation in self.conversations}
        for index, source in self._others:
            self.steps[index] = replace(self.steps[index], left_to_right=source not in servers)
        for conversation in self.conversations:
            if self._name_records(conversation):
                continue
            found = asked(conversation.up.octets(), conversation.down.octets())
            self._name_requests(conversation)
            for one in found:
                self._name_response(conversation, one)
        self.events.sort(key=lambda event: event.time_us)

    def _conversation(self, tcp: TcpDatagram, is_up: bool | None) -> Conversation:
        """A SYN with another number begins another one, on the same ports."""
        ends = tcp.source, tcp.destination
        known = self._by_ends.get(ends) or self._by_ends.get(ends[::-1])
        if known and not (tcp.flags & (Flags.S | Flags.A) == Flags.S and known.up.origin != tcp.seq):
            return known
        if is_up is None:
            is_up = _is_up(tcp)
        client, server = ends if is_up else ends[::-1]
        conversation = Conversation(len(self.conversations) + 1, client, server)
        self.conversations.append(conversation)
        self._by_ends.pop((server, client), None)
        self._by_ends[client, server] = conversation
        return conversation

    def _timers(
        self, seen: Sighting, conversation: Conversation, tcp: TcpDatagram, *, is_up: bool, again: bool
    ) -> None:
        """Adds an event for a segment that a timer sent: no segment arrived just before it."""
        came_us = conversation.arrivals_us[not is_up]
        before = bisect_right(came_us, seen.queued_us)
        slack_us = self._manner.slack_us + conversation.round_trip_us
        by_itself = before == 0 or seen.queued_us - came_us[before - 1] > slack_us
        if again and by_itself and (is_up or not self._manner.knows_timers):
            label = TIMER if self._manner.is_capture else TIMEOUT
            self._event(seen.queued_us, label, is_left=is_up, connection=conversation.number)
        if is_up and tcp.flags & Flags.A:
            waiting_us = conversation.unacknowledged_us
            there = bisect_right(waiting_us, seen.queued_us)
            if by_itself and there and not tcp.payload_len and not tcp.flags & (Flags.F | Flags.R):
                waited_ms = round((seen.queued_us - waiting_us[0]) / MS)
                if waited_ms >= DELAYED_LEAST_MS:
                    label = f"delayed ACK, {waited_ms} ms"
                    self._event(seen.queued_us, label, is_left=True, connection=conversation.number)
            del waiting_us[:there]

    def _event(self, time_us: int, label: str, *, is_left: bool, connection: int) -> None:
        event = Event(time_us - self._origin_us, is_left, label, connection)
        if event not in self.events[-3:]:
            self.events.append(event)

    def _add(
        self,
        seen: Sighting,
        is_up: bool,
        kind: Kind,
        label: str,
        octets: int,
        *,
        again: bool = False,
        connection: int,
    ) -> None:
        end_us = None if seen.end_us is None else seen.end_us - self._origin_us
        begin_us = seen.begin_us - self._origin_us
        self.steps.append(Step(begin_us, end_us, is_up, kind, label, octets, again=again, connection=connection))

    def _name_records(self, conversation: Conversation) -> bool:
        """False: it is no TLS."""
        up, down = records(conversation.up.octets()), records(conversation.down.octets())
        for index, begin in conversation.requests:
            end = begin + len(conversation.up.pieces.get(begin, b""))
            if up and (names := said(up, begin, end)):
                self.steps[index] = replace(self.steps[index], label=names)
        for index, begin, end in conversation.data:
            step = self.steps[index]
            if up and (names := said(down, begin, end, again=step.again)):
                self.steps[index] = replace(step, label=f"{names}, {step.label}")
        return bool(up)

    def _name_requests(self, conversation: Conversation) -> None:
        pieces = conversation.up.pieces
        for index, begin in conversation.requests:
            found = asked(pieces.get(begin, b""), b"")
            if found:
                names = ", ".join(f"{one.method} {one.target}" for one in found)
                self.steps[index] = replace(self.steps[index], label=names)

    def _name_response(self, conversation: Conversation, one: Asked) -> None:
        steps = [(index, begin) for index, begin, end in conversation.data if begin < one.end and end > one.begin]
        strategy = self._strategy(conversation, one, [index for index, _ in steps])
        for index, begin in steps:
            step = self.steps[index]
            if not step.strategy:
                step = replace(step, strategy=strategy)
            if begin <= one.begin and one.status:
                step = replace(step, label=f"{one.status}, {step.label}")
            self.steps[index] = step

    def _strategy(self, conversation: Conversation, one: Asked, indices: Sequence[int]) -> str:
        names = self._manner.strategy_of(one.method, one.target) if one.status.startswith("2") else ()
        if len(names) < 2:
            return "".join(names)
        if self._manner.kept_us is None or not indices:
            return "/".join(names)
        times = [self.steps[index].begin_us + self._origin_us for index in indices]
        before_us = times[0] - MS  # the choice is made before the first octet leaves
        kept = any(before_us <= time_us <= times[-1] for time_us in self._manner.kept_us)
        return names[1] if kept else names[0]


def _measure(conversation: Conversation, seen: Sighting, tcp: TcpDatagram, *, is_up: bool) -> None:
    """The handshake shows how far away the client is."""
    if tcp.flags & Flags.S and not is_up:
        conversation.syn_ack_us = seen.queued_us
    elif is_up and tcp.flags & Flags.A and conversation.syn_ack_us is not None:
        conversation.round_trip_us = seen.queued_us - conversation.syn_ack_us
        conversation.syn_ack_us = None


def _is_up(tcp: TcpDatagram) -> bool:
    """True if the client sent the segment. The client sends the SYN, or has the higher port."""
    if tcp.flags & Flags.S:
        return not tcp.flags & Flags.A
    return tcp.source[1] > tcp.destination[1]


def _kind(tcp: TcpDatagram, *, is_up: bool) -> Kind:
    if tcp.flags & Flags.R:
        return "reset"
    if tcp.flags & Flags.S:
        return "handshake"
    if tcp.payload_len:
        return "request" if is_up else "data"
    return "fin" if tcp.flags & Flags.F else "ack"


def _label(tcp: TcpDatagram, begin: int, other: Stream) -> str:
    """`other`: the stream that it acknowledges, of which this is noted."""
    ack = other.position(tcp.ack) if tcp.flags & Flags.A else 0
    same = ack == other.acked and ack > 0
    plain = not tcp.payload_len and not tcp.flags & (Flags.S | Flags.F | Flags.R)
    other.ack_cnt = other.ack_cnt + 1 if same and plain and tcp.window == other.window else 0
    opened, other.acked, other.window = tcp.window != other.window, ack or other.acked, tcp.window
    if tcp.flags & Flags.R:
        return "RST"
    if tcp.flags & Flags.S:
        mss = "" if tcp.mss is None else f", MSS {tcp.mss}"
        return ("SYN ACK" if tcp.flags & Flags.A else "SYN") + mss
    if tcp.payload_len:
        return f"data {begin}:{begin + tcp.payload_len}" + (" FIN" if tcp.flags & Flags.F else "")
    if tcp.flags & Flags.F:
        return f"FIN, ACK {ack}"
    if tcp.window == 0:
        return f"ACK {ack}, window 0"
    if same and opened:
        return f"ACK {ack}, window {tcp.window}"
    return f"ACK {ack}" + (f", duplicate {other.ack_cnt}" if other.ack_cnt else "")
