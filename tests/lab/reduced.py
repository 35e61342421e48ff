# SPDX-License-Identifier: MIT
"""The reduced result of each experiment, made once per run of all tests. Its own test and that of docs/lab share it."""

import fcntl
import json
import os
import shutil
from functools import cache
from pathlib import Path

from whit.paths import BUILD
from whit_lab import registry
from whit_lab.experiment import Result
from whit_lab.kept import kept, result_of, same

RESULTS = BUILD / "test-lab"


@cache
def reduced(name: str) -> Result:
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    return _shared(name, RESULTS / run, exact=False) if run else same(measured(name))


@cache
def exact(name: str) -> Result:
    """Returns the part of the result that another run repeats exactly."""
    if registry.find(name).deterministic:
        return reduced(name)
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    return _shared(name, RESULTS / run, exact=True) if run else same(measured(name, exact=True))


def measured(name: str, *, exact: bool = False) -> Result:
    return registry.find(name).run(lambda what, share: None, reduced=True, exact=exact)


def _shared(name: str, there: Path, *, exact: bool) -> Result:
    """Shares the result with other processes of the same run."""
    there.mkdir(parents=True, exist_ok=True)
    for other in RESULTS.iterdir():
        if other != there and other.stat().st_mtime < there.stat().st_mtime - 86_400:
            shutil.rmtree(other, ignore_errors=True)
    file = f"{name}-exact" if exact else name
    with open(there / f"{file}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        path = there / f"{file}.json"
        if not path.exists():
            path.write_text(json.dumps(kept(measured(name, exact=exact))))
        return result_of(json.loads(path.read_text()))
