# SPDX-License-Identifier: MIT
"""HTTP/1.1 GET on a connection that the engine opened (RFC 9112): right and wrong answers."""

import random

import pytest

from tests.harness import engine_of, opened
from whit_testbed.engine import Engine

from .origins import APP, Asking, Origin

OK = b"HTTP/1.1 200 OK\r\n"


engine = engine_of(APP)


def asked(engine: Engine, target: str = "/http") -> tuple[Origin, Asking, bytes]:
    origin, asking = Origin(engine), Asking(engine, target)
    origin.accept()
    return origin, asking, origin.expect("PA", seq=1, ack=1).payload


def answer(
    engine: Engine, octets: bytes, *, end: str = "", pieces: int = 1460, target: str = "/http", within: int = 2100
) -> bytes:
    """Returns the page when the host answers `octets`, in segments of `pieces` octets, and then closes or resets with
    `end`."""
    origin, asking, request = asked(engine, target)
    ack = 1 + len(request)
    for at in range(0, len(octets), pieces):
        origin.send("PA", seq=1 + at, ack=ack, payload=octets[at : at + pieces])
        asking.body()
    if end:
        origin.send(end, seq=1 + len(octets), ack=ack)
    said = asking.body()
    if not said.endswith((b"|end", b"|failed")):
        said = asking.body(within)
    assert origin.queue or end
    return said


def test_what_is_asked(engine: Engine) -> None:
    _, _, request = asked(engine, "/http?target=/a/b%3Fc%3Dd&name=example.org")
    assert request == b"GET /a/b?c=d HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n"


def test_a_host_without_a_name(engine: Engine) -> None:
    _, _, request = asked(engine, "/http?name=-")
    assert b"\r\nHost: 10.0.0.10\r\n" in request


@pytest.mark.parametrize(
    "what", ["target=/a%0D%0AX:y", "target=/a%20b", "target=b", "name=a%0D%0Ab", "target=/%C3%A4", "target=/a%7Fb"]
)
def test_what_cannot_be_asked(engine: Engine, what: str) -> None:
    """The request is not sent: an argument in a target must not add a line."""
    origin = Origin(engine)
    asking = Asking(engine, f"/http?{what}")
    assert asking.body() == b"none"
    origin.expect_nothing(3000)


def test_a_request_that_is_too_long() -> None:
    with opened(APP, client__send=64) as engine:
        origin = Origin(engine)
        assert Asking(engine, f"/http?target=/{'a' * 40}").body() == b"none"
        origin.expect_nothing(3000)


