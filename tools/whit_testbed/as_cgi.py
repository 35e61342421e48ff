# SPDX-License-Identifier: MIT
"""A program for Linux as the CGI of another server (RFC 3875): started for each request, and ended after it.

    #!/bin/sh
    exec python3 -I .../tools/whit_testbed/as_cgi.py PROGRAM DATA

PROGRAM is what `./whit build` made, DATA the file of its persistent memory: what else it has begins anew each time.
It needs nothing but Python, as the other server starts it. Calls wait for each other, as they share DATA.
"""

import fcntl
import os
import socket
import subprocess
import sys
import urllib.parse
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException, HTTPResponse

TIMEOUT_S = 20.0
BODY_MAX = 16 << 20
# Fields of one connection only (RFC 9110, section 7.6.1), and a field that this program handles itself.
OF_CONNECTION = ("connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "expect")
PATH_SAFE = "/:@!$&'()*+,;=~-._"


def target(environment: Mapping[str, str]) -> str:
    """Returns the request target. PATH_INFO arrives decoded."""
    path = os.fsencode(environment.get("PATH_INFO") or "/")
    query = environment.get("QUERY_STRING", "")
    return urllib.parse.quote(path, safe=PATH_SAFE) + (f"?{query}" if query else "")


def fields(environment: Mapping[str, str]) -> dict[str, str]:
    """Returns the header fields of the request."""
    told = {name[5:].replace("_", "-").lower(): said for name, said in environment.items() if name.startswith("HTTP_")}
    if environment.get("CONTENT_TYPE"):
        told["content-type"] = environment["CONTENT_TYPE"]
    return {name: said for name, said in told.items() if name not in (*OF_CONNECTION, "content-length")}


def given_body(environment: Mapping[str, str]) -> bytes:
    """Reads the body by its length. Standard input may stay open after it (RFC 3875, section 4.2). A chunked body has
    no length: it is read to the end."""
    if environment.get("REQUEST_METHOD") not in ("POST", "PUT"):
        return b""
    told = environment.get("CONTENT_LENGTH", "")
    return sys.stdin.buffer.read(min(int(told), BODY_MAX + 1) if told.isdecimal() else BODY_MAX + 1)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def asked(program: str, data: str, body: bytes) -> bytes:
    """Runs the program for one request and returns its answer as CGI output."""
    port = free_port()
    command = [program, "--port", str(port), "--data", data, "--end-with-parent"]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        if process.stdout.readline() != b"ready\n":
            raise OSError(f"{program} does not serve")
        connection = HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_S)
        method = os.environ.get("REQUEST_METHOD", "GET")
        has_body = method in ("POST", "PUT")
        connection.request(method, target(os.environ), body if has_body else None, fields(os.environ))
        return said(connection.getresponse())
    finally:
        process.terminate()
        process.communicate()


def said(answer: HTTPResponse) -> bytes:
    content = answer.read()
    lines = [f"Status: {answer.status} {answer.reason}"]
    lines += [f"{name}: {value}" for name, value in answer.getheaders() if name.lower() not in OF_CONNECTION]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + content


def main() -> int:
    if len(sys.argv) != 3:
        sys.stderr.write("usage: as_cgi.py PROGRAM DATA\n")
        return 2
    program, data = sys.argv[1:]
    body = given_body(os.environ)
    if len(body) > BODY_MAX:
        sys.stdout.write("Status: 413 Content Too Large\r\n\r\n")
        return 0
    try:
        with open(f"{data}.calls", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            answer = asked(program, data, body)
    except (OSError, HTTPException) as error:
        sys.stderr.write(f"whit: {error}\n")  # the other server's log
        answer = b"Status: 502 Bad Gateway\r\n\r\n"
    sys.stdout.buffer.write(answer)
    return 0


if __name__ == "__main__":
    sys.exit(main())
