# SPDX-License-Identifier: MIT
"""`./whit run` of an application with a database: its own MariaDB, asked by the engine over its own TCP."""

import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.host.conftest import Running, port
from whit.errors import WhitError
from whit.machines.free_port import free_port
from whit.machines.mariadb import ClientError, MariaDB
from whit.paths import ROOT
from whit_lab.real.unpacked import UNPACKED, unpack_file

__all__ = ["port"]  # a fixture
APP = ROOT / "tests" / "apps" / "database"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("mariadb"),
    pytest.mark.skipif("WHIT_SANITIZE" in os.environ, reason="other programs are not started under sanitizers"),
    pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed"),
    pytest.mark.skipif(not shutil.which("mariadb-install-db"), reason="mariadb-server-core is not installed"),
]
COMMAND = [sys.executable, "-m", "whit"]


@pytest.fixture(scope="session")
def tables(tmp_path_factory):
    """Returns the data of a server without users. Creating them takes longer than a test."""
    return MariaDB(tmp_path_factory.mktemp("tables"), 0).directory / "data"


@pytest.fixture
def start(tmp_path, port, monkeypatch, tables):
    """Starts the application, and ends it. `new`: it makes the server's tables itself."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "tools"))
    monkeypatch.setenv("WHIT_KEPT", str(tmp_path / ".whit"))
    started = []

    def begin(app=APP, *more, new=False):
        data = tmp_path / ".whit" / "database" / "database" / "data"
        if app == APP and not new and not data.exists():
            shutil.copytree(tables, data)
        command = [*COMMAND, "run", str(app), "--port", str(port), "--quiet", "--counters", *more]
        started.append(Running(command, tmp_path))
        started[-1].read_until("Ctrl-C ends it.")
        return started[-1]

    yield begin
    for one in started:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait()


def get(port, path, seconds=20):
    """The content, or the status where it is not 200."""
    command = ["curl", "-s", "-m", str(seconds), "-w", "%{http_code}", f"http://127.0.0.1:{port}/{path}"]
    said = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    return said[:-3] if said.endswith("200") else said[-3:]


def pid_of(tmp_path):
    return int((tmp_path / ".whit/database/database/data/mariadbd.pid").read_text())


def test_a_database_is_started_and_asked(start, tmp_path, port):
    """The database has the tables of schema.sql, which is not served; added rows survive a restart."""
    server = start(new=True)
    assert get(port, "item?id=1") == "lamp\n12.50\n2026-01-02 03:04:05\n"
    assert get(port, "item?id=9") == "404"
    assert get(port, "add?name=it%27s") == "4"
    assert get(port, "schema.sql") == "404"
    assert (tmp_path / ".whit/database/database/password").stat().st_mode & 0o777 == 0o600
    first = pid_of(tmp_path)
    assert server.end(signal.SIGINT) == 0
    assert "database: logged in" in server.output
    assert not Path(f"/proc/{first}").exists()
    start()
    assert get(port, "list") == "lamp\nchair; with arms\ntable\nit's\n"


@pytest.mark.skipif(not shutil.which("qemu-system-i386"), reason="qemu-system-x86 is not installed")
@pytest.mark.skipif(not shutil.which("i686-linux-gnu-gcc"), reason="gcc-i686-linux-gnu is not installed")
def test_a_bare_pc_asks_it_too(start, port):
    """The image without an operating system, by the address that shows it this machine."""
    start(APP, "--target", "pc")
    assert get(port, "item?id=1") == "lamp\n12.50\n2026-01-02 03:04:05\n"
    assert get(port, "list") == "lamp\nchair; with arms\ntable\n"


UTF_8 = "this line is not UTF-8: expected UTF-8, or SET NAMES latin1; in its first line"


def test_a_mistake_in_the_schema_is_one_line(start, tmp_path, port):
    """The error names its line, and the next start tries again."""
    app = shutil.copytree(APP, tmp_path / "app")
    for schema, expected in (
        ("CREATE TABLE a (id INT);\n\nCREATE TABEL b (id INT);\n", "3: You have an error in your SQL syntax"),
        ("CREATE TABLE a (id INT);\n-- b\nGARBAGE\n", "3: You have an error in your SQL syntax"),
        ("CREATE TABLE a (name CHAR(9));\n-- b\nINSERT INTO a VALUES ('Zo\xeb');\n", f"3: {UTF_8}"),
        ("CREATE TABLE a (id INT);\nCREATE TABLE b (na\xefve INT);\n", f"2: {UTF_8}"),
    ):
        (app / "schema.sql").write_text(schema, encoding="latin-1")
        command = [*COMMAND, "run", str(app), "--port", str(port)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode != 0
        place, _, words = expected.partition(" ")
        said = done.stderr.splitlines()[-1]
        assert said.startswith(f"whit: app/schema.sql:{place} ")
        assert words in said
    shutil.copy(APP / "schema.sql", app)
    start(app)
    assert get(port, "list").startswith("lamp\n")


SCHEMA = """\
CREATE TABLE item (id INT AUTO_INCREMENT PRIMARY KEY, größe INT, name VARCHAR(40), picture BLOB);
INSERT INTO item (größe, name) VALUES (7, 'Zoë – 東京 😀');
CREATE VIEW named AS SELECT id, name FROM item;
CREATE DEFINER = 'somebody'@'elsewhere' VIEW foreign_view AS SELECT id, name FROM item;
CREATE FUNCTION twice(n INT) RETURNS INT DETERMINISTIC RETURN 2 * n;
DELIMITER //
CREATE TRIGGER grow BEFORE INSERT ON item FOR EACH ROW BEGIN
  SET NEW.größe = twice(IFNULL(NEW.größe, 21));
