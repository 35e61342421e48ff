# SPDX-License-Identifier: MIT
"""Replays recorded exchanges with a real MariaDB 10.11 (record.py). The client sends and reads the same octets, however
they are split. Changed exchanges do no harm."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from tests.database import record
from tests.database.exchange import Server, works
from tests.database.library import FAILED, ROW, Database, Query

USERS = ("native", "signed", "nobody", "terse")


def recorded(user):
    return json.loads((record.RECORDED / f"{user}.json").read_text())


def said_by(passed, who):
    return [bytes.fromhex(octets) for one, octets in passed if one == who]


def replay(user, splits):
    kept = recorded(user)
    server = Server(said_by(kept["passed"], "server"), splits)
    database = Database(record.settings(user))
    said = record.ask(database, lambda ask: server.until(database, ask))
    assert json.loads(json.dumps(said)) == kept["said"]
    assert [bytes(octets) for octets in server.heard if octets] == said_by(kept["passed"], "client")
    assert database.events() == {"CONNECTED": 1, "QUERIES": 7, "ERRORS": 2}


@pytest.mark.parametrize("user", USERS)
def test_the_same_is_said_and_heard_again(user):
    """Prepared once, asked in binary, each value as it was."""
    replay(user, lambda left: left)


@pytest.mark.parametrize("user", USERS)
def test_octet_by_octet(user):
    replay(user, lambda left: 1)


@limits(max_examples=60, deadline=None)
@given(sizes=st.lists(st.integers(1, 40), min_size=1, max_size=40), user=st.sampled_from(USERS))
def test_in_any_split(sizes, user):
    order = random.Random(repr(sizes))
    replay(user, lambda left: order.choice(sizes))


CHANGES = st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 255)), min_size=1, max_size=4)


@limits(max_examples=200, deadline=None)
@given(changes=CHANGES, user=st.sampled_from(USERS), kind=st.sampled_from(["change", "insert", "remove", "cut"]))
def test_what_was_changed_on_the_way_does_no_harm(changes, user, kind):
    """Octets are changed, added or removed: each query ends in time, and an honest server works afterwards."""
    says = said_by(recorded(user)["passed"], "server")
    lengths = [len(one) for one in says]
    for place, value in changes:
        number, at = 0, place % sum(lengths)
        while at >= len(says[number]) and number + 1 < len(says):
            at -= len(says[number])
            number += 1
        one = says[number]
        after = {"change": bytes([value]) + one[at + 1 :], "insert": bytes([value]) + one[at:], "remove": one[at + 1 :]}
        says[number] = one[:at] + after.get(kind, b"")
    database = Database(record.settings(user, row=512))
    server = Server(says)
    for statement, arguments in record.ASKED:
        query, began = Query(database, statement, arguments), database.now_ms
        status = server.until(database, query.begin)
        while status == ROW:
            query.row()
            began = database.now_ms
            status = server.until(database, query.next)
        assert database.now_ms - began <= 2 * database.settings.timeout_ms
        if status == FAILED:
            assert len(database.clients()) <= 1
    for client in database.clients():
        database.c.test_state(client, 4)
    database.wait(3000)
    Query(database, 3).begin()
    works(database, Query(database, 3))
