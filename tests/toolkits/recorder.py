# SPDX-License-Identifier: MIT
"""A relay between a client and a server, which records the posted messages. A WSDL that passes through names
the relay."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Posted = list[tuple[str, bytes]]
"""Media type and octets of each."""


@contextmanager
def recorded(origin: str) -> Iterator[tuple[str, Posted]]:
    """Yields the relay's own origin, and the messages posted so far."""
    posted: Posted = []

    class Relay(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._pass(b"")

        def do_POST(self) -> None:
            octets = self._body()
            posted.append((self.headers["Content-Type"], octets))
            self._pass(octets)

        def log_message(self, format: str, *values: object) -> None:
            pass

        def _body(self) -> bytes:
            if "Content-Length" in self.headers:
                return self.rfile.read(int(self.headers["Content-Length"]))
            octets = b""
            while size := int(self.rfile.readline(), 16):
                octets += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return octets

        def _pass(self, octets: bytes) -> None:
            server = HTTPConnection(origin.removeprefix("http://"), timeout=20)
            fields = {"Content-Type": self.headers["Content-Type"]} if octets else {}
            server.request(self.command, self.path, octets or None, fields)
            answer = server.getresponse()
            body = answer.read().replace(origin.encode(), own.encode())
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.headers["Content-Type"])
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with ThreadingHTTPServer(("127.0.0.1", 0), Relay) as relay:
        own = f"http://127.0.0.1:{relay.server_port}"
        relay.daemon_threads = True
        thread = threading.Thread(target=relay.serve_forever)
        thread.start()
        try:
            yield own, posted
        finally:
            relay.shutdown()
            thread.join()
