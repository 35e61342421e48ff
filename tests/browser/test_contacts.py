# SPDX-License-Identifier: MIT
"""The address book in Chromium, over the real engine with two connection slots."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.looks import look_at
from tests.browser.network import Recorder
from tests.browser.served import CONTACTS, served

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

SLOTS = "connections=2"
FILES = {"index.html": 752, "style.css": 826, "script.js": 3613, "logo.png": 5805}
FIRST_LOAD = {"/", "/style.css", "/script.js", "/logo.png", "/cb_extract"}
CAPACITY = 14
AWKWARD = 'Jörg "Ö" <b>\\ü</b>&+'
"""23 octets, the most there may be: a name that spoils careless HTML, JSON and query strings."""


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    with served(CONTACTS, tmp_path / "data", SLOTS) as started:
        yield started


def add(page: Page, name: str, phone: str = "", mail: str = "") -> None:
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Phone").fill(phone)
    page.get_by_label("Mail").fill(mail)
    page.get_by_role("button", name="Add").click()


def message(page: Page) -> Locator:
    return page.get_by_role("status")


def names(page: Page) -> Locator:
    return page.locator("#list li:visible summary")


def look_up(page: Page, name: str) -> Locator:
    """Types the text into the search field, opens the only remaining entry, and returns its content."""
    page.get_by_label("Look up a name").fill(name)
    expect(names(page)).to_have_text([name])
    names(page).click()
    return page.locator("#list li:visible details > div")


def test_first_load(url: str, page: Page) -> None:
    """Every resource is fetched once, answers 200 and arrives whole; text is compressed on the wire."""
    recorder = Recorder(page)
    page.goto(url)
    expect(message(page)).to_have_text("Nobody is here yet.")
    expect(page.locator("img")).to_have_js_property("naturalWidth", 160)
    page.wait_for_load_state("networkidle")
    fetched = recorder.take_by_path()
    assert set(fetched) == FIRST_LOAD
    assert {exchange.status for exchange in fetched.values()} == {200}
    for name in ("index.html", "style.css", "script.js"):
        exchange = fetched["/" if name == "index.html" else f"/{name}"]
        assert exchange.fields["content-encoding"] in ("br", "gzip"), name
        assert int(exchange.fields["content-length"]) < FILES[name]
    assert "content-encoding" not in fetched["/logo.png"].fields
    assert int(fetched["/logo.png"].fields["content-length"]) == FILES["logo.png"]


def test_files_byte_for_byte(url: str, page: Page) -> None:
    """Each file is sent unchanged, in each coding that a client accepts and without one."""
    for name, size in FILES.items():
        content = (CONTACTS / name).read_bytes()
        assert len(content) == size
        for coding in ("identity", "gzip", "br"):
            response = page.request.get(url + name, headers={"Accept-Encoding": coding})
            assert response.status == 200
            assert response.body() == content, (name, coding)
            expected = None if coding == "identity" or name == "logo.png" else coding
            assert response.headers.get("content-encoding") == expected, (name, coding)


def test_reload_is_answered_from_the_cache(url: str, page: Page) -> None:
    recorder = Recorder(page)
    page.goto(url, wait_until="networkidle")
    recorder.take()
    page.reload(wait_until="networkidle")
    fetched = recorder.take_by_path()
    assert {path: exchange.status for path, exchange in fetched.items()} == {
        path: 200 if path == "/cb_extract" else 304 for path in FIRST_LOAD
    }


def test_added_contact_outlives_reload_and_restart(tmp_path: Path, page: Page) -> None:
    data = tmp_path / "data"
    with served(CONTACTS, data, SLOTS) as url:
        page.goto(url)
        add(page, "Ada Lovelace", "+44 20 7946 0000", "ada@example.org")
        expect(message(page)).to_have_text("Ada Lovelace was added.")
        add(page, AWKWARD, "+49 30 5550-1", "j+o@example.org")
        expect(message(page)).to_have_text(f"{AWKWARD} was added.")
        expect(names(page)).to_have_text(["Ada Lovelace", AWKWARD])
        page.reload()
        expect(look_up(page, AWKWARD)).to_have_text(["+49 30 5550-1", "j+o@example.org"])
        expect(page.locator("#list b")).to_have_count(0)
        look_at(page)
    with served(CONTACTS, data, SLOTS) as url:
        page.goto(url)
        expect(names(page)).to_have_text(["Ada Lovelace", AWKWARD])
        shown = look_up(page, AWKWARD)
        expect(shown).to_have_text(["+49 30 5550-1", "j+o@example.org"])
        assert [link.get_attribute("href") for link in shown.locator("a").all()] == [
            "tel:+493055501",
            "mailto:j+o@example.org",
        ]
        page.reload()
        expect(look_up(page, "Ada Lovelace")).to_have_text(["+44 20 7946 0000", "ada@example.org"])


def test_look_up_of_nobody(url: str, page: Page) -> None:
    page.goto(url)
    add(page, "Grace Hopper")
    expect(names(page)).to_have_text(["Grace Hopper"])
    page.get_by_label("Look up a name").fill("ada")
    expect(message(page)).to_have_text("There is no such name.")
    expect(names(page)).to_have_count(0)
    expect(look_up(page, "Grace Hopper")).to_have_text(["No phone and no mail."])


def test_too_long_a_name_is_not_sent(url: str, page: Page) -> None:
    """The device's limits are in octets: 12 umlauts are 24."""
    page.goto(url, wait_until="networkidle")
    recorder = Recorder(page)
    add(page, "ü" * 12)
    field = page.get_by_label("Name", exact=True)
    assert field.evaluate("field => field.validationMessage") == "At most 23 octets (ü has 2): 1 too many."
    assert recorder.take() == []
    add(page, "ü" * 11)
    expect(names(page)).to_have_text(["ü" * 11])


