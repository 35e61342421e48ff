# SPDX-License-Identifier: MIT
"""curl in a namespace: the kernel's TCP as a client."""

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from whit.errors import WhitError
from whit_lab.real.namespace import Namespace
from whit_lab.real.relay import SERVER, Relay

CURL_S = 120
TIMES = "%{http_code} %{num_connects} %{time_connect} %{time_pretransfer} %{time_starttransfer} %{time_total}\\n"


@dataclass(frozen=True)
class Fetched:
    """Times in seconds since the beginning of this transfer, by curl's own clock."""

    status: int
    body: bytes
    connects: int  # new connections for this transfer
    connected_s: float
    asked_s: float  # the client begins to send the request
    first_s: float
    total_s: float

    @property
    def response_s(self) -> float:
        """Seconds from the request to the last byte of the response."""
        return self.total_s - self.asked_s


def why_no_curl() -> str:
    return "" if shutil.which("curl") else "curl is not installed"


def fetch(relay: Relay, namespace: Namespace, targets: Sequence[str], *options: str) -> list[Fetched]:
    """Fetches targets one after the other, on one connection if the server keeps it."""
    with tempfile.TemporaryDirectory() as directory:
        outputs = [Path(directory) / str(number) for number in range(len(targets))]
        command = ["curl", "--silent", "--show-error", "--max-time", str(CURL_S), "--write-out", TIMES, *options]
        for target, output in zip(targets, outputs, strict=True):
            command += ["--output", str(output), f"http://{SERVER}{target}"]
        process = subprocess.Popen(
            namespace.inside(*command), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        try:
            relay.run(lambda: process.poll() is not None, for_s=CURL_S + 5)
        finally:
            process.kill()
            said, complaint = process.communicate()
        if process.returncode != 0:
            raise WhitError(f"curl: {complaint.decode(errors='replace').strip()}", 1)
        return [
            _fetched(line, output.read_bytes() if output.exists() else b"")
            for line, output in zip(said.decode().splitlines(), outputs, strict=True)
        ]


def _fetched(line: str, body: bytes) -> Fetched:
    status, connects, *times = line.split()
    connected, asked, first, total = (float(time) for time in times)
    return Fetched(int(status), body, int(connects), connected, asked, first, total)
