# SPDX-License-Identifier: MIT
"""The calls that each client of apps/services makes, and the results expected."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.browser.served import served
from whit.errors import WhitError

CLIENTS = Path(__file__).parent / "clients"
TEXT = 'ä <b> & "]]>" 😀'
SPACE = "urn:whit:thermostat"
VERSIONS = ("1.1", "1.2")


def fetched(fetch: Callable[[Sequence[str]], Path], packages: Sequence[str]) -> Path:
    try:
        return fetch(packages)
    except WhitError as error:
        pytest.skip(str(error))


def said_by(command: Sequence[str | Path], **environment: str) -> Any:
    """Returns a program's output, read as JSON."""
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, env=os.environ | environment, timeout=120
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return json.loads(done.stdout)


def check(said: Mapping[str, Any], version: str) -> None:
    """Checks that a client's results are the expected ones; its words for a code begin with a prefix."""
    assert said["echo"] == TEXT
    assert said["unit"] == "f" and 50 < said["value"] < 90
    assert said["points"] == [20.5, 16.0]
    check_readings(said["uptime_s"], said["readings"])
    assert said["fault"] == "a room has 5 to 30 degrees"
    assert said["code"].rpartition(":")[2] == ("Client" if version == "1.1" else "Sender")


def check_readings(uptime_s: int, readings: Sequence[Sequence[float]]) -> None:
    """An array of records: one every ten seconds, newest first, sixteen at most."""
    newest = uptime_s // 10
    assert [at_s for at_s, _ in readings] == [10 * (newest - back) for back in range(min(newest, 16))]
    assert all(10 < value < 32 for _, value in readings)


def url_of(app: Path, path: str = "", *settings: str, scope: Any = "module", options: Sequence[str] = ()) -> Any:
    """Returns a fixture: the URL of `path` of an application that served() serves, without the slash at its end."""

    @pytest.fixture(scope=scope)
    def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
        with served(app, tmp_path_factory.mktemp("data"), *settings, options=options) as root:
            yield f"{root.rstrip('/')}{path}"

    return url
