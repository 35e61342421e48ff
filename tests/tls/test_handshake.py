# SPDX-License-Identifier: MIT
"""Handshakes with OpenSSL in this process."""

import random
import ssl

import pytest

from tests.tls.client import Client, context
from tests.tls.host import FLIGHT, Server, counted, start


@pytest.fixture(autouse=True)
def switched_on():
    """Counts record numbers: at the end, none of a key has sealed two texts (invariant 10)."""
    start()
    yield
    assert counted("broken") == 0


def opened(*, chosen=None, server=None, **options):
    client = Client(server or Server(), chosen or context(), **options)
    client.handshake()
    return client


def test_a_request_and_its_answer():
    client = opened()
    assert client.server.phase == "open" and not client.server.resumed
    assert client.tls.version() == "TLSv1.3" and client.tls.selected_alpn_protocol() == "http/1.1"
    assert client.tls.cipher()[0] == "TLS_CHACHA20_POLY1305_SHA256"
    client.say(b"GET / HTTP/1.1\r\n\r\n")
    assert client.server.text == b"GET / HTTP/1.1\r\n\r\n"
    assert client.hear(client.server.respond(b"hello")) == b"hello"


def test_a_connection_is_resumed():
    chosen = context()
    first = opened(chosen=chosen)
    first.hear()
    session = first.tls.session
    second = opened(chosen=chosen, session=session)
    assert second.server.resumed and second.tls.session_reused
    second.say(b"again")
    assert second.server.text == b"again" and second.hear(second.server.respond(b"yes")) == b"yes"
    assert len(second.server.sent[0][1]) < len(first.server.sent[0][1]) - 300


@pytest.mark.parametrize("after_s, good", [(7199, True), (7200, False), (100_000, False)])
def test_a_ticket_has_its_time(after_s, good):
    chosen = context()
    first = opened(chosen=chosen)
    first.hear()
    assert opened(chosen=chosen, session=first.tls.session, server=Server(now_s=1000 + after_s)).server.resumed == good


def test_a_ticket_of_another_start_is_not_taken():
    chosen = context()
    first = opened(chosen=chosen)
    first.hear()
    start(seed=2)
    second = opened(chosen=chosen, session=first.tls.session)
    assert not second.server.resumed and second.server.phase == "open"


def hello_of(chosen, session=None):
    client = Client(Server(), chosen, session)
    with pytest.raises(ssl.SSLWantReadError):
        client.tls.do_handshake()
    return client.outgoing.read()


def test_a_ticket_or_binder_that_was_changed():
    """The ticket is unknown then; a binder that does not fit its ticket is an attack (RFC 8446, 4.2.11.2)."""
    chosen = context()
    first = opened(chosen=chosen)
    first.hear()
    for at, phase, alert in ((-100, "awaiting", 0), (-1, "closed", 51), (-32, "closed", 51)):
        hello = bytearray(hello_of(chosen, first.tls.session))
        hello[at] ^= 1
        server = Server()
        server.give(bytes(hello))
        server.take()
        assert (server.phase, server.alert, server.resumed and phase == "awaiting") == (phase, alert, False)


def test_a_client_that_cannot_x25519_is_refused():
    chosen = context()
    chosen.set_ecdh_curve("prime256v1")
    with pytest.raises(ssl.SSLError, match="HANDSHAKE_FAILURE"):
        opened(chosen=chosen)


def test_a_client_that_cannot_tls_1_3_is_refused():
    chosen = context()
    chosen.maximum_version = ssl.TLSVersion.TLSv1_2
    with pytest.raises(ssl.SSLError, match="PROTOCOL_VERSION"):
        opened(chosen=chosen)


def test_a_client_that_wants_another_protocol_is_refused():
    chosen = context()
    chosen.set_alpn_protocols(["h2", "http/1.0", "http/1.11", "ttp/1.1"])
    with pytest.raises(ssl.SSLError, match="no application protocol"):
        opened(chosen=chosen)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_octets_come_in_any_size(size):
    def cut(octets):
        return [octets[at : at + size] for at in range(0, len(octets), size)]

    client = opened(cut=cut)
    client.say(b"x" * 3000)
    assert client.server.text == b"x" * 3000


def test_a_hello_is_cut_at_every_octet():
    hello = hello_of(context())
    for at in range(1, len(hello)):
        server = Server()
        assert server.give(hello[:at]) == b"" and server.phase == "hello"
        assert server.give(hello[at:]) == b"" and server.phase == "heard"
        assert server.alert == 0


def records(hello, size):
    """Returns the same message in records of `size` octets."""
    body = hello[5:]
    parts = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"\x16\x03\x01" + len(part).to_bytes(2, "big") + part for part in parts)


@pytest.mark.parametrize("size", [1, 5, 100])
def test_a_hello_in_small_records(size):
    client = Client(Server(), context())
    with pytest.raises(Exception, match="read"):
        client.tls.do_handshake()
    assert client.server.give(records(client.outgoing.read(), size)) == b""
    client.incoming.write(client.server.take())
    client.handshake()
    assert client.server.phase == "open"


def test_any_slice_of_a_flight_is_the_same(seed):
    rng = random.Random(seed)
    for record_len in (64, 500, 1438):
        server = Server(record_len=record_len)
        server.give(hello_of(context()))
        server.code.tls_answer(server.tls, 5)
        assert server.out == FLIGHT
        whole = server.outgoing()
        for _ in range(50):
            begin = rng.randrange(len(whole))
            end = rng.randint(begin, len(whole))
            assert server.slice_of_out(begin, end) == whole[begin:end]
    assert counted("repeated") > 100


def test_any_slice_of_a_response_is_the_same(seed):
    rng = random.Random(seed)
    client = opened()
    for length in (0, 1, 1438, 1439, 20_000):
        octets = rng.randbytes(length)
        whole = client.server.response(octets)
        for _ in range(20):
            begin = rng.randrange(len(whole) + 1)
            end = rng.randint(begin, len(whole))
            assert client.server.response(octets, begin, end) == whole[begin:end]
        assert client.hear(client.server.respond(octets)) == octets


def test_another_text_under_the_same_number_is_noticed():
    """The meter can fail."""
    client = opened()
    client.server.response(b"one")
    client.server.response(b"two")
    assert counted("broken") == 1
    start()


def test_key_pairs_are_never_the_same():
    shares = set()
    hello = hello_of(context())
    for _ in range(40):  # a hello that is sent again does not get the same keys
        server = Server()
        server.give(hello)
        shares.add(server.take()[5 + 6 + 32 :][:90])
    assert len(shares) == 40


def test_close_notify_is_said_and_heard():
    client = opened()
    client.incoming.write(client.server.close())
    assert client.tls.read(1) == b""  # the end; without it, OpenSSL would wait for more
    assert client.server.phase == "closed"
    other = opened()
    with pytest.raises(ssl.SSLWantReadError):
        other.tls.unwrap()
    other.exchange()
    assert other.server.phase == "closed" and other.server.alert == 0
    other.tls.unwrap()
