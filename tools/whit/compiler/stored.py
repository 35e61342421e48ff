# SPDX-License-Identifier: MIT
"""Contents that the application stores at run time, [stored."photo.png"] in app.toml, and their places in persistent
memory. Bytes without a name and named areas (persistent.py) come first. Then each content has two banks
(engine/core/tables.h)."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from whit import suggest

from . import app_toml
from .annotation import MEDIA_TYPE
from .errors import CompileError
from .heads import CONTENT_TYPE_MAX, stored_head
from .mime import content_type_of
from .model import Coding, Limits, Region, Representation, Resource, Stored
from .toml_text import key_parts

BANKS = 2
HEADER_LEN = 8
PERSISTENT_MAX = 32768
CONTENTS_MAX = 255
_KEYS = ("size", "content-type")


@dataclass(frozen=True)
class _Wanted:
    path: str
    size: int
    content_type: str


def add(settings: app_toml.Settings, limits: Limits, files: Iterable[Resource]) -> tuple[tuple[Resource, ...], Limits]:
    """The files' resources and those of stored contents, by path, and the limits with room for them."""
    resources = {resource.path: resource for resource in files}
    taken = {path: resource for resource in resources.values() for path in resource.paths}
    names: set[str] = set()
    end = limits.persistent_size
    tables = settings.tables.get("stored", {})
    if not isinstance(tables, dict) or len(tables) > CONTENTS_MAX:
        raise _error(settings, "", "", f'stored: expected tables [stored."path"], at most {CONTENTS_MAX}')
    for number, (path, table) in enumerate(sorted(tables.items())):
        wanted = _read(settings, path, table)
        stored = Stored(_name(path, names), number, end, wanted.size, limits.chunk, _seal(wanted, limits.chunk))
        representation = Representation(Coding.IDENTITY, stored_head(wanted.content_type), b"", 0)
        resource = Resource(path, app_toml.FILE, wanted.content_type, None, (representation,), stored)
        for alias in resource.paths:
            if alias in taken:
                message = f"a second resource under /{alias}: {taken[alias].source} is the first; rename one"
                raise _error(settings, path, "", message)
            taken[alias] = resource
        resources[path] = resource
        end += BANKS * stored.bank_len
        if end > PERSISTENT_MAX:
            rest = max(0, PERSISTENT_MAX - stored.address)
            message = (
                f"{path} takes {BANKS * stored.bank_len} bytes of persistent memory (two banks of {stored.bank_len})"
            )
            message += f", {rest} are left of {PERSISTENT_MAX}: give it a smaller size"
            raise _error(settings, path, "size", message)
    return tuple(resource for _, resource in sorted(resources.items())), replace(limits, persistent_size=end)


def overridden(settings: app_toml.Settings, overrides: Mapping[str, object]) -> app_toml.Settings:
    """Returns the settings with the stored contents that --set changes."""
    tables = settings.tables.get("stored", {})
    if not isinstance(tables, dict):
        return settings
    contents, said = dict(tables), set()
    for key, value in overrides.items():
        first, *parts = key_parts(key) or [""]
        if first != "stored":
            continue
        if len(parts) != 2:
            message = """expected a path in quotes and a key, as in --set 'stored."logo.png".size=4096'"""
            raise CompileError("--set", None, f"{key}: {message}")
        path, name = parts
        table = contents.get(path, {})
        contents[path] = {**table, name: value} if isinstance(table, dict) else table
        said.add(path)
    return replace(settings, tables={**settings.tables, "stored": contents}, stored_by_set=frozenset(said))


def _read(settings: app_toml.Settings, path: str, table: object) -> _Wanted:
    if not isinstance(table, dict):
        raise _error(settings, path, "", f'stored {path!r}: expected a table [stored."{path}"] with a size')
    _check_path(settings, path)
    for key in table:
        if key not in _KEYS:
            raise _error(
                settings,
                path,
                key,
                f"unknown key {key!r}: expected one of {', '.join(_KEYS)}{suggest.did_you_mean(key, _KEYS)}",
            )
    size, content_type = table.get("size"), table.get("content-type", content_type_of(path, b""))
    if isinstance(size, bool) or not isinstance(size, int) or not 1 <= size <= PERSISTENT_MAX:
        said = "is not given" if size is None else f"is {app_toml.shown(size)}"
        message = f"size of {path} {said}: expected an integer, 1 to {PERSISTENT_MAX}, the bytes that it may have"
        raise _error(settings, path, "size", message)
    if (
        not isinstance(content_type, str)
        or len(content_type) > CONTENT_TYPE_MAX
        or not MEDIA_TYPE.fullmatch(content_type)
    ):
        expected = f"expected type/subtype; parameter=value in a string, at most {CONTENT_TYPE_MAX} bytes"
        message = f"content-type is {app_toml.shown(content_type)}: {expected}"
        raise _error(settings, path, "content-type", message)
    return _Wanted(path, size, content_type)


