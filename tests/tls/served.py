# SPDX-License-Identifier: MIT
"""A server on 127.0.0.1 for client programs: the TLS layer between a socket and answers to GET and POST."""

import contextlib
import random
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.tls.host import Server

PAGES = {b"/": b"<!doctype html><title>whit</title>ok", b"/big": random.Random(1).randbytes(1_000_000)}
TIME_OUT_S = 20
_alone = threading.Lock()  # there is one device


@dataclass
class Served:
    port: int
    connections: list[Server] = field(default_factory=list)
    posted: list[bytes] = field(default_factory=list)
    threads: list[threading.Thread] = field(default_factory=list)

    def ended(self) -> list[Server]:
        """Returns the connections, after each thread has read its client's octets to the end."""
        for thread in self.threads:
            thread.join(TIME_OUT_S)
        return self.connections


@contextlib.contextmanager
def served(record_len: int = 1438) -> Iterator[Served]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        made = Served(listener.getsockname()[1])

        def accept() -> None:
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = listener.accept()
                    thread = threading.Thread(target=serve, args=(connection, made, record_len), daemon=True)
                    made.threads.append(thread)
                    thread.start()

        threading.Thread(target=accept, daemon=True).start()
        try:
            yield made
        finally:
            listener.shutdown(socket.SHUT_RDWR)


def serve(connection: socket.socket, made: Served, record_len: int) -> None:
    cut = random.Random(len(made.connections))
    connection.settimeout(TIME_OUT_S)
    with contextlib.suppress(OSError), connection:
        server = Server(record_len=record_len)
        made.connections.append(server)
        while server.phase != "closed" and (octets := connection.recv(65536)):
            while octets:
                size = cut.choice((1, 100, 1460, 20_000))
                with _alone:
                    left = server.give(octets[:size], to_record=True)
                    answer = server.take() + answers(server, made)
                connection.sendall(answer)
                if left == octets[:size] and not answer:
                    return
                octets = left + octets[size:]


def answers(server: Server, made: Served) -> bytes:
    """Returns the answers to all complete requests."""
    wire = b""
    while b"\r\n\r\n" in server.text and server.phase == "open":
        head, _, rest = server.text.partition(b"\r\n\r\n")
        method, target, _ = head.split(b"\r\n")[0].split(b" ")
        fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
        length = int(fields.get(b"content-length", 0))
        if len(rest) < length:
            break
        made.posted += [rest[:length]] if method == b"POST" else []
        server.text = rest[length:]
        target = target.partition(b"?")[0]
        page = PAGES.get(target, b"")
        status = b"200 OK" if target in PAGES else b"404 Not Found"
        wire += server.respond(b"HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n" % (status, len(page)) + page)
        if fields.get(b"connection") == b"close":
            wire += server.close()
    return wire
