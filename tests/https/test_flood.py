# SPDX-License-Identifier: MIT
"""One host begins handshakes without end, and never completes one: other hosts are still served."""

import ssl
from pathlib import Path

import pytest

from tests.https.secured import PORT, Secured, context, started
from tests.support import MADE_FILES
from tests.tls.host import NAME
from whit.wire.units import MS
from whit_testbed.net import Net


def hello() -> bytes:
    """Returns the first octets of a client, its hello."""
    out = ssl.MemoryBIO()
    tls = context().wrap_bio(ssl.MemoryBIO(), out, server_hostname=NAME)
    with pytest.raises(ssl.SSLWantReadError):
        tls.do_handshake()
    return out.read()


def flood(net: Net, said: bytes, part: int, every_us: int, for_us: int) -> None:
    """Opens connections from many ports of one address. Each sends a hello, or part of it, and then nothing."""
    host = net.host("10.0.6.6")

    def begin() -> None:
        if net.loop.now_us < until:
            host.connect(remote_port=PORT).send(said[:part])
            net.loop.after(every_us, begin)

    until = net.loop.now_us + for_us
    begin()


@pytest.mark.parametrize("connections", [2, 6])
@pytest.mark.parametrize("part", [5000, 60])
def test_an_honest_client_among_hellos_of_one_host(application: Path, connections: int, part: int) -> None:
    """A hello each 30 ms, whole ones and beginnings of some."""
    with started(application, connections=connections) as engine:
        net = Net(engine)
        said = hello()
        flood(net, said, part, 30 * MS, 10_000 * MS)
        net.idle(3)
        for number in range(3):
            begun_us = net.loop.now_us
            client = Secured(net, f"10.0.0.{2 + number}")
            assert client.get("/n33.bin").body == MADE_FILES["n33.bin"]
            assert net.loop.now_us - begun_us < 2000 * MS, number
            net.idle(1)
        assert engine.counters["drop_handshake"] > 20
        assert engine.nonces[2] == 0


@pytest.mark.parametrize("begun_cnt", [2, 8])
def test_hellos_that_are_never_whole_keep_no_other_of_their_host_away(application: Path, begun_cnt: int) -> None:
    """Over libslirp all clients are one host. A driver that keeps frames offers hellos in the order they came in."""
    with started(application, connections=4) as engine:
        engine.keeps_frames = True
        net = Net(engine)
        for _ in range(begun_cnt):
            net.host("10.0.0.2").connect(remote_port=PORT).send(hello()[:3])
        net.idle(0.3)
        begun_us = net.loop.now_us
        assert Secured(net, "10.0.0.2").get("/n33.bin").body == MADE_FILES["n33.bin"]
        assert net.loop.now_us - begun_us < 4500 * MS


def test_what_is_no_tls_is_refused_at_its_first_octet(application: Path) -> None:
    with started(application, connections=2) as engine:
        net = Net(engine)
        for port, octet in enumerate(octet for octet in range(256) if octet not in range(20, 24)):
            connection = net.host(f"10.0.1.{port}").connect(remote_port=PORT)
            connection.send(bytes((octet,)))
            net.idle(0.1)
            assert connection.peer_closed and connection.received == bytes((21, 3, 3, 0, 2, 2, 70)), octet
