# SPDX-License-Identifier: MIT
"""`whit new`: what it makes runs at once."""

import shutil
import subprocess
from pathlib import Path

import pytest
from whit.paths import BUILD

from .conftest import WHIT, Start, whit


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_new_then_run_then_curl(start: Start, port: int, tmp_path: Path) -> None:
    made = whit("new", "thing-1", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    assert f"{WHIT} run thing-1" in made.stdout
    assert not any(b"@NAME@" in path.read_bytes() for path in (tmp_path / "thing-1").rglob("*") if path.is_file())
    start(WHIT, "run", "thing-1", "--port", port).read_until("Ctrl-C ends it.")
    for built in BUILD.glob("thing-1-linux-*"):
        shutil.rmtree(built)
    page = subprocess.run(
        ["curl", "--silent", "--fail", "--max-time", "10", f"http://127.0.0.1:{port}/"], capture_output=True, check=True
    )
    assert b"thing-1" in page.stdout and b"<html" in page.stdout


def test_existing_directory_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "work").write_text("precious")
    done = whit("new", "mine", cwd=tmp_path)
    assert done.returncode == 2 and "exists already" in done.stderr
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["work"]
