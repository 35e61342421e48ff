# SPDX-License-Identifier: MIT
"""Harmful input must not break TLS: a hello in parts, corrupted segments between them, a changed record."""

from dataclasses import replace

from tests.harness import engine_of
from tests.https.secured import Secured, started
from tests.support import MADE_FILES, get
from whit.model.policy import Options
from whit.wire.packet import Segment, ip
from whit_testbed.engine import Engine
from whit_testbed.net import Net

engine = engine_of("application", scope="module", start=started)


def test_a_hello_cut_anywhere(engine: Engine) -> None:
    net = Net(engine)
    for length in (1, 2, 5, *range(20, 620, 23)):
        client = Secured(net, f"10.0.{2 + length // 256}.{length % 256}", options=Options(segment=length))
        response = client.get("/n33.bin")
        assert (response.status, response.body) == (200, MADE_FILES["n33.bin"]), length
        client.connection.abort()
        net.idle(0.1)


class Noisy(Secured):
    """A client that corrupts segments. The first segment it sends has `length` octets. Before and after each segment
    comes a corrupted copy: other octets, as many or more, with a wrong checksum."""

    def begins_with(self, length: int, addresses: tuple[bytes, bytes]) -> None:
        connection = self.connection
        connection.options, send = replace(connection.options, segment=length), connection._send_segment

        def send_spoilt(segment: Segment) -> None:  # a sum that is always the same would be right once in 65 536
            right = int.from_bytes(replace(segment, sum=None).pack(*addresses)[16:18], "big")
            send(replace(segment, sum=right ^ 1))

        def sent(segment: Segment) -> None:
            if segment.payload:
                connection.options = replace(connection.options, segment=1460)
                spoilt = bytes(octet ^ 0xFF for octet in segment.payload)
                send_spoilt(replace(segment, payload=spoilt))
                send(segment)
                send_spoilt(replace(segment, payload=spoilt + b"\x16\x03\x01"))
            else:
                send(segment)

        connection._send_segment = sent


def test_a_hello_cut_at_every_octet_with_spoilt_segments_between(engine: Engine) -> None:
    net, before = Net(engine), engine.counters["drop_tcp_checksum"]
    length = 517  # of the hello of OpenSSL, in one record
    for at in range(1, length):
        address = f"10.1.{at // 256}.{at % 256}"
        client = Noisy(net, address)
        client.begins_with(at, (ip(address), engine.identity.address))
        assert client.get("/n33.bin").body == MADE_FILES["n33.bin"], at
        client.connection.abort()
        net.idle(0.1)
    assert engine.nonces[2] == 0 and engine.counters["drop_tcp_checksum"] - before > 4 * length


def test_no_bit_of_a_record_may_change(engine: Engine) -> None:
    """No handler runs, and the answer is the alert bad_record_mac."""
    net = Net(engine)
    first = Secured(net)
    assert first.get("/count").status == 200
    before, number = engine.persistent_writes, 0
    length = 5 + len(get("/count")) + 17
    for place in range(length):
        client = Secured(net, f"10.0.1.{place}", session=first.tls.session)
        net.idle(0.2)
        assert client.open
        client.spoil = place
        client.say(get("/count"))
        net.idle(0.2)
        client.connection.abort()
        assert client.heard == b"", place
        number += client.error is not None
        net.idle(0.1)
    assert engine.persistent_writes == before
    assert number >= length - 6  # a longer record is waited for
    assert first.get("/count").status == 200 and engine.nonces[2] == 0
