# SPDX-License-Identifier: MIT
"""Representations of a file: as it is, and those content codings that save octets on the wire."""

from functools import lru_cache

import brotli
import zopfli.gzip

from .heads import etag_of, static_head
from .model import Coding, Representation

# zopfli's time grows with length times iterations; beyond this length one iteration must do.
THOROUGH_MAX = 1 << 20

# One process compiles an application again and again, such as the tests or `--live`: so many coded files are kept.
CODED_MAX = 256


def representations(path: str, content_type: str, content: bytes) -> tuple[Representation, ...]:
    """Identity first, then gzip and br where each is shorter, head and all, than every one before it."""
    plain = _represent(path, content_type, Coding.IDENTITY, content, False, set())
    coded: list[Representation] = []
    best = plain.wire_len
    for coding, body in ((Coding.GZIP, gzip(content)), (Coding.BROTLI, brotli_of(content))):
        taken = {plain.etag} | {variant.etag for variant in coded}
        variant = _represent(path, content_type, coding, body, True, taken)
        if variant.wire_len < best:
            coded.append(variant)
            best = variant.wire_len
    if not coded:
        return (plain,)
    return (_represent(path, content_type, Coding.IDENTITY, content, True, set()), *coded)


@lru_cache(CODED_MAX)
def brotli_of(content: bytes) -> bytes:
    """RFC 7932."""
    return bytes(brotli.compress(content, quality=11))  # type: ignore[no-untyped-call]


@lru_cache(CODED_MAX)
def gzip(content: bytes) -> bytes:
    """RFC 1952, with MTIME 0: the same octets on every run."""
    iterations = 15 if len(content) <= THOROUGH_MAX else 1
    return bytes(zopfli.gzip.compress(content, numiterations=iterations))  # type: ignore[no-untyped-call]


def _represent(
    path: str, content_type: str, coding: Coding, body: bytes, vary: bool, taken: set[int]
) -> Representation:
    etag = etag_of(path, coding, body, taken)
    return Representation(coding, static_head(content_type, len(body), coding, etag, vary), body, etag)
