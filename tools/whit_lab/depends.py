# SPDX-License-Identifier: MIT
"""The files of the tree that an experiment's figures depend on, and a check that they are unchanged.

Python is followed from the experiment's module, import by import. Everything else is declared in experiments.toml or in
COMMON. `reads` reports the files that a run used, to compare with the declaration.
"""

import ast
import hashlib
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from whit.paths import ROOT
from whit_lab.experiment import Experiment

TOOLS = ROOT / "tools"
PACKAGES = ("whit", "whit_testbed", "whit_lab")
EXPERIMENTS = "whit_lab.experiments"
COMMON = (
    "CMakeLists.txt",
    "cmake",
    "drivers",
    "engine",
    "include",
    "ports",
    "requirements",
    "tools/whit/compiler",
    "tools/whit/image",
)
"""The build of an image, which every experiment measures in some form."""
UNREAD = ("tools/whit_lab/experiments.toml", "tools/whit_lab/worker.py", "pyproject.toml", "docs/lab", "whit")
"""Read by a run, and no part of a figure."""


def paths(experiment: Experiment) -> tuple[str, ...]:
    """Returns files and directories, from the root of the tree, sorted. Paths in a listed directory are left out."""
    declared = {*COMMON, *experiment.depends}
    modules = {str(path.relative_to(ROOT)) for path in imported(f"{EXPERIMENTS}.{experiment.module}")}
    return tuple(sorted(declared | {one for one in modules if not is_in(one, declared)}))


def is_in(path: str, of: Iterable[str]) -> bool:
    """True if `path` is one of these, or lies in one."""
    return any(path == one or path.startswith(f"{one}/") for one in of)


@cache
def imported(module: str) -> frozenset[Path]:
    """Returns the sources of a module or package of whit, with all their imports, also those in functions."""
    found: set[Path] = set()
    parents = [".".join(module.split(".")[:depth]) for depth in range(1, module.count(".") + 1)]
    waiting = [*_sources(module), *(path for parent in parents for path in _of(parent))]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += [source for name in _names(path) for source in _of(name)]
    return frozenset(found)


def _sources(module: str) -> Iterator[Path]:
    """Yields the sources of a module, or all files of a package."""
    path = TOOLS.joinpath(*module.split("."))
    yield from sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]


def _of(name: str) -> list[Path]:
    """Returns the file of an imported name: a module, or a package's __init__.py. [] if a module defines the name."""
    path = TOOLS.joinpath(*name.split("."))
    return [one for one in (path.with_suffix(".py"), path / "__init__.py") if one.exists()]


@cache
def _names(path: Path) -> tuple[str, ...]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{one.name}" for one in node.names)}
    inside = {name for name in names if name.split(".")[0] in PACKAGES}
    packages = {".".join(name.split(".")[:depth]) for name in inside for depth in range(1, name.count(".") + 1)}
    return tuple(sorted(inside | packages))


def digest(of: Sequence[str]) -> str:
    """Returns a digest of names and contents of all files in these paths, as in the working tree. It needs no commit: a
    clone without history can compare it."""
    whole = hashlib.sha256()
    for name in _files(of):
        path = ROOT / name
        if path.is_file():
            whole.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\0".encode())
    return whole.hexdigest()[:16]


def _files(of: Sequence[str]) -> list[str]:
    """Returns the files in these paths, except files that git ignores. Without git, caches are left out."""
    said = git("ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", *of)
    if said is not None:
        return sorted({name for name in said.split("\0") if name})
    roots = [ROOT / name for name in of]
    found = (one for root in roots for one in ([root] if root.is_file() else root.rglob("*")))
    return sorted(str(one.relative_to(ROOT)) for one in found if one.is_file() and "__pycache__" not in one.parts)


def uncommitted(of: Sequence[str]) -> list[str]:
    said = git("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--", *of) or ""
    return sorted(entry[3:] for entry in said.split("\0") if entry)


def changed_since(commit: str, of: Sequence[str]) -> list[str]:
    """Returns the files that differ from the commit; [] if git cannot compare."""
    said = git("diff", "--name-only", "-z", "--no-renames", commit, "--", *of) or ""
    others = git("ls-files", "--others", "--exclude-standard", "-z", "--", *of) or ""
    return sorted({name for name in f"{said}\0{others}".split("\0") if name})


def lost(commit: str) -> str:
    """Returns the reason if this tree does not descend from the commit; "" if it does."""
    if git("cat-file", "-e", f"{commit}^{{commit}}") is None:
        return "does not exist"
    return "" if git("merge-base", "--is-ancestor", commit, "HEAD") is not None else "is no ancestor of this one"


def no_history() -> str:
    """Returns the reason if commits cannot be looked up here; "" if they can."""
    if git("rev-parse", "--git-dir") is None:
        return "this is no clone of git's"
    return "this clone is shallow" if (git("rev-parse", "--is-shallow-repository") or "").strip() == "true" else ""


def git(*words: str) -> str | None:
    """Returns git's output, or None if it failed or is not installed."""
    command = ["git", "--literal-pathspecs", "-C", str(ROOT), *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
