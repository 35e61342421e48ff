# SPDX-License-Identifier: MIT
"""A Chromium with a fresh profile: it trusts the authority that docs/https.md installs, and nothing else."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.network import Recorder
from tests.browser.served import CHROMIUM_ARGUMENTS, chromium_path
from whit.paths import KEPT, ROOT


@contextmanager
def chromium(browser: Browser, home: Path, program: Path | None = None) -> Iterator[Browser]:
    start = {"executable_path": program or chromium_path(), "args": list(CHROMIUM_ARGUMENTS), "env": _with(home)}
    with browser.browser_type.launch(**start) as its_own:
        yield its_own


def trust(home: Path) -> None:
    """Runs the command of docs/https.md."""
    if shutil.which("certutil") is None:
        pytest.skip("certutil is not installed: apt install libnss3-tools")
    row = re.search(r"\| Chromium on Linux \| `([^`]+)`", (ROOT / "docs" / "https.md").read_text())
    assert row
    subprocess.run(["sh", "-ec", row[1]], cwd=KEPT.parent, env=_with(home), check=True)


def _with(home: Path) -> dict[str, str]:
    return {**os.environ, "HOME": str(home)}


class Tab:
    """A page, and all that it asks for and complains about."""

    def __init__(self, browser: Browser) -> None:
        self._page = browser.new_context().new_page()
        self._recorder = Recorder(self._page)
        self._complaints: list[str] = []
        self._page.on("pageerror", lambda error: self._complaints.append(str(error)))
        self._page.on("console", lambda message: self._complaints.append(message.text))

    def go(self, url: str) -> None:
        self._page.goto(url)

    def run(self, script: str, *arguments: object) -> Any:
        """Returns the result of an asynchronous function's body."""
        return self._page.evaluate(f"async (said) => {{{script}}}", arguments)

    def seen(self, url: str) -> tuple[set[str], list[str]]:
        """Returns the answered paths, and the errors, since the last call."""
        taken = [exchange for exchange in self._recorder.take() if exchange.status or exchange.kind != "Other"]
        bad = [each for each in taken if each.failed or each.status not in (200, 303, 304)]
        wrong = [f"{each.path}: {each.status} {each.failed}" for each in bad] + self._complaints
        self._complaints = []
        return {exchange.path for exchange in taken}, wrong
