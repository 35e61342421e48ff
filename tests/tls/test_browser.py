# SPDX-License-Identifier: MIT
"""Chromium loads a page and, on several connections at once, a megabyte each."""

import pytest

from tests.tls.host import counted, start
from tests.tls.served import PAGES, served

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SUM_OF = """async (paths) => Promise.all(paths.map(async (path) => {
  const octets = new Uint8Array(await (await fetch(path)).arrayBuffer());
  return octets.reduce((sum, octet, at) => (sum + octet * (at % 251 + 1)) % 1000003, 0);
}))"""


def sum_of(octets):
    return sum(octet * (at % 251 + 1) for at, octet in enumerate(octets)) % 1000003


def test_chromium(browser):
    start()
    with served() as server:
        context = browser.new_context(ignore_https_errors=True)
        page = context.new_page()
        page.goto(f"https://127.0.0.1:{server.port}/")
        assert page.title() == "whit"
        assert page.evaluate(SUM_OF, [f"/big?{number}" for number in range(3)]) == [sum_of(PAGES[b"/big"])] * 3
        page.reload()
        context.close()
        opened = [one for one in server.connections if one.sent]
        assert len(opened) > 1 and any(one.resumed for one in opened)
    assert counted("broken") == 0
