# SPDX-License-Identifier: MIT
"""The fast kind of the client: acknowledgments of a lent connection ride on the next segment sent."""

import pytest

from tests.harness import engine_of
from whit_testbed.engine import Engine

from .origins import APP, Asking, Origin

LATER_MS = 40  # CLIENT_ACK_LATER


engine = engine_of(APP, heads="code")


@pytest.fixture
def origin(engine: Engine) -> Origin:
    """Returns the origin of a connection that works for a request."""
    origin = Origin(engine)
    Asking(engine, "/borrow")
    origin.accept()
    origin.expect("A", seq=1, ack=1)
    origin.wait(40)  # it is lent at the next poll
    origin.expect_nothing()
    return origin


def test_data_are_acknowledged_after_a_while(origin: Origin) -> None:
    origin.send("PA", seq=1, ack=1, payload=b"x" * 10)
    origin.expect_nothing(LATER_MS - 8)
    origin.expect("A", seq=1, ack=11, within=16)
    origin.expect_nothing(1000)


def test_every_second_segment_is_acknowledged_at_once(origin: Origin) -> None:
    for at in (1, 21):
        origin.send("PA", seq=at, ack=1, payload=b"x" * 10)
        origin.expect_nothing()
        origin.send("PA", seq=at + 10, ack=1, payload=b"x" * 10)
        origin.expect("A", seq=1, ack=at + 20)
    origin.expect_nothing(1000)


@pytest.mark.parametrize(("seq", "acked"), [(12, 1), (1, 11)], ids=["gap", "old"])
def test_what_is_out_of_place_is_acknowledged_at_once(origin: Origin, seq: int, acked: int) -> None:
    if acked != 1:
        origin.send("PA", seq=1, ack=1, payload=b"x" * 10)
        origin.expect("A", seq=1, ack=11, within=LATER_MS + 8)
    origin.send("PA", seq=seq, ack=1, payload=b"y" * 10)
    origin.expect("A", seq=1, ack=acked)


def test_a_fin_is_acknowledged_at_once(origin: Origin) -> None:
    origin.send("PA", seq=1, ack=1, payload=b"x")
    origin.send("FA", seq=2, ack=1)
    origin.expect("A", seq=1, ack=3)
