# SPDX-License-Identifier: MIT
"""An application served by `./whit run`, and the Chromium that looks at it."""

import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from whit.machines.free_port import free_port
from whit.paths import ROOT

CONTACTS = ROOT / "apps" / "contacts"
READY_TIMEOUT_S = 180.0
"""The first run builds."""
END_TIMEOUT_S = 15.0

CHROMIUM_ARGUMENTS = (
    "--no-sandbox",  # as root it has none
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def chromium_path() -> str | None:
    """Debian's browser, or another of the same make."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@contextmanager
def chromium(path: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def served(application: Path, data: Path, *settings: str, options: Sequence[str] = ()) -> Iterator[str]:
    """Yields the URL. `options` are more of the command line. At the end the server gets SIGINT, as by Ctrl-C, and must
    end by itself."""
    port = free_port()
    command = [str(ROOT / "whit"), "run", str(application), "--port", str(port), "--data", str(data), *options]
    for setting in settings:
        command += ["--set", setting]
    data.mkdir(parents=True, exist_ok=True)
    log = data / "run.log"
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT)
    try:
        yield _url(process, log, port)
        assert process.poll() is None, f"the server ended by itself: {_text(log)}"
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        try:
            process.wait(END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise
    assert process.returncode == 0, f"exit code {process.returncode}: {_text(log)}"


def _url(process: "subprocess.Popen[bytes]", log: Path, port: int) -> str:
    deadline = time.monotonic() + READY_TIMEOUT_S
    while time.monotonic() < deadline:
        if match := re.search(rf"http://127\.0\.0\.1:{port}/?", _text(log)):
            return match[0].rstrip("/") + "/"
        if process.poll() is not None:
            break
        time.sleep(0.05)
    raise AssertionError(f"no URL from {process.args!r}: {_text(log)}")


def _text(log: Path) -> str:
    return log.read_text(errors="replace")
