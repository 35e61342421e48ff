# SPDX-License-Identifier: MIT
"""Clients that send requests again and again on kept connections, by Python's http.client.

Reads {"host", "port", "clients", "times", "patience_s", "requests": [{"method", "path", "type", "body"}, ...]}. Writes,
for each client, [[milliseconds, status or error], ...]. ask.js and ask.go do the same.
"""

import http.client
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

Asked = list[tuple[float, str]]


def ask(task: dict[str, Any], number: int) -> Asked:
    told: Asked = []
    connection = None
    for index in range(task["times"]):
        request = task["requests"][(number + index) % len(task["requests"])]
        connection = connection or http.client.HTTPConnection(task["host"], task["port"], timeout=task["patience_s"])
        fields = {"Content-Type": request["type"]} if request["type"] else {}
        begun_s = time.monotonic()
        try:
            connection.request(request["method"], request["path"], request["body"].encode() or None, fields)
            response = connection.getresponse()
            response.read()
            said = str(response.status)
            if response.will_close:
                connection.close()
        except (OSError, http.client.HTTPException) as error:
            said = f"{type(error).__name__} {error}"
            connection.close()
            connection = None
        told.append((round((time.monotonic() - begun_s) * 1000, 3), said))
    return told


if __name__ == "__main__":
    task = json.load(sys.stdin)
    with ThreadPoolExecutor(task["clients"]) as pool:
        print(json.dumps(list(pool.map(lambda number: ask(task, number), range(task["clients"])))))
