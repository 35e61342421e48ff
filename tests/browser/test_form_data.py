# SPDX-License-Identifier: MIT
"""FormData as Chromium's fetch() sends it."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.served import served
from whit.paths import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
SEND = """async more => {
  const data = new FormData(document.querySelector("form"));
  for (const [name, value] of more)
    data.append(name, value === null ? new Blob(["x"]) : value);
  const response = await fetch("settings", {method: "POST", body: data});
  return [response.status, await response.text()];
}"""


def test_fetch_sends_form_data(tmp_path: Path, browser: Browser) -> None:
    """Opens a page of its own: Chromium's console notes each answer of 400."""
    page = browser.new_page()
    with served(ROOT / "apps" / "form", tmp_path) as url:
        page.goto(url)
        page.get_by_label("Name of this thing").fill('ä "<b>&+%')
        page.get_by_label("Read the sensor").fill("30")
        status, text = page.evaluate(SEND, [["unknown", "a\n--b"]])
        assert (status, '"interval": 30' in text or '"interval":30' in text) == (200, True), text
        assert page.evaluate("async () => (await (await fetch('settings')).json()).name") == 'ä "<b>&+%'
        status, text = page.evaluate(SEND, [["file", None]])
        assert status == 415
        assert "a file in multipart/form-data: expected fields of text only" in text
        page.goto("about:blank")
    page.close()
