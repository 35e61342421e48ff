# SPDX-License-Identifier: MIT
"""Errors of a server on the host for clients that read JSON: the reason, as the request log has it."""

import json

import pytest

from tests.bodies.support import pieces
from tests.harness import ask, engine_of, opened
from tests.http.test_log import APP, REFUSED, posted
from tests.support import parsed
from whit.paths import ROOT
from whit.wire.http import Response, request
from whit.wire.units import MS
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment
from whit_testbed.net import Net

ACCEPT = "Accept: application/json"


engine = engine_of(APP, log=True)


def error_of(response: Response) -> str:
    assert response.field("content-type") == "application/json"
    assert response.field("cache-control") == "no-store"
    assert len(response.body) == int(response.field("content-length") or 0)
    found = json.loads(response.body)
    assert set(found) == {"error"}
    return str(found["error"])


def test_the_example(engine: Engine) -> None:
    response = ask(engine, request("/say?len=65536", ACCEPT))
    assert response.status == 400
    assert response.body == b'{"error":"len: expected a number from 0 to 65535"}\n'


@pytest.mark.parametrize(("octets", "line"), REFUSED, ids=[line[:40] for _, line in REFUSED])
def test_every_refusal(engine: Engine, octets: bytes, line: str) -> None:
    """A refusal before the Accept line is JSON too, if that line is in the same segment."""
    first, rest = octets.lstrip(b"\r\n").split(b"\r\n", 1)
    response = ask(engine, first + f"\r\n{ACCEPT}\r\n".encode() + rest)
    if "field lines longer" in line or len(first) > 200:  # the line is in another segment
        assert f" {response.status} " in line
        return
    assert f"{response.status} {error_of(response)}" in line
    assert response.reason


ACCEPTED = [
    "application/json",
    "APPLICATION/JSON;q=0.9, */*",
    "text/plain,application/json",
    " application/json ",
]
OTHERS = ["*/*", "text/html,application/json", "application/jso", "text/html, */*;q=0.1", "", "application/xml"]


@pytest.mark.parametrize("accept", ACCEPTED + OTHERS)
def test_who_reads_json(engine: Engine, accept: str) -> None:
    response = ask(engine, request("/nowhere", f"ACCEPT:{accept}"))
    assert response.status == 404
    if accept in ACCEPTED:
        assert error_of(response) == "no such path"
    else:
        assert response.field("content-type") == "text/html; charset=utf-8"


def test_who_sends_json(engine: Engine) -> None:
    for target, status in (("/set", 415), ("/nowhere", 404), ("/say", 405)):
        response = ask(engine, posted(target, b"{}", "application/json; charset=utf-8"))
        assert response.status == status and error_of(response)
    assert b"<!doctype" in ask(engine, posted("/set", b"{}", "application/xml")).body
    assert b"<!doctype" in ask(engine, posted("/set", b"level=300", "application/x-www-form-urlencoded")).body


def test_the_body_is_no_field_line(engine: Engine) -> None:
    response = ask(engine, posted("/set", b"\r\naccept: application/json\r\n"))
    assert response.status == 400 and b"<!doctype" in response.body


def test_a_wrong_member_of_json() -> None:
    with opened(ROOT / "tests" / "apps" / "json", log=True) as engine:
        for body, reason in ((b'{"octet":256}', "octet: expected"), (b"{", "the JSON is malformed")):
            response = ask(engine, posted("/set", body, "application/json"))
            assert response.status == 400 and reason in error_of(response)


def test_what_stands_in_quotes_is_escaped(engine: Engine) -> None:
    response = ask(engine, b'GET / HTTP/1.1\r\nHost: a"b\\\x01\xff</script>\r\n' + ACCEPT.encode() + b"\r\n\r\n")
    assert error_of(response) == 'malformed, or given twice: Host: a"b\\x5c\\x01\\xff</script>'


def test_for_head_the_head_alone(engine: Engine) -> None:
    whole = ask(engine, request("/nowhere", ACCEPT))
    head = ask(engine, request("/nowhere", ACCEPT, method="HEAD"))
    assert head.raw == whole.raw[: len(whole.raw) - len(whole.body)]


def test_methods_that_there_are(engine: Engine) -> None:
    response = ask(engine, request("/picture", ACCEPT))
    assert (response.status, response.field("allow"), error_of(response)) == (405, "POST, PUT", "expected POST or PUT")


def test_the_next_request_is_another_client(engine: Engine) -> None:
    net = Net(engine)
    client = net.host().client()
    assert error_of(net.get(client, "/nowhere", ACCEPT)) == "no such path"
    assert b"<!doctype" in net.get(client, "/nowhere").body


def test_cut_at_every_octet(engine: Engine) -> None:
    octets = request("/nowhere", ACCEPT)
    for at in range(1, len(octets)):
        assert error_of(parsed(pieces(engine, octets, [at], port=40000 + at), "GET")) == "no such path"
    every = list(range(1, len(octets)))
    assert error_of(parsed(pieces(engine, octets, every, port=39000), "GET")) == "no such path"


@pytest.mark.parametrize("seed", range(3))
def test_it_arrives_whole(engine: Engine, seed: int) -> None:
    net = Net(engine, up=Impairment(delay_us=5 * MS, loss=0.2), down=Impairment(delay_us=5 * MS, loss=0.2), seed=seed)
    response = net.get(net.host().client(), "/say?len=900", ACCEPT, for_s=600)
    assert response.status == 500 and error_of(response).startswith("say(): wrote 900 octets")


def test_instead_of_an_error_file() -> None:
    with opened(ROOT / "tests" / "apps" / "errors", log=True) as engine:
        page = ask(engine, request("/nowhere"))
        assert page.status == 404 and b"error" not in page.body[:9]
        assert error_of(ask(engine, request("/nowhere", ACCEPT))) == "no such path"
