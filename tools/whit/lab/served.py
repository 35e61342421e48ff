# SPDX-License-Identifier: MIT
"""Applications made for measuring: files of known sizes that no coder makes shorter."""

import random
from pathlib import Path

from whit.paths import BUILD

BIG = 57254  # octets
SEVERAL = (4000, 8000, 12000)  # 3, 6 and 9 full-size segments


def files_application() -> Path:
    """A directory with one file N.bin for each size."""
    there = BUILD / "lab" / "files"
    there.mkdir(parents=True, exist_ok=True)
    for size in (BIG, *SEVERAL):
        path = there / f"{size}.bin"
        octets = content(size)
        if not path.exists() or path.read_bytes() != octets:
            path.write_bytes(octets)
    return there


def content(size: int) -> bytes:
    return random.Random(size).randbytes(size)
