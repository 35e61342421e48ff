# SPDX-License-Identifier: MIT
"""More clients than slots at emulated devices: all ask all the time, on connections that they keep."""

import http.client
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.host.conftest import WHIT, Start, port, start
from tests.targets.machines import skipped_without

__all__ = ["port", "start"]  # fixtures

FOR_S = 4.0


def longest_wait_s(port: int) -> float:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    end, longest = time.monotonic() + FOR_S, 0.0
    while time.monotonic() < end:
        begun = time.monotonic()
        connection.request("GET", "/style.css")
        assert connection.getresponse().read()
        longest = max(longest, time.monotonic() - begun)
    return longest


@skipped_without("riscv")
@pytest.mark.slow
@pytest.mark.parametrize("clients", [6, 12])
def test_frames_wait_at_the_driver(start: Start, port: int, tmp_path: Path, clients: int) -> None:
    application = WHIT.parent / "apps" / "contacts"
    server = start(WHIT, "run", application, "--target", "riscv", "--port", port, "--data", tmp_path)
    server.read_until("Ctrl-C ends it.")
    with ThreadPoolExecutor(clients) as crowd:
        assert max(crowd.map(longest_wait_s, [port] * clients)) < 3  # a busy machine; a frame that is lost costs six
    assert server.end() == 0
