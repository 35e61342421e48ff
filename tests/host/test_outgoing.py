# SPDX-License-Identifier: MIT
"""Connections that the server opens, on Linux over libslirp to real servers on 127.0.0.1, which is 10.0.2.2 there."""

import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import copytree

import pytest

from whit.paths import ROOT

from .conftest import WHIT, Running, Start, body, get

APP = ROOT / "tests" / "apps" / "client"
HOST = int.from_bytes(socket.inet_aton("10.0.2.2"), "big")

Serve = Callable[[socket.socket], None]


@contextmanager
def server(serve: Serve) -> Iterator[int]:
    """A server that serves its connections one by one, and its port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def run() -> None:
            with suppress(OSError):
                while True:
                    connection = listener.accept()[0]
                    with connection, suppress(OSError):
                        serve(connection)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        yield int(listener.getsockname()[1])
        listener.shutdown(socket.SHUT_RDWR)
        thread.join(10)


@pytest.fixture
def whit_port(start: Start, port: int) -> int:
    running: Running = start(WHIT, "run", APP, "--port", port)
    running.read_until("Ctrl-C ends it.\n")
    return port


def mashup(start: Start, port: int, tmp_path: Path, *ports: int) -> Callable[[], bytes]:
    """apps/mashup as its author would change it: other ports in sources.h."""
    app = copytree(ROOT / "apps" / "mashup", tmp_path / "mashup")
    sources = app / "sources.h"
    for name, other in zip(("FIRST_PORT", "SECOND_PORT"), ports, strict=True):
        sources.write_text(sources.read_text().replace(f"{name} SELF_PORT", f"{name} {other}"))
    start(WHIT, "run", app, "--port", port).read_until("Ctrl-C ends it.\n")
    return lambda: dechunked(body(get(port, "/merged")))


WEATHER = b'{"place": "Lille", "sky": "rain &amp; &lt;b&gt;some sun&lt;/b&gt;", "celsius": 14}\n'


def test_mashup_asks_itself_at_any_port(start: Start, port: int) -> None:
    start(WHIT, "run", ROOT / "apps" / "mashup", "--port", port).read_until("Ctrl-C ends it.\n")

    def merged() -> bytes:
        return dechunked(body(get(port, "/merged")))

    for _ in range(10):
        said = merged()
        assert b"<h2>/weather.json</h2><pre>" + WEATHER + b"</pre>" in said
        assert re.search(rb'<h2>/uptime</h2><pre>{"uptime_s": \d+}\n</pre>$', said)


def test_mashup_of_two_others(start: Start, port: int, tmp_path: Path) -> None:
    """One host answers in many chunks; the other is Python's own server, which then disappears."""

    def serve(connection: socket.socket) -> None:
        request = b""
        while b"\r\n\r\n" not in request:
            request += connection.recv(65536)
        assert request == b"GET /uptime HTTP/1.1\r\nHost: 10.0.2.2\r\nConnection: close\r\n\r\n"
        connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in range(100):
            connection.sendall(b"12c\r\n" + b"<" * 300 + b"\r\n")
        connection.sendall(b"0\r\n\r\n")

    handler = partial(SimpleHTTPRequestHandler, directory=str(ROOT / "apps" / "mashup"))
    with server(serve) as chunked, ThreadingHTTPServer(("127.0.0.1", 0), handler) as files:
        thread = threading.Thread(target=files.serve_forever, daemon=True)
        thread.start()
        merged = mashup(start, port, tmp_path, files.server_port, chunked)
        said = merged()
        assert b"<h2>/weather.json</h2><pre>" + WEATHER + b"</pre>" in said
        assert said.endswith(b"<h2>/uptime</h2><pre>" + b"&lt;" * 30_000 + b"</pre>")
        files.shutdown()
        thread.join(10)
    assert merged().count(b"No answer, or not all of it.") == 2


def fetch(whit_port: int, port: int, host: int = HOST, **arguments: int) -> bytes:
    query = "&".join(f"{name}={value}" for name, value in arguments.items())
    return dechunked(body(get(whit_port, f"/fetch?host={host}&port={port}&{query}".rstrip("&"))))


def dechunked(octets: bytes) -> bytes:
    said = b""
    while octets:
        line, _, octets = octets.partition(b"\r\n")
        length = int(line, 16)
        said += octets[:length]
        octets = octets[length + 2 :]
    return said


def read_request(connection: socket.socket, length: int = 5) -> bytes:
    octets = b""
    while len(octets) < length:
        octets += connection.recv(65536)
    return octets


def test_answers(whit_port: int) -> None:
    asked = []

    def serve(connection: socket.socket) -> None:
        asked.append(read_request(connection))
        connection.sendall(b"hello")

    with server(serve) as port:
        for _ in range(20):
            assert fetch(whit_port, port) == b"hello|ended"
    assert asked == [b"aaaab"] * 20


@pytest.mark.parametrize("length", [100_000])
def test_much_both_ways(whit_port: int, length: int) -> None:
    content = bytes(range(256)) * (length // 256)

    def serve(connection: socket.socket) -> None:
        assert read_request(connection, 60_000) == b"a" * 59_999 + b"b"
        connection.sendall(content)

    with server(serve) as port:
        assert fetch(whit_port, port, len=60_000) == content + b"|ended"


def test_a_slow_server(whit_port: int) -> None:
    def serve(connection: socket.socket) -> None:
        read_request(connection)
        for octet in b"slow":
            time.sleep(0.3)
            connection.sendall(bytes([octet]))

    with server(serve) as port:
        assert fetch(whit_port, port, timeout=600) == b"slow|ended"


def test_a_server_that_says_nothing(whit_port: int) -> None:
    def serve(connection: socket.socket) -> None:
        read_request(connection)
        connection.recv(1)

    with server(serve) as port:
        begun = time.monotonic()
        assert fetch(whit_port, port, timeout=700) == b"|failed"
        assert 0.6 < time.monotonic() - begun < 3


def test_a_server_that_stops_in_its_answer(whit_port: int) -> None:
    def serve(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(b"half")
        connection.recv(1)

    with server(serve) as port:
        assert fetch(whit_port, port, timeout=700) == b"half|failed"


def test_a_server_that_resets(whit_port: int) -> None:
    def serve(connection: socket.socket) -> None:
        read_request(connection)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")

    with server(serve) as port:
        assert fetch(whit_port, port) == b"|failed"


def test_nobody_listens(whit_port: int) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = int(listener.getsockname()[1])
    assert fetch(whit_port, port) == b"|failed"


def test_no_connection_is_lost(whit_port: int) -> None:
    """More that fail than there are places: each gives its place back."""
    for _ in range(10):
        test_nobody_listens(whit_port)
        test_a_server_that_resets(whit_port)
    test_answers(whit_port)
