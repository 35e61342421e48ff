# SPDX-License-Identifier: MIT
"""A table of whit_head.h, the automaton of request heads as C code: it stands for the file in tests/compiler/golden."""

import hashlib
import re
from itertools import groupby

_LABEL = re.compile(r"(?!default)([a-z_]+?)(?:_\d+)?:")


def table_of(text: str) -> str:
    """Returns a line for each part of the automaton, and one for the whole file."""
    lines = text.splitlines(keepends=True)
    parts, part = [], "jumps"
    for line in lines:
        found = _LABEL.match(line)
        part = found[1] if found else part
        parts.append((part, line))
    rows = [_row("part", "states", "lines", "bytes", "sha256")]
    rows += [_measured(part, [line for _, line in group]) for part, group in groupby(parts, lambda one: one[0])]
    return "".join([*rows, _measured("all", lines)])


def _measured(part: str, lines: list[str]) -> str:
    octets = "".join(lines).encode()
    states = sum(bool(_LABEL.match(line)) for line in lines)
    return _row(part, states, len(lines), len(octets), hashlib.sha256(octets).hexdigest()[:16])


def _row(part: str, *columns: object) -> str:
    return f"{part:20}" + "".join(f"{column:>8}" for column in columns[:3]) + f"  {columns[3]}\n"
