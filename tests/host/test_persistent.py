# SPDX-License-Identifier: MIT
"""Persistent memory of the Linux port: data survives, and a write is complete or absent. A damaged or foreign file is
reported."""

import contextlib
import json
import random
import shutil
import signal
import struct
import subprocess
import threading
import time
import zlib
from pathlib import Path

import pytest

from tests.conftest import seed_of_run
from whit.compiler.persistent import layout_of, seeds
from whit.image.build import build
from whit.paths import ROOT

from .conftest import WHIT, Running, Start, body, exchange, get, whit

HEADER_LEN = 20


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
    confirmed, found = [0], set()
    for _ in range(12):
        server: Running = start(image, "--port", port, "--data", data)
        server.read_until("ready", 10)
        client = threading.Thread(target=write_until_it_dies, args=(port, confirmed))
        client.start()
        time.sleep(0.2 + chance.random() * 0.2)
        server.process.kill()
        server.process.communicate(timeout=10)
        client.join(timeout=30)
        block = data.read_bytes()[HEADER_LEN:] if data.exists() else bytes(256)
        assert len(block) == 256
        assert set(block) <= {confirmed[0], (confirmed[0] + 1) % 251} and len(set(block)) == 1
        confirmed[0] = block[0]
        found.add(block[0])
    assert len(found) > 1  # any of them may be 0: it counts modulo 251


@pytest.mark.slow
def test_file_that_cannot_be_written_is_an_error_of_the_handler(
    start: Start, image: Path, port: int, tmp_path: Path
) -> None:
    """The client gets an error, the old data stays, and the server keeps running."""
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


def file_of(octets: bytes, layout: int) -> bytes:
    """Returns a file as ports/linux/persistent_file.c writes it."""
    numbers = struct.pack("=II", layout, len(octets))
    return b"Whitmem1" + numbers + struct.pack("=I", zlib.crc32(numbers + octets)) + octets


NO_AREAS = layout_of([])


@pytest.mark.slow
def test_longer_file_keeps_its_rest(start: Start, image: Path, port: int, tmp_path: Path) -> None:
    """An application whose memory shrinks does not lose its data."""
    data = tmp_path / "data.bin"
    data.write_bytes(file_of(bytes(256) + b"what an earlier version kept", NO_AREAS))
    start(image, "--port", port, "--data", data).read_until("ready", 10)
    assert body(get(port, "/count")) == b"1"
    assert data.read_bytes() == file_of(b"\x01" * 256 + b"what an earlier version kept", NO_AREAS)


@pytest.mark.slow
def test_damaged_file_is_told_once_and_kept(start: Start, image: Path, port: int, tmp_path: Path) -> None:
    data, good = tmp_path / "data.bin", file_of(b"\x07" * 256, NO_AREAS)
    cases = [good[:at] + bytes([good[at] ^ 4]) + good[at + 1 :] for at in (8, 12, 15, 16, 20, 275)]
    cases += [good[:8], good[:275], good + b"x", good[:16] + bytes(4)]
    for number, octets in enumerate(cases, 1):
        data.write_bytes(octets)
        aside = f"data.bin.damaged{f'.{number}' if number > 1 else ''}"
        server = start(image, "--port", port, "--data", data)
        server.read_until("ready", 10)
        assert server.output.splitlines()[0].endswith(
            f"data.bin: damaged; everything begins with its defaults. The file is kept as {tmp_path / aside}"
        )
        assert (tmp_path / aside).read_bytes() == octets
        assert body(get(port, "/count")) == b"1"
        assert server.end() == 0
    server = start(image, "--port", port, "--data", data)
    assert server.read_until("ready", 10).startswith("ready")
    assert body(get(port, "/count")) == b"2"


def image_of(app: str) -> Path:
    return build(ROOT / "apps" / app, overrides={}).image


@pytest.mark.slow
@pytest.mark.parametrize("app", ["contacts", "form", "plain", "upload"])
def test_foreign_file_is_refused_and_left_alone(tmp_path: Path, port: int, app: str) -> None:
    """A file given to --data by mistake is never written to, whatever its octets."""
    data, chance = tmp_path / "data.bin", random.Random(seed_of_run())
    for length in (1, 7, 8, 30, 2000, 70_000):
        data.write_bytes(octets := chance.randbytes(length))
        command = [image_of(app), "--port", str(port), "--data", data]
        done = subprocess.run(command, capture_output=True, text=True, timeout=20)
        assert done.returncode == 1
        wanted = "not a file of persistent memory; give another one with --data, or move this one away"
        assert done.stderr == f"{data}: {wanted}\n"
        assert data.read_bytes() == octets
    assert {path.name for path in tmp_path.iterdir()} == {"data.bin", "data.bin.lock"}


