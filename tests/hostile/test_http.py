# SPDX-License-Identifier: MIT
"""Hostile and edge cases X127..X188: HTTP."""

import pytest

from tests.harness import Make, ask
from tests.http.test_cut import REQUESTS, answer
from tests.segments.test_retransmit import drain
from tests.support import BIG, MADE_FILES, exchange, get, parsed, served
from whit.model.policy import Options
from whit.wire.http import request
from whit.wire.units import MS, SECOND
from whit_testbed.engine import Engine
from whit_testbed.http import Client
from whit_testbed.link import Impairment
from whit_testbed.net import Net
from whit_testbed.trace import Peer


def statuses(engine: Engine, octets: bytes, count: int = 1) -> list[int]:
    """Returns the statuses of the responses, until the connection ends or `count` have arrived."""
    return [response.status for response in exchange(engine, octets, *["GET"] * count).responses]


def refused(engine: Engine, octets: bytes, *allowed: int) -> None:
    """Fails unless the status is one of these and no handler ran."""
    client = exchange(engine, octets)
    assert client.responses[0].status in allowed
    assert engine.persistent_writes == 0


def test_x127_three_times(engine: Engine) -> None:
    client = exchange(engine, request("/prose.txt") * 3, *["GET"] * 3)
    assert len({response.raw for response in client.responses}) == 1


def test_x128_head_then_get(engine: Engine) -> None:
    client = exchange(engine, request("/prose.txt", method="HEAD") + request("/prose.txt"), "HEAD", "GET")
    head, got = client.responses
    assert (head.status, head.fields, head.body, got.body) == (200, got.fields, b"", MADE_FILES["prose.txt"])


def test_x130_empty_lines(engine: Engine) -> None:
    assert ask(engine, b"\r\n" + request("/n1.bin")).status == 200
    assert ask(engine, b"\r\n" * 2000 + request("/n1.bin")).status in (400, 414)


def test_x131_http_1_0(engine: Engine) -> None:
    for fields in ((), ("Connection: keep-alive",)):
        client = exchange(engine, request("/n33.bin", *fields, host=None, version="1.0"))
        assert client.responses[0].body == MADE_FILES["n33.bin"]
        assert client.responses[0].field("connection") == "close"
        client.wait(lambda connection: connection.peer_closed, for_s=1)


def test_x133_absolute_form(engine: Engine) -> None:
    for host in ("whit", "other.example"):
        assert ask(engine, request("http://whit/n33.bin", host=host)).body == MADE_FILES["n33.bin"]


def test_x134_asterisk(engine: Engine) -> None:
    assert ask(engine, request("*", method="OPTIONS")).status == 501
    assert ask(engine, request("*")).status == 400


@pytest.mark.parametrize(("version", "status"), [("2.0", 505), ("9.9", 505), ("1.2", 200)])
def test_x136_versions(engine: Engine, version: str, status: int) -> None:
    assert ask(engine, request("/n1.bin", version=version)).status == status


@pytest.mark.parametrize("version", ["http/1.1", "HTTP/1.1x", "HTTP/11", "HTTP/+1.1", "ICY/1.1", ""])
def test_x137_what_is_no_version(engine: Engine, version: str) -> None:
    refused(engine, b"GET /count " + version.encode() + b"\r\nHost: w\r\n\r\n", 400, 505)
    refused(engine, b"GET /count\r\nHost: w\r\n\r\n", 400, 505)


@pytest.mark.parametrize("length", [300, 2000, 8000, 70_000])
def test_x139_long_targets(engine: Engine, length: int) -> None:
    assert ask(engine, request("/" + "t" * length)).status == (404 if length < 1000 else 414)
    served(Peer(engine))


@pytest.mark.parametrize("extra", [1, 2, 3, 7, 8, 63, 64, 255, 256, 1000, 1013, 4096])
def test_x140_longer_names(engine: Engine, extra: int) -> None:
    for octet in ("a", "n", "/", "."):
        assert ask(engine, request("/n33.bin" + octet * extra)).status in (404, 414)


@pytest.mark.parametrize("octet", [0, 1, 7, 9, 10, 13, 0x1F, 0x7F, 0x80, 0xA0, 0xC3, 0xFF])
@pytest.mark.parametrize("target", [b"/n33.bin%s", b"/n33%s.bin", b"/%sn33.bin", b"%s/n33.bin"])
def test_x142_odd_octets_in_the_target(engine: Engine, octet: int, target: bytes) -> None:
    assert ask(engine, request(target % bytes([octet]))).status in (400, 404)


