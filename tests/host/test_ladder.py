# SPDX-License-Identifier: MIT
"""Ladders of a real client's connections: drawn by `whit run`, and from the capture that it keeps."""

import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from .conftest import WHIT, Start, whit

pytestmark = pytest.mark.slow
TEXT = "{http://www.w3.org/2000/svg}text"


def curl(*arguments: object) -> str:
    if shutil.which("curl") is None:
        pytest.skip("curl not found")
    return subprocess.run(
        ["curl", "-s", "-S", "--max-time", "10", *map(str, arguments)], check=True, capture_output=True, text=True
    ).stdout


def words(svg: Path) -> list[str]:
    return [text.text or "" for text in ElementTree.parse(svg).iter(TEXT)]


def test_a_ladder_of_curl(start: Start, counter: Path, port: int, tmp_path: Path) -> None:
    """A page and the counter on one connection."""
    picture, capture = tmp_path / "curl.svg", tmp_path / "curl.pcap"
    server = start(WHIT, "run", counter, "--port", port, "--ladder", picture, "--pcap", capture)
    server.read_until("Ctrl-C ends it.")
    page, count = f"http://127.0.0.1:{port}/", f"http://127.0.0.1:{port}/count"
    assert curl(page, count).endswith("1")
    assert server.end() == 0
    drawn = words(picture)
    assert drawn[0] == "counter: what passed"
    for beginning in ("SYN, MSS", "SYN ACK, MSS", "GET / ·", "S0 200, data 1:", "GET /count ·", "S1 200, data"):
        assert any(word.startswith(beginning) for word in drawn), (beginning, drawn)

    text = whit("ladder", capture, "--app", counter, cwd=tmp_path)
    assert text.returncode == 0, text.stderr
    lines = text.stdout.splitlines()
    order = [
        next(at for at, line in enumerate(lines) if part in line) for part in ("GET / ·", "S0 200", "GET /count ·")
    ]
    assert order == sorted(order)
    assert lines[-1].split(", ")[0].endswith(" datagrams")

    one = whit("ladder", capture, "--connection", 1, "--svg", tmp_path / "one.svg", cwd=tmp_path)
    assert one.returncode == 0, one.stderr
    assert any(word.startswith("200, data 1:") for word in words(tmp_path / "one.svg")), "strategies need --app"


def test_what_cannot_be_drawn_is_said_before_the_work(counter: Path, tmp_path: Path) -> None:
    for option, path in (("--ladder", tmp_path / "x.png"), ("--ladder", tmp_path / "gone" / "x.svg")):
        done = whit("run", counter, option, path, cwd=tmp_path)
        assert done.returncode != 0
        assert done.stderr.startswith(f"whit: {option} {path}: expected ") and done.stderr.count("\n") == 1
