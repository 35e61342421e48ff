# SPDX-License-Identifier: MIT
"""Methods, targets, versions and connections (RFC 9110, 9112)."""

import pytest

from tests.harness import Make, ask
from tests.support import MADE_FILES, exchange
from whit.wire.http import Response, request
from whit_testbed.engine import Engine


@pytest.mark.parametrize("name", sorted(MADE_FILES))
def test_every_file(engine: Engine, name: str) -> None:
    response = ask(engine, request("/" + name.replace(" ", "%20")))
    assert response.status == 200
    assert response.body == MADE_FILES[name]
    assert response.field("content-length") == str(len(MADE_FILES[name]))
    assert response.field("content-type")
    assert response.version == "HTTP/1.1"


@pytest.mark.parametrize("chunk", [4, 32, 128])
@pytest.mark.parametrize("link", ["ethernet", "slip"])
def test_every_chunk_size(make_engine: Make, chunk: int, link: str) -> None:
    engine = make_engine(link=link, chunk=chunk)
    for name in ("n0.bin", "n1.bin", "n31.bin", "n32.bin", "n33.bin", "n752.bin", "n57254.bin"):
        assert ask(engine, request("/" + name)).body == MADE_FILES[name]


def test_head_says_what_get_says(engine: Engine) -> None:
    client = exchange(engine, request("/n4000.bin", method="HEAD") + request("/n4000.bin"), "HEAD", "GET")
    head, get = client.responses
    assert head.fields == get.fields
    assert head.status == get.status == 200
    assert (head.body, get.body) == (b"", MADE_FILES["n4000.bin"])
    assert client.leftover == b""


def test_head_of_generators(make_engine: Make) -> None:
    engine = make_engine()
    head = ask(engine, request("/lines?cnt=3", method="HEAD"))
    assert (head.status, head.field("content-length")) == (200, "48")
    count = ask(engine, request("/count", method="HEAD"))
    assert count.field("content-length") == "5"


def test_index_answers_for_its_directory(engine: Engine) -> None:
    assert ask(engine, request("/")).body == ask(engine, request("/index.html")).body == MADE_FILES["index.html"]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"])
def test_method_that_nothing_has(engine: Engine, method: str) -> None:
    """RFC 9110 section 15.6.2; tests/bodies has those of which some resource takes one (405)."""
    assert ask(engine, request("/page.html", method=method)).status == 501
    assert ask(engine, request("/nothing", method=method)).status == 501


@pytest.mark.parametrize("method", ["BREW", "get", "GETT", "GE", "Get", "X-WHIT", "!#$%&'*+-.^_`|~"])
def test_unknown_method(engine: Engine, method: str) -> None:
    assert ask(engine, request("/page.html", method=method)).status == 501


@pytest.mark.parametrize(
    "line", [b" / HTTP/1.1", b"GE(T / HTTP/1.1", b"G\x00T / HTTP/1.1", b"\xff / HTTP/1.1", b"GET\t/ HTTP/1.1"]
)
def test_malformed_method(engine: Engine, line: bytes) -> None:
    assert ask(engine, line + b"\r\nHost: w\r\n\r\n").status == 400


def test_not_found(engine: Engine) -> None:
    for target in (
        "/nothing",
        "/n0.bi",
        "/n0.binn",
        "/N0.bin",
        "/n0.bin/",
        "//n0.bin",
        "/dir",
        "/dir/",
        "/page.html/x",
        "/..",
    ):
        assert ask(engine, request(target)).status == 404, target
    assert ask(engine, request("/Case.txt")).status == 200
    assert ask(engine, request("/case.txt")).status == 404


def test_percent_decoding(engine: Engine) -> None:
    for target in ("/dir/a%20b.txt", "/%64ir/a%20b.txt", "/dir/%61%20%62%2e%74%78%74", "/dir/a%20b%2Etxt?x=%20"):
        assert ask(engine, request(target)).body == b"a blank", target
    for target, status in (
        ("/%", 400),
        ("/%2", 400),
        ("/%zz", 400),
        ("/%u0041", 400),
        ("/%00", 400),
        ("/n0.bin%00", 400),
        ("/n0.bin%2", 400),
        ("/n0.bin%", 400),
        ("/dir%2Fa%20b.txt", 404),
        ("/n0.bin?q=%zz", 200),
    ):
        assert ask(engine, request(target)).status == status, target


@pytest.mark.parametrize("rest", ["/page.html", "/n0.bin?x", "?x", ""])
def test_ports_that_tcp_has(engine: Engine, rest: str) -> None:
    """RFC 3986 section 3.2.3 allows any digits, and none; TCP has 16 bits."""
    host = "http://123456.example"
    for port in ("", "0", "80", "00080", "65535", "0000065535"):
        assert ask(engine, request(f"{host}:{port}{rest}")).status == 200, port
        assert ask(engine, request(f"http://[::123456]:{port}{rest}")).status == 200, port
    for port in ("65536", "99999", "070000", "4294967376", "9" * 40):
        assert ask(engine, request(f"{host}:{port}{rest}")).status == 400, port
        assert ask(engine, request(f"https://[::1]:{port}{rest}")).status == 400, port


