# SPDX-License-Identifier: MIT
"""Values of a page template, as Chromium's own parser reads them: never an element, an attribute or a script more."""

from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page

from tests.harness import ask, opened
from whit.paths import ROOT
from whit_testbed.engine import Engine

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
READ = """page => {
    const read = new DOMParser().parseFromString(page, "text/html");
    const one = name => read.querySelector(name), link = read.querySelectorAll("a");
    const script = one("script").textContent;
    const url = (element, name) => {
        try { return new URL(element.getAttribute(name), "http://x/page.html"); } catch { return {protocol: "none"}; }
    };
    return {
        elements: [...read.querySelectorAll("*")].map(one => one.localName),
        attributes: [...read.querySelectorAll("*")].flatMap(one => [...one.attributes].map(one => one.name)),
        texts: [read.title.length, one("p").textContent, one("textarea").value, one("pre").textContent,
                one("title").textContent],
        values: [read.body.className, read.body.id, one("img").alt],
        whole: url(link[0], "href").protocol,
        part: [url(link[1], "href").pathname, url(link[1], "href").searchParams.get("q")],
        picture: [one("img").getAttribute("src"), url(one("img"), "src").origin],
        script: new Function(script + "; return [value, number];")(),
    };
}"""
ELEMENTS = ["html", "head", "title", "body", "p", "textarea", "pre", "a", "a", "img", "script"]
ATTRIBUTES = ["class", "id", "href", "href", "src", "alt"]


@pytest.fixture(scope="module")
def reader(browser: Browser) -> Any:
    page = browser.new_page()
    with opened(ROOT / "tests" / "apps" / "pages") as engine:
        yield engine, page
    page.close()


@settings(deadline=None)
@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=30))
@example("</title></textarea></pre></script><script>alert(1)</script>")
@example("\"'><img src=x onerror=alert(1)>")
@example("javascript:alert(1)")
@example("java\nscript:alert(1)")
@example("\x01javascript:alert(1)")
@example("vbscript:x")
@example("../../../x?y#z")
@example("//example.org/")
@example("\\\\example.org")
@example("&quot;&#34;&lt;&amp")
@example("\n\r\n")
@example("\u2028\u2029\\\"';</script>")
@example("]]>--><!--<script>")
def test_a_value_stays_a_value(reader: tuple[Engine, Page], value: str) -> None:
    engine, page = reader
    found = page.evaluate(READ, ask(engine, f"/places.html?v={quote(value, safe='')}&n=-3").body.decode())
    assert found["elements"] == ELEMENTS
    assert found["attributes"] == ATTRIBUTES
    in_textarea = value.replace("\r\n", "\n").replace("\r", "\n")  # as its value has it
    assert found["texts"][1:] == [value, in_textarea, value, value]
    assert found["values"] == [value] * 3
    assert found["whole"] in ("http:", "https:", "mailto:", "tel:", "none")
    assert found["part"] == ["/find", value]
    assert found["picture"][0].startswith("/pictures/")
    assert found["picture"][1] == "http://x"
    assert found["script"] == [value, -3]
