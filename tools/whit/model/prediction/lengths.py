# SPDX-License-Identifier: MIT
"""Lengths of responses in bytes: those of files are known, generators are asked in a program for Linux."""

from __future__ import annotations

import contextlib
import socket
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from whit.compiler.heads import keep_alive
from whit.compiler.model import STATUS_LINE, Application, Coding, Representation, Resource
from whit.image.build import build
from whit.machines.free_port import free_port
from whit.machines.run_options import RunOptions
from whit.machines.start import start
from whit.model.prediction.page import Load
from whit.wire.http import BadResponse, Response, parse_response, request

CODINGS = (Coding.IDENTITY, Coding.GZIP)  # that a browser accepts without encryption
EMPTY_LINE = 2
HEAD_END = b"\r\n\r\n"
PATIENCE_S = 5.0  # for a response; a stream of events never ends
ETAG_LINE = len('If-None-Match: "01234567"\r\n')


@dataclass(frozen=True)
class Length:
    """Octets of a response: head and content. again: for a browser that has the resource; again_request: additional
    octets of such a request."""

    head: int
    content: int
    again: tuple[int, int]
    again_request: int = 0


def kept_len(application: Application) -> int:
    """Returns the octets of each response that state how long its connection stays open."""
    https = application.https is not None
    return len(keep_alive(application.limits, application.board, https=https).lines)


def file_length(resource: Resource, kept: int) -> Length:
    """A browser gets the shortest representation that it takes. kept: kept_len()."""
    taken = [one for one in resource.representations if one.coding in CODINGS]
    best: Representation = min(taken, key=lambda one: one.wire_len)
    head, content = best.head_len + kept, len(best.body)
    if not best.etag:
        return Length(head, content, (head, content))
    again = len(STATUS_LINE) + len(best.head.validators) + EMPTY_LINE + kept
    return Length(head, content, (again, 0), ETAG_LINE)


def generated_lengths(
    application: Application, targets: Sequence[str], overrides: Mapping[str, object] | None = None
) -> dict[str, Length]:
    """Returns the length of each target's response: as a program for Linux answers that has just started, with the
    fields of the application's own board and no reason phrase. Targets without a 200 in time are left out."""
    if not targets:
        return {}
    there = str(application.directory)
    built = build(there, overrides=overrides, check_budget=False)
    differs = kept_len(application) - kept_len(built.application)
    lengths = {}
    with tempfile.TemporaryDirectory() as data:
        options = RunOptions(there, port=free_port(), https_port=free_port(), data=Path(data))
        server = start(options, built)
        try:
            for target in targets:
                response = _asked(options.port, target)
                if response is not None and response.status == 200:
                    content = len(response.body)
                    end = response.raw.index(HEAD_END) + len(HEAD_END)
                    head = end - len(response.reason) + differs
                    lengths[target] = Length(head, content, (head, content))
        finally:
            server.end()
    return lengths


def _asked(port: int, target: str) -> Response | None:
    """Returns the response, or None if it did not arrive in time."""
    octets = b""
    with contextlib.suppress(OSError, BadResponse), socket.create_connection(("127.0.0.1", port), PATIENCE_S) as asking:
        asking.sendall(request(target))
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            more = asking.recv(1 << 16)
            octets += more
            response = parse_response(octets, closed=not more)
            if response is not None or not more:
                return response
    return None


def strategy_of(resource: Resource) -> str:
    """Returns the strategy for the refined model: the usual one of those chosen at run time."""
    from whit.compiler.strategy import strategies

    return "S0" if not resource.made_later else strategies(resource)[0].name[:2]


def length_of(load: Load, generated: Mapping[str, Length], kept: int) -> Length | None:
    """Returns the response's length; None for a generator whose length was not measured. kept: kept_len()."""
    return file_length(load.resource, kept) if not load.resource.made_later else generated.get(load.target)
