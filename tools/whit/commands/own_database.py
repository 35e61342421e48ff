# SPDX-License-Identifier: MIT
"""The database that `whit run` starts for an application whose app.toml names no address. It is a MariaDB with its
data next to persistent memory, tables from the application's schema.sql, and a random password.
"""

import contextlib
import fcntl
import re
import secrets
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from whit.commands.steps import steps
from whit.compiler import Application, CompileError
from whit.compiler.application import database_of
from whit.compiler.device import Board, Database
from whit.compiler.resources import SCHEMA
from whit.compiler.statements import Need
from whit.errors import WhitError
from whit.image import c_messages
from whit.image.build import find_application
from whit.machines import emulator
from whit.machines.free_port import free_port
from whit.machines.mariadb import ClientError, MariaDB, kept_password, quoted
from whit.machines.prepared import Column, prepared
from whit.machines.qemu_link import host_address
from whit.machines.run_options import RunOptions

_ADDRESS = re.compile(r"\binet (\d+\.\d+\.\d+\.\d+)/")


@contextlib.contextmanager
def started(options: RunOptions, console: Console) -> Iterator[RunOptions]:
    """The options of a build that finds it. Without such an application, nothing is started."""
    directory = find_application(options.app_dir)
    try:
        name, board, database = database_of(directory, emulator.placed(options).overrides)
    except CompileError as error:
        raise WhitError(c_messages.near(str(error))) from error
    if database is None or not database.own:
        yield options
        return
    there = options.data_directory(name) / "database"
    there.mkdir(parents=True, exist_ok=True)
    with _alone(there):
        yield from _serving(options, directory, there, board, database, console)


