# SPDX-License-Identifier: MIT
"""Records in pieces wait until they are complete. A record too long for the buffer is verified as it arrives, and
refused. A KeyUpdate within a request is answered, and the request continues."""

import pytest

from tests.harness import engine_of
from tests.https.early import Early
from tests.https.secured import sealed_once, started
from tests.support import MADE_FILES, get
from whit_testbed.engine import Engine
from whit_testbed.net import Net
from whit_testbed.tls import HANDSHAKE, KEY_UPDATE

PAGE = get("/n752.bin")
BODY = MADE_FILES["n752.bin"]
UPDATE = bytes((KEY_UPDATE, 0, 0, 1, 1))
BAD_RECORD_MAC = 20


engine = engine_of("application", start=started, ends=sealed_once)


def opened(engine: Engine) -> Early:
    client = Early(Net(engine))
    client.ticket()
    client.net.idle(0.1)
    return client


def in_pieces(client: Early, octets: bytes, *sizes: int) -> None:
    """Each is a segment of its own, and has arrived before the next one leaves."""
    at = 0
    for size in (*sizes, len(octets)):
        client.connection.send(octets[at : at + size])
        client.net.idle(0.02)
        at += size


def test_a_record_cut_at_every_octet(engine: Engine) -> None:
    client = opened(engine)
    for first in range(1, 5 + len(PAGE) + 17):
        client.tls.write(PAGE)
        in_pieces(client, client.tls.take(), first)
        assert [one.body for one in client.wait(first)] == [BODY] * first


def test_records_without_content_between(engine: Engine) -> None:
    client = opened(engine)
    for octets in (b"", PAGE[:9], b"", b"", PAGE[9:], b""):
        client.tls.write(octets)
    in_pieces(client, client.tls.take(), 3, 20, 30)
    assert [one.body for one in client.wait()] == [BODY]


@pytest.mark.parametrize("length", [1500, 9000, 16384])
@pytest.mark.parametrize("pieces", [(1, 2, 3), (59, 2), (60, 1), (61, 500), (1000,)])
def test_a_record_that_finds_no_room_is_verified_and_refused(
    engine: Engine, length: int, pieces: tuple[int, ...]
) -> None:
    client = opened(engine)
    client.tls.write(PAGE.replace(b"\r\n\r\n", b"\r\nX: " + bytes(b"y" * length))[:length])
    in_pieces(client, client.tls.take(), *pieces)
    assert [one.status for one in client.wait()] == [413]
    client.net.idle(1)
    assert client.tls.told_end and client.ended


@pytest.mark.parametrize("place", [5, 70, 800, 9000, -1])
def test_a_long_record_that_was_changed(engine: Engine, place: int) -> None:
    client = opened(engine)
    client.tls.write(bytes(9100))
    octets = bytearray(client.tls.take())
    octets[place] ^= 1
    in_pieces(client, bytes(octets), 700, 700)
    client.net.idle(3)
    assert client.tls.alert == BAD_RECORD_MAC and not client.tls.heard and client.ended


@pytest.mark.parametrize("cuts", [(), (1,), (2, 1), (1, 1, 1, 1)])
@pytest.mark.parametrize("before", [0, 1, 20])
def test_keys_change_amid_a_request(engine: Engine, before: int, cuts: tuple[int, ...]) -> None:
    """A KeyUpdate in one record or in several takes effect, even with the rest of the request in the same segment."""
    client = opened(engine)
    if before:
        client.say(PAGE[:before])
        client.net.idle(0.1)
    at = 0
    for size in cuts:
        client.tls.write(UPDATE[at : at + size], HANDSHAKE)
        at += size
    client.tls.write(UPDATE[at:], HANDSHAKE)
    client.tls.new_key()
    client.say(PAGE[before:])
    assert [one.body for one in client.wait()] == [BODY]
    client.say(PAGE)
    assert [one.body for one in client.wait(2)] == [BODY] * 2
    assert client.tls.updated == 1


@pytest.mark.parametrize("parts", [(b"\x18\0", b"\1"), (b"\x18", b"\x14"), (b"\x14",), (UPDATE[:3], UPDATE)])
def test_a_message_in_parts_that_is_no_key_update(engine: Engine, parts: tuple[bytes, ...]) -> None:
    client = opened(engine)
    for part in parts:
        client.tls.write(part, HANDSHAKE)
    client.say(PAGE)
    client.net.idle(2)
    assert client.tls.alert in (10, 50) and not client.tls.heard and client.ended


def test_content_amid_a_message_is_refused(engine: Engine) -> None:
    client = opened(engine)
    client.tls.write(UPDATE[:2], HANDSHAKE)
    client.say(PAGE)
    client.net.idle(2)
    assert client.tls.alert == 10 and not client.tls.heard


def test_half_a_record_is_no_idle_connection(engine: Engine) -> None:
    """The connection gets an answer when its time is over, and leaks nothing."""
    client = opened(engine)
    client.tls.write(PAGE)
    client.connection.send(client.tls.take()[:30])
    client.net.idle(60)
    assert [one.status for one in client.responses()] == [408] and client.ended
    assert opened(engine).tls.open
