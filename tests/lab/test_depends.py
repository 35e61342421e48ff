# SPDX-License-Identifier: MIT
"""Experiments declare all that they depend on: each file that a run reads, and each tool that it uses."""

import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from whit.paths import BUILD, ROOT
from whit_lab import depends, reads, registry
from whit_lab.circumstances import PACKAGES, PROGRAMS, circumstances
from whit_lab.everything import run_shown
from whit_lab.experiment import Experiment, Result
from whit_lab.publish import undeclared
from whit_lab.running import Run, command_of

EVERY = pytest.mark.parametrize("experiment", registry.every(), ids=registry.NAMES)


@EVERY
def test_what_is_declared_is_there(experiment: Experiment) -> None:
    for path in depends.paths(experiment):
        assert (ROOT / path).exists(), path
    known = {*PROGRAMS, *PACKAGES, "lwIP", "Mbed TLS", "nginx", "Apache", "kernel", *circumstances(reduced=True)}
    assert set(experiment.tools) <= known
    assert experiment.deterministic or experiment.exact


@EVERY
def test_the_engine_and_the_experiment_itself_are_among_them(experiment: Experiment) -> None:
    paths = depends.paths(experiment)
    own = ROOT / "tools" / "whit_lab" / "experiments" / experiment.module
    files = own.rglob("*.py") if own.is_dir() else [own.with_suffix(".py")]
    assert all(depends.is_in(str(path.relative_to(ROOT)), paths) for path in files)
    assert depends.is_in("engine/tcp/idle.c", paths) and depends.is_in("tools/whit_lab/experiment.py", paths)
    assert not depends.is_in("README.md", paths) and not depends.is_in("docs/lab/results.json", paths)
    assert not depends.is_in("tests/support.py", paths)


@pytest.mark.slow
@pytest.mark.xdist_group("lab")
@EVERY
def test_a_run_reads_nothing_else(experiment: Experiment) -> None:
    """A run, in its own process, reads declared files only. Experiments in real time run the compared part."""
    run = run_shown(Console(quiet=True), [experiment], command_of(True, exact=True))[experiment.name]
    if run.result is None:
        pytest.skip(run.reason)
    assert undeclared(experiment, run) == []
    assert depends.is_in("engine/http/answer.c", run.reads.files), "of the build of an image"
    assert registry.tools_of(run.reads.programs)


def test_what_is_not_declared_is_told() -> None:
    seen = reads.Reads({"engine/tcp/idle.c", "lab/window/zeros.c", "docs/lab/results.json"}, {"avr-gcc", "ls"})
    found = undeclared(Experiment("traffic"), Run("traffic", 1, Result({}), reads=seen))
    assert len(found) == 2
    assert "traffic depends on lab/window/zeros.c, which" in found[0]
    assert "traffic uses avr-gcc, which" in found[1]


def test_reads_of_python_of_programs_and_of_builds(tmp_path: Path) -> None:
    (BUILD / "test-reads").mkdir(parents=True, exist_ok=True)
    made = BUILD / "test-reads" / "written"
    with reads.watched() as seen:
        (ROOT / "apps" / "plain" / "app.toml").read_text()
        made.write_text("ours")
        made.read_text()
        (tmp_path / "other").write_text("no file of the tree")
        subprocess.run([sys.executable, "-c", "", ROOT / "lab" / "trace.c"], check=True)
        with pytest.raises(FileNotFoundError):
            (ROOT / "apps" / "none").read_text()
    (ROOT / "apps" / "plain" / "uptime.c").read_text()  # outside of the watch
    assert seen.files == {"apps/plain/app.toml", "lab/trace.c"}
    assert Path(sys.executable).name in seen.programs


def test_imports_are_followed_into_functions() -> None:
    found = {path.name for path in depends.imported("whit_lab.experiments.traffic")}
    assert {"classic.py", "experiment.py", "papers.py", "__init__.py", "lwip_build.py"} <= found
    assert "publish.py" not in found
