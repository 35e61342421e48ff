# SPDX-License-Identifier: MIT
"""How a capture begins. Standard library only: it is looked at before packages are installed."""

from pathlib import Path

PCAP = ("d4c3b2a1", "a1b2c3d4", "4d3cb2a1", "a1b23c4d")
PCAPNG, GZIP = "0a0d0d0a", "1f8b"


def is_capture(path: Path) -> bool:
    """Whether the file can be read, and begins as a capture does. A pipe may be one: it can be read only once."""
    if not path.is_file():
        return path.exists()
    try:
        with path.open("rb") as file:
            return file.read(4).hex().startswith((*PCAP, PCAPNG, GZIP))
    except OSError:
        return False
