# SPDX-License-Identifier: MIT
"""Files of an application's directory that look private: keys, dumps, links to elsewhere. All that is there is served,
so each one is an error until app.toml names it: [files] with served = ["backup.sql"]."""

import re
from collections.abc import Collection
from pathlib import Path

from . import app_toml
from .errors import CompileError

TABLE, KEY = "files", "served"
_NAMES = (
    (r"id_(rsa|dsa|ecdsa|ed25519)(_sk)?|.*\.(key|p12|pfx|jks|keystore|ppk|kdbx)", "a private key"),
    (r".*\.(sql|sql\.gz|dump|sqlite3?|mdb|pgpass)", "what a database holds"),
    (r"(.*\.)?env|credentials(\..*)?|secrets?\.(toml|json|ya?ml)|htpasswd|wp-config\.php", "a list of passwords"),
)
_PRIVATE_KEY = re.compile(rb"-----BEGIN ([A-Z0-9]+ )*PRIVATE KEY( BLOCK)?-----|PuTTY-User-Key-File-")


def served(settings: app_toml.Settings) -> frozenset[str]:
    """Returns the names that app.toml allows, relative to the application's directory."""
    table = settings.tables.get(TABLE, {})
    if not isinstance(table, dict):
        raise settings.error_at(TABLE, f'{TABLE}: expected a table, [{TABLE}] with {KEY} = ["backup.sql"]')
    for key in table:
        if key != KEY:
            raise settings.error_at(f"{TABLE}.{key}", f"{TABLE}.{key}: expected {KEY}, a list of names")
    names = table.get(KEY, [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise settings.error_at(f"{TABLE}.{KEY}", f'{TABLE}.{KEY}: expected a list of names, ["backup.sql"]')
    return frozenset(names)


def check(directory: Path, source: str, content: bytes, allowed: Collection[str]) -> None:
    """Raises CompileError if the file looks private and app.toml does not name it."""
    file = directory / source
    looks = _looks(directory, file, content)
    if looks and source not in allowed:
        way_out = f'move it out of the directory, or allow it in app.toml: [{TABLE}] with {KEY} = ["{source}"]'
        raise CompileError(file, None, f"{looks}, and all files here are served: {way_out}")


def check_link(directory: Path, file: Path, allowed: Collection[str]) -> None:
    """Raises CompileError if a C file or header lies elsewhere: what it holds would go into images and exports."""
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
    if _PRIVATE_KEY.search(content):
        return "has a private key in it"
    name = file.name.lower()
    return next((f"has the name of {what}" for pattern, what in _NAMES if re.fullmatch(pattern, name)), "")
