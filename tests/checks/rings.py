# SPDX-License-Identifier: MIT
"""Files of the engine and of the database's client that use each other: at most two do (DESIGN.md section 7)."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("engine", "database")
LARGEST = 2

COMMENT = re.compile(r"//.*|\"(?:\\.|[^\"\\\n])*\"")
NOT_STATIC = r"^(?!static\b|typedef\b|extern\b|return\b)(?:[\w*]+[ *]+)+?"
FUNCTION = re.compile(NOT_STATIC + r"(\w+)\([^;{]*\)\s*\{", re.MULTILINE)
VARIABLE = re.compile(NOT_STATIC + r"(\w+)(?:\[[^;{]*)?(?: WHIT_FLASH)?(?: = .*)?[;{]?$", re.MULTILINE)
WORD = re.compile(r"\b[a-z]\w+\b")

Graph = dict[str, set[str]]


def graphs() -> Iterator[Graph]:
    """Yields graphs: for each file, the files whose functions and variables it names. An image has one of several kinds
    of a part: one graph has the first, the other the last."""
    texts = {
        str(path.relative_to(ROOT)): COMMENT.sub("", path.read_text())
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.c"))
    }
    for names in (list(texts), list(reversed(texts))):
        owner: dict[str, str] = {}
        for name in names:
            defined = {*FUNCTION.findall(texts[name]), *VARIABLE.findall(texts[name])}
            if not defined & owner.keys():
                owner |= dict.fromkeys(defined, name)
        chosen = set(owner.values())
        yield {name: {owner[word] for word in WORD.findall(texts[name]) if word in owner} - {name} for name in chosen}


def rings(graph: Graph) -> Iterator[list[str]]:
    """Files that reach each other."""
    reached = {name: _reach(graph, name) for name in graph}
    left = set(graph)
    while left:
        name = min(left)
        ring = sorted({name, *(other for other in reached[name] if name in reached[other])})
        left -= set(ring)
        if len(ring) > LARGEST:
            yield ring


def _reach(graph: Graph, start: str) -> set[str]:
    reached: set[str] = set()
    ahead = [start]
    while ahead:
        for name in graph[ahead.pop()] - reached:
            reached.add(name)
            ahead.append(name)
    return reached


if __name__ == "__main__":
    found = False
    for graph in graphs():
        for ring in rings(graph):
            found = True
            print(f"{len(ring)} files use each other, where {LARGEST} may: what several use belongs below them")
            for name in ring:
                print(f"  {name} uses {', '.join(sorted(graph[name] & set(ring)))}")
    sys.exit(found)
