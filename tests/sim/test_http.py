# SPDX-License-Identifier: MIT
"""Responses are read as RFC 9112 has them, wherever the stream is cut."""

import pytest

from whit.wire.http import BadResponse, parse_response

HEAD = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
WHOLE = HEAD + b"005\r\nhello\r\n00A\r\n, world\r\n!\r\n0\r\n\r\n"


def test_chunks_are_joined_and_what_follows_is_left() -> None:
    response = parse_response(WHOLE + b"HTTP/1.1 404")
    assert response is not None
    assert (response.body, response.raw) == (b"hello, world\r\n!", WHOLE)


@pytest.mark.parametrize("length", range(len(WHOLE)))
def test_cut_anywhere_it_is_incomplete(length: int) -> None:
    assert parse_response(WHOLE[:length]) is None
    with pytest.raises(BadResponse):
        parse_response(WHOLE[:length], closed=True)


@pytest.mark.parametrize(
    "octets",
    [
        HEAD + b"5 \r\nhello\r\n0\r\n\r\n",
        HEAD + b"\r\n",
        HEAD + b"-1\r\n",
        HEAD + b"4\r\nhello\r\n0\r\n\r\n",
        HEAD + b"6\r\nhello\r\n0\r\n\r\n",
        HEAD + b"0\r\nX: y\r\n\r\n",
        HEAD + b"0000000000000000000000",
        HEAD.replace(b"1.1", b"1.0") + b"0\r\n\r\n",
        HEAD.replace(b"\r\n\r\n", b"\r\nContent-Length: 5\r\n\r\n") + b"0\r\n\r\n",
        HEAD.replace(b"chunked", b"gzip") + b"0\r\n\r\n",
    ],
)
def test_wrong_chunks(octets: bytes) -> None:
    with pytest.raises(BadResponse):
        parse_response(octets)


def test_a_head_alone_has_no_chunks() -> None:
    response = parse_response(HEAD + b"HTTP/1.1", "HEAD")
    assert response is not None
    assert (response.body, response.raw) == (b"", HEAD)
