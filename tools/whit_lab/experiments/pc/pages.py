# SPDX-License-Identifier: MIT
"""Requested contents: a file, the page of 211 bytes with a row of a database, and pages of many rows."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from whit.machines.mariadb import MariaDB
from whit.paths import ROOT
from whit_lab.instruments.served import content
from whit_lab.papers import BARE_PC_DATASETS, BARE_PC_FILE
from whit_lab.real.load import Page
from whit_lab.real.namespace import Namespace
from whit_lab.real.relay import CLIENT

NAME = f"{BARE_PC_FILE}.html"
FILE = Page(f"/{NAME}", content(BARE_PC_FILE))
SMALL, MEDIUM, LARGE = BARE_PC_DATASETS  # bytes of a page
SOURCES, CATALOGUE = ROOT / "lab" / "pages", ROOT / "apps" / "catalogue"
PORT, PASSWORD = 3306, "whit"  # as in lab/pages/*.php
TEXT, LEAST = 90, 20  # bytes of a row's text; least bytes of the last one
WORDS = ("oak", "ash", "pine", "beech", "walnut", "cherry", "brass", "steel", "copper", "linen", "glass", "slate")
FIRST = f"""CREATE DATABASE whit CHARACTER SET utf8mb4;
CREATE USER whit@'%' IDENTIFIED VIA mysql_native_password USING PASSWORD('{PASSWORD}');
GRANT SELECT ON whit.* TO whit@'%';
USE whit;
"""
LINES = "CREATE TABLE line (page INT UNSIGNED, number INT UNSIGNED, text VARCHAR(200), PRIMARY KEY (page, number));\n"
HEAD = '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{}</title>\n'
PAPER = "<h1>Item 49</h1>\n<p>The item is called <b>Oak cabinet</b>.\n"
PAPER += "<p>It is read from the database once more, for each request of it.\n</html>\n"


def page(size: int, php: bool) -> Page:
    """Returns the page of Whit's server or of PHP's."""
    if size == SMALL:
        return Page("/paper.php" if php else "/paper", (HEAD.format("A row") + PAPER).encode())
    rows = "".join(_row(number, text) for number, text in lines(size))
    body = f"{HEAD.format('Rows')}<table>\n{rows}</table>\n</html>\n"
    return Page(f"/rows{'.php' if php else ''}?of={size}", body.encode())


def _row(number: int, text: str) -> str:
    return f"<tr><td>{number}<td>{text}\n"


@cache
def lines(size: int) -> list[tuple[int, str]]:
    """Returns the rows of a page of this size."""
    left = size - len(HEAD.format("Rows")) - len("<table>\n</table>\n</html>\n")
    rows: list[tuple[int, str]] = []
    while left:
        number = len(rows) + 1
        room = left - len(_row(number, ""))
        text = TEXT if room - TEXT > LEAST else room
        rows.append((number, _text(number, text)))
        left -= len(_row(*rows[-1]))
    return rows


def _text(number: int, size: int) -> str:
    words = (WORDS[(number * 5 + i * i) % len(WORDS)] for i in range(size))
    return " ".join(words)[:size].rstrip().ljust(size, ".")


def files(php: bool) -> dict[str, bytes]:
    """Returns the files of the server's directory."""
    if php:
        return {NAME: FILE.body} | {name: (SOURCES / name).read_bytes() for name in ("paper.php", "rows.php")}
    sources = (SOURCES / "app.toml", SOURCES / "rows.jinja", CATALOGUE / "paper.jinja")
    return {NAME: FILE.body} | {path.name: path.read_bytes() for path in sources}


@contextmanager
def stored() -> Iterator[Path]:
    """Yields a database for several PCs, one after the other."""
    with TemporaryDirectory(prefix="whit-pages-") as made:
        yield Path(made)


@contextmanager
def database(there: Path, namespace: Namespace) -> Iterator[None]:
    """Runs MariaDB beside the PC, at its clients' address."""
    server = MariaDB(there, PORT, addresses=(CLIENT,))
    sql = "" if (there / "loaded").exists() else FIRST + (CATALOGUE / "schema.sql").read_text() + _lines()
    with namespace.entered():
        server.start(sql)
    (there / "loaded").touch()
    try:
        yield
    finally:
        server.end()


def _lines() -> str:
    """Returns short statements, one per line."""
    rows = ((size, number, text) for size in (MEDIUM, LARGE) for number, text in lines(size))
    return LINES + "".join(f"INSERT INTO line VALUES ({size}, {number}, '{text}');\n" for size, number, text in rows)