def test_x143_percent_encoding(engine: Engine) -> None:
    for target in ("/%6e33.bin", "/n%333.bin", "/%6E%33%33%2e%62%69%6e"):
        assert ask(engine, request(target)).body == MADE_FILES["n33.bin"]
    for target in ("/%", "/%2", "/%zz", "/%u0041", "/%00", "/n33.bin%00", "/n33.bin%00.html", "/%0", "/n33.bin%"):
        assert ask(engine, request(target)).status in (400, 404)


@pytest.mark.parametrize(
    "tail", ["?x=1", "?", "?a?b/c", "?[]", "?'\"", "?\\", "?#", "#top", "[", "'", '"', "\\", "|", "^", "{}", "<>", "`"]
)
def test_x145_query_and_odd_characters(engine: Engine, tail: str) -> None:
    response = ask(engine, request("/n33.bin" + tail))
    assert response.status in ((200, 400) if tail.startswith("?") else (400, 404))


@pytest.mark.parametrize("method", ["CONNECT", "TRACE", "PUT", "DELETE", "PATCH"])
def test_x146_methods(engine: Engine, method: str) -> None:
    target = "whit:80" if method == "CONNECT" else "/count"
    response = ask(engine, request(target, method=method))
    assert response.status in (400, 405, 501)
    assert engine.persistent_writes == 0


def test_x148_end_in_the_request(engine: Engine) -> None:
    octets = get("/count")
    for cut in range(1, len(octets)):
        net = Net(engine)
        client = net.host().client(port=20_000 + cut)
        client.send(octets[:cut])
        client.connection.close()
        client.wait(lambda connection: connection.finished)
        assert b" 200 " not in client.connection.received
    assert engine.persistent_writes == 0


# ---------------------------------------------------------------- fields


def test_x149_case_and_white_space(engine: Engine) -> None:
    octets = b"GET /n33.bin HTTP/1.1\r\nhOsT:\t w \t\r\nCONNECTION:CLOSE\r\nACCEPT:   \r\n\r\n"
    assert ask(engine, octets).field("connection") == "close"


@pytest.mark.parametrize("line", ["nothing", ": x", "a(: x", "a b: x", "a\0: x", "a\xe9: x", 'a": x', "a/: x"])
def test_x151_odd_names(engine: Engine, line: str) -> None:
    refused(engine, request("/count", line), 400)


@pytest.mark.parametrize("line", ["X: a\0b", "X: a\rTransfer-Encoding: chunked", "X: a\r", "X: \r\r"])
def test_x152_nul_and_cr_in_a_value(engine: Engine, line: str) -> None:
    refused(engine, request("/count", line), 400)


def test_x154_browser_fields(engine: Engine) -> None:
    fields = [f"Sec-Ch-Ua-{i}: " + "v" * 60 for i in range(13)]
    assert ask(engine, request("/n33.bin", *fields)).status == 200


def test_x155_too_much(engine: Engine) -> None:
    assert ask(engine, request("/n33.bin", *(f"F{i}: v" for i in range(100)))).status == 200
    for fields in (
        ["V: " + "v" * 16_384],
        ["N" * 8192 + ": v"],
        ["V: " + "v" * (1 << 20)],
        [f"F{i}: v" for i in range(20_000)],
    ):
        assert ask(engine, request("/n33.bin", *fields)).status == 431
    served(Peer(engine))


# ---------------------------------------------------------------- connection


@pytest.mark.parametrize("depth", [4, 10, 30])
def test_x157_pipelines(engine: Engine, depth: int) -> None:
    names = ["n33.bin", "prose.txt", "n1.bin", "n752.bin"]
    octets = b"".join(request("/" + names[i % 4]) for i in range(depth))
    client = exchange(engine, octets, *["GET"] * depth, options=Options(rto_min=200 * MS), for_s=120)
    assert [response.body for response in client.responses] == [MADE_FILES[names[i % 4]] for i in range(depth)]


def test_x157_close_is_obeyed(engine: Engine) -> None:
    octets = request("/n1.bin") + request("/n31.bin", "Connection: close") + request("/count")
    client = exchange(engine, octets, *["GET"] * 3)
    client.connection.loop.run(lambda: client.connection.peer_closed, for_us=30 * SECOND)
    assert [response.body for response in client.responses] == [MADE_FILES["n1.bin"], MADE_FILES["n31.bin"]]
    assert client.leftover == b""
    assert engine.persistent_writes == 0


@pytest.mark.parametrize("name", REQUESTS)
def test_x158_cut_everywhere(make_engine: Make, name: str) -> None:
    octets, engine = REQUESTS[name], make_engine()
    whole = answer(engine, [octets])
    for cut in range(1, len(octets), 3):
        assert answer(engine, [octets[:cut], octets[cut:]], port=40_000 + cut) == whole
    assert answer(engine, [bytes([octet]) for octet in octets], port=39_000) == whole


