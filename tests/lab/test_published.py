# SPDX-License-Identifier: MIT
"""docs/lab has the experiments' current results, in their reduced forms; its pictures show its results; documents have
its numbers."""

import re
from typing import Any

import pytest

from tests.lab.reduced import exact
from whit.errors import WhitError
from whit_lab import depends, documents, registry
from whit_lab.check import aged_documents, aged_pictures, differences, other_tools, provenance
from whit_lab.circumstances import circumstances
from whit_lab.published import PUBLISHED, read

SIZE_MOST = 600_000  # octets of docs/lab


def results() -> dict[str, Any]:
    return dict(read(PUBLISHED)["experiments"])


def told(found: list[Any]) -> str:
    return "\n".join(f"docs/lab: {one.what}; mended by {one.command}" for one in found)


@pytest.mark.slow
@pytest.mark.xdist_group("lab")
@pytest.mark.parametrize("name", registry.NAMES)
def test_results_are_current(name: str) -> None:
    """The published results equal a new run; of experiments in real time, the exact part. Other compilers and emulators
    give other figures: then the test is skipped."""
    experiment, one = registry.find(name), results()[name]
    try:
        found = differences(one["reduced"], exact(name), experiment)
    except WhitError as lacks:
        pytest.skip(str(lacks))
    others = other_tools(experiment, one, circumstances(reduced=True)) if found else ""
    if others:
        pytest.skip(f"{name} was published with other tools: {others}")
    assert not found, f"{name}: {'; '.join(found)}; mended by ./whit lab publish {name}"


@pytest.mark.parametrize("name", registry.NAMES)
def test_each_experiment_has_its_digest_and_a_commit_that_exists(name: str) -> None:
    """A clone without history skips the look-up of the commit."""
    one = results().get(name)
    assert one, f"{name} is not published; ./whit lab publish {name}"
    found = provenance(registry.find(name), one)
    assert not found.aged, told(found.aged)
    assert bool(found.open) == bool(depends.no_history())


@pytest.mark.xdist_group("lab")
def test_the_pictures_show_the_results() -> None:
    found = aged_pictures(read(PUBLISHED), PUBLISHED)
    assert not found, told(found)


def test_it_is_not_large() -> None:
    assert sum(path.stat().st_size for path in PUBLISHED.rglob("*")) < SIZE_MOST


def test_documents_say_what_is_published() -> None:
    found = aged_documents({"experiments": results()})
    assert not found, told(found)


def test_a_number_of_a_document_that_changes_is_told() -> None:
    """The check finds a changed figure, a missing sentence and an undeclared figure, in each document."""
    stored = read(PUBLISHED)
    for path in documents.paths():
        name, text = str(path.relative_to(documents.ROOT)), path.read_text()
        sentence = next(one for one in documents.sentences() if one.document == name and one.pattern.search(text))
        found = sentence.pattern.search(text)
        assert found
        wrong = f"{text[: found.start(1)]}77 777{text[found.end(1) :]}"
        faults = documents.faults(stored, {name: wrong})
        assert any("not 77 777" in fault and fault.startswith(name) for fault in faults)
        gone = text.replace(found[0], "")
        assert any("is not in it" in fault for fault in documents.faults(stored, {name: gone}))
        twice = f"{text}\n{found[0]}\n"
        assert any("2 times in it" in fault for fault in documents.faults(stored, {name: twice}))


@pytest.mark.parametrize("name", documents.complete())
def test_a_figure_that_nobody_named_is_told(name: str) -> None:
    text = (documents.ROOT / name).read_text() + "\nIt takes 4711 ms, and `4712 ms` in code.\n"
    found = [fault for fault in documents.faults(read(PUBLISHED), {name: text}) if "471" in fault]
    assert len(found) == 1
    assert found[0].startswith(f"{name}:{text.count(chr(10))}: 4711 ms")


def test_bounds_of_the_page_are_those_of_the_experiments() -> None:
    """docs/lab.md, in the tables of figures."""
    text = (documents.ROOT / "docs/lab.md").read_text()
    stored = read(PUBLISHED)
    assert documents.bounds(text, stored) == []
    wrong = re.sub(r"(\| `slot_bytes` \| )32 B", r"\g<1>33 B", text, count=1)
    faults = documents.bounds(wrong, stored)
    assert [fault.partition(": ")[2] for fault in faults] == ['memory.slot_bytes has the bound 32, not "33 B"']


def test_the_page_lists_each_missed_bound_and_no_other() -> None:
    text = (documents.ROOT / "docs/lab.md").read_text()
    stored = read(PUBLISHED)
    assert documents.missed(text, stored) == []
    row = re.search(r"\n\| `engine_lines` \|.*`engine`.*", text)
    assert row
    gone = documents.missed(text.replace(row[0], ""), stored)
    assert gone == ['docs/lab.md: engine.engine_lines misses its bound; add a row to "Bounds that are missed"']
    other = row[0].replace("engine_lines", "slot_bytes").replace("`engine`", "`memory`")
    more = documents.missed(text.replace(row[0], row[0] + other), stored)
    assert more == ['docs/lab.md: memory.slot_bytes misses no bound; remove its row from "Bounds that are missed"']


def test_a_line_that_becomes_too_long_is_broken_anew() -> None:
    long = " ".join(["words"] * 19 + ["63 488"])
    text = f"# A heading\n\n* one {long}\n  and its end\n* two\n\n| {long} |\n"
    one = documents.wrapped(text)
    assert one.split() == text.split() and documents.wrapped(one) == one
    assert [len(line) <= 120 for line in one.splitlines()] == [True] * 6 + [False]
    assert "\n  " in one and "\n* two\n" in one
    for beside in ("# A heading", "| a | row |", "```\ncode\n```"):
        between = f"{beside}\nmore {long}\n{beside}\n"
        assert documents.wrapped(between) == between.replace(" 63 488", "\n63 488")
    assert documents.wrapped((documents.ROOT / "README.md").read_text()) == (documents.ROOT / "README.md").read_text()


def test_numbers_are_written_as_their_form_says() -> None:
    written = documents.written
    assert written(63488, "0") == "63 488"
    assert written(11.98, "f1") == "11.9" and written(3.0, "f1") == "3.0"
    assert written(22512, "k1") == "22.5" and written(0.2239, "2") == "0.22"
    assert written(5.0, "w") == "five" and written(99.0, "w") == "99"
