# SPDX-License-Identifier: MIT
"""Compiles a faulty C file. It fails, gives the same object code as without the fault, or other code."""

import json
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from whit.image.build import build
from whit.paths import ROOT

from .fault import Fault

_IMAGES_MAX = 48


def _usual_image(file: str) -> Path:
    """Returns an image for files of its folder."""
    return _built(ROOT / "tests" / "apps" / "database" if file.startswith("database/") else ROOT / "apps" / "contacts")


@cache
def _built(app: Path) -> Path:
    return build(app, target="inprocess", log=True).directory


def compiles(file: str, text: str) -> bool:
    with tempfile.TemporaryDirectory() as name:
        directory = _engine(Path(name), file, text)
        command = [*_flags(_usual_image(file), file), "-w", "-Werror=vla", "-fsyntax-only", file]
        return subprocess.run(command, cwd=directory, capture_output=True).returncode == 0


def _engine(directory: Path, file: str, text: str) -> Path:
    """Writes the engine and the database client, with another text for one file."""
    for folder in ("engine", "database"):
        shutil.copytree(ROOT / folder, directory / folder)
    shutil.copy(Path(__file__).parent / "switch.h", directory / "engine" / "core")
    (directory / file).write_text(text)
    return directory


def leaves_the_code(fault: Fault, built: Path) -> bool:
    """True if the fault leaves the file's object code equal, byte by byte, in each of a directory's images."""
    text = (ROOT / fault.file).read_text()
    looked_at = 0
    in_engine = fault.file.startswith("engine/")
    for directory in _kinds_of_images(fault.file, built) if in_engine else (_usual_image(fault.file),):
        usual = _object(directory, fault.file, text)
        if usual != _object(directory, fault.file, fault.applied(text)):
            return False
        looked_at += usual is not None
    return looked_at > 0


def _kinds_of_images(file: str, built: Path) -> Iterator[Path]:
    """Yields one image with this file for each application and each choice of files."""
    known: set[tuple[str, str]] = set()
    for directory in sorted(built.glob("*-inprocess-*")):
        unit = directory / "CMakeFiles" / "whit_engine.dir" / "Unity" / "unity_0_c.c"
        text = unit.read_text() if unit.exists() else ""
        kind = directory.name.split("-inprocess-")[0], text
        if f'/{file}"' in text and kind not in known and len(known) < _IMAGES_MAX:
            known.add(kind)
            yield directory


def _flags(built: Path, file: str) -> tuple[str, ...]:
    """Returns the compiler's options for an image's engine, or its database client."""
    words = shlex.split(_command(built, file if file.startswith("database/") else "unity_0_c.c") or "")
    return tuple(words[: words.index("-o")])


@cache
def _command(built: Path, file: str) -> str | None:
    commands = json.loads((built / "compile_commands.json").read_text())
    return next((str(one["command"]) for one in commands if one["file"].endswith(f"/{file}")), None)


@cache
def _object(built: Path, file: str, text: str) -> bytes | None:
    """Returns the object code of this file alone, compiled as in an image. None: it does not compile."""
    with tempfile.TemporaryDirectory() as name:
        directory = _engine(Path(name), file, text)
        command = [*_flags(built, file), "-O2", "-g0", "-w", "-c", file, "-o", "object.o"]
        done = subprocess.run(command, cwd=directory, capture_output=True)
        return (directory / "object.o").read_bytes() if done.returncode == 0 else None
