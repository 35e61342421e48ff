# SPDX-License-Identifier: MIT
"""The files of the tree that a run uses: Python's files, programs' arguments, and sources of builds.

Files that another process opens by itself are not seen.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from whit.paths import BUILD, KEPT, ROOT

MADE = (BUILD, KEPT, *(ROOT / name for name in (".git", ".venv", ".whit")))
COMPILER = re.compile(r'^set\(CMAKE_C_COMPILER "(.*)"\)$', re.MULTILINE)
SAME = {"cc": "gcc"}  # other names of programs


@dataclass
class Reads:
    files: set[str] = field(default_factory=set)  # from the root of the tree
    programs: set[str] = field(default_factory=set)


_now: list[Reads] = []  # reads in progress
_builds: set[Path] = set()
_watched = False


@contextmanager
def watched() -> Iterator[Reads]:
    """Watches this process. Run it in a new process: an already loaded module is not loaded again."""
    global _watched
    if not _watched:
        sys.addaudithook(_heard)  # the hook cannot be removed
        _watched = True
    loaded, reads = set(sys.modules), Reads()
    _now.append(reads)
    _builds.clear()
    try:
        yield reads
    finally:
        _now.remove(reads)
    for name in set(sys.modules) - loaded:
        _add(reads, getattr(sys.modules[name], "__file__", None))
    for directory in sorted(_builds):
        _add_build(reads, directory)


def add(seen: Reads) -> None:
    """Adds the files and programs of another process of this run."""
    for reads in _now:
        reads.files |= seen.files
        reads.programs |= seen.programs


def _heard(event: str, arguments: tuple[object, ...]) -> None:
    if not _now:
        return
    if event == "open" and isinstance(arguments[0], str | bytes) and not _writes(arguments[1]):
        for reads in _now:
            _add(reads, os.fsdecode(arguments[0]))
    elif event == "subprocess.Popen":
        words = arguments[1] if isinstance(arguments[1], list | tuple) else [arguments[1]]
        for word in words:
            if isinstance(word, str | bytes | os.PathLike):
                _given(os.fsdecode(word))


def _writes(mode: object) -> bool:
    return isinstance(mode, str) and any(one in mode for one in "wax")


def _given(word: str) -> None:
    """Records a word of a command: a program, a file of the tree, or a directory of Ninja's."""
    path = Path(word)
    for reads in _now:
        reads.programs.add(SAME.get(path.name, path.name))
        _add(reads, word)
    if path.is_absolute() and path.is_relative_to(BUILD) and (path / "build.ninja").exists():
        _builds.add(path)


def _add(reads: Reads, name: str | None) -> None:
    if not name or not name.startswith("/"):
        return
    path = Path(os.path.normpath(name))
    if path.parent.name == "__pycache__" or not path.is_relative_to(ROOT):
        return
    if path.is_file() and not any(path.is_relative_to(one) for one in MADE):
        reads.files.add(str(path.relative_to(ROOT)))


def _add_build(reads: Reads, directory: Path) -> None:
    for made in directory.glob("CMakeFiles/*/CMakeCCompiler.cmake"):
        for compiler in COMPILER.findall(made.read_text()):
            reads.programs.add(SAME.get(Path(compiler).name, Path(compiler).name))
    said = subprocess.run(["ninja", "-C", str(directory), "-t", "deps"], capture_output=True, text=True).stdout
    for line in said.splitlines():
        if line.startswith(" "):
            _add(reads, str(directory / line.strip()))
