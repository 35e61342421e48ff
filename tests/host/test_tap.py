# SPDX-License-Identifier: MIT
"""The kernel's TCP as a peer: the engine on a TAP device in a network namespace that the test makes."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from scapy.utils import rdpcap

from whit.paths import ROOT

from . import pipeline
from .conftest import WHIT, Running, Start, until
from .test_pipeline import plain_files

ENGINE = "10.7.0.2"

PING = """
import socket, struct, sys
def checksum(octets):
    total = sum(struct.unpack(f">{len(octets) // 2}H", octets))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return ~total & 0xffff
with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP) as raw:
    raw.settimeout(5)
    for sequence, length in enumerate((0, 1, 2, 56, 57, 300, 1471, 1472)):
        payload = bytes(i & 0xff for i in range(length))
        padded = payload + bytes(length % 2)
        sum_ = checksum(struct.pack(">BBHHH", 8, 0, 0, 77, sequence) + padded)
        raw.sendto(struct.pack(">BBHHH", 8, 0, sum_, 77, sequence) + payload, (sys.argv[1], 0))
        while True:
            answer = raw.recv(2000)[20:]
            if answer[0] == 0 and answer[4:8] == struct.pack(">HH", 77, sequence):
                break
        assert answer[8:] == payload, sequence
        assert checksum(answer + bytes(len(answer) % 2)) == 0, sequence
print("echoed")
"""


# Linux receives content of several segments. A joined frame has the length of all and the sum of the IP header. Its TCP
# sum covers the pseudo header only; the sender's card adds the rest (virtio_net_hdr).
JOINED = """
import socket, struct, sys, urllib.request
def total(octets):
    sum_ = sum(struct.unpack(f">{len(octets) // 2}H", octets))
    while sum_ >> 16:
        sum_ = (sum_ & 0xffff) + (sum_ >> 16)
    return sum_
with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3)) as device:
    device.bind(("whit0", 0))
    device.settimeout(1)
    sys.stdout.buffer.write(urllib.request.urlopen(sys.argv[1]).read())
    joined = 0
    try:
        while True:
            frame = device.recv(70_000)
            if len(frame) > 1600 and frame[26:30] == socket.inet_aton("10.7.0.2"):
                length, sum_ = struct.unpack(">H32xH", frame[16:52])
                assert length == len(frame) - 14 and total(frame[14:34]) == 0xffff, frame[:54]
                assert sum_ == total(frame[26:34] + struct.pack(">HH", 6, length - 20)), frame[:54]
                joined += 1
    except TimeoutError:
        pass
    assert joined != 0
"""


# Others have begun requests in all four slots. What Linux knows of one that waits for a slot (struct tcp_info).
WAITS = """
import socket, struct, sys, time
HEAD = b"GET /logo.png HTTP/1.1\\r\\nHost: whit\\r\\n\\r\\n"
def connected():
    return socket.create_connection((sys.argv[1], 80), timeout=5)
holders = [connected() for _ in range(4)]
for holder in holders:
    holder.sendall(HEAD[:10])
time.sleep(0.1)
with connected() as waits:
    waits.sendall(HEAD)
    time.sleep(0.4)
    info = waits.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 104)
    (unacked,), (repeated,) = struct.unpack_from("I", info, 24), struct.unpack_from("I", info, 100)
    assert unacked == 0 and repeated == 0, (unacked, repeated)
    for holder in holders:
        holder.sendall(HEAD[10:])
    for one in (*holders, waits):
        assert one.recv(12) == b"HTTP/1.1 200"
