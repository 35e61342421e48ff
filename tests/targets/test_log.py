# SPDX-License-Identifier: MIT
"""The request log of a device, by the console of its emulator."""

from pathlib import Path

import pytest

from tests.host.conftest import WHIT, Start, get, port, start
from tests.targets.machines import devices
from whit.paths import ROOT
from whit.targets import find_target

__all__ = ["port", "start"]  # fixtures

APP = ROOT / "tests" / "apps" / "refusals"

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("target", devices())
def test_lines_come_as_requests_are_answered(target: str, start: Start, port: int, tmp_path: Path) -> None:
    server = start(WHIT, "run", APP, "--target", target, "--port", port, "--data", tmp_path)
    server.read_until("Ctrl-C ends it.\n")
    page = get(port)
    server.read_until(f"GET / 200 {len(page)}\n")
    refused = get(port, "/say?len=70000")
    if find_target(target).logs:  # always, and error pages
        assert refused.startswith(b"HTTP/1.1 400 Bad Request\r\n") and b"from 0 to 65535" in refused
    else:
        assert refused.startswith(b"HTTP/1.1 400 \r\n") and refused.endswith(b"Content-Length: 0\r\n\r\n")
    server.read_until("GET /say?len=70000 400 len: expected a number from 0 to 65535\n")
    server.end()
    assert server.output.count("GET /") == 2
