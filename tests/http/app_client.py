# SPDX-License-Identifier: MIT
"""Asking the example applications."""

from tests.support import exchange
from whit.wire.http import Response, request
from whit.wire.units import MS
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment

BAD = Impairment(delay_us=10 * MS, loss=0.15, duplicate=0.2, reorder=0.2)
BOUNDARY = "-----------------------------28131"
MULTIPART = f"multipart/form-data; boundary={BOUNDARY}"


def post(engine: Engine, target: str, content_type: str, body: bytes) -> Response:
    fields = (f"Content-Type: {content_type}", f"Content-Length: {len(body)}")
    return exchange(engine, request(target, *fields, method="POST", body=body), "POST").responses[0]


def multipart(*parts: tuple[str, str, bytes]) -> bytes:
    """A form's body of files: name, media type and octets of each."""
    body = b""
    for name, kind, octets in parts:
        body += f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'.encode()
        body += f"Content-Type: {kind}\r\n\r\n".encode() + octets + b"\r\n"
    return body + f"--{BOUNDARY}--\r\n".encode()
