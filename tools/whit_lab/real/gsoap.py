# SPDX-License-Identifier: MIT
"""gSOAP's server of lab/gsoap: made by its own soapcpp2, linked with the installed library."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from whit.errors import WhitError
from whit.paths import BUILD, ROOT
from whit_lab.real.namespace import Namespace
from whit_lab.real.programs import run

SOURCE = ROOT / "lab" / "gsoap"
HEADER, HOST = Path("/usr/include/stdsoap2.h"), "127.0.0.1"
SHARED = Path("/usr/share/gsoap")
PLUGIN = tuple(f"plugin/{name}.c" for name in ("wsseapi", "smdevp", "mecevp", "threads"))
"""For WS-Security, as sources."""
AS_INSTALLED = tuple(f"-DWITH_{name}" for name in ("OPENSSL", "GZIP", "IPV6", "DOM"))
WAIT_S = 20.0


@dataclass(frozen=True)
class Gsoap:
    plain: Path
    tls: Path
    secured: Path  # by WS-Security; lab/gsoap/server.c lists its arguments


def why_not() -> str:
    """Returns the missing file, or "" if gSOAP is installed."""
    plugin = SHARED / PLUGIN[0]
    found = (shutil.which("soapcpp2"), HEADER.exists(), plugin.exists())
    for name, here in zip(("soapcpp2", "stdsoap2.h", plugin.name), found, strict=True):
        if not here:
            return f"{name} is not installed; the packages gsoap and libgsoap-dev bring it"
    return ""


def version() -> str:
    found = re.search(r"#define GSOAP_VERSION (\d+)", HEADER.read_text(errors="replace"))
    number = found[1] if found else ""
    return f"gSOAP {number[:1]}.{number[1:2]}.{number[2:]}" if number else "gSOAP"


@cache
def build(*, quickly: bool = False) -> Gsoap:
    """Builds the programs. quickly: not optimised."""
    optimize = "-O0" if quickly else "-O2"
    directory = BUILD / "lab" / "gsoap"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    run(["soapcpp2", "-c", "-S", "-L", "-w", "-x", f"-d{directory}", SOURCE / "device.h"])
    sources = [SOURCE / "server.c", directory / "soapC.c", directory / "soapServer.c"]
    made = Gsoap(directory / "plain", directory / "tls", directory / "secured")
    words = ("gcc", optimize, f"-I{directory}", *sources)
    run([*words, "-o", made.plain, "-lgsoap"])
    run([*words, "-DWITH_OPENSSL", "-o", made.tls, "-lgsoapssl", "-lssl", "-lcrypto", "-lz"])
    secured = directory / "with-header"
    secured.mkdir()
    imports = f"-I{SHARED / 'import'}:{SHARED}:{SOURCE}"
    run(["soapcpp2", "-c", "-S", "-L", "-w", "-x", imports, f"-d{secured}", SOURCE / "secured.h"])
    sources = [SOURCE / "server.c", secured / "soapC.c", secured / "soapServer.c", SHARED / "custom/struct_timeval.c"]
    sources += [SHARED / name for name in PLUGIN]
    headers = (f"-I{secured}", f"-I{SHARED}", f"-I{SHARED / 'plugin'}")
    words = ("gcc", optimize, "-w", "-DSECURED", *AS_INSTALLED, *headers, *sources)
    run([*words, "-o", made.secured, "-lgsoapssl", "-lssl", "-lcrypto", "-lz"])
    return made


@contextmanager
def serving(
    program: Path, namespace: Namespace, port: int, *more: object, sensor: Mapping[str, str] | None = None
) -> Iterator[None]:
    """Runs a server at HOST of the namespace, from listening to the end of the block. more: its arguments."""
    words = ["env", *(f"{name}={value}" for name, value in (sensor or {}).items())]
    command = [*words, program, port, 0, *more]
    process = subprocess.Popen(namespace.inside(*command), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        _wait(process, namespace, port)
        yield
    finally:
        process.kill()
        process.communicate()


def instructions(program: Path, message: Callable[[], bytes], cnt: int, *more: object) -> int:
    """Returns the instructions of the process alone, by callgrind, start included, for `cnt` connections with one
    request each."""
    out = BUILD / "lab" / "gsoap" / f"callgrind.{cnt}"
    with socket.create_server((HOST, 0)) as free:
        port = free.getsockname()[1]
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", str(program), str(port), str(cnt)]
    command += [str(word) for word in more]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(cnt):
            _ask(port, message())
        process.wait(WAIT_S)
    finally:
        process.kill()
        process.wait()
    found = re.search(r"^totals: (\d+)", out.read_text(), re.MULTILINE) if out.exists() else None
    if found is None:
        raise WhitError("lab: callgrind counted nothing of gSOAP's server", 1)
    return int(found[1])


def _ask(port: int, message: bytes) -> None:
    deadline = time.monotonic() + WAIT_S
    while True:
        try:
            connection = socket.create_connection((HOST, port), WAIT_S)
            break
        except ConnectionRefusedError as error:
            if time.monotonic() > deadline:
                raise WhitError("lab: gSOAP's server does not listen", 1) from error
            time.sleep(0.05)
    with connection:
        connection.sendall(message)
        said = b""
        while octets := connection.recv(4096):
            said += octets
    if not said.startswith(b"HTTP/1.1 200 "):
        raise WhitError(f"lab: gSOAP's server said {said[:80]!r}", 1)


def _wait(process: subprocess.Popen[bytes], namespace: Namespace, port: int) -> None:
    deadline = time.monotonic() + WAIT_S
    while f":{port} ".encode() not in namespace.do("ss", "--listening", "--tcp", "--numeric", "--no-header"):
        if process.poll() is not None or time.monotonic() > deadline:
            process.kill()
            said = process.communicate()[1].decode(errors="replace").strip()
            raise WhitError(f"lab: gSOAP's server does not listen on {port}: {said[-200:]}", 1)
        time.sleep(0.02)
