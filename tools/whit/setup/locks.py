# SPDX-License-Identifier: MIT
"""Pins in locks: names, versions and digests. Standard library only."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PIN = re.compile(
    r"^(?P<name>[A-Za-z0-9._-]+)(?:\[[^\]]*\])?==(?P<version>[^\s;\\]+)(?P<rest>(?:.*\\\n)*.*)$", re.MULTILINE
)
DIGEST = re.compile(r"--hash=sha256:([0-9a-f]{64})")


@dataclass(frozen=True)
class Pin:
    """A Python package: `sha256` of each of its files."""

    name: str
    version: str
    sha256: tuple[str, ...]


def pins(lock: Path) -> Iterator[Pin]:
    for match in PIN.finditer(lock.read_text(encoding="utf-8")):
        yield Pin(match["name"], match["version"], tuple(DIGEST.findall(match["rest"])))
