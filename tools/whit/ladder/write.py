# SPDX-License-Identifier: MIT
"""Ladders as files."""

import re
from collections.abc import Sequence
from pathlib import Path

from whit.errors import WhitError
from whit.ladder.steps import Ladder
from whit.ladder.svg import svg
from whit.ladder.text import plain
from whit.output import write_output
from whit.palette import with_dark


def picture(ladder: Ladder) -> str:
    """Returns an SVG file for light and dark screens."""
    return with_dark(svg(ladder))


DRAWN = {".svg": picture, ".txt": plain}


def write_ladder(ladder: Ladder, path: Path) -> None:
    """Writes the ladder as SVG or text, by the path's suffix."""
    write_output(path, DRAWN[path.suffix](ladder))


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
