# SPDX-License-Identifier: MIT
"""Octets of responses: of files by the compiler's word, of generators by asking the engine in this process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from whit.compiler.model import STATUS_LINE, Coding, Representation, Resource
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


def file_length(resource: Resource) -> Length:
    """A browser gets the shortest representation that it takes."""
    taken = [one for one in resource.representations if one.coding in CODINGS]
    best: Representation = min(taken, key=lambda one: one.wire_len)
    head, content = best.head_len, len(best.body)
    if not best.etag:
        return Length(head, content, (head, content))
    return Length(head, content, (len(STATUS_LINE) + len(best.head.validators) + EMPTY_LINE, 0), ETAG_LINE)


def generated_lengths(
    app_dir: str, targets: Sequence[str], overrides: Mapping[str, object] | None = None
) -> dict[str, Length]:
    """What each target says when an image that has just started is asked. Without those that do not answer by 200."""
    if not targets:
        return {}
    from whit.sim.engine import Engine
    from whit.sim.net import Net

    image = build(app_dir, target="inprocess", overrides=overrides, check_budget=False).image
    lengths = {}
    for target in targets:
        with Engine(image) as engine:
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


def length_of(load: Load, generated: Mapping[str, Length]) -> Length | None:
    """None: a generator that the page names itself, and nobody has asked."""
    return file_length(load.resource) if not load.resource.made_later else generated.get(load.target)
