# SPDX-License-Identifier: MIT
"""Chooses the strategy that recovers lost octets of a response, by the kind of resource (DESIGN.md, section 1)."""

from dataclasses import dataclass, replace

from .model import Generator, Get, Persistence, Resource, Writer


@dataclass(frozen=True)
class Strategy:
    """The strategy of a resource's responses to a method. `replay`: runs of the generator per lost segment."""

    method: str
    name: str
    why: str
    replay: str


_NONE = "none"
_FILE = Strategy("GET", "S0 pre-processed", "a file: its octets are in flash", _NONE)
_STORED = Strategy("GET", "S0 stored at run time", "in persistent memory, with its checksums", _NONE)
_ONCE = Strategy("GET", "S1 kept until acknowledged", "runs once for each request", _NONE)
_ONCE_THREAD = Strategy(
    "GET", "S3 with each acknowledgment, S1 if it fits the buffer", "runs once a request, output of any length", _NONE
)
_CHOOSES = "runs once for each request, as it chooses its status"
_NO_REPLAY = "runs once for each request, as replay = false"
_POST = Strategy("POST", "S1 kept until acknowledged", "a body is accepted once", _NONE)
_POST_THREAD = replace(_ONCE_THREAD, method="POST")
_PLAIN_REPLAY = "1 run to measure, 1 for each segment"
_PLAIN = {
    Persistence.VOLATILE: Strategy(
        "GET", "S2 for one segment, S1 for more", "a client reads one segment as a whole or not at all", _PLAIN_REPLAY
    ),
    Persistence.IDEMPOTENT: Strategy(
        "GET", "S2 or S1, by the cost of a run", "gives the same output again", _PLAIN_REPLAY
    ),
}
_AGAIN = {
    Persistence.VOLATILE: "output that was not yet read may change",
    Persistence.IDEMPOTENT: "gives the same output again",
}


def strategies(resource: Resource) -> tuple[Strategy, ...]:
    """Returns a strategy for each method; HEAD belongs to GET, PUT to POST."""
    generator = resource.generator
    if resource.stored:
        return (_STORED,)
    if generator is None:
        return (_FILE,)
    get = (_of_get(generator.get, generator),) if generator.get else ()
    post = (_POST_THREAD if generator.form_thread else _POST,) if generator.has_body else ()
    return get + post


def kept(resource: Resource) -> Resource:
    """Returns the resource for `replay = false`: output of a plain function is buffered (S1), and never regenerated."""
    generator = resource.generator
    if generator is None or generator.get is None or generator.get.writer != Writer.PLAIN:
        return resource
    declared = generator.declared or generator.persistence
    return replace(resource, generator=replace(generator, persistence=Persistence.PERSISTENT, declared=declared))


def _of_get(get: Get, generator: Generator) -> Strategy:
    persistence = generator.persistence
    if persistence == Persistence.PERSISTENT:
        if generator.declared in (None, persistence):
            return _ONCE_THREAD if get.writer == Writer.THREAD else _ONCE
        chooses = generator.declared == Persistence.VOLATILE and generator.answers
        return replace(_ONCE, why=_CHOOSES if chooses else _NO_REPLAY)
    if get.writer == Writer.PLAIN:
        return _PLAIN[persistence]
    if get.writer == Writer.THREAD:
        name = "S4 from rerun points" + (", S3 if a run is expensive" if persistence == Persistence.IDEMPOTENT else "")
        return Strategy("GET", name, _AGAIN[persistence], "1 run for each segment, from the last rerun point")
    return Strategy("GET", "S4 by index", _AGAIN[persistence], "1 call for each segment, for its octets only")
