# SPDX-License-Identifier: MIT
"""Connections that an emulated machine opens, to real servers on 127.0.0.1: its network calls this machine 10.7.0.1."""

import socket

import pytest

from tests.host.conftest import WHIT, Start, port, start
from tests.host.test_outgoing import APP, fetch, read_request, server
from tests.targets.machines import devices

__all__ = ["port", "start"]  # fixtures

HOST = int.from_bytes(socket.inet_aton("10.7.0.1"), "big")


@pytest.mark.slow
@pytest.mark.parametrize("target", devices())
def test_a_machine_asks(start: Start, port: int, target: str) -> None:
    content = bytes(range(256)) * 40

    def serve(connection: socket.socket) -> None:
        assert read_request(connection, 3000) == b"a" * 2999 + b"b"
        connection.sendall(content)

    start(WHIT, "run", APP, "--target", target, "--port", port).read_until("Ctrl-C ends it.\n")
    with server(serve) as there:
        for _ in range(3):
            assert fetch(port, there, host=HOST, len=3000, timeout=20_000) == content + b"|ended"
    assert fetch(port, there, host=HOST) == b"|failed"
