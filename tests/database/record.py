# SPDX-License-Identifier: MIT
"""Records the exchange between client and a real MariaDB for test_recorded.py: `python -m tests.database.record`."""

import json
import sys
import tempfile
from pathlib import Path

from tests.database import live
from tests.database.library import ROW, Database, Query, Settings

RECORDED = Path(__file__).parent / "recorded"
STATEMENTS = (
    "SELECT ? + 1, ?, ?, ?",
    "INSERT INTO item (name, price) VALUES (?, ?)",
    "SELECT number, text FROM many WHERE number <= ? ORDER BY number",
    "SELECT x FROM nowhere",
    "SELECT DATE'2026-01-02', TIMESTAMP'2026-01-02 03:04:05.25', CAST('-100:01:02' AS TIME), 2.5, NULL, -5, 1e300",
    "UPDATE item SET price = price + ? WHERE id < 0",
)
ASKED = ((0, (41, None, "ä'", 0.5)), (1, ("x" * 300, 9.5)), (2, (3,)), (3, ()), (4, ()), (5, (1,)), (2, (0,)))


def settings(user: str, *, row: int = 2048) -> Settings:
    """User "terse" is "native" where instructions count."""
    password, name = "" if user == "nobody" else live.PASSWORD, "native" if user == "terse" else user
    timeout_ms = 60000 if row == 2048 else 2000
    return Settings(STATEMENTS, user=name, password=password, row=row, timeout_ms=timeout_ms, fast=user == "terse")


def ask(database: Database, until) -> list[object]:
    """Each query's rows, and how it ended."""
    said: list[object] = []
    for statement, arguments in ASKED:
        query = Query(database, statement, arguments)
        rows = []
        status = until(query.begin)
        while status == ROW:
            rows.append([value.decode("latin-1") if isinstance(value, bytes) else value for value in query.row()])
            status = until(query.next)
        said.append([rows, status, query.error if status == 3 else query.inserted])
    return said


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        server = live.start(Path(scratch) / "server")
        try:
            for user in sys.argv[1:] or ("native", "signed", "nobody", "terse"):
                database = Database(settings(user))
                wires = live.Wires(database, server.port)
                said = ask(database, wires.until)
                passed = [[who, octets.hex()] for who, octets in wires.passed]
                text = json.dumps({"user": user, "passed": passed, "said": said}, indent=1)
                (RECORDED / f"{user}.json").write_text(text + "\n")
                wires.close()
        finally:
            server.end()


if __name__ == "__main__":
    main()
