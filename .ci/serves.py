# SPDX-License-Identifier: MIT
"""README's first command, `./whit run apps/contacts`: its page is fetched, Ctrl-C ends it with 0. Standard library only."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
READY_S, END_S = 1200.0, 20.0  # the first run installs packages


def main() -> int:
    port = 8080
    command = ["./whit", "run", "apps/contacts"]
    if _answers(port):
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            port = listener.getsockname()[1]
        command += ["--port", str(port)]
        print(f"port 8080 is taken; so {' '.join(command)}")
    # SIGINT may be ignored here, as in each job that a shell without a terminal starts; at a terminal it is not.
    start = ["env", "--default-signal=INT", *command]
    server = subprocess.Popen(start, cwd=ROOT, stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        return _look(server, port)
    finally:
        if server.poll() is None:
            os.killpg(server.pid, signal.SIGKILL)


def _look(server: "subprocess.Popen[bytes]", port: int) -> int:
    deadline = time.monotonic() + READY_S
    while not _answers(port):
        if server.poll() is not None or time.monotonic() > deadline:
            return _failed(f"no page; it ended with {server.returncode}")
        time.sleep(0.2)
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with direct.open(f"http://127.0.0.1:{port}/", timeout=10) as page:
        text = page.read()
    if page.status != 200 or b"<html" not in text.lower():
        return _failed(f"status {page.status}, {len(text)} octets that are no page")
    os.killpg(server.pid, signal.SIGINT)  # to all of the group, as a terminal does
    try:
        code = server.wait(END_S)
    except subprocess.TimeoutExpired:
        return _failed(f"Ctrl-C did not end it within {END_S:g} s")
    return 0 if code == 0 else _failed(f"Ctrl-C ended it with {code}, expected 0")


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _failed(why: str) -> int:
    print(f"./whit run apps/contacts: {why}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
