# SPDX-License-Identifier: MIT
"""Outdated published results are reported, with the command that renews them."""

import json
from pathlib import Path
from shutil import copytree

import pytest
from rich.console import Console

from tests.lab.reduced import reduced
from whit.errors import WhitError
from whit_lab import depends, registry
from whit_lab import publish as publishing
from whit_lab.check import RENDER, aged_pictures, differences, judge, other_tools, same_picture
from whit_lab.circumstances import circumstances
from whit_lab.publish import PICTURED, publish, render, render_page
from whit_lab.published import RESULTS, read
from whit_lab.running import Run

NAME = "throughput-mss"  # takes little, and has a picture


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A published directory with one experiment."""
    there = tmp_path_factory.mktemp("published")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(publishing, "must_be_committed", lambda experiments: None)
        assert publish(Console(quiet=True), [NAME], there) == 0
    return there


@pytest.fixture
def there(once: Path, tmp_path: Path) -> Path:
    return copytree(once, tmp_path, dirs_exist_ok=True)


@pytest.mark.xdist_group("lab")
def test_what_was_just_published_is_current(there: Path) -> None:
    """Only the commit may be missing, in a tree with changes."""
    stored, experiment = read(there), registry.find(NAME)
    found = judge(stored, experiment, Run(NAME, 1, reduced(NAME)), circumstances(reduced=True))
    assert [one.what for one in found.aged if "names no commit" not in one.what] == []
    assert aged_pictures(stored, there) == []
    made = stored["experiments"][NAME]["made"]
    assert set(made) - {"commit"} == {"when", "Python", *experiment.tools}
    assert ("commit" in made) == (not depends.no_history()), "a copy without git's directory has none"
    before = {path.name: path.read_bytes() for path in there.iterdir()}
    assert set(before) == {RESULTS, PICTURED[NAME]}
    render(there)
    assert {path.name: path.read_bytes() for path in there.iterdir()} == before


@pytest.mark.xdist_group("lab")
def test_a_figure_that_changes_is_told(there: Path) -> None:
    stored = read(there)
    values = stored["experiments"][NAME]["reduced"]
    key = next(key for key, value in values.items() if value)
    values[key] *= 1.01
    experiment, here = registry.find(NAME), circumstances(reduced=True)
    found = judge(stored, experiment, Run(NAME, 1, reduced(NAME)), here).aged
    assert {one.command for one in found} == {f"./whit lab publish {NAME}"}
    assert any(key in one.what for one in found)
    del values[key]
    assert differences(values, reduced(NAME), experiment) == [f"{key} is on one side only"]
    assert "not published" in judge(stored, registry.find("kernel"), None, here).aged[0].what


@pytest.mark.xdist_group("lab")
def test_a_picture_that_changes_is_told(there: Path) -> None:
    stored = read(there)
    picture = there / PICTURED[NAME]
    picture.write_text(picture.read_text().replace("seconds", "minutes"))
    found = aged_pictures(stored, there)
    assert [one.what.partition(" ")[0] for one in found] == [PICTURED[NAME]]
    assert {one.command for one in found} == {RENDER}
    picture.unlink()
    assert aged_pictures(stored, there) == found
    stored["experiments"]["alchemy"] = stored["experiments"][NAME]
    assert any("alchemy" in one.what for one in aged_pictures(stored, there))
    (there / RESULTS).write_text(json.dumps(stored))
    render(there)
    assert aged_pictures(read(there), there) == []


@pytest.mark.xdist_group("lab")
def test_other_tools_are_named(there: Path) -> None:
    one, here = read(there)["experiments"][NAME], circumstances(reduced=True)
    assert other_tools(registry.find(NAME), one, here) == ""
    one["made"]["gcc"] = "2.95"
    assert other_tools(registry.find(NAME), one, here).endswith("not 2.95")


def test_what_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(WhitError, match=r"\./whit lab publish") as error:
        read(tmp_path)
    assert "\n" not in str(error.value)


@pytest.mark.xdist_group("lab")
def test_the_page_is_made_from_the_results_alone(there: Path, tmp_path: Path) -> None:
    page = render_page(there, tmp_path / "lab" / "index.html").read_text()
    assert NAME in page
    assert "<svg" in page
    assert render_page(there, tmp_path / "again.html").read_text() == page


def test_pictures_may_differ_in_the_last_digits_of_a_drawing() -> None:
    assert same_picture('<path d="M 1.2345 6">', '<path d="M 1.2346 6">')
    assert same_picture('<path d="M 1 6"/>', '<path d="M 1.01 6"/>')
    assert not same_picture('<path d="M 1.2345 6">', '<path d="M 1.3345 6">')
    assert not same_picture("<b>1.2</b> s", "<b>1.2</b> ms")
    assert not same_picture("<b>1.23</b> s", "<b>1.24</b> s")
