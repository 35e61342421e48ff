# SPDX-License-Identifier: MIT
"""Ladders as files."""

import re
from collections.abc import Sequence
from pathlib import Path

from whit.errors import WhitError
from whit.ladder.steps import Ladder
from whit.ladder.svg import svg
from whit.ladder.text import plain

DRAWN = {".svg": svg, ".txt": plain}


def check_output(option: str, path: Path) -> None:
    """Before the work, not after it."""
    if path.suffix not in DRAWN:
        raise WhitError(f"{option} {path}: expected a name that ends in {' or '.join(DRAWN)}")
    if path.is_dir() or not path.resolve().parent.is_dir():
        raise WhitError(f"{option} {path}: expected a file in a directory that exists")


def write_ladder(ladder: Ladder, path: Path) -> None:
    """As SVG or text, by the suffix."""
    try:
        path.write_text(DRAWN[path.suffix](ladder), encoding="utf-8")
    except OSError as error:
        raise WhitError(f"{path}: {error.strerror}") from error


def write_ladders(ladders: Sequence[Ladder], directory: Path) -> list[Path]:
    """Each as SVG, named after its title. The directory is made."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WhitError(f"{directory}: {error.strerror}; expected a directory that can be made") from error
    paths: list[Path] = []
    for ladder in ladders:
        name = re.sub(r"[^a-z0-9]+", "-", ladder.title.lower()).strip("-")[:60] or "ladder"
        again = sum(path.stem == name or path.stem.startswith(f"{name}-") for path in paths)
        paths.append(directory / f"{name}{f'-{again + 1}' if again else ''}.svg")
        write_ladder(ladder, paths[-1])
    return paths
