# SPDX-License-Identifier: MIT
"""The request log: one line for each request, with the reason of a refusal."""

import pytest

from tests.harness import engine_of, opened, saying
from whit.model.policy import Options
from whit.paths import ROOT
from whit.wire.http import request
from whit.wire.units import MS
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment
from whit_testbed.net import Net
from whit_testbed.trace import Peer

APP = ROOT / "tests" / "apps" / "refusals"


engine = engine_of(APP, log=True)


def asked(engine: Engine, octets: bytes, *, for_s: float = 30, split: int | None = None) -> str:
    """Returns the log of a request on a new connection, after the response has been read to its end."""
    net = Net(engine, split=split)
    client = net.host().client()
    client.send(octets, "GET")
    net.run(client, for_s=for_s)
    net.idle(0.5)
    return engine.take_log()


def posted(path: str, body: bytes, content_type: str = "application/x-www-form-urlencoded") -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def test_a_success_tells_its_octets(engine: Engine) -> None:
    net = Net(engine)
    client = net.host().client()
    page = net.get(client, "/")
    net.idle(0.5)
    assert engine.take_log() == f"GET / 200 {len(page.raw)}\n"
    said = net.get(client, "/say?len=3")
    tag = page.field("etag")
    again = net.get(client, "/index.html", f"If-None-Match: {tag}")
    net.idle(0.5)
    assert engine.take_log() == f"GET /say?len=3 200 {len(said.raw)}\nGET /index.html 304 {len(again.raw)}\n"


