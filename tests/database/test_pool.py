# SPDX-License-Identifier: MIT
"""Connections of the pool: queries wait for one and free it; abandoned ones return to the pool."""

import pytest

from tests.database.exchange import (
    LOGIN,
    LONG,
    VAR_STRING,
    Server,
    answer,
    asked,
    column,
    end,
    error,
    ok,
    packet,
    packets,
    prepared,
    row,
    works,
)
from tests.database.library import END, FAILED, ROW, WAITS, Database, Query, Settings

SETTINGS = Settings(("SELECT 1", "SELECT ?"), row=512, rows=20, timeout_ms=1000)
NUMBERS = [row(number.to_bytes(4, "little")) for number in range(5)]
ANSWER = answer([LONG], NUMBERS)
PREPARED = packets(1, *prepared(columns=1))


@pytest.fixture
def database():
    return Database(SETTINGS)


def opened(database):
    """A query that has its first row; the connection of its place, and its server."""
    server, query = Server([*LOGIN, PREPARED, ANSWER, ANSWER, ANSWER]), Query(database, 0)
    assert server.until(database, query.begin) == ROW
    return server, query


def test_one_connection_serves_one_query_after_the_other(database):
    """The connection is opened once, and the statement prepared once."""
    server, query = opened(database)
    while server.until(database, query.next) == ROW:
        pass
    for _ in range(2):
        assert asked(database, server, Query(database, 0)) == (END, [[0], [1], [2], [3], [4]])
    commands = [bytes(heard)[4] for heard in server.heard[1:] if heard]
    assert commands == [0x16, 0x17, 0x17, 0x17]
    assert database.events() == {"CONNECTED": 1, "QUERIES": 3}


def test_a_place_that_nobody_needed_for_long_is_not_taken_for_abandoned(database):
    """A connection idle for long counts as abandoned only after its new query has been silent."""
    server, first = opened(database)
    while server.until(database, first.next) == ROW:
        pass
    database.wait(SETTINGS.timeout_ms + 1)
    second, third = Query(database, 0), Query(database, 0)
    assert (second.begin(), third.begin()) == (WAITS, WAITS)
    assert asked(database, server, second) == (END, [[0], [1], [2], [3], [4]])
    assert "ABANDONED" not in database.events()


@pytest.mark.parametrize(("after_ms", "event"), [(0, "LOST"), (999, "LOST"), (1000, "TIMEOUT")])
def test_a_connection_that_fails_late_was_silent(database, after_ms, event):
    server, first = opened(database)
    while server.until(database, first.next) == ROW:
        pass
    second, (client,) = Query(database, 0), database.clients()
    assert second.begin() == WAITS
    database.wait(after_ms)
    database.c.test_state(client, 4)
    assert second.begin() == FAILED
    assert {name for name in database.events() if name in ("LOST", "TIMEOUT")} == {event}


def test_a_query_waits_for_a_place_and_fails_in_time(database):
    """A query waits while another uses the only connection, and fails after its timeout."""
    server, first = opened(database)
    second = Query(database, 0)
    assert second.begin() == WAITS
    database.wait(900)
    first.next()
    database.wait(101)
    assert (second.begin(), second.error) == (FAILED, 0)
    assert database.events()["NO_PLACE"] == 1
    assert server.until(database, first.next) == ROW


def test_the_next_one_gets_the_place(database):
    """A second query waits until the first has ended."""
    server, first = opened(database)
    second = Query(database, 0)
    assert second.begin() == WAITS
    while server.until(database, first.next) == ROW:
        assert second.begin() == WAITS
    assert server.until(database, second.begin) == ROW


def test_an_asker_that_goes_away_gives_its_place_back(database):
    """The next query on the connection reads the rest of the abandoned answer."""
    server, first = opened(database)
    first.end()
    assert asked(database, server, Query(database, 0)) == (END, [[0], [1], [2], [3], [4]])
    assert database.events() == {"CONNECTED": 1, "QUERIES": 1}
    assert (first.next(), first.row()) == (FAILED, [])


@pytest.mark.parametrize("turns", range(12))
def test_it_may_go_away_at_any_time(database, turns):
    """A query may be abandoned while it waits, while its statement is prepared, and while rows arrive."""
    server, first = Server([*LOGIN, PREPARED, ANSWER], lambda left: 7), Query(database, 0)
    for _ in range(4 * turns):
        if first.begin() != WAITS:
            break
        server.turn(database)
    first.end()
    assert asked(database, server, Query(database, 0))[0] in (END, FAILED)
    works(database) if database.clients() == [] else None
    assert len(database.clients()) <= 1


