# SPDX-License-Identifier: MIT
"""Firefox and the address book by HTTPS, with two slots."""

import re
import shutil
from pathlib import Path

import pytest
from whit.paths import ROOT

from tests.https.firefox import firefox
from tests.https.served import served

ADD = "const answer = await fetch(said[0]); return [answer.status, await answer.text()];"
SEEN = """for (let times = 0; times < 100; times++) {
  if (document.querySelector("#list").textContent.includes(said[0])) return true;
  await new Promise((go) => setTimeout(go, 50));
}
return false;"""
ALL = "return (await Promise.all(said[0].map(async (path) => (await fetch(path)).status)));"
DETAILS = 'return [isSecureContext, performance.getEntriesByType("navigation")[0].nextHopProtocol, document.title];'


@pytest.mark.browser
@pytest.mark.slow
def test_the_address_book_in_two_slots(tmp_path: Path) -> None:
    """No warning: the page is there, as the authority is trusted. Then more requests at once than there are slots."""
    app = tmp_path / "contacts"
    shutil.copytree(ROOT / "apps" / "contacts", app)
    toml = (app / "app.toml").read_text()
    toml, found = re.subn(r"(?m)^connections = \d+.*$", "connections = 2", toml)
    (app / "app.toml").write_text(("" if found else "connections = 2\n") + toml + "\n[https]\n")
    with served(tmp_path, app) as server, firefox(tmp_path, server.authority) as browser:
        browser.go(f"{server.url}/")
        secure, protocol, title = browser.run(DETAILS)
        assert (secure, protocol) == (True, "http/1.1") and title
        assert browser.run(ALL, ["/"] * 12) == [200] * 12
        assert browser.run(ADD, "/cb_add?name=Ada")[0] == 200
        browser.go(f"{server.url}/")
        assert browser.run(SEEN, "Ada") and browser.run("return document.title") == title
