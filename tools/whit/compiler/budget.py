# SPDX-License-Identifier: MIT
"""Reads [budget.TARGET] of app.toml, the bounds of an image's cost. Also reads [calls] and [recursion], which help the
proof of the stack."""

import re
from collections.abc import Mapping

from whit import suggest
from whit.targets import TARGETS

from . import app_toml
from .device import Budget
from .errors import CompileError
from .toml_text import line_of

KEYS = ("flash", "ram", "stack")
OCTETS = range(1, 1 << 24)
DEPTHS = range(1, 1001)
_FUNCTION = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def budgets(settings: app_toml.Settings) -> dict[str, Budget]:
    """Returns the budgets by target."""
    devices = [target.name for target in TARGETS.values() if target.is_device]
    found: dict[str, Budget] = {}
    for target, table in _table(settings, "budget", f"expected tables [budget.{devices[0]}]").items():
        key = f"budget.{target}"
        if target not in devices:
            raise _error(
                settings,
                key,
                f"budget of {target!r}: expected one of {', '.join(devices)}{suggest.did_you_mean(target, devices)}",
            )
        if not isinstance(table, dict):
            raise _error(settings, key, f"{key} is {app_toml.shown(table)}: expected a table [{key}]")
        for what, octets in table.items():
            if what not in KEYS:
                raise _error(
                    settings,
                    f"{key}.{what}",
                    f"unknown key {what!r}: expected one of {', '.join(KEYS)}{suggest.did_you_mean(what, KEYS)}",
                )
            if isinstance(octets, bool) or not isinstance(octets, int) or octets not in OCTETS:
                message = f"{key}.{what} is {app_toml.shown(octets)}: expected bytes, {OCTETS[0]} to {OCTETS[-1]}"
                raise _error(settings, f"{key}.{what}", message)
        lines = {what: line_of(settings.text, f"{key}.{what}") for what in table}
        found[target] = Budget(table.get("flash"), table.get("ram"), table.get("stack"), lines)
    return found


def calls(settings: app_toml.Settings) -> dict[str, tuple[str, ...]]:
    """Returns for each function the functions that it calls through pointers."""
    found: dict[str, tuple[str, ...]] = {}
    for name, targets in _table(settings, "calls", "expected a table of FUNCTION = ['FUNCTION']").items():
        named = [one for one in targets if isinstance(one, str)] if isinstance(targets, list) else []
        if targets != named or not all(map(_FUNCTION.fullmatch, [name, *named])):
            said = f"[calls] {name} = {app_toml.shown(targets)}"
            message = f"{said}: expected names of the functions that it calls, in an array"
            raise _error(settings, f"calls.{name}", message)
        found[name] = tuple(named)
    return found


def recursion(settings: app_toml.Settings) -> dict[str, int]:
    """Returns for each function how often it is on the stack at most."""
    found: dict[str, int] = {}
    for name, depth in _table(settings, "recursion", "expected a table of FUNCTION = 4").items():
        if isinstance(depth, bool) or not isinstance(depth, int) or depth not in DEPTHS:
            said = f"[recursion] {name} = {app_toml.shown(depth)}"
            message = f"{said}: expected how often it is on the stack, 1 to {DEPTHS[-1]}"
            raise _error(settings, f"recursion.{name}", message)
        found[name] = depth
    return found


def _table(settings: app_toml.Settings, key: str, expected: str) -> Mapping[str, object]:
    table = settings.tables.get(key, {})
    if not isinstance(table, dict):
        raise _error(settings, key, f"{key} is {app_toml.shown(table)}: {expected}")
    return table


def _error(settings: app_toml.Settings, key: str, message: str) -> CompileError:
    return CompileError(settings.file, line_of(settings.text, key), message)