TARGET = "the request target is malformed: an octet or a percent-encoding that is not allowed"
ABSOLUTE = (
    "the request target: expected /PATH, or http:// or https:// with a host, a port up to 65535 if any, "
    "and without a user name"
)
LONG = "request line longer than 1039 octets (target_max in app.toml and 15)"
PLAIN = "a plain doPostIn takes at most 512 (buffer in app.toml), a protothread more"
CHUNKED = b"Host: a\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked"
FORM = "the form is malformed: an octet or a percent-encoding that is not allowed"
PARTS = "multipart/form-data; boundary=a"
REFUSED = [
    (request("/nowhere"), "GET /nowhere 404 no such path"),
    (request("/say"), "GET /say 400 missing: len: expected a number from 0 to 65535"),
    (request("/say?len=65536"), "GET /say?len=65536 400 len: expected a number from 0 to 65535"),
    (request("/say?len=1&len=1"), "GET /say?len=1&len=1 400 given twice: len: expected a number from 0 to 65535"),
    (request("/say?len=1&name=12345678"), "GET /say?len=1&name=12345678 400 name: expected at most 7 bytes of UTF-8"),
    (request("/say?len=1&admitted=0"), "GET /say?len=1&admitted=0 500 admit() returned 0"),
    (
        request("/say?len=900"),
        "GET /say?len=900 500 say(): wrote 900 octets, the buffer has room for 748 (buffer in app.toml)",
    ),
    (
        request("/keep?len=500"),
        "GET /keep?len=500 500 keep(): wrote 500 octets, the buffer has room for 384 (buffer in app.toml)",
    ),
    (request("/keep?len=1"), "GET /keep?len=1 500 keep() returned 0"),
    (request("/%zz"), f"GET /%zz 400 {TARGET}"),
    (b"GET /\x01 HTTP/1.1\r\n\r\n", f"GET /\\x01 400 {TARGET}"),
    (b"\x1b[2J\xff\r\n\r\n", "\\x1b[2J\\xff 400 the request line is malformed"),
    (b"BREW /pot HTTP/1.1\r\n\r\n", "BREW /pot 501 method not supported"),
    (b"GET / HTTP/2.0\r\n\r\n", "GET / 505 HTTP version not supported: expected HTTP/1.1 or HTTP/1.0"),
    (b"GET / HTTP/1.1\r\n\r\n", "GET / 400 no Host field"),
    (b"GET / HTTP/1.1\r\nHost: a b\r\n\r\n", "GET / 400 malformed, or given twice: Host: a b"),
    (
        request("/" + "a" * 2000),
        f"GET /{'a' * 251}... 414 {LONG}",
    ),
    (request("/", "X: " + "b" * 9000), "GET / 431 field lines longer than 8192 octets (fields_max in app.toml)"),
    (request("/picture"), "GET /picture 405 expected POST or PUT"),
    (posted("/say", b""), "POST /say 405 expected GET or HEAD"),
    (request("/", 'If-Match: "12345678"'), "GET / 412 If-Match names another version"),
    (posted("/set", b"level=3"), "POST /set 400 missing: mode: expected slow or fast"),
    (posted("/set", b"level=300&mode=fast"), "POST /set 400 level: expected a number from -128 to 127"),
    (posted("/set", b"level=3&mode=warp"), "POST /set 400 mode: expected slow or fast"),
    (posted("/set", b"level=0&mode=fast"), "POST /set 500 set() returned 0"),
    (
        posted("/set", b"{}", "application/json"),
        "POST /set 415 Content-Type: expected application/x-www-form-urlencoded",
    ),
    (posted("/picture", b"a", "text/plain"), "POST /picture 415 Content-Type: expected image/png, image/gif"),
    (posted("/picture", bytes(600), "image/png"), f"POST /picture 413 body of 600 octets: {PLAIN}"),
    (
        posted("/picture", bytes(2001), "image/png"),
        "POST /picture 413 body longer than 2000 octets (body_max in app.toml)",
    ),
    (posted("/picture", b"", "multipart/form-data"), "POST /picture 400 Content-Type has no boundary"),
    (b"POST /set HTTP/1.1\r\n" + CHUNKED + b"\r\n\r\nxyz", "POST /set 400 a chunk of the body is malformed"),
    (posted("/set", b"level=3&mode=fa st"), f"POST /set 400 {FORM}"),
    (posted("/set", b"level=3&mode=%4"), f"POST /set 400 {FORM}"),
    (
        posted("/picture", b"--a\r\n\x01: y\r\n\r\nz\r\n--a--", PARTS),
        "POST /picture 400 the multipart/form-data is malformed",
    ),
    (posted("/picture", b"--a\r\nfoo", PARTS), "POST /picture 400 the body ended too early"),
    (b"\r\n" + request("/nowhere"), "GET /nowhere 404 no such path"),
    (b"GET /" + b"\x01" * 300 + b"\r\n\r\n", "GET /" + "\\x01" * 63 + f"... 400 {TARGET}"),
    (b"GET /" + b"a" * 247 + b"\x01\r\n\r\n", "GET /" + "a" * 247 + f"\\x01 400 {TARGET}"),
    (b"GET /" + b"a" * 248 + b"\x01\r\n\r\n", "GET /" + "a" * 248 + f"\\x01 400 {TARGET}"),
    (b"GET /" + b"a" * 250 + b"\x01\r\n\r\n", "GET /" + "a" * 250 + f"\\x01 400 {TARGET}"),
    (b"GET /" + b"a" * 251 + b"\x01\r\n\r\n", "GET /" + "a" * 251 + f"... 400 {TARGET}"),
    (b"GET / HTTP/1.1\r\nX: y\r\nHost: a b\r\n\r\n", "GET / 400 malformed, or given twice: Host: a b"),
    (
        b"GET / HTTP/1.1\r\nHost: a " + b"b" * 87 + b"\r\n\r\n",
        "GET / 400 malformed, or given twice: Host: a " + "b" * 87,
    ),
    (
        b"GET / HTTP/1.1\r\nHost: a " + b"b" * 89 + b"\r\n\r\n",
        "GET / 400 malformed, or given twice: Host: a " + "b" * 88 + "...",
    ),
    (b"x\r\n\r\n", "x 400 the request line is malformed"),
    (b"GET / \r\n\r\n", "GET / 400 the request line is malformed"),
    (b"GET  / HTTP/1.1\r\n\r\n", f"GET  / 400 {ABSOLUTE}"),
    (b"GET \r\n\r\n", f"GET 400 {ABSOLUTE}"),
    (b"\x20\r\n\r\n", "- 400 the request line is malformed"),
    (request("ftp://a/"), f"GET ftp://a/ 400 {ABSOLUTE}"),
    (request("httpss://a/"), f"GET httpss://a/ 400 {ABSOLUTE}"),
    (request("https:/a/"), f"GET https:/a/ 400 {ABSOLUTE}"),
    (request("http:///a"), f"GET http:///a 400 {ABSOLUTE}"),
    (request("https://ada@a/"), f"GET https://ada@a/ 400 {ABSOLUTE}"),
    (request("http://a:65536/"), f"GET http://a:65536/ 400 {ABSOLUTE}"),
    (request("http://a:8x/"), f"GET http://a:8x/ 400 {ABSOLUTE}"),
    (request("http://[::1/"), f"GET http://[::1/ 400 {ABSOLUTE}"),
    (request("*"), f"GET * 400 {ABSOLUTE}"),
    (request("say?len=3"), f"GET say?len=3 400 {ABSOLUTE}"),
    (request("https://a/%zz"), f"GET https://a/%zz 400 {TARGET}"),
    (request("/say?x=://#"), f"GET /say?x=://# 400 {TARGET}"),
    (request("https://a/nowhere"), "GET https://a/nowhere 404 no such path"),
]


