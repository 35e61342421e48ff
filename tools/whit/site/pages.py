# SPDX-License-Identifier: MIT
"""Pages of the site: their names, their order, and their Markdown, converted for Python-Markdown. Forges show the same
files, which are therefore CommonMark."""

import re
from collections.abc import Iterator
from pathlib import Path
from posixpath import join, normpath, relpath
from urllib.parse import unquote

from whit.paths import ROOT

DOCS = "docs/"
HOME = "README.md"
OUTSIDE = ("*.md", "engine/README.md")
"""Pages outside docs/, by patterns from the root of the tree."""
OTHERS = "Reference"
"""The section of pages that mkdocs.yml does not name."""
TARGET = re.compile(r"(?P<before>!?\[(?:[^\[\]]|\[[^\]]*\])*\]\()(?P<target>[^)\s]+)(?P<after>\))")
ATTRIBUTE = re.compile(r'(?P<before>\b(?:src|srcset|href)=")(?P<target>[^"\s]+)(?P<after>")')
FENCE = re.compile(r"^ *(?:```|~~~)")
LISTED = re.compile(r"^(?P<indent> *)(?:[*+-]|\d+\.) ")
BEGINS = re.compile(r" *(?:[*+-]|1\.) ")
"""The marker of an item that may follow a paragraph without a blank line."""
NUMBER = re.compile(r"^( *\d+)\.")
CODE = re.compile(r"(`+)(?:.(?!\1))*.?\1")

Entry = str | dict[str, str]
"""A page of the navigation; with a title where its own is not shown."""
Sections = list[dict[str, list[Entry]]]


def slug(text: str, separator: str) -> str:
    """The name that a heading can be linked under, as forges make it."""
    return re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", separator)


def in_site(path: str) -> str:
    """The site's name of a file of the tree."""
    if path == HOME:
        return "index.md"
    return path.removeprefix(DOCS)


def in_tree(name: str) -> str:
    """The path of a page, from the root of the tree."""
    if name == "index.md":
        return HOME
    return name if (ROOT / name).exists() and not (ROOT / DOCS / name).exists() else DOCS + name


def navigation(sections: Sections, pages: list[str]) -> Sections:
    """The sections of mkdocs.yml with the pages that exist. Sections without pages are left out."""
    left = dict.fromkeys(sorted(pages, key=lambda page: page.replace("README.md", "")))
    result = {title: list(_taken(names, left)) for section in sections for title, names in section.items()}
    result[OTHERS] += left
    return [{title: names} for title, names in result.items() if names]


def _taken(entries: list[Entry], left: dict[str, None]) -> Iterator[Entry]:
    for entry in entries:
        ((title, name),) = entry.items() if isinstance(entry, dict) else (("", entry),)
        found = [page for page in left if page.startswith(name[:-1])] if name.endswith("/*") else [in_site(name)]
        for page in found:
            if page in left:
                del left[page]
                yield {title: page} if title else page


def adapted(markdown: str, name: str, site: set[str]) -> Iterator[str]:
    """Yields the parts of a page, alternately prose and fenced code. Prose gets the site's links, and the blank lines
    before lists that Python-Markdown requires."""
    prose: list[str] = []
    fenced = False
    for line in markdown.splitlines():
        if FENCE.match(line):
            fenced = not fenced
            if fenced and prose:
                yield linked("\n".join(separated(prose)), name, site)
                prose = []
            yield line
        elif fenced:
            yield line
        else:
            prose.append(line)
    yield linked("\n".join(separated(prose)), name, site)


def separated(lines: list[str]) -> Iterator[str]:
    """Returns prose as Python-Markdown reads it. A blank line precedes a list and surrounds fenced code. Parts of an
    item are indented by 4. A number that only begins a line of a paragraph has an escaped point."""
    item, loose = 0, False  # columns of the marker of the item at hand; True if a blank line is in it
    counted: set[int] = set()  # columns at which numbered items of this list begin
    before = "fence"
    for line in lines:
        listed = LISTED.match(line)
        column = len(line) - len(line.lstrip(" "))
        if listed and before.strip() and not BEGINS.match(line) and column not in counted:
            listed, line = None, NUMBER.sub(r"\1\\.", line)
        first = bool(listed) and (not item or (loose and not column))
        if before == "fence" or (first and before.strip()):
            yield ""
        if listed and not column:
            item, loose = len(listed[0]), False
        elif line.strip() and column < max(item, 1):
            item, counted = 0, set()
        if listed and listed[0].strip()[0].isdigit():
            counted.add(column)
        loose |= not line.strip()
        yield " " * (4 - item) + line if item and line.startswith(" " * item) else line
        before = line


def linked(text: str, name: str, site: set[str]) -> str:
    codes = [match.span() for match in CODE.finditer(text)]

    def replace(match: re.Match[str]) -> str:
        at = match.start("target")
        if any(begin < at < end for begin, end in codes):
            return match[0]
        target, there = moved(match["target"], name)
        if not there or there in site:
            return match["before"] + target + match["after"]
        if not (ROOT / in_tree(there)).exists() and not (ROOT / there).exists():
            return match[0]
        return match["before"].strip("[](")  # a file of the tree that is no page: its name stays

    for pattern in (TARGET, ATTRIBUTE):
        text = pattern.sub(replace, text)
        codes = [match.span() for match in CODE.finditer(text)]
    return text


def moved(target: str, name: str) -> tuple[str, str]:
    """The target of a link from the page's place in the site, and the file's name there."""
    if re.match(r"[a-z]+:|#", target):
        return target, ""
    path, hash_sign, anchor = target.partition("#")
    there = in_site(normpath(join(Path(in_tree(name)).parent.as_posix(), unquote(path))))
    return relpath(there, Path(name).parent.as_posix()) + hash_sign + anchor, there
