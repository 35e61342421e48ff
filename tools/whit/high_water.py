# SPDX-License-Identifier: MIT
"""The most that an image used of its stack while it answered: its port paints the stack, its emulator looks at that."""

import contextlib
import http.client
import re
import socket
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from whit import emulator
from whit.build_result import BuildResult
from whit.compiler.model import STR, Argument, Resource
from whit.errors import WhitError
from whit.run_options import RunOptions

TIMEOUT_S = 30.0
AT_ONCE = 2  # clients
CODINGS = "gzip;q=0.8, br, identity;q=0.5"


@dataclass(frozen=True)
class Request:
    method: str
    target: str
    fields: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None


def measured_stack(result: BuildResult) -> int:
    """Starts the image, asks for all that it has, and looks. Octets. Its persistent memory is empty, and forgotten."""
    with tempfile.TemporaryDirectory() as data:
        application = str(result.application.directory)
        port = _free_port()
        options = RunOptions(application, port=port, data=Path(data), target=result.target, counters=True)
        server = emulator.start(options, result)
        try:
            requests = [request for resource in result.application.resources for request in requests_of(resource)]
            with ThreadPoolExecutor(AT_ONCE) as clients:
                answered = sum(clients.map(lambda _: _ask(port, requests), range(AT_ONCE)))
        finally:
            said = server.end()
    found = re.search(r"^stack_bytes (\d+)$", said, re.MULTILINE)
    if found is None or not answered:
        what = "it answered nothing" if found else "its emulator tells no stack_bytes"
        raise WhitError(
            f"{result.image.name}: the stack cannot be measured, {what}; ./whit run shows whether it serves", 1
        )
    return int(found[1])


def _ask(port: int, requests: list[Request]) -> int:
    """How many were answered, whatever the status."""
    answered = 0
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_S)
    for request in requests:
        with contextlib.suppress(OSError, http.client.HTTPException):
            connection.request(request.method, request.target, request.body, request.fields)
            connection.getresponse().read()
            answered += 1
            continue
        connection.close()
    connection.close()
    return answered


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


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
