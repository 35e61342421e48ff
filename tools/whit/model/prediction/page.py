# SPDX-License-Identifier: MIT
"""The resources that a page loads, as its HTML and style sheets name them. Requests of scripts are not found."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

from whit.compiler.model import Application, Resource

ORIGIN = "http://device"
HTML, CSS = "text/html", "text/css"
NESTED_MAX = 8  # frames in frames, sheets that import sheets
# Attributes that name a loaded resource, with its kind.
LOADING = {
    ("script", "src"): "script",
    ("img", "src"): "image",
    ("input", "src"): "image",
    ("iframe", "src"): "frame",
    ("frame", "src"): "frame",
    ("embed", "src"): "image",
    ("object", "data"): "image",
    ("audio", "src"): "image",
    ("video", "src"): "image",
    ("video", "poster"): "image",
    ("source", "src"): "image",
    ("track", "src"): "image",
}
RELATIONS = {
    "stylesheet": "sheet",
    "icon": "icon",
    "preload": "image",
    "modulepreload": "script",
    "manifest": "icon",
}
ORDER = ("sheet", "script", "image", "frame", "icon")  # of a browser's requests, if the page names all at once
URL = re.compile(r"""url\(\s*(?:"([^"]*)"|'([^']*)'|([^)"'\s]*))\s*\)|@import\s+(?:"([^"]*)"|'([^']*)')""", re.I)
COMMENT = re.compile(r"/\*.*?\*/", re.S)
LITERAL = re.compile(r"""["'`]([^"'`\s]+)["'`]""")


@dataclass(frozen=True)
class Load:
    """A resource that is requested once all of `after` are loaded. They are targets as in a request line."""

    target: str
    resource: Resource
    kind: str
    after: tuple[str, ...] = ()


@dataclass(frozen=True)
class Page:
    """A page with the resources that its HTML and style sheets name; targets in their order."""

    url: str
    loads: tuple[Load, ...]  # itself first
    missing: tuple[str, ...] = ()  # named, and not there
    elsewhere: tuple[str, ...] = ()  # on other servers
    asked: tuple[str, ...] = ()  # generators that its scripts name

    @property
    def ready(self) -> tuple[str, ...]:
        """Targets that must be loaded before a script of the page runs for the first time."""
        return tuple(load.target for load in self.loads if load.kind in ("sheet", "script")) or (self.url,)


@dataclass
class _Reader(HTMLParser):
    """Collects the references of an HTML text in their order."""

    named: list[tuple[str, str]] = field(default_factory=list)  # (kind, reference)
    sheets: list[str] = field(default_factory=list)  # texts of style elements and attributes
    scripts: list[str] = field(default_factory=list)
    base: str = ""
    _inside: str = ""

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value for name, value in reversed(attrs) if value is not None}  # the first of a name counts
        self._inside = tag if tag in ("style", "script") else ""
        if tag == "base" and not self.base:
            self.base = told.get("href", "")
        if tag == "link" and "href" in told:
            kinds = [RELATIONS[word] for word in told.get("rel", "").lower().split() if word in RELATIONS]
            self.named += [(kinds[0], told["href"])] if kinds else []
        for name, value in told.items():
            if kind := LOADING.get((tag, name)):
                self.named.append((kind, value))
        if "style" in told:
            self.sheets.append(told["style"])

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "style":
            self.sheets.append(data)
        elif self._inside == "script":
            self.scripts.append(data)


def pages(application: Application) -> list[Page]:
    """Returns a page for each HTML file, under its shortest URL."""
    by_url = {url: resource for resource in application.resources for url in resource.urls}
    return [_Walk(by_url).page(resource.urls[0]) for resource in application.resources if is_page(resource)]


def is_page(resource: Resource) -> bool:
    """HTML that is known when the application is built."""
    return not resource.made_later and _type(resource) == HTML


def target_of(reference: str, base: str) -> str | None:
    """The target of a reference on a page; None: it is on another server, or no request at all."""
    absolute = urlsplit(urljoin(ORIGIN + base, reference.strip()))
    if absolute.scheme not in ("http", "https") or f"{absolute.scheme}://{absolute.netloc}" != ORIGIN:
        return None
    return (absolute.path or "/") + (f"?{absolute.query}" if absolute.query else "")


class _Walk:
    """Finds everything that a page loads."""

    def __init__(self, by_url: Mapping[str, Resource]) -> None:
        self._by_url = by_url
        self._loads: dict[str, Load] = {}
        self._missing: list[str] = []
        self._elsewhere: list[str] = []
        self._asked: list[str] = []

    def page(self, url: str) -> Page:
        self._add(url, "page", (), 0)
        asked = [one for one in sorted(set(self._asked)) if one not in self._loads]
        missing, elsewhere = sorted(set(self._missing)), sorted(set(self._elsewhere))
        return Page(url, tuple(self._loads.values()), tuple(missing), tuple(elsewhere), tuple(asked))

    def _add(self, target: str, kind: str, after: tuple[str, ...], depth: int) -> None:
        resource = self._by_url.get(target.partition("?")[0])
        if resource is None:
            self._missing.append(target)
            return
        # index.html under both its URLs is two requests. A resource that was requested before is in the browser.
        if target in self._loads or depth > NESTED_MAX:
            return
        self._loads[target] = Load(target, resource, kind, after)
        if resource.made_later:
            return
        text = resource.representations[0].body.decode("utf-8", "replace")
        if _type(resource) == HTML and kind in ("page", "frame"):
            self._html(text, target, depth)
        elif _type(resource) == CSS:
            self._refer(((word, "image") for word in css_references(text)), target, target, depth)
        elif kind == "script":
            self._script(text, target)

    def _html(self, text: str, target: str, depth: int) -> None:
        reader = _Reader()
        reader.feed(text)
        reader.close()
        base = target_of(reader.base, target) or target if reader.base else target
        named = sorted(reader.named, key=lambda one: ORDER.index(one[0]))
        inline = [(word, "image") for sheet in reader.sheets for word in css_references(sheet)]
        self._refer([*((word, kind) for kind, word in named), *inline], base, target, depth)
        for script in reader.scripts:
            self._script(script, base)

    def _refer(
        self, references: Iterator[tuple[str, str]] | list[tuple[str, str]], base: str, after: str, depth: int
    ) -> None:
        for reference, kind in references:
            target = target_of(reference, base)
            if target is not None:
                self._add(target, kind, (after,), depth + 1)
            elif re.match(r"(https?:)?//", reference.strip()):
                self._elsewhere.append(reference.strip())

    def _script(self, text: str, base: str) -> None:
        """Strings that are URLs of generators. Relative ones mean the page's place, which is nearly always the same."""
        for word in LITERAL.findall(text):
            target = (target_of(word, base) or "").partition("?")[0]
            resource = self._by_url.get(target)
            if resource and resource.made_later:
                self._asked.append(target)


def css_references(text: str) -> list[str]:
    """Returns the references in url() and @import."""
    return [next(word for word in found if word) for found in URL.findall(COMMENT.sub(" ", text)) if any(found)]


def _type(resource: Resource) -> str:
    return resource.content_type.partition(";")[0].strip().lower()
