# SPDX-License-Identifier: MIT
"""A real MariaDB. Of the ways to log in it lacks caching_sha2_password, for which see test_login.py."""

import os
import shutil
import time
from pathlib import Path

import pytest

from tests.database import live, record
from tests.database.library import END, FAILED, ROW, WAITS, Database, Query, Settings
from whit.errors import WhitError
from whit.machines import mariadb
from whit.machines.free_port import free_port

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("mariadb"),
    pytest.mark.skipif("WHIT_SANITIZE" in os.environ, reason="other programs are not started under sanitizers"),
]
NUMBERS = "SELECT number, text FROM many ORDER BY number"
SLEEP = "SELECT SLEEP(?)"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    try:
        server = live.start(tmp_path_factory.mktemp("mariadb"))
    except WhitError as error:
        pytest.skip(str(error))
    yield server
    server.end()


@pytest.fixture
def wired(server):
    """Makes a library with these settings, and its wires to the server."""
    made = []

    def make(*statements, user="native", password=live.PASSWORD, **settings):
        database = Database(Settings(statements, user=user, password=password, **settings))
        made.append(live.Wires(database, server.port))
        return database, made[-1]

    yield make
    for wires in made:
        wires.close()


def asked(wires, query):
    rows = []
    status = wires.until(query.begin)
    while status == ROW:
        rows.append(query.row())
        status = wires.until(query.next)
    return status, rows


@pytest.mark.parametrize("user", ["native", "signed", "nobody"])
def test_each_way_to_log_in(wired, user):
    """The client logs in by the user's method; the server changes the method where it differs from the usual one."""
    if user == "signed" and live.plugin_directory() is None:
        pytest.skip("auth_ed25519.so of package mariadb-server is not here")
    database, wires = wired("SELECT CURRENT_USER()", user=user, password="" if user == "nobody" else live.PASSWORD)
    assert asked(wires, Query(database, 0)) == (END, [[f"{user}@%".encode()]])


@pytest.mark.parametrize("user", ["native", "signed", "stranger"])
def test_a_wrong_password_is_refused_with_the_server_s_number(wired, user):
    database, wires = wired("SELECT 1", user=user, password="wrong")
    query = Query(database, 0)
    assert (asked(wires, query), query.error) == ((FAILED, []), 1045)
    assert database.events()["REFUSED"] == 1


@pytest.mark.parametrize("user", ["native", "nobody"])
def test_what_is_recorded_is_what_it_says_today(wired, server, user):
    """Values of all types, errors, changes: rows and ends of record.py's queries."""
    database = Database(record.settings(user))
    wires = live.Wires(database, server.port)
    said = record.ask(database, wires.until)
    wires.close()
    assert said[0] == [[[42, None, "\xc3\xa4'", 0.5]], END, 0]
    assert said[2] == [[[1, "row 1"], [2, "row 2"], [3, "row 3"]], END, 0]
    assert [one[2] for one in said if one[1] == FAILED] == [1406, 1146]
    assert said[4][0] == [["2026-01-02", "2026-01-02 03:04:05.25", "-100:01:02", "2.5", None, -5, 1e300]]


TIMEOUT = "no answer in 500 ms (database.timeout_ms)"
REASONS = {
    "INSERT INTO item (name) VALUES (REPEAT('x', 201))": "a text that is too long for its column (error 1406)",
    "INSERT INTO many VALUES (1, 'again')": "there is such a key already (error 1062)",
    "SELECT id FROM itme": "there is no such table (error 1146)",
    "SELECT nmae FROM item": "there is no such column (error 1054)",
    "SELEC 1": "the statement is no SQL (error 1064)",
    "INSERT INTO many VALUES (NULL, '')": "a NULL for a column that takes none (error 1048)",
    "INSERT INTO many VALUES (1e10, '')": "a number out of the column's range (error 1264)",
    "INSERT INTO many VALUES ('x', '')": "a value that is none of the column's type (error 1366)",
    "SELECT nothing()": "there is no such function (error 1305)",
    "SELECT 9223372036854775807 + ?": "a number out of range (error 1690)",
    "SELECT user FROM mysql.user": "the user may not do this with the table (error 1142; database.user, GRANT)",
    "DROP DATABASE other": "the user may not use this database (error 1044; database.user, GRANT)",
    "DROP TABLE nothing": "error 1051 of the server",
    "SELECT SLEEP(5)": TIMEOUT,
    "SELECT REPEAT('x', 2000)": "a row longer than 512 octets (database.row)",
    "SELECT number FROM many": "more than 100 rows (database.rows, or LIMIT)",
}


@pytest.mark.parametrize("statement", REASONS)
def test_the_log_says_why_a_query_failed(wired, statement):
    """The log gives the reason in plain words, with the setting that decides."""
    database, wires = wired(statement, timeout_ms=500, row=512, rows=100)
    assert asked(wires, Query(database, 0, [1] * statement.count("?")))[0] == FAILED
    assert database.why() == REASONS[statement]


def test_the_log_says_what_is_wrong_with_the_login(wired):
    database, wires = wired("SELECT 1", password="wrong")
    for _ in range(2):  # the second is not asked
        assert asked(wires, Query(database, 0))[0] == FAILED
        assert database.why() == "the login was refused (error 1045; database.user, database.password)"
    database, wires = wired("SELECT 1", database="nothing", user="nobody", password="")
    assert asked(wires, Query(database, 0))[0] == FAILED
    assert "(error 1044; database.user, GRANT)" in database.why()


