# SPDX-License-Identifier: MIT
"""`--set key=value`: a setting of app.toml for this build only, written as TOML."""

import tomllib
from collections.abc import Iterable

from whit.compiler.toml_text import key_and_value
from whit.errors import WhitError


def parse_overrides(settings: Iterable[str]) -> dict[str, object]:
    """Returns values by dotted key: persistent.size=64, stored."logo.png".size=4096. A bare word is a string."""
    overrides: dict[str, object] = {}
    for setting in settings:
        key, value = key_and_value(setting)
        if not key:
            raise WhitError(f"--set {setting}: expected key=value, such as connections=2")
        overrides[key] = _value(value.strip())
    return overrides


def _value(text: str) -> object:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