def test_x160_clients_that_vanish(make_engine: Make) -> None:
    engine = make_engine(connections=2)
    net = Net(engine)
    for i in range(140):
        client = net.host().client()
        if i < 40:
            client.ask("/n57254.bin")
            client.wait(lambda connection: len(connection.received) > 3000, for_s=120)
            client.connection.vanish() if i < 20 else client.connection.abort()
        else:
            client.wait(lambda connection: connection.opened_us is not None)
    assert net.get(net.host("10.0.7.7").client(), "/n33.bin", for_s=60).body == MADE_FILES["n33.bin"]


def test_x161_many_clients(make_engine: Make) -> None:
    net = Net(make_engine(connections=4, idle=16), up=Impairment(delay_us=3 * MS))
    clients: list[Client] = [net.host(f"10.0.1.{i}").client(Options(rto_min=200 * MS)) for i in range(1, 13)]
    for _ in range(5):
        for client in clients:
            client.ask("/n4000.bin")
        net.run(*clients, for_s=300)
    assert all(response.body == MADE_FILES["n4000.bin"] for client in clients for response in client.responses)
    assert sum(len(client.responses) for client in clients) == 60


def test_x163_slow_reader(engine: Engine) -> None:
    net = Net(engine)
    client = net.host().client(Options(window=3000))
    client.connection.pause()
    client.ask("/n57254.bin")
    while not client.responses:
        net.idle(0.4)
        client.connection.resume()
        client.connection.pause()
        assert not client.connection.reset
    assert client.responses[0].body == BIG


def test_x164_unfinished_request(make_engine: Make) -> None:
    net = Net(make_engine(request_timeout_s=5))
    client = net.host().client()
    client.send(get("/n33.bin")[:-1])
    net.run(client, for_s=10)
    assert client.responses[0].status == 408
    net.loop.run(lambda: client.connection.peer_closed, for_us=SECOND)


# ---------------------------------------------------------------- bodies


@pytest.mark.parametrize("length", ["0", "5", "005", "0000000000000000000005"])
def test_x166_content_length(engine: Engine, length: str) -> None:
    body = b"x" * int(length)
    client = exchange(engine, request("/n1.bin", f"Content-Length: {length}", body=body))
    assert client.responses[0].status == 200


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_x167_body_that_is_a_request(engine: Engine, method: str) -> None:
    body = get("/count")
    client = exchange(engine, request("/n1.bin", f"Content-Length: {len(body)}", method=method, body=body), method)
    client.connection.loop.run(lambda: client.connection.peer_closed, for_us=30 * SECOND)
    assert len(client.responses) == 1
    assert client.leftover == b""
    assert engine.persistent_writes == 0


@pytest.mark.parametrize("values", [["5", "6"], ["5, 6"], ["-5"], ["+5"], ["0x5"], ["5 5"], ["5a"], [""]])
def test_x169_bad_content_length(engine: Engine, values: list[str]) -> None:
    refused(engine, request("/count", *(f"Content-Length: {value}" for value in values), body=b"12345"), 400)


@pytest.mark.parametrize("length", [2**32 + 5, 2**64 + 5, 10**23 - 1, 2**32, 2**31, 2**16 + 5])
def test_x170_huge_numbers(engine: Engine, length: int) -> None:
    refused(engine, request("/count", f"Content-Length: {length}", body=get("/count")), 400, 413)
    chunked = f"{length:x}\r\n".encode() + get("/count")
    client = exchange(engine, request("/n1.bin", "Transfer-Encoding: chunked", body=chunked))
    assert len(client.responses) == 1
    assert engine.persistent_writes == 0


@pytest.mark.parametrize("size", ["-5", "0x5", "xyz", "", " 5", "+5", "5 ", "5;a=b", "00000000000000005"])
@pytest.mark.parametrize("ending", [b"\r\n", b"\n", b""])
def test_x172_chunk_sizes(engine: Engine, size: str, ending: bytes) -> None:
    """No request body is read: the connection ends after the answer, for any chunk sizes."""
    body = size.encode() + ending + b"12345\r\n0\r\n\r\n" + get("/count")
    client = exchange(engine, request("/n1.bin", "Transfer-Encoding: chunked", body=body))
    client.connection.loop.run(lambda: client.connection.peer_closed, for_us=30 * SECOND)
    assert len(client.responses) == 1
    assert client.leftover == b""
    assert engine.persistent_writes == 0


