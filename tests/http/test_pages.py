# SPDX-License-Identifier: MIT
"""Page templates: a browser reads each value unchanged, in any place, and never as a tag or a script."""

import json
import re
from html.parser import HTMLParser
from urllib.parse import quote, unquote_to_bytes, urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.harness import ask, engine_of
from tests.http.app_client import post
from whit.paths import ROOT
from whit_testbed.engine import Engine

APP = ROOT / "tests" / "apps" / "pages"
FORM = "application/x-www-form-urlencoded"


# The fast kind writes plain runs of a text at once.
engine = engine_of(APP, scope="module", variants={"octets": {"heads": "octets"}, "code": {"heads": "code"}})


class Reader(HTMLParser):
    """Tags with their attributes, and the text of each element."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.texts: dict[str, str] = {}
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(f"{tag} {name}", value or "") for name, value in attrs]
        self.texts.setdefault(tag, "")

    def handle_endtag(self, tag: str) -> None:
        self.tags.append(f"/{tag}")

    def handle_data(self, data: str) -> None:
        if self.tags:
            self.texts[self.tags[-1]] = self.texts.get(self.tags[-1], "") + data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")


def page_of(engine: Engine, target: str) -> str:
    response = ask(engine, target)
    assert response.status == 200
    return response.body.decode()


PLAIN = [
    *("html", "head", "title", "/title", "/head", "body", "p", "/p", "textarea", "/textarea", "pre", "/pre"),
    *("a", "/a", "a", "/a", "img", "script", "/script", "/body", "/html"),
]
VALUES = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=30)


@given(VALUES, st.integers(-(2**31), 2**31 - 1))
@example("</script><script>alert(1)</script>", 0)
@example("\"'><img src=x onerror=alert(1)>", -1)
@example("javascript:alert(1)", 5)
@example("JavaScript\t:alert(1)", 5)
@example(" data:text/html,x", 5)
@example("https://example.org/?a=b&c=d", 5)
@example("&lt;&amp;&#0;", 5)
@example("-->]]><!--", 5)
@example("\n\r\n\r", 7)
@example('\u2028\u2029\\"', 7)
@example("\ufffe\U0001f600\x7f\x01", 7)
@example("a:b", 7)
def test_a_value_stays_a_value(engine: Engine, value: str, number: int) -> None:
    page = page_of(engine, f"/places.html?v={quote(value, safe='')}&n={number}")
    read = Reader(page)
    assert read.tags == PLAIN
    attributes = dict(read.attributes)
    assert attributes["body class"] == attributes["body id"] == attributes["img alt"] == value
    assert read.texts["title"] == read.texts["p"] == value
    assert read.texts["pre"] == read.texts["textarea"] == "\n" + value  # of which a browser drops the line feed
    _check_urls(read, value, number)
    _check_script(read.texts["script"], value, number)


def _check_urls(read: Reader, value: str, number: int) -> None:
    whole, part = (url for name, url in read.attributes if name == "a href")
    scheme = re.match(r"[^/?#]*?:", value)
    if scheme and scheme[0].lower() not in ("http:", "https:", "mailto:", "tel:"):
        assert whole == "#"
    else:
        assert unquote_to_bytes(whole) == unquote_to_bytes(value)
        assert re.fullmatch(r"[!-~]*", whole)
        assert not re.search("[\"'<>\\\\`]", whole)
    split = urlsplit(part)
    assert (split.scheme, split.netloc, split.path) == ("", "", "/find")
    found = re.fullmatch(r"q=([^&]*)&n=(.*)", split.query)
    assert found
    assert unquote_to_bytes(found[1]) == unquote_to_bytes(split.fragment) == value.encode()
    assert found[2] == str(number)
    source = dict(read.attributes)["img src"]
    assert re.fullmatch(r"/pictures/[A-Za-z0-9._~%-]*\.png", source)


def _check_script(script: str, value: str, number: int) -> None:
    found = re.fullmatch(r"const value = (.*), number = (.*);", script, re.DOTALL)
    assert found
    assert json.loads(found[1]) == value
    assert found[2] == str(number)
    assert not re.search("[<>&\u2028\u2029]", script)


NO_UTF8 = ["%ff", "a%c3", "%e2%82", "%ed%a0%80", "%f4%90%80%80", "%c0%bc", "%80%3c"]


@pytest.mark.parametrize("octets", NO_UTF8)
def test_what_is_no_utf8_is_replaced(engine: Engine, octets: str) -> None:
    """Octets that are no UTF-8, from a database or a handler, become U+FFFD."""
    page = page_of(engine, f"/octets?v={octets}")
    read = Reader(page)
    assert read.tags == ["p", "/p", "a", "/a", "script", "/script"]
    assert "\ufffd" in read.texts["p"]
    assert "\ufffd" in json.loads(read.texts["script"].removeprefix("const value = ").removesuffix(";"))
    assert f'q={octets.upper().replace("A%", "a%")}"' in page


@pytest.mark.parametrize("octets", NO_UTF8)
def test_an_argument_that_is_no_utf8_is_refused(engine: Engine, octets: str) -> None:
    assert ask(engine, f"/places.html?v={octets}").status == 400


def said(engine: Engine, query: str) -> list[str]:
    return re.findall(r"<i>(.*?)</i>", page_of(engine, f"/logic.html{query}"))


def test_expressions(engine: Engine) -> None:
    assert said(engine, "") == [
        *("0", "0", "0", "-1", "zero", "not both", "0", "1", "off", "", "&lt;nobody&gt;", "0", "", "none"),
        *("0 0", "a0&amp;", "0", ""),
    ]
    assert said(engine, "/5?a=-15&b=4294967295&mode=on&name=Zo%C3%AB&big=1") == [
        *("8589934575", "-3", "6", "14", "negative", "both", "0", "0", "on", "lit", "Zoë", "3", "she", "0,1,4,9,16,"),
        *("4 10", "a-15&amp;", "0", "odd"),
    ]


def test_templates_that_extend_and_include(engine: Engine) -> None:
    page = page_of(engine, "/logic.html")
    assert page.startswith(
        '<!doctype html>\n<title>Things and logic</title>\n<nav><a href="/1" class="first">1</a>'
        '<a href="/2">2</a><a href="/3">3</a></nav>\n'
    )
    assert "nothing" not in page
    assert ask(engine, "/_base.html").status == 404


def test_functions_of_the_application(engine: Engine) -> None:
    assert page_of(engine, "/asked") == "<p>4000000000 42 -9</p>\n"


@pytest.mark.parametrize("cnt", [0, 1, 10, 100, 3000])
def test_a_page_of_any_length(engine: Engine, cnt: int) -> None:
    page = page_of(engine, f"/long.html?n={cnt}&v=a%26b")
    assert page == "".join(f"<li>{i}: a&amp;b</li>\n" for i in range(cnt))


def test_a_status(engine: Engine) -> None:
    assert [(one.status, one.body) for one in (ask(engine, f"/missing.html?id={number}") for number in (7, 8))] == [
        (200, b"<p>seven</p>\n"),
        (404, b"<p>no 8</p>\n"),
    ]


def test_a_form(engine: Engine) -> None:
    said = post(engine, "/added.html", FORM, b"name=%3Cb%3E+x")
    assert (said.status, said.body) == (200, b"<p>&lt;b&gt; x is added</p>\n")
    said = post(engine, "/added.html", FORM, b"name=x&go=1")
    assert (said.status, said.body, said.field("Location")) == (303, b"", "/asked?from=added&x=1")
    assert post(engine, "/added.html", FORM, b"go=1").status == 400
    assert ask(engine, "/added.html?name=x").status == 405


def test_the_first_example_of_the_page_about_templates(engine: Engine) -> None:
    page = (ROOT / "docs" / "templates.md").read_text()
    assert (APP / "hello.html.jinja").read_text() in page
    body = page_of(engine, "/hello.html?name=Zo%C3%AB+%26+co&times=2")
    assert '<p class="first">Hello Zoë &amp; co!</p>\n<p class="next">Hello Zoë &amp; co!</p>\n<a href=' in body
    assert '"/hello.html?name=Zo%C3%AB%20%26%20co&amp;times=3"' in body
