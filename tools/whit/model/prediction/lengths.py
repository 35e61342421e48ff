# SPDX-License-Identifier: MIT
"""Octets of responses: of files by the compiler's word, of generators by asking the engine in this process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from whit.compiler.heads import keep_alive
from whit.compiler.model import STATUS_LINE, Application, Coding, Representation, Resource
from whit.image.build import build
from whit.model.prediction.page import Load

CODINGS = (Coding.IDENTITY, Coding.GZIP)  # that a browser takes where nothing is encrypted
EMPTY_LINE = 2
ETAG_LINE = len('If-None-Match: "01234567"\r\n')


@dataclass(frozen=True)
class Length:
    """Octets of a response in both parts. again: of the one to a browser that was there before; again_request: what its
    request has more."""

    head: int
    content: int
    again: tuple[int, int]
    again_request: int = 0


def kept_len(application: Application) -> int:
    """Octets of each response that tell how long its connection is kept."""
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
    """What each target says when an image that has just started is asked, on a link of the application's kind. Without
    those that do not answer by 200."""
    if not targets:
        return {}
    from whit.sim.engine import Engine
    from whit.sim.net import Net

    link = "slip" if application.board.serial else "ethernet"
    there = str(application.directory)
    image = build(there, target="inprocess", link=link, overrides=overrides, check_budget=False).image
    lengths = {}
    for target in targets:
        with Engine(image, link=link) as engine:
            net = Net(engine)
            response = net.get(net.host().client(), target)
        if response.status == 200:
            head, content = response.raw.index(b"\r\n\r\n") + 4, len(response.body)
            lengths[target] = Length(head, content, (head, content))
    return lengths


def strategy_of(resource: Resource) -> str:
    """The one that the refined model follows: of those that are chosen at run time, the usual one."""
    from whit.compiler.strategy import strategies

    return "S0" if not resource.made_later else strategies(resource)[0].name[:2]


def length_of(load: Load, generated: Mapping[str, Length], kept: int) -> Length | None:
    """None: a generator that the page names itself, and nobody has asked. kept: kept_len()."""
    return file_length(load.resource, kept) if not load.resource.made_later else generated.get(load.target)
