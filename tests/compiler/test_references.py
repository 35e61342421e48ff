# SPDX-License-Identifier: MIT
"""Hints about links of a page to missing files, and about text that is not UTF-8."""

from pathlib import Path

import pytest

from tests.compiler.support import generator, make_app
from whit.commands.new import new
from whit.compiler import compile_application

HANDLER = "\n#include <whit/app.h>\nstatic char get(struct args_t *args) { (void)args; return 1; }\n"
TAIL = generator('<args><arg name="rest" type="str" size="9" source="path"/></args>')
SERVED: dict[str, str | bytes] = {
    "style.css": "p { color: red }",
    "sub/page.html": "x",
    "sub/index.html": "x",
    "logo.png": "x",
    "space in.txt": "x",
    "list.c": generator() + HANDLER,
    "below.c": TAIL + HANDLER,
    "app.toml": '[persistent]\nsize = 4\n[stored."photo.png"]\nsize = 5\n',
}


def hints(tmp_path: Path, files: dict[str, str | bytes]) -> list[str]:
    app = make_app(tmp_path / "app", {**SERVED, **files})
    found = compile_application(app, tmp_path / "out").hints
    return [hint.removeprefix(f"{app}/") for hint in found]


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        (
            "index.html",
            '<!doctype html>\n\n<link rel="stylesheet" href="styel.css">',
            '3: href="styel.css": nothing is served at /styel.css, clients get 404; did you mean style.css?',
        ),
        (
            "index.html",
            "<img src=/Logo.png>",
            '1: src="/Logo.png": nothing is served at /Logo.png, clients get 404; did',
        ),
        (
            "index.html",
            "<form action=lsit>",
            'action="lsit": nothing is served at /lsit, clients get 404; did you mean',
        ),
        ("index.html", "<img srcset='logo.png 1x, lgoo.png 2x'>", 'srcset="lgoo.png": nothing is served at /lgoo.png'),
        ("index.html", "<a href='sub'>", 'href="sub": nothing is served at /sub, clients get 404; did you mean sub/?'),
        (
            "index.html",
            "<a href='%6cogo.pgn?x=1#y'>",
            "nothing is served at /logo.pgn, clients get 404; did you mean logo",
        ),
        (
            "index.html",
            "<base href='/sub/'><a href='pgae.html'>",
            "nothing is served at /sub/pgae.html, clients get 404",
        ),
        ("index.html", "<style>\np { background: url(lgo.png) }</style>", "2: url(lgo.png): nothing is served at /lgo"),
        (
            "index.html",
            "<p>\n<video poster=x.png></video>",
            '2: poster="x.png": nothing is served at /x.png, clients get',
        ),
        (
            "sub/more.html",
            "<link href=style.css>",
            'more.html:1: href="style.css": nothing is served at /sub/style.css',
        ),
        (
            "sub/more.css",
            "/* url(no) */\n@import 'none.css';",
            "more.css:2: @import 'none.css': nothing is served at /sub",
        ),
        (
            "page.jinja",
            "<p>\n<a href='lits'>",
            'page.jinja:2: href="lits": nothing is served at /lits, clients get 404',
        ),
        (
            "404.html",
            "<link href='/styel.css'>",
            '404.html:1: href="/styel.css": nothing is served at /styel.css, clients',
        ),
    ],
)
def test_what_nobody_serves(file: str, text: str, expected: str, tmp_path: Path) -> None:
    said = hints(tmp_path, {file: text})
    assert len(said) == 1 and expected in said[0] and said[0].startswith(f"{file}:")


@pytest.mark.parametrize(
    "text",
    [
        "<link href=style.css><link href=/style.css><link href=./style.css><link href='style.css?v=2#x'>",
        "<a href=https://example.org/none><a href=//example.org/none><a href=mailto:a@example.org><a href=tel:1>",
        "<img src=data:,x><a href='javascript:go()'><a href='#here'><a href=''><a href='?page=2'><a href>",
        "<form action=list><form action='/list?a=1'><a href=below/any/thing><a href=sub/><a href=sub/page.html>",
        "<img src=photo.png><a href=/whit/none><a href='space%20in.txt'><a href='space in.txt'>",
        "<base href='https://example.org/'><a href=none>",
        "<!-- <a href=none> --><script>const a = \"<a href='none'>\";</script><p title='href=none'><a name=none>",
        "<style>p { background: url(#a) url('data:,x') url(logo.png) } /* url(none) */</style>",
        "<a href='http://[wrong'><a href=../style.css>",
    ],
)
def test_what_is_served_or_elsewhere(text: str, tmp_path: Path) -> None:
    assert hints(tmp_path, {"index.html": text}) == []


def test_what_is_known_at_run_time_only(tmp_path: Path) -> None:
    page = '{% args n: uint32 %}\n<a href="item{{ args.n }}">'
    assert hints(tmp_path, {"page.jinja": page}) == []


def test_a_page_of_an_error_is_sent_at_any_url(tmp_path: Path) -> None:
    """An error page's relative links are not checked: the page is sent at any URL."""
    assert hints(tmp_path, {"404.html": "<link href='styel.css'>"}) == []


@pytest.mark.parametrize("describes", [True, False])
def test_what_describes_services_may_be_left_out(describes: bool, tmp_path: Path) -> None:
    """A page of `./whit new` names it, also where a device does not have it."""
    app = new(str(tmp_path / "lamp"))
    assert compile_application(app, tmp_path / "out", describes=describes).hints == ()


@pytest.mark.parametrize(
    ("file", "octets", "expected"),
    [
        (
            "index.html",
            b"<p>\n\n<p>caf\xe9",
            "index.html:3: not UTF-8, so it is sent without a charset, and browsers guess;",
        ),
        ("more.css", b"/* \xe9 */", "more.css:1: not UTF-8"),
        ("more.js", b"\n// \xe9", "more.js:2: not UTF-8"),
        ("more.txt", b"\xe9", "more.txt:1: not UTF-8"),
        ("index.html", b"<meta charset='windows-1252'>\xe9", ""),
        ("index.html", b"<META http-equiv='Content-Type' content='text/html; charset=iso-8859-1'>\xe9", ""),
        ("index.html", "<p>é".encode("utf-16"), ""),
        ("index.html", "<p>é".encode(), ""),
        ("more.css", b'@charset "iso-8859-1";\n/* \xe9 */', ""),
        ("more.png", b"\xe9", ""),
    ],
)
def test_text_that_is_no_utf_8(file: str, octets: bytes, expected: str, tmp_path: Path) -> None:
    said = hints(tmp_path, {file: octets})
    assert [hint[: len(expected)] for hint in said] == ([expected] if expected else [])


def test_the_nearest_name_of_a_broken_page(tmp_path: Path) -> None:
    """No HTML is too broken to be read, nor too long."""
    for text in ("<a href='x", "<![if x]>", "<a href=none>" * 3, "\0<\0a href=style.css>", "<!" * 1000):
        for hint in hints(tmp_path, {"index.html": text}):
            assert "nothing is served at" in hint
