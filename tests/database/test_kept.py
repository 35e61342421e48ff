# SPDX-License-Identifier: MIT
"""Kept answers: their users, their lifetime, their end, and the order of eviction."""

import pytest

from tests.database.exchange import LOGIN, LONG, VAR_STRING, Server, answer, error, ok, packet, packets, prepared, row
from tests.database.library import END, FAILED, ROW, WAITS, Database, Query, Settings

SECONDS = 60
DATETIME = 12
STATEMENTS = ("SELECT 1", "SELECT ?", "UPDATE item SET a = 1")
SETTINGS = Settings(STATEMENTS, row=512, timeout_ms=1000, kept=2, kept_octets=128)
ONE, BY_VALUE, CHANGE = range(3)
PREPARED = packets(1, *prepared(columns=1))
PREPARED_BY_VALUE = packets(1, *prepared(columns=1, parameters=1))
PREPARED_CHANGE = packets(1, *prepared())


def number(*values: int) -> bytes:
    return answer([LONG], [row(value.to_bytes(4, "little")) for value in values])


@pytest.fixture
def database():
    return Database(SETTINGS)


def asked(database, server, query, seconds=SECONDS):
    rows = []
    status = server.until(database, lambda: query.begin_kept(seconds))
    while status == ROW:
        rows.append(query.row())
        status = server.until(database, query.next)
    return status, rows


def kept(database, query):
    """Returns the kept rows, without any server; None, if the server must be asked."""
    return asked(database, Server([]), query)[1] if query.is_kept() else None


def test_it_serves_within_its_time(database):
    server = Server([*LOGIN, PREPARED, number(1, 2, 3), number(4)])
    begun = database.now_ms
    assert asked(database, server, Query(database, ONE)) == (END, [[1], [2], [3]])
    late = database.now_ms
    for _ in range(300):  # more than readers are counted
        assert kept(database, Query(database, ONE)) == [[1], [2], [3]]
    database.wait(SECONDS * 1000 - (late - begun) - 1)
    assert kept(database, Query(database, ONE)) == [[1], [2], [3]]
    database.wait(1 + late - begun)
    assert asked(database, server, Query(database, ONE)) == (END, [[4]])
    assert kept(database, Query(database, ONE)) == [[4]]
    assert database.events()["QUERIES"] == 2


def test_who_asks_for_a_shorter_time_gets_nothing_older(database):
    """A query for a shorter time gets no older answer; query_begin() always asks the server."""
    server = Server([*LOGIN, PREPARED, number(1), number(2)])
    asked(database, server, Query(database, ONE))
    plain = Query(database, ONE)
    assert server.until(database, plain.begin) == ROW
    assert plain.row() == [2]


def test_it_serves_while_the_database_is_gone(database):
    asked(database, Server([*LOGIN, PREPARED, number(7)]), Query(database, ONE))
    for client in database.clients():
        database.c.test_state(client, 4)
    query = Query(database, BY_VALUE, [3])
    server = Server([])
    assert server.until(database, query.begin) == FAILED
    assert kept(database, Query(database, ONE)) == [[7]]
    database.wait(SECONDS * 1000)
    assert asked(database, server, Query(database, ONE))[0] == FAILED


def test_dates_texts_and_null(database):
    """Kept values equal the server's."""
    date = b"\x04\xe8\x07\x02\x1d"
    kinds, rows = [DATETIME, VAR_STRING, LONG], [row(date, b"\x03Zo\xeb", None), row(None, b"\x00", b"\1\0\0\0")]
    server = Server([*LOGIN, packets(1, *prepared(columns=3)), answer(kinds, rows)])
    expected = [[b"2024-02-29 00:00:00", b"Zo\xeb", None], [None, b"", 1]]
    assert asked(database, server, Query(database, ONE)) == (END, expected)
    assert kept(database, Query(database, ONE)) == expected


@pytest.mark.parametrize("other", [4, -3, 3.0, None, "3", "", b"\x03\0\0\0\0\0\0\0"])
def test_each_value_has_its_own(database, other):
    server = Server([*LOGIN, PREPARED_BY_VALUE, number(1), number(2)])
    assert asked(database, server, Query(database, BY_VALUE, [3])) == (END, [[1]])
    assert kept(database, Query(database, BY_VALUE, [other])) is None
    assert asked(database, server, Query(database, BY_VALUE, [other])) == (END, [[2]])
    assert kept(database, Query(database, BY_VALUE, [3])) == [[1]]
    assert kept(database, Query(database, BY_VALUE, [other])) == [[2]]


