# SPDX-License-Identifier: MIT
"""Records that come in (RFC 8446, sections 4.4.4, 4.6.3, 5): nothing takes effect before its tag verifies."""

import random

import pytest

from tests.tls.host import ALERT, AROUND, NOTHING, UPDATE, Server, counted, start
from tests.tls.peer import (
    ALERT_TYPE,
    APPLICATION,
    CCS,
    HANDSHAKE,
    Hello,
    expand,
    finished,
    greeted,
    opened,
    plain,
    sealed,
)

UNEXPECTED, BAD_MAC, OVERFLOW, ILLEGAL, DECODE, DECRYPT = 10, 20, 22, 47, 50, 51


@pytest.fixture(autouse=True, params=["small", "wide"])
def switched_on(request):
    start(kind=request.param)
    yield
    assert counted("broken") == 0


def said(server, number, octets, kind=APPLICATION, padding=0):
    return sealed(server.secret(), number, octets + bytes([kind]) + bytes(padding))


def refused(server, alert):
    """True if the server refused by a sealed alert, the first record behind the flight."""
    out = server.outgoing()
    return server.phase == "closed" and server.alert == alert and out[:1] == b"\x17" and len(out) == 2 + AROUND


def test_every_bit_of_a_record():
    """A flipped bit never lets content take effect; the alert is 20, unless the header itself is wrong."""
    server = opened()
    record, kept = said(server, 0, b"GET / HTTP/1.1\r\n\r\n"), server.kept()
    server.give(record)
    assert server.text == b"GET / HTTP/1.1\r\n\r\n"
    for bit in range(len(record) * 8):
        server.restore(kept)
        forged = bytearray(record)
        forged[bit // 8] ^= 1 << bit % 8
        server.give(bytes(forged))
        assert server.text == b""
        if bit < 40:  # the length may be one for which more has to come
            assert server.phase == "open" or server.alert in (UNEXPECTED, BAD_MAC, OVERFLOW, 70)
        else:
            assert refused(server, BAD_MAC) and len(server.told) == 18


def test_every_bit_of_finished():
    server = greeted()
    record, kept = said(server, 0, finished(server), HANDSHAKE), server.kept()
    for bit in range(40, len(record) * 8):
        server.restore(kept)
        forged = bytearray(record)
        forged[bit // 8] ^= 1 << bit % 8
        server.give(bytes(forged))
        assert refused(server, BAD_MAC)


def test_every_bit_in_finished():
    """A client that has the keys but saw another handshake is refused."""
    server = greeted()
    kept, right = server.kept(), finished(server)
    for bit in range(32, len(right) * 8):
        server.restore(kept)
        wrong = bytearray(right)
        wrong[bit // 8] ^= 1 << bit % 8
        server.give(said(server, 0, bytes(wrong), HANDSHAKE))
        assert refused(server, DECRYPT)


@pytest.mark.parametrize("length", [0, 1, 15, 16, 17, 62, 63, 64, 65, 127, 128, 1000, 16383, 16384])
@pytest.mark.parametrize("padding", [0, 1, 63, 64, 200])
def test_content_of_any_length_in_any_split(length, padding, seed):
    rng = random.Random(seed + length)
    padding = min(padding, 16384 - length)  # more than that is refused (section 5.4)
    server = opened()
    kept, kinds = server.kept(), (rng.randbytes(length), bytes(length), b"x" + bytes(max(0, length - 1)))
    for octets in kinds:
        for size in (1, 7, 64, 20_000):
            if size == 1 and length > 1000:
                continue
            server.restore(kept)
            record = said(server, 0, octets, padding=padding)
            for at in range(0, len(record), size):
                assert server.give(record[at : at + size]) == b""
                assert server.text == b"" or at + size >= len(record)
            assert server.text == octets[: len(octets)] and server.phase == "open"


def test_a_record_that_is_too_long_is_refused():
    server = opened()
    server.give(said(server, 0, bytes(16385)))
    assert refused(server, OVERFLOW) and server.text == b""
    for length, padding in ((16384, 1), (16383, 2), (16384, 239), (0, 16385), (1, 16622)):  # which counts (section 5.4)
        server = opened()
        server.give(said(server, 0, bytes(length), padding=padding))
        assert refused(server, OVERFLOW) and server.text == b"", (length, padding)
    for length, padding in ((16384, 0), (16383, 1), (1, 16383)):
        server = opened()
        server.give(said(server, 0, b"x" * length, padding=padding))
        assert server.text == b"x" * length and server.phase == "open", (length, padding)
    server = opened()
    server.give(b"\x17\x03\x03\x41\x01")
    assert refused(server, OVERFLOW)
    for length in (0, 16):
        server = opened()
        server.give(b"\x17\x03\x03" + length.to_bytes(2, "big"))
        assert refused(server, BAD_MAC)


def test_a_record_that_comes_again_is_refused():
    server = opened()
    first = said(server, 0, b"GET")
    server.give(first)
    server.give(first)
    assert server.text == b"GET" and refused(server, BAD_MAC)


@pytest.mark.parametrize(
    "inner, alert",
    [
        (bytes(40), UNEXPECTED),  # padding alone
        (bytes(1), UNEXPECTED),
        (bytes([HANDSHAKE]), UNEXPECTED),  # without content
        (bytes([ALERT_TYPE]), UNEXPECTED),
        (b"\1\0\0" + bytes([ALERT_TYPE]), DECODE),
        (b"\1" + bytes([CCS]), UNEXPECTED),
        (b"x\x63", UNEXPECTED),
        (b"\x14\0\0\x20" + bytes(32) + bytes([HANDSHAKE]), UNEXPECTED),  # Finished once more
        (b"\x18\0\0\1\2\x16", ILLEGAL),  # KeyUpdate
        (b"\x18\0\0\2\0\0\x16", DECODE),
        (b"\x18\0\0\2\0\x16", DECODE),
        (b"\x18\0\0\1\0\x18\0\0\1\0\x16", UNEXPECTED),
        (b"\x01\0\0\x05hello\x16", UNEXPECTED),
    ],
)
def test_what_is_no_content_is_refused(inner, alert):
    server = opened()
    server.give(sealed(server.secret(), 0, inner))
    assert refused(server, alert) and server.text == b""


def test_finished_may_come_in_pieces():
    for size in (1, 3, 35):
        server = greeted()
        message = finished(server)
        for number, at in enumerate(range(0, len(message), size)):
            assert server.phase == "awaiting"
            server.give(said(server, number, message[at : at + size], HANDSHAKE))
        assert server.phase == "open"


@pytest.mark.parametrize(
    "change, alert",
    [
        (lambda message: message + b"x", UNEXPECTED),
        (lambda message: message[:3] + b"\x1f" + message[4:35], DECODE),
        (lambda message: message[:3] + b"\x21" + message[4:] + b"x", DECODE),
        (lambda message: b"\x0b" + message[1:], UNEXPECTED),
        (lambda message: message + message, UNEXPECTED),
    ],
)
def test_finished_of_another_length_is_refused(change, alert):
    server = greeted()
    server.give(said(server, 0, change(finished(server)), HANDSHAKE))
    assert refused(server, alert)


def test_content_before_finished_is_refused():
    for first in (b"", b"\x14\0"):  # also between its pieces
        server = greeted()
        if first:
            server.give(said(server, 0, first, HANDSHAKE))
        server.give(said(server, bool(first), b"GET /"))
        assert refused(server, UNEXPECTED) and server.told == b""


def test_a_message_that_begins_and_does_not_end_is_no_content():
    server = opened()
    server.give(said(server, 0, b"\x18\0", HANDSHAKE) + said(server, 1, b"GET /"))
    assert refused(server, UNEXPECTED) and server.text == b""


@pytest.mark.parametrize("number", [1, 2])
def test_change_cipher_spec_before_finished_is_dropped(number):
    server = greeted()
    server.give(plain(b"\1", CCS) * number + said(server, 0, finished(server), HANDSHAKE))
    assert server.phase == "open"


@pytest.mark.parametrize("octets", [plain(b"\1", CCS) * 3, plain(b"\2", CCS), plain(b"\1\1", CCS), plain(b"", CCS)])
def test_change_cipher_spec_that_is_odd_is_refused(octets):
    server = greeted()
    server.give(octets)
    assert refused(server, UNEXPECTED)


def test_change_cipher_spec_that_is_late_is_refused():
    server = opened()
    server.give(plain(b"\1", CCS))
    assert refused(server, UNEXPECTED)


def test_a_record_in_clear_is_refused():
    for kind in (ALERT_TYPE, HANDSHAKE):
        server = opened()
        server.give(plain(b"\2\x28", kind))
        assert refused(server, UNEXPECTED)


@pytest.mark.parametrize("sealed_alert", [False, True])
def test_an_alert_of_a_client_that_gives_up_is_not_answered(sealed_alert):
    server = greeted()
    server.give(said(server, 0, b"\2\x30", ALERT_TYPE) if sealed_alert else plain(b"\2\x30", ALERT_TYPE))
    assert server.phase == "closed" and server.out == NOTHING


def test_close_notify_is_answered_and_nothing_follows():
    server = opened()
    server.give(said(server, 0, b"\1\0", ALERT_TYPE))
    assert refused(server, 0) and server.out == ALERT
    assert server.give(said(server, 1, b"GET /")) != b"" and server.text == b""


def update(server, number, asked):
    return said(server, number, b"\x18\0\0\1" + bytes([asked]), HANDSHAKE)


def test_a_key_is_updated():
    server = opened()
    old = server.secret()
    server.give(said(server, 0, b"one"))
    server.give(update(server, 1, 0))
    assert server.secret() == expand(old, "traffic upd", 32) and server.out == NOTHING
    server.give(said(server, 0, b"two"))
    assert server.text == b"onetwo"


def test_a_key_that_is_asked_for_follows():
    """The server takes nothing more until its answer has left; it answers each request for a key."""
    server = opened()
    before = server.respond(b"x")
    for _ in range(5):
        more = b"y" * 20
        left = server.give(update(server, 0, 1) + more)
        assert server.out == UPDATE and left == more
        assert server.give(left) == left
        again = server.outgoing()
        assert server.take() == again and server.out == NOTHING
        after = server.respond(b"x")
        assert after != before
        before = after


def test_a_message_in_pieces_updates_too():
    server = opened()
    for number, octet in enumerate(b"\x18\0\0\1\0"):
        server.give(said(server, number, bytes([octet]), HANDSHAKE))
    server.give(said(server, 0, b"GET"))
    assert server.text == b"GET"


def test_an_alert_takes_the_number_behind_a_response(seed):
    """Responses, then a forged record: the alert is sealed under a number of its own (the fixture looks)."""
    server = opened()
    for length in (1, 5000, 0):
        server.respond(random.Random(seed).randbytes(length))
    server.give(said(server, 0, b"x")[:-1] + b"?")
    server.outgoing()
    assert server.phase == "closed" and counted("broken") == 0


def test_numbers_of_records_come_to_an_end():
    """No record number repeats: the connection ends before."""
    server = opened()
    server.code.host_set_numbers(server.tls, 2**21 - 2, 0x1BFFFF)
    server.give(said(server, 2**21 - 2, b"one"))
    assert server.text == b"one" and server.phase == "open"
    server.respond(b"x")
    assert refused(server, 0)  # close_notify
    server = opened()
    server.code.host_set_numbers(server.tls, 2**21 - 1, 0)
    server.give(said(server, 2**21 - 1, b"one"))
    assert server.text == b"" and refused(server, UNEXPECTED)


@pytest.mark.parametrize("late", [False, True])
def test_secrets_are_overwritten(late):
    """Handshake secrets are wiped after Finished and the acknowledgment of the flight, whichever comes last."""
    server = Server()
    server.give(plain(Hello().message()))
    server.code.tls_answer(server.tls, 1000)
    secrets = [server.secret(), server.secret("finished")]
    record = said(server, 0, finished(server), HANDSHAKE)
    if not late:
        server.take()
    server.give(record)
    assert server.phase == "open"
    if late:
        assert secrets[0] in server.kept()
        server.take()
    assert not any(secret in server.kept() for secret in secrets)
    key = server.secret()
    assert key in server.kept()
    server.close()
    assert key not in server.kept()


def test_random_octets_never_harm(seed):
    rng = random.Random(seed)
    for begin in (Server, greeted, opened):
        for _ in range(200):
            server = begin() if begin is Server else begin(Hello())
            for _ in range(3):
                kind = rng.choice((b"\x14", b"\x15", b"\x16", b"\x17", b"\x17\x03\x03\0"))
                server.give(kind + rng.randbytes(rng.randrange(80)))
                server.take()
            assert server.text == b""
