# SPDX-License-Identifier: MIT
"""The refined model of EMSOFT 2009's address book on the emulated AVR, and its error."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from whit.compiler.model import Limits
from whit.ladder.steps import Ladder
from whit.model import refined
from whit.model.parties import SLIP, Client, Link, Server
from whit.model.parties import Item as ModelItem
from whit.model.policy import XP_WINDOW, AckPolicy
from whit_lab.experiments.contacts.peers import RATE
from whit_lab.experiments.contacts.runs import CONTENTS, PAGE, RTT_MS, Answered, Content, Profile
from whit_lab.instruments.exchange import Exchange


@dataclass
class Measured:
    contents: Sequence[Content]
    profile: Profile
    ours: Mapping[str, Answered]
    charges: Mapping[str, float]  # of content
    apart: Mapping[str, float]  # of rerun points and arguments
    arguments: int  # most bytes of a request's arguments: cb_add's
    uip: Mapping[str, Exchange]
    miniweb: Mapping[str, Exchange]
    limits: Limits  # of the measured image
    pages: dict[int, float] = field(default_factory=dict)  # seconds with a list of 1915 bytes, by connections
    real_pages: dict[int, float] = field(default_factory=dict)  # seconds of apps/contacts
    gzip_page_s: float = 0.0
    list_len: int = 0  # of apps/contacts
    peer_pages: dict[tuple[str, int], float] = field(default_factory=dict)
    ladders: list[Ladder] = field(default_factory=list)


def predictions(measured: Measured) -> dict[str, float]:
    """Returns seconds by content and by page, from sizes, the line, the client, and the processor's own times.

    The processor does one thing at a time: while it sends, the line to it waits (RTS). The model's line is therefore
    half duplex. A page's time for a request counts as bytes of the request, since nothing else runs in that time.
    """
    known = measured.profile
    link = Link(RATE, RTT_MS / 1000, up_rate=1 / known.octet_s, half_duplex=True, framing=SLIP)
    seconds = {}
    for content in measured.contents:
        server = _server(measured, known.request_s[content.key], known.gap_s[content.key])
        seconds[content.key] = refined.response(link, _client(1), server, _item(measured, content)).whole_s
    if len(measured.contents) == len(CONTENTS):
        gaps = [gap for key, gap in known.gap_s.items() if gap and key != "cb_add"]
        server = _server(measured, 0.0, sum(gaps) / max(1, len(gaps)))
        for count in measured.pages:
            items = [
                _item(measured, content, item.after, known.request_s[content.key] / known.octet_s)
                for item, content in zip(PAGE, CONTENTS, strict=False)
            ]
            seconds[f"page_{count}"] = refined.page_s(link, _client(count), server, items)
    return seconds


def line_only(measured: Measured) -> dict[str, float]:
    """Returns the same for a processor that takes no time."""
    none = dict.fromkeys(measured.profile.request_s, 0.0)
    return predictions(replace(measured, profile=Profile(1 / RATE, none, none)))


def _server(measured: Measured, request_s: float, segment_s: float) -> Server:
    limits = measured.limits
    slots = limits.connections
    return Server(chunk=limits.chunk, slots=slots, buffer=limits.buffer, request_s=request_s, segment_s=segment_s)


def _client(connections: int) -> Client:
    return Client(window=XP_WINDOW, ack=AckPolicy.XP, connections=connections)


def _item(measured: Measured, content: Content, after: tuple[str, ...] = (), more: float = 0.0) -> ModelItem:
    answered = measured.ours[content.key]
    request = answered.octets + round(more)
    return ModelItem(content.target, request, answered.head_len, content.size, content.strategy, after)


def errors(measured: Measured, predicted: Mapping[str, float]) -> dict[str, float]:
    """Returns the errors in per cent of the measured values."""
    seconds = {content.key: measured.ours[content.key].whole_s for content in measured.contents}
    seconds |= {f"page_{count}": s for count, s in measured.pages.items()}
    return {key: round(100 * (s / seconds[key] - 1), 2) for key, s in predicted.items()}
