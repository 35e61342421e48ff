# SPDX-License-Identifier: MIT
"""[persistent.settings] in app.toml: named areas of persistent memory, their fields and their addresses.

The octets of persistent_read() and persistent_write() come first, then the areas in the order of app.toml. An area that
is added at the end therefore moves no other one. A record begins with its seal: 16 bits of its octets and its layout.
A record that was never written, is damaged, or was written by another layout fails this check."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from whit import suggest

from . import app_toml
from .annotation import is_name
from .arguments import WORDS_MAX, bounds
from .errors import CompileError
from .model import ENUM, INTEGER_SIZES, STR, Area, Field, Region

TYPES = (*INTEGER_SIZES, ENUM, STR)
PERSISTENT_MAX = 32768
RECORD_MAX = 255  # octets
AREAS_MAX = 64
FIELDS_MAX = 64
SEAL_LEN = 2
_OF_ALL = ("type", "default")
_KEYS = {STR: ("size",), ENUM: ("values",), "bool": ()}
_TAKEN = ("args", "state", "size")  # struct args_t and struct state_t are the handlers'


def read(settings: app_toml.Settings) -> tuple[Area, ...]:
    """The areas by their address."""
    tables = settings.tables.get("persistent", {})
    assert isinstance(tables, dict)
    if len(tables) > AREAS_MAX:
        raise settings.error_at("persistent", f"{len(tables)} tables [persistent.NAME]: expected at most {AREAS_MAX}")
    areas: list[Area] = []
    macros: dict[str, str] = {}  # names of areas, by their macros' names
    end = settings.raw_len
    for name, table in tables.items():
        area = replace(_area(settings, name, table), address=end)
        if (other := macros.setdefault(name.upper(), name)) != name:
            message = f"[persistent.{name}]: [persistent.{other}] differs in its case alone; expected another name"
            raise settings.error_at(f"persistent.{name}", message)
        end += area.len
        if end > PERSISTENT_MAX:
            left = f"{PERSISTENT_MAX - area.address} are left of {PERSISTENT_MAX}"
            message = f"[persistent.{name}] takes {area.len} bytes: {left}; expected fewer records or fields"
            raise settings.error_at(f"persistent.{name}", message)
        areas.append(area)
    return tuple(areas)


def _area(settings: app_toml.Settings, name: str, table: object) -> Area:
    key = f"persistent.{name}"
    if not is_name(name) or name in _TAKEN or name.startswith("whit_"):
        expected = "expected a C identifier that does not begin with whit_ and is not args, state, size or a keyword"
        raise settings.error_at(key, f"[persistent.{name}]: {expected}")
    assert isinstance(table, dict)
    record_cnt, fields = 1, []
    for field_name, said in table.items():
        if field_name == "records":
            record_cnt = said
            if isinstance(said, bool) or not isinstance(said, int) or not 1 <= said <= PERSISTENT_MAX:
                message = f"records is {app_toml.shown(said)}: expected how many there are, 1 to {PERSISTENT_MAX}"
                raise settings.error_at(f"{key}.records", message)
        else:
            fields.append(_field(settings, f"{key}.{field_name}", field_name, said))
    if not 1 <= len(fields) <= FIELDS_MAX:
        example = 'expected its fields, interval = "uint16" for instance'
        raise settings.error_at(key, f"[persistent.{name}] has {len(fields)} fields: {example}, at most {FIELDS_MAX}")
    members, record_len = _members(fields)
    if record_len > RECORD_MAX:
        message = f"a record of [persistent.{name}] takes {record_len} bytes: expected at most {RECORD_MAX}"
        raise settings.error_at(key, f"{message}; a write must be whole, so make it several areas, or records = N")
    return Area(
        name=name,
        line=settings.line_at(key),
        fields=tuple(fields),
        members=members,
        record_len=record_len,
        record_cnt=record_cnt,
        indexed="records" in table,
        seed=_seed(name, fields, record_len),
        address=0,
    )


def _field(settings: app_toml.Settings, key: str, name: str, said: object) -> Field:
    def error(message: str) -> CompileError:
        return settings.error_at(key, f"{name}: {message}")

    if not is_name(name) or name.startswith("whit_"):
        raise error("expected a C identifier that does not begin with whit_ and is no keyword")
    table = {"type": said} if isinstance(said, str) else said
    if not isinstance(table, dict):
        expected = 'expected a type, "uint16", or a table { type = "uint16", default = 60 }'
        raise error(f"is {app_toml.shown(said)}: {expected}")
    kind = table.get("type")
    if kind not in TYPES:
        was = "has no type" if kind is None else f"type is {app_toml.shown(kind)}"
        guess = suggest.did_you_mean(str(kind), TYPES)
        raise error(f"{was}: expected one of {', '.join(TYPES)}{guess}")
    known = (*_OF_ALL, *_KEYS.get(kind, ("min", "max", "count")))
    for one in table:
        if one not in known:
            raise error(f"unknown key {one!r} of a field of type {kind}{suggest.expected(one, known)}")
    if kind == STR:
        return _str(name, table, error)
    if kind == ENUM:
        return _enum(name, table, error)
    if kind == "bool":
        default = table.get("default", False)
        if not isinstance(default, bool):
            raise error(f"default is {app_toml.shown(default)}: expected true or false")
        return Field(name, kind, 1, default=int(default), low=0, high=1)
    return _integer(name, kind, table, error)


def _str(name: str, table: Mapping[str, object], error: app_toml.Complain) -> Field:
    size, default = table.get("size"), table.get("default", "")
    if isinstance(size, bool) or not isinstance(size, int) or not 2 <= size <= 255:
        was = "has no size" if size is None else f"size is {app_toml.shown(size)}"
        raise error(f"{was}: expected 2 to 255 bytes, the closing NUL included")
    if not isinstance(default, str) or "\0" in default or len(default.encode()) >= size:
        raise error(f"default is {app_toml.shown(default)}: expected a string of at most {size - 1} bytes without NUL")
    return Field(name, STR, size, text=default, has_default="default" in table)


def _enum(name: str, table: Mapping[str, object], error: app_toml.Complain) -> Field:
    values = table.get("values")
    words = tuple(values.split()) if isinstance(values, str) else ()
    right = all(re.fullmatch(r"[A-Za-z0-9._~-]{1,63}", word) for word in words)
    if not 1 <= len(words) <= WORDS_MAX or not right or len(set(words)) != len(words):
        raise error(f'values is {app_toml.shown(values)}: expected 1 to {WORDS_MAX} different words, "off on"')
    default = table.get("default", words[0])
    if default not in words:
        raise error(f"default is {app_toml.shown(default)}: expected one of {', '.join(words)}")
    at = words.index(str(default))
    return Field(name, ENUM, 1, default=at, low=0, high=len(words) - 1, words=words, has_default="default" in table)


def _integer(name: str, kind: str, table: Mapping[str, object], error: app_toml.Complain) -> Field:
    least, most = bounds(kind)

    def number(key: str, otherwise: int, low: int, high: int) -> int:
        value = table.get(key, otherwise)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise error(f"{key} is {app_toml.shown(value)}: expected an integer, {low} to {high}")
        return value

    low = number("min", least, least, most)
    high = number("max", most, low, most)
    default = number("default", min(max(0, low), high), low, high)
    count = number("count", 1, 1, RECORD_MAX) if "count" in table else 0
    given = "default" in table
    return Field(name, kind, INTEGER_SIZES[kind], default, low, high, count, has_default=given)


def _members(fields: Iterable[Field]) -> tuple[tuple[str, ...], int]:
    """Returns the struct's members after its seal, ordered without gaps on any target, and its octets."""
    members, end, widest = [], SEAL_LEN, SEAL_LEN
    pad_cnt = 0
    for size in (2, 4, 1):
        for field in fields:
            if field.alignment != size:
                continue
            if gap := -end % size:
                members.append(f"uint8_t whit_gap_{pad_cnt}[{gap}]")
                pad_cnt, end = pad_cnt + 1, end + gap
            members.append(field.declaration)
            end += field.len
            widest = max(widest, size)
    if gap := -end % widest:
        members.append(f"uint8_t whit_gap_{pad_cnt}[{gap}]")
        end += gap
    return tuple(members), end


