# SPDX-License-Identifier: MIT
"""`whit run --live`: an open page follows its files by itself; the server and its log know nothing of that."""

import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.served import served
from whit.image.build import build

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

PAGE = '<!doctype html><html lang=en><title>live</title><link rel=icon href="data:,"><p id=word>{}</p><p id=n></p>'
COUNT = "<script>n.textContent = sessionStorage.n = +(sessionStorage.n ?? 0) + 1</script></html>"


def test_open_page_follows_an_edit(tmp_path: Path, page: Page) -> None:
    """The page reloads after an edit, with a single connection; a broken version in between changes nothing."""
    app = tmp_path / "followed"
    app.mkdir()
    index = app / "index.html"
    index.write_text(PAGE.format("first") + COUNT)
    with served(app, tmp_path / "data", "connections=1", options=("--live",)) as url:
        page.goto(url)
        expect(page.locator("#word")).to_have_text("first")
        page.wait_for_timeout(1000)
        expect(page.locator("#n")).to_have_text("1")  # it does not reload without a reason
        index.write_text(PAGE.format("second") + COUNT)
        expect(page.locator("#word")).to_have_text("second", timeout=60_000)
        (app / "broken.c").write_text("/* <generator> */")
        page.wait_for_timeout(1500)
        expect(page.locator("#n")).to_have_text("2")
        (app / "broken.c").unlink()
        index.write_text(PAGE.format("third") + COUNT)
        expect(page.locator("#word")).to_have_text("third", timeout=60_000)
        expect(page.locator("#n")).to_have_text("3")
        page.wait_for_timeout(500)  # the line of a request follows its page
        log = (tmp_path / "data" / "run.log").read_text()
        assert "Still serving" in log and log.count("rebuilt:") == 2, log
        requests = [line for line in log.splitlines() if line.startswith("GET ")]
        assert len(requests) == 3 and all(line.startswith("GET / ") for line in requests), requests
        page.goto("about:blank")  # it would go on listening when the server is gone


def test_no_other_image_has_the_script(tmp_path: Path) -> None:
    app = tmp_path / "plain"
    app.mkdir()
    (app / "index.html").write_text("<!doctype html><p>" + "words " * 100)
    with served(app, tmp_path / "data", options=("--live",)) as url:
        assert b"EventSource" in urllib.request.urlopen(url, timeout=10).read()
        assert b"EventSource" not in build(app).image.read_bytes()
        assert b"EventSource" in urllib.request.urlopen(url, timeout=10).read()
    with served(app, tmp_path / "data") as url:
        assert b"EventSource" not in urllib.request.urlopen(url, timeout=10).read()
