# SPDX-License-Identifier: MIT
"""Firefox without a window, driven by its own protocol (Marionette). It trusts the authority of this machine, as if a
person had confirmed it."""

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
SETTLE_S = 10.0
REDIRECTED = 0x804B0003  # NS_BINDING_REDIRECTED: another request follows
# All requests outside of this machine, such as to its makers' servers, go to a proxy without a listener.
PREFERENCES = {
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "network.proxy.failover_direct": False,
    "network.proxy.allow_bypass": False,
}

# Runs in Firefox's own process, which sees all requests of pages.
WATCH = """globalThis.exchanges = new Map();
globalThis.watch = {observe(channel) {
  channel.QueryInterface(Ci.nsIHttpChannel);
  let status = 0;
  try { status = channel.responseStatus; } catch {}
  exchanges.set(channel.channelId, [channel.URI.spec, status, channel.status]);
}};
for (const when of ["opening", "stop"]) Services.obs.addObserver(watch, `http-on-${when}-request`);"""
SEEN = """const seen = [...exchanges.values()];
if (seen.some(([url, status, failed]) => url.startsWith(arguments[0]) && !status && !failed)) return null;
exchanges.clear();
const said = Services.console.getMessageArray().filter((each) => each instanceof Ci.nsIScriptError);
Services.console.reset();
return [seen, said.map((each) => [each.sourceName, each.errorMessage])];"""


def is_bad(status: int, failed: int) -> bool:
    return failed != REDIRECTED and (failed != 0 or status not in (200, 304))


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
        """Returns the result of an asynchronous function's body."""
        words = (
            f"const done = arguments[arguments.length - 1]; (async (...said) => {{{script}}})(...arguments).then(done)"
        )
        return self.ask("WebDriver:ExecuteAsyncScript", {"script": words, "args": arguments})["value"]

    def watch(self) -> None:
        self._run_inside(WATCH)

    def seen(self, url: str) -> tuple[set[str], list[str]]:
        """Returns the answered paths below `url`, and the errors, since the last call, after all requests have
        ended."""
        until = time.monotonic() + SETTLE_S
        while (found := self._run_inside(SEEN, url)) is None:
            assert time.monotonic() < until, f"{url}: a request is not answered"
            time.sleep(0.02)
        asked = [(each[0].removeprefix(url), *each[1:]) for each in found[0] if each[0].startswith(url)]
        wrong = [f"{path}: {status} {failed:#x}" for path, status, failed in asked if is_bad(status, failed)]
        return {path for path, *_ in asked}, wrong + [said for source, said in found[1] if source.startswith(url)]

    def _run_inside(self, script: str, *arguments: object) -> Any:
        self.ask("Marionette:SetContext", {"value": "chrome"})
        words = {"script": script, "args": arguments, "sandbox": "system", "newSandbox": False}
        result = self.ask("WebDriver:ExecuteScript", words)["value"]
        self.ask("Marionette:SetContext", {"value": "content"})
        return result

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
    """Skips the test if Firefox is not installed."""
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None or shutil.which("certutil") is None:
        pytest.skip("firefox-esr and certutil are not installed: apt install firefox-esr libnss3-tools")
    profile, port = directory / "profile", free_port()
    profile.mkdir()
    for words in (("-N", "--empty-password"), ("-A", "-t", "C,,", "-n", "whit", "-i", authority)):
        subprocess.run(["certutil", "-d", f"sql:{profile}", *words], check=True, capture_output=True)
    preferences = {"marionette.port": port, **PREFERENCES}
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in preferences.items()]
    (profile / "user.js").write_text("".join(lines))
    command = [program, "--headless", "--no-remote", "--profile", str(profile)]
    command += ["--marionette", "--remote-allow-system-access"]
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
