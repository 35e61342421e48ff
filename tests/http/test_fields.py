# SPDX-License-Identifier: MIT
"""Field lines: strictness, bodies, conditions and content codings."""

import gzip
from collections.abc import Callable

import brotli
import pytest

from tests.harness import Make, ask
from tests.support import MADE_FILES, exchange
from whit.wire.http import request
from whit_testbed.engine import Engine


@pytest.mark.parametrize(
    "line",
    [
        "no colon",
        ": no name",
        "Na me: x",
        "Name : x",
        "Name\t: x",
        "Na\x00me: x",
        "Na(me: x",
        'Na"me: x',
        "Na/me: x",
        "N\xe9me: x",
        " folded",
        "\tfolded",
        "X: a\r\n b",
        "X: a\x00b",
        "X: a\rb",
        "X: a\x01b",
        "X: a\x7fb",
        "Host\x0b: x",
        *(f"X: a{chr(octet)}b" for octet in range(1, 32) if octet != 9),
        *(f"Na{chr(octet)}me: x" for octet in range(1, 32)),
        *(f"Na{chr(octet)}me: x" for octet in range(0x80, 0x100, 5)),
        *(f"Content-Length: {chr(octet)}" for octet in range(1, 32)),
        "{a}: x",
    ],
)
def test_malformed_field_lines(engine: Engine, line: str) -> None:
    client = exchange(engine, request("/n1.bin", line))
    assert [response.status for response in client.responses] == [400]
    client.connection.loop.run(lambda: client.connection.peer_closed, for_us=10_000_000)


@pytest.mark.parametrize("line", ["X:", "X: ", "X:\ty\t", "X: caf\xe9", "x!#$%&'*+-.^_`|~0: y", 'X: :,;"()<>@{}[]'])
def test_well_formed_field_lines(engine: Engine, line: str) -> None:
    assert ask(engine, request("/n1.bin", line)).status == 200


@pytest.mark.parametrize(
    "octets",
    [b"GET ", b"HTTP/1.1", b"\r\nHost:", b"Content-Length:", b"Transfer-Encoding:", b"chunked", b"\r\n\r\n"],
)
@pytest.mark.parametrize("bent", [lambda octet: octet | 0x80, lambda octet: octet & 7], ids=["high", "low"])
def test_no_octet_is_taken_for_another(engine: Engine, octets: bytes, bent: Callable[[int], int]) -> None:
    """Each octet of the grammar's words replaced by its namesake above 0x7f, or by a control character."""
    whole = b"GET /n1.bin HTTP/1.1\r\nHost: w\r\nContent-Length: 0\r\n\r\n"
    if octets not in whole:
        whole = b"GET /n1.bin HTTP/1.1\r\nHost: w\r\nTransfer-Encoding: chunked\r\n\r\n"
    start = whole.index(octets)
    for at in range(start, start + len(octets)):
        bad = whole[:at] + bytes([bent(whole[at])]) + whole[at + 1 :]
        assert ask(engine, bad).status in (400, 501), bad


def test_names_and_tokens_have_no_case(engine: Engine) -> None:
    octets = b"GET /n1.bin HTTP/1.1\r\nhOsT:w\r\nCONNECTION:\tCLOSE \r\n\r\n"
    assert ask(engine, octets).field("connection") == "close"


@pytest.mark.parametrize(
    "octets",
    [
        b"GET /n1.bin HTTP/1.1\nHost: w\r\n\r\n",
        b"GET /n1.bin HTTP/1.1\r\nHost: w\n\r\n",
        b"GET /n1.bin HTTP/1.1\r\nHost: w\r\n\n",
        b"\nGET /n1.bin HTTP/1.1\r\nHost: w\r\n\r\n",
        b"GET /n1.bin HTTP/1.1\r\r\nHost: w\r\n\r\n",
        b"GET /n1.bin HTTP/1.1\r\n Host: w\r\n\r\n",
        b"GET /n1.bin HTTP/1.1\r\nHost: w\r\n\rX",
    ],
)
def test_bare_line_ends(engine: Engine, octets: bytes) -> None:
    assert ask(engine, octets).status == 400


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        (("Content-Length: 5", "Content-Length: 6"), 400),
        (("Content-Length: 5", "Content-Length: 5"), 400),
        (("Content-Length: 5, 6",), 400),
        (("Content-Length: -5",), 400),
        (("Content-Length: +5",), 400),
        (("Content-Length: 0x5",), 400),
        (("Content-Length: 5 5",), 400),
        (("Content-Length: 5a",), 400),
        (("Content-Length:",), 400),
        (("Content-Length: ",), 400),
        (("Content-Length: 4294967301",), 413),
        (("Content-Length: 18446744073709551621",), 413),
        (("Content-Length: 99999999999999999999999",), 413),
        (("Transfer-Encoding: chunked", "Content-Length: 5"), 400),
        (("Content-Length: 5", "Transfer-Encoding: chunked"), 400),
        (("Transfer-Encoding: chunked, chunked",), 400),
        (("Transfer-Encoding: chunked", "Transfer-Encoding: chunked"), 400),
        (("Transfer-Encoding: snappy",), 501),
        (("Transfer-Encoding: chunked, identity",), 501),
        (("Transfer-Encoding: xchunked",), 501),
        (("Transfer-Encoding: chunkedx",), 501),
        (("Transfer-Encoding : chunked",), 400),
    ],
)
def test_bad_framing(engine: Engine, fields: tuple[str, ...], status: int) -> None:
    client = exchange(engine, request("/n1.bin", *fields))
    assert [response.status for response in client.responses] == [status]
    client.connection.loop.run(lambda: client.connection.peer_closed, for_us=10_000_000)


