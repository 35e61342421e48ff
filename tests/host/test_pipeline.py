# SPDX-License-Identifier: MIT
"""Pipelined requests to the real image. A regression: 30 requests in one write got 24 answers, then silence for
18 s."""

from pathlib import Path

from tests.support import make_files, noise

from .conftest import WHIT, Start
from .pipeline import DEPTH, ask, ask_for


def plain_files(tmp_path: Path) -> Path:
    there = tmp_path / "plain"
    make_files(there, {f"{length}.bin": noise(length) for length in (1, 30_000, 57_000)} | {"index.html": b"hi"})
    return there


def test_thirty_requests_in_one_write(start: Start, contacts: Path, port: int, tmp_path: Path) -> None:
    """Through libslirp."""
    start(WHIT, "run", contacts, "--port", port, "--data", tmp_path).read_until(f":{port}/")
    for _ in range(3):
        answers, ms = ask("127.0.0.1", port)
        assert answers == DEPTH
        assert ms < 1000


def test_more_requests_than_the_window_takes(start: Start, contacts: Path, port: int, tmp_path: Path) -> None:
    """Through libslirp. The client's timer takes 200 ms at least."""
    start(WHIT, "run", contacts, "--port", port, "--data", tmp_path).read_until(f":{port}/")
    for cnt in (80, 400):
        right, longest_ms = ask_for("127.0.0.1", port, cnt, contacts / "logo.png")
        assert right == cnt
        assert longest_ms < 200


def test_requests_for_plain_files(start: Start, port: int, tmp_path: Path) -> None:
    """Three answers of four were followed by a reset."""
    there = plain_files(tmp_path)
    start(WHIT, "run", there, "--port", port).read_until(f":{port}/")
    for name in ("30000.bin", "57000.bin", "1.bin"):
        for cnt in (4, 50, 400):
            right, longest_ms = ask_for("127.0.0.1", port, cnt, there / name)
            assert right == cnt
            assert longest_ms < 200
