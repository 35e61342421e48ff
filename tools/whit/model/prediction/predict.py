# SPDX-License-Identifier: MIT
"""A page's first visit and the next one, by the refined model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from whit.compiler.model import Limits
from whit.model import refined
from whit.model.parties import ETHERNET, Client, Item, Link, Server, Tls
from whit.model.prediction.found import Processor
from whit.model.prediction.lengths import Length, length_of, strategy_of
from whit.model.prediction.page import Load, Page

REQUEST = 400  # octets of a browser's request
CONNECTIONS = (1, 6)  # a browser has six at most
SMALL_SEGMENTS, SMALL_OCTETS = 4, 4095  # in flight with recovery = "small"


@dataclass(frozen=True)
class Visit:
    """Duration of both visits, in seconds, from the SYN or the first request to the last octet."""

    connections: int
    first_s: float
    again_s: float


@dataclass(frozen=True)
class Prediction:
    """One visit for each number of connections."""

    page: Page
    visits: tuple[Visit, ...]
    octets: int  # of the responses, first visit
    again_octets: int


@dataclass(frozen=True)
class Setting:
    """The conditions of a visit. processor: None: takes no time. tls: None: plain HTTP. kept: octets of each response
    that state how long its connection stays open."""

    link: Link
    limits: Limits
    client: Client = field(default_factory=Client)
    processor: Processor | None = None
    request: int = REQUEST
    tls: Tls | None = None
    kept: int = 0


def predict(
    page: Page, setting: Setting, generated: Mapping[str, Length], connections: Sequence[int] = CONNECTIONS
) -> Prediction:
    """Predicts the visits. generated: lengths of generated responses, by target."""
    loads = [(load, length) for load in page.loads if (length := length_of(load, generated, setting.kept))]
    visits = []
    for count in connections:
        times = [
            page_s(setting, [_item(setting, load, length, again) for load, length in loads], count, again=again)
            for again in (False, True)
        ]
        visits.append(Visit(count, *times))
    octets = sum(length.head + length.content for _, length in loads)
    return Prediction(page, tuple(visits), octets, sum(sum(length.again) for _, length in loads))


def page_s(setting: Setting, items: Sequence[Item], connections: int, *, again: bool) -> float:
    """Seconds from the first SYN to the last octet by the refined model; again: on connections that are open."""
    client, limits, known = setting.client, setting.limits, setting.processor
    client = replace(client, connections=connections)
    server = Server(local=limits.link_local, chunk=limits.chunk, buffer=limits.buffer, slots=limits.connections)
    if limits.recovery == "small":
        server = replace(server, initial_window=SMALL_SEGMENTS, local=False)
        client = replace(client, window=min(client.window, SMALL_OCTETS))
    if setting.tls:
        client = replace(client, mss=setting.tls.segment(client.mss))
    link = replace(setting.link, resolve=setting.link.framing == ETHERNET)
    if known:  # while it sends it does not read, and RTS holds the line
        server = replace(server, segment_s=known.segment_s)
        link = replace(link, half_duplex=True, up_rate=_slower(link.rate, 1 / known.octet_s))
    return refined.page_s(link, client, server, items, warm=again, tls=setting.tls)


def _slower(one: float | None, other: float) -> float:
    return other if one is None else min(one, other)


def _item(setting: Setting, load: Load, length: Length, again: bool) -> Item:
    """Returns the item. The processor's time counts as octets of the request, as the server does nothing else then."""
    head, content = length.again if again else (length.head, length.content)
    request = setting.request + (length.again_request if again else 0)
    if known := setting.processor:
        own_s = known.generated_s if load.resource.made_later else known.file_s
        request += round(own_s * _slower(setting.link.rate, 1 / known.octet_s))
    if tls := setting.tls:
        request += Tls.AROUND
        content += tls.over(head + content)
    return Item(load.target, request, head, content, strategy_of(load.resource), load.after)