def test_transfer_coding_in_http_1_0(engine: Engine) -> None:
    assert ask(engine, request("/n1.bin", "Transfer-Encoding: chunked", version="1.0")).status == 400


@pytest.mark.parametrize("length", ["0", "00", "000000000000000000000000"])
def test_no_body(engine: Engine, length: str) -> None:
    client = exchange(engine, request("/n1.bin", f"Content-Length: {length}") + request("/n31.bin"), "GET", "GET")
    assert [response.body for response in client.responses] == [MADE_FILES["n1.bin"], MADE_FILES["n31.bin"]]


@pytest.mark.parametrize("field", ["Content-Length: {}", "Content-Length: 000{}"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_body_is_never_a_request(engine: Engine, field: str, method: str) -> None:
    smuggled = request("/count")
    client = exchange(engine, request("/n1.bin", field.format(len(smuggled)), method=method, body=smuggled), method)
    assert [response.status for response in client.responses] == [200 if method == "GET" else 501]
    client.connection.loop.run(lambda: client.connection.peer_closed, for_us=10_000_000)
    assert client.leftover == b""
    assert engine.persistent(4) == bytes(4)


def test_chunked_body_is_never_a_request(engine: Engine) -> None:
    body = b"%x\r\n" % len(request("/count")) + request("/count") + b"\r\n0\r\n\r\n"
    client = exchange(engine, request("/n1.bin", "Transfer-Encoding: chunked", method="POST", body=body), "POST")
    client.connection.loop.run(lambda: client.connection.peer_closed, for_us=10_000_000)
    assert client.responses[0].status == 501
    assert engine.persistent(4) == bytes(4)


def test_expect_continue(engine: Engine) -> None:
    for value in ("100-continue", "200-maybe"):  # RFC 9110 section 10.1.1: a GET may ignore it
        assert ask(engine, request("/n1.bin", f"Expect: {value}")).status == 200


# ---------------------------------------------------------------- conditions (RFC 9110 section 13)


def etag(engine: Engine, target: str, *fields: str) -> str:
    value = ask(engine, request(target, *fields)).field("etag")
    assert value is not None
    assert value[0] == value[-1] == '"'
    return value


def test_if_none_match(engine: Engine) -> None:
    tag = etag(engine, "/n752.bin")
    for value in (tag, f"W/{tag}", "*", f'"other", {tag}', f'{tag} , "other"', f'"", W/"x",{tag}'):
        response = ask(engine, request("/n752.bin", f"If-None-Match: {value}"))
        assert (response.status, response.body) == (304, b""), value
        assert response.field("etag") == tag
    wrong = '"' + ("0" if tag[1] != "0" else "1") + tag[2:]
    for value in (
        wrong,
        tag[1:-1],
        tag[:-1],
        tag[:-2] + '"',
        tag[:-1] + '0"',
        tag.upper() if tag.upper() != tag else '"x"',
        '""',
        "",
    ):
        assert ask(engine, request("/n752.bin", f"If-None-Match: {value}")).status == 200, value


def test_files_without_entity_tags(make_engine: Make) -> None:
    engine = make_engine(entity_tags=False)
    response = ask(engine, request("/prose.txt", 'If-None-Match: "0798d8d3"', 'If-Match: "x"', "Accept-Encoding: gzip"))
    assert (response.status, response.field("etag")) == (200, None)
    assert response.field("vary") == "Accept-Encoding"
    assert gzip.decompress(response.body) == MADE_FILES["prose.txt"]
    client = exchange(
        engine, request("/n752.bin", "If-None-Match: *", method="HEAD") + request("/n31.bin"), "HEAD", "GET"
    )
    assert [ask.body for ask in client.responses] == [b"", MADE_FILES["n31.bin"]]


def test_304_keeps_the_connection_in_step(engine: Engine) -> None:
    tag = etag(engine, "/n752.bin")
    twice = request("/n752.bin", f"If-None-Match: {tag}") + request("/n31.bin")
    client = exchange(engine, twice, "GET", "GET")
    assert [response.status for response in client.responses] == [304, 200]
    head = exchange(
        engine, request("/n752.bin", f"If-None-Match: {tag}", method="HEAD") + request("/n31.bin"), "HEAD", "GET"
    )
    assert [response.status for response in head.responses] == [304, 200]


def test_if_match(engine: Engine) -> None:
    tag = etag(engine, "/n752.bin")
    for value, status in ((tag, 200), ("*", 200), (f'"x", {tag}', 200), ('"other"', 412), (f"W/{tag}", 412), ("", 412)):
        assert ask(engine, request("/n752.bin", f"If-Match: {value}")).status == status, value


def test_dates_are_ignored_and_tags_win(engine: Engine) -> None:
    for date in ("Thu, 01 Jan 1970 00:00:00 GMT", "never", "Sun, 06 Nov 2094 08:49:37 GMT"):
        assert ask(engine, request("/n752.bin", f"If-Modified-Since: {date}")).status == 200
    assert (
        ask(
            engine, request("/n752.bin", 'If-None-Match: "x"', "If-Modified-Since: Sun, 06 Nov 2094 08:49:37 GMT")
        ).status
        == 200
    )


def test_ranges_are_ignored(engine: Engine) -> None:
    for value in (
        "bytes=0-0",
        "bytes=-1",
        "bytes=5-",
        "bytes=9999999-",
        "junk",
        "bytes=" + ",".join("0-1" for _ in range(1300)),
    ):
        response = ask(engine, request("/n752.bin", f"Range: {value}"))
        assert (response.status, response.body) == (200, MADE_FILES["n752.bin"])


# ---------------------------------------------------------------- content codings (RFC 9110 section 12.5.3)

DECODE = {None: bytes, "gzip": gzip.decompress, "br": brotli.decompress}


@pytest.mark.parametrize(
    ("accept", "coding"),
    [
        (None, None),
        ("", None),
        ("identity", None),
        ("gzip", "gzip"),
        ("x-gzip", "gzip"),
        ("br", "br"),
        ("gzip, br", "br"),
        ("GZIP", "gzip"),
        ("gzip;q=0", None),
        ("br;q=0, gzip", "gzip"),
        ("gzip;q=0.0, br;q=0.000", None),
        ("gzip ; q=0.5", "gzip"),
        ("gzip;q=1.000", "gzip"),
        ("identity;q=0.2, gzip;q=0.5", "gzip"),
        ("deflate", None),
        ("deflate, gzip;q=1.0, *;q=0.5", "gzip"),
        ("gzi", None),
        ("gzipp", None),
        ("brx, gzip", "gzip"),
        ("\tgzip\t,", "gzip"),
        ("gzip;q=0.001", "gzip"),
    ],
)
def test_accept_encoding(engine: Engine, accept: str | None, coding: str | None) -> None:
    response = ask(engine, request("/prose.txt", *([] if accept is None else [f"Accept-Encoding: {accept}"])))
    assert response.field("content-encoding") == coding
    assert DECODE[coding](response.body) == MADE_FILES["prose.txt"]
    assert response.field("vary") == "Accept-Encoding"


def test_quality_chooses_between_codings(engine: Engine) -> None:
    """RFC 9110 section 12.5.3: a preference, so the order of the two is the server's only where they are equal."""
    response = ask(engine, request("/prose.txt", "Accept-Encoding: br;q=0.1, gzip;q=0.9"))
    assert response.field("content-encoding") in ("gzip", "br")
    assert DECODE[response.field("content-encoding")](response.body) == MADE_FILES["prose.txt"]


def test_each_coding_has_its_own_entity_tag(engine: Engine) -> None:
    tags = {coding: etag(engine, "/prose.txt", f"Accept-Encoding: {coding}") for coding in ("identity", "gzip", "br")}
    assert len(set(tags.values())) == 3
    for asked in tags:
        for known, tag in tags.items():
            response = ask(engine, request("/prose.txt", f"Accept-Encoding: {asked}", f"If-None-Match: {tag}"))
            assert response.status == (304 if asked == known else 200), (asked, known)
            assert response.field("vary") == "Accept-Encoding"


def test_what_cannot_be_made_shorter_has_no_coding(engine: Engine) -> None:
    response = ask(engine, request("/n752.bin", "Accept-Encoding: br, gzip"))
    assert response.field("content-encoding") is None
    assert response.body == MADE_FILES["n752.bin"]


def test_browser_fields_of_900_octets(make_engine: Make) -> None:
    fields = [
        "User-Agent: Mozilla/5.0 " + "x" * 400,
        "Accept: text/html,*/*;q=0.8",
        "Accept-Encoding: gzip, deflate, br",
        "Accept-Language: de,en-US;q=0.7,en;q=0.3",
        "Cookie: " + "c" * 300,
        "Upgrade-Insecure-Requests: 1",
        "DNT: 1",
    ]
    for link in ("ethernet", "slip"):
        assert ask(make_engine(link=link, buffer=64), request("/prose.txt", *fields)).status == 200
