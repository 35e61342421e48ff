# SPDX-License-Identifier: MIT
"""Paths whose branches in the automaton are just below, at and above 128 and 256 octets lead to their files."""

import pytest

from tests.http.test_methods import one
from tests.support import built, make_files, target
from whit.paths import BUILD
from whit.wire.http import request
from whit_testbed.engine import Engine

LENGTHS = [*range(118, 134), *range(178, 196)]  # octets of a name that is one branch


@pytest.fixture(scope="module")
def engine() -> Engine:
    there = BUILD / "test-apps" / "branches"
    files = {f"d{index}/{'y' * length}": b"%d" % length for index, length in enumerate(LENGTHS)}
    make_files(there, files | {"d/last": b"last"})
    return Engine(built(there, on=target(), connections=1).image)


@pytest.mark.parametrize(("index", "length"), list(enumerate(LENGTHS)))
def test_each_is_found(engine: Engine, index: int, length: int) -> None:
    assert one(engine, request(f"/d{index}/{'y' * length}")).body == b"%d" % length
    assert one(engine, request(f"/d{index}/{'y' * (length - 1)}")).status == 404


def test_the_last_alternative(engine: Engine) -> None:
    assert one(engine, request("/d/last")).body == b"last"
