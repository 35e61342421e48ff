# SPDX-License-Identifier: MIT
"""How the octets of a response are found again, by what a resource is (DESIGN.md, section 1)."""

from dataclasses import dataclass

from .model import Get, Persistence, Resource, Writer


@dataclass(frozen=True)
class Strategy:
    """Of a resource's responses to a method. `replay`: runs of the generator for octets that are wanted again."""

    method: str
    name: str
    why: str
    replay: str


_NONE = "none"
_FILE = Strategy("GET", "S0 pre-processed", "a file: all of it is in flash", _NONE)
_STORED = Strategy("GET", "S0 stored at run time", "in persistent memory with its sums, as a file in flash", _NONE)
_ONCE = Strategy("GET", "S1 kept until acknowledged", "runs exactly once a request", _NONE)
_ONCE_THREAD = Strategy(
    "GET", "S3 as acknowledgments come, S1 if it fits the buffer", "runs exactly once, however much it says", _NONE
)
_POST = Strategy("POST", "S1 kept until acknowledged", "a body is taken in exactly once", _NONE)
_PLAIN_REPLAY = "1 run to count, 1 a segment"
_PLAIN = {
    Persistence.VOLATILE: Strategy(
        "GET", "S2 of one segment, S1 of more", "one segment is read as a whole or not at all", _PLAIN_REPLAY
    ),
    Persistence.IDEMPOTENT: Strategy(
        "GET", "S2 or S1, by what a run costs", "says the same when it runs again", _PLAIN_REPLAY
    ),
}
_AGAIN = {
    Persistence.VOLATILE: "may say something else where nothing was read yet",
    Persistence.IDEMPOTENT: "says the same when it runs again",
}


def strategies(resource: Resource) -> tuple[Strategy, ...]:
    """One for each method; HEAD goes with GET, PUT with POST."""
    generator = resource.generator
    if resource.stored:
        return (_STORED,)
    if generator is None:
        return (_FILE,)
    get = (_of_get(generator.get, generator.persistence),) if generator.get else ()
    return get + ((_POST,) if generator.has_body else ())


def _of_get(get: Get, persistence: Persistence) -> Strategy:
    if persistence == Persistence.PERSISTENT:
        return _ONCE_THREAD if get.writer == Writer.THREAD else _ONCE
    if get.writer == Writer.PLAIN:
        return _PLAIN[persistence]
    if get.writer == Writer.THREAD:
        name = "S4 from rerun points" + (", S3 if a run is dear" if persistence == Persistence.IDEMPOTENT else "")
        return Strategy("GET", name, _AGAIN[persistence], "1 run a segment, from the last rerun point")
    return Strategy("GET", "S4 by index", _AGAIN[persistence], "1 call a segment, for its octets only")