def _check_path(settings: app_toml.Settings, path: str) -> None:
    if not path or not all(" " <= character <= "~" for character in path) or len(path) > 200:
        raise _error(settings, path, "", f"stored {path!r}: expected a path of 1 to 200 printable ASCII characters")
    parts = path.split("/")
    if any(part in ("", ".", "..") for part in parts):
        message = f"stored {path!r}: expected a path as dir/name, with no slash at its beginning or end"
        raise _error(settings, path, "", message)
    if parts[0] == "whit":
        raise _error(settings, path, "", "/whit and all below it are reserved for the engine: rename it")


def _name(path: str, taken: set[str]) -> str:
    """Returns a unique name for C, without STORED_."""
    plain = re.sub(r"[^A-Za-z0-9]", "_", path).upper()
    name, number = plain, 1
    while name in taken:
        number += 1
        name = f"{plain}_{number}"
    taken.add(name)
    return name


def _seal(wanted: _Wanted, chunk: int) -> int:
    """Returns 16 bits that change with the layout of a bank and with its purpose."""
    digest = hashlib.sha256(f"{wanted.path}\0{wanted.size}\0{chunk}".encode()).digest()
    return int.from_bytes(digest[:4], "big") % 0xFFFE + 1


def _error(settings: app_toml.Settings, path: str, key: str, message: str) -> CompileError:
    if path in settings.stored_by_set:
        return CompileError("--set", None, message)
    return CompileError(settings.file, _line(settings.text, path, key), message)


def _line(text: str, path: str, key: str) -> int:
    """The line of a key of [stored."path"], or of the table."""
    near, inside = 1, False
    for number, line in enumerate(text.split("\n"), 1):
        header = re.match(r"\s*\[\s*stored\b\s*(.*)", line)
        if header or re.match(r"\s*\[", line):
            inside = (
                header is not None
                and re.match(r"""\.\s*["']?""" + re.escape(path) + r"""["']?\s*\]""", header[1]) is not None
            )
            if inside or (header and near == 1):
                near = number
        elif inside and key and re.match(rf"""\s*["']?{re.escape(key)}["']?\s*=""", line):
            return number
    return near


def described(resources: Iterable[Resource]) -> list[Mapping[str, object]]:
    """The layout, for app.json: every content with its place in persistent memory."""
    return [
        {
            "url": resource.urls[-1],
            "name": f"STORED_{resource.stored.name}",
            "address": resource.stored.address,
            "size": resource.stored.size,
            "bank": resource.stored.bank_len,
            "banks": BANKS,
        }
        for resource in stored_of(resources)
        if resource.stored
    ]


def seeds(resources: Iterable[Resource]) -> list[tuple[str, int, int]]:
    """Returns the arguments of persistent.layout_of()."""
    return [(one.path, one.stored.address, one.stored.seal) for one in stored_of(resources) if one.stored]


def regions(settings: app_toml.Settings, resources: Iterable[Resource]) -> tuple[Region, ...]:
    """Returns the regions of stored contents that app.toml declares. They are written in pieces."""
    return tuple(
        Region(f'[stored."{one.path}"]', _line(settings.text, one.path, "size"), BANKS * one.stored.bank_len)
        for one in stored_of(resources)
        if one.stored
    )


def stored_of(resources: Iterable[Resource]) -> list[Resource]:
    """Returns the resources that are stored contents, by their number."""
    return sorted((one for one in resources if one.stored), key=lambda one: one.stored.number if one.stored else 0)


def header(resources: Iterable[Resource]) -> str:
    """whit_stored.h: the names by which an application writes its contents."""
    lines = [
        "// Written by the application compiler from app.toml; do not edit.",
        "// What stored_begin() and stored_len() of whit/app.h take.",
        "#ifndef WHIT_STORED_NAMES_H",
        "#define WHIT_STORED_NAMES_H",
        "",
    ]
    for one in stored_of(resources):
        if stored := one.stored:
            what = f"{one.urls[-1]}, at most {stored.size} octets"
            lines.append(f"#define STORED_{stored.name} {stored.number}    // {what}")
    return "\n".join([*lines, "", "#endif", ""])
