# SPDX-License-Identifier: MIT
"""Fixtures that the browser tests share."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page

from tests.browser.served import chromium, chromium_path


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium_path()
    if path is None:
        pytest.skip("chromium is not installed: apt install chromium")
    with chromium(path) as started:
        yield started


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page with an empty cache. Nothing that it loads may complain on its console."""
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(15_000)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: _note(complaints, message))
    yield page
    context.close()
    assert complaints == []


def _note(complaints: list[str], message: ConsoleMessage) -> None:
    if message.type == "error":
        complaints.append(f"{message.location['url']}: {message.text}")
