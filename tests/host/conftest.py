# SPDX-License-Identifier: MIT
"""The real ./whit and the real image, as a user starts them."""

import contextlib
import os
import selectors
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from whit.machines.free_port import free_port
from whit.paths import BUILD, ROOT

WHIT = ROOT / "whit"
START_S = 120.0
"""A build from nothing on a busy machine."""

# A block of 256 equal octets: a write that was torn shows. Octets go up by one with each request, modulo 251.
COUNT_C = """\
/* <generator>
     <handlers doGet="count"/>
     <properties persistence="persistent" content-type="text/plain"/>
   </generator> */
#include "whit/app.h"

static char count(struct args_t *args)
{
    uint8_t block[256];
    (void)args;
    if (!persistent_read(0, block, sizeof block))
        return 0;
    uint8_t next = (uint8_t)((block[0] + 1) % 251);
    for (uint16_t i = 0; i < sizeof block; i++)
        block[i] = next;
    if (!persistent_write(0, block, sizeof block))
        return 0;
    out_uint(next);
    return 1;
}
"""
APP_TOML = """\
name = "counter"
connections = 2

[persistent]
size = 256
"""


@pytest.fixture
def counter(tmp_path: Path) -> Path:
    """An application with a page and a counter in persistent memory. All tests of a worker share its directory and
    reuse its builds; the test's directory has a link to it."""
    app = BUILD / "test-apps" / os.environ.get("PYTEST_XDIST_WORKER", "main") / "counter"
    shutil.rmtree(app, ignore_errors=True)
    app.mkdir(parents=True)
    (tmp_path / "counter").symlink_to(app)
    (app / "index.html").write_text("<!doctype html><title>Counter</title><p>first")
    (app / "count.c").write_text(COUNT_C)
    (app / "app.toml").write_text(APP_TOML)
    return app


@pytest.fixture
def port() -> int:
    return free_port()


class Running:
    """A program whose stdout is read as it arrives."""

    def __init__(self, command: Sequence[str], cwd: Path) -> None:
        environment = os.environ | {"COLUMNS": "200"}
        self.process = subprocess.Popen(
            command,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
        )
        self.output = ""

    def read_until(self, text: str, seconds: float = START_S) -> str:
        """Returns the output so far as soon as it contains `text`."""
        assert self.process.stdout is not None
        deadline = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while text not in self.output:
                if not selector.select(max(0.0, deadline - time.monotonic())):
                    raise AssertionError(f"no {text!r} within {seconds} s in:\n{self.output}")
                said = os.read(self.process.stdout.fileno(), 65536)
                if not said:
                    raise AssertionError(f"ended without {text!r}:\n{self.output}")
                self.output += said.decode()
        return self.output

    def end(self, signal_number: int = signal.SIGINT) -> int:
        """Its exit code."""
        self.process.send_signal(signal_number)
        rest, _ = self.process.communicate(timeout=15)
        self.output += rest.decode()
        return self.process.returncode


Start = Callable[..., Running]


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Starts programs in a directory of their own; running ones are ended after the test."""
    monkeypatch.setenv("WHIT_KEPT", str(tmp_path / ".whit"))
    started: list[Running] = []

    def begin(*command: object, cwd: Path = tmp_path) -> Running:
        started.append(Running([str(word) for word in command], cwd))
        return started[-1]

    yield begin
    for running in started:
        if running.process.poll() is None:
            running.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                running.process.communicate(timeout=10)
            running.process.kill()


def whit(*arguments: object, cwd: Path, seconds: float = START_S) -> subprocess.CompletedProcess[str]:
    """A command that ends by itself."""
    command = [str(WHIT), *(str(word) for word in arguments)]
    environment = os.environ | {"WHIT_KEPT": str(cwd / ".whit")}
    return subprocess.run(
        command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=seconds
    )


def exchange(port: int, request: bytes, host: str = "127.0.0.1", seconds: float = 10.0) -> bytes:
    """All octets that come back until the server closes."""
    with socket.create_connection((host, port), timeout=seconds) as connection:
        connection.sendall(request)
        answer = b""
        while octets := connection.recv(65536):
            answer += octets
    return answer


def get(port: int, path: str = "/", host: str = "127.0.0.1", fields: str = "") -> bytes:
    """A whole response."""
    return exchange(port, f"GET {path} HTTP/1.1\r\nHost: thing\r\nConnection: close\r\n{fields}\r\n".encode(), host)


def body(response: bytes) -> bytes:
    """The content of a response that must be a 200."""
    head, _, content = response.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 "), response[:200]
    return content


def until(what: Callable[[], bool], seconds: float = 60.0) -> None:
    """Waits for something that takes its time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError, AssertionError):
            if what():
                return
        time.sleep(0.1)
    raise AssertionError(f"not true within {seconds} s")


@pytest.fixture(scope="session")
def contacts() -> Path:
    return ROOT / "apps" / "contacts"


@pytest.fixture
def contacts_copy(contacts: Path, tmp_path: Path) -> Path:
    """May be edited."""
    return Path(shutil.copytree(contacts, tmp_path / "contacts"))
