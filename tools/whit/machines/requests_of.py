# SPDX-License-Identifier: MIT
"""Lists the requests that a resource answers."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlencode

from whit.compiler.model import STR, Argument, Resource

CODINGS = "gzip;q=0.8, br, identity;q=0.5"


@dataclass(frozen=True)
class Request:
    """A request. fields: header fields by name. body: None if it has no body."""

    method: str
    target: str
    fields: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None


def requests_of(resource: Resource) -> Iterator[Request]:
    """All that a client may do with it: whole, coded, conditional, its head, its arguments, a body."""
    url, generator = resource.urls[-1], resource.generator
    arguments = generator.arguments if generator else ()
    query = urlencode({argument.name: _value(argument) for argument in arguments})
    if generator is None or generator.get is not None:
        target = f"{url}?{query}" if query else url
        etag = f'"{resource.representations[0].etag:08x}"'
        yield Request("GET", target)
        yield Request("GET", target, {"Accept-Encoding": CODINGS, "If-None-Match": f'"0", {etag}'})
        yield Request("HEAD", target, {"Accept-Encoding": CODINGS})
        if query:
            yield Request("GET", url)
    if generator is not None and generator.form is not None:
        yield Request("POST", url, {"Content-Type": "application/x-www-form-urlencoded"}, query.encode())
    if generator is not None and generator.parts is not None:
        content_type = generator.parts.types[0] if generator.parts.types else "application/octet-stream"
        yield Request("POST", url, {"Content-Type": content_type}, bytes(256))
        part = (
            b'--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\nContent-Type: %b\r\n\r\n%b\r\n--b--\r\n'
        )
        body = part % (content_type.encode(), bytes(256))
        yield Request("POST", url, {"Content-Type": "multipart/form-data; boundary=b"}, body)


def _value(argument: Argument) -> str:
    if argument.words:
        return argument.words[0]
    return "a" * (argument.size - 1) if argument.type == STR else "1"
