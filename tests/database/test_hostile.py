# SPDX-License-Identifier: MIT
"""Hostile or broken servers: each case costs an error, counted under its name, and nothing else."""

import pytest

from tests.database.exchange import (
    CAPABILITIES,
    LOGIN,
    LONG,
    LONGLONG,
    NONCE,
    VAR_STRING,
    Server,
    answer,
    asked,
    column,
    end,
    error,
    fails,
    greeting,
    ok,
    packet,
    packets,
    prepared,
    row,
    switch,
    works,
)
from tests.database.library import BROKEN, FAILED, Database, Query, Settings

SETTINGS = Settings(("SELECT 1",), password="secret", row=512, rows=20, timeout_ms=1000)
TEXT, DATE, DATETIME, TIME = VAR_STRING, 10, 12, 11
PREPARED = (*LOGIN, packets(1, *prepared(columns=1)))


@pytest.fixture
def database():
    return Database(SETTINGS)


GREETINGS = {
    "protocol 9": (greeting(version=9), "VERSION"),
    "without the protocol of 4.1": (greeting(can=CAPABILITIES & ~0x200), "VERSION"),
    "without methods": (greeting(can=CAPABILITIES & ~0x80000), "VERSION"),
    "without databases": (greeting(can=CAPABILITIES & ~8), "VERSION"),
    "a name without its end": (b"\x0a" + b"x" * 60, "MALFORMED"),
    "cut off in the capabilities": (greeting()[:30], "MALFORMED"),
    "cut off in the nonce": (greeting()[:50], "MALFORMED"),
    "a nonce without its end": (greeting(nonce=NONCE + b"x"), "MALFORMED"),
    "a name longer than a row": (greeting(name=b"x" * 600), "LONG"),
    "an error": (error(1040, b"Too many connections"), "REFUSED"),
    "an error that is cut off": (b"\xff", "REFUSED"),
}


@pytest.mark.parametrize(("said", "event"), GREETINGS.values(), ids=GREETINGS)
def test_a_greeting(database, said, event):
    fails(database, [packet(0, said)], event)
    works(database)


FIRST = {
    "a sequence that begins with 1": (packet(1, greeting()), "SEQUENCE"),
    "an empty packet": (packet(0, b""), "MALFORMED"),
    "16 MB": (b"\xff\xff\xff\0" + bytes(2000), "LONG"),
    "a length of 8 MB": (b"\0\0\x80\0" + bytes(2000), "LONG"),
    "nothing": (b"", "TIMEOUT"),
    "half a header": (b"\x40\0", "TIMEOUT"),
    "half a greeting": (packet(0, greeting())[:40], "TIMEOUT"),
}


@pytest.mark.parametrize(("said", "event"), FIRST.values(), ids=FIRST)
def test_a_first_packet(database, said, event):
    fails(database, [said], event)
    works(database)


LOGINS = {
    "refused": ([packet(2, error(1045, b"Access denied"))], "REFUSED"),
    "the clear password is wanted": ([packet(2, switch(b"mysql_clear_password"))], "METHOD"),
    "the password of before 4.1 is wanted": ([packet(2, b"\xfe")], "METHOD"),
    "a method without the end of its name": ([packet(2, b"\xfemysql_native_password")], "METHOD"),
    "a method of a kind that nobody knows": ([packet(2, switch(b"dialog"))], "METHOD"),
    "a short nonce": ([packet(2, switch(b"mysql_native_password", b"short"))], "SWITCH"),
    "a long nonce": ([packet(2, switch(b"client_ed25519", bytes(40)))], "SWITCH"),
    "a second change": (
        [packet(2, switch(b"mysql_native_password")), packet(4, switch(b"client_ed25519", bytes(32)))],
        "SWITCH",
    ),
    "the password itself": ([packet(2, switch(b"caching_sha2_password")), packet(4, b"\1\4")], "NEEDS_TLS"),
    "a public key": ([packet(2, switch(b"caching_sha2_password")), packet(4, b"\1-----BEGIN")], "UNEXPECTED"),
    "the same said twice": ([packet(2, switch(b"caching_sha2_password")), packets(4, b"\1\3", b"\1\3")], "UNEXPECTED"),
    "a change after that": (
        [packet(2, switch(b"caching_sha2_password")), packets(4, b"\1\3", switch(b"client_ed25519"))],
        "SWITCH",
    ),
    "more to another method": ([packet(2, b"\1\3")], "UNEXPECTED"),
    "rows": ([packet(2, b"\3abc")], "UNEXPECTED"),
    "a short OK": ([packet(2, b"\0\0")], "UNEXPECTED"),
    "its own sequence": ([packet(3, ok())], "SEQUENCE"),
    "silence": ([b""], "TIMEOUT"),
    "a file of ours": ([packet(2, b"\xfb/etc/passwd")], "UNEXPECTED"),
}


