# SPDX-License-Identifier: MIT
"""Helpers for tests of stored contents: write and read tests/apps/stored."""

from tests.harness import ask
from whit.wire.http import Response, request
from whit_testbed.engine import Engine

OWN = 5  # octets of the application's own
HEADER = 8
URLS = {0: "/dir/list.html", 1: "/photo.png", 2: "/plain"}
SIZES = {0: 100, 1: 4000, 2: 33}


def bank_len(which: int, chunk: int = 32) -> int:
    return HEADER + 2 * -(-SIZES[which] // chunk) + SIZES[which]


def made(cnt: int, seed: int) -> bytes:
    """Returns the octets that /write stores."""
    octets = bytearray()
    for _ in range(cnt):
        seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
        octets.append(seed >> 24)
    return bytes(octets)


def target_of(which: int, cnt: int, seed: int, step: int = 200, *, more: str = "") -> str:
    return f"/write?which={which}&cnt={cnt}&step={step}&seed={seed}{more}"


def write(engine: Engine, which: int, cnt: int, seed: int, step: int = 200, *, more: str = "") -> int:
    """The status."""
    response = ask(engine, request(target_of(which, cnt, seed, step, more=more)))
    if response.status == 200 and not more:
        assert response.body == b"%d" % cnt
    return response.status


def get(engine: Engine, which: int, *fields: str, method: str = "GET") -> Response:
    return ask(engine, request(URLS[which], *fields, method=method))


def persistent(engine: Engine) -> bytes:
    return engine.persistent(engine.size)  # type: ignore[attr-defined]
