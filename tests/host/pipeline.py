# SPDX-License-Identifier: MIT
"""A client that writes all requests at once, in a process of its own for a network namespace.

HOST PORT: asks for 30 of the address book's files. Prints the number of answers, and the ms to the last octet.

HOST PORT COUNT FILE: asks COUNT times for FILE, of which it has a copy. Prints the number of right answers in order,
and the longest silence in ms.
"""

import socket
import sys
import time
from pathlib import Path

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


def ask_for(host: str, port: int, cnt: int, file: Path) -> tuple[int, int]:
    request = f"GET /{file.name} HTTP/1.1\r\nHost: thing\r\n\r\n".encode()
    body, stream, right, at, longest = file.read_bytes(), b"", 0, 0, 0.0
    with socket.create_connection((host, port), timeout=10) as connection:
        last = time.monotonic()
        connection.sendall(request * cnt)
        while right < cnt and (octets := connection.recv(1 << 20)):
            longest, last = max(longest, time.monotonic() - last), time.monotonic()
            stream = stream[at:] + octets
            at = 0
            while (end := stream.find(b"\r\n\r\n", at) + 4) >= 4 and len(stream) >= end + len(body):
                if not stream.startswith(b"HTTP/1.1 200 ", at) or stream[end : end + len(body)] != body:
                    return right, int(longest * 1000)
                right, at = right + 1, end + len(body)
    return right, int(longest * 1000)


if __name__ == "__main__":
    address = sys.argv[1], int(sys.argv[2])
    print(*(ask(*address) if len(sys.argv) == 3 else ask_for(*address, int(sys.argv[3]), Path(sys.argv[4]))))