print("told")
"""


# A device that stays, as another program left it: with a header of 12 octets, and sums and segments left to the reader.
LEFT_BEHIND = """
import fcntl, os, struct, sys
TUNSETIFF, TUNSETPERSIST, TUNSETOFFLOAD, TUNSETVNETHDRSZ = 0x400454CA, 0x400454CB, 0x400454D0, 0x400454D8
TAP, NO_PI, VNET_HDR, CSUM, TSO4 = 2, 0x1000, 0x4000, 1, 2
device = os.open("/dev/net/tun", os.O_RDWR)
fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", sys.argv[1].encode(), TAP | NO_PI | VNET_HDR))
fcntl.ioctl(device, TUNSETVNETHDRSZ, struct.pack("i", 12))
fcntl.ioctl(device, TUNSETOFFLOAD, CSUM | TSO4)
fcntl.ioctl(device, TUNSETPERSIST, 1)
"""

# A kernel whose TAP devices have no struct virtio_net_hdr: TUNGETFEATURES does not name it, and TUNSETIFF refuses it.
OLD_KERNEL = """
#define _GNU_SOURCE
#include <errno.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int ioctl(int fd, unsigned long request, ...)
{
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (request == TUNSETIFF && (((struct ifreq *)argument)->ifr_flags & IFF_VNET_HDR) != 0) {
        errno = EINVAL;
        return -1;
    }
    int result = (int)syscall(SYS_ioctl, fd, request, argument);
    if (request == TUNGETFEATURES && result == 0)
        *(unsigned *)argument &= ~(unsigned)IFF_VNET_HDR;
    return result;
}
"""


def can_make_a_namespace() -> str:
    """Returns the reason why no namespace can be made, or ""."""
    if os.geteuid() != 0:
        return "needs root"
    if not Path("/dev/net/tun").exists():
        return "there is no /dev/net/tun"
    if shutil.which("ip") is None:
        return "iproute2 is not installed"
    probe = subprocess.run(["unshare", "--net", "ip", "link"], capture_output=True)
    return "" if probe.returncode == 0 else "network namespaces are not allowed here"


WHY_NOT = can_make_a_namespace()
pytestmark = [pytest.mark.slow, pytest.mark.root, pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)]


@contextmanager
def namespace_made(name: str) -> Iterator[str]:
    subprocess.run(["ip", "netns", "add", name], check=True)
    try:
        subprocess.run(["ip", "-n", name, "link", "set", "lo", "up"], check=True)
        yield name
    finally:
        subprocess.run(["ip", "netns", "delete", name], check=True)


@pytest.fixture
def namespace() -> Iterator[str]:
    with namespace_made(f"whit-test-{os.getpid()}") as name:
        yield name


@pytest.fixture
def served(start: Start, namespace: str, contacts: Path, tmp_path: Path) -> Running:
    """The address book on a TAP device."""
    options = ("--tap", "whit0", "--data", tmp_path, "--counters", "--set", "idle=32")
    server = start(*inside(namespace), WHIT, "run", contacts, *options)
    said = server.read_until("Ctrl-C ends it.")
    assert f"http://{ENGINE}/" in said
    return server


def inside(namespace: str) -> list[str]:
    return ["ip", "netns", "exec", namespace]


def fetch(namespace: str, *command: str) -> bytes:
    done = subprocess.run([*inside(namespace), *command], capture_output=True, timeout=60)
    assert done.returncode == 0, (command, done.stdout[-500:], done.stderr[-500:])
    return done.stdout


def test_ping(served: Running, namespace: str) -> None:
    assert fetch(namespace, sys.executable, "-c", PING, ENGINE) == b"echoed\n"


def test_segments_of_a_file_are_cut_by_linux(served: Running, namespace: str, contacts: Path) -> None:
    octets = fetch(namespace, sys.executable, "-c", JOINED, f"http://{ENGINE}/logo.png")
    assert octets == (contacts / "logo.png").read_bytes()


SEND = """
import pathlib, sys, urllib.request
octets = pathlib.Path(sys.argv[2]).read_bytes()
urllib.request.urlopen(urllib.request.Request(sys.argv[1], octets, {"Content-Type": "image/png"})).read()
"""


def test_segments_of_a_stored_content_are_joined(start: Start, namespace: str, contacts: Path, tmp_path: Path) -> None:
    """The content may be overwritten while it is sent: its octets are copied."""
    server = start(
        *inside(namespace), WHIT, "run", ROOT / "apps" / "upload", "--tap", "whit0", "--data", tmp_path / "kept"
    )
    server.read_until("Ctrl-C ends it.")
    logo = contacts / "logo.png"
    fetch(namespace, sys.executable, "-c", SEND, f"http://{ENGINE}/picture", str(logo))
    octets = fetch(namespace, sys.executable, "-c", JOINED, f"http://{ENGINE}/picture.png")
    assert octets == logo.read_bytes()


def test_a_capture_has_segments_as_a_wire_would(start: Start, namespace: str, contacts: Path, tmp_path: Path) -> None:
    capture = tmp_path / "seen.pcap"
    options = ("--tap", "whit0", "--data", tmp_path, "--pcap", capture)
    server = start(*inside(namespace), WHIT, "run", contacts, *options)
    server.read_until("Ctrl-C ends it.")
    read = "import sys, urllib.request; urllib.request.urlopen(sys.argv[1]).read()"
    fetch(namespace, sys.executable, "-c", read, f"http://{ENGINE}/logo.png")
    assert server.end() == 0
    lengths = [len(frame) for frame in rdpcap(str(capture))]
    assert max(lengths) <= 1514 and sum(length > 1400 for length in lengths) >= 2


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_curl(served: Running, namespace: str, contacts: Path) -> None:
    urls = [f"http://{ENGINE}/{name}" for name in ("logo.png", "script.js", "style.css", "index.html")]
    expected = b"".join((contacts / url.rpartition("/")[2]).read_bytes() for url in urls)
    curl = ("curl", "--silent", "--show-error", "--fail", "--max-time", "20")
    assert fetch(namespace, *curl, *urls) == expected
    assert fetch(namespace, *curl, "--compressed", *urls) == expected
    assert fetch(namespace, *curl, "--http1.0", *urls) == expected
    head = fetch(namespace, *curl, "--head", urls[0])
    assert re.search(rb"(?im)^content-length: 5805\r$", head), head
    tag = re.search(rb'(?im)^etag: (".*")\r$', head)
    assert tag
    again = fetch(namespace, *curl, "--include", "--header", f"If-None-Match: {tag[1].decode()}", urls[0])
    assert again.startswith(b"HTTP/1.1 304 ") and again.endswith(b"\r\n\r\n")


def test_deleted_device_ends_the_server_with_a_line(served: Running, namespace: str) -> None:
    """The server ends with a line instead of a busy loop."""
    subprocess.run(["ip", "-n", namespace, "link", "delete", "whit0"], check=True)
    rest, _ = served.process.communicate(timeout=15)
    served.output += rest.decode()
    assert "whit0: File descriptor in bad state; the TAP device is gone" in served.output
    assert served.process.returncode == 1
    assert "Traceback" not in served.output


def test_thirty_requests_in_one_write(served: Running, namespace: str) -> None:
    answers, ms = fetch(namespace, sys.executable, pipeline.__file__, ENGINE, "80").split()
    assert int(answers) == pipeline.DEPTH
    assert int(ms) < 1000


def ask_for(namespace: str, cnt: int, file: Path) -> None:
    asks = (sys.executable, pipeline.__file__, ENGINE, "80", str(cnt), str(file))
    right, longest_ms = fetch(namespace, *asks).split()
    assert int(right) == cnt
    assert int(longest_ms) < 200  # which the client's timer takes at least


def test_more_requests_than_the_window_takes(served: Running, namespace: str, contacts: Path) -> None:
    """160 in one write were 115 answers in 21 s."""
    for cnt in (160, 400):
        ask_for(namespace, cnt, contacts / "logo.png")


def test_requests_for_plain_files_in_one_write(start: Start, namespace: str, tmp_path: Path) -> None:
    """Three answers of four were followed by a reset; 14 of 50 came in 23 s."""
    there = plain_files(tmp_path)
    start(*inside(namespace), WHIT, "run", there, "--tap", "whit0").read_until("Ctrl-C ends it.")
    for name in ("30000.bin", "57000.bin", "1.bin"):
        for cnt in (4, 50, 400):
            ask_for(namespace, cnt, there / name)


def test_a_request_that_waits_for_a_slot_is_acknowledged(served: Running, namespace: str) -> None:
    assert fetch(namespace, sys.executable, "-c", WAITS, ENGINE) == b"told\n"


@pytest.mark.skipif(shutil.which("wget") is None, reason="wget is not installed")
def test_wget(served: Running, namespace: str, contacts: Path) -> None:
    got = fetch(
        namespace, "wget", "--quiet", "--timeout=20", "--tries=1", "--output-document=-", f"http://{ENGINE}/logo.png"
    )
    assert got == (contacts / "logo.png").read_bytes()


@pytest.mark.skipif(shutil.which("wrk") is None, reason="wrk is not installed")
@pytest.mark.parametrize("connections", [1, 4, 20])
def test_wrk(served: Running, namespace: str, connections: int) -> None:
    """No client is refused or reset as long as each can have an idle place. A request that finds every slot busy is
    retransmitted with back-off. Under endless load this may exceed wrk's timeout, but rarely."""
    wrk = ("wrk", "--threads", "1", "--connections", str(connections), "--duration", "4s", "--timeout", "3s")
    said = fetch(namespace, *wrk, f"http://{ENGINE}/logo.png").decode()
    requests = re.search(r"(\d+) requests in ", said)
    assert requests and int(requests[1]) > 100, said
    assert "Non-2xx" not in said, said
    errors = re.search(r"Socket errors: connect 0, read 0, write 0, timeout (\d+)", said)
    assert errors or "Socket errors" not in said, said
    assert errors is None or (connections > 4 and int(errors[1]) <= 3), said


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_closed_port_is_refused_at_once(served: Running, namespace: str) -> None:
    done = subprocess.run(
        [*inside(namespace), "curl", "--silent", "--max-time", "5", f"http://{ENGINE}:81/"], capture_output=True
    )
    assert done.returncode == 7  # could not connect: an RST came, no time-out (28)


