# SPDX-License-Identifier: MIT
"""Finds files of an application's directory that look private: keys, dumps, links to other directories. All files of
the directory are served. Each finding is an error unless app.toml names it: [files] with served = ["backup.sql"]."""

import json
import os
import re
from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath

from whit.plain_files import DEPTH_MAX
from whit.suggest import meant

from . import app_toml, private_contents
from .errors import CompileError

TABLE, KEY = "files", "served"
WELL_KNOWN = ".well-known"  # the one directory with a leading dot that is served (RFC 8615)
_NAMES = (
    (
        r"id_(rsa|dsa|ecdsa|ed25519)(_sk)?|.*\.(key|p12|pfx|jks|keystore|ppk|kdbx)|(priv(ate)?[-_.]?)?key\.(pem|der)"
        r"|secring\.gpg|wallet\.dat|(nss)?key[34]?\.db",
        "a private key",
    ),
    (r".*\.(sql|dump|sqlite3?|mdb)", "what a database holds"),
    (
        r"(.*\.)?env(\.(local|dev|development|test|staging|prod|production))?|credentials(\..*)?"
        r"|secrets?\.(toml|json|ya?ml)|(.*\.)?_?htpasswd|shadow|(.*[-_.])?config(uration)?\.php|(.*\.)?pgpass|pgpass\.conf|_netrc|(.*\.)?netrc|my\.cnf",
        "a list of passwords",
    ),
)
# Suffixes of copies and of compressed files, which are judged by the name before them.
_COPY = re.compile(
    r"\Acopy of |(?: \([0-9]+\)| - copy|~|\.(?:txt|bak|backup|old|orig|save|swp|tmp|copy|[0-9]+|gz|bz2|xz|zst|zip))+$"
)
_HARMLESS = re.compile(
    r"\.(git|gitignore|gitattributes|gitkeep|gitmodules|github|svn|hg|hgignore|DS_Store|directory|editorconfig|vscode"
    r"|idea|clang-format|clang-tidy|clangd|cache|venv|(mypy|ruff|pytest)_cache|_.*|#.*|.*\.sw[a-p]|.*~)"
)
_NAMED_MAX = 5  # names in a message


def served(settings: app_toml.Settings, directory: Path) -> frozenset[str]:
    """Returns the names that app.toml allows, relative to the application's directory. Each must be a file there."""
    table = settings.tables.get(TABLE, {})
    if not isinstance(table, dict):
        raise settings.error_at(TABLE, f'{TABLE}: expected a table, [{TABLE}] with {KEY} = ["backup.sql"]')
    for key in table:
        if key != KEY:
            raise settings.error_at(f"{TABLE}.{key}", f"{TABLE}.{key}: expected {KEY}, a list of names")
    names = table.get(KEY, [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise settings.error_at(f"{TABLE}.{KEY}", f'{TABLE}.{KEY}: expected a list of names, ["backup.sql"]')
    for name in names:
        if wrong := _wrong_name(directory, name):
            first = settings.line_at(f"{TABLE}.{KEY}")
            raise CompileError(settings.file, _line_of(settings.text, first, name), f"{TABLE}.{KEY}: {wrong}")
    return frozenset(names)


def _line_of(text: str, first: int, name: str) -> int:
    """Returns the line of a name in a list that may have several lines."""
    quoted = json.dumps(name, ensure_ascii=False), f"'{name}'"
    lines = enumerate(text.split("\n")[first - 1 :], first)
    return next((number for number, line in lines if any(one in line for one in quoted)), first)


def _wrong_name(directory: Path, name: str) -> str:
    """Returns the mistake in a name of the list; empty: none."""
    path = PurePosixPath(name)
    if not name or path.is_absolute() or ".." in path.parts or path.as_posix() != name or not name.isprintable():
        return f'{app_toml.shown(name)}: expected a name below the application\'s directory, "backup.sql"'
    hidden = [part for at, part in enumerate(path.parts) if part.startswith(".") and (at or part != WELL_KNOWN)]
    if hidden:
        return f"{name}: files with a leading dot are not served, even if named here: rename {hidden[0]}"
    if (directory / name).is_file():
        return ""
    place = directory / path.parent
    entries = sorted(place.iterdir()) if place.is_dir() else []
    there = [one.relative_to(directory).as_posix() for one in entries if one.is_file() and one.name[0] != "."]
    if guess := meant(name, there):
        return f"there is no file {name}: did you mean {guess}?"
    found = f"its directory has {_some(there)}" if there else "its directory has no files"
    return f"there is no file {name}; {found}: expected one of the application's files, or remove the name"


def _some(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED_MAX} more" if len(names) > _NAMED_MAX else ""
    return ", ".join(ascii(name)[1:-1] for name in names[:_NAMED_MAX]) + more


def hidden(directory: Path) -> Iterator[str]:
    """Yields one hint that names files and directories with a leading dot, but not the ones that tools leave."""
    found: list[str] = []
    for place, directories, files in os.walk(directory):
        names = [name for name in (*directories, *files) if name.startswith(".")]
        if Path(place) == directory:
            names = [name for name in names if name != WELL_KNOWN]
        found += (
            (Path(place) / name).relative_to(directory).as_posix() for name in names if not _HARMLESS.fullmatch(name)
        )
        deep = len(Path(place).relative_to(directory).parts) > DEPTH_MAX  # an error of the directory's reader
        directories[:] = [] if deep else [name for name in directories if name not in names]
    if found:
        yield f"{directory}: names with a leading dot are not served: {_some(sorted(found))}; rename what clients read"


def check(directory: Path, source: str, content: bytes, allowed: Collection[str]) -> None:
    """Raises CompileError if the file looks private and app.toml does not name it."""
    file = directory / source
    looks = _looks(directory, file, content)
    if looks and source not in allowed:
        way_out = f'move it out of the directory, or allow it in app.toml: [{TABLE}] with {KEY} = ["{source}"]'
        raise CompileError(file, None, f"{looks}, and all files here are served: {way_out}")


def check_link(directory: Path, file: Path, allowed: Collection[str]) -> None:
    """Raises CompileError if a C file or header links to another directory: images and exports would contain it."""
    source = file.relative_to(directory).as_posix()
    if (looks := _leads_out(directory, file)) and source not in allowed:
        way_out = f'copy the file, or allow it in app.toml: [{TABLE}] with {KEY} = ["{source}"]'
        raise CompileError(file, None, f"{looks}: {way_out}")


def _leads_out(directory: Path, file: Path) -> str:
    if file.is_symlink() and not file.resolve().is_relative_to(directory.resolve()):
        return f"a symbolic link to {file.readlink()}, which is elsewhere"
    return ""


def _looks(directory: Path, file: Path, content: bytes) -> str:
    if said := _leads_out(directory, file):
        return said
    if said := private_contents.looks(content):
        return said
    name = _COPY.sub("", file.name.lower())
    return next((f"has the name of {what}" for pattern, what in _NAMES if re.fullmatch(pattern, name)), "")
