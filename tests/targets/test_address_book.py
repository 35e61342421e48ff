# SPDX-License-Identifier: MIT
"""The address book on every device, in its emulator: each runs the tests of the Linux port."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.network import Recorder
from tests.browser.served import CONTACTS, served
from tests.browser.test_contacts import AWKWARD, CAPACITY, FILES, FIRST_LOAD, add, look_up, message, names
from tests.targets.machines import devices

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.xdist_group("browser")]

# The papers' line is slow: a page takes its time.
PATIENCE_MS = 30_000


@pytest.fixture(params=devices())
def target(request: pytest.FixtureRequest) -> Iterator[tuple[str, str]]:
    yield "--target", request.param


def test_first_load_and_reload(target: tuple[str, str], tmp_path: Path, page: Page) -> None:
    """Every resource is fetched once and arrives whole; then the browser's copies are as good."""
    with served(CONTACTS, tmp_path / "data", options=target) as url:
        recorder = Recorder(page)
        page.goto(url)
        expect(message(page)).to_have_text("Nobody is here yet.", timeout=PATIENCE_MS)
        expect(page.locator("img")).to_have_js_property("naturalWidth", 160, timeout=PATIENCE_MS)
        page.wait_for_load_state("networkidle")
        fetched = recorder.take_by_path()
        assert set(fetched) == FIRST_LOAD
        assert {exchange.status for exchange in fetched.values()} == {200}
        page.reload(wait_until="networkidle")
        fetched = recorder.take_by_path()
        assert {path: exchange.status for path, exchange in fetched.items()} == {
            path: 200 if path == "/cb_extract" else 304 for path in FIRST_LOAD
        }


def test_two_browsers_at_once_and_a_restart(target: tuple[str, str], tmp_path: Path, browser: Browser) -> None:
    """Both browsers load the page and add entries at the same time; the entries survive a power cycle."""
    contexts = [browser.new_context() for _ in range(2)]
    pages = [context.new_page() for context in contexts]
    for each in pages:
        each.set_default_timeout(PATIENCE_MS)
    added = ["Ada Lovelace", AWKWARD]
    with served(CONTACTS, tmp_path / "data", options=target) as url:
        for each in pages:
            each.goto(url, wait_until="commit")
        for each in pages:
            expect(message(each)).to_have_text("Nobody is here yet.", timeout=PATIENCE_MS)
        for each, name in zip(pages, added, strict=True):
            add(each, name, "+44 20 7946 18", "ada@example.org")
        for each, name in zip(pages, added, strict=True):
            expect(message(each)).to_have_text(f"{name} was added.", timeout=PATIENCE_MS)
    with served(CONTACTS, tmp_path / "data", options=target) as url:
        pages[0].goto(url)
        expect(names(pages[0])).to_have_count(2, timeout=PATIENCE_MS)
        assert sorted(names(pages[0]).all_text_contents()) == sorted(added)
        expect(look_up(pages[0], AWKWARD)).to_have_text(["+44 20 7946 18", "ada@example.org"])
    for context in contexts:
        context.close()


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_curl(target: tuple[str, str], tmp_path: Path) -> None:
    """Files octet by octet in each coding, HEAD, an entity tag, errors, a full book."""
    with served(CONTACTS, tmp_path / "data", options=target) as url:
        urls = [url + name for name in FILES]
        content = b"".join((CONTACTS / name).read_bytes() for name in FILES)
        for options in ((), ("--header", "Accept-Encoding: gzip"), ("--header", "Accept-Encoding: br"), ("--http1.0",)):
            coded = ("--compressed",) if "--header" in options else ()
            assert curl(*options, *coded, *urls) == content, options
        head = curl("--head", url + "logo.png")
        assert re.search(rb"(?im)^content-length: 5805\r$", head), head
        tag = re.search(rb'(?im)^etag: (".*")\r$', head)
        assert tag
        again = curl("--include", "--header", f"If-None-Match: {tag[1].decode()}", url + "logo.png")
        assert again.startswith(b"HTTP/1.1 304 ") and again.endswith(b"\r\n\r\n")
        assert curl("--write-out", "%{http_code}", url + "nothing", fails=True)[-3:] == b"404"  # after its page
        assert curl("--write-out", "%{http_code}", url + "cb_get?id=x", fails=True)[-3:] == b"400"
        for index in range(CAPACITY):
            assert curl(f"{url}cb_add?name=n{index:02}") == f'{{"id":{index}}}'.encode()
        assert b"id" not in curl(f"{url}cb_add?name=more")
        assert curl(f"{url}cb_get?id=3").startswith(b'{"name":"n03"')


def curl(*arguments: str, fails: bool = False) -> bytes:
    command = ["curl", "--silent", "--show-error", "--max-time", "30", *([] if fails else ["--fail"]), *arguments]
    done = subprocess.run(command, capture_output=True, timeout=60)
    assert done.returncode == 0, (command, done.stdout[-300:], done.stderr[-300:])
    return done.stdout
