# SPDX-License-Identifier: MIT
"""`whit docs`: the documentation as a site, which mkdocs builds and serves."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType

from rich.console import Console

from whit.commands.steps import steps
from whit.errors import WhitError
from whit.machines.qemu_link import check_port
from whit.paths import ROOT

HOST = "127.0.0.1"
BUILT = Path("search", "search_index.json")
"""A file of each site. A directory without it is not emptied."""
READY_S, PAUSE_S = 60.0, 0.1
ENVIRONMENT = {"NO_MKDOCS_2_WARNING": "1"}


def build(console: Console, directory: Path) -> None:
    """Writes the site. WhitError: the directory holds something else, or a page has a broken link."""
    if directory.exists() and not directory.is_dir():
        raise WhitError(f"--build {directory}: not a directory")
    if directory.is_dir() and any(directory.iterdir()) and not (directory / BUILT).exists():
        raise WhitError(f"--build {directory}: not empty, and not a site; name an empty or a new directory")
    with steps(console, "building the site"):
        done = subprocess.run(
            _mkdocs("build", "--strict", "--quiet", "--site-dir", str(directory.absolute())),
            cwd=ROOT,
            env=os.environ | ENVIRONMENT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
    if done.returncode != 0:
        print(done.stdout, end="", file=sys.stderr)
        raise WhitError("the site was not built: mend what is named above", 1)


def serve(console: Console, port: int) -> None:
    """Serves the site until Ctrl-C. Pages follow changes of their files."""
    check_port(HOST, "--port", port)
    words = _mkdocs("serve", "--quiet", "--dev-addr", f"{HOST}:{port}")
    server = subprocess.Popen(words, cwd=ROOT, env=os.environ | ENVIRONMENT, start_new_session=True)
    signal.signal(signal.SIGTERM, _interrupt)
    signal.signal(signal.SIGINT, _interrupt)
    try:
        with steps(console, "building the site"):
            _wait(server, port)
        print(f"http://{HOST}:{port}/  (Ctrl-C ends it)", flush=True)
        server.wait()
        raise WhitError("the site's server ended by itself; its output is above", 1)
    except KeyboardInterrupt:
        return
    finally:
        server.kill()
        server.wait()


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _wait(server: subprocess.Popen[bytes], port: int) -> None:
    """Returns when the server listens, or has ended."""
    until = time.monotonic() + READY_S
    while server.poll() is None and time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex((HOST, port)) == 0:
                return
        time.sleep(PAUSE_S)
    if server.poll() is not None:
        raise WhitError("the site was not built: mend what is named above", 1)


def _mkdocs(*words: str) -> list[str]:
    return [sys.executable, "-m", "mkdocs", *words]
