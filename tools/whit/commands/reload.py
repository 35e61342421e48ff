# SPDX-License-Identifier: MIT
"""Reloads pages by themselves under `whit run --live`. Each HTML file of such a build ends in a small script. The
script listens at this process for the version that is served (server-sent events). The application's own server is
not involved: it loses no connection, and its log shows none of this.
"""

import contextlib
import hashlib
import ipaddress
import json
import socket
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import urlsplit

from whit.commands.live import Snapshot

LISTENERS_MAX = 32  # open pages; the oldest one goes for one more, and asks again
ASKING_MAX = 32  # connections with an incomplete request; the oldest one is closed for one more
PATIENCE_S = 5.0  # for each part of a request, and for each write
LOCAL_DOMAINS = ("", ".local", ".lan", ".home.arpa", ".internal")
Request = socket.socket | tuple[bytes, socket.socket]
SIGN_OF_LIFE_S = 10.0  # a page that is gone is noticed by then
SCRIPT = """
<script>new EventSource("http://"+%s+":%d/").onmessage=e=>{e.data===%s||location.reload()}</script>
"""


def version_of(files: Snapshot) -> str:
    """Returns a version for these files; equal files have equal versions, also after a restart."""
    return hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()[:12]


def is_address(host: str) -> bool:
    with contextlib.suppress(ValueError):
        return bool(ipaddress.ip_address(host))
    return False


class _Pages:
    """Decides which page may listen: pages of this command, by an address or a known name."""

    def __init__(self, host: str, ports: Mapping[str, int], device: str | None) -> None:
        """ports: of pages, by the scheme that is served there. device: their host, where it is not this machine."""
        machine = socket.gethostname().lower()
        self._names = {host.lower(), "localhost", *(machine + domain for domain in LOCAL_DOMAINS)}
        self._ports = ports
        self._device = device

    def may(self, asked: str | None, origin: str | None, listener_port: int) -> bool:
        """True if a page with these fields Host and Origin may listen."""
        at, page = _split(f"http://{asked or ''}"), _split(origin or "")
        if at is None or page is None or self._ports.get(page[0]) != page[2]:
            return False
        _, host, port = at
        if port != listener_port or not (is_address(host) or host in self._names or host.endswith(".localhost")):
            return False
        return page[1] == (host if self._device is None else self._device)


def _split(url: str) -> tuple[str, str, int] | None:
    """Scheme, host, port. None: the URL has something else, or is wrong."""
    try:
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        return None
    if not parts.hostname or parts.username is not None or parts.path or parts.query or parts.fragment:
        return None
    return parts.scheme, parts.hostname.lower(), port


class Reloader:
    """Tells pages which version is served. It listens at `host`, at the port after `port` where that one is free."""

    def __init__(
        self,
        host: str,
        port: int,
        *,
        https_port: int | None = None,
        device: str | None = None,
        device_ports: tuple[int, int | None] = (80, 443),
    ) -> None:
        """port, https_port: of the pages; None: HTTPS is not served. device: their host, where a TAP device has an
        address of its own, and device_ports its ports."""
        self._changed = threading.Condition()
        self._version = ""
        self._ended = False
        self._hostname = json.dumps(host) if device is not None else "location.hostname"
        plain, secure = device_ports if device is not None else (port, https_port)
        self._pages = _Pages(host, {"http": plain} | ({"https": secure} if secure else {}), device)
        self._asking: list[socket.socket] = []
        self._listening: list[socket.socket] = []
        self._server = _listener(host, port + 1, self)
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.2}, daemon=True).start()

    def script(self, version: str) -> bytes:
        """Returns the script that follows the HTML of that version."""
        return (SCRIPT % (self._hostname, self._server.server_port, json.dumps(version))).encode()

    def announce(self, version: str) -> None:
        """The server serves that version from now on."""
        with self._changed:
            self._version = version
            self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        self._server.shutdown()
        self._server.server_close()

    def asks(self, connection: socket.socket) -> bool:
        """A connection begins. Returns False if too many connections that should end are still open."""
        with self._changed:
            if len(self._asking) >= 2 * ASKING_MAX:
                return False
            self._asking.append(connection)
            _end_oldest(self._asking, ASKING_MAX)
            return True

    def listens(self, connection: socket.socket, host: str | None, origin: str | None) -> bool:
        """True if a page of this origin may listen, which it does from now on."""
        if not self._pages.may(host, origin, self._server.server_port):
            return False
        with self._changed:
            self._asking.remove(connection)
            self._listening.append(connection)
            del self._listening[:-LISTENERS_MAX]
            self._changed.notify_all()
        return True

    def gone(self, connection: socket.socket) -> None:
        with self._changed:
            for some in (self._asking, self._listening):
                if connection in some:
                    some.remove(connection)

    def follow(self, handler: BaseHTTPRequestHandler) -> None:
        """Every version until the page is gone, or too many listen after it."""
        said = ""  # last version sent; "" also before the first server is up
        while True:
            with self._changed:
                if self._version == said and self._listens_still(handler.connection):
                    self._changed.wait(SIGN_OF_LIFE_S)
                version = self._version
                if not self._listens_still(handler.connection):
                    return
            event = b":\n\n" if version == said else f"retry: 500\ndata: {version}\n\n".encode()
            handler.wfile.write(event)
            said = version

    def _listens_still(self, connection: socket.socket) -> bool:
        return not self._ended and connection in self._listening


def _end_oldest(connections: list[socket.socket], most: int) -> None:
    """Shuts down all connections but the last `most`; their threads remove them."""
    for one in connections[:-most]:
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)


def _listener(host: str, port: int, reloader: Reloader) -> HTTPServer:
    class Handler(BaseHTTPRequestHandler):
        timeout = PATIENCE_S

        def do_GET(self) -> None:
            origin = self.headers.get("Origin")
            if len(self.headers.get_all("Host", [])) != 1 or not reloader.listens(
                self.connection, self.headers.get("Host"), origin
            ):
                self.send_error(403)
                return
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Cache-Control", "no-store")
            self.send_header("Access-Control-Allow-Origin", origin or "")
            self.send_header("Vary", "Origin")
            self.end_headers()
            reloader.follow(self)

        def log_message(self, *arguments: object) -> None:
            """Logs nothing: these requests are not the application's."""

    class Listener(HTTPServer):
        request_queue_size = 1024  # browsers with many pages ask at once; a SYN that finds no place waits a second

        def process_request(self, request: Request, client_address: object) -> None:
            assert isinstance(request, socket.socket)
            if not reloader.asks(request):
                self.shutdown_request(request)
                return
            threading.Thread(target=self._serve, args=(request, client_address), daemon=True).start()

        def _serve(self, request: socket.socket, client_address: object) -> None:
            try:
                with contextlib.suppress(OSError):  # the page is gone
                    self.finish_request(request, client_address)
            finally:
                reloader.gone(request)
                self.shutdown_request(request)

    try:
        return Listener((host, port), Handler)
    except (OSError, OverflowError):
        return Listener((host, 0), Handler)
