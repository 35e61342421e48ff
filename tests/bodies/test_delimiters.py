# SPDX-License-Identifier: MIT
"""Delimiters and heads of parts that are almost right; a body as long as a length of 16 bits."""

import pytest

from tests.bodies.support import (
    BOUNDARY,
    MULTIPART,
    OCTETS,
    ask,
    body_of,
    digest,
    multipart,
    noise,
    pieces,
    posted,
    told,
)
from tests.harness import Make
from whit_testbed.engine import Engine

STREAM = b"application/octet-stream"
DASHES = b"--" + BOUNDARY
HEAD = b'\r\nContent-Disposition: form-data; name="f"; filename="one"\r\nContent-Type: application/octet-stream\r\n\r\n'


INNER = [b"--", b"\r\n--", b"\r\n--\r\n", b"\r\n---", b"\r\n--" + BOUNDARY[:-1] + b"--", b"--\r\n"]


@pytest.mark.parametrize("inner", INNER)
def test_two_dashes_without_a_boundary_are_content(bodies: Engine, inner: bytes) -> None:
    """Two dashes end neither the body nor the part: they are content."""
    content = b"before" + inner + b"after"
    body = multipart((b"a", STREAM, content), (b"b", STREAM, inner))
    expected = told((b"a", STREAM, content), (b"b", STREAM, inner))
    assert body_of(bodies, posted("/upload", body, MULTIPART)) == expected
    for cut in range(len(body) - 60, len(body)):
        octets = posted("/upload", body, MULTIPART)
        assert expected in pieces(bodies, octets, [len(octets) - len(body) + cut], port=41000 + cut)


@pytest.mark.parametrize("body", [b"--", b"--\r\n", b"\r\n--", b"--\r\n" + HEAD + b"abc\r\n--", b"----"])
def test_a_body_of_dashes_alone_is_no_form(bodies: Engine, body: bytes) -> None:
    assert ask(bodies, posted("/upload", body, MULTIPART)).status == 400
    assert body_of(bodies, posted("/upload", b"x", OCTETS)) == told((b"", STREAM, b"x"))


@pytest.mark.parametrize("quoted", ['"a\\', '"a\\"', '"\\', '"a\\\\', '"a\\";x=y', '"'])
def test_a_quoted_boundary_that_a_backslash_keeps_open(bodies: Engine, quoted: str) -> None:
    """RFC 9110 section 5.6.4: a backslash quotes the next octet, so that the string has no end."""
    field = f"Content-Type: multipart/form-data; boundary={quoted}"
    response = ask(bodies, posted("/upload", multipart((b"a", STREAM, b"x"), boundary=b"a"), field))
    assert (response.status, response.field("connection")) == (400, "close")


@pytest.mark.parametrize("second", [b"", b"Content-Type: application/octet-stream\r\n", b"X: y\r\n"])
def test_a_part_without_disposition_after_one_with(bodies: Engine, second: bytes) -> None:
    """The file name of a part is not that of the next."""
    body = DASHES + HEAD + b"abc\r\n" + DASHES + b"\r\n" + second + b"\r\ndefg\r\n" + DASHES + b"--\r\n"
    response = ask(bodies, posted("/upload", body, MULTIPART))
    if response.status == 200:
        lines = response.body.split(b"\n")
        assert lines[1].startswith(b"0 0 one 3 ")
        assert lines[2].split() == [b"1", lines[2].split()[1], b"4", b"%d" % digest(b"defg")]  # no name
    else:
        assert response.status == 400
    assert b"one 4" not in response.body


@pytest.mark.parametrize("length", [65534, 65535])
def test_a_body_as_long_as_16_bits_can_say(make: Make, length: int) -> None:
    engine = make(body_max=70000)
    content = noise(length)
    assert body_of(engine, posted("/upload", content, OCTETS)) == told((b"", STREAM, content))
    assert body_of(engine, posted("/upload", b"x", OCTETS)) == told((b"", STREAM, b"x"))


@pytest.mark.parametrize(("length", "status"), [(65535, 200), (65536, 413)])
def test_a_limit_of_16_bits(make: Make, length: int, status: int) -> None:
    engine = make(body_max=65535)
    assert ask(engine, posted("/upload", b"x" * length, OCTETS)).status == status


@pytest.mark.parametrize("padding", [b" ", b"\t", b" \t  "])
def test_white_space_after_a_delimiter(bodies: Engine, padding: bytes) -> None:
    """RFC 2046 section 5.1.1: transport-padding, which no client sends, is accepted. Other octets are malformed."""
    body = DASHES + padding + HEAD + b"abc\r\n" + DASHES + b"--\r\n"
    plain = DASHES + HEAD + b"abc\r\n" + DASHES + b"--\r\n"
    assert body_of(bodies, posted("/upload", body, MULTIPART)) == body_of(bodies, posted("/upload", plain, MULTIPART))
    assert ask(bodies, posted("/upload", DASHES + padding + b"x" + HEAD + b"abc", MULTIPART)).status == 400
