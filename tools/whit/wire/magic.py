# SPDX-License-Identifier: MIT
"""Recognizes a capture by its first octets. Standard library only: it runs before packages are installed."""

from pathlib import Path

PCAP = ("d4c3b2a1", "a1b2c3d4", "4d3cb2a1", "a1b23c4d")
PCAPNG, GZIP = "0a0d0d0a", "1f8b"


def is_capture(path: Path) -> bool:
    """True if the file is readable and begins as a capture does, or may be a pipe: a pipe can be read only once."""
    if not path.is_file():
        return path.exists()
    try:
        with path.open("rb") as file:
            return file.read(4).hex().startswith((*PCAP, PCAPNG, GZIP))
    except OSError:
        return False
