# SPDX-License-Identifier: MIT
"""Turns by host over TAP: the kernel's TCP, a host whose connections read no data, newcomers from other addresses."""

import socket
from pathlib import Path
from time import monotonic, sleep

import pytest

from whit_lab.real import namespace
from whit_lab.real.hosted import DEVICE, TAP, hosted
from whit_lab.real.namespace import Namespace

CONNECTIONS, NEWCOMERS = 200, 3
OCTETS = 50_000


def connected(to: tuple[str, int], source: str, window: int = 0) -> socket.socket:
    one = socket.socket()
    if window:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
    one.settimeout(30)
    one.bind((source, 0))
    one.connect(to)
    return one


def waited_s(to: tuple[str, int], source: str) -> float:
    begun = monotonic()
    with connected(to, source) as one:
        one.sendall(b"GET /small.txt HTTP/1.1\r\nHost: whit\r\nConnection: close\r\n\r\n")
        assert one.recv(12) == b"HTTP/1.1 200"
    return monotonic() - begun


@pytest.mark.skipif(bool(namespace.why_not()), reason=namespace.why_not())
def test_a_newcomer_beside_200_connections_of_one_host_that_read_nothing(tmp_path: Path) -> None:
    (tmp_path / "big.bin").write_bytes(bytes(OCTETS))
    (tmp_path / "small.txt").write_text("small")
    with Namespace() as alone, hosted(tmp_path, alone, TAP, {"connections": 4}) as at:
        network = at.host.rsplit(".", 1)[0]
        sources = [f"{network}.{100 + number}" for number in range(1 + NEWCOMERS)]
        for source in sources:
            alone.do("ip", "address", "add", f"{source}/24", "dev", DEVICE)
        with alone.entered():
            to = (at.host, at.port)
            mute = [connected(to, sources[0], 2304) for _ in range(CONNECTIONS)]
            for one in mute:
                one.sendall(b"GET /big.bin HTTP/1.1\r\nHost: whit\r\n\r\n")
            sleep(2)
            waits = [waited_s(to, source) for source in sources[1:]]
            for one in mute:
                one.close()
    assert max(waits) <= 2, waits
