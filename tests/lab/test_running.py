# SPDX-License-Identifier: MIT
"""Experiments run in processes of their own: one does not affect another."""

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from rich.console import Console

from whit_lab import everything, registry, running
from whit_lab.everything import run_everything
from whit_lab.experiment import Experiment, Figure, Result
from whit_lab.kept import kept, text
from whit_lab.running import Run, command_of, run_all

RESULT = text(kept(Result({"seed": 1}, [Figure("good", "one", 0, "B", 1)])))
DOES = {
    "good": f"print('0.5 half', flush=True); open(sys.argv[1], 'w').write({RESULT!r})",
    "told": "print('failed gcc not found; install it'); sys.exit(1)",
    "fallen": "print('0.1 begun'); os.abort()",
    "broken": "raise ValueError('no such thing')",
    "hangs": "time.sleep(600)",
}


def command(name: str, there: Path) -> Sequence[str]:
    return [sys.executable, "-c", f"import os, sys, time; {DOES[name]}", str(there)]


def test_one_that_fails_fails_alone_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "LEAST_S", 1)
    monkeypatch.setattr(running, "PATIENCE", 1)
    told: list[tuple[str, float, str]] = []
    finished: list[Run] = []
    runs = run_all([Experiment(name) for name in DOES], command, lambda *said: told.append(said), finished.append)
    assert list(runs) == list(DOES), "in the order in which they were asked for"
    assert {run.name for run in finished} == set(DOES)
    assert runs["good"].result is not None
    assert runs["good"].result.figures[0].value == 0
    assert ("good", 0.5, "half") in told
    reasons = {name: run.reason for name, run in runs.items() if run.result is None}
    assert set(reasons) == set(DOES) - {"good"}
    assert reasons["told"] == "gcc not found; install it"
    assert "its process ended with -6" in reasons["fallen"]
    assert "no such thing" in reasons["broken"]
    assert "not done after 1 s" in reasons["hangs"]


def test_what_measures_real_time_has_the_machine_for_itself() -> None:
    busy: set[str] = set()
    beside: dict[str, set[str]] = {}

    def told(name: str, share: float, what: str) -> None:
        busy.add(name)
        for one in busy:
            beside.setdefault(one, set()).update(busy - {one})

    def finished(run: Run) -> None:
        busy.discard(run.name)

    experiments = [Experiment("good", alone=True), Experiment("told"), Experiment("broken")]
    run_all(experiments, command, told, finished)
    assert beside["good"] == set()


def test_all_of_them_are_on_the_page_and_one_that_failed_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    does = {"engine": "told", "functions": "good"}
    monkeypatch.setattr(registry, "NAMES", tuple(does))
    monkeypatch.setattr(everything, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(everything, "command_of", lambda reduced: lambda name, there: command(does[name], there))
    assert run_everything(Console(width=200), reduced=True, report=tmp_path / "report") == 1
    said = capsys.readouterr().out
    assert said.rstrip().endswith("engine could not be run: gcc not found; install it")
    assert (tmp_path / "results" / "functions" / "figures.json").exists()
    page = (tmp_path / "report" / "index.html").read_text()
    assert "It could not be run: gcc not found; install it." in page
    assert "Its bound holds." in page
    del does["engine"]
    monkeypatch.setattr(registry, "NAMES", tuple(does))
    assert run_everything(Console(quiet=True), reduced=True, report=None) == 0


@pytest.mark.xdist_group("lab")
def test_a_real_one_tells_its_progress() -> None:
    told: list[float] = []
    experiment = registry.find("functions")
    runs = run_all([experiment], command_of(True), lambda _, share, what: told.append(share), lambda run: None)
    assert runs["functions"].reason == ""
    assert runs["functions"].result is not None
    assert told[0] == 0
    assert told == sorted(told)