RIGHT = {
    "length": (OK + b"Content-Length: 5\r\n\r\nhello", "", b"200|hello|end"),
    "length, blanks and case": (OK + b"cOntent-lengTH:\t 5 \t\r\n\r\nhello", "", b"200|hello|end"),
    "length twice": (OK + b"Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello", "", b"200|hello|end"),
    "length of nothing": (OK + b"Content-Length: 0\r\n\r\n", "", b"200||end"),
    "bare LF": (b"HTTP/1.1 200 OK\nContent-Length: 5\n\nhello", "", b"200|hello|end"),
    "no reason": (b"HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello", "", b"200|hello|end"),
    "1.0": (b"HTTP/1.0 200 OK\r\n\r\nhello", "FA", b"200|hello|end"),
    "until it closes": (OK + b"Content-Type: text/plain\r\n\r\nhello", "FA", b"200|hello|end"),
    "chunked": (
        OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n",
        "",
        b"200|hello world|end",
    ),
    "chunked, extensions, trailers": (
        OK + b"Transfer-Encoding: Chunked\r\n\r\n005;a=b\r\nhello\r\n0;x\r\nA: b\r\nC: d\r\n\r\n",
        "",
        b"200|hello|end",
    ),
    **{
        f"chunk sizes that end with {blanks!r}": (
            OK + b"Transfer-Encoding: chunked\r\n\r\n5%b\r\nhello\r\n00%b\r\n\r\n" % (blanks, blanks),
            "",
            b"200|hello|end",
        )
        for blanks in (b" ", b"   ", b"\t", b" \t ;a", b' ; a = "b c"', b";" + b"x" * 200)
    },
    "chunks that end with LF": (
        OK + b"Transfer-Encoding: chunked\n\n5 \nhello\n1\r\n!\r\n0\nA: b\n\n",
        "",
        b"200|hello!|end",
    ),
    "chunk sizes of letters": (
        OK + b"Transfer-Encoding: chunked\r\n\r\n0A\r\n0123456789\r\nb \r\n 0123456789\r\n0\r\n\r\n",
        "",
        b"200|0123456789 0123456789|end",
    ),
    "trailers": (
        OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nA:\r\n" + b"B: " + b"c" * 900 + b"\r\n\r\n",
        "",
        b"200|hello|end",
    ),
    "a folded line": (OK + b"X: y\r\n\t z\r\nContent-Length: 5\r\n\r\nhello", "", b"200|hello|end"),
    "chunked wins": (
        OK + b"Content-Length: 77\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        "",
        b"200|hello|end",
    ),
    "an early hint": (
        b"HTTP/1.1 103 Early\r\nLink: x\r\n\r\n" + OK + b"Content-Length: 2\r\n\r\nok",
        "",
        b"200|ok|end",
    ),
    "no content": (b"HTTP/1.1 204 None\r\nContent-Length: 7\r\n\r\n", "", b"204||end"),
    "not found": (b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno", "", b"404|no|end"),
    "long lines": (
        b"HTTP/1.1 200 " + b"y" * 300 + b"\r\nX-" + b"a" * 60 + b": " + b"b" * 500 + b"\r\nContent-Length: 2\r\n\r\nok",
        "",
        b"200|ok|end",
    ),
}


@pytest.mark.parametrize("pieces", [1460, 7, 1])
@pytest.mark.parametrize("what", RIGHT)
def test_right_answers(engine: Engine, what: str, pieces: int) -> None:
    octets, end, said = RIGHT[what]
    assert answer(engine, octets, end=end, pieces=pieces) == said


WRONG = {
    "not HTTP": b"SSH-2.0-x\r\n\r\n",
    "HTTP/2": b"HTTP/2 200 OK\r\n\r\n",
    "status 99": b"HTTP/1.1 099 OK\r\n\r\n",
    "status 600": b"HTTP/1.1 600 OK\r\n\r\n",
    "a wrong status before a right one": b"HTTP/1.1 099 OK\r\n" + OK + b"Content-Length: 2\r\n\r\nok",
    "status of letters": b"HTTP/1.1 2x0 OK\r\n\r\n",
    "status of four digits": b"HTTP/1.1 2000 OK\r\n\r\n",
    "two lengths": OK + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    "length of letters": OK + b"Content-Length: 5x\r\n\r\nhello",
    "negative length": OK + b"Content-Length: -5\r\n\r\nhello",
    "no number": OK + b"Content-Length:\r\n\r\nhello",
    "huge length": OK + b"Content-Length: 99999999999999999999\r\n\r\nhello",
    "length of 2^32": OK + b"Content-Length: 4294967301\r\n\r\nhello",
    "length on a long line": OK + b"Content-Length: " + b" " * 60 + b"5\r\n\r\nhello",
    "another coding": OK + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "no chunk size": OK + b"Transfer-Encoding: chunked\r\n\r\nhello\r\n",
    "huge chunk": OK + b"Transfer-Encoding: chunked\r\n\r\nfffffffff\r\nhello\r\n",
    "a chunk's end": OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\nhello\r\n0\r\n\r\n",
    **{
        f"chunk size {size!r}": OK + b"Transfer-Encoding: chunked\r\n\r\n" + size + b"\r\nhello\r\n0\r\n\r\n"
        for size in (b"", b" 5", b"5 5", b"5 x", b"5x", b"0x5", b"+5", b"-5", b"5\r", b"5;a\x01", b"5" + b" " * 1024)
    },
    **{
        f"trailer {line!r}": OK + b"Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n" + line + b"\r\n\r\n"
        for line in (b"no colon", b" A: b", b"A : b", b": b", b"A: \x01", b"A: " + b"b" * 1024)
    },
    "chunked twice": OK + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a blank before a colon": OK + b"Content-Length : 5\r\n\r\nhello",
    "a line without a colon": OK + b"X\r\nContent-Length: 5\r\n\r\nhello",
    "a line without a name": OK + b": X\r\nContent-Length: 5\r\n\r\nhello",
    "NUL in a line": OK + b"Content-Length: 5\r\nX: \0\r\n\r\nhello",
    "too much head, with early hints": (b"HTTP/1.1 103 Early\r\nTransfer-Encoding: chunked\r\n\r\n") * 200,
    "too much head": OK + b"X: yyyyyyyyyyyyyyyyyyyyyyyyy\r\n" * 400,
}


@pytest.mark.parametrize("what", WRONG)
def test_wrong_answers(engine: Engine, what: str) -> None:
    """The request fails as soon as the answer is wrong, without a further wait."""
    assert answer(engine, WRONG[what], pieces=700, within=0).endswith(b"|failed")


CUT = {
    "in the head": OK + b"Content-Le",
    "before the head": b"",
    "in the content": OK + b"Content-Length: 6\r\n\r\nhello",
    "in a chunk": OK + b"Transfer-Encoding: chunked\r\n\r\n6\r\nhello",
    "before the last chunk": OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
    "in the trailers": OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nA: b\r\n",
}


@pytest.mark.parametrize("end", ["FA", "RA", ""])
@pytest.mark.parametrize("what", CUT)
def test_answers_that_end_too_early(engine: Engine, what: str, end: str) -> None:
    assert answer(engine, CUT[what], end=end).endswith(b"|failed")


def test_reset_before_the_end_of_one_without_length(engine: Engine) -> None:
    assert answer(engine, OK + b"\r\nhello", end="RA") == b"200|hello|failed"


def test_a_host_that_says_an_octet_before_each_timeout(engine: Engine) -> None:
    """Eight time-outs for all of it."""
    origin, asking, request = asked(engine, "/http?timeout=500")
    begun = engine.now_ms
    for at in range(100):
        origin.send("PA", seq=1 + at, ack=1 + len(request), payload=(OK + b"X: " + b"y" * 100)[at : at + 1])
        if asking.body(300).endswith(b"|failed"):
            break
    assert 4000 <= engine.now_ms - begun <= 4700


def test_more_lines_of_chunks_than_a_head_may_have(engine: Engine) -> None:
    """Each line has a limit of its own: 3000 chunks have 18 000 octets of them."""
    octets = OK + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * 3000 + b"0\r\n\r\n"
    assert answer(engine, octets, pieces=600) == b"200|" + b"x" * 3000 + b"|end"


@pytest.mark.parametrize("part", [1, 13, 128])
def test_a_large_content_is_read_in_parts(part: int, seed: int) -> None:
    draw = random.Random(seed)
    content = draw.randbytes(6000)
    with opened(APP) as engine:
        head = OK + b"Content-Length: 6000\r\n\r\n"
        said = answer(engine, head + content, pieces=500, target=f"/http?part={part}")
    assert said == b"200|" + content + b"|end"
