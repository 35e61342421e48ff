# SPDX-License-Identifier: MIT
"""Measures the stack that an image uses while it answers: its port paints the stack, its emulator reads the paint."""

import contextlib
import http.client
import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from whit.errors import WhitError
from whit.image.build_result import BuildResult
from whit.machines import emulator
from whit.machines.free_port import free_port
from whit.machines.requests_of import Request, requests_of
from whit.machines.run_options import RunOptions

TIMEOUT_S = 30.0
AT_ONCE = 2  # clients


def live_stack(result: BuildResult) -> int:
    """Returns the bytes of stack that an image used: starts it on its emulator with empty persistent memory and asks
    for all that it has."""
    with tempfile.TemporaryDirectory() as data:
        application = str(result.application.directory)
        port = free_port()
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
        what = "it answered nothing" if found else "its emulator reports no stack_bytes"
        raise WhitError(
            f"{result.image.name}: the stack cannot be measured, {what}; ./whit run shows whether it serves", 1
        )
    return int(found[1])


def _ask(port: int, requests: list[Request]) -> int:
    """Returns the number of requests that were answered, with any status."""
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
