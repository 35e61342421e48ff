# SPDX-License-Identifier: MIT
"""Plain HTTP that redirects to HTTPS by 308: in virtual time, and with curl, which follows it."""

import shutil
from pathlib import Path

import pytest

from tests.harness import engine_of
from tests.https.secured import Secured, started
from tests.https.served import PAGE, client, served
from whit.model.policy import Options
from whit.paths import ROOT
from whit.wire.http import Response, parse_response
from whit.wire.units import MS
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment
from whit_testbed.net import Net

APP = ROOT / "tests" / "apps" / "secure"
FIELDS = b"Accept: */*\r\nCookie: " + b"c" * 700 + b"\r\n\r\n"


KINDS = {"small": {"heads": ""}, "fast": {"heads": "code"}}
PLAIN = {"https__plain": "redirect", "https__port": 443, "https__hsts": 60}
engine = engine_of(APP, scope="module", start=started, variants=KINDS, **PLAIN)


def ask(net: Net, octets: bytes, options: Options | None = None, address: str = "10.0.0.9") -> Response:
    """The only response of a connection that the device ends."""
    connection = net.host(address).connect(options, remote_port=80)
    connection.send(octets)
    net.loop.run(lambda: connection.peer_closed or connection.reset, for_us=60_000_000)
    response = parse_response(connection.received, "GET")
    assert connection.peer_closed and response is not None and response.raw == connection.received
    return response


@pytest.mark.parametrize(
    ("request_line", "host", "location"),
    [
        (b"GET / HTTP/1.1", b"Host: lamp.lan", "https://lamp.lan/"),
        (b"GET /a/b?x=1&y=%20z HTTP/1.1", b"hOsT:\t lamp.lan:80 ", "https://lamp.lan/a/b?x=1&y=%20z"),
        (b"HEAD /sum HTTP/1.1", b"Host: [fe80::1]:8080", "https://[fe80::1]/sum"),
        (b"GET /nowhere HTTP/1.1", b"Host:", "https://10.0.0.1/nowhere"),
        (b"GET /old HTTP/1.0", b"X: y", "https://10.0.0.1/old"),
        (b"GET http://other:80/x?y HTTP/1.1", b"Host: lamp.lan", "https://other/x?y"),
        (b"GET http://other?y HTTP/1.1", b"Host: lamp.lan", "https://other/?y"),
        (b"GET https://other:80/x?y HTTP/1.1", b"Host: lamp.lan", "https://other/x?y"),
        (b"GET HTTPS://[fe80::1]:80?y HTTP/1.1", b"Host: lamp.lan", "https://[fe80::1]/?y"),
        (b"GET http://other HTTP/1.1", b"Host: lamp.lan", "https://other/"),
        (b"GET //evil/ HTTP/1.1", b"Host: lamp.lan", "https://lamp.lan//evil/"),
    ],
)
@pytest.mark.parametrize("segment", [1460, 7, 1])
def test_where_it_sends_to(engine: Engine, request_line: bytes, host: bytes, location: str, segment: int) -> None:
    net = Net(engine)
    asked = b"\r\n".join((request_line, b"Cookie: host: no", host, FIELDS))
    response = ask(net, asked, Options(segment=segment))
    assert (response.status, response.field("Location"), response.field("Connection")) == (308, location, "close")
    assert response.field("Strict-Transport-Security") is None and response.body == b""


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a@b\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        (b"BREW / HTTP/1.1\r\nHost: a\r\n\r\n", 501),
        (b"GET /" + b"a" * 20000 + b" HTTP/1.1\r\n", 414),
    ],
)
def test_what_it_refuses(engine: Engine, asked: bytes, status: int) -> None:
    assert ask(Net(engine), asked).status == status


def test_a_body_is_not_read_and_no_handler_runs(engine: Engine) -> None:
    before = engine.persistent_writes
    for length in (5, 3000):
        head = b"POST /sum HTTP/1.1\r\nHost: a\r\nContent-Type: application/octet-stream\r\nContent-Length: %d\r\n\r\n"
        response = ask(Net(engine), head % length + b"x" * length)
        assert (response.status, response.field("Location")) == (308, "https://a/sum")
    assert engine.persistent_writes == before


@pytest.mark.parametrize("seed", range(3))
def test_on_a_bad_line_and_in_small_segments(engine: Engine, seed: int) -> None:
    bad = Impairment(delay_us=2 * MS, loss=0.1, duplicate=0.05, reorder=0.05, corrupt=0.05)
    net = Net(engine, up=bad, down=bad, seed=seed, split="random")
    for number in range(6):
        asked = b"GET /%d?%s HTTP/1.1\r\nHost: lamp.lan\r\n" % (number, b"q" * 300) + FIELDS
        for turn in range(3):  # a request of 400 octets, of which too much was lost for 15 s, is asked again
            response = ask(net, asked, Options(mss=96, segment=200), f"10.0.{turn}.{20 + number}")
            if response.status != 408:
                break
        assert response.field("Location") == f"https://lamp.lan/{number}?{'q' * 300}"


def test_https_says_that_it_is_the_only_way(engine: Engine) -> None:
    client = Secured(Net(engine))
    response = client.get("/")
    assert (response.status, response.field("Strict-Transport-Security")) == (200, "max-age=60")


def test_absolute_form_over_tls(engine: Engine) -> None:
    """RFC 9112 section 3.2.2. A user name is an error (RFC 9110 section 4.2.4)."""
    net = Net(engine)
    for target in ("https://lamp.lan/", "HTTPS://lamp.lan:443", "https://[fe80::1]?x", "http://lamp.lan/"):
        assert Secured(net).get(target).body == PAGE, target
    for target in ("https://ada@lamp.lan/", "https:///", "ftp://lamp.lan/"):
        assert Secured(net).get(target).status == 400, target


def test_many_who_never_say_their_host_leave_room(engine: Engine) -> None:
    net = Net(engine)
    for number in range(12):
        net.host(f"10.0.1.{number}").connect(remote_port=80).send(
            b"GET /" + b"x" * 400 + b" HTTP/1.1\r\nX: " + b"y" * 300
        )
    net.idle(30)
    assert ask(net, b"GET /z HTTP/1.1\r\nHost: a\r\n\r\n").field("Location") == "https://a/z"
    assert Secured(net).get("/").status == 200


def test_curl_follows_it(tmp_path: Path) -> None:
    """`whit run` redirects to the port that listens on this machine."""
    shutil.copytree(APP, tmp_path / "secure")
    with open(tmp_path / "secure" / "app.toml", "a") as toml:
        toml.write('plain = "redirect"\n')
    with served(tmp_path, tmp_path / "secure") as server:
        plain = f"http://127.0.0.1:{server.plain_port}/?x=1"
        told = ("-w", "%{url_effective} %{num_redirects} ", "-o", tmp_path / "page")
        said = client("curl", "-sSL", "--cacert", server.authority, *told, plain)
    assert said.decode() == f"https://127.0.0.1:{server.port}/?x=1 1 "
    assert (tmp_path / "page").read_bytes() == PAGE
