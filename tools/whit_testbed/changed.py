# SPDX-License-Identifier: MIT
"""Finds the tests that a change needs: changed tests, tests that reach a changed file (tests/reach.json), and for other
files the tests of a folder."""

import json
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from whit.errors import WhitError
from whit.paths import ROOT

REACH = ROOT / "tests" / "reach.json"
"""Written by `python -m whit_lab.mutants.record`: for each source file of the engine, the files of tests/ that reach
most of its functions, the cheapest first."""

FOLDERS = {
    "tools/whit/compiler/services": ("services", "compiler"),
    "tools/whit/compiler": ("compiler",),
    "tools/whit/commands": ("host",),
    "tools/whit/image": ("targets/test_budget.py", "host/test_build.py", "host/test_export.py"),
    "tools/whit/ladder": ("ladder",),
    "tools/whit/model": ("model",),
    "tools/whit/machines": ("targets", "host/test_run.py"),
    "tools/whit/certificate": ("certificate",),
    "tools/whit/setup": ("host/test_environment.py",),
    "tools/whit_testbed": ("sim", "segments"),
    "tools/whit_lab": ("lab",),
    "ports/linux": ("host/test_run.py", "host/test_tap.py", "host/test_persistent.py"),
    "ports": ("targets",),
    "drivers": ("host/test_run.py", "host/test_tap.py", "targets"),
    "emulators": ("targets",),
    "database": ("database",),
    "engine/tls": ("tls", "https"),
    "engine/wss": ("wss",),
    "apps": ("host/test_apps.py", "browser"),
    "fuzz": ("fuzz",),
    "lab": ("lab",),
    "include": ("http/test_methods.py", "host/test_knobs.py"),
    "docs": ("lab/test_published.py",),
    "tools/whit": ("host/test_run.py", "host/test_options.py"),
    ".": ("lab/test_published.py", "host/test_project.py"),
}
"""Tests of a folder, by its path; the longest path counts."""


def changed_files() -> list[str]:
    """Returns the files that are not committed, or else those of the last commit."""
    status = _git("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all")
    names = [entry[3:] for entry in status.split("\0") if entry]
    return names or [name for name in _git("show", "--name-only", "--format=", "-z", "HEAD").split("\0") if name]


def tests_of(files: Iterable[str]) -> list[str]:
    """Returns paths from the root of the tree, each once: tests that changed, tests seen to reach a file, folders."""
    reach: dict[str, list[str]] = json.loads(REACH.read_text()) if REACH.exists() else {}
    found: dict[str, None] = {}
    several = sorted(files)
    for name in (one for one in several if Path(one).match("tests/*/test_*.py")):
        found[name] = None
    for name in several:
        for test in [*_seen(name, reach), *_of_folder(name)]:
            found[f"tests/{test}"] = None
    return _outermost([name for name in found if (ROOT / name).exists()])


def _seen(name: str, reach: dict[str, list[str]]) -> list[str]:
    """A header is reached by the tests of the sources beside it."""
    if name.endswith(".h"):
        beside = [file for file in reach if Path(file).parent == Path(name).parent]
        return list(dict.fromkeys(test for file in beside for test in reach[file][:3]))
    return reach.get(name, [])


def _of_folder(name: str) -> Sequence[str]:
    parents = [str(parent) for parent in Path(name).parents if "/" not in name or str(parent) != "."]
    return next((FOLDERS[parent] for parent in parents if parent in FOLDERS), ())


def _outermost(names: list[str]) -> list[str]:
    """Leaves out files whose folder is named too."""
    return [name for name in names if not any(str(parent) in names for parent in Path(name).parents)]


def _git(*words: str) -> str:
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
    except FileNotFoundError:
        raise WhitError("test --changed: git is not installed; --quick needs none") from None
    if done.returncode != 0:
        raise WhitError("test --changed: expected a clone of the repository; --quick needs none")
    return done.stdout
