# SPDX-License-Identifier: MIT
"""OpenSSL as a client of an image with HTTPS, over a TCP of virtual time."""

import ssl
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.harness import Files, opened
from tests.support import target
from tests.tls.host import KEY, NAME, identity
from whit.model.policy import Options
from whit.wire.http import Response, parse_response, request
from whit.wire.units import SECOND
from whit_testbed.client import Connection
from whit_testbed.engine import Engine
from whit_testbed.net import Net

PORT = 443


def started(
    app: Path | Files, *, keeps_frames: bool = False, idle: int = 4, tags: int = 0, heads: str = "", **overrides: object
) -> Engine:
    """Starts an engine with HTTPS. `idle`: places for idle TLS connections; `tags`: for all, 0: the default.
    heads="code": the fast kinds, as on Linux. Overrides are keys of app.toml."""
    if target() != "inprocess":
        pytest.skip("the engine with HTTPS is tested on this machine")
    files = {"https__certificate": str(identity().certificate), "https__key": str(KEY)}
    if tags:
        overrides["idle"] = tags
    return opened(
        app, keeps_frames=keeps_frames, key=identity().key, heads=heads, https__idle=idle, **files, **overrides
    )


def none_broken(engine: Engine) -> None:
    """Fails if a nonce sealed two different records."""
    assert engine.nonces[2] == 0


def sealed_once(engine: Engine) -> None:
    """Fails if no record was sealed, or a nonce sealed two different ones."""
    none_broken(engine)
    assert engine.nonces[0] > 0


@cache
def context() -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(identity().certificate))


class Secured:
    """A client on a connection. `heard`: the server's plain text; `error`: the failure of TLS."""

    def __init__(
        self, net: Net, address: str = "10.0.0.2", options: Options | None = None, session: ssl.SSLSession | None = None
    ) -> None:
        self.net = net
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context().wrap_bio(self.incoming, self.outgoing, server_hostname=NAME, session=session)
        self.open = self.told_end = False
        self.heard = b""
        self.error: ssl.SSLError | None = None
        self.spoil: int | None = None  # the octet of the output to corrupt by a bit
        self._read = 0
        self._wanted = b""
        self.connection: Connection = net.host(address).connect(options, remote_port=PORT)
        self.connection.on_data = self._turn
        self._turn()

    def say(self, octets: bytes) -> None:
        """Sends the octets as one record, after the handshake."""
        self._wanted += octets
        self._turn()

    def _turn(self) -> None:
        received = self.connection.received
        self.incoming.write(received[self._read :])
        self._read = len(received)
        try:
            if not self.open:
                self.tls.do_handshake()
                self.open = True
            if self._wanted:
                self.tls.write(self._wanted)
                self._wanted = b""
            while part := self.tls.read(65536):
                self.heard += part
            self.told_end = True
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLZeroReturnError:
            self.told_end = True
        except ssl.SSLError as error:
            self.error = error
        if out := self.outgoing.read():
            self.connection.send(self._spoilt(out))

    def _spoilt(self, octets: bytes) -> bytes:
        place, self.spoil = self.spoil, None
        if place is None:
            return octets
        return octets[:place] + bytes((octets[place] ^ 1 << place % 8,)) + octets[place + 1 :]

    @property
    def ended(self) -> bool:
        return self.connection.reset or self.connection.peer_closed or self.error is not None

    def wait(self, count: int = 1, for_s: float = 300) -> list[Response]:
        """Waits for `count` responses or the connection's end, and returns the responses."""
        self.net.loop.run(lambda: len(list(self.responses())) >= count or self.ended, for_us=int(for_s * SECOND))
        found = list(self.responses())
        self.heard = self.heard[sum(len(one.raw) for one in found) :]
        return found

    def responses(self) -> Iterator[Response]:
        left = self.heard
        while left and (response := parse_response(left, "GET")) is not None:
            yield response
            left = left[len(response.raw) :]

    def get(self, path: str, *fields: str) -> Response:
        self.say(request(path, *fields))
        return self.wait()[0]
