# SPDX-License-Identifier: MIT
"""OpenSSL as a client in this process, by memory instead of a socket."""

import ssl
from collections.abc import Callable
from dataclasses import dataclass

from tests.tls.host import NAME, Server, identity


def context() -> ssl.SSLContext:
    made = ssl.create_default_context(cafile=str(identity().certificate))
    made.set_alpn_protocols(["h2", "http/1.1"])
    return made


@dataclass
class Client:
    """`cut`: how octets to the server are cut: a function of them that yields pieces."""

    server: Server
    context: ssl.SSLContext
    session: ssl.SSLSession | None = None
    cut: Callable[[bytes], list[bytes]] = lambda octets: [octets]

    def __post_init__(self) -> None:
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = self.context.wrap_bio(self.incoming, self.outgoing, server_hostname=NAME, session=self.session)

    def exchange(self) -> None:
        """Exchanges octets until both sides are silent."""
        while True:
            said = self.outgoing.read()
            for piece in self.cut(said):
                while piece:
                    left = self.server.give(piece)
                    answer = self.server.take()
                    self.incoming.write(answer)
                    if len(left) == len(piece) and not answer:
                        break  # of a connection that has ended
                    piece = left
            answer = self.server.take()
            self.incoming.write(answer)
            if not said and not answer:
                break

    def handshake(self) -> None:
        while True:
            try:
                self.tls.do_handshake()
                break
            except ssl.SSLWantReadError:
                self.exchange()
                if self.server.phase == "closed":
                    self.tls.do_handshake()
        self.exchange()

    def say(self, octets: bytes) -> None:
        while octets:
            octets = octets[self.tls.write(octets) :]
        self.exchange()

    def hear(self, wire: bytes = b"") -> bytes:
        """Returns the plain text of the server's octets."""
        self.incoming.write(wire)
        heard = b""
        try:
            while part := self.tls.read(65536):
                heard += part
        except (ssl.SSLWantReadError, ssl.SSLZeroReturnError):
            pass
        return heard
