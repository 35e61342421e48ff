# SPDX-License-Identifier: MIT
"""The load of wrk on a server: one thread, kept connections."""

import re
import subprocess
from dataclasses import dataclass

from whit.errors import WhitError
from whit_lab.real.hosted import Hosted

MS = {"us": 0.001, "ms": 1.0, "s": 1000.0}


@dataclass(frozen=True)
class Load:
    """Results of a run of wrk."""

    rate: float  # requests a second
    processor_us: float  # of the server, per request
    p99_ms: float
    errors: int


def load(at: Hosted, target: str, clients: int, seconds: int, *options: str) -> Load:
    command = ["wrk", "--latency", "--threads", 1, "--connections", clients, "--duration", f"{seconds}s", *options]
    before_s = at.processor_s
    done = subprocess.run(at.namespace.inside(*command, f"{at.url}{target}"), capture_output=True, text=True)
    used_s, said = at.processor_s - before_s, done.stdout
    requests, p99 = re.search(r"(\d+) requests in ", said), re.search(r"99%\s+([\d.]+)(us|ms|s)", said)
    if not requests or not p99 or int(requests[1]) == 0:
        raise WhitError(f"lab: wrk: {(said + done.stderr).strip()[-300:]}", 1)
    errors = re.search(r"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)", said)
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", said)
    count = sum(int(number) for found in (errors, refused) if found for number in found.groups())
    cost_us = used_s * 1e6 / int(requests[1])
    return Load(int(requests[1]) / seconds, cost_us, float(p99[1]) * MS[p99[2]], count)
