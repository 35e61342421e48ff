# SPDX-License-Identifier: MIT
"""An HTTP/1.1 client over a `client.Connection`, in virtual time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from whit.wire.http import LAST_CHUNK, Response, is_chunked, parse_response, request
from whit.wire.units import SECOND
from whit_testbed.client import Connection


class Client:
    """Requests on one connection, one after the other or pipelined; responses come in their order."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.responses: list[Response] = []
        self._asked: deque[str] = deque()  # methods
        self._at = 0  # in the stream: where the next response begins
        self._need = 0  # bytes of the stream that parsing needs at least
        self._in_chunks = False  # the last response's last chunk is missing
        connection.on_data = self._data

    @property
    def waiting(self) -> int:
        """Requests without a response."""
        return len(self._asked)

    @property
    def ended(self) -> bool:
        """True if no more data will arrive."""
        connection = self.connection
        return connection.peer_closed or connection.reset or connection.refused

    def ask(
        self,
        target: str | bytes,
        *fields: str,
        method: str = "GET",
        host: str | None = "whit",
        version: str = "1.1",
        body: bytes = b"",
    ) -> None:
        self.send(request(target, *fields, method=method, host=host, version=version, body=body), method)

    def send(self, octets: bytes, *methods: str) -> None:
        """Raw bytes that hold one request for each of `methods` (one GET if none is named)."""
        self._asked.extend(methods or ("GET",))
        self.connection.send(octets)

    def wait(self, done: Callable[[Connection], bool], *, for_s: float = 60) -> None:
        """Runs until `done` is true. Raises Deadlock after `for_s`."""
        self.connection.loop.run(lambda: done(self.connection), for_us=int(for_s * SECOND))

    def _data(self) -> None:
        stream = self.connection.input.stream
        while self._asked and (len(stream) > self._at or self.ended):
            if len(stream) < self._need and not self.ended:
                return
            if self._in_chunks and stream.find(LAST_CHUNK, self._need - 1 - len(LAST_CHUNK)) < 0 and not self.ended:
                self._need = len(stream) + 1
                return
            octets = bytes(stream[self._at :])
            if not octets:
                return
            response = parse_response(octets, self._asked[0], closed=self.connection.peer_closed)
            if response is None:
                self._need = self._at + self._missing(octets)
                self._in_chunks = is_chunked(octets)
                return
            self._in_chunks = False
            if response.status >= 200:
                self._asked.popleft()
                self.responses.append(response)
            self._at += len(response.raw)

    @staticmethod
    def _missing(octets: bytes) -> int:
        """Returns the bytes that the response has at least, as far as is known."""
        end = octets.find(b"\r\n\r\n")
        if end < 0:
            return len(octets) + 1
        for line in octets[:end].lower().split(b"\r\n"):
            if line.startswith(b"content-length:") and line[15:].strip().isdigit():
                return end + 4 + int(line[15:])
        return len(octets) + 1

    @property
    def leftover(self) -> bytes:
        """Bytes behind the last response."""
        return bytes(self.connection.input.stream[self._at :])
