# SPDX-License-Identifier: MIT
"""Clients on the kernel's TCP in a namespace, for one page or several in turn.

They send a number of requests, some at once, each on a connection of its own or on kept ones. Every response is
compared with the expected one.
"""

from __future__ import annotations

import re
import selectors
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle

from whit.errors import WhitError
from whit_lab.real.namespace import Namespace
from whit_lab.real.relay import SERVER

PORT = 80
STALLED_S, PATIENCE_S = 20.0, 3.0
HEAD_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"\r\nContent-Length: *(\d+)", re.IGNORECASE)
_CHUNKED = re.compile(rb"\r\nTransfer-Encoding: *chunked", re.IGNORECASE)
LAST_CHUNK = b"0\r\n\r\n"


@dataclass(frozen=True)
class Page:
    """A requested page and its expected body."""

    target: str
    body: bytes


Pages = Sequence[Page]
"""Pages that are requested in turn."""


def http_load(target: str) -> bytes:
    """Returns a request of the program http_load (002 section IV): the server ends the connection."""
    return f"GET {target} HTTP/1.0\r\nHost: {SERVER}\r\nUser-Agent: http_load 12mar2006\r\n\r\n".encode()


def kept(target: str) -> bytes:
    """Returns the same request on a kept connection."""
    return f"GET {target} HTTP/1.1\r\nHost: {SERVER}\r\nUser-Agent: http_load 12mar2006\r\n\r\n".encode()


@dataclass(eq=False)
class _Connection:
    socket: socket.socket
    page: Page
    answer: bytearray = field(default_factory=bytearray)


class Clients:
    """`at_once` clients. Kept connections stay open from one call of ask() to the next.

    A connection that the server ends is an error, or is counted if `may_lose`.
    """

    def __init__(self, namespace: Namespace, pages: Pages, at_once: int, *, keep: bool, may_lose: bool) -> None:
        self._namespace, self._pages, self._at_once, self._may_lose = namespace, cycle(pages), at_once, may_lose
        self._keep = keep
        self._selector = selectors.DefaultSelector()
        self._kept: list[_Connection] = []
        self._begun = self._ended = self._wanted = self.lost = self.head_len = 0

    def ask(self, requests: int) -> float:
        """Returns the seconds until all requests have been answered."""
        self._begun, self._ended, self._wanted = 0, 0, requests
        start, before = time.monotonic(), self.lost
        with self._namespace.entered():
            for connection in self._kept:
                self._send(connection)
            while self._begun < min(self._at_once, requests):
                self._open()
            while self._ended + self.lost - before < requests:
                ready = self._selector.select(STALLED_S)
                if not ready:
                    raise WhitError(f"lab: no answer for {STALLED_S:g} s, after {self._ended} of {requests}", 1)
                for key, _ in ready:
                    self._progress(key.data)
        return time.monotonic() - start

    def close(self) -> None:
        for connection in self._kept:
            connection.socket.close()
        self._selector.close()

    def _open(self) -> None:
        made = socket.create_connection((SERVER, PORT), STALLED_S)
        connection = _Connection(made, Page("", b""))
        connection.socket.setblocking(False)
        self._selector.register(connection.socket, selectors.EVENT_READ, connection)
        if self._keep:
            self._kept.append(connection)
        self._send(connection)

    def _send(self, connection: _Connection) -> None:
        if self._begun < self._wanted:
            self._begun += 1
            connection.answer.clear()
            connection.page = next(self._pages)
            connection.socket.sendall((kept if self._keep else http_load)(connection.page.target))

    def _progress(self, connection: _Connection) -> None:
        try:
            octets = connection.socket.recv(65536)
        except ConnectionError:
            octets = b""
        connection.answer += octets
        if not octets:
            self._selector.unregister(connection.socket)
            connection.socket.close()
            if self._keep:
                self._lose(connection)
                return
            head, _, body = connection.answer.partition(HEAD_END)
            self._check(connection.page, head, body)
            if self._begun < self._wanted:
                self._open()
        elif self._keep and (whole := _whole(connection.answer)):
            self._check(connection.page, *whole)
            self._send(connection)

    def _lose(self, connection: _Connection) -> None:
        if not self._may_lose:
            raise WhitError("lab: the server has ended a connection that was to stay", 1)
        self._kept.remove(connection)
        self.lost += 1

    def _check(self, page: Page, head: bytes | bytearray, body: bytes | bytearray) -> None:
        if not re.match(rb"HTTP/1\.[01] 200 ", head) or body != page.body:
            raise WhitError(f"lab: {page.target}: not the page, but {len(body)} octets: {bytes(head[:60])!r}", 1)
        self.head_len = len(head) + len(HEAD_END)
        self._ended += 1


