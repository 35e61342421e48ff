# SPDX-License-Identifier: MIT
"""The files and figures of a finished build."""

from dataclasses import dataclass
from pathlib import Path

from whit.compiler import Application


@dataclass(frozen=True)
class BuildResult:
    """An image and all that is known of it."""

    application: Application
    target: str
    image: Path  # program, shared library or ELF file
    flashable: Path | None  # the file to flash
    map: Path  # the linker's map of it
    directory: Path  # of CMake
    generated: Path  # files of the application compiler
    hints: tuple[str, ...] = ()  # of the application, and of the sources that were compiled now: a line each
