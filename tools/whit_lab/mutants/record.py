# SPDX-License-Identifier: MIT
"""Records which tests reach which source of the engine: `python -m whit_lab.mutants.record` writes tests/reach.json, by
which `whit test --changed` chooses. It takes as long as the tests of the engine.

Each function of the engine gets one switch (switches.py), none of which is ever active; a test reaches a function if it
meets its switch."""

import json
import os
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice

from whit.paths import ROOT
from whit_testbed.changed import REACH

from . import c_faults, objects, switches, trials
from .fault import Fault
from .reach import Seen
from .watch import LEN

TESTS_MOST = 12
"""Files of tests that are kept for one source."""
SWITCHES_MOST = LEN - 3
FAILED_MOST = 200
"""Tests that fail because of the switches, such as those of an image's size, are left out."""
LAST = "sign"
"""The kind of fault that some images do not compile: a sum of two pointers."""


def main() -> None:
    places = list(islice(_places(), SWITCHES_MOST))
    copy = trials.copy_with(places)
    seen = trials.passing(copy, trials.ENGINE_TESTS, os.cpu_count() or 1, failed_most=FAILED_MOST)
    REACH.write_text(json.dumps(reached(places, seen), indent=1, sort_keys=True) + "\n")


def reached(places: list[Fault], seen: list[Seen]) -> dict[str, list[str]]:
    """Returns for each source the files of tests that reach most of its functions; of equals, the fastest first."""
    functions: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    seconds: dict[tuple[str, str], float] = defaultdict(float)
    for test in seen:
        name = test.file.removeprefix("tests/")
        for number in test.met:
            source = places[number - 1].file
            functions[source][name].add(number)
        for source in {places[number - 1].file for number in test.met}:
            seconds[source, name] += test.seconds
    return {
        source: sorted(tests, key=lambda name: (-len(tests[name]), seconds[source, name]))[:TESTS_MOST]
        for source, tests in functions.items()
    }


def _places() -> Iterator[Fault]:
    """Yields one place in each function whose file still compiles with the switches."""
    for folder in ("engine", "database"):
        for path in sorted((ROOT / folder).rglob("*.c")):
            file, text = str(path.relative_to(ROOT)), path.read_text()
            chosen: list[Fault] = []
            for candidates in _by_function(file, text):
                place = next((one for one in candidates[:5] if _compiles(file, text, [*chosen, one])), None)
                chosen += [place] if place else []
            yield from chosen


def _by_function(file: str, text: str) -> list[list[Fault]]:
    code = c_faults.code_of(text)
    groups: dict[int, list[Fault]] = defaultdict(list)
    for fault in c_faults.faults(file, text):
        groups[code.rfind("\n{", 0, fault.start)].append(fault)
    return [sorted(groups[at], key=lambda fault: fault.kind == LAST) for at in sorted(groups)]


def _compiles(file: str, text: str, faults: list[Fault]) -> bool:
    return objects.compiles(file, switches.with_switches(text, list(enumerate(faults, 1))))


if __name__ == "__main__":
    main()
