# SPDX-License-Identifier: MIT
"""Pipelined requests to the real image: 30 in one write were 24 answers, and then silence for 18 s."""

from pathlib import Path

from .conftest import WHIT, Start
from .pipeline import DEPTH, ask


def test_thirty_requests_in_one_write(start: Start, contacts: Path, port: int, tmp_path: Path) -> None:
    """Through libslirp."""
    start(WHIT, "run", contacts, "--port", port, "--data", tmp_path).read_until(f":{port}/")
    for _ in range(3):
        answers, ms = ask("127.0.0.1", port)
        assert answers == DEPTH
        assert ms < 1000
