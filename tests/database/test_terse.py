# SPDX-License-Identifier: MIT
"""Fast machines' client reads the definitions of columns once per statement, and again when a table has changed."""

import struct

import pytest

from tests.database import live
from tests.database.exchange import LONG, TINY, VAR_STRING, Server, asked, column, ok, packets, row, text, works
from tests.database.library import BROKEN, END, FAILED, ROW, Database, Query, Settings
from whit.errors import WhitError

CAN_NO_ENDS = 1 << 24
REMEMBERS, MARIADB = 1 << 4, 0x000FF7FE | CAN_NO_ENDS  # without the bit that says MySQL


def greeting(*, can: int = MARIADB, more: int = REMEMBERS) -> bytes:
    """MariaDB's, with the 32 capabilities that only it has."""
    low, high, nonce = struct.pack("<H", can & 0xFFFF), struct.pack("<H", can >> 16), bytes(range(1, 21))
    begin = b"\x0a5.5.5-test\0" + struct.pack("<I", 7) + nonce[:8] + b"\0"
    return (
        begin + low + b"\x2d\x02\0" + high + b"\x15" + bytes(6) + struct.pack("<I", more)
        + nonce[8:] + b"\0mysql_native_password\0"
    )  # fmt: skip


LOGIN = [packets(0, greeting()), packets(2, ok())]
LAST = b"\xfe\0\0" + struct.pack("<HH", 2, 0)


def prepared(*kinds: int, parameters: int = 0) -> bytes:
    head = b"\0" + struct.pack("<IHHBH", 1, len(kinds), parameters, 0, 0)
    return packets(1, head, *[column(VAR_STRING)] * parameters, *map(column, kinds))


def answer(cnt: int, *rows: bytes, kinds: tuple[int, ...] = (), last: bytes = LAST) -> bytes:
    return packets(1, bytes([cnt, bool(kinds)]), *map(column, kinds), *rows, last)


@pytest.fixture
def database():
    return Database(Settings(("SELECT a, b FROM t",), fast=True))


def test_it_says_that_it_remembers(database):
    server = Server([*LOGIN, prepared(LONG, VAR_STRING), answer(2)])
    assert asked(database, server, Query(database, 0)) == (END, [])
    login = bytes(server.heard[0])[4:]
    can, more = struct.unpack_from("<I", login)[0], struct.unpack_from("<I", login, 28)[0]
    assert (can & CAN_NO_ENDS, can & 1, more) == (CAN_NO_ENDS, 0, REMEMBERS)


@pytest.mark.parametrize("said", [greeting(can=MARIADB | 1), greeting(more=0), greeting(can=MARIADB & ~CAN_NO_ENDS)])
def test_to_another_server_it_says_what_it_always_says(database, said):
    server = Server([packets(0, said), packets(2, ok())])
    Query(database, 0).begin()
    server.until(database, Query(database, 0).begin)
    login = bytes(server.heard[0])[4:]
    assert struct.unpack_from("<I", login)[0] & (CAN_NO_ENDS | 1) == 1
    assert login[9:32] == bytes(23)


def test_columns_are_those_of_the_preparation(database):
    first, second = row(struct.pack("<i", -5), text(b"x")), row(None, text(b"y"))
    server = Server([*LOGIN, prepared(LONG, VAR_STRING), answer(2, first, second), answer(2, first)])
    assert asked(database, server, Query(database, 0)) == (END, [[-5, b"x"], [None, b"y"]])
    assert asked(database, server, Query(database, 0)) == (END, [[-5, b"x"]])


def test_columns_that_have_changed_are_said_again_and_remembered(database):
    tiny = row(b"\x07", text(b"x"))
    said = [answer(2, tiny, kinds=(TINY, VAR_STRING)), answer(2, tiny)]
    server = Server([*LOGIN, prepared(LONG, VAR_STRING, parameters=0), *said])
    for _ in said:
        assert asked(database, server, Query(database, 0)) == (END, [[7, b"x"]])


@pytest.mark.parametrize(("said", "event"), [
    (answer(3), "COLUMNS"),  # other columns than the client remembers, without definitions
    (packets(1, b"\x02"), "MALFORMED"),
    (packets(1, b"\x02\0\0"), "MALFORMED"),
    (answer(2, row(b"\1\0\0\0", b"\x05x")), "MALFORMED"),
    (answer(2, last=b"\xfe"), "MALFORMED"),
    (answer(2, last=b"\xfe\0\xfd\0\0"), "MALFORMED"),
    (answer(2, last=b"\xfe\0\0" + struct.pack("<HH", 8, 0)), "UNEXPECTED"),  # another answer follows
    (answer(2, kinds=(LONG, 200)), "COLUMNS"),
])  # fmt: skip
def test_what_is_wrong_costs_the_connection(database, said, event):
    query = Query(database, 0)
    assert asked(database, Server([*LOGIN, prepared(LONG, VAR_STRING), said]), query)[0] == FAILED
    assert (query.error, database.events()[event], database.clients()) == (BROKEN, 1, [])
    database.wait(3000)
    works(database)


def test_a_type_that_nobody_knows_is_told_when_rows_are_asked(database):
    query = Query(database, 0)
    assert asked(database, Server([*LOGIN, prepared(LONG, 200), answer(2)]), query) == (FAILED, [])
    assert database.events()["COLUMNS"] == 1


@pytest.mark.parametrize("cnt", [255, 300])
def test_of_many_columns(cnt):
    database = Database(Settings(("SELECT many",), fast=True, row=8192))
    said = (
        answer(cnt, row(*[b"\1"] * cnt))
        if cnt < 251
        else packets(1, b"\xfc" + struct.pack("<HB", cnt, 0), row(*[b"\1"] * cnt), LAST)
    )
    status, rows = asked(database, Server([*LOGIN, prepared(*[TINY] * cnt), said]), Query(database, 0))
    assert (status, rows) == ((END, [[1] * cnt]) if cnt == 255 else (FAILED, []))


def test_a_table_that_changes_between_two_queries(tmp_path):
    """A real server: the answer to the same statement has other columns."""
    try:
        server = live.start(tmp_path / "server")
    except WhitError as error:
        pytest.skip(str(error))
    statements = (
        "SELECT text FROM many WHERE number = ?",
        "ALTER TABLE many MODIFY text BLOB",
        "SELECT 1",
        "SELECT * FROM many WHERE number = 1",
        "ALTER TABLE many ADD more DOUBLE DEFAULT 0.5",
    )
    database = Database(Settings(statements, user="native", password=live.PASSWORD, fast=True))
    wires = live.Wires(database, server.port)

    def ask(statement, *arguments):
        query, rows = Query(database, statement, arguments), []
        status = wires.until(query.begin)
        while status == ROW:
            rows.append(query.row())
            status = wires.until(query.next)
        return status, rows

    try:
        assert [ask(0, 2), ask(0, 3)] == [(END, [[b"row 2"]]), (END, [[b"row 3"]])]
        last = wires.passed[-1]
        assert last == (
            "server",
            packets(1, b"\x01\0", b"\0\0\x05row 3", b"\xfe\0\0\x02\0\0\0"),
        )  # and no word of its column
        assert ask(3) == (END, [[1, b"row 1"]])
        assert [ask(1)[0], ask(4)[0]] == [END, END]
        assert [ask(0, 2), ask(3), ask(3)] == [(END, [[b"row 2"]]), *[(END, [[1, b"row 1", 0.5]])] * 2]
    finally:
        wires.close()
        server.end()
