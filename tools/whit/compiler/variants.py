# SPDX-License-Identifier: MIT
"""Representations of a file: unchanged, and in each content coding that saves octets on the wire."""

from .coder import Coder
from .heads import etag_of, static_head
from .model import Coding, Representation


def representations(
    path: str, content_type: str, content: bytes, coder: Coder | None = None
) -> tuple[Representation, ...]:
    """Identity first, then gzip and br where each is shorter, head and all, than every one before it."""
    plain = _represent(path, content_type, Coding.IDENTITY, content, False, set())
    coded: list[Representation] = []
    best = plain.wire_len
    bodies = (coder or Coder()).both(path, content)
    for coding, body in zip((Coding.GZIP, Coding.BROTLI), bodies, strict=True):
        taken = {plain.etag} | {variant.etag for variant in coded}
        variant = _represent(path, content_type, coding, body, True, taken)
        if variant.wire_len < best:
            coded.append(variant)
            best = variant.wire_len
    if not coded:
        return (plain,)
    return (_represent(path, content_type, Coding.IDENTITY, content, True, set()), *coded)


def _represent(
    path: str, content_type: str, coding: Coding, body: bytes, vary: bool, taken: set[int]
) -> Representation:
    etag = etag_of(path, coding, body, taken)
    return Representation(coding, static_head(content_type, len(body), coding, etag, vary), body, etag)