@pytest.mark.slow
def test_whole_file_with_random_octets_gives_defaults(start: Start, port: int, tmp_path: Path) -> None:
    made, data = build(ROOT / "apps" / "form"), tmp_path / "data.bin"
    layout = layout_of(seeds(made.application.memory.areas))
    chance = random.Random(seed_of_run())
    for _ in range(4):
        data.write_bytes(file_of(chance.randbytes(made.application.limits.persistent_size), layout))
        server = start(made.image, "--port", port, "--data", data)
        assert server.read_until("ready", 10).startswith("ready")
        assert json.loads(body(get(port, "/settings"))) == {"interval": 60, "mode": "auto", "lamp": False, "name": ""}
        assert server.end() == 0


@pytest.mark.slow
def test_another_layout_is_told_and_what_still_matches_is_used(start: Start, port: int, tmp_path: Path) -> None:
    """A new area behind the settings leaves them unchanged; a new field resets them to the defaults."""
    app, data = tmp_path / "form", tmp_path / "data.bin"
    shutil.copytree(ROOT / "apps" / "form", app)
    toml = (app / "app.toml").read_text()
    one_area_more = toml + '\n[persistent.more]\nx = "bool"\n'
    changes = [toml, one_area_more, toml.replace('lamp = "bool"', 'lamp = "bool"\nfan = "bool"')]
    expected = [60, 7, 60]
    for number, (text, interval) in enumerate(zip(changes, expected, strict=True)):
        (app / "app.toml").write_text(text)
        before = data.read_bytes() if number else b""
        server = start(build(app).image, "--port", port, "--data", data)
        server.read_until("ready", 10)
        told = [line for line in server.output.splitlines() if "another layout" in line]
        assert json.loads(body(get(port, "/settings")))["interval"] == interval
        if number == 0:
            assert told == []
            form = b"interval=7"
            head = f"POST /settings HTTP/1.1\r\nHost: thing\r\nConnection: close\r\nContent-Length: {len(form)}\r\n"
            kind = "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
            assert exchange(port, (head + kind).encode() + form).startswith(b"HTTP/1.1 303 ")
            assert json.loads(body(get(port, "/settings")))["interval"] == 7
        else:
            aside = f"{data}.old{f'.{number}' if number > 1 else ''}"
            assert told == [
                f"{data}: written by another layout of app.toml; what does not match begins with its defaults. "
                f"The file is kept as {aside}"
            ]
            assert Path(aside).read_bytes() == before
        assert server.end() == 0


TRACE_C = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
static void say(const char *text, size_t len)
{
    int fd = open(getenv("TRACE"), O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (fd < 0 || write(fd, text, len) < 0)
        abort();
    close(fd);
}
int fsync(int fd)
{
    struct stat status;
    fstat(fd, &status);
    S_ISDIR(status.st_mode) ? say("d", 1) : say("f", 1);
    return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(fd);
}
int rename(const char *from, const char *to)
{
    say("r", 1);
    return ((int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename"))(from, to);
}
"""


@pytest.mark.slow
def test_upload_goes_to_the_disk_once(start: Start, port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The octets and the mark of the new version are one file, which is on the disk before its rename."""
    (tmp_path / "trace.c").write_text(TRACE_C)
    shared, trace = tmp_path / "trace.so", tmp_path / "trace"
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", shared, tmp_path / "trace.c"], check=True)
    image = image_of("upload")
    monkeypatch.setenv("TRACE", str(trace))
    monkeypatch.setenv("LD_PRELOAD", str(shared))
    picture = b"\x89PNG\r\n\x1a\n" + random.Random(1).randbytes(8184)
    data = tmp_path / "data.bin"
    server = start(image, "--port", port, "--data", data)
    server.read_until("ready", 10)
    for version in (1, 2):
        head = f"PUT /picture HTTP/1.1\r\nHost: thing\r\nConnection: close\r\nContent-Length: {len(picture)}\r\n"
        content = picture[:-1] + bytes([version])
        body(exchange(port, f"{head}Content-Type: image/png\r\n\r\n".encode() + content))
        assert trace.read_text() == "frd" * version
        assert body(get(port, "/picture.png")) == content
    server.process.kill()
    server.process.communicate(timeout=10)
    start(image, "--port", port, "--data", data).read_until("ready", 10)
    assert body(get(port, "/picture.png")) == content