@pytest.mark.parametrize(("octets", "line"), REFUSED, ids=[line[:40] for _, line in REFUSED])
def test_a_refusal_tells_its_reason(engine: Engine, octets: bytes, line: str) -> None:
    assert asked(engine, octets) == f"{line}\n"


@pytest.mark.parametrize("octets, line", [REFUSED[2], REFUSED[9], REFUSED[15], REFUSED[22]])
def test_octets_that_come_one_by_one(engine: Engine, octets: bytes, line: str) -> None:
    assert asked(engine, octets, split=1) == f"{line}\n"


def test_an_earlier_line_does_not_count(engine: Engine) -> None:
    """A slot's memory holds the line of its last request, with two blanks."""
    asked(engine, request("/say?len=3&name=abc"))
    for octets, line in (REFUSED[9], REFUSED[10], REFUSED[12]):
        assert asked(engine, octets) == f"{line}\n"


@pytest.mark.parametrize("size", [0, 1, 342, 343])
def test_a_body_that_just_fits_has_no_reason(engine: Engine, size: int) -> None:
    """The body fits the buffer's first half, less the request's kept state."""
    net = Net(engine)
    client = net.host().client()
    client.send(posted("/picture", bytes(size), "image/png"), "POST")
    net.run(client, for_s=30)
    net.idle(0.5)
    answer = client.responses[0]
    assert answer.body == b"taken"
    assert engine.take_log() == f"POST /picture 200 {len(answer.raw)}\n"


def test_the_least_body_that_a_plain_handler_does_not_take(engine: Engine) -> None:
    assert asked(engine, posted("/picture", bytes(513), "image/png")) == (
        f"POST /picture 413 body of 513 octets: {PLAIN}\n"
    )


@pytest.mark.parametrize("target", ["/keep?len=384", "/say?len=748"])
def test_output_that_just_fits_is_a_success(engine: Engine, target: str) -> None:
    net = Net(engine)
    answer = net.get(net.host().client(), target)
    net.idle(0.5)
    assert answer.status == 200 and len(answer.body) == int(target.partition("=")[2])
    assert engine.take_log() == f"GET {target} 200 {len(answer.raw)}\n"


def test_what_was_waited_for_is_told(engine: Engine) -> None:
    assert asked(engine, b"GET /slow HT") == (
        "GET /slow HT 408 the request was not complete after 15 s (request_timeout_s in app.toml)\n"
    )
    assert asked(engine, posted("/set", b"level=3")[:-3]) == (
        "POST /set 408 the body came too slowly: 15 s (request_timeout_s in app.toml), and 16 ms for each octet\n"
    )


def test_nothing_is_told_before_the_checksum_holds(engine: Engine) -> None:
    """A corrupted segment leaves no trace in the log, even if it is refused or changes the line of a half-received
    request."""
    peer = Peer(engine)
    peer.handshake()
    peer.send("PA", seq=1, ack=1, payload=b"GET /ind")
    engine.take_log()
    peer.send("PA", seq=9, ack=1, payload=b"\x01HACKED HTTP/1.1\r\n\r\n", sum=0x1111)
    assert engine.take_log() == ""
    rest = b"ex.html HTTP/1.1\r\nHost: a\r\n\r\n"
    peer.send("PA", seq=9, ack=1, payload=rest)
    answer = peer.receive(seq=9 + len(rest))
    assert engine.take_log() == f"GET /index.html 200 {len(answer)}\n"


def test_a_response_that_is_cut_off_is_told(engine: Engine) -> None:
    peer = Peer(engine)
    peer.handshake()
    octets = request("/say?len=700")
    peer.send("PA", seq=1, ack=1, payload=octets, wnd=170)  # too small for halves: one is in flight
    peer.take_all()
    assert engine.take_log() == ""
    peer.send("R", seq=1 + len(octets))
    assert engine.take_log() == "GET /say?len=700 200 0 octets: reset by the client\n"


