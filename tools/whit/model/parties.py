# SPDX-License-Identifier: MIT
"""The parts of a response in the refined model: link, client, server and the requested item.

Sizes are octets, times seconds, rates octets a second.
"""

from __future__ import annotations

from dataclasses import dataclass

from whit.model.policy import AckPolicy

HEADER = 40  # octets of TCP and IP
SYN = 44  # with the MSS option
ARP = 28


@dataclass(frozen=True)
class Framing:
    """The overhead of a link per datagram. `escaped`: octets added per octet, on average."""

    name: str
    overhead: int = 0
    least: int = 0  # octets of the shortest frame
    escaped: float = 0.0

    def octets(self, datagram: int) -> float:
        return max(self.least, self.overhead + datagram * (1 + self.escaped))


DATAGRAM = Framing("none")  # datagrams alone count, as in the papers' model
FRAME = Framing("frame", 14)  # Ethernet without FCS, as links in virtual time count it
ETHERNET = Framing("ethernet", 38, 84)  # preamble, FCS and gap as well
SLIP = Framing("slip", 2)  # text: it has nothing to escape
SLIP_BINARY = Framing("slip-binary", 2, escaped=2 / 256)
FRAMINGS = {framing.name: framing for framing in (DATAGRAM, FRAME, ETHERNET, SLIP, SLIP_BINARY)}


@dataclass(frozen=True)
class Link:
    """A line between client and server. Half duplex: a frame of one direction waits for those of the other."""

    rate: float | None  # from the server; None: no limit
    rtt_s: float
    up_rate: float | None = None  # to the server; None: as from it
    half_duplex: bool = False
    framing: Framing = DATAGRAM
    loss: float = 0.0  # of frames, each way, 0..1
    resolve: bool = False  # an ARP exchange goes ahead of the first connection

    def transmission_s(self, datagram: int, *, up: bool = False) -> float:
        rate = self.up_rate if up and self.up_rate is not None else self.rate
        return self.framing.octets(datagram) / rate if rate else 0.0


@dataclass(frozen=True)
class Client:
    """A client's TCP. `segment`: most octets that it puts into one."""

    mss: int = 1460
    window: int = 65535
    ack: AckPolicy = AckPolicy.DELAYED
    delayed_ack_s: float = 0.2
    segment: int = 1460
    rto_min_s: float = 1.0  # RFC 6298; Linux: 0.2
    connections: int = 2  # of a page load, at most


@dataclass(frozen=True)
class Server:
    """An engine: limits of app.toml, and its processor's times."""

    initial_window: int = 10  # segments (RFC 6928)
    local: bool = False  # link.local: the peer's whole window from the beginning
    chunk: int = 32
    buffer: int = 2048  # octets of the shared buffer
    slots: int = 4  # connections: requests and responses at a time
    request_s: float = 0.0  # from a request's last octet to the response's first
    segment_s: float = 0.0  # for each segment
    rto_s: float = 1.0


@dataclass(frozen=True)
class Item:
    """A response. `head`: octets before the content, with the empty line. `after`: names of items that must be loaded
    before it is requested."""

    name: str
    request: int
    head: int
    content: int
    strategy: str = "S0"
    after: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tls:
    """The overhead of HTTPS, in octets.

    * record: content in one record
    * flight: the server's flight of a full handshake
    * hello: the client's hello of a full handshake
    * finished: the client's messages before a connection's first request
    * shares: a segment carries as many whole records as fit, not only one
    """

    record: int
    flight: int
    shares: bool = False
    hello: int = 517  # of OpenSSL's clients; browsers send up to 2000
    finished: int = 6 + 5 + 36 + 17  # a dummy record, and Finished

    AROUND = 22  # octets of a record beside its content

    def segment(self, mss: int) -> int:
        """Octets of records in a segment of at most `mss`."""
        whole = self.record + self.AROUND
        return min(mss, whole * max(1, mss // whole)) if self.shares else min(mss, whole)

    def over(self, octets: int) -> int:
        """Returns the overhead of the records that carry `octets` of content."""
        return self.AROUND * -(-octets // self.record)
