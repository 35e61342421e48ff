# SPDX-License-Identifier: MIT
"""A pytest plugin in the copy of the tree.

WHIT_FAULTS_MET=directory: writes the faults that each test meets. WHIT_FAULTS_ORDER=file: runs the tests of the file,
in its order, each with its time limit.
"""

import json
import mmap
import os
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from cffi import FFI

LEN = 4 << 10  # of switch.h


def pytest_configure(config: pytest.Config) -> None:
    _load_lazily()
    if directory := os.environ.get("WHIT_FAULTS_MET"):
        config.pluginmanager.register(_Recorder(Path(directory)))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if file := os.environ.get("WHIT_FAULTS_ORDER"):
        limits_s: dict[str, float] = json.loads(Path(file).read_text())
        there = {item.nodeid: item for item in items}
        items[:] = [there[name] for name in limits_s if name in there]
        for item in items:
            item.add_marker(pytest.mark.timeout(limits_s[item.nodeid], method="thread"))


def _load_lazily() -> None:
    """Resolves symbols on first use: a fault may call a function that an image lacks."""
    ffi: Any = FFI
    load = ffi.dlopen
    ffi.dlopen = lambda self, name, flags=0: load(self, name, flags or self.RTLD_LAZY)


class _Recorder:
    """Writes a line of JSON per test: name, seconds, passed, and faults met by it and by its fixtures."""

    def __init__(self, directory: Path) -> None:
        path = directory / f"{os.getpid()}.map"
        path.write_bytes(bytes(LEN))
        os.environ["WHIT_FAULTS"] = str(path)
        with path.open("r+b") as file:
            self.shared = mmap.mmap(file.fileno(), LEN)
        self.lines = (directory / f"{os.getpid()}.jsonl").open("a")
        self.by_fixtures: set[int] = set()
        self.passed = True

    def _met(self) -> set[int]:
        found = {number for number in range(LEN - 2) if self.shared[2 + number]}
        self.shared[:] = bytes(LEN)
        return found

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_setup(self) -> Generator[None, None, None]:
        self._met()
        yield
        self.by_fixtures = self._met()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, Any, None]:
        outcome = yield
        self.passed = self.passed and not outcome.get_result().failed

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, None, None]:
        self.passed, started = True, time.monotonic()
        yield
        line = {"name": item.nodeid, "seconds": time.monotonic() - started, "passed": self.passed}
        line |= {"met": sorted(self._met()), "by_fixtures": sorted(self.by_fixtures)}
        print(json.dumps(line), file=self.lines, flush=True)
