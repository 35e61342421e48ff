# SPDX-License-Identifier: MIT
"""The pictures of the documents can be read on a light screen and on a dark one."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.looks import SCHEMES, texts
from whit.palette import DARK, LIGHT, NAMES
from whit.paths import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
README = (ROOT / "README.md").read_text()
DRAWN = [
    ROOT / "docs" / "images" / "ladder.svg",
    *sorted((ROOT / "docs" / "lab").glob("*.svg")),
]


@pytest.mark.parametrize("path", DRAWN, ids=lambda path: path.stem)
def test_text_of_drawings(path: Path, page: Page) -> None:
    """The drawing's own media query changes the colours."""
    page.set_viewport_size({"width": 1300, "height": 900})
    page.set_content(path.read_text())
    seen = set()
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        poor = [text for text in texts(page) if not text.is_readable()]
        assert not poor, f"{scheme}: {poor}"
        seen.add(page.evaluate("getComputedStyle(document.querySelector('text')).fill"))
    assert len(seen) == len(SCHEMES), "the same colours on both"


def test_screenshots_of_the_readme_have_a_dark_form() -> None:
    assert not re.findall(r"!\[[^]]*\]\(\S*\.png\)", README)
    for name in re.findall(r'<img src="(\S+)\.png"', README):
        dark = f'<source media="(prefers-color-scheme: dark)" srcset="{name}-dark.png">'
        assert dark in README
        assert (ROOT / f"{name}-dark.png").exists()


def test_each_colour_has_a_dark_one() -> None:
    assert LIGHT.keys() == DARK.keys() == set(NAMES.values())
