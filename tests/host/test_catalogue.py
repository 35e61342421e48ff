# SPDX-License-Identifier: MIT
"""apps/catalogue and a MariaDB: its pages by curl and in a browser, and a database that is absent for a while."""

import html
import os
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser.served import served
from whit.errors import WhitError
from whit.image.export import export
from whit.machines.free_port import free_port
from whit.machines.mariadb import MariaDB
from whit.paths import ROOT

from .conftest import Start

pytestmark = pytest.mark.xdist_group("mariadb")
APP = ROOT / "apps" / "catalogue"
PASSWORD = "a 'pass\" word"
FIRST = """CREATE DATABASE whit CHARACTER SET utf8mb4;
CREATE USER whit@'%' IDENTIFIED VIA mysql_native_password USING PASSWORD('a ''pass" word');
GRANT ALL ON whit.* TO whit@'%';
USE whit;
"""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MariaDB]:
    try:
        started = MariaDB(tmp_path_factory.mktemp("mariadb"), free_port())
        started.start(FIRST + (APP / "schema.sql").read_text())
    except WhitError as error:
        pytest.skip(str(error))
    yield started
    started.end()


@pytest.fixture(scope="module")
def catalogue(database: MariaDB, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    os.environ["WHIT_DATABASE_PASSWORD"] = PASSWORD
    try:
        there = f"database.port={database.port}", "database.address=10.0.2.2"
        with served(APP, tmp_path_factory.mktemp("data"), *there) as url:
            yield url.rstrip("/")
    finally:
        del os.environ["WHIT_DATABASE_PASSWORD"]


def curl(url: str, *options: str) -> tuple[int, str, str]:
    """Status, head and body."""
    done = subprocess.run(
        ["curl", "-sS", "-i", "--max-time", "20", *options, url], capture_output=True, text=True, check=True
    )
    head, _, body = done.stdout.partition("\n\n")
    return int(head.split()[1]), head, body


def names(body: str) -> list[str]:
    return [html.unescape(one) for one in re.findall(r'<a href="/item/\d+">(.*?)</a>', body)]


def test_the_list(catalogue: str) -> None:
    status, head, body = curl(f"{catalogue}/")
    assert status == 200
    assert "Content-Type: text/html; charset=utf-8" in head
    first = names(body)
    assert len(first) == 20
    assert first[0] == "Ash basket"
    assert "<span>1 to 20 of 240</span>" in body
    assert 'rel="prev"' not in body
    seen = [name for page in range(12) for name in names(curl(f"{catalogue}/?page={page}")[2])]
    assert len(seen) == len(set(seen)) == 240
    assert seen == sorted(seen)
    assert 'rel="next"' not in curl(f"{catalogue}/?page=11")[2]
    assert curl(f"{catalogue}/?page=12")[0] == 404
    assert curl(f"{catalogue}/?page=70000")[0] == 400


def test_an_item(catalogue: str) -> None:
    status, _, body = curl(f"{catalogue}/item/49")
    assert status == 200
    assert "<h1>Oak cabinet</h1>" in body
    assert "<dd>402.00" in body
    status, _, body = curl(f"{catalogue}/item/999999")
    assert (status, "<h1>No item 999999</h1>" in body) == (404, True)
    assert curl(f"{catalogue}/item/x")[0] == 400


def test_the_page_of_the_paper(catalogue: str) -> None:
    assert len((APP / "paper.jinja").read_bytes()) == 469
    status, head, body = curl(f"{catalogue}/paper")
    assert status == 200
    assert len(body.encode()) == 211
    assert re.search(r"Content-Length: +211\b", head)
    assert "<b>Oak cabinet</b>" in body
    assert len((APP / "about.html").read_bytes()) == 3593


@pytest.mark.parametrize(
    "value", ["brass", "' OR ''='", "%", "\\", '"><script>alert(1)</script>', "Zoë & Co", "a\nb", "?", "x' -- "]
)
def test_what_is_typed_stays_what_it_is(catalogue: str, value: str) -> None:
    status, _, body = curl(f"{catalogue}/find?q={quote(value, safe='')}")
    assert status == 200
    assert len(names(body)) == (20 if value == "brass" else 0)
    assert "<script" not in body
    typed = re.search(r'name="q" value="(.*?)" placeholder', body, re.DOTALL)
    assert typed
    assert html.unescape(typed[1]) == value


def test_the_schema_is_not_served(catalogue: str) -> None:
    assert [curl(f"{catalogue}/{name}")[0] for name in ("schema.sql", "_base.html", "index.html.jinja")] == [404] * 3


def test_an_item_that_somebody_adds(catalogue: str) -> None:
    name = "Zoë's <b>\"box\"</b> & '; DROP TABLE item; --"
    form: list[str] = []
    for key, value in (("name", name), ("kind", "hall"), ("cents", "1234")):
        form += ["--data-urlencode", f"{key}={value}"]
    status, head, body = curl(f"{catalogue}/add", *form)
    assert (status, body) == (303, "")
    assert "Location: /added\n" in head
    body = curl(f"{catalogue}/added")[2]
    number = re.search(r'href="/item/(\d+)"', body)
    assert number
    body = curl(f"{catalogue}/item/{number[1]}")[2]
    assert name in [html.unescape(one) for one in re.findall("<h1>(.*?)</h1>", body)]
    assert "<dd>12.34" in body
    assert curl(f"{catalogue}/add", "-d", "name=x&kind=y")[0] == 400
    assert curl(f"{catalogue}/add?name=x&kind=y&cents=1")[0] == 405


@pytest.mark.browser
def test_in_a_browser(catalogue: str, page: Page, tmp_path: Path) -> None:
    page.goto(f"{catalogue}/")
    page.get_by_role("link", name="Next").click()
    expect(page.get_by_text("21 to 40 of")).to_be_visible()
    page.get_by_label("Find an item").fill("lantern")
    page.get_by_role("button", name="Find").click()
    expect(page.locator("tbody tr")).to_have_count(12)
    page.get_by_role("link", name="Copper lantern").click()
    expect(page.get_by_role("heading", name="Copper lantern")).to_be_visible()
    page.goto(f"{catalogue}/new")
    page.get_by_label("Name").fill("<img src=x onerror=alert(1)>")
    page.get_by_label("Kind").fill("hall")
    page.get_by_label("Price in cents").fill("99")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("heading")).to_have_text("<img src=x onerror=alert(1)> is in the catalogue")
    page.get_by_role("link", name="Look at it").click()
    expect(page.get_by_text("0.99")).to_be_visible()
    assert page.locator("img").count() == 0


