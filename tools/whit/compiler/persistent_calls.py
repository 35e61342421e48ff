# SPDX-License-Identifier: MIT
"""Compares the calls for persistent memory in C files with the declarations in app.toml."""

import re
from collections.abc import Mapping

from whit.suggest import did_you_mean

from .c_source import CSource
from .errors import CompileError
from .model import INTEGER_SIZES, Area

_RAW = re.compile(r"\bpersistent_(?:read|write)(?=\s*\()")
_NAMED = re.compile(r"\bpersistent_(?P<what>load|save|has|fits)_(?P<area>\w+)(?=\s*\()")
_VAR = re.compile(r"\bPERSISTENT_VAR\s*\(\s*(?P<type>[\w ]+?)\s*,\s*(?P<name>\w+)")


def check(file: object, source: CSource, areas: Mapping[str, Area], raw_len: int) -> None:
    """Each message names the way out."""
    code = source.statements
    for match in _VAR.finditer(code):
        raise CompileError(file, source.line_at(match.start()), _variable(match["type"], match["name"]))
    if raw_len == 0 and (raw := _RAW.search(code)):
        raise CompileError(file, source.line_at(raw.start()), f"{raw[0]}: {_nothing_raw(areas)}")
    for match in _NAMED.finditer(code):
        if match["area"] not in areas:
            guess = did_you_mean(match["area"], areas)
            wanted = f"expected a table [persistent.{match['area']}] in app.toml"
            raise CompileError(file, source.line_at(match.start()), f"{match[0]}: {wanted}{guess}")


def _nothing_raw(areas: Mapping[str, Area]) -> str:
    named = f"; [persistent.{next(iter(areas))}] has functions of its own" if areas else ""
    wanted = 'expected named fields in app.toml, [persistent.NAME] field = "uint32", or bytes, [persistent] size = 4'
    return f"app.toml declares no bytes without a name{named}: {wanted}"


def _variable(kind: str, name: str) -> str:
    """Returns the message about a variable of Smews' interface."""
    field = kind.removesuffix("_t")
    field = field if field in INTEGER_SIZES else "uint16"
    instead = f'declare [persistent.{name}] value = "{field}" in app.toml'
    calls = f"use struct {name}_t with persistent_load_{name}() and persistent_save_{name}()"
    return f"PERSISTENT_VAR: no variable outlives power here: {instead}, and {calls}"
