# SPDX-License-Identifier: MIT
"""Facts that the image does not show, as TOML. The engine states them in engine/calls.toml, a port in
ports/PORT/calls.toml, an application in the tables [calls] and [recursion] of app.toml.

    [calls]
    visit = ["leaf", "branch"]     what visit() calls through pointers: functions, or a kind of handlers.NAMES
    [recursion]
    walk = 5                       walk() is on the stack five times at most
    [interrupts]                   in a port's only
    functions = ["uart*"]          the deepest of them runs on top of the deepest way of the program; they do not nest
    frame = 36                     octets that the processor itself stores then, beside a return address
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from whit.errors import WhitError
from whit.paths import ROOT


@dataclass
class Notes:
    """The notes of engine, port and application together."""

    calls: dict[str, list[str]] = field(default_factory=dict)
    recursion: dict[str, int] = field(default_factory=dict)
    interrupts: list[str] = field(default_factory=list)
    frame: int = 0  # octets


def read(port: str, calls: Mapping[str, tuple[str, ...]], recursion: Mapping[str, int]) -> Notes:
    """`calls` and `recursion` are the application's."""
    notes = Notes()
    for path in (ROOT / "engine" / "calls.toml", ROOT / "ports" / port / "calls.toml"):
        if path.exists():
            _add(notes, path)
    for name, targets in calls.items():
        notes.calls.setdefault(name, []).extend(targets)
    notes.recursion.update(recursion)
    return notes


def _add(notes: Notes, path: Path) -> None:
    document = tomllib.loads(path.read_text())
    for name, targets in document.pop("calls", {}).items():
        notes.calls.setdefault(name, []).extend(targets)
    notes.recursion.update(document.pop("recursion", {}))
    interrupts = document.pop("interrupts", {})
    notes.interrupts += interrupts.get("functions", [])
    notes.frame = max(notes.frame, interrupts.get("frame", 0))
    if document:
        raise WhitError(f"{path}: unknown table {next(iter(document))!r}: expected calls, recursion, interrupts")
