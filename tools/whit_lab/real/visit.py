# SPDX-License-Identifier: MIT
"""Chromium in a namespace. As a program: loads a page several times, each with an empty cache, and prints JSON.

python -m whit_lab.real.visit URL SELECTOR TIMES
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from whit.errors import WhitError
from whit.paths import ROOT
from whit_lab.real.namespace import Namespace
from whit_lab.real.relay import SERVER, Relay

VISIT_S, END_S = 120, 20
NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = (
    "--no-sandbox",  # the sandbox does not work as root
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
# Times of the Resource Timing API, in ms since the navigation began.
TIMING = """() => {
    const [page] = performance.getEntriesByType('navigation');
    const parts = performance.getEntriesByType('resource').map(part => [new URL(part.name).pathname, part.responseEnd]);
    return {connect: page.connectStart, parts: [['/', page.responseEnd], ...parts]};
}"""


@dataclass(frozen=True)
class Visited:
    """Times of a visit in seconds since the browser began to connect."""

    parts: dict[str, float]  # arrival of each part's last byte

    @property
    def whole_s(self) -> float:
        return max(self.parts.values())


def why_no_chromium() -> str:
    """Returns the missing program, or "" if both are installed."""
    if _path() is None:
        return "chromium is not installed"
    return "" if importlib.util.find_spec("playwright") else "playwright is not installed"


def chromium() -> list[str]:
    """Returns the program, if it is installed, and its arguments."""
    return [_path() or "", *ARGUMENTS]


def visit(relay: Relay, namespace: Namespace, *, shows: str, times: int = 1) -> list[Visited]:
    """Loads the server's page in a new browser until the selector matches."""
    process = _start(namespace.inside(*_command(f"http://{SERVER}/", shows, times)))
    try:
        relay.run(lambda: process.poll() is not None, for_s=VISIT_S)
    finally:
        process.terminate()
        said, complaint = process.communicate(timeout=END_S)
    return _visited(process.returncode, said, complaint)


def visit_alone(url: str, *, shows: str, times: int = 1) -> list[Visited]:
    """Does the same without a relay."""
    process = _start(_command(url, shows, times))
    try:
        said, complaint = process.communicate(timeout=VISIT_S)
    finally:
        process.terminate()
    return _visited(process.returncode, said, complaint)


def _command(url: str, shows: str, times: int) -> list[str]:
    return [sys.executable, "-m", "whit_lab.real.visit", url, shows, str(times)]


def _start(command: Sequence[str]) -> subprocess.Popen[bytes]:
    environment = os.environ | {"PYTHONPATH": str(ROOT / "tools")}
    piped = subprocess.PIPE
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=piped, stderr=piped, env=environment)


def _visited(code: int, said: bytes, complaint: bytes) -> list[Visited]:
    if code != 0:
        raise WhitError(f"chromium: {complaint.decode(errors='replace').strip()[-400:]}", 1)
    found = []
    for timing in json.loads(said):
        parts = {name: round((end_ms - timing["connect"]) / 1000, 4) for name, end_ms in timing["parts"]}
        found.append(Visited(parts))
    return found


def _path() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


def main(url: str, shows: str, times: int) -> None:
    """Prints each load's timings as JSON, in the browser's milliseconds. `visit` runs this in the client's
    namespace."""
    from playwright.sync_api import sync_playwright

    timings = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_path(), args=list(ARGUMENTS))
        for _ in range(times):
            context = browser.new_context()
            page = context.new_page()
            page.goto(url, timeout=60_000)
            page.wait_for_selector(shows, timeout=60_000)
            page.wait_for_function("performance.getEntriesByType('navigation')[0].loadEventEnd > 0")
            timings.append(page.evaluate(TIMING))
            context.close()
        browser.close()
    print(json.dumps(timings))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