def test_the_page_of_an_error_is_its_line_of_the_log(engine: Engine) -> None:
    """The page is readable, escaped, and the same for HEAD except for its content; a status has its phrase."""
    net = Net(engine)
    refused = net.get(net.host().client(), "/no&lt;'<script>")
    assert refused.raw.startswith(b"HTTP/1.1 404 Not Found\r\n")
    assert refused.field("content-type") == "text/html; charset=utf-8"
    page = refused.body.decode()
    assert "<title>404 Not Found</title>" in page and "<p>no such path<p>" in page
    assert "<code>GET /no&amp;lt;'&lt;script></code>" in page and "<script" not in page
    client = net.host().client()
    client.send(request("/no&lt;'<script>", method="HEAD"), "HEAD")
    net.run(client, for_s=30)
    assert client.responses[0].raw == refused.raw[: len(refused.raw) - len(refused.body)]
    wrong = net.get(net.host().client(), "/picture")
    assert wrong.status == 405 and wrong.field("allow") == "POST, PUT" and b"<p>expected POST or PUT<p>" in wrong.body
    client = net.host().client()
    client.send(posted("/say", b""), "POST")
    net.run(client, for_s=30)
    wrong = client.responses[0]
    assert wrong.status == 405 and wrong.field("allow") == "GET, HEAD" and b"<p>expected GET or HEAD<p>" in wrong.body
    assert net.get(net.host().client(), "/say?len=3").raw.startswith(b"HTTP/1.1 200 OK\r\n")


@pytest.mark.parametrize("window", [1, 60, 200, 65535])
def test_the_page_of_an_error_arrives_whole(engine: Engine, window: int) -> None:
    net = Net(engine, up=Impairment(delay_us=5 * MS, loss=0.1), seed=window)
    whole = net.get(net.host().client(), "/say?len=900").body
    cut = net.get(net.host().client(Options(mss=88, window=window)), "/say?len=900", for_s=600)
    assert cut.body == whole and cut.status == 500 and b"say(): wrote 900 octets" in whole


@pytest.mark.parametrize(("octets", "_"), REFUSED, ids=[line[:40] for _, line in REFUSED])
def test_every_refusal_has_its_page(engine: Engine, octets: bytes, _: str) -> None:
    net = Net(engine)
    client = net.host().client()
    client.send(octets, "GET")
    net.run(client, for_s=30)
    (response,) = client.responses
    if b"application/json" in octets:  # test_error_json.py
        assert response.reason and response.body.startswith(b'{"error":"')
    else:
        assert response.reason and f"<h1>{response.status} {response.reason}</h1>".encode() in response.body
    assert len(response.body) == int(response.field("content-length") or 0)


def test_room_that_was_waited_for_is_told(engine: Engine) -> None:
    """The room reserved for a waiting client is not given to another."""
    peers = [Peer(engine, port=40000 + number) for number in range(2)]
    octets = request("/keep?len=380")
    for peer in peers:
        peer.handshake()
        peer.send("PA", seq=1, ack=1, payload=octets)
        peer.take_all()
    assert engine.take_log() == ""
    peers[1].take_all(16_000)
    assert engine.take_log() == (
        "GET /keep?len=380 503 waited 15 s for room in the shared buffer (buffer in app.toml)\n"
    )


def test_a_request_that_waited_behind_another_and_finds_no_room() -> None:
    """A request whose arguments find no room is refused at once if the application reads no bodies."""
    wide = saying("out_str(args->text);", 'name="text" type="str" size="200"', persistence="idempotent")
    files = {"wide.c": wide, "index.html": "x"}
    with opened(files, log=True, buffer=300, connections=2) as engine:
        peer, other = Peer(engine), Peer(engine, port=40001)
        for one in (peer, other):
            one.handshake()
        first, wide = request("/"), request("/wide?text=x")
        peer.send("PA", seq=1, ack=1, payload=first + wide)
        answer = peer.next_segment()
        other.send("PA", seq=1, ack=1, payload=wide)
        assert other.next_segment().payload.endswith(b"x")
        peer.send("A", seq=1 + len(first + wide), ack=1 + len(answer.payload))
        refused = peer.next_segment()
        assert refused.payload.startswith(b"HTTP/1.1 503")
        peer.send("A", seq=1 + len(first + wide), ack=2 + len(answer.payload + refused.payload))
        first_line, second_line = engine.take_log().splitlines()
        assert first_line == f"GET / 200 {len(answer.payload)}"
        assert second_line == "GET /wide? 503 waited 0 s for room in the shared buffer (buffer in app.toml)"
