# SPDX-License-Identifier: MIT
"""Many clients of Python, Node, Go, curl and Chromium that keep their connections, in a namespace: programs of
askers/."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from whit.errors import WhitError
from whit.paths import BUILD
from whit_lab.real import visit
from whit_lab.real.hosted import Hosted

ASKERS = Path(__file__).with_name("askers")
PATIENCE_S = 20
GO_ALONE = {"GO111MODULE": "off", "CGO_ENABLED": "0"}  # it needs the standard library only
PYTHON, NODE, GO, CURL, CHROMIUM = "Python", "Node", "Go", "curl", "Chromium"


@dataclass(frozen=True)
class Request:
    """A request. type: media type of the body, if it has one."""

    path: str
    method: str = "GET"
    type: str = ""
    body: str = ""


@dataclass(frozen=True)
class Asked:
    """One request of a client: its duration, and its status or error."""

    client: str
    seconds: float
    said: str

    @property
    def is_answered(self) -> bool:
        return self.said in ("200", "204", "303", "304")


def kinds() -> Sequence[str]:
    """Returns the kinds of clients that are installed."""
    programs = {NODE: "node", GO: "go", CURL: "curl"}
    there = [PYTHON, *(kind for kind, program in programs.items() if shutil.which(program))]
    return there if visit.why_no_chromium() else [*there, CHROMIUM]


def shared(clients: int) -> dict[str, int]:
    """Returns the number of each kind for `clients` clients in all. The numbers differ by at most one."""
    there = kinds()
    return {kind: (clients + len(there) - 1 - number) // len(there) for number, kind in enumerate(there)}


def ask(
    at: Hosted, clients: Mapping[str, int], requests: Sequence[Request], times: int, *, patience_s: int = PATIENCE_S
) -> list[Asked]:
    """Runs all clients at once. Each sends `times` requests, from the first one to the last in turns."""
    task = {"host": at.host, "port": at.port, "times": times, "patience_s": patience_s}
    task["requests"] = [asdict(request) for request in requests]
    running = {
        kind: subprocess.Popen(
            at.namespace.inside(*_command(kind)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for kind in clients
    }
    try:
        if CHROMIUM in running:
            _until_ready(running[CHROMIUM])  # the other clients would end before it begins
        for kind, process in running.items():
            assert process.stdin is not None
            process.stdin.write(json.dumps(task | {"clients": clients[kind]}))
            process.stdin.close()
            process.stdin = None  # communicate() would flush it
        return [one for kind, process in running.items() for one in _told(kind, process)]
    finally:
        for process in running.values():
            process.kill()
            process.wait()


def _told(kind: str, process: subprocess.Popen[str]) -> list[Asked]:
    said, complaint = process.communicate()
    if process.returncode != 0:
        raise WhitError(f"lab: the client in {kind}: {complaint.strip()[-300:]}", 1)
    return [
        Asked(f"{kind} {number}", milliseconds / 1000, what)
        for number, told in enumerate(json.loads(said))
        for milliseconds, what in told
    ]


def _until_ready(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    if process.stdout.readline() != "ready\n":
        process.kill()
        raise WhitError(f"lab: Chromium: {process.communicate()[1].strip()[-300:]}", 1)


def _command(kind: str) -> list[str]:
    if kind == PYTHON:
        return [sys.executable, str(ASKERS / "ask.py")]
    if kind == CURL:
        return [sys.executable, str(ASKERS / "ask_curl.py")]
    if kind == CHROMIUM:
        return [sys.executable, str(ASKERS / "ask_chromium.py"), *visit.chromium()]
    return ["node", str(ASKERS / "ask.js")] if kind == NODE else [str(_built())]


def _built() -> Path:
    """Returns the Go program, built if its source is newer."""
    source, made = ASKERS / "ask.go", BUILD / "askers" / "ask"
    if not made.exists() or made.stat().st_mtime < source.stat().st_mtime:
        made.parent.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            ["go", "build", "-o", made, source], capture_output=True, text=True, env=os.environ | GO_ALONE
        )
        if done.returncode != 0:
            raise WhitError(f"lab: ask.go: {done.stderr.strip()[-300:]}", 1)
    return made
