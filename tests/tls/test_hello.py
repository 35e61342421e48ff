# SPDX-License-Identifier: MIT
"""ClientHellos that are wrong, odd, or at the limits (RFC 8446, section 4.1.2 and 4.2)."""

import hmac
import random

import pytest

from tests.tls.host import RETRY, Server, counted, start
from tests.tls.peer import (
    ALERT_TYPE,
    ALPN,
    APPLICATION,
    BASE_POINT,
    CCS,
    EARLY,
    GROUPS,
    HANDSHAKE,
    LIMIT,
    MODES,
    PSK,
    SHARES,
    SIGNATURES,
    VERSIONS,
    Hello,
    finished,
    greeted,
    plain,
    sealed,
    share,
    vector,
)

UNEXPECTED, OVERFLOW, FAILURE, ILLEGAL, DECODE, DECRYPT, VERSION, MISSING = 10, 22, 40, 47, 50, 51, 70, 109


@pytest.fixture(autouse=True)
def switched_on():
    start()
    yield
    assert counted("broken") == 0


def psk(*identities, binders=None):
    binders = [bytes(32)] * len(identities) if binders is None else binders
    offered = vector(2, *(vector(2, one) + bytes(4) for one in identities))
    return offered + vector(2, *(vector(1, one) for one in binders))


WRONG = {
    "no versions": (Hello(less=(VERSIONS,)), VERSION),
    "another version": (Hello().with_(VERSIONS, vector(1, b"\x03\x03")), VERSION),
    "half a version": (Hello().with_(VERSIONS, vector(1, b"\x03\x04\x03")), DECODE),
    "no ciphers": (Hello(ciphers=b""), DECODE),
    "half a cipher": (Hello(ciphers=b"\x13\x03\x13"), DECODE),
    "another cipher": (Hello(ciphers=b"\x13\x01"), FAILURE),
    "a cipher across two": (Hello(ciphers=b"\x00\x13\x03\x00"), FAILURE),
    "compression": (Hello(compressions=b"\x01\x00"), ILLEGAL),
    "other compression": (Hello(compressions=b"\x01"), ILLEGAL),
    "no compressions": (Hello(compressions=b""), DECODE),
    "a long session id": (Hello(session_id=bytes(33)), DECODE),
    "an extension behind the list": (Hello(trailing=b"\0\x63\0\0"), DECODE),
    "octets behind it": (Hello(trailing=b"x"), DECODE),
    "no groups": (Hello(less=(GROUPS,)), MISSING),
    "no signatures": (Hello(less=(SIGNATURES,)), MISSING),
    "no shares": (Hello(less=(SHARES,)), MISSING),
    "other groups": (Hello().with_(GROUPS, vector(2, b"\x00\x17")), FAILURE),
    "other signatures": (Hello().with_(SIGNATURES, vector(2, b"\x08\x04")), FAILURE),
    "an empty list": (Hello().with_(GROUPS, vector(2)), DECODE),
    "a list that is too long": (Hello().with_(GROUPS, b"\x00\x04\x00\x1d"), DECODE),
    "a list that is too short": (Hello().with_(GROUPS, b"\x00\x02\x00\x1d\x00\x17"), DECODE),
    "a short share": (Hello().with_(SHARES, vector(2, share(octets=bytes(31)))), ILLEGAL),
    "a long share": (Hello().with_(SHARES, vector(2, share(octets=bytes(33)))), ILLEGAL),
    "an empty share": (Hello().with_(SHARES, vector(2, share(0x17, b""))), DECODE),
    "a share twice": (Hello().with_(SHARES, vector(2, share(), share())), ILLEGAL),
    "octets behind shares": (Hello().with_(SHARES, vector(2, share()) + b"x"), DECODE),
    "a share beyond its list": (Hello().with_(SHARES, vector(2, b"\x00\x1d\x00\x21" + bytes(32))), DECODE),
    "another share beyond its list": (Hello().with_(SHARES, vector(2, b"\x00\x17\x00\x21" + bytes(32))), DECODE),
    "a share of small order": (Hello().with_(SHARES, vector(2, share(octets=bytes(32)))), ILLEGAL),
    "an extension twice": (Hello(more=((GROUPS, vector(2, b"\x00\x1d")),)), ILLEGAL),
    "early data with content": (Hello(more=((EARLY, b"x"),)), DECODE),
    "a small limit": (Hello(more=((LIMIT, b"\x00\x3f"),)), ILLEGAL),
    "a limit of one octet": (Hello(more=((LIMIT, b"\x40"),)), DECODE),
    "a limit of three octets": (Hello(more=((LIMIT, b"\x40\x00\x00"),)), DECODE),
    "another protocol": (Hello(more=((ALPN, vector(2, vector(1, b"h2"))),)), 120),
    "a protocol without a name": (Hello(more=((ALPN, vector(2, vector(1))),)), DECODE),
    "a ticket that is not the last": (Hello(more=((PSK, psk(b"t" * 64)), (99, b""))), ILLEGAL),
    "more tickets than binders": (
        Hello(more=((MODES, vector(1, b"\1")), (PSK, psk(b"t", b"u", binders=[bytes(32)])))),
        ILLEGAL,
    ),
    "a ticket without modes": (Hello(more=((PSK, psk(b"t" * 64)),)), MISSING),
    "no binders": (Hello(more=((PSK, vector(2, vector(2, b"t") + bytes(4))),)), DECODE),
    "a short binder": (Hello(more=((PSK, psk(b"t", binders=[bytes(31)])),)), DECODE),
    "an empty ticket": (Hello(more=((PSK, psk(b"")),)), DECODE),
}


