# SPDX-License-Identifier: MIT
"""Firefox without a window, driven by its own protocol (Marionette). It trusts the authority of this machine, as if a
person had told it to."""

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from whit.machines.free_port import free_port

START_S = 120


class Firefox:
    """A tab."""

    def __init__(self, port: int) -> None:
        self._socket = _connected(port)
        self._socket.settimeout(START_S)
        self._number = 0
        self._read()
        self.ask("WebDriver:NewSession", {"strictFileInteractability": True})

    def go(self, url: str) -> None:
        self.ask("WebDriver:Navigate", {"url": url})

    def run(self, script: str, *arguments: object) -> Any:
        """What the body of an asynchronous function returns."""
        words = (
            f"const done = arguments[arguments.length - 1]; (async (...said) => {{{script}}})(...arguments).then(done)"
        )
        return self.ask("WebDriver:ExecuteAsyncScript", {"script": words, "args": arguments})["value"]

    def ask(self, command: str, parameters: dict[str, object]) -> Any:
        self._number += 1
        said = json.dumps([0, self._number, command, parameters])
        self._socket.sendall(f"{len(said.encode())}:{said}".encode())
        _, number, error, result = self._read()
        assert number == self._number and error is None, error
        return result

    def _read(self) -> Any:
        length = b""
        while (octet := self._socket.recv(1)) != b":":
            assert octet, "Firefox has ended"
            length += octet
        said = b""
        while len(said) < int(length):
            part = self._socket.recv(int(length) - len(said))
            assert part, "Firefox has ended"
            said += part
        return json.loads(said)


def _connected(port: int) -> socket.socket:
    until = time.monotonic() + START_S
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port))
        except OSError:
            assert time.monotonic() < until, "Firefox did not start"
            time.sleep(0.2)


@contextmanager
def firefox(directory: Path, authority: Path) -> Iterator[Firefox]:
    """Skips the test where there is none."""
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None or shutil.which("certutil") is None:
        pytest.skip("firefox-esr and certutil are not installed: apt install firefox-esr libnss3-tools")
    profile, port = directory / "profile", free_port()
    profile.mkdir()
    for words in (("-N", "--empty-password"), ("-A", "-t", "C,,", "-n", "whit", "-i", authority)):
        subprocess.run(["certutil", "-d", f"sql:{profile}", *words], check=True, capture_output=True)
    (profile / "user.js").write_text(f'user_pref("marionette.port", {port});\n')
    command = [program, "--headless", "--no-remote", "--profile", str(profile), "--marionette"]
    environment = os.environ | {"HOME": str(directory), "MOZ_HEADLESS": "1"}
    with open(directory / "firefox.log", "w") as log:
        running = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        yield Firefox(port)
    finally:
        running.terminate()
        try:
            running.wait(20)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()
