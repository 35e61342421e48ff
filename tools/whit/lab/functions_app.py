# SPDX-License-Identifier: MIT
"""The application of the experiment `functions`: lab/functions with files, and what its contents are."""

from pathlib import Path

from whit.paths import BUILD, ROOT

SMALL, LARGE = 600, 8192  # octets: less than a segment, and more than six


def octets(length: int) -> bytes:
    """What every resource of it says."""
    return bytes(ord("a") + (index + index // 26) % 26 for index in range(length))


def application() -> Path:
    there = BUILD / "lab" / "functions"
    there.mkdir(parents=True, exist_ok=True)
    files = {path.name: path.read_bytes() for path in (ROOT / "lab" / "functions").iterdir()}
    files |= {"small.txt": octets(SMALL), "large.txt": octets(LARGE)}
    for path in there.iterdir():
        if path.name not in files:
            path.unlink()
    for name, content in files.items():
        if not (there / name).exists() or (there / name).read_bytes() != content:
            (there / name).write_bytes(content)
    return there