def test_device_goes_with_the_server(served: Running, namespace: str) -> None:
    assert served.end() == 0
    gone = subprocess.run(["ip", "-n", namespace, "link", "show", "whit0"], capture_output=True)
    assert gone.returncode != 0


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_device_that_exists_is_used_as_it_is(start: Start, namespace: str, counter: Path) -> None:
    for command in ("tuntap add dev mine mode tap", "link set mine up", "addr add 10.9.0.1/24 dev mine"):
        subprocess.run(["ip", "-n", namespace, *command.split()], check=True)
    server = start(*inside(namespace), WHIT, "run", counter, "--tap", "mine", "--address", "10.9.0.7/24")
    server.read_until("http://10.9.0.7/")
    until(lambda: b"first" in fetch(namespace, "curl", "--silent", "--max-time", "5", "http://10.9.0.7/"), 30)
    server.end()
    left = subprocess.run(["ip", "-n", namespace, "addr", "show", "mine"], capture_output=True, check=True)
    assert b"10.9.0.1/24" in left.stdout


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_device_that_another_program_left(start: Start, namespace: str, contacts: Path, tmp_path: Path) -> None:
    fetch(namespace, sys.executable, "-c", LEFT_BEHIND, "mine")
    for command in ("link set mine up", "addr add 10.9.0.1/24 dev mine"):
        subprocess.run(["ip", "-n", namespace, *command.split()], check=True)
    options = ("--tap", "mine", "--address", "10.9.0.7/24", "--data", tmp_path)
    server = start(*inside(namespace), WHIT, "run", contacts, *options)
    server.read_until("Ctrl-C ends it.")
    octets = fetch(namespace, "curl", "--silent", "--max-time", "5", "http://10.9.0.7/logo.png")
    assert octets == (contacts / "logo.png").read_bytes()
    server.end()


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_kernel_that_takes_no_joined_segments(start: Start, namespace: str, contacts: Path, tmp_path: Path) -> None:
    source, old = tmp_path / "old.c", tmp_path / "old.so"
    source.write_text(OLD_KERNEL)
    subprocess.run(["cc", "-shared", "-fPIC", source, "-o", old], check=True)
    command = ("env", f"LD_PRELOAD={old}", WHIT, "run", contacts, "--tap", "whit0", "--data", tmp_path)
    server = start(*inside(namespace), *command)
    server.read_until("Ctrl-C ends it.")
    octets = fetch(namespace, "curl", "--silent", "--max-time", "5", f"http://{ENGINE}/logo.png")
    assert octets == (contacts / "logo.png").read_bytes()
    server.end()
    assert server.output.count("this kernel takes no joined segments") == 1


def test_interface_that_is_no_tap(namespace: str, counter: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [*inside(namespace), WHIT, "run", counter, "--tap", "lo"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 4
    assert "no TAP device" in done.stderr and len(done.stderr.splitlines()) == 1
