# SPDX-License-Identifier: MIT
"""A TCP client in virtual time (RFC 9293, 5681, 6298, 5961), written from the RFCs and not from the engine.

Positions in streams are plain integers that never wrap: 0 is the first byte behind the SYN. Only numbers on the wire
are taken modulo 2^32.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from whit.model.acks import Arrival, acks
from whit.model.policy import Options, ProtocolError
from whit.wire.packet import MASK32, SACK_PERMITTED, Flags, Segment, distance, sack_option
from whit_testbed.link import Loop, Timer
from whit_testbed.reassembly import Reassembly
from whit_testbed.round_trips import RoundTrips
from whit_testbed.scoreboard import Scoreboard


class State(Enum):
    CLOSED = "CLOSED"
    SYN_SENT = "SYN-SENT"
    OPEN = "ESTABLISHED or closing"


class Connection:
    """One connection. `received` is the stream so far. `on_data` is called when it grew, ended or was reset."""

    def __init__(
        self,
        loop: Loop,
        send: Callable[[Segment], None],
        ports: tuple[int, int],
        iss: int,
        options: Options | None = None,
    ) -> None:
        self.loop = loop
        self.options = options or Options()
        self.port, self.remote_port = ports
        self.iss = iss & MASK32
        self.irs = 0
        self.state = State.CLOSED
        self.reset = self.refused = False
        self.on_data: Callable[[], None] = lambda: None
        self.opened_us: int | None = None
        self._send_segment = send
        # Receiving.
        self.input = Reassembly(self.options.verify)
        self.reading = True
        self._sack = False  # the peer answered our SACK-permitted
        self._unread = 0
        self._edge = 0  # right edge of the last announced window, as a position
        self._ack_timer: Timer | None = None
        self._acks = acks(self.options)
        # Sending.
        self._output = bytearray()  # from position _una on
        self._una = self._nxt = self._max = 0
        self._fin = False  # a FIN follows the last byte
        self._fin_acked = False
        self._peer_mss = 536
        self._wnd = 0
        self._wl: tuple[int, int] = (0, 0)  # position and acknowledgment of the last segment that set the window
        self._cwnd = 0
        self._ssthresh = 1 << 30
        self._dupacks = 0
        self._board: Scoreboard | None = None
        self._round_trips = RoundTrips(self.options.rto_min)
        self._quiet = 0  # no tail-loss probe until this position is acknowledged
        self._timed: tuple[int, int] | None = None  # position that ends a measurement, time of its beginning
        self._timer: Timer | None = None

    @property
    def received(self) -> bytes:
        return bytes(self.input.stream)

    @property
    def peer_closed(self) -> bool:
        return self.input.complete

    @property
    def finished(self) -> bool:
        """True if both directions have ended, or the connection was reset or refused."""
        return self.reset or self.refused or (self.peer_closed and self._fin_acked)

    @property
    def unacknowledged(self) -> int:
        return len(self._output)

    def open(self) -> None:
        self.state = State.SYN_SENT
        self._timed = (0, self.loop.now_us)
        self._send_syn()

    def send(self, octets: bytes) -> None:
        if self._fin:
            raise ValueError("send after close")
        self._output += octets
        if self.state is State.OPEN:
            self._push()

    def close(self) -> None:
        """Half-closes: sends a FIN behind all data. Data from the peer are still received."""
        self._fin = True
        if self.state is State.OPEN:
            self._push()

    def abort(self) -> None:
        """Sends a RST, and nothing after it."""
        self._emit(Flags.R | Flags.A, self._nxt)
        self._vanish()
        self.reset = True

    def vanish(self) -> None:
        """Stops sending, as after a loss of power."""
        self._vanish()
        self.reset = True

    def pause(self) -> None:
        """Stops reading: the window closes as data come."""
        self.reading = False

    def resume(self) -> None:
        self.reading = True
        self._unread = 0
        if self._position_in() + self.options.window - self._edge >= min(self._mss_in(), self.options.window // 2):
            self._acknowledge()

    def _mss_in(self) -> int:
        return 536 if self.options.mss is None else self.options.mss

    def _position_in(self) -> int:
        """RCV.NXT as a position."""
        return len(self.input.stream) + (1 if self.input.complete else 0)

    def _window(self) -> int:
        window = max(0, self.options.window - self._unread)
        edge = self._position_in() + window
        self._edge = max(self._edge, edge)
        return min(65535, self._edge - self._position_in())

    def _emit(self, flags: Flags, position: int, payload: bytes = b"", mss: int | None = None) -> None:
        ack = self.irs + 1 + self._position_in() if flags & Flags.A else 0
        window = self._window() if flags & Flags.A else min(65535, self.options.window)
        if flags & Flags.A:
            self._acks.ack_out()
            if self._ack_timer:
                self._ack_timer.cancel()
        seq = (self.iss if flags & Flags.S else self.iss + 1 + position) & MASK32
        ports, options = (self.port, self.remote_port), self._options(flags)
        self._send_segment(Segment(*ports, seq, ack & MASK32, flags, window, payload, mss, options))

    def _options(self, flags: Flags) -> bytes:
        """Returns SACK-permitted with the SYN, later the blocks ahead of a gap, the newest first (RFC 2018)."""
        if flags & Flags.S:
            return SACK_PERMITTED if self.options.sack else b""
        blocks = self.input.blocks() if self._sack and flags & Flags.A else []
        return sack_option((self.irs + 1 + begin, self.irs + 1 + end) for begin, end in blocks)

    def _acknowledge(self) -> None:
        self._emit(Flags.A, self._nxt)

    def _send_syn(self) -> None:
        self._emit(Flags.S, 0, mss=self.options.mss)
        self._set_timer()

    def _end(self) -> int:
        """Position behind all data to send, the FIN included."""
        return self._una + len(self._output) + (1 if self._fin and not self._fin_acked else 0)

    def _push(self) -> None:
        """Sends as much as the windows allow."""
        limit = self._una + min(self._wnd, self._cwnd)
        while self._nxt < self._end() and not (self.reset or self.refused):
            size = min(self._size(), max(0, limit - self._nxt))
            octets = bytes(self._output[self._nxt - self._una :][:size])
            last = self._nxt + len(octets) == self._una + len(self._output)
            fin = last and self._fin
            if not octets and not fin:
                break
            self._transmit(self._nxt, octets, fin)
            self._nxt += len(octets) + fin
            if self._timed is None and self._nxt > self._max:
                self._timed = (self._nxt, self.loop.now_us)
            self._max = max(self._max, self._nxt)
        if self._una < self._end() and not (self._timer and self._timer.action):
            self._set_timer()

    def _transmit(self, position: int, octets: bytes, fin: bool) -> None:
        flags = Flags.A | (Flags.F if fin else Flags.NONE)
        if octets and position + len(octets) == self._una + len(self._output):
            flags |= Flags.P
        if position < self._max:
            self._timed = None  # Karn's algorithm
        self._emit(flags, position, octets)
        if octets:
            self._acks.data_out(self.loop.now_us)

    def _set_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
        times, lone = self._round_trips, self._max - self._una <= self._peer_mss
        late = (self.loop.now_us * 7919 + self.port * 104729) % (self.options.late + 1)
        if self.options.tail_probe and self._sack and self._wnd and self._quiet <= self._una < self._max:
            self._timer = self.loop.after(int(times.probe(lone=lone)) + late, self._probe)
        else:
            self._timer = self.loop.after(int(times.rto) + late, self._timeout)

    def _probe(self) -> None:
        """Sends the last segment again (RFC 8985 section 7). Its acknowledgment shows earlier losses."""
        self._timer = None
        self._quiet = self._max
        begin = max(self._una, self._max - self._fin - min(self.options.segment, self._peer_mss))
        octets = bytes(self._output[begin - self._una : self._max - self._una])
        self._transmit(begin, octets, self._fin and begin + len(octets) < self._max)
        self._set_timer()

    def _timeout(self) -> None:
        self._timer = self._timed = None
        self._quiet = self._max
        self._round_trips.back_off()
        self._board = Scoreboard() if self._board else None
        if self.state is State.SYN_SENT:
            self._send_syn()
            return
        if self._una >= self._end():
            return
        if self._wnd == 0:
            self._transmit(self._una, bytes(self._output[:1]), self._fin and not self._output)
            self._max = max(self._max, self._una + 1)
        else:
            self._ssthresh = max((self._nxt - self._una) // 2, 2 * self._peer_mss)
            self._cwnd = self._peer_mss
            self._nxt = self._una
            self._push()
        self._set_timer()

    def segment_in(self, segment: Segment, begun_us: int) -> None:
        """Handles a segment with a correct checksum. `begun_us`: arrival of its first byte."""
        if self.state is State.SYN_SENT:
            self._syn_sent_in(segment)
        elif self.state is State.OPEN and not self.reset:
            self._open_in(segment, begun_us)

    def _syn_sent_in(self, segment: Segment) -> None:
        acceptable = bool(segment.flags & Flags.A) and segment.ack == self.iss + 1 & MASK32
        if segment.flags & Flags.A and not acceptable:
            if not segment.flags & Flags.R:
                self._send_segment(Segment(self.port, self.remote_port, segment.ack, 0, Flags.R, 0))
            return
        if segment.flags & Flags.R:
            if acceptable:
                self.refused = True
                self._vanish()
                self.on_data()
            return
        if not segment.flags & Flags.S or not acceptable:
            return
        self.irs = segment.seq
        self._peer_mss = 536 if segment.mss is None else segment.mss
        self._sack = self.options.sack and SACK_PERMITTED in segment.options
        self._board = Scoreboard() if self._sack and self.options.scoreboard else None
        self._wnd = segment.wnd
        self._cwnd = max(4380, 2 * self._peer_mss)
        self.state = State.OPEN
        self.opened_us = self.loop.now_us
        self._round_trips.begin()
        if self._timed:
            self._round_trips.measure(self.loop.now_us - self._timed[1])
            self._timed = None
        if self._timer:
            self._timer.cancel()
        self._acknowledge()
        self._push()
        self.on_data()

    def _open_in(self, segment: Segment, begun_us: int) -> None:
        position = distance(segment.seq, self.irs + 1 + self._position_in() & MASK32) + self._position_in()
        window = self._edge - self._position_in()
        end = position + segment.seq_len
        near = self._position_in()
        if self.options.strict and segment.payload:
            if len(segment.payload) > self._mss_in():
                raise ProtocolError(f"segment of {len(segment.payload)} octets, the MSS is {self._mss_in()}")
            beyond = position + len(segment.payload) - max(self._edge, near + 1)
            if beyond > 0:
                raise ProtocolError(f"{beyond} octets beyond the window")
        acceptable = (
            near <= position < near + window
            or near < end <= near + window
            or (position < near + window and end > near)
            or (position == near and window == 0 and segment.seq_len == 0)
        )
        if segment.flags & Flags.R:
            if position == near:
                self.reset = True
                self._vanish()
                self.on_data()
            elif acceptable:
                self._acknowledge()
            return
        if not acceptable:
            self._acknowledge()
            return
        if segment.flags & Flags.S:
            self._acknowledge()
        elif segment.flags & Flags.A and self._ack_in(segment, position):
            self._data_in(segment, position, begun_us)

    def _ack_in(self, segment: Segment, position: int) -> bool:
        """Handles SEG.ACK and SEG.WND. False: the segment is dropped."""
        ack = distance(segment.ack, self.iss + 1 + self._una & MASK32) + self._una
        if ack > self._max:
            if self.options.strict:
                raise ProtocolError(f"acknowledges position {ack}, sent were {self._max}")
            self._acknowledge()
            return False
        if ack < self._una - 65535:
            self._acknowledge()
            return False
        if ack > self._una:
            self._acknowledged(ack)
        elif self._board is None and ack == self._una < self._nxt and segment.seq_len == 0 and segment.wnd == self._wnd:
            self._dupacks += 1
            if self._dupacks == 3:
                octets = bytes(self._output[: min(self._size(), self._max - self._una)])
                self._transmit(self._una, octets, self._fin and len(octets) == len(self._output))
        if ack >= self._una and (position, ack) >= self._wl:
            self._wl = (position, ack)
            self._wnd = segment.wnd
        self._repair(segment)
        self._push()
        return True

    def _size(self) -> int:
        return min(self.options.segment, self._peer_mss - len(self._options(Flags.A)))  # RFC 6691

    def _repair(self, segment: Segment) -> None:
        for begin, end in self._board.missing(segment.options, self.iss + 1, self._una) if self._board else ():
            for at in range(begin, min(end, self._max), size := self._size()):
                self._transmit(at, bytes(self._output[at - self._una : min(at + size, end) - self._una]), False)

    def _acknowledged(self, ack: int) -> None:
        octets = min(ack - self._una, len(self._output))
        if self._fin and ack == self._end():
            self._fin_acked = True
        del self._output[:octets]
        self._cwnd += (
            min(ack - self._una, self._peer_mss) if self._cwnd < self._ssthresh else self._peer_mss**2 // self._cwnd
        )
        self._una = ack
        self._nxt = max(self._nxt, ack)
        self._dupacks = 0
        if self._timed and ack >= self._timed[0]:
            self._round_trips.measure(self.loop.now_us - self._timed[1])
            self._timed = None
        if self._timer:
            self._timer.cancel()
        if self._una < self._end():
            self._set_timer()

    def _data_in(self, segment: Segment, position: int, begun_us: int) -> None:
        payload, fin = segment.payload, bool(segment.flags & Flags.F)
        if not payload and not fin:
            return
        beyond = position + len(payload) - self._edge
        if beyond > 0:
            payload, fin = payload[:-beyond], False
        had_gap, length, was_complete = self.input.gap, len(self.input.stream), self.input.complete
        if fin:
            self.input.fin(position + len(payload))
        grew = self.input.add(position, payload)
        if not self.reading:
            self._unread += len(self.input.stream) - length
        in_order = grew and not had_gap and not self.input.gap
        due_us = self._acks.data_in(Arrival(self.loop.now_us, begun_us, len(payload), *self._round_trips.known))
        self._acknowledge_at(due_us if in_order and not fin else self.loop.now_us)
        if grew or self.input.complete != was_complete:
            self.on_data()

    def _acknowledge_at(self, time_us: int) -> None:
        if self._ack_timer:
            self._ack_timer.cancel()
        if time_us <= self.loop.now_us:
            self._acknowledge()
        else:
            self._ack_timer = self.loop.at(time_us, self._delay_expired)

    def _delay_expired(self) -> None:
        self._acks.expired()
        self._acknowledge()

    def _vanish(self) -> None:
        for timer in (self._timer, self._ack_timer):
            if timer:
                timer.cancel()
        self._output.clear()
        if self.state is not State.OPEN:
            self.state = State.CLOSED
