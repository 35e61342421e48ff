# SPDX-License-Identifier: MIT
"""[database] of app.toml: the server's address, the user, and the memory that queries take.

Neither app.toml nor a served file contains the password. The compiler reads it from another file or from the
environment; it is part of the image.
"""

import ipaddress
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from whit.plain_files import SECRETS_MAX, from_home, octets_of

from . import app_toml, statements
from .device import Database
from .errors import CompileError
from .statements import Statement

DEFAULT_ADDRESS = "10.0.2.2"  # this machine's 127.0.0.1, as libslirp shows it
PASSWORD_VARIABLE = "WHIT_DATABASE_PASSWORD"
PASSWORD_MAX = 1024
KEPT_ONE, KEPT_SEVERAL = 1, 4  # answers of a statement without and with arguments


def read(app_dir: Path, settings: app_toml.Settings) -> Database | None:
    """Returns the database; None if the application has none."""
    values = settings.values
    if "database" not in settings.tables and not any(key.startswith("database.") for key in values):
        return None

    def text(key: str, default: str) -> str:
        return str(values.get(f"database.{key}", default))

    def number(key: str, default: int) -> int:
        return int(values.get(f"database.{key}", default))

    method = text("login", "any")
    return Database(
        address=text("address", DEFAULT_ADDRESS),
        port=number("port", 3306),
        user=text("user", "whit"),
        name=text("database", "whit"),
        connections=number("connections", 2),
        row=number("row", 2048),
        rows=number("rows", 10000),
        timeout_ms=number("timeout_ms", 2000),
        methods=app_toml.LOGINS if method == "any" else (method,),
        password=_password(app_dir, settings),
        own="database.address" not in values,
        kept=number("kept", 0) if "database.kept" in values else None,
        kept_octets=number("kept_octets", 4096),
    )


def _password(app_dir: Path, settings: app_toml.Settings) -> bytes | None:
    source = str(settings.values.get("database.password", f"env:{PASSWORD_VARIABLE}"))
    kind, _, name = source.partition(":")
    if kind == "env":
        said = os.environb.get(name.encode())
        if said is None and "database.password" in settings.values:
            raise settings.error("database.password", f"{name} is not set: expected the password in the environment")
        password = said
    else:
        path = (app_dir / from_home(name)).resolve()
        if path.is_relative_to(app_dir.resolve()):
            message = f"{name} is in the application's directory, all of which is served: put it elsewhere"
            raise settings.error("database.password", message)
        try:
            password = octets_of(path, SECRETS_MAX).removesuffix(b"\n")
        except OSError as error:
            raise settings.error("database.password", f"{path}: {error.strerror}: expected the password") from None
    if password is not None and len(password) > PASSWORD_MAX:
        raise settings.error("database.password", f"the password has {len(password)} bytes: at most {PASSWORD_MAX}")
    return password


def check(settings: app_toml.Settings, database: Database | None, wanted: Sequence[Statement]) -> None:
    """Checks that statements have a database."""
    if wanted and database is None:
        place = wanted[0].place
        message = f"statement {wanted[0].name}: expected in app.toml which database it is for, a table [database]"
        raise CompileError(place.file, place.line, message)


def settle(settings: app_toml.Settings, database: Database | None, wanted: Sequence[Statement]) -> Database | None:
    """Returns the database with the number of cached answers; the default is the number of such statements."""
    if database is None:
        return None
    asking = [one for one in wanted if one.is_kept]
    if asking and database.kept == 0:
        message = "kept = 0, and {}:{} says cache=: expected kept = 1 or more, or no kept"
        raise settings.error("database.kept", message.format(asking[0].place.file, asking[0].place.line))
    several = sum(KEPT_SEVERAL if one.argument_cnt else KEPT_ONE for one in asking)
    return replace(database, kept=min(several, 255) if database.kept is None else database.kept)


def hints(app_dir: Path, database: Database | None, wanted: Sequence[Statement]) -> tuple[str, ...]:
    """Returns hints at probable mistakes."""
    found = []
    if database is not None and database.password is None and not database.own:
        found.append(f"{app_dir / app_toml.FILE}: the database's password is empty; set it by {PASSWORD_VARIABLE}=...")
    if database is not None and database.password is None and database.own:
        where = f"{database.address}, port {database.port}, without a password"
        found.append(f"{app_dir / app_toml.FILE}: no database.address: asks {where}; ./whit run starts one of its own")
    if database is not None and not wanted:
        found.append(f"{app_dir / app_toml.FILE}: [database] without a statement: it is not used")
    return tuple(found)


def files(database: Database | None, wanted: Sequence[Statement]) -> dict[str, str]:
    """Generated sources, by name."""
    if database is None:
        return {}
    return {
        "whit_statements.h": statements.header(wanted),
        "whit_database.h": _header(database),
        "whit_database.c": _source(database, wanted),
    }


def _header(database: Database) -> str:
    address = int(ipaddress.IPv4Address(database.address))
    lines = [
        "// Written by the application compiler from app.toml; do not edit.",
        "#ifndef WHIT_DATABASE_LIMITS_H",
        "#define WHIT_DATABASE_LIMITS_H",
        "",
        f"#define WHIT_DATABASE_ADDRESS 0x{address:08x}u    // {database.address}",
        f"#define WHIT_DATABASE_PORT {database.port}",
        f"#define WHIT_DATABASE_CONNECTIONS {database.connections}    // that are kept, 1..16",
        f"#define WHIT_DATABASE_ROW {database.row}    // octets of a row and its columns, 512..32768",
        f"#define WHIT_DATABASE_ROWS {database.rows}u    // of an answer, 1..1000000",
        f"#define WHIT_DATABASE_TIMEOUT_MS {database.timeout_ms}    // of a query, and of each next row, 100..60000",
        f"#define WHIT_DATABASE_KEPT {database.kept}    // answers that are kept, 0..255",
        f"#define WHIT_DATABASE_KEPT_OCTETS {database.kept_octets}    // of one, its arguments included, 64..32768",
    ]
    return "\n".join([*lines, "", "#endif", ""])


def _source(database: Database, wanted: Sequence[Statement]) -> str:
    password = database.password or b""
    methods = " | ".join(f"1 << {app_toml.LOGINS.index(method)} /* {method} */" for method in database.methods)
    lines = [
        "// Written by the application compiler from app.toml and templates; do not edit. It holds a password.",
        '#include "database/place.h"',
        "",
        "const struct whit_login whit_login = {",
        f"    .user = {_c_octets(database.user.encode())},",
        f"    .database = {_c_octets(database.name.encode())},",
        f"    .password = {_c_octets(password)},",
        f"    .password_len = {len(password)},",
        f"    .methods = {methods},",
        "};",
        "",
        "const struct whit_statement whit_statements[] = {",
        *(
            f"    [{one.constant}] = {{{_c_octets(one.sql.encode())}, {len(one.sql.encode())}, {one.argument_cnt}"
            f", {_c_octets(needs.encode()) if (needs := statements.needs_text(one)) else 0}}},"
            for one in wanted
        ),
        *(["    {0},"] if not wanted else []),
        "};",
        "",
    ]
    return "\n".join(lines)


def _c_octets(octets: bytes) -> str:
    """A string literal. Octal escapes have three digits, so that no digit after one becomes part of it."""
    plain = {ord("\n"): "\\n", ord('"'): '\\"', ord("\\"): "\\\\", ord("?"): "\\?"}
    return '"' + "".join(plain.get(one) or (chr(one) if 32 <= one < 127 else f"\\{one:03o}") for one in octets) + '"'
