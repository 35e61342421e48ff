# SPDX-License-Identifier: MIT
"""Response heads, made of pieces that are never split (engine/tables.h)."""

import hashlib

from .model import Coding, Head

PIECES_MAX = 4
PIECE_MAX = 88
CONTENT_TYPE_MAX = PIECE_MAX - len("Content-Type: \r\n")


def static_head(content_type: str, length: int, coding: Coding, etag: int, vary: bool) -> Head:
    """Fields of a file, the empty line included."""
    content = [f"Content-Type: {content_type}", f"Content-Length: {length}"]
    if coding != Coding.IDENTITY:
        content.append(f"Content-Encoding: {coding}")
    validators = [f'ETag: "{etag:08x}"'] + ["Vary: Accept-Encoding"] * vary + ["Cache-Control: no-cache", ""]
    pieces = _pack([f"{line}\r\n" for line in content])
    return Head((*pieces, *_pack([f"{line}\r\n" for line in validators])), len(pieces))


def generated_head(content_type: str) -> Head:
    """Fields of a generator, up to the length or the transfer coding, which the engine knows. None goes into a 304."""
    lines = [f"Content-Type: {content_type}\r\n", "Cache-Control: no-store\r\n"]
    pieces = _pack(lines)
    return Head(tuple(pieces), len(pieces))


def stored_head(content_type: str) -> Head:
    """Fields of a content that is fixed at run time, up to its length and entity tag, which its version tells."""
    return Head((f"Content-Type: {content_type}\r\n".encode("ascii"), b"Cache-Control: no-cache\r\n"), 1)


def _pack(lines: list[str]) -> list[bytes]:
    """Whole lines, none longer than a piece, in as few pieces as their order allows."""
    pieces = [b""]
    for line in lines:
        octets = line.encode("ascii")
        if len(pieces[-1]) + len(octets) > PIECE_MAX:
            pieces.append(b"")
        pieces[-1] += octets
    return pieces


def etag_of(path: str, coding: Coding, body: bytes, taken: set[int]) -> int:
    """32 bits that change with the content, never 0 and never one of `taken`, the tags of the same URL."""
    digest = hashlib.sha256(f"{path}\0{coding}\0".encode() + body).digest()
    while (etag := int.from_bytes(digest[:4], "big")) == 0 or etag in taken:
        digest = hashlib.sha256(digest).digest()
    return etag