@pytest.mark.parametrize(
    "lines",
    [
        ["Transfer-Encoding: snappy"],
        ["Transfer-Encoding: chunked, identity"],
        ["Transfer-Encoding: chunked, chunked"],
        ["Transfer-Encoding: xchunked"],
        ["Transfer-Encoding: chunked\0"],
        ["Transfer-Encoding : chunked"],
        ["Transfer-Encoding: chunked", "Content-Length: 5"],
        ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"],
        ["Transfer-Encoding:\x0bchunked"],
        ['Transfer-Encoding: "chunked"'],
    ],
)
def test_x173_transfer_codings(engine: Engine, lines: list[str]) -> None:
    refused(engine, request("/count", *lines), 400, 501)


def test_x173_transfer_coding_in_1_0(engine: Engine) -> None:
    refused(engine, request("/count", "Transfer-Encoding: chunked", version="1.0"), 400, 501)


def test_x175_bodies_that_never_end(engine: Engine) -> None:
    for octets in (
        request("/n1.bin", "Content-Length: 10000000000", body=b"x" * 100_000),
        request("/n1.bin", "Transfer-Encoding: chunked", body=b"1\r\nx\r\n" * 20_000),
        request("/n1.bin", "Transfer-Encoding: chunked", body=b"1;" + b"e" * 131_072),
        request("/n1.bin", "Content-Length: 500", body=b"short"),
    ):
        net = Net(engine)
        client = net.host().client()
        client.send(octets)
        client.connection.close()
        client.wait(lambda connection: connection.peer_closed or connection.reset)
        assert len(client.responses) == 1
    served(Peer(engine))


def test_x176_chunked_post_cut_everywhere(engine: Engine) -> None:
    octets = request("/n1.bin", "Transfer-Encoding: chunked", method="POST", body=b"5\r\nhello\r\n0\r\n\r\n")
    whole = answer(engine, [octets])
    assert parsed(whole).status == 501
    for cut in range(1, len(octets)):
        assert answer(engine, [octets[:cut], octets[cut:]], port=40_000 + cut) == whole, cut


# ---------------------------------------------------------------- conditions, ranges, upgrades


def test_x178_conditions(engine: Engine) -> None:
    tag = ask(engine, request("/n752.bin")).field("etag")
    for date in ("Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 2099 23:59:59 GMT", "yesterday"):
        assert ask(engine, request("/n752.bin", f"If-Modified-Since: {date}")).status == 200
        assert ask(engine, request("/n752.bin", f"If-None-Match: {tag}", f"If-Modified-Since: {date}")).status == 304
        assert ask(engine, request("/n752.bin", 'If-None-Match: "no"', f"If-Modified-Since: {date}")).status == 200
    assert ask(engine, request("/n752.bin", 'If-Match: "no"')).status == 412


@pytest.mark.parametrize(
    "value", ["bytes=0-0", "bytes=-1", "bytes=5-", "bytes=99999-", "bytes", "bytes=" + "0-0," * 1300]
)
def test_x179_ranges(engine: Engine, value: str) -> None:
    for extra in ([], ['If-Range: "other"']):
        response = ask(engine, request("/n752.bin", f"Range: {value}", *extra))
        assert (response.status, response.body) == (200, MADE_FILES["n752.bin"])


@pytest.mark.parametrize("protocol", ["websocket", "h2c", "TLS/1.0"])
def test_x181_upgrades_are_ignored(engine: Engine, protocol: str) -> None:
    """RFC 9110 section 7.8: a server may. No websocket is served, so X182..X185 end here."""
    fields = (
        f"Upgrade: {protocol}",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
    )
    client = exchange(engine, request("/n33.bin", *fields) + request("/n1.bin"), "GET", "GET")
    assert [response.status for response in client.responses] == [200, 200]


def test_x187_state_changed_between_sending_and_retransmission(make_engine: Make) -> None:
    """A volatile generator gives another number in each run; a response that has begun ends with the same run."""
    for cut in (1, 40, 100, 105, 110):
        engine = make_engine()
        peer = Peer(engine)
        peer.handshake(mss=88)
        octets = get("/clock")
        peer.send("PA", seq=1, ack=1, payload=octets)
        first = b"".join(segment.payload for segment in peer.take_all())
        stream = bytearray(first[:cut])
        other = Peer(engine, port=50_000)
        other.handshake()
        other.send("PA", seq=1, ack=1, payload=octets)
        other.take_all()
        peer.send("A", seq=1 + len(octets), ack=1 + len(stream))
        drain(peer, stream, at=1 + len(octets))
        assert bytes(stream[: len(first)]) == first[: len(stream)]
        assert parsed(bytes(stream)).body.startswith(b"now 10000")
