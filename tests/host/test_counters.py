# SPDX-License-Identifier: MIT
"""`./whit run --counters` prints at its end a row for each representation of a resource."""

import re
from pathlib import Path

import pytest

from tests.compiler.support import make_app

from .conftest import WHIT, Start, get

pytestmark = pytest.mark.slow


def test_a_row_says_which_coding_it_counts(start: Start, port: int, tmp_path: Path) -> None:
    """A comma in a name belongs to it."""
    page = "<p>" + "again and " * 200
    app = make_app(tmp_path / "app", {"app.toml": "", "a,b.html": page, "index.html": page})
    server = start(WHIT, "run", app, "--port", port, "--counters")
    server.read_until("Ctrl-C ends it.")
    for url, fields in (("/", ""), ("/", "Accept-Encoding: gzip\r\n"), ("/", "Accept-Encoding: gzip\r\n")):
        get(port, url, fields=fields)
    assert server.end() == 0
    rows = re.findall(r"^(/.*?) {2,}(\d+)", server.output.partition("octet seconds held")[2], re.MULTILINE)
    assert rows == [("/index.html", "1"), ("/index.html (gzip)", "2")]
