# SPDX-License-Identifier: MIT
"""Takes the README's pictures of the address book, on a light screen and on a dark one:
`PYTHONPATH=tools .venv/bin/python -m tests.browser.picture [DIRECTORY]`."""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.served import CONTACTS, chromium, chromium_path, served
from whit.paths import ROOT

PEOPLE = (
    ("Ada Lovelace", "+44 20 7946 0018", "ada@example.org"),
    ("Grace Hopper", "+1 212 555 0109", "grace@example.org"),
    ("Konrad Zuse", "+49 30 5550 123", "zuse@example.org"),
    ("Emmy Noether", "+49 551 5550 12", "noether@example.org"),
    ("Åke Wallenquist", "", "ake@example.org"),
)


def pose(page: Page) -> None:
    for person in PEOPLE:
        for label, value in zip(("Name", "Phone", "Mail"), person, strict=True):
            page.get_by_label(label, exact=True).fill(value)
        page.get_by_role("button", name="Add").click()
        expect(page.get_by_role("status")).to_have_text(f"{person[0]} was added.")
    page.reload()
    page.get_by_text("Grace Hopper").click()
    expect(page.get_by_text("grace@example.org")).to_be_visible()


def main(directory: Path) -> None:
    path = chromium_path()
    if path is None:
        sys.exit("chromium is not installed: apt install chromium")
    with tempfile.TemporaryDirectory() as data, served(CONTACTS, Path(data)) as url, chromium(path) as browser:
        page = browser.new_page(viewport={"width": 920, "height": 580}, color_scheme="light")
        page.goto(url)
        pose(page)
        page.screenshot(path=directory / "contacts.png")
        page.emulate_media(color_scheme="dark")
        page.screenshot(path=directory / "contacts-dark.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "images")
