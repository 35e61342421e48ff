# SPDX-License-Identifier: MIT
"""A client that writes 30 requests at once, run by itself so that it can be in a network namespace: HOST PORT.

It says how many answers came and after how many milliseconds the last octet did.
"""

import socket
import sys
import time

DEPTH = 30
NAMES = ("style.css", "index.html", "script.js")


def ask(host: str, port: int) -> tuple[int, int]:
    requests = [f"GET /{NAMES[i % len(NAMES)]} HTTP/1.1\r\nHost: thing\r\n\r\n" for i in range(DEPTH - 1)]
    requests.append("GET / HTTP/1.1\r\nHost: thing\r\nConnection: close\r\n\r\n")
    stream = b""
    with socket.create_connection((host, port), timeout=10) as connection:
        begun = time.monotonic()
        connection.sendall("".join(requests).encode())
        while octets := connection.recv(65536):
            stream += octets
        return stream.count(b"HTTP/1.1 200 "), int((time.monotonic() - begun) * 1000)


if __name__ == "__main__":
    print(*ask(sys.argv[1], int(sys.argv[2])))
