# SPDX-License-Identifier: MIT
"""Checks the writers of each field of a slot and of the frame being received (DESIGN.md section 7). Only readers write
a request's state. A field has at most two writing files, or the number in MORE."""

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WRITERS_MOST = 2
READERS = ("http",)
# New stored content resets the flag that a request's entity tags set.
NOT_READERS = {("core/persistent.c", "flags")}
# An image has one of two kinds of these parts.
OTHER_KIND = re.compile(r"/(?:recovery_small|table_scan|head_code|slip|segment_template)\.c$")

MORE = {
    # The request at hand. A step is entered where the octet is read that leads there: a function for each of the eleven
    # would have one caller or two. Flags are set where a field line is read, and restored when the body ends.
    "request.step": 9, "request.flags": 6,
    # Each automaton begins where its first octet is read: a path, a query, lines, an operation of SOAP.
    "request.node": 6,
    # The path's, then the stored version of it, or the operation that a message of SOAP names.
    "request.resource": 5,
    # A number is read by the grammar, as an argument, or in a list; what waited is put back.
    "slot.value": 5,
}  # fmt: skip

COMMENT = re.compile(r"//.*")
SLOT = re.compile(r"\bstruct whit_tcb \*(?:const )?(\w+)")
BY = r"(?:\[[^\]]*\])?\s*(?:(?:[-+|&*]|<<|>>)?=(?!=)|\+\+|--)"
STRUCT = re.compile(r"struct \{(.*?)\} (request|response);", re.DOTALL)
MEMBER = re.compile(r"^\s*(?:_\w+\(\w+\) )?(?:bool|u?int\w+|struct \w+|union \w+) \*?([^;{(]+);", re.MULTILINE)


def members(text: str) -> set[str]:
    """Names that a struct's text declares."""
    names = (re.match(r"\w+", one.strip(" *")) for line in MEMBER.findall(text) for one in line.split(","))
    return {name[0] for name in names if name}


def fields() -> dict[str, set[str]]:
    """Returns the fields by struct: a slot's request and response, its other fields, the frame being received."""
    slot = COMMENT.sub("", (ROOT / "engine" / "core" / "tcb.h").read_text())
    slot = slot[slot.index("struct whit_tcb {") :]
    slot = slot[: slot.index("\n};")]
    found = {name: members(text) for text, name in STRUCT.findall(slot)}
    found["slot"] = members(STRUCT.sub("", slot))
    frame = COMMENT.sub("", (ROOT / "engine" / "core" / "state.h").read_text())
    frame = frame[frame.index("struct whit_rx {") : frame.index("struct whit_engine {")]
    return found | {"rx": members(frame)}


def written(text: str, known: dict[str, set[str]]) -> Iterator[tuple[str, str]]:
    """(struct, field) of each that the text writes."""
    slots = "|".join({"slot", "pending", *SLOT.findall(text)})
    for struct, names in known.items():
        before = {"slot": rf"\b(?:{slots})(?:->|\.)", "rx": r"\b(?:whit\.rx\.|rx->)"}.get(struct, rf"\b{struct}\.")
        for name in sorted(names):
            if re.search(rf"{before}{name}\b{BY}|(?:\+\+|--)[\w.>-]*{before}{name}\b", text):
                yield struct, name


def complaints() -> Iterator[str]:
    known = fields()
    writers: dict[str, set[str]] = defaultdict(set)
    for path in sorted((ROOT / "engine").rglob("*.[ch]")):
        place = str(path.relative_to(ROOT / "engine"))
        for struct, name in written(COMMENT.sub("", path.read_text()), known):
            if not OTHER_KIND.search(f"/{place}"):
                writers[f"{struct}.{name}"].add(place)
            if struct == "request" and not place.startswith(READERS) and (place, name) not in NOT_READERS:
                yield f"engine/{place}: writes request.{name}; engine/http/http.h has functions for it"
    for name, places in sorted(writers.items()):
        most = max(WRITERS_MOST, MORE.get(name, 0))
        if len(places) > most:
            yield f"{name} has {len(places)} writers, expected {most} at most: {', '.join(sorted(places))}"
    for name, most in MORE.items():
        if len(writers[name]) < most:
            yield f"{name} has {len(writers[name])} writers: its row in {Path(__file__).name} can say so"


if __name__ == "__main__":
    found = list(complaints())
    print("\n".join(found), end="\n" if found else "")
    sys.exit(bool(found))
