# SPDX-License-Identifier: MIT
"""docs/lab is what the experiments give today, in their reduced forms, and its pictures show its results."""

import re
from typing import Any

import pytest
from whit.errors import WhitError
from whit.lab import registry
from whit.lab.kept import result_of
from whit.lab.page import Entry
from whit.lab.publish import PUBLISHED, aged_pictures, aged_result, other_tools, read
from whit.lab.show import number
from whit.paths import ROOT

from tests.lab.reduced import reduced

SIZE_MOST = 500_000  # octets of docs/lab


def told(found: list[Any]) -> str:
    return "\n".join(f"docs/lab: {one.what}; mended by {one.command}" for one in found)


@pytest.mark.slow
@pytest.mark.xdist_group("lab")
@pytest.mark.parametrize("name", registry.NAMES)
def test_results_are_current(name: str) -> None:
    """Where time is real, that it is published at all. Other compilers and emulators give other figures."""
    stored = read(PUBLISHED)
    if not registry.find(name).deterministic:
        assert not aged_result(stored, name, None)
        pytest.skip(f"{name} measures real time, which is never the same twice")
    try:
        found = aged_result(stored, name, reduced(name))
    except WhitError as lacks:
        pytest.skip(str(lacks))
    others = other_tools(stored) if found else ""
    if others:
        pytest.skip(f"docs/lab was measured with other tools: {others}")
    assert not found, told(found)


@pytest.mark.xdist_group("lab")
def test_the_pictures_show_the_results() -> None:
    found = aged_pictures(read(PUBLISHED), PUBLISHED)
    assert not found, told(found)


def test_it_is_not_large() -> None:
    assert sum(path.stat().st_size for path in PUBLISHED.rglob("*")) < SIZE_MOST


def test_the_readme_says_what_is_published() -> None:
    published = read(PUBLISHED)["experiments"]
    entries = [Entry(registry.find(name), result_of(one["full"]), 0) for name, one in published.items()]
    shown = {
        (entry.experiment.name, figure.name): f"{number(figure.value)} {figure.unit}"
        for entry in entries
        for figure in entry.figures
    }
    text = (ROOT / "README.md").read_text()
    said = re.findall(r"\| ([^|]+) \| `([\w-]+)`: `(\w+)` \|", text)
    assert len(said) >= 3
    assert {(name, figure): value for value, name, figure in said} == {
        (name, figure): shown[name, figure] for _, name, figure in said
    }
    missed, bounds = sum(len(one.missed) for one in entries), sum(len(one.bounded) for one in entries)
    assert f"{missed} of {bounds} bounds are missed" in text
    worse, judged = sum(len(one.worse) for one in entries), sum(len(one.judged) for one in entries)
    assert f"{worse} of {judged} values are worse" in text
