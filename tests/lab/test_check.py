# SPDX-License-Identifier: MIT
"""`whit lab check` notices a falsified figure of any experiment, and names the experiments that it cannot judge."""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from whit_lab import check, depends, publish, published, registry
from whit_lab.check import judge
from whit_lab.experiment import Experiment, Figure, Result
from whit_lab.kept import kept, result_of
from whit_lab.published import digest, entry
from whit_lab.running import Run

HERE = {"when": "2026-01-01 00:00 UTC", "commit": "0123456789ab", "Python": "3.11", "gcc": "12.2.0", "nginx": "1.22"}
FULL = Result({}, [Figure("time_s", "a time", 1.5, "s", 2), Figure("flash", "octets", 900, "B")])
REDUCED = Result({}, [Figure("time_s", "a time", 1.25, "s", 2), Figure("flash", "octets", 900, "B")])
VIRTUAL = Experiment("traffic", tools=("gcc",))
REAL = Experiment("crowd", tools=("gcc", "nginx"), deterministic=False, exact=("fl*",))
EVERY = pytest.mark.parametrize("experiment", registry.every(), ids=registry.NAMES)


@pytest.fixture(autouse=True)
def no_git(monkeypatch: pytest.MonkeyPatch) -> None:
    """The commit exists, and no file has changed."""
    monkeypatch.setattr(depends, "lost", lambda commit: "")
    monkeypatch.setattr(depends, "no_history", lambda: "")
    monkeypatch.setattr(depends, "digest", lambda of: "same")


def run(experiment: Experiment, result: Result | None = None, reason: str = "") -> Run:
    return Run(experiment.name, 1, result, reason)


def store(experiment: Experiment, full: Result = FULL, reduced: Result = REDUCED) -> dict[str, Any]:
    """Returns results as publish writes them to a file."""
    one = entry(experiment, run(experiment, full), run(experiment, reduced), HERE)
    stored: dict[str, Any] = json.loads(json.dumps({"experiments": {experiment.name: one}}))
    return stored


def words(stored: dict[str, Any], experiment: Experiment, reduced: Result | None = REDUCED) -> str:
    found = judge(stored, experiment, run(experiment, reduced, "gcc is not installed"), HERE)
    return "; ".join(one.what for one in found.aged)


def real_results(experiment: Experiment) -> tuple[Result, Result]:
    """Returns the published results of an experiment."""
    one = published.read()["experiments"][experiment.name]
    full = result_of(one["full"])
    return replace(full, notes=experiment.notes), full


@EVERY
def test_a_falsified_figure_of_each_experiment_is_noticed(experiment: Experiment) -> None:
    """The check notices a falsified figure, value beside a paper, or cell of a table. It also works if tools differ or
    cannot run, and for real time."""
    full, reduced = real_results(experiment)
    stored = store(experiment, full, reduced)
    assert words(stored, experiment, reduced) == ""
    one = stored["experiments"][experiment.name]
    for figure in one["full"]["figures"]:
        value, figure["value"] = figure["value"], figure["value"] + 1
        assert "changed by hand" in words(stored, experiment, None), figure["name"]
        figure["value"] = value
    for row in one["full"].get("compared", ())[:3]:
        ours, row["ours"] = row["ours"], row["ours"] / 2 - 1
        assert "changed by hand" in words(stored, experiment, None), row["name"]
        row["ours"] = ours
    for sheet in one["full"].get("sheets", ())[:3]:
        cell, sheet["rows"][0][-1] = sheet["rows"][0][-1], "0"
        assert cell == "0" or "changed by hand" in words(stored, experiment, None), sheet["title"]
        sheet["rows"][0][-1] = cell
    for name in one["reduced"]:
        value, one["reduced"][name] = one["reduced"][name], one["reduced"][name] * 2 + 100
        assert f"{name} was" in words(stored, experiment, reduced)
        assert "changed by hand" in words(stored, experiment, None), name
        one["reduced"][name] = value
    assert words(stored, experiment, reduced) == ""