def test_the_log_says_that_nobody_answers():
    database = Database(Settings(("SELECT 1",), timeout_ms=500))
    wires = live.Wires(database, free_port())
    assert asked(wires, Query(database, 0))[0] == FAILED
    assert database.why() == "not asked, it was gone a moment ago (database.address, database.port)"
    wires.close()


def test_an_argument_is_never_text_of_the_statement(wired):
    """Any text is an argument only, and comes back unchanged."""
    hostile = ["' OR 1=1 -- ", "\\'; DROP TABLE item; --", "\0\n\r\x1a\"'\\", "?", "ä€😀", "", 60000 * "x"]
    database, wires = wired("SELECT ?, ? = 'x'", row=32768, user="nobody", password="")
    for text in hostile[:-1]:
        assert asked(wires, Query(database, 0, [text, text])) == (END, [[text.encode(), int(text == "x")]])
    query = Query(database, 0, [hostile[-1], ""])  # longer than the row: an error, and no octet beyond it
    assert (asked(wires, query), query.error, database.events().get("LONG")) == ((FAILED, []), 65535, 1)


def test_rows_come_one_by_one_and_never_as_a_whole(wired):
    """5 000 rows pass through a row and rings of 512 octets; the server waits."""
    database, wires = wired(NUMBERS, row=512)
    query = Query(database, 0)
    status = wires.until(query.begin)
    for number in range(1, 5001):
        assert (status, query.row()) == (ROW, [number, f"row {number}".encode()])
        status = wires.until(query.next)
    assert status == END


def test_more_rows_than_allowed_are_cut_off(wired):
    """Endless ones too."""
    endless = "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) SELECT i FROM n"
    database, wires = wired(endless, rows=100)
    status, rows = asked(wires, Query(database, 0))
    assert (status, len(rows), database.events()["ROWS"]) == (FAILED, 100, 1)


def test_a_slow_database_costs_the_stated_time(wired):
    """A slow query ends after its timeout, and the next one gets another connection."""
    database, wires = wired(SLEEP, "SELECT 1", timeout_ms=500)
    query, began = Query(database, 0, [5]), time.monotonic()
    assert (wires.until(query.begin), query.error) == (FAILED, 0)
    assert 0.45 < time.monotonic() - began < 1.5
    assert asked(wires, Query(database, 1)) == (END, [[1]])
    assert asked(wires, Query(database, 0, [0.1])) == (END, [[0]])
    assert database.events()["TIMEOUT"] == 1


def test_a_full_pool_costs_the_stated_time(wired):
    """All connections are busy: waiting queries fail, the running ones continue."""
    database, wires = wired(SLEEP, "SELECT 1", timeout_ms=1000, connections=2)
    slow = [Query(database, 0, [0.9]), Query(database, 0, [0.9])]
    late = Query(database, 1)
    statuses = [WAITS, WAITS, WAITS]
    while WAITS in statuses:
        for i, query in enumerate([*slow, late]):
            if statuses[i] == WAITS and (i < 2 or len(database.clients()) == 2):
                statuses[i] = query.begin()
        wires.turn()
    assert statuses[:2] == [ROW, ROW]
    assert statuses[2] in (ROW, FAILED)


def test_the_database_is_killed_and_started_again_under_load(tmp_path, wired):
    """Queries fail, each in its time and most at once; the client needs no restart."""
    own = live.start(tmp_path / "own")
    try:
        database = Database(Settings((NUMBERS, "SELECT 1"), user="nobody", connections=4, timeout_ms=1000))
        wires = live.Wires(database, own.port)
        ended, longest = _load(database, wires, 1.0)
        assert ended[FAILED] == 0 and ended[END] > 10
        own.kill()
        ended, longest = _load(database, wires, 2.0)
        assert ended[FAILED] > 4 and longest < 1.6
        assert database.events()["BACKED_OFF"] > 4
        own.start()
        until = time.monotonic() + 10
        while asked(wires, Query(database, 1))[0] == FAILED:
            assert time.monotonic() < until
            wires.turn()
        ended, longest = _load(database, wires, 1.0)
        assert ended[FAILED] == 0 and ended[END] > 10
        wires.close()
    finally:
        own.end()


def _load(database, wires, seconds):
    """Six queries at a time: how many ended how, and how long the longest took to its first row."""
    ended, longest = {END: 0, FAILED: 0}, 0.0
    running = []
    until = time.monotonic() + seconds
    while time.monotonic() < until or running:
        while len(running) < 6 and time.monotonic() < until:
            query = Query(database, len(running) % 2)
            running.append([query, query.begin, time.monotonic()])
        for one in list(running):
            query, ask = one[:2]
            for _ in range(50):
                status = ask()
                if status != ROW:
                    break
                one[1] = ask = query.next
                one[2] = time.monotonic()
            if status in ended:
                ended[status] += 1
                longest = max(longest, time.monotonic() - one[2])
                running.remove(one)
        wires.turn(0.005)
    return ended, longest


def test_a_mistake_in_the_schema_is_told(tmp_path):
    """An error in the schema is reported, and the server stops."""
    if shutil.which("mariadb-install-db") is None:
        pytest.skip("mariadb-install-db is not here")
    made = mariadb.MariaDB(tmp_path / "m", free_port())
    with pytest.raises(WhitError, match=r"You have an error in your SQL syntax.*TABEL x"):
        made.start("CREATE TABEL x;\n")
    data = str(tmp_path / "m").encode()
    assert not [one for one in Path("/proc").glob("[0-9]*/cmdline") if data in _read(one)]


def _read(path: Path) -> bytes:
    """Returns the file's content; empty if the process has ended."""
    try:
        return path.read_bytes()
    except OSError:
        return b""
