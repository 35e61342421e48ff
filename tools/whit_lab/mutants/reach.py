# SPDX-License-Identifier: MIT
"""Finds the tests that meet a fault, from a run in which no fault was active. Only these tests can catch it."""

import json
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

_LIMIT_S, _LIMIT_FACTOR = 20.0, 20.0  # a longer trial counts as hung; other programs may be busy

_TRIAL_FACTOR = 5.0

_FILES_FIRST, _TESTS_FIRST = 4, 60


@dataclass(frozen=True)
class Seen:
    """A test, as it ran without a fault."""

    name: str
    seconds: float
    passed: bool
    met: frozenset[int]

    @property
    def file(self) -> str:
        return _file(self.name)

    @property
    def limit_s(self) -> float:
        return _LIMIT_S + _LIMIT_FACTOR * self.seconds


def read(directory: Path) -> list[Seen]:
    """Reads the output of watch.py. A fault that a fixture meets counts for all tests of the file, as they may share
    it."""
    lines = [json.loads(line) for path in sorted(directory.glob("*.jsonl")) for line in path.read_text().splitlines()]
    shared: dict[str, set[int]] = defaultdict(set)
    for line in lines:
        shared[_file(line["name"])] |= set(line["by_fixtures"])
    return [
        Seen(line["name"], line["seconds"], line["passed"], frozenset(line["met"]) | shared[_file(line["name"])])
        for line in lines
    ]


def _file(test: str) -> str:
    return test.split("::")[0]


def order(tests: list[Seen]) -> list[Seen]:
    """The fastest test of each file, then the second of each: tests of one file often catch the same faults."""
    turns: dict[str, int] = defaultdict(int)
    ranked: list[tuple[int, float, Seen]] = []
    for test in sorted(tests, key=lambda one: one.seconds):
        ranked.append((turns[test.file], test.seconds, test))
        turns[test.file] += 1
    return [test for *_, test in sorted(ranked, key=lambda one: one[:2])]


def portions(tests: list[Seen]) -> list[list[Seen]]:
    """Returns two portions of the tests, in their order; empty portions are left out.

    The first has the tests of the few files that begin the order. Reading all files would take longer than these tests.
    """
    ordered = order(tests)
    few = {one.file for one in ordered[:_FILES_FIRST]}
    first = [one for one in ordered if one.file in few][:_TESTS_FIRST]
    return [part for part in (first, [one for one in ordered if one not in first]) if part]


def trial_s(tests: list[Seen], least_s: float) -> float:
    """Returns the time limit for all tests, one after the other. Passing tests do not end a trial."""
    return max(least_s, _TRIAL_FACTOR * sum(test.seconds for test in tests))
