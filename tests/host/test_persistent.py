# SPDX-License-Identifier: MIT
"""Persistent memory of the Linux port: what was written stays, and a write is whole or not there."""

import contextlib
import random
import signal
import threading
import time
from pathlib import Path

import pytest

from tests.conftest import seed_of_run

from .conftest import WHIT, Running, Start, body, get, whit


@pytest.fixture
def image(counter: Path, tmp_path: Path) -> Path:
    done = whit("build", counter, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip())


def test_stays_over_a_restart(start: Start, counter: Path, port: int) -> None:
    for expected in (b"1", b"2"):
        server = start(WHIT, "run", counter, "--port", port)
        server.read_until("Ctrl-C ends it.")
        assert body(get(port, "/count")) == expected
        assert server.end() == 0


def write_until_it_dies(port: int, confirmed: list[int]) -> None:
    with contextlib.suppress(OSError, AssertionError, ValueError):
        while True:
            confirmed[0] = int(body(get(port, "/count")))


@pytest.mark.slow
def test_crash_in_the_middle_of_writes(start: Start, image: Path, port: int, tmp_path: Path) -> None:
    seed = seed_of_run()
    print(f"WHIT_SEED={seed}")
    chance = random.Random(seed)
    data = tmp_path / "data.bin"
    confirmed = [0]
    for _ in range(12):
        server: Running = start(image, "--port", port, "--data", data)
        server.read_until("ready", 10)
        client = threading.Thread(target=write_until_it_dies, args=(port, confirmed))
        client.start()
        time.sleep(0.2 + chance.random() * 0.2)
        server.process.kill()
        server.process.communicate(timeout=10)
        client.join(timeout=30)
        block = data.read_bytes() if data.exists() else bytes(256)
        assert len(block) == 256
        assert set(block) <= {confirmed[0], (confirmed[0] + 1) % 251} and len(set(block)) == 1
        confirmed[0] = block[0]
    assert confirmed[0] > 0


@pytest.mark.slow
def test_file_that_cannot_be_written_is_an_error_of_the_handler(
    start: Start, image: Path, port: int, tmp_path: Path
) -> None:
    """The client is told, what was there stays, and the server goes on."""
    place = tmp_path / "place"
    place.mkdir()
    server = start(image, "--port", port, "--data", place / "data.bin")
    server.read_until("ready", 10)
    assert body(get(port, "/count")) == b"1"
    (place / "data.bin.new").mkdir()  # where the new file would be made
    assert get(port, "/count").startswith(b"HTTP/1.1 500 ")
    (place / "data.bin.new").rmdir()
    assert body(get(port, "/count")) == b"2"
    assert server.end(signal.SIGTERM) == 0
    assert "cannot be written" in server.output


@pytest.mark.slow
def test_longer_file_keeps_its_rest(start: Start, image: Path, port: int, tmp_path: Path) -> None:
    """An application whose memory became smaller does not lose what it had."""
    data = tmp_path / "data.bin"
    data.write_bytes(bytes(256) + b"what an earlier version kept")
    start(image, "--port", port, "--data", data).read_until("ready", 10)
    assert body(get(port, "/count")) == b"1"
    assert data.read_bytes() == b"\x01" * 256 + b"what an earlier version kept"
