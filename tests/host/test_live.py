# SPDX-License-Identifier: MIT
"""`whit run --live`: follows edits, and outlives a broken application."""

from pathlib import Path

import pytest

from .conftest import WHIT, Start, body, get, until

pytestmark = pytest.mark.slow


def test_follows_an_edit_and_survives_a_broken_file(start: Start, counter: Path, port: int) -> None:
    server = start(WHIT, "run", counter, "--port", port, "--live")
    server.read_until("Ctrl-C ends it.")
    assert body(get(port, "/count")) == b"1"

    (counter / "index.html").write_text("<!doctype html><title>Counter</title><p>second")
    server.read_until("rebuilt")
    until(lambda: b"second" in body(get(port)))

    source = (counter / "count.c").read_text()
    (counter / "count.c").write_text(source.replace("return 1;", "return one;"))
    server.read_until("Still serving")
    assert "count.c:" in server.output and "one" in server.output
    assert b"second" in body(get(port))
    assert body(get(port, "/count")) == b"2"

    (counter / "count.c").write_text(source)
    (counter / "more.txt").write_text("a new file")
    until(lambda: body(get(port, "/more.txt")) == b"a new file")
    assert body(get(port, "/count")) == b"3"

    (counter / "more.txt").unlink()
    until(lambda: get(port, "/more.txt").startswith(b"HTTP/1.1 404 "))
    gone = get(port, "/more.txt")
    assert b"<p>no such path<p>" in gone and b"new EventSource(" in gone  # the page of an error reloads as well
    server.read_until("GET /more.txt 404 no such path\n")
    assert server.end() == 0
    assert "Traceback" not in server.output
