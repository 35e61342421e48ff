# SPDX-License-Identifier: MIT
"""`whit run` of tests/apps/secure, and the answers that clients must get."""

import shutil
import subprocess
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.host.conftest import Running
from whit.certificate import places
from whit.machines.free_port import free_port
from whit.paths import ROOT

APP = ROOT / "tests" / "apps" / "secure"
PAGE = (APP / "index.html").read_bytes()
BIG = bytes((index * 2654435761 & 0xFFFFFFFF) >> 24 for index in range(1_000_000))
UP = BIG[::-1]
SUM = f"{len(UP)} {zlib.adler32(UP)}".encode()
START_S = 240


@dataclass(frozen=True)
class Served:
    port: int
    plain_port: int
    announced: str
    authority: Path

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.port}"


@contextmanager
def served(data: Path, app: Path = APP, *options: object, plain: int = 0) -> Iterator[Served]:
    """Starts the server by its usual command; a missing certificate is made. `options` are more of the command line."""
    plain, port = plain or free_port(), free_port()
    command = [ROOT / "whit", "run", app, "--port", plain, "--https-port", port, "--data", data, "--quiet", *options]
    running = Running([str(word) for word in command], data)
    try:
        said = running.read_until("Ctrl-C ends it.", START_S)
        yield Served(port, plain, said, places.THERE / places.AUTHORITY)
    finally:
        running.end()


def client(*words: object, said: bytes = b"", seconds: float = 60.0, within: Sequence[str] = ()) -> bytes:
    """Returns a program's output; the program must succeed. Skips the test if it is not installed. `within`: the words
    that start another program elsewhere."""
    command = [str(word) for word in words]
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run([*within, *command], input=said, capture_output=True, timeout=seconds)
    assert done.returncode == 0, (done.stdout[-2000:] + done.stderr[-2000:]).decode(errors="replace")
    return done.stdout
