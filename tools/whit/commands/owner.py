# SPDX-License-Identifier: MIT
"""Records which directory owns the files that are kept under an application's name. Two directories may have
applications of one name; the first one is the owner."""

import os
from collections.abc import Iterator
from pathlib import Path

from whit.certificate import places
from whit.compiler import Application, CompileError, app_toml
from whit.compiler.application import identity_of
from whit.errors import WhitError
from whit.image import c_messages
from whit.machines.run_options import RunOptions
from whit.paths import KEPT

OF = "of"


def other(kept: Path, app_dir: Path, name: str) -> Path | None:
    """Returns the directory of another application of this name that owns it. None: moved, removed or renamed."""
    try:
        whose = Path(os.fsdecode((kept / OF).read_bytes().removesuffix(b"\n")))
        if not whose.is_absolute() or whose == app_dir.resolve() or not whose.is_dir():
            return None
    except OSError:
        return None
    try:
        return whose if identity_of(whose, {}).name == name else None
    except (CompileError, WhitError):
        return whose


def remember(kept: Path, app_dir: Path) -> None:
    """Records this directory as the owner."""
    octets = os.fsencode(app_dir.resolve()) + b"\n"
    if kept.is_dir() and (not (kept / OF).exists() or (kept / OF).read_bytes() != octets):
        places.write(kept / OF, octets)


def key_of_another(kept: Path, app_dir: Path, name: str) -> str:
    """Returns a message if key and certificate belong to another application, else an empty text."""
    whose = other(kept, app_dir, name)
    if whose is None:
        return ""
    there = c_messages.from_here(kept)
    return f"{name}: {there} has the key of {c_messages.from_here(whose)}, {_way_out(app_dir, name)}"


def check(kept: Path, app_dir: Path, name: str) -> None:
    """WhitError: key and certificate belong to another application, and would be replaced."""
    if said := key_of_another(kept, app_dir, name):
        raise WhitError(said)


def data_hints(options: RunOptions, application: Application) -> Iterator[str]:
    """Yields hints at data that two applications share, or that the next command may not find."""
    if options.data is not None or not _keeps(options, application):
        return
    kept = options.data_directory(application.name)
    whose = other(kept, application.directory, application.name)
    if kept.parent != KEPT:
        yield f"{kept}: kept here by an earlier version, and not found from elsewhere: move it to {KEPT}"
    if whose is None:
        remember(kept, application.directory)
    else:
        there, way_out = c_messages.from_here(kept), _way_out(application.directory, application.name)
        yield f"{there}: has the data of {c_messages.from_here(whose)}, {way_out}, or name another place by --data"


def _keeps(options: RunOptions, application: Application) -> bool:
    return application.limits.persistent_size > 0 or bool(application.memory.regions) or bool(options.own_database)


def _way_out(app_dir: Path, name: str) -> str:
    file = c_messages.from_here(app_dir / app_toml.FILE)
    return f'an application of the same name: expected another one, name = "{name}-2" in {file}'