def test_absolute_form(engine: Engine) -> None:
    for target in (
        "http://whit/page.html",
        "HTTP://other:8080/page.html",
        "http://[::1]:80/page.html",
        "http://a.b/%70age.html",
        "https://whit/page.html",
        "HttpS://[fe80::1]:443/page.html",
        "https://a-b_c.example:/page.html?x=https://y",
        "https://10.0.0.1:8443/page.html",
    ):
        assert ask(engine, request(target)).body == MADE_FILES["page.html"], target
    for scheme in ("http", "https", "hTTpS"):
        for rest in ("whit", "whit?x=1", "whit:80?", "[::1]", "[::1]:443?/x"):
            assert ask(engine, request(f"{scheme}://{rest}")).body == MADE_FILES["index.html"], rest
    for target in (
        "http:///page.html",
        "http:/page.html",
        "https//whit/",
        "ftp://whit/page.html",
        "http://u@whit/",
        "https://u:p@whit/",
        "https:///page.html",
        "https:/page.html",
        "https://?x",
        "https://",
        "https:whit",
        "httpss://whit/",
        "shttp://whit/",
        "https://[::1/",
        "https://::1/",
        "https://whit:80:90/",
        "https://whit:8o/",
        "ws://whit/page.html",
        "page.html",
    ):
        assert ask(engine, request(target)).status == 400, target


def test_asterisk_form(engine: Engine) -> None:
    assert ask(engine, request("*")).status == 400
    assert ask(engine, request("*", method="OPTIONS")).status == 501


@pytest.mark.parametrize("version", ["1.1", "1.2", "1.9"])
def test_versions_that_are_ours(engine: Engine, version: str) -> None:
    assert ask(engine, request("/n1.bin", version=version)).status == 200


def test_versions_that_are_not(engine: Engine) -> None:
    for version, status in (
        ("2.0", 505),
        ("9.9", 505),
        ("0.9", 505),
        ("1.1x", 400),
        ("1", 400),
        ("1.", 400),
        ("+1.1", 400),
        ("1.10", 400),
        ("1,1", 400),
        ("1.1 ", 400),
        ("", 400),
        (" 1.1", 400),
    ):
        assert ask(engine, request("/n1.bin", version=version)).status == status, version
    for line in (
        b"GET /n1.bin http/1.1",
        b"GET /n1.bin ICY/1.1",
        b"GET /n1.bin",
        b"GET  /n1.bin HTTP/1.1",
        b"GET /n1.bin  HTTP/1.1",
    ):
        assert ask(engine, line + b"\r\nHost: w\r\n\r\n").status == 400, line


def test_http_1_0_closes(engine: Engine) -> None:
    for fields in ((), ("Connection: keep-alive",), ("Connection: close",)):
        client = exchange(engine, request("/n33.bin", *fields, host=None, version="1.0"))
        client.wait(lambda connection: connection.peer_closed)
        assert client.responses[0].body == MADE_FILES["n33.bin"]
        assert client.responses[0].field("connection") == "close"


def test_host_is_required_once(engine: Engine) -> None:
    assert ask(engine, request("/n1.bin", host=None)).status == 400
    assert ask(engine, request("/n1.bin", "Host: again")).status == 400
    assert ask(engine, request("/n1.bin", host="")).status == 200  # RFC 9110 section 7.2


# One host a line.
HOSTS = """a
a:80
a:
[::1]
[::1]:80
[2001:DB8::10.0.0.1]
10.0.0.1
xn--bcher-kva.example
a%20b
!$&'()*+;=~_"""
NO_HOSTS = """a b
a/b
a@b
a,b
a#b
a?b
a:b
a:b:c
a:80:81
a:8x
:80
::1
[
[::1
[::1]x
[::1]]
[::1]:x
[::g]
a[::1]
a[
a]
]
a\\b
b\xfccher
<a>
a"
a|b
{a}
a^b
a`b"""


@pytest.mark.parametrize("end", ["", "/n1.bin", "?a=b"])
def test_hosts(engine: Engine, end: str) -> None:
    """A Host is a reg-name or an IP literal, with an optional port, and so is the target's (RFC 9112 section 3.2, RFC
    3986 section 3.2.2)."""
    for host in HOSTS.splitlines():
        assert ask(engine, request("/n1.bin", f"X: {end}", host=host)).status == 200, host
        found = 200 if end == "/n1.bin" else ask(engine, request("/" + end)).status
        assert ask(engine, request(f"http://{host}{end}", host="w")).status == found, host
    for host in NO_HOSTS.splitlines():
        assert ask(engine, request("/n1.bin", f"X: {end}", host=host)).status == 400, host
        if not any(c in host for c in " /?"):
            assert ask(engine, request(f"http://{host}{end}", host="w")).status == 400, host


