# SPDX-License-Identifier: MIT
"""The site of the documentation: each page on a wide and on a narrow screen, and the search."""

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from lxml import html
from markdown_it import MarkdownIt
from playwright.sync_api import Page, Request, Response
from rich.console import Console

from whit.commands.docs import build
from whit.paths import ROOT
from whit.site.pages import OUTSIDE, in_site

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.xdist_group("browser"),
    pytest.mark.skipif(find_spec("mkdocs") is None, reason="mkdocs is not installed: ./whit docs installs it"),
]
SCREENS = ((1280, 800), (390, 844))
SOURCES = [*(path for pattern in OUTSIDE for path in ROOT.glob(pattern)), *(ROOT / "docs").rglob("*.md")]
TAGS = ("h1", "h2", "h3", "li", "ol", "pre", "table", "tr", "ul")


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Prints nothing."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("docs") / "site"
    build(Console(), directory)
    return directory


@pytest.fixture(scope="module")
def url(site: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def built(site: Path, source: Path) -> Path:
    """mkdocs calls each README of a folder index."""
    name = Path(in_site(source.relative_to(ROOT).as_posix()))
    return site / (name.with_name("index.html") if name.name == "README.md" else name.with_suffix(".html"))


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: f"{screen[0]}x{screen[1]}")
def test_pages_fit_the_screen_and_load_from_one_host(screen: tuple[int, int], site: Path, url: str, page: Page) -> None:
    """The fixture of the page holds that its console has no error."""
    width, height = screen
    page.set_viewport_size({"width": width, "height": height})
    hosts: set[str] = set()
    failed: list[str] = []

    def note(request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob"):
            hosts.add(f"{parts.scheme}://{parts.netloc}")

    def note_answer(response: Response) -> None:
        if response.status >= 400:
            failed.append(f"{response.status} {response.url}")

    page.on("request", note)
    page.on("response", note_answer)
    wide = []
    for path in sorted(site.rglob("*.html")):
        page.goto(f"{url}/{path.relative_to(site)}")
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wide.append(path.name)
    page.wait_for_load_state("networkidle")
    assert (wide, failed, hosts) == ([], [], {url})


def test_search(url: str, page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{url}/index.html")
    page.locator("[data-md-component=search-query]").fill("retransmission timer")
    found = page.locator(".md-search-result__link")
    found.first.wait_for()
    assert found.count() >= 2


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_page_is_what_forges_show(source: Path, site: Path) -> None:
    """CommonMark and Python-Markdown differ in lists and in code within these. A part that is lost shows here."""
    markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
    expected = html.fromstring(f"<div>{markdown.render(source.read_text())}</div>")
    (article,) = html.parse(built(site, source)).getroot().xpath("//article")
    assert counts(article) == counts(expected)
    assert letters(article) == letters(expected)


def counts(element: html.HtmlElement) -> dict[str, int]:
    return {tag: len(element.xpath(f".//{tag}")) for tag in TAGS}


def letters(element: html.HtmlElement) -> str:
    """Text without blanks and signs, such as those of links to headings."""
    return "".join(filter(str.isalnum, "".join(element.itertext())))
