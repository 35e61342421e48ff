# SPDX-License-Identifier: MIT
"""`./whit run` in a namespace, as a user starts it: over libslirp at a port, or on a TAP device."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from whit.errors import WhitError
from whit.paths import ROOT
from whit_lab.real.namespace import Namespace
from whit_lab.real.relay import SERVER

SLIRP, TAP = "libslirp", "TAP"
PORT, DEVICE = 8080, "whit0"
ROUTED, ROUTER = "10.8.0.2", "10.8.0.1"  # its address for clients that are routed through its namespace
READY, END_S = b"Ctrl-C ends it.", 20


@dataclass(frozen=True)
class Hosted:
    """A running server: its address for clients in its namespace, and its processes."""

    host: str
    port: int
    namespace: Namespace
    pids: tuple[int, ...]

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}" if self.port != 80 else f"http://{self.host}"

    @property
    def processor_s(self) -> float:
        """Processor time used so far."""
        return processor_s(self.pids)


@contextmanager
def hosted(
    app: Path,
    namespace: Namespace,
    link: str,
    overrides: Mapping[str, object] | None = None,
    *,
    quiet: bool = False,
    routed: bool = False,
    environment: Mapping[str, str] | None = None,
    device: str = DEVICE,
    address: str = "",
) -> Iterator[Hosted]:
    """Runs an application. Its persistent memory is empty at the beginning.

    quiet: another image, without a line for each request. routed: on TAP, for clients behind another interface of the
    namespace. environment: variables besides those of this process. device, address: of one more TAP device, and of the
    server there.
    """
    settings = [word for key, value in (overrides or {}).items() for word in ("--set", f"{key}={value}")]
    where = ["--tap", device] if link == TAP else ["--port", str(PORT)]
    where += ["--address", f"{ROUTED}/24", "--gateway", ROUTER] if routed else []
    where += ["--address", f"{address}/24"] if address else []
    host = (ROUTED if routed else address or SERVER) if link == TAP else "127.0.0.1"
    with tempfile.TemporaryDirectory(prefix="whit-hosted-") as data:
        command = [ROOT / "whit", "run", app, "--data", data, *where, *settings, *(["--quiet"] if quiet else [])]
        process = subprocess.Popen(
            namespace.inside(*command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=data,
            env={**os.environ, **(environment or {})},
        )
        try:
            _wait(process)
            pids = family(process.pid)
            yield Hosted(host, 80 if link == TAP else PORT, namespace, pids)
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.communicate(timeout=END_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()


def family(pid: int) -> tuple[int, ...]:
    """Returns the process and its descendants."""
    children = [
        int(child) for path in Path(f"/proc/{pid}/task").glob("*/children") for child in path.read_text().split()
    ]
    return (pid, *(one for child in children for one in family(child)))


def processor_s(pids: tuple[int, ...]) -> float:
    """Returns the processor time of processes, including the kernel's work for them."""
    ticks = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _wait(process: subprocess.Popen[bytes]) -> None:
    """Waits until the server is ready. Its later output fits a pipe."""
    assert process.stdout is not None
    said = b""
    while READY not in said:
        octets = os.read(process.stdout.fileno(), 4096)
        if not octets:
            raise WhitError(f"lab: whit run ended: {said.decode(errors='replace').strip()[-300:]}", 1)
        said += octets