def test_connection_close(engine: Engine) -> None:
    for value in ("close", "Close", "keep-alive, close", "x , CLOSE ,y", "close\r\nConnection: keep-alive", ",,close"):
        client = exchange(engine, request("/n33.bin", "Connection: " + value))
        assert client.responses[0].field("connection") == "close", value
        client.wait(lambda connection: connection.peer_closed, for_s=10)
    for value in ("keep-alive", "closed", "clos", "x", ""):
        client = exchange(engine, request("/n33.bin", "Connection: " + value) + request("/n1.bin"), "GET", "GET")
        assert [response.field("connection") for response in client.responses] == ["keep-alive"] * 2, value


def test_keep_alive_and_pipeline(engine: Engine) -> None:
    names = [name for name in ("n33.bin", "n752.bin", "n4000.bin", "n1.bin") for _ in range(8)]
    client = exchange(engine, b"".join(request("/" + name) for name in names), *["GET"] * len(names))
    assert [response.body for response in client.responses] == [MADE_FILES[name] for name in names]
    assert client.leftover == b""


def test_one_empty_line_before_a_request_is_skipped(engine: Engine) -> None:
    assert ask(engine, b"\r\n" + request("/n1.bin")).status == 200
    two = exchange(engine, request("/n1.bin") + b"\r\n" + request("/n31.bin"), "GET", "GET")
    assert [response.status for response in two.responses] == [200, 200]
    assert ask(engine, b"\r\n" * 2000 + request("/n1.bin")).status in (400, 414)  # bounded


def test_long_targets_and_fields(engine: Engine) -> None:
    assert ask(engine, request("/" + "a" * 900)).status == 404
    assert ask(engine, request("/n1.bin?" + "a" * 900)).status == 200
    for length in (1024, 1025, 1027, 2000, 5000):  # of the target; the line of a GET is an octet shorter than a POST's
        assert ask(engine, request("/" + "a" * (length - 1))).status == (404 if length <= 1025 else 414), length
        assert ask(engine, request("/" + "a" * (length - 1)).replace(b"GET", b"HEAD")).status == (
            404 if length <= 1024 else 414
        ), length
    assert ask(engine, request("/n1.bin", "X: " + "a" * 7900)).status == 200
    assert ask(engine, request("/n1.bin", "X: " + "a" * 9000)).status == 431
    assert ask(engine, request("/n1.bin", *(f"X{i}: y" for i in range(3000)))).status == 431
    assert ask(engine, request("/n1.bin", "X" * 9000 + ": y")).status == 431


TOLD = [("connection", "keep-alive"), ("keep-alive", "timeout=120")]


def told(response: Response) -> list[tuple[str, str]]:
    return [field for field in response.fields if field[0] in ("connection", "keep-alive")]


def test_a_response_tells_how_long_its_connection_is_kept(make_engine: Make) -> None:
    """Connection names the field (RFC 9110, 7.6.1). A response that ends the connection has only close."""
    engine = make_engine()
    etag = ask(engine, request("/n33.bin")).field("etag")
    kept = [("/n33.bin", "GET", 200), ("/n33.bin", "HEAD", 200), ("/none", "GET", 404), ("/none", "HEAD", 404)]
    for target, method, status in [*kept, ("/lines?cnt=3", "GET", 200), ("/count", "HEAD", 200)]:
        response = ask(engine, request(target, method=method))
        assert (response.status, told(response)) == (status, TOLD)
    response = ask(engine, request("/n33.bin", f"If-None-Match: {etag}"))
    assert (response.status, told(response)) == (304, TOLD)
    assert told(ask(engine, request("/n33.bin", version="1.0"))) == [("connection", "close")]
    assert told(ask(engine, request("/n33.bin", "Connection: close"))) == [("connection", "close")]
    assert told(ask(engine, b"GET / HTTP/1.1\r\n\r\n")) == [("connection", "close")]  # 400
    assert told(ask(make_engine(idle=0), request("/n33.bin"))) == [("connection", "close")]


@pytest.mark.parametrize("link", ["ethernet", "slip"])
@pytest.mark.parametrize("wanted", [None, True, False])
def test_a_slow_line_tells_nothing_of_it(make_engine: Make, link: str, wanted: bool | None) -> None:
    engine = make_engine(link=link, **({} if wanted is None else {"keep_alive": wanted}))
    tells = link == "ethernet" if wanted is None else wanted
    for length in (1, 752, 57254):
        response = ask(engine, request(f"/n{length}.bin"))
        assert (told(response), response.body) == (TOLD if tells else [], MADE_FILES[f"n{length}.bin"])
