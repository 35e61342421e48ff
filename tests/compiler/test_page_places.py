# SPDX-License-Identifier: MIT
"""A value in a page never adds an element or an attribute, and is never where a browser runs it. The tests compare
markup.py with html5lib's tree, also for pages of random pieces."""

import html
import random
import re
from urllib.parse import quote

import html5lib
import pytest

from whit.compiler.pages.markup import Escape, Misplaced, Place, State, read, value_at

MARK = "qzj"
VALUES = (f"{MARK}", f"\"'><img src=x onerror={MARK}>", f"</title></textarea></script><a {MARK}>", f"--><!--{MARK}-->")
RUNS = re.compile(r"on.*|style|srcdoc|srcset|sandbox|http-equiv|charset|encoding|codebase|classid|code|is")
ORIGIN = re.compile(r"\s*(?:[^/?#]*:)?(?:[/\\\\]{2}[^/\\\\?#]*)?")
HREFS = {("script", "src"), ("iframe", "src"), ("link", "href"), ("object", "data"), ("embed", "src")}


def written(value: str, how: Escape) -> str:
    """Escapes a value as engine/response/page.c does."""
    if how == Escape.HTML:
        return html.escape(value, quote=True)
    if how == Escape.URL:
        return html.escape(quote(value, safe="/:?#[]@!$()*+,;=&"), quote=True)
    return quote(value, safe="") if how == Escape.URL_PART else f'"{quote(value, safe="")}"'


def pages(pieces: list[str]) -> list[str] | None:
    """The page with each value; None: the compiler refuses the template."""
    place, made = Place(), ["" for _ in VALUES]
    try:
        for piece in pieces:
            if piece == "{{}}":
                how, place = value_at(place)
                made = [page + written(value, how) for page, value in zip(made, VALUES, strict=True)]
            else:
                place = read(place, piece)
                made = [page + piece for page in made]
    except Misplaced:
        return None
    return made if place.state == State.TEXT else None


def shape(page: str, *, scripting: bool) -> list[object]:
    """Returns elements and names of attributes, in their order. Checks the place of the mark."""
    root = html5lib.HTMLParser().parse(page, scripting=scripting)
    found: list[object] = []
    for element in root.iter():
        if not isinstance(element.tag, str):
            found.append("comment")
            assert MARK not in (element.text or ""), page
            continue
        tag = element.tag.rpartition("}")[2]
        found.append((tag, sorted(map(str, element.attrib))))
        for name, value in element.attrib.items():
            name = str(name).rpartition("}")[2].lower()
            if MARK in str(value):
                assert not RUNS.fullmatch(name), page
                assert (tag, name) not in HREFS or MARK not in ORIGIN.match(str(value))[0], page  # type: ignore[index]
        if MARK in (element.text or ""):
            assert tag not in ("style", "script") or re.search(rf'"[^"<]*{MARK}[^"<]*"', element.text or ""), page
            assert "}svg" not in f"{element.tag}" or tag not in ("style", "script"), page
    return found


def holds(pieces: list[str]) -> bool:
    """True if the compiler takes the template; it must be right then."""
    made = pages(pieces)
    if made is None or not any(piece == "{{}}" for piece in pieces):
        return False
    for scripting in (False, True):
        shapes = [shape(page, scripting=scripting) for page in made]
        assert all(one == shapes[0] for one in shapes), made
    return True


TAKEN = [
    ["<p title='", "{{}}", "'>", "{{}}", "</p>"],
    ["<title>", "{{}}", "</title>"],
    ["<svg><title>", "{{}}", "</title><path d='", "{{}}", "'/></svg>"],
    ["<svg/><script>f(", "{{}}", ")</script>"],
    ["<script>if (a<b) f(", "{{}}", ")</script>"],
    ["<style>a > b { color: red }</style><p>", "{{}}", "</p>"],
    ["<noscript><img src='/a.png'></noscript>", "{{}}"],
    ["<script src='/js/", "{{}}", ".js'></script>"],
    ["<script src='https://fixed/", "{{}}", "'></script>"],
    ["<link rel=icon href='/i/", "{{}}", "'>"],
    ["<a href='", "{{}}", "'>", "{{}}", "</a>"],
    ["<meta name=description content='", "{{}}", "'>"],
    ["<svg><style>a { fill: red }</style></svg><script>f(", "{{}}", ")</script>"],
    ["<textarea>", "{{}}", "</textarea>"],
    ["<script>fetch(", "{{}}", ")</script>"],
    ["<script>const url = ", "{{}}", "</script>"],
    ["<script>setTimeout(f, ", "{{}}", ")</script>"],
    ["<script>setTimeout(() => f(", "{{}}", "), 9)</script>"],
    ["<script>new Worker('/w.js', ", "{{}}", ")</script>"],
    ["<script>import('/a.js').then(m => m.f(", "{{}}", "))</script>"],
    ["<script>const s = 'import('; f(", "{{}}", ")</script>"],
    ["<script>Array.from(", "{{}}", ")</script>"],
    ["<script type='application/ld+json'>{'@id': ", "{{}}", "}</script>"],
]


@pytest.mark.parametrize("pieces", TAKEN, ids="".join)
def test_a_value_stays_what_it_is(pieces: list[str]) -> None:
    assert holds(pieces)


OPENED = ("svg", "math", "title", "textarea", "style", "script", "desc", "p", "select", "table", "noscript", "mi", "b")
OPENED += ("foreignObject", "annotation-xml", "template", "option", "iframe", "xmp", "td", "form", "a", "ul", "li")
PIECES = (
    *(f"<{name}>" for name in OPENED),
    *(f"</{name}>" for name in OPENED),
    *('<img onerror="', '<a href="', '<a title="', '">', "'>", '<script src="', "<p title='", "<svg/>", "<br>"),
    *('<meta content="', '" http-equiv="refresh">', '<script src="//', "/x", "<!--", "-->", "x", "<b/>", "<path/>"),
)


def test_pages_of_random_pieces(seed: int) -> None:
    """Most pages are refused; some hundreds of the accepted ones have a value."""
    chosen, taken = random.Random(seed), 0
    for _ in range(12_000):
        pieces = [chosen.choice(PIECES) for _ in range(chosen.randint(2, 9))]
        for _ in range(chosen.randint(1, 2)):
            pieces.insert(chosen.randint(0, len(pieces)), "{{}}")
        taken += holds(pieces)
    assert taken > 300, taken
