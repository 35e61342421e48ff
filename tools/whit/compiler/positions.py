# SPDX-License-Identifier: MIT
"""Chooses the bits of a position in a response. Positions of 16 bits make the engine of an 8- or 16-bit processor
smaller and faster."""

from collections.abc import Iterable
from dataclasses import replace

from .model import Limits, Persistence, Resource, Writer

HEAD_MAX = 2048  # octets of a head, a FIN, and the content's framing; other positions are for content
SHORT_MAX = (1 << 16) - HEAD_MAX  # octets of a content with positions of 16 bits
LONG_MAX = 0xFF0000  # ... of 24 bits


def settle(limits: Limits, resources: Iterable[Resource], *, https: bool = False) -> Limits:
    """Shortens `content_max` if positions of 16 bits are enough.

    Output that is buffered, or rerun from rerun points, is counted from the oldest buffered octet or the oldest chunk
    in flight; its length does not matter. Under TLS, positions count the records' overhead. Output of a service in
    pieces is counted from its beginning."""
    all_resources = list(resources)
    if https or any(resource.generator and resource.generator.gives for resource in all_resources):
        return limits
    if max(map(_longest, all_resources), default=0) <= SHORT_MAX and (
        limits.content_max <= SHORT_MAX or not (limits.replay and any(map(_is_run_from_its_beginning, all_resources)))
    ):
        return replace(limits, content_max=min(limits.content_max, SHORT_MAX), position_bits=16)
    return limits


def _longest(resource: Resource) -> int:
    return max((len(representation.body) for representation in resource.representations), default=0)


def _is_run_from_its_beginning(resource: Resource) -> bool:
    """True if it is rerun from its beginning for each segment. A volatile content is buffered if it exceeds one."""
    get = resource.generator.get if resource.generator else None
    return get is not None and get.writer == Writer.PLAIN and resource.persistence == Persistence.IDEMPOTENT
