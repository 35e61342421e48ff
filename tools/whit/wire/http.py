# SPDX-License-Identifier: MIT
"""Writes requests and reads responses of HTTP/1.1 (RFC 9112)."""

from __future__ import annotations

from dataclasses import dataclass

NO_CONTENT = (204, 304)
LAST_CHUNK = b"0\r\n\r\n"  # trailers are not expected


@dataclass(frozen=True)
class Response:
    status: int
    reason: str
    version: str
    fields: tuple[tuple[str, str], ...]  # names in lower case
    body: bytes
    raw: bytes

    def field(self, name: str) -> str | None:
        """Returns the value of a field that occurs at most once."""
        values = [value for key, value in self.fields if key == name.lower()]
        if len(values) > 1:
            raise ValueError(f"{len(values)} fields {name}")
        return values[0] if values else None


class BadResponse(AssertionError):
    """The octets are not an HTTP/1.1 response."""


class Cut(BadResponse):
    """The stream ends before the response does."""


def request(
    target: str | bytes,
    *fields: str,
    method: str = "GET",
    host: str | None = "whit",
    version: str = "1.1",
    body: bytes = b"",
) -> bytes:
    """A request's octets. `fields` are whole lines without CRLF."""
    octets = target if isinstance(target, bytes) else target.encode("latin-1")
    lines = [method.encode() + b" " + octets + b" HTTP/" + version.encode()]
    lines += [b"Host: " + host.encode()] if host is not None else []
    lines += [line.encode("latin-1") for line in fields]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def parse_response(octets: bytes, method: str = "GET", *, closed: bool = False) -> Response | None:
    """The response at the beginning of `octets`, or None while it is incomplete. `closed`: nothing more follows."""
    end = octets.find(b"\r\n\r\n")
    if end < 0:
        if closed:
            raise Cut(f"the stream ends in a head: {octets[:200]!r}")
        return None
    status_line, *lines = octets[:end].decode("latin-1").split("\r\n")
    version, _, rest = status_line.partition(" ")
    status, space, reason = rest.partition(" ")
    if version not in ("HTTP/1.0", "HTTP/1.1") or len(status) != 3 or not status.isdigit() or not space:
        raise BadResponse(f"status line {status_line!r}")
    fields = []
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not name or any(c in ' \t"(),/:;<=>?@[\\]{}' for c in name) or "\n" in line or "\r" in line:
            raise BadResponse(f"field line {line!r}")
        fields.append((name.lower(), value.strip(" \t")))
    lengths = [value for name, value in fields if name == "content-length"]
    codings = [value.lower() for name, value in fields if name == "transfer-encoding"]
    begin = end + 4
    if codings and (codings != ["chunked"] or lengths or version == "HTTP/1.0"):
        raise BadResponse(f"{version} with Transfer-Encoding {codings}, Content-Length {lengths}")
    if method == "HEAD" or int(status) in NO_CONTENT or status[0] == "1":
        length = 0
    elif codings:
        content = parse_chunked(octets, begin)
        if content is None:
            if closed:
                raise Cut(f"the stream ends in a chunk, behind {len(octets) - begin} bytes")
            return None
        body, behind = content
        return Response(int(status), reason, version, tuple(fields), body, octets[:behind])
    elif lengths:
        if len(set(lengths)) > 1 or not lengths[0].isdigit():
            raise BadResponse(f"Content-Length {lengths}")
        length = int(lengths[0])
    elif closed:
        length = len(octets) - begin
    else:
        return None
    if len(octets) < begin + length:
        if closed:
            raise Cut(f"{len(octets) - begin} bytes of content, Content-Length says {length}")
        return None
    raw = octets[: begin + length]
    return Response(int(status), reason, version, tuple(fields), raw[begin:], raw)


def is_chunked(octets: bytes) -> bool:
    """True if the head is complete and declares chunked coding."""
    head, end, _ = octets.partition(b"\r\n\r\n")
    return bool(end) and b"\r\ntransfer-encoding: chunked" in head.lower()


def parse_chunked(octets: bytes, at: int) -> tuple[bytes, int] | None:
    """The content that is chunked from `at` on, and where it ends; None while it is incomplete (RFC 9112, 7.1)."""
    body = b""
    while (line_end := octets.find(b"\r\n", at)) >= 0:
        size = octets[at:line_end]
        if not size or len(size) > 8 or any(digit not in b"0123456789abcdefABCDEF" for digit in size):
            raise BadResponse(f"chunk size {size[:40]!r} behind {len(body)} bytes of content")
        at = line_end + 2
        end = at + int(size, 16)
        if octets[end : end + 2] != b"\r\n"[: max(0, len(octets) - end)]:
            raise BadResponse(f"{octets[end : end + 2]!r} behind a chunk of {size!r}, expected CR LF")
        if len(octets) < end + 2:
            return None
        body += octets[at:end]
        if end == at:
            return body, end + 2
        at = end + 2
    if len(octets) > at + 8:
        raise BadResponse(f"chunk size {octets[at : at + 40]!r}")
    return None
