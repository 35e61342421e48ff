# SPDX-License-Identifier: MIT
"""Pages that reload by themselves under `whit run --live`: each HTML file of such a build ends in a small script, which
listens at this process for the version that is served (server-sent events). The application's own server has no part
in it, so that it takes none of its connections, and nothing stands in its log."""

import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from whit.commands.live import Snapshot

SIGN_OF_LIFE_S = 10.0  # a page that is gone is noticed by then
SCRIPT = """
<script>new EventSource("http://"+%s+":%d/").onmessage=e=>{e.data===%s||location.reload()}</script>
"""


def version_of(files: Snapshot) -> str:
    """Another one for other files; the same for the same ones, also after a restart."""
    return hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()[:12]


class Reloader:
    """Tells pages which version is served. It listens at `host`, at the port after `port` where that one is free."""

    def __init__(self, host: str, port: int, *, on_this_machine: bool) -> None:
        """on_this_machine: the page's host is not this machine, as a TAP device has an address of its own."""
        self._changed = threading.Condition()
        self._version = ""
        self._ended = False
        self._hostname = json.dumps(host) if on_this_machine else "location.hostname"
        self._server = _listener(host, port + 1, self)
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.2}, daemon=True).start()

    def script(self, version: str) -> bytes:
        """What follows the HTML of that version."""
        return (SCRIPT % (self._hostname, self._server.server_port, json.dumps(version))).encode()

    def announce(self, version: str) -> None:
        """That version is served from now on."""
        with self._changed:
            self._version = version
            self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        self._server.shutdown()
        self._server.server_close()

    def follow(self, handler: BaseHTTPRequestHandler) -> None:
        """Every version until the page is gone."""
        said = ""  # also what is served before the first server is up
        while not self._ended:
            with self._changed:
                if self._version == said:
                    self._changed.wait(SIGN_OF_LIFE_S)
                version = self._version
            event = b":\n\n" if version == said else f"retry: 500\ndata: {version}\n\n".encode()
            handler.wfile.write(event)
            said = version


def _listener(host: str, port: int, reloader: Reloader) -> ThreadingHTTPServer:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Cache-Control", "no-store")
            self.send_header("Access-Control-Allow-Origin", "*")
            self.end_headers()
            try:
                reloader.follow(self)
            except OSError:
                self.close_connection = True

        def log_message(self, *arguments: object) -> None:
            """Nothing: these are no requests of the application's."""

    class Listener(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False  # pages that listen still

    try:
        return Listener((host, port), Handler)
    except (OSError, OverflowError):
        return Listener((host, 0), Handler)
