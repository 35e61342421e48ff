# SPDX-License-Identifier: MIT
"""`./whit report` shows the costs of each URL."""

import io
import re
from pathlib import Path

import pytest
from rich.console import Console
from rich.table import Table

from tests.compiler.support import make_app
from tests.compiler.test_golden import APP
from whit.compiler import Application, compile_application
from whit.image.build import build
from whit.image.report import flash_table, strategies_table, urls_table
from whit.image.resource_cost import resource_costs
from whit.image.sizes import FILES, HANDLERS, Sizes, measure


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
    assert rows[0][:3] == ["/ /index.html", "file", str(page.representations[0].wire_len)]
    assert rows[1] == ["/lamp", "persistent", f"{lamp.representations[0].head_len} + content"]


CHOOSING = """/* <generator>
     <handlers doGet="say"/>
     <properties persistence="{}"/>
   </generator> */
#include <whit/app.h>

static char say(struct args_t *args)
{{
    (void)args;
    {}
    out_str("x");
    return 1;
}}
"""
CHOOSES = "answer_status(404);"


@pytest.mark.parametrize(
    ("persistence", "choice", "toml", "why"),
    [
        ("volatile", CHOOSES, "", "runs once for each request, as it chooses its status"),
        ("idempotent", CHOOSES, "", "gives the same output again"),
        ("persistent", CHOOSES, "", "runs once for each request"),
        ("volatile", "", "replay = false\n", "runs once for each request, as replay = false"),
        ("idempotent", "", "replay = false\n", "runs once for each request, as replay = false"),
    ],
)
def test_a_generator_is_called_as_its_author_calls_it(
    tmp_path: Path, persistence: str, choice: str, toml: str, why: str
) -> None:
    files = {"say.c": CHOOSING.format(persistence, choice), "app.toml": toml}
    application = compile_application(make_app(tmp_path / "app", files), tmp_path / "out")
    assert shown(urls_table(application))[2][:2] == ["/say", persistence]
    assert shown(strategies_table(application))[2][3] == why


@pytest.mark.slow
def test_flash_of_each_resource_is_that_of_the_image(tmp_path: Path) -> None:
    """The row of a resource shows the flash that it adds to the image; alignment may hide some octets."""
    page = "".join(f"<p>{number**3}</p>" for number in range(90))
    code = CHOOSING.format("persistent", "")
    both = {"say.c": code, "a.html": page, "404.html": "<p>not here</p>"}
    whole, without = (
        measured(make_app(tmp_path / name, {"app.toml": "", **files}))
        for name, files in (("both", both), ("one", {key: both[key] for key in ("say.c", "404.html")}))
    )
    costs = dict(zip(("/a.html", "/say", "404.html"), resource_costs(*whole), strict=True))
    assert costs["/a.html"].content == sum(len(one.body) for one in whole[0].resources[0].representations)
    assert all(costs[name].head and costs[name].sums for name in costs), costs
    assert costs["/say"].code > 0 and costs["/say"].content == costs["/a.html"].code == 0
    gone = whole[1].parts[FILES].flash - without[1].parts[FILES].flash
    assert 0 <= gone - costs["/a.html"].flash < 100  # its path, in the automaton of all
    rows = shown(flash_table(*whole))[2:]
    of_image = whole[1].parts[FILES].flash + whole[1].parts[HANDLERS].flash
    assert sum(int(row[-1].replace(" ", "")) for row in rows) == of_image


def measured(app: Path) -> tuple[Application, Sizes]:
    result = build(app)
    return result.application, measure(result.image, result.map)
