# SPDX-License-Identifier: MIT
"""Clients that send requests again and again on kept connections, by curl, a process each: see ask.py."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

WRITTEN = r"%{time_total} %{exitcode} %{http_code} %{errormsg}\n"


def quoted(text: str) -> str:
    for octet, escape in (("\\", "\\\\"), ('"', '\\"'), ("\r", "\\r"), ("\n", "\\n")):
        text = text.replace(octet, escape)
    return f'"{text}"'


def settings(task: dict[str, Any], request: dict[str, str]) -> str:
    """Returns one request in the format of curl's configuration file."""
    url = f"http://{task['host']}:{task['port']}{request['path']}"
    lines = [
        f"url = {quoted(url)}",
        f"request = {request['method']}",
        'output = "/dev/null"',
        f"write-out = {quoted(WRITTEN)}".replace(r"\\n", r"\n"),
        f"max-time = {task['patience_s']}",
    ]
    if request["type"]:
        lines += [f"header = {quoted('Content-Type: ' + request['type'])}", f"data-binary = {quoted(request['body'])}"]
    return "\n".join(lines)


def ask(task: dict[str, Any], number: int) -> list[tuple[float, str]]:
    requests = task["requests"]
    wanted = "\nnext\n".join(settings(task, requests[(number + i) % len(requests)]) for i in range(task["times"]))
    done = subprocess.run(["curl", "--silent", "--config", "-"], input=wanted, capture_output=True, text=True)
    told = []
    for line in done.stdout.splitlines():
        seconds, code, status, error = line.split(" ", 3)
        told.append((round(float(seconds) * 1000, 3), status if code == "0" else error))
    return told + [(0.0, "curl said nothing")] * (task["times"] - len(told))


if __name__ == "__main__":
    task = json.load(sys.stdin)
    with ThreadPoolExecutor(task["clients"]) as pool:
        print(json.dumps(list(pool.map(lambda number: ask(task, number), range(task["clients"])))))
