# SPDX-License-Identifier: MIT
"""Handlers that wait for what another one has: who is asked again, and when."""

from collections.abc import Iterator

import pytest
from whit.paths import ROOT
from whit.sim.engine import Engine

from tests.support import built

from .origins import Asking, Origin, app, engine_of


@pytest.fixture
def engine() -> Iterator[Engine]:
    with engine_of(built(ROOT / "tests" / "apps" / "queue").image) as engine:
        yield engine


def said_by(asking: Asking, within: int = 0) -> bytes:
    """Nothing until it says something: its head comes with that."""
    asking.peer.wait(within)
    asking.got += asking.peer.receive(seq=1 + len(asking.octets), at=1 + len(asking.got))
    return asking.body() if asking.got else b""


def give(engine: Engine, port: int) -> None:
    assert Asking(engine, "/give", port=port).body() == b"given"


def test_the_one_that_comes_next_is_asked(engine: Engine) -> None:
    """One for each call, at once, and nobody else; each in turn."""
    waiting = [Asking(engine, "/turn", port=40000 + i) for i in range(3)]
    for number in range(3):
        assert [said_by(one) for one in waiting] == [b""] * len(waiting)
        give(engine, 41000 + number)
        said = [said_by(one, 4) for one in waiting]
        assert sorted(said) == [b""] * (len(waiting) - 1) + [b"mine"]
        waiting = [one for one, what in zip(waiting, said, strict=True) if not what]


def test_who_goes_away_leaves_the_queue(engine: Engine) -> None:
    """The call is for the next one."""
    first, second = Asking(engine, "/turn"), Asking(engine, "/turn", port=40001)
    assert (said_by(first), said_by(second)) == (b"", b"")
    first.peer.send("R", seq=1 + len(first.octets))
    give(engine, 41000)
    assert said_by(second, 4) == b"mine"


def test_what_was_lent_goes_back_when_the_request_is_over() -> None:
    """At once, and whatever became of the request: the next one that waits has it, and the connection is the same."""
    with engine_of(app()) as engine:
        origin = Origin(engine)
        asking = [Asking(engine, "/borrow", port=40000 + i) for i in range(3)]
        origin.accept()
        origin.expect("A", seq=1, ack=1)
        for number, one in enumerate(asking, 1):
            assert [said_by(other) for other in asking[number:]] == [b""] * (3 - number)
            assert said_by(one, 8).endswith(b"%d" % number)
            one.peer.send("R", seq=1 + len(one.octets))
        origin.expect_nothing(1000)
