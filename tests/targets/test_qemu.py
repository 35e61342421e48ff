# SPDX-License-Identifier: MIT
"""The boards that QEMU emulates: their start and end by `whit run`, their persistent data, their memory's report."""

import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from scapy.layers.inet import TCP
from scapy.utils import rdpcap

from tests.host.conftest import WHIT, Running, body, exchange, get, port, until
from tests.host.conftest import start as start_program
from tests.targets.machines import devices
from whit.image.build import build
from whit.image.symbols import STACK, symbols
from whit.machines.emulator import start
from whit.machines.free_port import free_port
from whit.machines.qemu import QemuServer, painted_stack
from whit.machines.run_options import RunOptions
from whit.paths import ROOT

__all__ = ["port", "start_program"]  # fixtures

BOARDS = [device for device in devices() if device.values[0] in ("cortex-m", "riscv", "pc")]  # type: ignore[attr-defined]
FILES = ("index.html", "style.css", "script.js", "logo.png")

Serve = Callable[..., QemuServer]


@pytest.fixture(params=BOARDS)
def board(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def serve(board: str, port: int, tmp_path: Path) -> Iterator[Serve]:
    """Starts an application of apps/ on the board; it keeps its data in the test's directory."""
    servers: list[QemuServer] = []

    def started(application: str = "contacts", **options: object) -> QemuServer:
        directory = ROOT / "apps" / application
        wanted = RunOptions(str(directory), port=port, data=tmp_path / "data", target=board, **options)  # type: ignore[arg-type]
        server = start(wanted, build(directory, target=board))
        assert isinstance(server, QemuServer)
        servers.append(server)
        return server

    yield started
    for server in servers:
        if server.is_alive():
            server.end()


def post(port: int, path: str, media_type: str, content: bytes) -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: thing\r\nConnection: close\r\nContent-Type: {media_type}\r\n"
    return body(exchange(port, head.encode() + f"Content-Length: {len(content)}\r\n\r\n".encode() + content))


def test_files_and_memory(serve: Serve, port: int) -> None:
    """Every file arrives unchanged; the paint shows the used part of the stack."""
    server = serve()
    for name in FILES:
        assert body(get(port, f"/{name}")) == (ROOT / "apps" / "contacts" / name).read_bytes(), name
    bottom, top = symbols(server.result, *STACK).values()
    used = painted_stack(server)
    assert 200 < used < top - bottom
    assert server.memory(bottom, top - bottom - used) == b"\xc5" * (top - bottom - used)
    server.end()


def test_what_is_added_outlives_power(serve: Serve, port: int) -> None:
    """Data survives even a power failure. Each start adds one entry and finds the previous ones."""
    names: list[str] = []
    for i in range(3):
        server = serve()
        assert body(get(port, f"/cb_add?name=n{i}")) == f'{{"id":{i}}}'.encode()
        names.append(f'{{"id":{i},"name":"n{i}"}}')
        assert body(get(port, "/cb_extract")).decode() == f"[{','.join(names)}]"
        subprocess.run(["kill", "-KILL", str(server.pid)], check=True)
        until(lambda server=server: not server.is_alive())  # type: ignore[misc]


def test_a_stored_picture(serve: Serve, port: int) -> None:
    """Written while it comes, sent from flash, and there after the next start."""
    picture = (ROOT / "apps" / "contacts" / "logo.png").read_bytes() * 2
    server = serve("upload")
    assert f'"octets":{len(picture)}'.encode() in post(port, "/picture", "image/png", picture)
    assert body(get(port, "/picture.png")) == picture
    assert f'"octets":{len(picture) - 9}'.encode() in post(port, "/picture", "image/png", picture[:-9])
    server.end()
    serve("upload")
    assert body(get(port, "/picture.png")) == picture[:-9]


def test_entropy_differs(serve: Serve) -> None:
    """The engine's key, 16 octets of its state, differs after another start in nearly all octets."""
    states = []
    for _ in range(2):
        server = serve()
        states.append(server.memory(symbols(server.result, "whit")["whit"], 512))
        server.end()
    differ = [first != second for first, second in zip(*states, strict=True)]
    assert max(sum(differ[i : i + 16]) for i in range(len(differ))) >= 13


def test_what_stands_in_the_way(
    serve: Serve, board: str, port: int, tmp_path: Path, start_program: Callable[..., Running]
) -> None:
    """A port that is taken, data in use: one line, and an exit code of its own."""
    server = serve()
    command = (WHIT, "run", ROOT / "apps" / "contacts", "--target", board, "--data", tmp_path / "data", "--port")
    taken = start_program(*command, port)
    assert taken.process.wait(60) == 3
    assert "another program listens there" in taken.process.communicate()[0].decode()
    in_use = start_program(*command, free_port())
    assert in_use.process.wait(60) == 1
    assert "another server keeps its data there" in in_use.process.communicate()[0].decode()
    server.end()


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGKILL])
def test_ends_with_its_command(
    board: str, port: int, tmp_path: Path, start_program: Callable[..., Running], signal_number: int
) -> None:
    """It ends by Ctrl-C, with a report of its memory, and when the command is killed. The traffic is recorded."""
    options = ("--target", board, "--port", port, "--data", tmp_path / "a,b", "--pcap", tmp_path / "x,y", "--counters")
    running = start_program(WHIT, "run", ROOT / "apps" / "contacts", *options)
    running.read_until("Ctrl-C ends it.")
    assert b"<html" in body(get(port))
    code = running.end(signal_number)
    if signal_number == signal.SIGINT:
        assert code == 0 and "stack_bytes " in running.output and "Traceback" not in running.output
    until(lambda: exchange_fails(port))
    assert any(TCP in packet for packet in rdpcap(str(tmp_path / "x,y")))


def exchange_fails(port: int) -> bool:
    try:
        get(port)
    except OSError:
        return True
    time.sleep(0.1)
    return False
