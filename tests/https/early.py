# SPDX-License-Identifier: MIT
"""A client that sends early data, over a TCP of virtual time."""

from collections.abc import Callable

from tests.https.secured import NAME, PORT
from whit.model.policy import Options
from whit.wire.http import Response, parse_response
from whit.wire.units import SECOND
from whit_testbed.client import Connection
from whit_testbed.net import Net
from whit_testbed.tls import CHACHA20_POLY1305, Client, Ticket


class Early:
    """A client with early data. `hold`: TLS output after the hello is not sent automatically. `more` writes more behind
    early data. `first`: the number of octets to send at once. `hello`: another client's octets, so that nothing can be
    decrypted."""

    def __init__(
        self,
        net: Net,
        early: bytes = b"",
        ticket: Ticket | None = None,
        *,
        address: str = "10.0.0.2",
        options: Options | None = None,
        alpn: bool = True,
        hello: bytes | None = None,
        more: Callable[[Client], None] = lambda tls: None,
        first: int | None = None,
        suites: tuple[int, ...] = (CHACHA20_POLY1305,),
    ) -> None:
        self.net = net
        self.tls = Client(net.loop.now_us // 1000, ticket, early, name=NAME, alpn=alpn, suites=suites)
        self.begun_us, self.first_us = net.loop.now_us, 0
        self.hold = False
        self._read = 0
        more(self.tls)
        said = self.tls.take()
        self.hello = said if hello is None else hello
        self.connection: Connection = net.host(address).connect(options, remote_port=PORT)
        self.connection.on_data = self._turn
        self.connection.send(self.hello[:first])

    def _turn(self) -> None:
        received = self.connection.received
        self.tls.now_ms = self.net.loop.now_us // 1000
        self.tls.give(received[self._read :])
        self._read = len(received)
        if self.tls.heard and not self.first_us:
            self.first_us = self.net.loop.now_us
        if not self.hold:
            self.flush()

    def flush(self) -> None:
        if out := self.tls.take():
            self.connection.send(out)

    def say(self, octets: bytes) -> None:
        self.tls.write(octets)
        self.flush()

    @property
    def ended(self) -> bool:
        return self.connection.reset or self.connection.peer_closed

    def responses(self) -> list[Response]:
        left, found = self.tls.heard, []
        while left and (response := parse_response(left, "GET")) is not None:
            found.append(response)
            left = left[len(response.raw) :]
        return found

    def wait(self, count: int = 1, for_s: float = 60) -> list[Response]:
        """Waits for `count` responses or the connection's end, and returns the responses."""
        self.net.loop.run(lambda: len(self.responses()) >= count or self.ended, for_us=int(for_s * SECOND))
        return self.responses()

    def ticket(self) -> Ticket:
        """Returns the first ticket after the handshake."""
        self.net.loop.run(lambda: bool(self.tls.tickets) or self.ended, for_us=10 * SECOND)
        return self.tls.tickets[0]
