# SPDX-License-Identifier: MIT
"""No placement of a few lost, repeated or late frames leaves a client without an answer or a reset."""

import os
from collections.abc import Callable

import pytest

from tests.conftest import seed_of_run
from tests.harness import Make
from tests.property.search import SCENARIOS, Run, Search, evicted, port_again

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
    make_app: Make, scenario: Callable[[Run], None], settings: dict[str, int], event_cnt: int
) -> None:
    seed = seed_of_run()
    found = Search(make_app("plain", **settings), scenario, seed).all(event_cnt)
    assert found.run_cnt > 20
    assert (found.unanswered[:3], found.wrong[:3]) == ([], []), f"WHIT_SEED={seed} replays this"


@pytest.mark.parametrize("luck", range(10, 20))
def test_the_next_connection_of_a_port_learns_that_a_late_request_has_its_slot(make_app: Make, luck: int) -> None:
    """A slot opened by a late copy acknowledges octets that its peer never sent, for any two numbers."""
    run = Run(make_app("plain", connections=2, idle=1), {3: "again 250", 16: "again 3000"}, luck)
    port_again(run)
    assert all(client.ended or not client.waiting for client in run.clients)


@pytest.mark.parametrize("luck", [1865, 3214, 3780, 4750])
def test_who_was_forgotten_and_seems_to_be_ahead_of_a_gap_is_reset(make_app: Make, luck: int) -> None:
    """One secret in a thousand makes the first connection's acknowledgment look like a cookie."""
    run = Run(make_app("plain", connections=1, idle=1, chunk=4), {}, luck)
    evicted(run)
    assert run.clients[0].ended
