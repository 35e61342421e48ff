# SPDX-License-Identifier: MIT
"""Hints about references of pages and style sheets to URLs that are not served, and about text that is not UTF-8.
They are no errors: another server may be in front of this one."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

from whit.suggest import meant

from .resources import Directory

HTML, CSS, SCRIPT, PLAIN = "text/html", "text/css", "text/javascript", "text/plain"
ORIGIN = "http://whit.invalid"  # of all that the application serves
LEN_MAX = 1 << 20  # octets of a file that is read
_ATTRIBUTES = {
    "href": ("a", "area", "link"),
    "src": ("script", "img", "iframe", "frame", "embed", "source", "track", "audio", "video", "input"),
    "srcset": ("img", "source"),
    "poster": ("video",),
    "data": ("object",),
    "action": ("form",),
    "formaction": ("button", "input"),
}
_FILLED_IN = ("{{", "{%", "{#")  # by a page template
_URL = re.compile(r"""url\(\s*(?:"([^"]*)"|'([^']*)'|([^)"'\s]*))\s*\)|@import\s+(?:"([^"]*)"|'([^']*)')""", re.I)
_COMMENT = re.compile(r"/\*.*?\*/", re.S)
_MARKS = (b"\xff\xfe", b"\xfe\xff")  # of UTF-16, by which browsers know it
_CODED = re.compile(rb"""<meta\s[^>]*charset\s*=|^@charset\s""", re.I)
_WAY_OUT = {HTML: ', or say how it is coded: <meta charset="windows-1252">', CSS: ', or begin with @charset "..."'}


@dataclass(frozen=True)
class _Reference:
    line: int
    shown: str  # as written in the file
    target: str
    base: str = ""  # of <base href>


def hints(app_dir: Path, directory: Directory, described: Collection[str]) -> Iterator[str]:
    """A line for each. Pages of errors are sent at any URL. described: paths that other targets have."""
    resources, errors = directory.resources, (resource for _, resource in directory.errors)
    served = {url for resource in resources for url in resource.urls} | {f"/{path}" for path in described}
    tails = tuple(f"/{one.path}/" for one in resources if one.generator and one.tail is not None)
    for resource, is_error in (*((one, False) for one in resources), *((one, True) for one in errors)):
        kind = resource.content_type.partition(";")[0].strip()
        if resource.stored or resource.describes or (resource.generator and not resource.page):
            continue
        try:
            octets = (app_dir / resource.source).read_bytes()
        except OSError:
            continue
        file, text = app_dir / resource.source, octets.decode(errors="replace")
        yield from _coding(file, kind, octets)
        if len(octets) > LEN_MAX or kind not in (HTML, CSS):
            continue
        for one in _of_html(text) if kind == HTML else _of_css(text, 1):
            if is_error and not one.target.startswith("/"):
                continue
            page = f"{ORIGIN}{resource.urls[0]}"
            if wrong := _missing(one.target, page, one.base, served, tails):
                yield f"{file}:{one.line}: {one.shown}: {wrong}"


def _missing(target: str, page: str, base: str, served: Collection[str], tails: tuple[str, ...]) -> str:
    """Returns the hint about a target that is not served; nothing for one that is served, or is on another host."""
    try:
        base = urljoin(page, base)
        parts, folder = urlsplit(urljoin(base, target)), urlsplit(base).path.rpartition("/")[0] + "/"
    except ValueError:
        return ""
    path = unquote(parts.path)
    if f"{parts.scheme}://{parts.netloc}" != ORIGIN or path in served or path.startswith((*tails, "/whit/")):
        return ""
    guess = meant(path, served)
    if guess and not target.startswith("/") and guess.startswith(folder):
        guess = guess.removeprefix(folder) or guess
    return f"nothing is served at {path}, clients get 404{f'; did you mean {guess}?' if guess else ''}"


def _coding(file: Path, kind: str, octets: bytes) -> Iterator[str]:
    if kind not in (HTML, CSS, SCRIPT, PLAIN) or octets.startswith(_MARKS) or _CODED.search(octets[:1024]):
        return
    try:
        octets.decode()
    except UnicodeDecodeError as error:
        line = octets.count(b"\n", 0, error.start) + 1
        text = f"not UTF-8, so it is sent without a charset, and browsers guess; convert it{_WAY_OUT.get(kind, '')}"
        yield f"{file}:{line}: {text}"


def _of_html(text: str) -> list[_Reference]:
    parser = _Parser()
    parser.feed(text)
    parser.close()
    return parser.found


def _of_css(text: str, first_line: int) -> Iterator[_Reference]:
    text = _COMMENT.sub(lambda comment: re.sub(r"[^\n]", " ", comment[0]), text)
    for match in _URL.finditer(text):
        target = next((group for group in match.groups() if group is not None), "").strip()
        if _is_looked_at(target):
            yield _Reference(first_line + text.count("\n", 0, match.start()), match[0], target)


def _is_looked_at(target: str) -> bool:
    """False for a place in the same document, and for a target that is known only at run time."""
    return bool(target) and not target.startswith("#") and not any(mark in target for mark in _FILLED_IN)


class _Parser(HTMLParser):
    """Collects the references of a page, with lines."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[_Reference] = []
        self._base = ""
        self._in_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._in_style = tag == "style"
        for name, value in attrs:
            if tag == "base" and name == "href":
                self._base = value or ""
            elif value and tag in _ATTRIBUTES.get(name, ()):
                self._name(name, value)

    def handle_endtag(self, tag: str) -> None:
        self._in_style = False

    def handle_data(self, data: str) -> None:
        if self._in_style:
            self.found += _of_css(data, self.getpos()[0])

    def _name(self, name: str, value: str) -> None:
        targets = (
            [part.split()[0] for part in value.split(",") if part.split()] if name == "srcset" else [value.strip()]
        )
        for target in targets:
            if _is_looked_at(target):
                self.found.append(_Reference(self.getpos()[0], f'{name}="{target}"', target, self._base))
