# SPDX-License-Identifier: MIT
"""No placement of a few lost, repeated or late frames leaves a client without an answer or a reset."""

import os
from collections.abc import Callable

import pytest

from tests.conftest import MakeApp
from tests.property.search import SCENARIOS, Run, Search, port_again

EVENT_CNT = int(os.environ.get("WHIT_EVENTS", "2"))  # 3 takes some minutes for each scenario, 4 some hours


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.__name__)
@pytest.mark.parametrize(
    ("settings", "event_cnt"),
    [
        ({"connections": 1, "idle": 1}, EVENT_CNT),
        ({"connections": 1, "idle": 2}, EVENT_CNT - 1),
        ({"connections": 2, "idle": 1, "chunk": 4}, EVENT_CNT - 1),
        ({"connections": 1, "idle": 0}, EVENT_CNT - 1),
    ],
    ids=["one slot", "two tags", "two slots", "no tags"],
)
def test_everybody_learns(
    make_app: MakeApp, scenario: Callable[[Run], None], settings: dict[str, int], event_cnt: int
) -> None:
    found = Search(make_app("plain", **settings), scenario).all(event_cnt)
    assert found.run_cnt > 20
    assert (found.unanswered[:3], found.wrong[:3]) == ([], [])


@pytest.mark.parametrize("seed", range(10, 20))
def test_the_next_connection_of_a_port_learns_that_a_late_request_has_its_slot(make_app: MakeApp, seed: int) -> None:
    """Whatever both numbers are: a slot that a late copy opened acknowledges what its peer never sent."""
    engine = make_app("plain", connections=2, idle=1)
    engine.restart(seed=seed, persistent=bytes(8))
    run = Run(engine, {3: "again 250", 16: "again 3000"})
    port_again(run)
    assert all(client.ended or not client.waiting for client in run.clients)