@pytest.mark.parametrize(("said", "event"), LOGINS.values(), ids=LOGINS)
def test_a_login(database, said, event):
    fails(database, [packet(0, greeting()), *said], event)
    works(database)


PREPARATIONS = {
    "of more arguments": (packets(1, *prepared(parameters=1)), "PARAMETERS"),
    "with number 0": (packets(1, *prepared(0)), "UNEXPECTED"),
    "cut off": (packet(1, b"\0\1\0\0\0"), "UNEXPECTED"),
    "a file of ours": (packet(1, b"\xfb/etc/passwd"), "UNEXPECTED"),
    "no end of its columns": (packets(1, *prepared(columns=2)[:-1], column(TEXT)), "UNEXPECTED"),
    "a short definition": (packets(1, prepared(columns=1)[0], b"\3"), "MALFORMED"),
    "a definition of 16 MB": (packet(1, prepared(columns=1)[0]) + b"\xff\xff\xff\2" + bytes(500), "LONG"),
    "a sequence with a gap": (packet(1, prepared(columns=1)[0]) + packet(3, column(TEXT)), "SEQUENCE"),
}


@pytest.mark.parametrize(("said", "event"), PREPARATIONS.values(), ids=PREPARATIONS)
def test_a_preparation(database, said, event):
    query = fails(database, [*LOGIN, said], event)
    assert query.error == BROKEN
    works(database)


COLUMNS = [bytes([1]), column(LONG), end()]
WORDS = {  # in the request log
    "LOCAL_INFILE": "the server wants a file of the client's",
    "COLUMNS": "a column of an unknown type, or too many columns (database.row)",
    "UNEXPECTED": "a packet that was not expected",
    "MALFORMED": "a malformed packet",
    "LONG": "a row longer than 512 octets (database.row)",
    "SEQUENCE": "a packet out of sequence",
    "ROWS": "more than 20 rows (database.rows, or LIMIT)",
    "TIMEOUT": "no answer in 1000 ms (database.timeout_ms)",
    "LOST": "the connection was refused or lost (database.address, database.port)",
}
ANSWERS = {
    "a file of ours is wanted": (packet(1, b"\xfb/etc/passwd"), "LOCAL_INFILE"),
    "more columns than there are": (packet(1, b"\xfc\xff\xff"), "COLUMNS"),
    "18 million columns": (packet(1, b"\xfe" + b"\xff" * 8), "COLUMNS"),
    "a count that is cut off": (packet(1, b"\xfc\xff"), "MALFORMED"),
    "a count with more behind it": (packet(1, b"\1\1"), "MALFORMED"),
    "an OK that is cut off": (packet(1, b"\0\0\0"), "MALFORMED"),
    "an OK with a length beyond it": (packet(1, b"\0\0\xfe\1\2"), "MALFORMED"),
    "an OK with more to come": (packet(1, ok(status=10)), "UNEXPECTED"),
    "a type that nobody knows": (packets(1, b"\1", column(99)), "COLUMNS"),
    "a definition of another kind": (packets(1, b"\1", column(LONG)[:-13] + bytes(13)), "MALFORMED"),
    "no end of its definitions": (packets(1, b"\1", column(LONG), row(bytes(4))), "UNEXPECTED"),
    "an end that is cut off": (packets(1, b"\1", column(LONG), b"\xfe\0"), "MALFORMED"),
    "more answers to come": (packets(1, *COLUMNS, end(status=8)), "UNEXPECTED"),
    "a row without its nulls": (packets(1, *COLUMNS, b"\0"), "MALFORMED"),
    "a row without its value": (packets(1, *COLUMNS, row()), "MALFORMED"),
    "a value that is cut off": (packets(1, *COLUMNS, row(bytes(3))), "MALFORMED"),
    "more than the row has": (packets(1, *COLUMNS, row(bytes(5))), "MALFORMED"),
    "a row that begins with 1": (packets(1, *COLUMNS, b"\1\0" + bytes(4)), "UNEXPECTED"),
    "a row longer than there is room": (packets(1, *COLUMNS, b"\0\0" + bytes(600)), "LONG"),
    "a sequence that stands still": (packets(1, *COLUMNS) + packet(3, row(bytes(4))), "SEQUENCE"),
    "endless rows": (packets(1, *COLUMNS, *[row(bytes(4))] * 21), "ROWS"),
    "rows that stop": (packets(1, *COLUMNS, row(bytes(4))), "TIMEOUT"),
    "half a row": (packets(1, *COLUMNS) + packet(4, row(bytes(4)))[:6], "TIMEOUT"),
}