END//
DELIMITER ;
"""
PAGES = {
    "list": "{% for row in query('SELECT name, größe AS size FROM item ORDER BY id') %}{{ row.name }} {{ row.size }};"
    "{% endfor %}",
    "view": "{% for row in query('SELECT name FROM named') %}{{ row.name }};{% endfor %}",
    "foreign": "{% for row in query('SELECT name FROM foreign_view') %}{{ row.name }};{% endfor %}",
    "twice": "{% for row in query('SELECT twice(21) AS n') %}{{ row.n }}{% endfor %}",
    "add": "{% do execute(\"INSERT INTO item (name, picture) VALUES ('new', X'00FF0D0A1A5C27')\") %}added",
    "picture": "{% for row in query('SELECT HEX(picture) AS hex FROM item WHERE id = 2') %}{{ row.hex }}{% endfor %}",
}


def schema_app(tmp_path, name, schema, tables):
    """Returns an application with the pages above."""
    app = tmp_path / name
    app.mkdir()
    shutil.copytree(tables, tmp_path / f".whit/{name}/database/data")
    (app / "schema.sql").write_bytes(schema)
    (app / "app.toml").write_text(f'name = "{name}"\n[database]\n')
    for one, text in PAGES.items():
        (app / f"{one}.jinja").write_text(text)
    return app


def test_a_schema_in_utf_8_with_views_triggers_and_functions(start, tmp_path, port, tables):
    """A schema runs unchanged, even with names of another server's users. A dump, with a BLOB, gives the same data."""
    server = start(schema_app(tmp_path, "first", SCHEMA.encode(), tables))
    assert get(port, "list") == "Zoë – 東京 😀 7;"
    assert get(port, "view") == get(port, "foreign") == "Zoë – 東京 😀;"
    assert get(port, "twice") == "42"
    assert get(port, "add") == "added"
    assert get(port, "list") == "Zoë – 東京 😀 7;new 42;"
    dump = dumped(tmp_path / ".whit/first/database/data")
    assert server.end(signal.SIGINT) == 0
    assert "hint" not in server.output
    assert b"DEFINER=" in dump
    assert b"'\\0\xff" in dump
    with pytest.raises(UnicodeDecodeError):
        dump.decode()
    server = start(schema_app(tmp_path, "second", dump, tables))
    assert get(port, "list") == "Zoë – 東京 😀 7;new 42;"
    assert get(port, "view") == get(port, "foreign") == "Zoë – 東京 😀;new;"
    assert get(port, "picture") == "00FF0D0A1A5C27"
    assert get(port, "twice") == "42"
    assert server.end(signal.SIGINT) == 0


def dumped(data):
    """Returns the output of mariadb-dump, of package mariadb-client."""
    try:
        unpack_file("mariadb-client", "/usr/bin/mariadb-dump")
    except WhitError as error:
        pytest.skip(str(error))
    dump = shutil.which("mariadb-dump") or str(UNPACKED / "usr/bin/mariadb-dump")
    command = [dump, "--no-defaults", "--socket=mariadbd.sock", "--routines", "--triggers", "whit"]
    return subprocess.run(command, cwd=data, check=True, capture_output=True).stdout


