# SPDX-License-Identifier: MIT
"""The files that each page loads, and their order."""

from pathlib import Path

import pytest

from whit.compiler import Application, compile_application
from whit.model.prediction.page import Page, css_references, pages, target_of
from whit.paths import ROOT

GENERATOR = """/* <generator><handlers doGet="get"/><properties persistence="volatile"/></generator> */
static char get(struct args_t *args)
{
	(void)args;
	out_str("1");
	return 1;
}
"""


def compiled(directory: Path, files: dict[str, str], tmp: Path) -> Application:
    for name, text in files.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text)
    return compile_application(directory, tmp)


def order(page: Page) -> list[tuple[str, tuple[str, ...]]]:
    return [(load.target, load.after) for load in page.loads]


def test_the_address_book(tmp_path: Path) -> None:
    page = pages(compile_application(ROOT / "apps" / "contacts", tmp_path))[0]
    expected = [("/", ()), *((name, ("/",)) for name in ("/style.css", "/script.js", "/logo.png"))]
    assert order(page) == expected
    assert page.asked == ("/cb_add", "/cb_extract", "/cb_get")
    assert page.ready == ("/style.css", "/script.js")
    assert page.missing == page.elsewhere == ()


def test_every_application_of_the_tree_has_what_its_pages_name(tmp_path: Path) -> None:
    for directory in sorted((ROOT / "apps").iterdir()):
        for page in pages(compile_application(directory, tmp_path / directory.name)):
            loads_more = len(page.loads) > 1 or directory.name == "services"  # whose page has all in itself
            assert page.missing == () and loads_more, directory.name


def test_attributes_sheets_frames_and_what_is_elsewhere(tmp_path: Path) -> None:
    files = {
        "index.html": """<!doctype html><!-- <img src=comment.png> -->
<link rel="shortcut icon" href=a.svg><img src="b.svg?v=1" SRC="second"><link rel=canonical href=never.html>
<LINK REL=StyleSheet HREF="css/one.css"><script src='/x.js'></script><script src="x.js"></script>
<img src="data:,"><img src=//other.example/c.svg><img src="gone.svg"><a href="other.html">x</a>
<iframe src="frame.html"></iframe><div style="background: url(d.svg)"></div><script>fetch(`now?a=1`)</script>
<script>document.write("<img src='never.svg'>")</script>""",
        "css/one.css": "@import 'two.css'; /* url(no.svg) */ a { background: url( \"../e.svg\" ) }",
        "css/two.css": "@import url(one.css);",
        "frame.html": "<!doctype html><img src=b.svg><img src=f.svg>",
        "x.js": "fetch('now')",
        "now.c": GENERATOR,
        "other.html": "<!doctype html><base href=css/><link rel=stylesheet href=two.css>",
        **{f"{name}.svg": "<svg/>" for name in "abdef"},
    }
    by_url = {page.url: page for page in pages(compiled(tmp_path / "app", files, tmp_path / "out"))}
    page = by_url["/"]
    assert order(page) == [
        ("/", ()),
        ("/css/one.css", ("/",)),
        ("/css/two.css", ("/css/one.css",)),
        ("/e.svg", ("/css/one.css",)),
        ("/x.js", ("/",)),
        ("/b.svg?v=1", ("/",)),
        ("/frame.html", ("/",)),
        ("/b.svg", ("/frame.html",)),
        ("/f.svg", ("/frame.html",)),
        ("/a.svg", ("/",)),
        ("/d.svg", ("/",)),
    ]
    assert page.missing == ("/gone.svg",)
    assert page.elsewhere == ("//other.example/c.svg",)
    assert page.asked == ("/now",)
    assert [target for target, _ in order(by_url["/other.html"])] == [
        "/other.html", "/css/two.css", "/css/one.css", "/e.svg",
    ]  # fmt: skip


def test_a_frame_of_itself_ends(tmp_path: Path) -> None:
    app = compiled(tmp_path / "app", {"index.html": "<!doctype html><iframe src=/></iframe>"}, tmp_path / "out")
    assert order(pages(app)[0]) == [("/", ())]


@pytest.mark.parametrize(
    ("reference", "target"),
    [
        ("x", "/a/x"),
        ("/x#y", "/x"),
        ("../x?q=1", "/x?q=1"),
        ("", "/a/b.html"),
        ("http://device/z", "/z"),
        ("https://device/z", None),
        ("http://device:81/z", None),
        ("mailto:x@y", None),
        ("data:,", None),
        ("//e.example", None),
    ],
)
def test_targets(reference: str, target: str | None) -> None:
    assert target_of(reference, "/a/b.html") == target


def test_references_of_a_sheet() -> None:
    text = "@import \"a.css\"; b{c:url('d')} /* url(e) */ @IMPORT url(f.css) screen; g{h:URL( i )} url()"
    assert css_references(text) == ["a.css", "d", "f.css", "i"]