def test_a_figure_with_a_new_digest_is_noticed_by_its_run() -> None:
    for experiment, name in ((VIRTUAL, "time_s"), (REAL, "flash")):
        stored = store(experiment)
        one = stored["experiments"][experiment.name]
        one["reduced"][name] = 700
        one["digest"] = digest(experiment.name, one)
        assert words(stored, experiment).startswith(f"{experiment.name}: {name} was 700, is ")


def test_full_forms_are_compared_where_they_are_run() -> None:
    stored = store(VIRTUAL)
    other = replace(FULL, figures=[replace(FULL.figures[0], value=1.6), FULL.figures[1]])
    found = judge(stored, VIRTUAL, run(VIRTUAL, REDUCED), HERE, run(VIRTUAL, other))
    assert [one.what for one in found.aged] == ["traffic, full form: time_s was 1.5, is 1.6"]
    assert judge(stored, VIRTUAL, run(VIRTUAL, REDUCED), HERE, run(VIRTUAL, FULL)).aged == []


def test_tools_of_one_experiment_excuse_no_other() -> None:
    """Changed tools of an experiment excuse its own figures only, and name them."""
    stored, wrong = store(VIRTUAL), replace(REDUCED, figures=[replace(REDUCED.figures[0], value=9), REDUCED.figures[1]])
    assert "time_s was 1.25, is 9" in words(stored, VIRTUAL, wrong)
    newer = {**HERE, "nginx": "1.26"}
    assert judge(stored, VIRTUAL, run(VIRTUAL, wrong), newer).aged
    newer = {**HERE, "gcc": "13"}
    found = judge(stored, VIRTUAL, run(VIRTUAL, wrong), newer)
    assert found.aged == []
    assert "time_s was 1.25, is 9" in found.open[0] and "gcc 13, not 12.2.0" in found.open[0]
    assert "./whit lab publish traffic" in found.open[0]
    assert judge(stored, VIRTUAL, run(VIRTUAL, REDUCED), newer).open == [], "what agrees is judged"


def test_what_cannot_be_judged_is_named_with_the_reason() -> None:
    found = judge(store(REAL), REAL, run(REAL, None, "gcc is not installed"), HERE)
    assert found.aged == []
    assert "could not be run: gcc is not installed" in found.open[0]
    assert "crowd: time_s: real time" in found.open[1]
    assert "flash" not in found.open[1], "which is compared"


def test_an_experiment_whose_files_changed_is_to_be_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = store(VIRTUAL)
    monkeypatch.setattr(depends, "digest", lambda of: "other")
    monkeypatch.setattr(depends, "changed_since", lambda commit, of: ["engine/tcp/idle.c"])
    assert words(stored, VIRTUAL) == (
        "traffic is to be run again, as what it depends on has changed since 0123456789ab: engine/tcp/idle.c"
    )


def test_a_commit_must_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = store(VIRTUAL)
    monkeypatch.setattr(depends, "lost", lambda commit: "does not exist")
    assert words(stored, VIRTUAL) == "traffic: its commit 0123456789ab does not exist"
    monkeypatch.setattr(depends, "no_history", lambda: "this clone is shallow")
    found = judge(stored, VIRTUAL, run(VIRTUAL, REDUCED), HERE)
    assert found.aged == [] and "this clone is shallow" in found.open[0]
    one = stored["experiments"]["traffic"]
    one["made"]["commit"] += ", with changes"
    one["digest"] = digest("traffic", one)
    assert "names no commit" in words(stored, VIRTUAL)
    del one["digest"]
    assert "without a digest" in words(stored, VIRTUAL)


def test_notes_that_are_not_said_any_more_are_told() -> None:
    stored = store(VIRTUAL)
    assert "notes" in words(stored, replace(VIRTUAL, notes=("It has SACK.",)))


