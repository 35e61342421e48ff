# SPDX-License-Identifier: MIT
"""One request and its response on a link of a given rate, in virtual time.

The results are its duration and the memory held by the server. The server is the engine or any other that a `Net` can
drive. Both are observed through the frames on the link.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from whit.errors import WhitError
from whit.ladder.datagram import TcpDatagram, ethernet_datagram, read_tcp
from whit.model.policy import Options
from whit.wire.http import Response
from whit.wire.packet import IPV4
from whit.wire.units import MS, SECOND
from whit_lab.instruments.secured import Secured
from whit_testbed.client import State
from whit_testbed.http import Client
from whit_testbed.link import Impairment
from whit_testbed.net import Net

ARP_LEN = 28  # bytes


def datagram_len(frame: bytes) -> int:
    """Returns the bytes for which a frame occupies the link: its datagram, without Ethernet's header."""
    return int.from_bytes(frame[16:18], "big") if frame[12:14] == IPV4.to_bytes(2, "big") else ARP_LEN


@dataclass
class Exchange:
    """Times of an exchange in µs, since the client began to send its request."""

    response: Response
    first_us: int  # the first byte of the response leaves the server
    whole_us: int  # the client has the whole response
    acked_us: int  # the server has the last acknowledgment of it
    segment_cnt: int  # segments with bytes of the response
    ack_cnt: int  # datagrams of the client behind its request, without data
    arrivals: list[tuple[int, int]]  # (time, bytes of the response received in order)
    held: list[tuple[int, int]]  # (time, bytes that the server holds from then on)

    @property
    def served_us(self) -> int:
        """Time from the first byte of the response to the last acknowledgment: the paper's ST."""
        return self.acked_us - self.first_us

    @property
    def charge(self) -> float:
        """Integral of the held bytes over time, in byte seconds."""
        pairs = zip(self.held, self.held[1:], strict=False)
        return sum(octets * (end - begin) for (begin, octets), (end, _) in pairs) / SECOND

    @property
    def held_most(self) -> int:
        return max(octets for _, octets in self.held)


@dataclass
class _Seen:
    """The traffic seen on the link."""

    up_begin_us: int | None = None
    down_begin_us: int | None = None
    segment_cnt: int = 0
    acks: list[tuple[int, int]] = field(default_factory=list)  # (time of arrival at the server, SEG.ACK)


class Visitor:
    """A client on one connection. A first, unmeasured request makes its round-trip time known.

    With TLS, arriving bytes are those of records.
    """

    def __init__(self, net: Net, options: Options, held: Callable[[], int], *, tls: bool = False) -> None:
        self.net, self._held = net, held
        self._seen = _Seen()
        if net.engine.link == "ethernet":
            for link in (net.up, net.down):
                link.wire_len = datagram_len
        net.up.tap, net.down.tap = self._up, self._down
        deliver = net.up.deliver

        def delivered(frame: bytes, begun_us: int) -> None:
            segment = self._segment(frame)
            if segment:
                self._seen.acks.append((net.loop.now_us, segment.ack))
            deliver(frame, begun_us)

        net.up.deliver = delivered
        self.client: Client | Secured = Secured(net, options) if tls else net.host().client(options)
        net.loop.run(lambda: self.client.connection.state is State.OPEN)
        self._settle()

    def get(self, target: str, expected: bytes, request: bytes | None = None) -> Exchange:
        """Sends one request and measures it. request: raw bytes; by default one with the fewest fields."""
        loop, connection = self.net.loop, self.client.connection
        self._seen = seen = _Seen()
        begin_us, before, already = loop.now_us, len(connection.received), len(self.client.responses)
        arrivals = [(0, 0)]
        held = [(0, self._held())]
        told = connection.on_data

        def data() -> None:
            arrivals.append((loop.now_us - begin_us, len(connection.input.stream) - before))
            told()

        def done() -> bool:
            octets = self._held()
            if octets != held[-1][1]:
                held.append((loop.now_us - begin_us, octets))
            return len(self.client.responses) > already

        connection.on_data = data
        if request is None:
            self.client.ask(target)
        else:
            self.client.send(request)
        loop.run(done, for_us=600 * SECOND)
        connection.on_data = told
        whole_us = next(time_us for time_us, octets in arrivals if octets == arrivals[-1][1])
        response = self.client.responses[-1]
        if response.status != 200 or response.body != expected:
            raise WhitError(f"lab: {target}: {response.status}, {len(response.body)} octets; expected its content", 1)
        self._settle(done)
        held.append((loop.now_us - begin_us, self._held()))
        if seen.up_begin_us != begin_us or seen.down_begin_us is None:
            raise WhitError(f"lab: {target}: the request did not leave at once, expected an idle link", 1)
        last = max(ack for _, ack in seen.acks)
        acked_us = next(time_us for time_us, ack in seen.acks if ack == last)
        return Exchange(
            response,
            seen.down_begin_us - begin_us,
            whole_us,
            acked_us - begin_us,
            seen.segment_cnt,
            len([True for time_us, _ in seen.acks if time_us > seen.down_begin_us]),
            arrivals,
            held,
        )

    def _settle(self, watch: Callable[[], bool] = lambda: False) -> None:
        """Runs until no frame is in transit and no acknowledgment is delayed."""
        end = False

        def ended() -> None:
            nonlocal end
            end = True

        self.net.loop.after(2 * SECOND, ended)
        self.net.loop.run(lambda: (watch() and end) or end)

    def _up(self, begin_us: int, frame: bytes) -> None:
        if self._seen.up_begin_us is None:
            self._seen.up_begin_us = begin_us

    def _down(self, begin_us: int, frame: bytes) -> None:
        segment = self._segment(frame)
        if segment and segment.payload:
            self._seen.segment_cnt += 1
            if self._seen.down_begin_us is None:
                self._seen.down_begin_us = begin_us

    def _segment(self, frame: bytes) -> TcpDatagram | None:
        return read_tcp(ethernet_datagram(frame) if self.net.engine.link == "ethernet" else frame)


def link(rate: int, rtt_ms: int, loss: float = 0.0) -> Impairment:
    """Returns the impairment of each direction of the link."""
    return Impairment(delay_us=rtt_ms * MS // 2, rate=rate, loss=loss)