@pytest.mark.parametrize("turns", range(8))
def test_a_request_that_is_over_gives_its_place_back(database, turns):
    """The engine knows that the request is over, although its handler does not run again."""
    database.c.test_lends(True)
    server, first = Server([*LOGIN, PREPARED, ANSWER, ANSWER], lambda left: 7), Query(database, 0)
    for _ in range(4 * turns):
        if first.begin() != WAITS:
            break
        server.turn(database)
    for client in database.clients():
        database.c.test_over(client)
    assert asked(database, server, Query(database, 0))[0] == END


def test_who_is_over_has_its_place_no_more(database):
    database.c.test_lends(True)
    server, first = opened(database)
    second = Query(database, 0)
    assert second.begin() == WAITS
    database.c.test_over(database.clients()[0])
    assert server.until(database, second.begin) == ROW
    assert (first.next(), first.row()) == (FAILED, [])
    assert database.events() == {"CONNECTED": 1}


def test_a_place_of_nobody_is_taken_back(database):
    """A query was abandoned. The next one gets a new connection."""
    _, first = opened(database)
    database.wait(1001)
    second = Query(database, 0)
    assert second.begin() == WAITS
    assert database.events()["ABANDONED"] == 1
    server = Server([*LOGIN, PREPARED, ANSWER])
    assert server.until(database, second.begin) == ROW
    assert (first.next(), first.row()) == (FAILED, [])
    assert second.row() == [0]


def test_a_place_is_not_taken_while_nobody_needs_it(database):
    """A page that is read slowly continues."""
    server, first = opened(database)
    database.wait(60_000)
    assert server.until(database, first.next) == ROW


def test_rest_of_an_answer_that_does_not_come_costs_the_connection(database):
    """The connection is closed when the rest of an answer takes longer than a query may."""
    server = Server([*LOGIN, PREPARED, packets(1, b"\1", column(LONG), end(), NUMBERS[0])])
    first = Query(database, 0)
    assert server.until(database, first.begin) == ROW
    first.end()
    second = Query(database, 0)
    assert server.until(database, second.begin) == FAILED
    assert database.events()["ABANDONED"] == 1
    works(database)


@pytest.mark.parametrize("state", [3, 4])
def test_a_kept_connection_that_the_server_ended_is_replaced(database, state):
    """The connection is replaced before the next query, which does not notice."""
    server, query = opened(database)
    while server.until(database, query.next) == ROW:
        pass
    database.c.test_state(database.clients()[0], state)
    server = Server([*LOGIN, PREPARED, ANSWER])
    assert server.until(database, Query(database, 0).begin) == ROW
    assert database.events()["CONNECTED"] == 2


def test_a_long_statement_goes_out_in_parts():
    """The client takes 512 octets at once, the statement has more, and so has its argument."""
    sql = "SELECT '" + 3000 * "x" + "', ?"
    database = Database(Settings((sql,), timeout_ms=1000))
    server = Server([*LOGIN, packets(1, *prepared(parameters=1, columns=1)), answer([VAR_STRING], [row(b"\1y")])])
    query = Query(database, 0, [5000 * "z"])
    assert asked(database, server, query) == (END, [[b"y"]])
    said = [bytes(heard) for heard in server.heard]
    assert said[1] == packet(0, b"\x16" + sql.encode())
    header = b"\x17\1\0\0\0\0\1\0\0\0\0\1\xfd\0\xfc\x88\x13"
    assert said[2] == packet(0, header + 5000 * b"z")


def test_wrong_arguments_are_not_sent(database):
    """A wrong number of arguments, or an unknown statement, is not sent."""
    for statement, arguments in ((1, ()), (0, (1,)), (2, ())):
        query = Query(database, statement, arguments)
        assert (query.begin(), query.error) == (FAILED, 65535)
    assert database.clients() == []


def test_a_statement_that_the_server_forgot_is_prepared_anew(database):
    """The query that finds that out fails, the next one does not."""
    server, query = opened(database)
    while server.until(database, query.next) == ROW:
        pass
    database_says = Server([packet(1, error(1243)), PREPARED, ANSWER])
    second = Query(database, 0)
    assert (asked(database, database_says, second), second.error) == ((FAILED, []), 1243)
    assert asked(database, database_says, Query(database, 0)) == (END, [[0], [1], [2], [3], [4]])


@pytest.mark.parametrize(
    ("octets", "number"),
    [(b"\x07", 7), (b"\xfc\xff\xff", 65535), (b"\xfe" + bytes([1, 2, 3, 4, 5, 6, 7, 0]), 0x07060504030201)],
)
def test_what_an_insert_gave(database, octets, number):
    """The number of the inserted row stays readable as long as the query exists."""
    query = Query(database, 0)
    server = Server([*LOGIN, packets(1, *prepared()), packet(1, ok(inserted=octets, warnings=2)), ANSWER])
    assert server.until(database, query.begin) == END
    assert server.until(database, Query(database, 0).begin) == ROW
    assert query.inserted == number
    assert database.events()["WARNINGS"] == 1
