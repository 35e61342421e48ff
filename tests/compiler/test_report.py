# SPDX-License-Identifier: MIT
"""What `./whit report` says of each URL."""

import io
import re
from pathlib import Path

from rich.console import Console
from rich.table import Table
from whit.compiler import compile_application
from whit.image.report import strategies_table, urls_table

from tests.compiler.test_golden import APP


def shown(table: Table) -> list[list[str]]:
    """The cells of each row."""
    console = Console(file=io.StringIO(), width=200)
    console.print(table)
    assert isinstance(console.file, io.StringIO)
    return [re.split(r" {2,}", line.strip()) for line in console.file.getvalue().splitlines()]


def test_every_url_and_why_it_is_answered_so(tmp_path: Path) -> None:
    application = compile_application(APP, tmp_path)
    rows = shown(strategies_table(application))
    assert rows[0] == ["URL", "method", "strategy", "because", "runs to send again"]
    assert rows[2:] == [
        ["/index.html", "GET", "S0 pre-processed", "a file: its octets are in flash", "none"],
        ["/lamp", "GET", "S1 kept until acknowledged", "runs once for each request", "none"],
        ["/log", "GET", "S4 from rerun points, S3 if a run is expensive", "gives the same output again",
         "1 run for each segment, from the last rerun point"],
        ["/log", "POST", "S1 kept until acknowledged", "a body is accepted once", "none"],
    ]  # fmt: skip


def test_urls_with_the_same_strategy_share_a_row(tmp_path: Path) -> None:
    directory = tmp_path / "files"
    directory.mkdir()
    for name in ("a.txt", "b.txt"):
        (directory / name).write_text(name)
    (directory / "app.toml").write_text('name = "files"\n')
    rows = shown(strategies_table(compile_application(directory, tmp_path / "out")))
    assert rows[2:] == [["/a.txt", "GET", "S0 pre-processed", "a file: its octets are in flash", "none"], ["/b.txt"]]


def test_what_a_response_takes(tmp_path: Path) -> None:
    application = compile_application(APP, tmp_path)
    page, lamp, _ = application.resources
    rows = shown(urls_table(application))[2:]
    assert rows[0][:3] == ["/ /index.html", "static", str(page.representations[0].wire_len)]
    assert rows[1] == ["/lamp", "persistent", f"{lamp.representations[0].head_len} + content"]
