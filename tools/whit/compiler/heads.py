# SPDX-License-Identifier: MIT
"""Response heads (engine/core/tables.h)."""

import hashlib
from dataclasses import dataclass, replace

from .device import Board
from .model import Coding, Head, Limits, Representation, Resource
from .sums import sum_of

PIECE_MAX = 88  # octets: engine/core/tables.h
CONTENT_TYPE_MAX = 72  # octets
SLOW_BAUD = 1_000_000  # 100 kB/s: there 49 octets of each response cost half a millisecond or more
REST_MAX_S = 120  # engine/core/limits.h, TIMEOUT_REST_S: longest idle time of a connection under TLS in its slot


@dataclass(frozen=True)
class KeepAlive:
    """The response's fields about a connection that stays open; seconds: 0 if it has none."""

    seconds: int

    @property
    def lines(self) -> str:
        """RFC 9110, 7.6.1: Connection names the field that is about it."""
        return f"Connection: keep-alive\r\nKeep-Alive: timeout={self.seconds}\r\n" if self.seconds else ""

    @property
    def sum(self) -> int:
        return sum_of(self.lines.encode())


def keep_alive(limits: Limits, board: Board, *, https: bool) -> KeepAlive:
    """Returns the fields about a connection that stays open; slow lines have none unless app.toml sets it."""
    slow = board.serial and board.baud <= SLOW_BAUD
    told = limits.idle > 0 and (not slow if limits.keep_alive is None else limits.keep_alive)
    return KeepAlive((min(limits.idle_timeout_s, REST_MAX_S) if https else limits.idle_timeout_s) if told else 0)


def static_head(content_type: str, length: int, coding: Coding, etag: int, vary: bool) -> Head:
    """Fields of a file, the empty line included."""
    content = [f"Content-Type: {content_type}", f"Content-Length: {length}"]
    if coding != Coding.IDENTITY:
        content.append(f"Content-Encoding: {coding}")
    validators = [f'ETag: "{etag:08x}"'] + ["Vary: Accept-Encoding"] * vary + ["Cache-Control: no-cache"]
    return Head(_lines(validators), _lines([*content, ""]))


def error_head(content_type: str, length: int, allow: str) -> Head:
    """Fields of a file that is the body of an error. No validators: it is not the representation that was asked for."""
    allowed = [f"Allow: {allow}"] if allow else []
    return Head(b"", _lines([*allowed, f"Content-Type: {content_type}", f"Content-Length: {length}", ""]))


def without_tags(resource: Resource) -> Resource:
    """Returns the resource without entity tags."""
    return replace(resource, representations=tuple(map(_without_tag, resource.representations)))


def _without_tag(representation: Representation) -> Representation:
    if not representation.etag:
        return representation
    validators = representation.head.validators.partition(b"\r\n")[2]
    return replace(representation, head=Head(validators, representation.head.content), etag=0)


def with_field(resource: Resource, line: str) -> Resource:
    """Returns the resource with another field line."""
    return replace(resource, representations=tuple(_with_field(one, line) for one in resource.representations))


def _with_field(representation: Representation, line: str) -> Representation:
    head = representation.head
    return replace(representation, head=Head(head.validators, _lines([line]) + head.content))


def generated_head(content_type: str) -> Head:
    """Fields of a generator, up to the length or the transfer coding, which the engine knows. None goes into a 304."""
    return Head(b"", _lines([f"Content-Type: {content_type}", "Cache-Control: no-store"]))


def stored_head(content_type: str) -> Head:
    """Returns the head of a stored content, up to its length and entity tag, which are known at run time."""
    return Head(_lines(["Cache-Control: no-cache"]), _lines([f"Content-Type: {content_type}"]))


def _lines(lines: list[str]) -> bytes:
    return "".join(f"{line}\r\n" for line in lines).encode("ascii")


def etag_of(path: str, coding: Coding, body: bytes, taken: set[int]) -> int:
    """32 bits that change with the content, never 0 and never one of `taken`, the tags of the same URL."""
    digest = hashlib.sha256(f"{path}\0{coding}\0".encode() + body).digest()
    while (etag := int.from_bytes(digest[:4], "big")) == 0 or etag in taken:
        digest = hashlib.sha256(digest).digest()
    return etag