@contextlib.contextmanager
def _alone(there: Path) -> Iterator[None]:
    """Locks the database. WhitError: another server uses it."""
    with (there / "lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            way_out = "end it, or give this one a place of its own with --data"
            raise WhitError(f"{there}: another server keeps its data there; {way_out}", 1) from None
        yield


def _serving(
    options: RunOptions, directory: Path, there: Path, board: Board, database: Database, console: Console
) -> Iterator[RunOptions]:
    """Yields once the database takes connections, and ends it."""
    password, host = there / "password", _host_address(options)
    with steps(console, "starting its database"):
        server = MariaDB(there, _port(there), addresses=("127.0.0.1", *([host] if host else [])))
    if host is None and options.target != "linux":
        host = host_address(board)
    try:
        with steps(console, "starting its database"):
            _start(server, database, kept_password(password), directory / SCHEMA)
        own: dict[str, object] = {"database.port": server.port, "database.password": f"file:{password.resolve()}"}
        if host:
            own["database.address"] = host
        where = c_messages.from_here(there)
        print(f"its database: MariaDB on port {server.port} of 127.0.0.1, data in {where}", flush=True)
        yield replace(options, overrides={**(options.overrides or {}), **own}, own_database=there)
    finally:
        server.end()


def _start(server: MariaDB, database: Database, password: str, schema: Path) -> None:
    """The user, who may read and write but not change tables, and at the first start the tables."""
    user, name, loaded = quoted(database.user), f"`{database.name}`", server.directory / "loaded"
    sql = f"CREATE DATABASE IF NOT EXISTS {name} CHARACTER SET utf8mb4;\n"
    sql += f"CREATE OR REPLACE USER {user}@'%' IDENTIFIED BY {quoted(password)};\n"
    sql += f"GRANT SELECT, INSERT, UPDATE, DELETE, EXECUTE ON {name}.* TO {user}@'%';\n"
    server.start(sql if loaded.exists() else f"DROP DATABASE IF EXISTS {name};\n{sql}")
    if loaded.exists():
        return
    try:
        if schema.exists() and not schema.is_file():
            raise WhitError(f"{schema}: neither file nor directory: expected a file of SQL")
        if schema.exists():
            server.load(schema, database.name)
            _definers(server, database.name)
    except ClientError as error:
        raise WhitError(c_messages.near(str(_mistake_in(schema, error)))) from error
    loaded.touch()  # and not again: it is as old as the tables


def _definers(server: MariaDB, name: str) -> None:
    """Creates the users that a dump names as definers: views, triggers and functions run with their rights. They get
    rights in this database alone, and their accounts are locked."""
    parts = {"views": "table", "triggers": "trigger", "routines": "routine", "events": "event"}
    each = (
        f"SELECT definer FROM information_schema.{one} WHERE {key}_schema = {quoted(name)}"
        for one, key in parts.items()
    )
    known = "SELECT CONCAT(User, '@', Host) FROM mysql.user"
    for (definer,) in server.ask(
        f"SELECT DISTINCT definer FROM ({' UNION '.join(each)}) AS of WHERE definer NOT IN ({known})"
    ):
        user, _, host = definer.rpartition("@")
        account = f"{quoted(user)}@{quoted(host)}"
        password = quoted(secrets.token_urlsafe(24))
        server.ask(
            f"CREATE USER {account} IDENTIFIED BY {password} ACCOUNT LOCK; GRANT ALL ON `{name}`.* TO {account};"
        )


def _mistake_in(schema: Path, error: ClientError) -> CompileError:
    """Returns MariaDB's error, with a hint at the encoding. MariaDB reads UTF-8 unless the file says otherwise."""
    octets = schema.read_bytes()
    try:
        octets.decode()
    except UnicodeDecodeError as wrong:
        line = octets.count(b"\n", 0, wrong.start) + 1
        if line == error.line or re.search(r"character string|Incorrect string value", error.message):
            way = "this line is not UTF-8: expected UTF-8, or SET NAMES latin1; in its first line"
            return CompileError(schema, line, f"{error.message}: {way}")
    return CompileError(schema, error.line, error.message)


def hints(options: RunOptions, application: Application) -> Iterator[str]:
    """Yields a hint for each statement that the database cannot prepare: requests with it get 503 without a reason."""
    there, database = options.own_database, application.database
    if there is None or database is None or not application.statements:
        return
    asked = [one.sql for one in application.statements]
    try:
        said = prepared(database.port, database.user, database.password or b"", database.name, asked)
    except OSError as error:
        yield f"{application.directory}: its database could not be asked whether its statements are right: {error}"
        return
    schema = application.directory / SCHEMA
    is_newer = schema.exists() and schema.stat().st_mtime > (there / "loaded").stat().st_mtime
    remove = f"remove {c_messages.from_here(there)} to make a new one"
    way_out = f"; {SCHEMA} has changed since the tables were made: {remove}" if is_newer else ""
    for one, answer in zip(application.statements, said, strict=True):
        if answer.mistake:
            yield f"{CompileError(one.place.file, one.place.line, answer.mistake)}: clients get 503{way_out}"
        for number, column in enumerate(answer.columns):
            need = one.needs.get(number)
            if need is not None and not column.serves(need.kind):
                yield f"{CompileError(need.file, need.line, _refused(need, column))}: clients get 503"


def _refused(need: Need, column: Column) -> str:
    """Returns why pages cannot compute with such a column, and an SQL expression that can."""
    if need.kind == Need.TEXT:
        return f"{need.column} is {column.name}: expected a text here; without quotes, it is compared as a number"
    if need.kind == Need.INT and column.serves(Need.NUMBER):
        what = f"a page computes with whole numbers of 64 bits, and compares {column.name} with them"
        return f"{need.column} is {column.name}: {what}; SQL computes with it exactly, SELECT 2 * price AS twice"
    return f"{need.column} is {column.name}: expected a number; SQL converts it, CAST(... AS INT), or compares it"


def _port(there: Path) -> int:
    """Returns the port of the last run if it is still free, because another one changes the build."""
    file = there / "port"
    port = free_port(int(file.read_text())) if file.exists() else free_port()
    file.write_text(f"{port}\n")
    return port


def _host_address(options: RunOptions) -> str | None:
    """Returns this machine's address on the TAP device; None without one: 127.0.0.1 is enough for libslirp."""
    if options.tap is None:
        return None
    said = subprocess.run(["ip", "-4", "addr", "show", "dev", options.tap], capture_output=True, text=True).stdout
    found = _ADDRESS.search(said)
    if found is None:
        raise WhitError(f"--tap {options.tap}: this machine has no address there, at which the database could be asked")
    return found[1]