def test_the_one_that_nobody_used_for_longest_gives_way(database):
    server = Server([*LOGIN, PREPARED_BY_VALUE, *(number(value) for value in (1, 2, 3))])
    for value in (1, 2):
        asked(database, server, Query(database, BY_VALUE, [value]))
        database.wait(10)
    assert kept(database, Query(database, BY_VALUE, [1])) == [[1]]
    asked(database, server, Query(database, BY_VALUE, [3]))
    found = [kept(database, Query(database, BY_VALUE, [value])) for value in (1, 2, 3)]
    assert found == [[[1]], None, [[3]]]


def test_an_answer_without_rows_is_used_too(database):
    server = Server([*LOGIN, PREPARED_BY_VALUE, number(), number(2), number(3)])
    for value in (1, 2):
        asked(database, server, Query(database, BY_VALUE, [value]))
        database.wait(10)
    assert asked(database, Server([]), Query(database, BY_VALUE, [1])) == (END, [])
    asked(database, server, Query(database, BY_VALUE, [3]))
    assert [Query(database, BY_VALUE, [value]).is_kept() for value in (1, 2, 3)] == [True, False, True]


def test_one_that_is_read_does_not_give_way(database):
    """A kept answer is not evicted while it is read."""
    server = Server([*LOGIN, PREPARED_BY_VALUE, *(number(value, value) for value in (1, 2, 3, 4))])
    for value in (1, 2):
        asked(database, server, Query(database, BY_VALUE, [value]))
    readers = [Query(database, BY_VALUE, [value]) for value in (1, 2)]
    assert [one.begin_kept(SECONDS) for one in readers] == [ROW, ROW]
    asked(database, server, Query(database, BY_VALUE, [3]))
    assert [one.row() for one in readers] == [[1], [2]]
    assert [one.next() for one in readers] == [ROW, ROW]
    assert kept(database, Query(database, BY_VALUE, [3])) is None
    readers[1].end()
    asked(database, server, Query(database, BY_VALUE, [4]))
    assert kept(database, Query(database, BY_VALUE, [4])) == [[4], [4]]
    database.wait(SETTINGS.timeout_ms + 1)
    assert kept(database, Query(database, BY_VALUE, [1])) == [[1], [1]]
    assert (readers[0].row(), readers[0].next()) == ([1], END)


def test_readers_that_are_gone_keep_no_place(database):
    """The readers' requests ended without notice."""
    server = Server([*LOGIN, PREPARED_BY_VALUE, *(number(value) for value in (1, 2, 3, 4))])
    readers = [Query(database, BY_VALUE, [value]) for value in (1, 2)]
    for value, reader in zip((1, 2), readers, strict=True):
        asked(database, server, Query(database, BY_VALUE, [value]))
        assert reader.begin_kept(SECONDS) == ROW
    asked(database, server, Query(database, BY_VALUE, [3]))
    assert kept(database, Query(database, BY_VALUE, [3])) is None
    database.wait(SETTINGS.timeout_ms + 1)
    asked(database, server, Query(database, BY_VALUE, [4]))
    assert kept(database, Query(database, BY_VALUE, [4])) == [[4]]
    assert ([one.row() for one in readers], [one.next() for one in readers]) == ([[], [2]], [FAILED, END])


def test_what_is_being_collected_is_not_read(database):
    """An unfinished answer is not used, nor is the old one in its place."""
    server = Server([*LOGIN, PREPARED_BY_VALUE, number(1), number(2), number(3, 4)])
    for value in (1, 2):
        asked(database, server, Query(database, BY_VALUE, [value]))
    third = Query(database, BY_VALUE, [3])
    assert server.until(database, lambda: third.begin_kept(SECONDS)) == ROW
    assert [Query(database, BY_VALUE, [value]).is_kept() for value in (1, 2, 3)] == [False, True, False]


def test_it_is_over_to_the_millisecond_while_somebody_reads_it(database):
    server = Server([*LOGIN, PREPARED, number(1)])
    begun = database.now_ms
    asked(database, server, Query(database, ONE))
    reader = Query(database, ONE)
    assert (database.now_ms, reader.begin_kept(1)) == (begun, ROW)
    database.wait(SETTINGS.timeout_ms)
    assert reader.row() == [1]
    database.wait(SECONDS * 1000 - SETTINGS.timeout_ms - 1)
    assert Query(database, ONE).is_kept()
    assert reader.row() == [1]
    database.wait(1)
    assert not Query(database, ONE).is_kept()
    assert (reader.row(), reader.next()) == ([1], END)


def test_numbers_of_other_types_are_others(database):
    """-1, and 2 to the 64th less 1: their octets are the same."""
    server = Server([*LOGIN, PREPARED_BY_VALUE, number(1)])
    asked(database, server, Query(database, BY_VALUE, [-1]))
    assert kept(database, Query(database, BY_VALUE, [2**64 - 1])) is None
    assert kept(database, Query(database, BY_VALUE, [-1])) == [[1]]