def _whole(answer: bytearray) -> tuple[bytes, bytes] | None:
    """Returns head and body of an answer that contains its length; None: it is incomplete."""
    head, found, rest = bytes(answer).partition(HEAD_END)
    if not found:
        return None
    if length := _LENGTH.search(head):
        return (head, rest) if len(rest) >= int(length[1]) else None
    return (head, _unchunked(rest)) if _CHUNKED.search(head) and rest.endswith(LAST_CHUNK) else None


def _unchunked(rest: bytes) -> bytes:
    body = b""
    while rest != LAST_CHUNK:
        size, _, rest = rest.partition(b"\r\n")
        body += rest[: int(size, 16)]
        rest = rest[int(size, 16) + 2 :]
    return body


@contextmanager
def clients(
    namespace: Namespace, pages: Pages, at_once: int, *, keep: bool, may_lose: bool = False
) -> Iterator[Clients]:
    made = Clients(namespace, pages, at_once, keep=keep, may_lose=may_lose)
    try:
        yield made
    finally:
        made.close()


@dataclass(frozen=True)
class Offered:
    """Times of requests sent at a rate, which do not wait for earlier answers.

    They are seconds to the end of the handshake, and from there to the end of the connection.
    """

    asked: int
    handshakes_s: Sequence[float]
    connections_s: Sequence[float]
    took_s: float  # to the last answer


def offered(namespace: Namespace, pages: Pages, rate: int, seconds: float) -> Offered:
    """Sends requests at a rate, each on its own connection. Answers later than PATIENCE_S after the last request are
    left out."""
    with namespace.entered(), selectors.DefaultSelector() as selector:
        return _Offering(selector, pages).run(rate, int(rate * seconds))


@dataclass
class _Asked:
    socket: socket.socket
    page: Page
    start: float
    connected: float = 0.0
    answer: bytearray = field(default_factory=bytearray)


class _Offering:
    def __init__(self, selector: selectors.BaseSelector, pages: Pages) -> None:
        self._selector, self._pages = selector, cycle(pages)
        self._open: set[socket.socket] = set()
        self._handshakes: list[float] = []
        self._connections: list[float] = []

    def run(self, rate: int, requests: int) -> Offered:
        start, begun = time.monotonic(), 0
        end = start + requests / rate + PATIENCE_S
        while (now := time.monotonic()) < end and (begun < requests or self._open):
            while begun < requests and start + begun / rate <= now:
                self._begin(start + begun / rate)
                begun += 1
            wait = start + begun / rate - now if begun < requests else end - now
            for key, _ in self._selector.select(max(0.0, wait)):
                self._progress(key.data)
        took_s = time.monotonic() - start
        for one in self._open:
            one.close()
        return Offered(requests, self._handshakes, self._connections, took_s)

    def _begin(self, due: float) -> None:
        made = socket.socket()
        made.setblocking(False)
        made.connect_ex((SERVER, PORT))
        self._open.add(made)
        self._selector.register(made, selectors.EVENT_WRITE, _Asked(made, next(self._pages), due))

    def _progress(self, asked: _Asked) -> None:
        now = time.monotonic()
        try:
            if asked.connected:
                octets = asked.socket.recv(65536)
                asked.answer += octets
            else:
                octets = http_load(asked.page.target)
                asked.socket.sendall(octets)
                asked.connected = now
                self._selector.modify(asked.socket, selectors.EVENT_READ, asked)
        except OSError:  # refused or reset: counts as unanswered
            octets = b""
        if octets:
            return
        if asked.answer.endswith(asked.page.body):
            self._handshakes.append(asked.connected - asked.start)
            self._connections.append(now - asked.connected)
        self._selector.unregister(asked.socket)
        self._open.discard(asked.socket)
        asked.socket.close()