def test_a_schema_starts_no_program_and_writes_no_file(tmp_path, tables):
    """Others write it."""
    shutil.copytree(tables, tmp_path / "own" / "data")
    server = MariaDB(tmp_path / "own", free_port())
    server.start("CREATE DATABASE whit;\n")
    (tmp_path / "other.sql").write_text("CREATE TABLE whit.other (id INT);\n")
    try:
        for line in (f"\\! touch {tmp_path}/made", f"system touch {tmp_path}/made", f"source {tmp_path}/other.sql"):
            for text in (
                line,
                f"SELECT 1; {line}",
                f"tee {tmp_path}/made",
                f"SELECT 'a' INTO OUTFILE '{tmp_path}/made'",
            ):
                (tmp_path / "schema.sql").write_text(f"{text};\n{text}\n")
                with pytest.raises(ClientError):
                    server.load(tmp_path / "schema.sql", "whit")
        assert not (tmp_path / "made").exists()
        assert server.ask("SHOW TABLES FROM whit") == []
    finally:
        server.end()


def test_a_statement_that_the_database_refuses_is_told_with_its_place(start, tmp_path, port, tables):
    """The log shows all refused statements, and that schema.sql has changed since the tables were made."""
    app = shutil.copytree(APP, tmp_path / "app")
    shutil.copytree(tables, tmp_path / ".whit/database/database/data")
    lost = "{% for row in query('SELECT id FROM itme WHERE id = ?', 7) %}{{ row.id }}{% endfor %}"
    (app / "lost.jinja").write_text(f"<p>\n{lost}\n")
    (app / "other.jinja").write_text("{% for row in query('SELECT nmae FROM item') %}{{ row.nmae }}{% endfor %}")
    server = start(app)
    assert get(port, "lost") == get(port, "other") == "503"
    assert get(port, "list").startswith("lamp\n")
    assert server.end(signal.SIGINT) == 0
    hints = [line for line in server.output.splitlines() if "clients get 503" in line]
    assert hints == [
        "hint: app/lost.jinja:2: Table 'whit.itme' doesn't exist: clients get 503",
        "hint: app/other.jinja:1: Unknown column 'nmae' in 'SELECT': clients get 503",
    ]
    (app / "schema.sql").touch()
    server = start(app)
    assert server.end(signal.SIGINT) == 0
    assert server.output.count("schema.sql has changed since the tables were made: remove .whit/database/database") == 2


def test_slow_statements_hold_nobody_else(start, port):
    """All connections to the database are busy, queries fail in their time, a static page does not wait."""
    server = start()
    assert get(port, "slow?s=0") == "slept"
    with ThreadPoolExecutor(8) as pool:
        slow = [pool.submit(get, port, "slow?s=30") for _ in range(6)]
        time.sleep(0.3)
        began = time.monotonic()
        assert "a static page" in get(port, "")
        assert time.monotonic() - began < 0.5 or not any(one.done() for one in slow)  # on a busy machine
        assert [one.result() for one in slow] == ["503"] * 6
        assert time.monotonic() - began < 25
    assert get(port, "item?id=3") == "table\nNULL\n2026-01-02 03:04:05\n"
    server.end()
    assert "no answer in time" in server.output or "connection lost" in server.output


def test_the_database_is_stopped_and_goes_on_under_load(start, tmp_path, port):
    """While the database hangs, queries time out, static pages are served, and nothing is restarted."""
    start()
    pid = pid_of(tmp_path)
    assert get(port, "item?id=2").startswith("chair")
    os.kill(pid, signal.SIGSTOP)
    try:
        with ThreadPoolExecutor(12) as pool:
            began = time.monotonic()
            failed = [pool.submit(get, port, "list") for _ in range(8)]
            pages = [pool.submit(get, port, "") for _ in range(8)]
            assert all("a static page" in page.result() for page in pages)
            assert [one.result() for one in failed] == ["503"] * 8
            assert time.monotonic() - began < 8
    finally:
        os.kill(pid, signal.SIGCONT)
    until = time.monotonic() + 10
    while get(port, "item?id=2") == "503":
        assert time.monotonic() < until
        time.sleep(0.1)
    with ThreadPoolExecutor(8) as pool:
        assert all(page.startswith("lamp\n") for page in pool.map(lambda _: get(port, "list"), range(40)))


def test_without_mariadb_the_way_out_is_told(tmp_path, monkeypatch):
    """One line, with the package."""
    from whit.errors import WhitError
    from whit.machines import mariadb

    monkeypatch.setattr(shutil, "which", lambda name, path=None: None)
    with pytest.raises(WhitError, match="apt-get install -y --no-install-recommends mariadb-server-core"):
        mariadb.MariaDB(tmp_path, 1)
