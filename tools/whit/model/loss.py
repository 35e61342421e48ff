# SPDX-License-Identifier: MIT
"""The expected cost of losses to a response. Each frame adds its loss probability, times the delay of detection and
retransmission. The model adds losses one by one and does not shrink windows."""

from __future__ import annotations

from collections.abc import Mapping

from whit.model.parties import HEADER, Client, Link, Server
from whit.model.passed import Passed
from whit.model.receiver import RTO_INITIAL_S

DUPLICATES = 3  # acknowledgments that indicate a loss
TICK_S = 0.004  # of the engine's timers
RTO_TIMES_MAX = 0.45  # of loss: beyond, backed-off timers have no mean


def _again(probability: float, first_s: float) -> float:
    """Expected time of a timer that doubles: p·t + p²·2t + ..."""
    p = min(probability, RTO_TIMES_MAX)
    return p * first_s / (1 - 2 * p)


def expected_s(passed: Passed, link: Link, client: Client, server: Server) -> float:
    """Returns the expected delay of one response by loss."""
    p = link.loss
    if p == 0 or not passed.segments:
        return 0.0
    both = 1 - (1 - p) ** 2
    extra = _again(p, max(client.rto_min_s, 3 * link.rtt_s))  # the request
    if passed.handshake:
        extra += _again(both, RTO_INITIAL_S)
    return extra + sum(_segment_s(passed, index, link, client, server) for index in range(len(passed.segments)))


def _segment_s(passed: Passed, index: int, link: Link, client: Client, server: Server) -> float:
    """Returns the delay by the loss of one segment, times its probability."""
    p, segments = link.loss, passed.segments
    _, arrival, octets = segments[index]
    own_s = link.transmission_s(HEADER + octets)
    round_s = link.rtt_s + own_s + link.transmission_s(HEADER, up=True)
    behind = len(segments) - 1 - index
    if behind >= DUPLICATES:  # fast retransmit; later segments are sent as before
        told_s = segments[index + DUPLICATES][1] - arrival
        there_s = told_s + round_s
        late_s = max(own_s, there_s - (segments[-1][1] - arrival))
    else:
        probe_s = min(server.rto_s, _probe_s(passed, link, client))
        late_s = probe_s + (round_s if behind == 0 else 2 * round_s)
    return p * late_s + p * _again(p, server.rto_s)


def _probe_s(passed: Passed, link: Link, client: Client) -> float:
    """The tail-loss probe of engine/recovery/recovery_full.c."""
    begin, arrival, _ = passed.segments[0]
    trip_s = arrival - begin + link.rtt_s / 2 + link.transmission_s(HEADER, up=True)
    if len(passed.segments) == 1:
        return 2 * trip_s + client.delayed_ack_s + TICK_S
    return 1.5 * trip_s + TICK_S


def page_expected_s(passed: Mapping[str, Passed], link: Link, client: Client, server: Server) -> float:
    """Returns the expected delay of a page: that of the chain of items that ends last. Other chains catch up."""
    if link.loss == 0 or not passed:
        return 0.0
    extra: dict[str, float] = {}

    def chain(name: str) -> float:
        if name not in extra:
            one = passed[name]
            ahead = max((chain(before) for before in one.item.after), default=0.0)
            extra[name] = ahead + expected_s(one, link, client, server)
        return extra[name]

    late = {name: one.whole_s + chain(name) for name, one in passed.items()}
    return max(late.values()) - max(one.whole_s for one in passed.values())
