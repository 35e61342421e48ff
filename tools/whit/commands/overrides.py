# SPDX-License-Identifier: MIT
"""`--set key=value`: a setting of app.toml for this build only, written as TOML."""

import tomllib
from collections.abc import Iterable

from whit.errors import WhitError


def parse_overrides(settings: Iterable[str]) -> dict[str, object]:
    """A key of a table is written with a dot, as in persistent.size=64. A bare word is a string."""
    overrides: dict[str, object] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals or not key.strip():
            raise WhitError(f"--set {setting}: expected key=value, such as connections=2")
        overrides[key.strip()] = _value(value.strip())
    return overrides


def _value(text: str) -> object:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