def seal_of(seed: int, octets: bytes) -> int:
    """Returns the seal of a record, over its octets after the seal, as engine/core/persistent.c does. Never 0."""
    for at in range(0, len(octets), 2):
        seed = (seed * 31 + octets[at] + 256 * octets[at + 1]) & 0xFFFF
    return seed | 1


def _seed(name: str, fields: Iterable[Field], record_len: int) -> int:
    """16 bits that change with the layout. A record of ones does not have its seal; one of zeros has none at all."""
    layout = "\0".join([name, *(f"{f.name} {f.type} {f.size} {f.count} {' '.join(f.words)}" for f in fields)])
    seed = int.from_bytes(hashlib.sha256(layout.encode()).digest()[:2], "big")
    ones = b"\xff" * (record_len - SEAL_LEN)
    return seed if seal_of(seed, ones) != 0xFFFF else seed ^ 2


def seeds(areas: Iterable[Area]) -> list[tuple[str, int, int]]:
    """Returns the arguments of layout_of()."""
    return [(area.name, area.address, area.seed) for area in areas]


def layout_of(parts: Iterable[tuple[str, int, int]]) -> int:
    """32 bits that change when a part (name, address, seed) does."""
    said = "\0".join(f"{name} {address} {seed}" for name, address, seed in parts)
    return int.from_bytes(hashlib.sha256(said.encode()).digest()[:4], "big")


def end_of(areas: Sequence[Area], raw_len: int) -> int:
    """The address after the last one."""
    return areas[-1].address + areas[-1].len if areas else raw_len


def regions(settings: app_toml.Settings, areas: Iterable[Area]) -> tuple[Region, ...]:
    """Returns the regions that app.toml declares, without stored contents."""
    raw = Region("[persistent] size", settings.line_at("persistent.size"), settings.raw_len, raw=True)
    named = [Region(f"[persistent.{one.name}]", one.line, one.len, one.record_len, one.record_len) for one in areas]
    return (*([raw] if settings.raw_len else []), *named)


def described(areas: Iterable[Area]) -> list[Mapping[str, object]]:
    """The layout, for app.json."""
    return [
        {"name": one.name, "address": one.address, "record": one.record_len, "records": one.record_cnt} for one in areas
    ]
