# SPDX-License-Identifier: MIT
"""The application of the experiment `functions`: lab/functions with files, and what its contents are."""

from pathlib import Path

from whit.lab.instruments.served import application_of
from whit.paths import ROOT

SMALL, LARGE = 600, 8192  # octets: less than a segment, and more than six


def octets(length: int) -> bytes:
    """What every resource of it says."""
    return bytes(ord("a") + (index + index // 26) % 26 for index in range(length))


def application() -> Path:
    files = {path.name: path.read_bytes() for path in (ROOT / "lab" / "functions").iterdir()}
    files |= {"small.txt": octets(SMALL), "large.txt": octets(LARGE)}
    return application_of("functions", files)
