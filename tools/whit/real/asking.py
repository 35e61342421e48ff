# SPDX-License-Identifier: MIT
"""Clients of Python, Node and Go that keep their connections, in numbers, in a namespace: the programs of askers/."""

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
from whit.real.hosted import Hosted

ASKERS = Path(__file__).with_name("askers")
PATIENCE_S = 20
GO_ALONE = {"GO111MODULE": "off", "CGO_ENABLED": "0"}  # the standard library is all that it needs
PYTHON, NODE, GO = "Python", "Node", "Go"


@dataclass(frozen=True)
class Request:
    """What is asked for. type: of the body, where there is one."""

    path: str
    method: str = "GET"
    type: str = ""
    body: str = ""


@dataclass(frozen=True)
class Asked:
    """One request of a client: how long it took, and its status or what went wrong."""

    client: str
    seconds: float
    said: str

    @property
    def is_answered(self) -> bool:
        return self.said in ("200", "204", "303", "304")


def languages() -> Sequence[str]:
    """Those that are here."""
    return [PYTHON, *((NODE,) if shutil.which("node") else ()), *((GO,) if shutil.which("go") else ())]


def ask(
    at: Hosted, clients: Mapping[str, int], requests: Sequence[Request], times: int, *, patience_s: int = PATIENCE_S
) -> list[Asked]:
    """All at once: so many clients of each language, each so many requests, from the first one to the last in turns."""
    task = {"host": at.host, "port": at.port, "times": times, "patience_s": patience_s}
    task["requests"] = [asdict(request) for request in requests]
    running = {
        language: subprocess.Popen(
            at.namespace.inside(*_command(language)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for language in clients
    }
    try:
        for language, process in running.items():
            assert process.stdin is not None
            process.stdin.write(json.dumps(task | {"clients": clients[language]}))
            process.stdin.close()
            process.stdin = None  # communicate() would flush it
        return [one for language, process in running.items() for one in _told(language, process)]
    finally:
        for process in running.values():
            process.kill()
            process.wait()


def _told(language: str, process: subprocess.Popen[str]) -> list[Asked]:
    said, complaint = process.communicate()
    if process.returncode != 0:
        raise WhitError(f"lab: the client in {language}: {complaint.strip()[-300:]}", 1)
    return [
        Asked(f"{language} {number}", milliseconds / 1000, what)
        for number, told in enumerate(json.loads(said))
        for milliseconds, what in told
    ]


def _command(language: str) -> list[str]:
    if language == PYTHON:
        return [sys.executable, str(ASKERS / "ask.py")]
    if language == NODE:
        return ["node", str(ASKERS / "ask.js")]
    return [str(_built())]


def _built() -> Path:
    """The program in Go, made when its source is newer."""
    source, made = ASKERS / "ask.go", BUILD / "askers" / "ask"
    if not made.exists() or made.stat().st_mtime < source.stat().st_mtime:
        made.parent.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            ["go", "build", "-o", made, source], capture_output=True, text=True, env=os.environ | GO_ALONE
        )
        if done.returncode != 0:
            raise WhitError(f"lab: ask.go: {done.stderr.strip()[-300:]}", 1)
    return made
