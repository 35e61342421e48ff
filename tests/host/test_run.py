# SPDX-License-Identifier: MIT
"""`whit run` without privileges: its responses, its output, its end."""

import fcntl
import os
import pty
import re
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest
from scapy.layers.inet import TCP
from scapy.layers.l2 import Ether
from scapy.utils import rdpcap

from whit.errors import WhitError
from whit.image.build import build
from whit.machines.free_port import free_port
from whit.machines.qemu_link import check_port
from whit.paths import ROOT

from .conftest import WHIT, Start, body, exchange, get, until, whit

F_SETPIPE_SZ = 1031  # of Linux


def free(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def test_serves_and_ends_by_ctrl_c(start: Start, counter: Path, port: int, tmp_path: Path) -> None:
    whit("build", counter, cwd=tmp_path)  # a first build takes long enough for a message
    server = start(WHIT, "run", counter, "--port", port)
    said = server.read_until("Ctrl-C ends it.\n").splitlines()
    assert said[0] == f"counter is served at http://127.0.0.1:{port}/"
    flash = "bytes of flash: engine N, files and tables N, handlers N"
    assert re.sub(r"\d+( \d+)*", "N", said[1]) == f"N URLs; {flash}; of RAM, without the port: N"
    assert said[2:] == ["Ctrl-C ends it."]  # the tables belong to `whit report`
    assert b"first" in body(get(port))
    assert server.end(signal.SIGINT) == 0
    assert "Traceback" not in server.output
    assert free(port)


@pytest.mark.slow
def test_plain_output_without_a_terminal(start: Start, counter: Path, port: int) -> None:
    server = start(WHIT, "run", counter, "--port", port)
    server.read_until("Ctrl-C ends it.")
    server.end(signal.SIGTERM)
    assert server.process.returncode == 0
    assert "\x1b" not in server.output and "\r" not in server.output


@pytest.mark.slow
def test_ctrl_c_in_a_terminal(counter: Path, port: int, tmp_path: Path) -> None:
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(tmp_path)
        os.environ["TERM"] = "xterm"
        os.execv(WHIT, [str(WHIT), "run", str(counter), "--port", str(port)])
    os.set_blocking(terminal, False)
    said = b""

    def served() -> bool:
        nonlocal said
        said += os.read(terminal, 65536)
        return b"Ctrl-C ends it." in said

    until(served, 120)
    os.write(terminal, b"\x03")
    ended = 0

    def over() -> bool:
        nonlocal ended
        done, status = os.waitpid(pid, os.WNOHANG)
        ended = os.waitstatus_to_exitcode(status)
        return done == pid

    until(over, 15)
    os.close(terminal)
    assert ended == 0
    assert free(port)


@pytest.mark.slow
def test_server_ends_with_a_killed_command_line(start: Start, counter: Path, port: int) -> None:
    server = start(WHIT, "run", counter, "--port", port)
    server.read_until("Ctrl-C ends it.")
    server.process.kill()
    until(lambda: free(port), 5)


def test_port_taken(counter: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        done = whit("run", counter, "--port", taken, cwd=tmp_path)
    assert done.returncode == 3
    assert len(done.stderr.splitlines()) == 1
    assert f"127.0.0.1:{taken}" in done.stderr and "--port" in done.stderr


def test_https_port_taken(counter: Path, tmp_path: Path, port: int) -> None:
    """The port is used by another program, or by this one's --port."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        done = whit("run", counter, "--port", port, "--https", "--https-port", taken, cwd=tmp_path)
    assert done.returncode == 3
    assert f"127.0.0.1:{taken}" in done.stderr and "give another --https-port" in done.stderr
    done = whit("run", counter, "--port", port, "--https", "--https-port", port, cwd=tmp_path)
    assert done.stderr == f"whit: --https-port {port}: is --port too: expected another one, 8443 if not given\n"


def test_the_emulators_https_port_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other, pytest.raises(WhitError, match="give another --https-port"):
        check_port("127.0.0.1", "--https-port", other.getsockname()[1])


@pytest.mark.slow
def test_two_servers_do_not_share_data(start: Start, counter: Path, port: int, tmp_path: Path) -> None:
    start(WHIT, "run", counter, "--port", port).read_until("Ctrl-C ends it.")
    second = free_port()
    refused = whit("run", counter, "--port", second, cwd=tmp_path)
    assert refused.returncode == 1 and "--data" in refused.stderr
    other = start(WHIT, "run", counter, "--port", second, "--data", tmp_path / "other")
    other.read_until("Ctrl-C ends it.")
    assert body(get(port, "/count")) == b"1"
    assert body(get(second, "/count")) == b"1"


@pytest.mark.slow
def test_host(start: Start, counter: Path, port: int) -> None:
    start(WHIT, "run", counter, "--port", port, "--host", "127.0.0.2").read_until("Ctrl-C ends it.")
    assert b"first" in body(get(port, host="127.0.0.2"))
    assert free(port)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["run", "no-such-directory"], "no such directory"),
        (["run", "file"], "expected an application's directory"),
        (["run", "counter", "--port", "70000"], "--port"),
        (["run", "counter", "--host", "thing.example"], "IPv4 address"),
        (["run", "counter", "--address", "10.0.0.1/24"], "--tap"),
        (["run", "counter", "--tap", "whit0", "--address", "10.7.0.0/24"], "--address"),
        (["run", "counter", "--set", "connections"], "key=value"),
        (["run", "counter", "--set", "connections=0"], "connections"),
        (["run", "counter", "--set", "conections=2"], "unknown key 'conections': did you mean connections?"),
        (["run", "counter", "--set", "budget.avr.flash=2"], "the table [budget] is read from there only"),
        (["run", "counter", "--set", "connections=two"], "connections is 'two': expected an integer, 1 to 10000"),
        (["run", "counter", "--port", "80x"], "--port: expected an integer"),
        (["run", "counter", "--port", "0"], "--port: expected an integer from 1 to 65535"),
        (["run", "counter/index.html"], "this is a file; did you mean counter?"),
        (["run", ROOT / "README.md"], "this is a file; there are apps/buttons, apps/catalogue"),
        (["run", "."], ".: expected an application's directory; did you mean counter?"),
        (
            ["run", "/"],
            "/: expected an application's directory, all of which is served; Whit is in it; there are apps/",
        ),
        (["run", "contcts"], "no such directory; did you mean "),
        (["run", "counter", "--data", "file"], "name a directory that can be written with --data"),
        (["biuld", "counter"], "Did you mean 'build'?"),
        (["build", "counter", "--target", "cortexm"], "; did you mean cortex-m?"),
        (["run", "counter", "--frob"], "--frob"),
        (["run"], "APP"),
        (["frob"], "frob"),
        (["build", "counter", "--target", "pdp11"], "pdp11"),
        (["new", "a/b c"], "expected 1 to 32"),
    ],
)
def test_mistakes_are_one_line(arguments: list[str | Path], expected: str, counter: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = whit(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert expected in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert done.stdout == ""


@pytest.mark.slow
def test_error_in_a_handler_names_its_line(counter: Path, tmp_path: Path) -> None:
    source = counter / "count.c"
    source.write_text(source.read_text().replace("out_uint(next);", "out_uint(nxt);"))
    line = 1 + source.read_text().splitlines().index("    out_uint(nxt);")
    done = whit("build", counter, cwd=tmp_path)
    assert done.returncode == 2
    assert re.search(rf"counter/count\.c:{line}:\d+: error: .*nxt", done.stderr), done.stderr
    assert "ninja" not in done.stderr


@pytest.mark.slow
def test_the_meter_of_https_remembers_no_nonces(start: Start, counter: Path, port: int) -> None:
    """A test's image remembers 65 536 of them in 5 MB, and ends with the next."""
    server = start(WHIT, "run", counter, "--port", port, "--https", "--https-port", free_port(), "--counters")
    said = re.search(r"of RAM, without the port: ([\d ]+)\n", server.read_until("Ctrl-C ends it."))
    assert said is not None and 50_000 < int(said[1].replace(" ", "")) < 200_000
    body(get(port))
    assert server.end() == 0
    assert re.search(r"^WHIT_COUNT_REQUESTS +1$", server.output, re.MULTILINE), server.output


@pytest.mark.slow
def test_capture_can_be_read(start: Start, counter: Path, port: int, tmp_path: Path) -> None:
    server = start(WHIT, "run", counter, "--port", port, "--pcap", tmp_path / "c.pcap", "--counters")
    server.read_until("Ctrl-C ends it.")
    body(get(port))
    assert server.end() == 0
    packets = rdpcap(str(tmp_path / "c.pcap"))
    assert all(isinstance(packet, Ether) for packet in packets)
    segments = [packet[TCP] for packet in packets if packet.haslayer(TCP)]
    sent = [bytes(segment.payload) for segment in segments if segment.sport == 80]
    received = [bytes(segment.payload) for segment in segments if segment.dport == 80]
    assert any(payload.startswith(b"HTTP/1.1 200 ") for payload in sent)
    assert any(payload.startswith(b"GET / HTTP/1.1\r\n") for payload in received)
    assert re.search(r"^WHIT_COUNT_REQUESTS +1$", server.output, re.MULTILINE), server.output
    assert re.search(r"^WHIT_COUNT_FRAMES_IN +\d+$", server.output, re.MULTILINE)
    assert re.search(r"^/index.html +1 +0.00 +0.00 +0.00$", server.output, re.MULTILINE), "memory charge of a file"


@pytest.mark.slow
def test_table_tells_the_truth(start: Start, contacts: Path, port: int, tmp_path: Path) -> None:
    """The table counts the octets that a client receives."""
    start(WHIT, "run", contacts, "--port", port, "--data", tmp_path).read_until("Ctrl-C ends it.")
    table = whit("report", contacts, cwd=tmp_path).stdout
    for url in ("/style.css", "/script.js", "/logo.png"):
        row = next(line for line in table.splitlines() if line.startswith(url + " "))
        numbers = re.search(r" file +(\d+)(?: +(\d+) \((br|gzip)\))?", row)
        assert numbers, row
        plain = get(port, url)
        # Connection: close is not part of the head that was made at build time.
        extra = len(b"Connection: close\r\n") if b"\r\nConnection: close\r\n" in plain else 0
        assert len(plain) - extra == int(numbers[1])
        if numbers[2]:
            coded = get(port, url, fields=f"Accept-Encoding: {numbers[3]}\r\n")
            assert len(coded) - extra == int(numbers[2])
    for url, kind in (("/cb_add", "persistent"), ("/cb_get", "idempotent"), ("/cb_extract", "idempotent")):
        assert re.search(rf"^{url} +{kind} ", table, re.MULTILINE), table


@pytest.mark.slow
def test_set_changes_this_build_only(counter: Path, tmp_path: Path) -> None:
    report = whit("report", counter, "--set", "connections=5", "--set", "persistent.size=512", cwd=tmp_path)
    assert re.search(r"^ +connections +160$", report.stdout, re.MULTILINE), report.stdout
    report = whit("report", counter, cwd=tmp_path)
    assert re.search(r"^ +connections +64$", report.stdout, re.MULTILINE), report.stdout


@pytest.mark.slow
def test_many_connections_at_once(start: Start, counter: Path, port: int) -> None:
    """Six connections, as many as a browser opens, are accepted at once with fewer slots, and all are served."""
    start(WHIT, "run", counter, "--port", port).read_until("Ctrl-C ends it.")
    started = time.monotonic()
    sockets = [socket.create_connection(("127.0.0.1", port), timeout=20) for _ in range(6)]
    assert time.monotonic() - started < 0.9  # a lost SYN is retransmitted after a second
    for connection in sockets:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: thing\r\n\r\n")
    for connection in sockets:
        answer = b""
        while b"first" not in answer:
            octets = connection.recv(4096)
            assert octets, answer
            answer += octets
        connection.close()


@pytest.mark.slow
def test_request_in_single_octets(start: Start, counter: Path, port: int) -> None:
    start(WHIT, "run", counter, "--port", port).read_until("Ctrl-C ends it.")
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for octet in b"GET /index.html HTTP/1.1\r\nHost: thing\r\nConnection: close\r\n\r\n":
            connection.sendall(bytes([octet]))
            time.sleep(0.002)
        answer = b""
        while octets := connection.recv(4096):
            answer += octets
    assert answer.partition(b"\r\n\r\n")[2] == body(get(port))


@pytest.mark.slow
def test_garbage_does_not_stop_it(start: Start, counter: Path, port: int) -> None:
    start(WHIT, "run", counter, "--port", port).read_until("Ctrl-C ends it.")
    assert b" 400 " in exchange(port, b"\x00\x01\x02\x03 nonsense\r\n\r\n").split(b"\r\n")[0]
    assert b"first" in body(get(port))


@pytest.mark.slow
def test_first_answer_is_quick(start: Start, counter: Path, port: int) -> None:
    """libslirp does not know the engine's MAC address yet."""
    start(WHIT, "run", counter, "--port", port).read_until("Ctrl-C ends it.")
    started = time.monotonic()
    body(get(port))
    assert time.monotonic() - started < 0.4


def test_help_is_quick() -> None:
    subprocess.run([WHIT, "--help"], check=True, capture_output=True)
    started = time.monotonic()
    subprocess.run([WHIT, "--help"], check=True, capture_output=True)
    assert time.monotonic() - started < 3


@pytest.mark.skipif(shutil.which("h2load") is None, reason="h2load is not installed (nghttp2-client)")
def test_h2load_counts_each_request_as_done(start: Start, counter: Path, port: int) -> None:
    """h2load counts a status without a reason phrase as a failure."""
    server = start(WHIT, "run", counter, "--port", port, "--quiet")
    server.read_until("Ctrl-C ends it.\n")
    command = ["h2load", "--h1", "-n", "40", "-c", "2", "-T", "20", f"http://127.0.0.1:{port}/"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert "40 done, 40 succeeded, 0 failed, 0 errored" in done.stdout, done.stdout + done.stderr


def test_a_line_for_each_request(start: Start, counter: Path, port: int) -> None:
    server = start(WHIT, "run", counter, "--port", port)
    said = server.read_until("Ctrl-C ends it.\n")
    page = get(port)
    get(port, "/nowhere%1b[2J")
    wanted = f"GET / 200 {len(page)}\nGET /nowhere%1b[2J 404 no such path\n"
    server.read_until(wanted.splitlines()[-1] + "\n")
    assert server.output.removeprefix(said).strip("\n") == wanted.strip("\n")
    server.end()
    quiet = start(WHIT, "run", counter, "--port", port, "--quiet")
    quiet.read_until("Ctrl-C ends it.\n")
    assert get(port) == page
    assert b"no such path" in get(port, "/nowhere")  # the page names it anyway
    quiet.end()
    assert "GET" not in quiet.output


def test_a_slow_reader_of_the_log_stalls_nobody(counter: Path, port: int, tmp_path: Path) -> None:
    """Excess lines are dropped, and their number is printed."""
    image = build(counter).image
    ours, theirs = os.pipe()
    fcntl.fcntl(ours, F_SETPIPE_SZ, 4096)
    command = [str(image), "--log", "--port", str(port), "--data", str(tmp_path / "persistent.bin")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs) as server:
        try:
            assert server.stdout is not None and server.stdout.readline() == b"ready\n"
            for number in range(6):
                assert b"404" in get(port, f"/nowhere{number}")
            first = os.read(ours, 65536).decode()
            get(port, "/last")
            rest = os.read(ours, 65536).decode()
        finally:
            server.terminate()
            os.close(ours)
            os.close(theirs)
    told = first.count("\n")
    assert first.startswith("GET /nowhere0 404 ") and 1 <= told < 6
    assert rest == f"({6 - told} lines of the log dropped here)\nGET /last 404 no such path\n"


CRASH_C = """\
/* <generator>
     <handlers doGet="say"/>
     <args><arg name="how" type="uint8"/></args>
   </generator> */
#include <whit/app.h>
#include "helper.h"

static char say(struct args_t *args)
{
    volatile int *volatile nowhere = NULL;
    if (args->how == 1)
        *nowhere = 3;
    return deep(args->how) != 0;
}
"""
HELPER_C = """\
#include "helper.h"

int deep(int n)
{
    volatile char much[4096];
    much[0] = (char)n;
    return deep(n + 1) + much[0];
}
"""


@pytest.mark.slow
@pytest.mark.parametrize(("how", "place"), [(1, "say(), sub/say.c:12"), (2, "deep(), helper.c:")])
def test_a_crash_names_the_line(how: int, place: str, start: Start, port: int, tmp_path: Path) -> None:
    """A crash by a full stack names its line too."""
    app = tmp_path / "crash"
    (app / "sub").mkdir(parents=True)
    (app / "sub" / "say.c").write_text(CRASH_C)
    (app / "helper.c").write_text(HELPER_C)
    (app / "helper.h").write_text("int deep(int n);\n")
    server = start(WHIT, "run", app, "--port", port, "--data", tmp_path / "data")
    server.read_until("Ctrl-C ends it.")
    with pytest.raises(OSError), socket.create_connection(("127.0.0.1", port), timeout=10) as client:
        client.sendall(f"GET /sub/say?how={how} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        if not client.recv(100):
            raise OSError
    assert f"the server ended by itself (signal 11) in {place}" in server.read_until("ended by itself").strip()
