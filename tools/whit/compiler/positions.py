# SPDX-License-Identifier: MIT
"""How many bits a position in a response has. On processors of 8 and 16 bits, 16 make a shorter and faster engine."""

from collections.abc import Iterable
from dataclasses import replace

from .model import Limits, Persistence, Resource, Writer

HEAD_MAX = 2048  # octets of a head, a FIN, and what frames a content; the rest of a position is for content
SHORT_MAX = (1 << 16) - HEAD_MAX  # octets of a content where positions have 16 bits
LONG_MAX = 0xFF0000  # ... where they have 24


def settle(limits: Limits, resources: Iterable[Resource], *, https: bool = False) -> Limits:
    """Shortens `content_max` where positions of 16 bits are enough. What is kept or runs again from points is counted
    from the oldest octet that is kept, or the oldest chunk in flight, and is short enough for any length of content.
    Under TLS positions count what records add. What a service gives by pieces is counted from its beginning."""
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
    """For each segment. A volatile content is kept when one segment is too short for it."""
    get = resource.generator.get if resource.generator else None
    return get is not None and get.writer == Writer.PLAIN and resource.persistence == Persistence.IDEMPOTENT