def test_a_database_that_is_gone(catalogue: str, database: MariaDB) -> None:
    """Pages get 503 within the timeout, and files are served; all works when the database is back."""
    assert curl(f"{catalogue}/")[0] == 200
    database.kill()
    try:
        for _ in range(3):
            begun = time.monotonic()
            status, _, body = curl(f"{catalogue}/")
            assert time.monotonic() - begun < 4
            assert status == 503
            assert "The database does not answer" in body
            assert curl(f"{catalogue}/about.html")[0] == 200
        assert curl(f"{catalogue}/add", "-d", "name=x&kind=y&cents=1")[0] == 503
    finally:
        database.start()
    end = time.monotonic() + 10
    while curl(f"{catalogue}/")[0] != 200:
        assert time.monotonic() < end
        time.sleep(0.2)
    assert "Ash basket" in curl(f"{catalogue}/")[2]


def test_answers_that_are_kept(database: MariaDB, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kept answers outlive the database, each with its values, and end with a change by the application."""
    monkeypatch.setenv("WHIT_DATABASE_PASSWORD", PASSWORD)
    there = f"database.port={database.port}", "database.address=10.0.2.2"
    with served(ROOT / "tests" / "apps" / "kept", tmp_path, *there) as url:
        pages = [f"{url}count", f"{url}item/49", f"{url}item/999999"]
        before = [curl(page)[2] for page in pages]
        assert re.fullmatch("<p>[0-9]+ on 2024-02-29", before[0])
        assert before[1:] == ["<p>Oak cabinet", "<p>none"]
        database.kill()
        try:
            assert curl(f"{url}item/50")[0] == 503
            assert [curl(page)[2] for page in pages] == before
        finally:
            database.start()
        end = time.monotonic() + 10
        while curl(f"{url}add", "-d", "name=Box")[0] != 303:
            assert time.monotonic() < end
            time.sleep(0.2)
        count = int(before[0][3:].split()[0])
        assert curl(pages[0])[2] == before[0].replace(str(count), str(count + 1), 1)


@pytest.mark.slow
def test_what_is_exported(
    database: MariaDB, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start: Start, port: int
) -> None:
    """Built away from the tree, by CMake alone."""
    monkeypatch.setenv("WHIT_DATABASE_PASSWORD", PASSWORD)
    there = {"database.port": database.port, "database.address": "10.0.2.2"}
    package, made = export(str(APP), tmp_path / "out", "cmake", overrides=there).directory, tmp_path / "b"
    for command in (["cmake", "-S", package, "-B", made, "-G", "Ninja"], ["cmake", "--build", made]):
        subprocess.run(command, check=True, capture_output=True)
    start(made / "whit-catalogue", "--port", port).read_until("ready")
    assert "<b>Oak cabinet</b>" in curl(f"http://127.0.0.1:{port}/paper")[2]