@pytest.mark.parametrize("name", WRONG)
def test_it_is_refused(name):
    hello, alert = WRONG[name]
    for size in (1, 100_000):
        server, message = Server(), plain(hello.message())
        for at in range(0, len(message), size):
            server.give(message[at : at + size])
        said = server.take()
        assert server.phase == "closed" and said == bytes((ALERT_TYPE, 3, 3, 0, 2, 2, alert))


RIGHT = {
    "as usual": Hello(),
    "without a session id": Hello(session_id=b""),
    "an empty unknown extension": Hello(more=((99, b""),)),
    "a long unknown extension": Hello(more=((99, bytes(5000)),)),
    "an unknown extension twice": Hello(more=((99, b"x"), (99, b"x"))),
    "other groups and shares": Hello()
    .with_(GROUPS, vector(2, b"\x11\xec\x00\x1d\x00\x17"))
    .with_(SHARES, vector(2, share(0x11EC, bytes(1216)), share(), share(0x17, bytes(65)))),
    "a cookie of nobody": Hello(more=((44, vector(2, bytes(40))),)),
    "http/1.1 behind others": Hello(more=((ALPN, vector(2, *(vector(1, one) for one in (b"h2", b"http/1.1")))),)),
    "a ticket of another server": Hello(more=((MODES, vector(1, b"\1")), (PSK, psk(b"t" * 64)))),
    "a long ticket of another server": Hello(more=((MODES, vector(1, b"\1")), (PSK, psk(b"t" * 700, b"u" * 64)))),
    "long binders": Hello(more=((MODES, vector(1, b"\1")), (PSK, psk(b"t" * 64, binders=[bytes(48)])))),
    "many extensions": Hello(more=tuple((1000 + number, b"") for number in range(4000 // 4))),
}


@pytest.mark.parametrize("name", RIGHT)
def test_it_is_answered(name):
    for size in (1, 100_000):
        server, message = Server(), RIGHT[name].message()
        stream = b"".join(plain(message[at : at + 16384]) for at in range(0, len(message), 16384))
        for at in range(0, len(stream), size):
            server.give(stream[at : at + size])
        server.take()
        assert server.phase == "awaiting" and not server.resumed


def test_an_octet_that_is_changed_never_harms(seed):
    """Any octet, anything: an answer, an alert, or the wait for more."""
    rng = random.Random(seed)
    hello = Hello(more=((ALPN, vector(2, vector(1, b"http/1.1"))), (MODES, vector(1, b"\1")), (PSK, psk(b"t" * 64))))
    message = plain(hello.message())
    for at in range(len(message)):
        for value in (0, 255, message[at] ^ 1, rng.randrange(256)):
            server = Server()
            server.give(message[:at] + bytes((value,)) + message[at + 1 :])
            server.take()
            assert server.phase in ("hello", "awaiting", "closed")


@pytest.mark.parametrize("length", [16385, 1 << 16, 1 << 17, (1 << 24) - 1])
def test_a_hello_that_is_too_long_is_refused_at_once(length):
    server = Server()
    server.give(plain(b"\x01" + length.to_bytes(3, "big")))
    assert server.phase == "closed" and server.alert == DECODE


def test_records_of_a_hello():
    for octets, alert in (
        (plain(b""), UNEXPECTED),
        (plain(b"\x02\0\0\x02"), UNEXPECTED),
        (plain(b"x", APPLICATION), UNEXPECTED),
        (plain(b"\x01", CCS), UNEXPECTED),
        (b"\x16\x03\x01\x40\x01", OVERFLOW),
        (b"GET / HTTP/1.1\r\n", VERSION),
        (plain(Hello().message() + b"x"), UNEXPECTED),
    ):
        server = Server()
        server.give(octets)
        server.take()
        assert server.phase == "closed" and server.alert == alert, octets


ASKS = Hello().with_(SHARES, vector(2, share(0x17, bytes(65))))


@pytest.mark.parametrize("first", [ASKS, Hello().with_(SHARES, vector(2))])
@pytest.mark.parametrize("ccs", [b"", plain(b"\x01", CCS)])
def test_a_client_without_our_share_is_asked_again(first, ccs):
    server = greeted(first)
    assert server.phase == "hello" and server.sent[0][0] == RETRY
    server.give(ccs + plain(Hello().message()))
    flight = server.take()
    assert server.phase == "awaiting" and plain(b"\x01", CCS)[3:] not in flight[:200]
    server.give(sealed(server.secret(), 0, finished(server) + bytes([HANDSHAKE])))
    assert server.phase == "open"


def test_nobody_is_asked_twice():
    server = greeted(ASKS)
    server.give(plain(ASKS.message()))
    server.take()
    assert server.phase == "closed" and server.alert == ILLEGAL


def test_early_data_of_another_server_is_skipped():
    """Undecipherable records before the client's Finished are skipped; too many are an attack."""
    hello = Hello(more=((EARLY, b""), (MODES, vector(1, b"\1")), (PSK, psk(b"t" * 64))))
    early = sealed(bytes(32), 0, b"GET /" * 100 + bytes([APPLICATION]))
    server = greeted(hello)
    assert server.give(early * 5) == b"" and server.told == b""
    server.give(sealed(server.secret(), 0, finished(server) + bytes([HANDSHAKE])))
    assert server.phase == "open"
    server = greeted(hello)
    server.give(early * 40)
    assert server.phase == "closed" and server.alert == 20
    server = greeted(ASKS.with_(EARLY, b"").with_(MODES, vector(1, b"\1")).with_(PSK, psk(b"t" * 64)))
    server.give(early * 2 + plain(Hello().message()))
    server.take()
    assert server.phase == "awaiting"


def test_after_a_record_that_could_be_read_nothing_is_skipped():
    server = greeted(Hello(more=((EARLY, b""),)))
    message = finished(server)
    server.give(sealed(server.secret(), 0, message[:10] + bytes([HANDSHAKE])))
    server.give(sealed(bytes(32), 1, message[10:] + bytes([HANDSHAKE])))
    assert server.phase == "closed" and server.alert == 20


def test_a_share_of_small_order_leaves_no_secret():
    """The early secret of a hello without a ticket is public (RFC 8448), so the test can search for it."""
    known = hmac.digest(bytes(32), bytes(32), "sha256")
    for octets in (bytes(32), BASE_POINT):
        server = Server()
        server.give(plain(Hello().with_(SHARES, vector(2, share(octets=octets))).message()))
        assert not server.code.host_leaves(server.tls, server.now_s, known)
        assert server.alert == (ILLEGAL if octets == bytes(32) else 0)


def test_early_data_is_not_offered_again():
    server = greeted(ASKS)
    server.give(plain(Hello(more=((EARLY, b""),)).message()))
    server.take()
    assert server.phase == "closed" and server.alert == ILLEGAL


def test_the_clients_limit_of_a_record_is_kept():
    for limit, record_len in ((1437, 1436), (1438, 1436), (1439, 1438)):  # by twos
        server = greeted(Hello(more=((LIMIT, limit.to_bytes(2, "big")),)))
        assert server.code.host_record_len(server.tls) == record_len
    server = greeted(Hello(more=((LIMIT, b"\x02\x00"),)))
    assert server.code.host_record_len(server.tls) == 510
    server = greeted(Hello(more=((LIMIT, b"\x40\x01"),)))
    assert server.code.host_record_len(server.tls) == 1438


@pytest.mark.parametrize("limit", [64, 90, 91, 200, 16385])
def test_no_record_is_longer_than_the_client_takes(limit):
    """RFC 8449, section 4: content and type. There is no ticket where it would not fit; found by tlslite-ng."""
    server = greeted(Hello(more=((LIMIT, limit.to_bytes(2, "big")), (MODES, vector(1, b"\1")))))
    left, lengths = server.sent[-1][1], []
    while left:
        end = 5 + int.from_bytes(left[3:5], "big")
        lengths += [end - 5 - 16] if left[0] == APPLICATION else []
        left = left[end:]
    assert max(lengths) <= limit
    assert (91 in lengths) == (limit >= 91)
    finished_one = sealed(server.secret(), 0, finished(server) + bytes([HANDSHAKE]))
    assert server.give(finished_one) == b"" and server.phase == "open"
