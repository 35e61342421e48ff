# SPDX-License-Identifier: MIT
"""Finds the place of a crash in the author's sources. drivers/crash.c prints the addresses."""

import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

HANDLER_CALLS = 2  # of the signal's handler, before the place itself
_MADE_FROM = re.compile(r"// Written by the application compiler from (.+?)(?:, <generator>|; do not edit)")


def where(said: str, image: Path, app_dir: Path) -> str:
    """Returns " in toggle(), lamp.c:31" for the message; empty if no call is in a file of the application."""
    found = re.search(r"^crash((?: [0-9a-f]+)+)$", said, re.MULTILINE)
    if found is None:
        return ""
    places = [int(place, 16) for place in found[1].split()][HANDLER_CALLS:]
    for function, file, line in _calls(image, places):
        if (source := _source(file, app_dir)) is not None:
            return f" in {function}(), {source.relative_to(app_dir)}:{line}"
    return ""


def _calls(image: Path, places: Sequence[int]) -> Iterator[tuple[str, Path, str]]:
    """Yields the calls, innermost first. The address of a caller is after its call."""
    exact = [hex(place - (index > 0)) for index, place in enumerate(places)]
    try:
        command = ["addr2line", "--functions", "--inlines", "--exe", str(image), *exact]
        lines = subprocess.run(command, capture_output=True, text=True, errors="replace").stdout.splitlines()
    except OSError:  # not there
        return
    for function, place in zip(lines[::2], lines[1::2], strict=False):
        file, _, line = place.partition(" (")[0].rpartition(":")
        yield function, Path(file), line


def _source(file: Path, app_dir: Path) -> Path | None:
    """Returns the application's file; for a generated file the author's file, whose lines it names."""
    if file.is_relative_to(app_dir):
        return file
    if re.fullmatch(r"generator_\w+\.c", file.name) and file.is_file():
        with file.open() as text:
            if made := _MADE_FROM.match(text.readline()):
                return app_dir / made[1]
    return None