@pytest.mark.parametrize(("said", "event"), ANSWERS.values(), ids=ANSWERS)
def test_an_answer(database, said, event):
    query = fails(database, [*PREPARED, said], event)
    assert query.error == (0 if event == "TIMEOUT" else BROKEN)
    assert database.why() == WORDS[event]
    works(database)


VALUES = {
    "a text longer than its row": (TEXT, b"\5abcd"),
    "a text of 64 kB that is not there": (TEXT, b"\xfc\xff\xffab"),
    "a text of 16 MB": (TEXT, b"\xfd\xff\xff\xffab"),
    "a text of 2^64 octets": (TEXT, b"\xfe" + b"\xff" * 8),
    "a length that is no length": (TEXT, b"\xff"),
    "a NULL where no NULL was said": (TEXT, b"\xfb"),
    "a length that is cut off": (TEXT, b"\xfc\1"),
    "no length": (TEXT, b""),
    "a date of 5 octets": (DATE, b"\5abcde"),
    "a date of 200": (DATETIME, b"\xc8" + bytes(200)),
    "a time of 7": (TIME, b"\7" + bytes(7)),
    "a number that is cut off": (LONGLONG, bytes(7)),
}


@pytest.mark.parametrize(("kind", "value"), VALUES.values(), ids=VALUES)
def test_a_value(database, kind, value):
    fails(database, [*PREPARED, answer([kind], [row(value)])], "MALFORMED")
    works(database)


def test_a_hostile_date_is_written_within_its_room(database):
    """Each field at its largest: no date of a calendar, and no octet beyond the row."""
    values = row(b"\x0b" + b"\xff" * 11, b"\x0c" + b"\xff" * 4 + b"\x07" + b"\xff" * 7)
    status, rows = asked(database, Server([*PREPARED, answer([DATETIME, TIME], [values])]), Query(database, 0))
    assert status == 2
    assert [len(value) for value in rows[0]] == [27, 24]


def test_texts_of_dates_need_room_too(database):
    """The row holds all these dates, but not their texts."""
    many = 40
    fails(database, [*PREPARED, answer([DATE] * many, [row(*[b"\4\xea\7\1\2"] * many)])], "LONG")
    works(database)


def test_a_switch_only_to_what_is_allowed():
    """[database] login names the one method."""
    database = Database(Settings(("SELECT 1",), password="secret", login="client_ed25519", timeout_ms=1000))
    fails(database, [packet(0, greeting()), packet(2, switch(b"mysql_native_password"))], "METHOD")
    assert asked(database, Server([packet(0, greeting()), packet(2, ok())]), Query(database, 0))[0] == FAILED


def test_octets_that_nobody_asked_for_cost_the_connection(database):
    """Octets behind the end of an answer, in place of the next answer, cost the connection."""
    says = [*PREPARED, answer([LONG], [row(bytes(4))]) + packet(9, ok())]
    assert asked(database, Server(says), Query(database, 0)) == (2, [[0]])
    works(database)
    assert database.events()["UNEXPECTED"] == 1


def test_the_server_s_error_keeps_the_connection(database):
    """An error of a statement or of its execution, even between rows, keeps the connection."""
    query = Query(database, 0)
    assert asked(database, Server([*LOGIN, packet(1, error(1146))]), query) == (FAILED, [])
    assert (query.error, database.events()) == (1146, {"CONNECTED": 1, "QUERIES": 1, "ERRORS": 1})
    (client,) = database.clients()
    rows = packets(1, *COLUMNS, row(bytes(4)), error(1317))
    second = Query(database, 0)
    server = Server([packets(1, *prepared(columns=1)), rows])
    assert asked(database, server, second) == (FAILED, [[0]])
    assert second.error == 1317
    assert database.clients() == [client]


def test_a_pause_after_a_failure_grows_and_ends(database):
    """A query fails at once during a pause. The pauses start small again after a login."""
    pauses = []
    for _ in range(7):
        fails(database, [packet(0, greeting(version=9))], "VERSION")
        query, waited = Query(database, 0), 0
        while query.begin() == FAILED:
            assert query.error == BROKEN
            database.wait(10)
            waited += 10
        pauses.append(waited)
        for client in database.clients():
            database.c.test_state(client, 4)
        query.begin()
        database.wait(2000)
    assert pauses[0] == 100
    assert max(pauses) == 2000
    works(database)
