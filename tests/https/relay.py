# SPDX-License-Identifier: MIT
"""A relay before the server. The ServerHello in the clear shows it the suite and whether a handshake resumes: the same
proof for each client."""

import contextlib
import socket
import threading
from collections.abc import Iterator

HANDSHAKE, SERVER_HELLO, PRE_SHARED_KEY = 22, 2, 41
RETRY = bytes.fromhex("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c")  # RFC 8446, section 4.1.3


class Relay:
    def __init__(self, to: int) -> None:
        self.resumed: list[bool] = []
        self.suites: list[int] = []
        """Of each handshake that was answered."""
        self._to = to
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Ends all connections that there are."""
        while self._open:
            with contextlib.suppress(OSError):
                self._open.pop().shutdown(socket.SHUT_RDWR)

    def end(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client = self._listener.accept()[0]
                server = socket.create_connection(("127.0.0.1", self._to))
                self._open += [client, server]
                for pair in ((client, server, False), (server, client, True)):
                    threading.Thread(target=self._carry, args=pair, daemon=True).start()

    def _carry(self, giver: socket.socket, taker: socket.socket, is_server: bool) -> None:
        said: bytes | None = b"" if is_server else None
        with contextlib.suppress(OSError):
            while part := giver.recv(65536):
                if said is not None:
                    said += part
                    hello = server_hello(said)
                    if hello is not None:
                        self.resumed.append(PRE_SHARED_KEY in extensions(hello))
                        self.suites.append(suite(hello))
                        said = None
                taker.sendall(part)
        with contextlib.suppress(OSError):
            taker.shutdown(socket.SHUT_WR)


def server_hello(said: bytes) -> bytes | None:
    """Returns the complete ServerHello, or None. A request for another key share does not count."""
    while len(said) >= 5 and len(said) >= (end := 5 + int.from_bytes(said[3:5])):
        kind, record, said = said[0], said[5:end], said[end:]
        if kind == HANDSHAKE and record[0] == SERVER_HELLO and record[6:38] != RETRY:
            return record
    return None


def suite(hello: bytes) -> int:
    at = 38 + 1 + hello[38]
    return int.from_bytes(hello[at : at + 2])


def extensions(hello: bytes) -> Iterator[int]:
    at = 38 + 1 + hello[38] + 3 + 2
    while at < len(hello):
        yield int.from_bytes(hello[at : at + 2])
        at += 4 + int.from_bytes(hello[at + 2 : at + 4])


@contextlib.contextmanager
def relayed(to: int) -> Iterator[Relay]:
    relay = Relay(to)
    try:
        yield relay
    finally:
        relay.end()
