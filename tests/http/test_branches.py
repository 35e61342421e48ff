# SPDX-License-Identifier: MIT
"""Paths whose branches in the automaton are just below, at and above 128 and 256 octets lead to their files."""

import pytest

from tests.harness import ask, engine_of
from tests.support import target
from whit.wire.http import request
from whit_testbed.engine import Engine

LENGTHS = [*range(118, 134), *range(178, 196)]  # octets of a name that is one branch


FILES = {f"d{index}/{'y' * length}": str(length) for index, length in enumerate(LENGTHS)}
engine = engine_of({**FILES, "d/last": "last"}, scope="module", on=target(), connections=1)


@pytest.mark.parametrize(("index", "length"), list(enumerate(LENGTHS)))
def test_each_is_found(engine: Engine, index: int, length: int) -> None:
    assert ask(engine, request(f"/d{index}/{'y' * length}")).body == b"%d" % length
    assert ask(engine, request(f"/d{index}/{'y' * (length - 1)}")).status == 404


def test_the_last_alternative(engine: Engine) -> None:
    assert ask(engine, request("/d/last")).body == b"last"
