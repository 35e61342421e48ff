# SPDX-License-Identifier: MIT
"""README's first command, `./whit run apps/contacts`: its page is fetched, Ctrl-C ends it with 0. Further arguments are
the command's. Standard library only."""

import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
READY_S, END_S = 1200.0, 20.0  # the first run installs packages


def main() -> int:
    command = ["./whit", "run", "apps/contacts", *sys.argv[1:]]
    if _is_taken(8080):
        command += ["--port", str(_free_port())]
        print(f"port 8080 is taken; so {' '.join(command)}", flush=True)
    # SIGINT may be ignored here, as in each job that a shell without a terminal starts; at a terminal it is not.
    start = ["env", "--default-signal=INT", *command]
    server = subprocess.Popen(
        start, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    end = threading.Timer(READY_S, os.killpg, (server.pid, signal.SIGKILL))
    end.start()
    try:
        return _look(server)
    finally:
        end.cancel()
        if server.poll() is None:
            os.killpg(server.pid, signal.SIGKILL)


def _look(server: "subprocess.Popen[str]") -> int:
    url = _url(server)
    if url is None:
        return _failed(f"no URL; it ended with {server.wait()}")
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with direct.open(url, timeout=10) as page:
        text = page.read()
    if page.status != 200 or b"<html" not in text.lower():
        return _failed(f"status {page.status}, {len(text)} octets that are no page")
    os.killpg(server.pid, signal.SIGINT)  # to all of the group, as a terminal does
    try:
        said, _ = server.communicate(timeout=END_S)
    except subprocess.TimeoutExpired:
        return _failed(f"Ctrl-C did not end it within {END_S:g} s")
    print(said, end="", flush=True)
    return 0 if server.returncode == 0 else _failed(f"Ctrl-C ended it with {server.returncode}, expected 0")


def _url(server: "subprocess.Popen[str]") -> str | None:
    """Where it serves, as it says; None when it ends before. What it says is passed on."""
    assert server.stdout is not None
    for line in server.stdout:
        print(line, end="", flush=True)
        found = re.search(r"http://[\d.]+:\d+/", line)
        if found:
            return found[0].replace("0.0.0.0", "127.0.0.1")
    return None


def _is_taken(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _free_port() -> int:
    """Below those that Linux gives to outgoing connections, which could take it meanwhile."""
    while True:
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port := random.SystemRandom().randrange(20_000, 32_000)))
            except OSError:
                continue
            return port


def _failed(why: str) -> int:
    print(f"./whit run apps/contacts: {why}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
