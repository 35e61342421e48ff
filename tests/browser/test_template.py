# SPDX-License-Identifier: MIT
"""An application made by `./whit new` runs at once, and its page works."""

import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.served import served
from whit.paths import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def test_new_application_runs(tmp_path: Path, page: Page) -> None:
    application = tmp_path / "my-thing"
    subprocess.run([str(ROOT / "whit"), "new", str(application)], check=True, timeout=60)
    with served(application, tmp_path / "data") as url:
        page.goto(url)
        expect(page).to_have_title("my-thing")
        expect(page.locator("#greeting")).to_have_text("Hello stranger!")
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.wait_for_timeout(2500)
        assert asked == []  # an idle page sends no request
        page.get_by_label("Your name").fill('Zoë "+')
        page.get_by_role("button").click()
        expect(page.locator("#greeting")).to_have_text('Hello Zoë "+!')
        assert int(page.locator("#uptime").inner_text()) >= 2
        assert len(asked) == 1
