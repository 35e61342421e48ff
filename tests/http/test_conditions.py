# SPDX-License-Identifier: MIT
"""Conditions of a request (RFC 9110 section 13), and queries and lengths at their ends."""

import pytest

from tests.harness import Make, ask
from tests.http.stored import URLS, get, made, target_of, write
from tests.support import MADE_FILES, exchange
from whit.wire.http import request
from whit_testbed.engine import Engine
from whit_testbed.net import Net

WRONG = '"00000000"'


def tag_of(engine: Engine) -> str:
    return ask(engine, request("/n752.bin")).field("etag") or ""


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(
    ("match", "none_match", "status"),
    [(True, False, 200), (True, True, 304), (False, False, 412), (False, True, 412)],
)
def test_if_match_and_if_none_match_in_one_request(
    engine: Engine, match: bool, none_match: bool, status: int, order: int
) -> None:
    """RFC 9110 section 13.2.2: If-Match first; only where it holds does If-None-Match count."""
    tag = tag_of(engine)
    fields = [f"If-Match: {tag if match else WRONG}", f"If-None-Match: {tag if none_match else WRONG}"][::order]
    response = ask(engine, request("/n752.bin", *fields))
    assert response.status == status
    assert response.body == (MADE_FILES["n752.bin"] if status == 200 else b"")


@pytest.mark.parametrize("fields", [["If-Match: *", "If-None-Match: *"], ["If-None-Match: *", "If-Match: *"]])
def test_any_tag_in_both(engine: Engine, fields: list[str]) -> None:
    assert ask(engine, request("/n752.bin", *fields)).status == 304


@pytest.mark.parametrize("cut", range(1, 12))
def test_content_replaced_in_the_middle_of_an_if_match(make_stored: Make, cut: int) -> None:
    """The content gets a new version after half of the tag is read. The old tag no longer matches; the new one does."""
    engine = make_stored()
    assert write(engine, 1, 500, 1) == 200
    old = get(engine, 1).field("etag") or ""
    octets = request(URLS[1], f"If-Match: {old}")
    at = octets.index(old.encode()) + min(cut, len(old))
    net = Net(engine)
    client = net.host("10.0.0.5").client()
    client.send(octets[:at])
    net.idle(0.1)
    assert not client.connection.unacknowledged
    other = net.host("10.0.0.6").client()
    assert net.get(other, target_of(1, 700, 9)).status == 200
    client.connection.send(octets[at:])
    net.run(client)
    assert client.responses[0].status == 412
    new = net.get(other, URLS[1]).field("etag")
    assert new != old
    response = net.get(net.host("10.0.0.7").client(), URLS[1], f"If-Match: {new}")
    assert (response.status, response.body) == (200, made(700, 9))


@pytest.mark.parametrize("tail", ["%", "%4", "%4g", "%g", "a%", "a%4", "%%41", "%4%1"])
@pytest.mark.parametrize("rest", ["", "&octet=1&number=2"])
def test_query_with_half_of_an_encoded_octet(engine: Engine, tail: str, rest: str) -> None:
    """RFC 3986 section 2.1: "%" is followed by two hexadecimal digits, at the end of a query too."""
    query = f"text={tail}{rest}" if rest else f"octet=1&number=2&text={tail}"
    assert ask(engine, request(f"/typed?{query}")).status == 400
    client = exchange(engine, request(f"/typed?{query}"), "GET", split=1)
    assert [response.status for response in client.responses] == [400]


@pytest.mark.parametrize("tail", ["%41", "%4a", "%4A", "a%7e"])
def test_query_that_ends_in_an_encoded_octet(engine: Engine, tail: str) -> None:
    assert ask(engine, request(f"/typed?octet=1&number=2&text={tail}")).status == 200


@pytest.mark.parametrize(("length", "status"), [(65534, 200), (65535, 200), (65536, 413)])
def test_body_that_nobody_reads_at_its_limit(engine: Engine, length: int, status: int) -> None:
    """65 535 octets are discarded, no octet more (docs/internals/security.md)."""
    octets = request("/n33.bin", f"Content-Length: {length}", body=b"x" * length) + request("/n31.bin")
    client = exchange(engine, octets, "GET", "GET")
    assert client.responses[0].status == status
    assert len(client.responses) == 1  # the answer closes: what follows is never read as a request
    assert client.responses[0].field("connection") == "close"


def test_ttl(make_engine: Make) -> None:
    """RFC 1122 section 3.2.1.7, RFC 1700: 64, whoever is answered."""
    from whit_testbed.trace import Peer

    peer = Peer(make_engine())
    peer.send("S", mss=1460)
    assert peer.next_datagram().ttl == 64
    peer.icmp(8, payload=b"x" * 8)
    assert peer.next_datagram().ttl == 64