def test_the_exit_code_and_what_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        check, "run_shown", lambda console, some, command: {one.name: results[one.name] for one in some}
    )
    monkeypatch.setattr(registry, "NAMES", ("traffic", "crowd"))
    monkeypatch.setattr(registry, "find", {"traffic": VIRTUAL, "crowd": REAL}.get)
    monkeypatch.setattr(check, "circumstances", lambda *, reduced: HERE)
    results = {"traffic": run(VIRTUAL, REDUCED), "crowd": run(REAL, REDUCED)}
    stored = {"experiments": {**store(VIRTUAL)["experiments"], **store(REAL)["experiments"]}}

    def checked() -> tuple[int, str]:
        (tmp_path / published.RESULTS).write_text(json.dumps(stored))
        console = Console(record=True, width=400, file=StringIO())
        return check.check(console, there=tmp_path), console.export_text()

    code, said = checked()
    assert code == 0 and "current in all that was judged" in said
    assert "not judged: crowd: time_s" in said and "not judged: full forms, of traffic: ./whit lab check --full" in said
    stored["experiments"]["traffic"]["full"]["figures"][0]["value"] = 100
    code, said = checked()
    assert code == 1 and "aged: traffic: a figure was changed by hand" in said and "is current" not in said


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A repository with one commit, in the place of the tree."""
    monkeypatch.undo()
    monkeypatch.setattr(depends, "ROOT", tmp_path)
    for words in (["init", "-q"], ["config", "user.email", "a@b"], ["config", "user.name", "a"]):
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True)
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "a.c").write_text("int a;\n")
    commit(tmp_path)
    yield tmp_path


def commit(clone: Path) -> str:
    for words in (["add", "-A"], ["commit", "-q", "-m", "x"]):
        subprocess.run(["git", "-C", str(clone), *words], check=True)
    said = subprocess.run(["git", "-C", str(clone), "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    return said.stdout.strip()


def test_files_and_commits_of_a_clone(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    first, of = commit_of(clone), ["engine", "none"]
    was = depends.digest(of)
    assert depends.uncommitted(of) == [] and depends.changed_since(first, of) == [] and depends.lost(first) == ""
    (clone / "engine" / "b.c").write_text("int b;\n")
    assert depends.uncommitted(of) == ["engine/b.c"] and depends.changed_since(first, of) == ["engine/b.c"]
    assert depends.digest(of) != was
    second = commit(clone)
    assert depends.uncommitted(of) == [] and depends.changed_since(first, of) == ["engine/b.c"]
    (clone / "README").write_text("words\n")
    assert depends.uncommitted(of) == [] and depends.digest(of) == depends.digest(of)
    subprocess.run(["git", "-C", str(clone), "reset", "-q", "--hard", first], check=True)
    assert depends.lost(second) == "is no ancestor of this one"
    assert depends.lost("0123456789ab") == "does not exist"
    assert depends.digest(of) == was, "by content, whatever the commit"
    assert depends.no_history() == ""
    shallow = tmp_path_factory.mktemp("shallow") / "clone"
    commit(clone)
    subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{clone}", str(shallow)], check=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(depends, "ROOT", shallow)
        assert depends.no_history() == "this clone is shallow"
        patch.setattr(depends, "ROOT", tmp_path_factory.mktemp("plain"))
        assert depends.no_history() == "this is no clone of git's"


def commit_of(clone: Path) -> str:
    return (depends.git("rev-parse", "HEAD") or "").strip()


def test_what_is_not_committed_is_not_published(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(depends, "uncommitted", lambda of: ["engine/tcp/idle.c"] if "engine" in of else [])
    with pytest.raises(published.WhitError, match=r"engine/tcp/idle\.c; commit first") as error:
        publish.must_be_committed([VIRTUAL])
    assert "\n" not in str(error.value)


def test_results_survive_their_file() -> None:
    """The digest covers the file's content."""
    one = store(VIRTUAL)["experiments"]["traffic"]
    again = json.loads(published.text(one))
    assert digest("traffic", again) == one["digest"]
    assert kept(result_of(one["full"])) == one["full"]