def test_what_is_too_long_is_not_kept(database):
    server = Server([*LOGIN, PREPARED, number(*range(20)), number(1)])
    assert asked(database, server, Query(database, ONE)) == (END, [[value] for value in range(20)])
    assert kept(database, Query(database, ONE)) is None
    long = Query(database, BY_VALUE, ["x" * 130])
    server = Server([PREPARED_BY_VALUE, number(1)])
    assert asked(database, server, long) == (END, [[1]])
    assert kept(database, Query(database, BY_VALUE, ["x" * 130])) is None


DATE, DATE_ROOM = b"\x04\xe8\x07\x02\x1d", 27  # and with a row is kept what the texts of its dates may take


@pytest.mark.parametrize("more", [0, 1])
@pytest.mark.parametrize(
    ("kinds", "values", "room"), [([VAR_STRING], [], 0), ([DATETIME, VAR_STRING], [DATE], DATE_ROOM)]
)
def test_what_just_fits_is_kept(database, kinds, values, room, more):
    """Kinds of the columns, two octets each, two lengths, a row with its head, and a text with its length."""
    text_len = SETTINGS.kept_octets - 2 * len(kinds) - 4 - 2 - len(b"".join(values)) - 1 - room + more
    text = bytes([text_len]) + b"x" * text_len
    server = Server([*LOGIN, packets(1, *prepared(columns=len(kinds))), answer(kinds, [row(*values, text)])])
    assert asked(database, server, Query(database, ONE))[0] == END
    assert (kept(database, Query(database, ONE)) is None) == bool(more)


@pytest.mark.parametrize("ended", ["well", "by an error", "by nobody knows"])
def test_a_change_of_its_own_ends_all(database, ended):
    says = {"well": packet(1, ok()), "by an error": packet(1, error(1062)), "by nobody knows": b""}[ended]
    server = Server([*LOGIN, PREPARED, number(1), PREPARED_CHANGE, says])
    asked(database, server, Query(database, ONE))
    assert server.until(database, Query(database, CHANGE).begin) == (END if ended == "well" else FAILED)
    assert kept(database, Query(database, ONE)) is None


def test_an_answer_from_before_a_change_is_not_kept():
    """An answer read on one connection is not kept if another connection changes data before its end."""
    database = Database(Settings(STATEMENTS, row=512, timeout_ms=1000, kept=2, kept_octets=128, connections=2))
    query, server = Query(database, ONE), Server([*LOGIN, PREPARED, number(1, 2)])
    assert server.until(database, lambda: query.begin_kept(SECONDS)) == ROW
    change = Query(database, CHANGE)
    assert change.begin() == WAITS
    (client,) = (one for one in database.clients() if database.c.client_state(one) == 1)
    database.c.test_state(client, 2)
    for says in (*LOGIN, PREPARED_CHANGE, packet(1, ok())):
        change.begin()
        database.c.test_receive(client, says, len(says))
        status = change.begin()
    assert status == END
    assert (query.next(), query.next()) == (ROW, END)
    assert kept(database, Query(database, ONE)) is None


def test_an_answer_that_breaks_off_is_not_kept(database):
    server = Server([*LOGIN, PREPARED, number(1, 2)[:-12], PREPARED])
    assert asked(database, server, Query(database, ONE))[0] == FAILED
    assert kept(database, Query(database, ONE)) is None


def test_who_waits_for_a_connection_gets_the_answer_of_who_has_it(database):
    server, first, second = Server([*LOGIN, PREPARED, number(1)]), Query(database, ONE), Query(database, ONE)
    assert (first.begin_kept(SECONDS), second.begin_kept(SECONDS)) == (WAITS, WAITS)
    assert asked(database, server, first) == (END, [[1]])
    assert asked(database, server, second) == (END, [[1]])
    assert database.events()["QUERIES"] == 1


def test_who_waits_for_a_connection_takes_the_place_of_no_answer(database):
    server = Server([*LOGIN, PREPARED_BY_VALUE, number(1), number(2), number(3)])
    for value in (1, 2):
        asked(database, server, Query(database, BY_VALUE, [value]))
    assert server.until(database, Query(database, BY_VALUE, [3]).begin) == ROW
    assert Query(database, BY_VALUE, [4]).begin_kept(SECONDS) == WAITS
    assert [kept(database, Query(database, BY_VALUE, [value])) for value in (1, 2)] == [[[1]], [[2]]]


def test_without_memory_for_it_each_query_asks():
    database = Database(Settings(STATEMENTS, row=512, timeout_ms=1000))
    server = Server([*LOGIN, PREPARED, number(1), number(2)])
    assert [asked(database, server, Query(database, ONE)) for _ in range(2)] == [(END, [[1]]), (END, [[2]])]
