# SPDX-License-Identifier: MIT
"""The example applications as a user meets them: `whit run` and curl."""

import json
import shutil
import socket
import subprocess
import time
import zlib
from pathlib import Path
from typing import Any

import pytest

from whit.paths import ROOT

from .conftest import WHIT, Start

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed"),
]


class Thing:
    """An application of apps/ that is being served."""

    def __init__(self, start: Start, port: int, name: str, data: Path) -> None:
        self.port = port
        self.server = start(WHIT, "run", ROOT / "apps" / name, "--port", port, "--data", data)
        self.server.read_until("Ctrl-C ends it.")

    def curl(self, path: str, *options: str | Path) -> bytes:
        """Returns curl's output. Fails unless the status is one of success."""
        command = ["curl", "--silent", "--show-error", "--fail", "--max-time", "20", *map(str, options)]
        done = subprocess.run([*command, f"http://127.0.0.1:{self.port}{path}"], capture_output=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def json(self, path: str, *options: str | Path) -> Any:
        return json.loads(self.curl(path, *options))

    def status(self, path: str, *options: str | Path) -> int:
        command = ["curl", "--silent", "--output", "/dev/null", "--write-out", "%{http_code}", "--max-time", "20"]
        done = subprocess.run(
            [*command, *map(str, options), f"http://127.0.0.1:{self.port}{path}"], capture_output=True, check=True
        )
        return int(done.stdout)


def test_plain(start: Start, port: int, tmp_path: Path) -> None:
    thing = Thing(start, port, "plain", tmp_path)
    assert [thing.curl("/visits") for _ in range(3)] == [b"1", b"2", b"3"]
    assert thing.curl("/uptime").startswith(b"0:00:")
    picture = thing.curl("/squares")
    assert picture.startswith(b"BM") and len(picture) == int.from_bytes(picture[2:6], "little") == 21814
    assert thing.server.end() == 0
    thing = Thing(start, port, "plain", tmp_path)
    assert thing.curl("/visits") == b"4"


def test_samples(start: Start, port: int, tmp_path: Path) -> None:
    thing = Thing(start, port, "samples", tmp_path)
    samples = thing.curl("/samples?until=512").splitlines()
    assert len(samples) == 512 and all(10 <= float(sample) < 36 for sample in samples)
    assert thing.curl("/samples_index?until=512").splitlines() == samples
    assert thing.curl("/samples_index?since=100&until=103").splitlines() == samples[100:103]
    summary, *taken = thing.curl("/log_flush").splitlines()
    assert summary.startswith(b"%d samples, mean " % len(taken))
    assert taken[:512] == samples
    time.sleep(1.2)
    assert 2 <= len(thing.curl("/samples").splitlines()) < 200


def test_live(start: Start, port: int, tmp_path: Path) -> None:
    thing = Thing(start, port, "live", tmp_path)
    begun_s = time.monotonic()
    first = thing.json("/readings")
    least_s = time.monotonic()
    time.sleep(2.1)
    least_s, second = time.monotonic() - least_s, thing.json("/readings")
    most_s = time.monotonic() - begun_s
    assert (first["requests"], second["requests"]) == (1, 2)
    assert int(least_s) <= second["uptime_s"] - first["uptime_s"] <= int(most_s) + 1
    assert 10 < second["celsius"] < 32


def test_form(start: Start, port: int, tmp_path: Path) -> None:
    thing = Thing(start, port, "form", tmp_path)
    assert thing.json("/settings") == {"interval": 60, "mode": "auto", "lamp": False, "name": ""}
    saved = {"interval": 30, "mode": "eco", "lamp": True, "name": "Bad & Küche"}
    form = ("-d", "interval=30", "-d", "mode=eco", "-d", "lamp=1", "--data-urlencode", "name=Bad & Küche")
    assert thing.json("/settings", *form) == saved
    assert thing.json("/settings") == saved
    assert thing.status("/settings", "-d", "interval=70000") == 400
    assert thing.status("/settings", "-d", "mode=hot") == 400
    assert "error" in thing.json("/settings", "--no-fail", "-d", "interval=0")
    assert thing.status("/settings", "-d", "interval=0") == 422
    as_json = ("--location", "-H", "Content-Type: application/json", "-d", json.dumps(saved))
    assert thing.json("/settings", *as_json) == saved  # redirected, and asked for by GET
    assert thing.server.end() == 0
    assert Thing(start, port, "form", tmp_path).json("/settings") == saved
    assert thing.json("/settings", "-X", "PUT", "-d", "mode=off")["mode"] == "off"


def test_upload(start: Start, port: int, tmp_path: Path) -> None:
    picture = ROOT / "apps" / "contacts" / "logo.png"
    other = tmp_path / "other.bin"
    other.write_bytes(bytes(i * i % 251 for i in range(300_000)))
    thing = Thing(start, port, "upload", tmp_path / "data")
    assert thing.status("/picture.png") == 404
    room = thing.json("/picture")["room"]
    assert thing.json("/picture", "-F", f"file=@{picture}") == {"octets": picture.stat().st_size, "room": room}
    assert thing.curl("/picture.png") == picture.read_bytes()
    assert thing.status("/picture", "-F", f"file=@{other}") == 415
    assert thing.status("/picture", "-F", f"file=@{other};type=image/png") == 422
    assert thing.json("/checksums", "-F", f"files=@{picture}", "-F", f"files=@{other}") == [
        {"name": path.name, "octets": len(octets := path.read_bytes()), "crc32": f"{zlib.crc32(octets):08x}"}
        for path in (picture, other)
    ]
    assert thing.server.end() == 0
    thing = Thing(start, port, "upload", tmp_path / "data")
    etag = next(line for line in thing.curl("/picture.png", "-I").splitlines() if line.lower().startswith(b"etag:"))
    assert thing.status("/picture.png", "-H", f"If-None-Match:{etag.decode().partition(':')[2]}") == 304


def test_pictures_at_the_same_time(start: Start, port: int, tmp_path: Path) -> None:
    """A place accepts one picture at a time: the first client learns that another upload replaced its own."""
    thing = Thing(start, port, "upload", tmp_path / "data")
    head = "POST /picture HTTP/1.1\r\nHost: whit\r\nContent-Type: image/png\r\nContent-Length: 300\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=20) as first:
        first.sendall(head.encode() + bytes(200))
        assert thing.status("/picture.png") == 404  # by then, those octets were read
        picture = ROOT / "apps" / "contacts" / "logo.png"
        assert thing.json("/picture", "-F", f"file=@{picture}")["octets"] == picture.stat().st_size
        first.sendall(bytes(100))
        assert first.recv(1000).startswith(b"HTTP/1.1 409 ")
    assert thing.curl("/picture.png") == picture.read_bytes()


def test_uploads_at_the_same_time(start: Start, port: int, tmp_path: Path) -> None:
    """They share the buffer, and none waits for a timer of its sender."""
    octets = bytes(i * i % 251 for i in range(40_000))
    (tmp_path / "file").write_bytes(octets)
    Thing(start, port, "upload", tmp_path / "data")
    command = ["curl", "--silent", "--max-time", "4", "-F", f"files=@{tmp_path / 'file'}"]
    started = [
        subprocess.Popen([*command, f"http://127.0.0.1:{port}/checksums"], stdout=subprocess.PIPE) for _ in range(4)
    ]
    expected = [{"name": "file", "octets": len(octets), "crc32": f"{zlib.crc32(octets):08x}"}]
    assert [json.loads(one.communicate(timeout=20)[0] or "null") for one in started] == [expected] * 4
