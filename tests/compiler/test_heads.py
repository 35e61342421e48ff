# SPDX-License-Identifier: MIT
"""Heads of responses: their field lines."""

import re

from hypothesis import given
from hypothesis import strategies as st

from whit.compiler.heads import CONTENT_TYPE_MAX, PIECE_MAX, etag_of, generated_head, static_head
from whit.compiler.model import Coding

CONTENT_TYPES = st.integers(3, CONTENT_TYPE_MAX).map(lambda length: "a/" + "b" * (length - 2))


@given(CONTENT_TYPES, st.integers(0, 2**32 - 1), st.sampled_from(Coding), st.integers(1, 2**32 - 1), st.booleans())
def test_static(content_type: str, length: int, coding: Coding, etag: int, vary: bool) -> None:
    head = static_head(content_type, length, coding, etag, vary)
    coding_line = [] if coding == Coding.IDENTITY else [f"Content-Encoding: {coding.value}"]
    content = [f"Content-Type: {content_type}", f"Content-Length: {length}", *coding_line, "", ""]
    assert head.content.decode().split("\r\n") == content
    assert len(head.validators) <= PIECE_MAX
    vary_line = ["Vary: Accept-Encoding"] if vary else []
    assert head.validators.decode().split("\r\n") == [f'ETag: "{etag:08x}"', *vary_line, "Cache-Control: no-cache", ""]
    assert head.octets == head.validators + head.content


@given(CONTENT_TYPES)
def test_generated(content_type: str) -> None:
    head = generated_head(content_type)
    assert head.octets.decode() == f"Content-Type: {content_type}\r\nCache-Control: no-store\r\n"


@given(st.text(max_size=10), st.binary(max_size=100))
def test_entity_tags(path: str, body: bytes) -> None:
    first = etag_of(path, Coding.IDENTITY, body, set())
    assert 0 < first < 2**32
    assert etag_of(path, Coding.IDENTITY, body, set()) == first
    assert etag_of(path, Coding.IDENTITY, body, {first}) not in (0, first)
    assert re.fullmatch(r"[0-9a-f]{8}", f"{first:08x}")
    assert etag_of(path, Coding.IDENTITY, body + b"x", set()) != first