def test_phone_in_the_usual_spellings(url: str, page: Page) -> None:
    """The form takes spaces, brackets and dashes, up to 23 characters; the device refuses more."""
    page.goto(url)
    field = page.get_by_label("Phone")
    for index, phone in enumerate(("+44 20 7946 0000", "+1 (212) 555-0109", "+49 (0)30 90 18 20-1234")):
        page.get_by_label("Name", exact=True).fill(f"n{index}")
        field.press_sequentially(phone)
        page.get_by_role("button", name="Add").click()
        expect(message(page)).to_have_text(f"n{index} was added.")
    field.press_sequentially("0" * 24)
    expect(field).to_have_value("0" * 23)
    assert page.request.get(f"{url}cb_add?name=long&phone={'0' * 24}").status == 400
    assert page.request.get(f"{url}cb_get?id=2").json()["phone"] == "+49 (0)30 90 18 20-1234"


def test_full_book(url: str, page: Page) -> None:
    """A full book refuses an entry with a message; the entry stays in the form."""
    for index in range(CAPACITY):
        answer = page.request.get(f"{url}cb_add?name=n{index:02}")
        assert answer.json() == {"id": index}
    page.goto(url)
    expect(names(page)).to_have_count(CAPACITY)
    add(page, "One more")
    expect(message(page)).to_have_text("The address book is full.")
    expect(page.get_by_label("Name", exact=True)).to_have_value("One more")
    page.reload()
    expect(names(page)).to_have_text([f"n{index:02}" for index in range(CAPACITY)])


def test_more_connections_than_slots(url: str, browser: Browser) -> None:
    """Three users with caches and connections of their own, up to six each: no page hangs, nothing fails."""
    contexts = [browser.new_context() for _ in range(3)]
    pages = [context.new_page() for context in contexts]
    recorders = [Recorder(page) for page in pages]
    for page in pages:
        page.goto(url, wait_until="commit")
    for page in pages:
        expect(message(page)).to_have_text("Nobody is here yet.", timeout=15_000)
    for index, page in enumerate(pages):
        add(page, f"User {index}")
    for index, page in enumerate(pages):
        expect(message(page)).to_have_text(f"User {index} was added.", timeout=15_000)
    for recorder in recorders:
        exchanges = [exchange for exchange in recorder.take() if exchange.kind != "Other"]
        assert [exchange for exchange in exchanges if exchange.status != 200 or exchange.failed] == []
    pages[0].reload()
    expect(names(pages[0])).to_have_text(["User 0", "User 1", "User 2"])
    for context in contexts:
        context.close()
