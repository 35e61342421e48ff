# SPDX-License-Identifier: MIT
"""Network namespaces, and interfaces in them whose frames this process reads and writes."""

from __future__ import annotations

import ctypes
import fcntl
import os
import shutil
import struct
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from whit.errors import WhitError

TUN = Path("/dev/net/tun")
# Linux's if_tun.h and sched.h.
TUNSETIFF, IFF_TUN, IFF_TAP, IFF_NO_PI = 0x400454CA, 0x1, 0x2, 0x1000
CLONE_NEWNET = 0x40000000
# Settings of a new namespace. The kernel sends no unrequested packets. The MSS may be as small as the engine's. A
# connection's measurements are not kept for the next.
SETTINGS = {
    "net/ipv6/conf/all/disable_ipv6": 1,
    "net/ipv6/conf/default/disable_ipv6": 1,
    "net/ipv4/route/min_adv_mss": 88,
    "net/ipv4/tcp_no_metrics_save": 1,
}


def why_not() -> str:
    """Returns the reason if namespaces cannot be made; "" if they can."""
    if os.geteuid() != 0:
        return "network namespaces and TUN devices need root"
    if not TUN.exists():
        return f"there is no {TUN}"
    for program in ("ip", "unshare", "nsenter"):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    probe = subprocess.run(["unshare", "--net", "ip", "link"], capture_output=True)
    return "" if probe.returncode == 0 else "network namespaces are not allowed here"


class Interface:
    """A TUN device (`ethernet`: a TAP device) of a namespace. This process reads the kernel's frames and writes
    others."""

    def __init__(self, descriptor: int, name: str) -> None:
        self.descriptor, self.name = descriptor, name

    def read(self) -> bytes | None:
        """Returns the next frame, or None."""
        try:
            return os.read(self.descriptor, 4096)
        except BlockingIOError:
            return None

    def write(self, frame: bytes) -> None:
        os.write(self.descriptor, frame)


class Namespace:
    """A network namespace. A process holds it, and waits for the end of this one."""

    def __init__(self) -> None:
        self._holder = subprocess.Popen(
            ["unshare", "--net", "sh", "-c", "echo here; cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._descriptors: list[int] = []
        assert self._holder.stdout is not None
        if self._holder.stdout.readline() != b"here\n":
            raise WhitError("unshare --net: no network namespace; root makes one")
        settings = "; ".join(f"echo {value} > /proc/sys/{name}" for name, value in SETTINGS.items())
        self.do("sh", "-c", f"ip link set lo up; {settings}")

    def inside(self, *command: object) -> list[str]:
        """Returns the command that runs in this namespace."""
        return ["nsenter", f"--net={self._path}", *(str(word) for word in command)]

    def do(self, *command: object) -> bytes:
        """Runs a command here and returns its output. Raises WhitError if it fails."""
        done = subprocess.run(self.inside(*command), stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode != 0:
            said = done.stderr.decode(errors="replace").strip() or f"exit code {done.returncode}"
            raise WhitError(f"{command[0]}: {said}", 1)
        return done.stdout

    def interface(self, name: str, address: str, peer: str, *, ethernet: bool = False) -> Interface:
        """Makes an interface with an address, and brings it up. On Ethernet the peer is found by ARP."""
        descriptor = self._open(name, IFF_TAP if ethernet else IFF_TUN)
        self._descriptors.append(descriptor)
        route = f"ip route replace {peer}/32 dev {name} src {address}"
        self.do("sh", "-c", f"ip addr add {address}/32 dev {name}; ip link set {name} up; {route}")
        return Interface(descriptor, name)

    def veth(self, other: Namespace, address: str, peer: str) -> None:
        """Makes a pair of interfaces, one here and one there, with addresses and prefix lengths."""
        link = f"ip link add veth0 type veth peer name veth0 netns {other._holder.pid}"
        self.do("sh", "-c", f"{link}; ip addr add {address} dev veth0; ip link set veth0 up")
        other.do("sh", "-c", f"ip addr add {peer} dev veth0; ip link set veth0 up")

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Sockets and files that this thread opens in the block belong to the namespace."""
        with open("/proc/thread-self/ns/net") as home, open(self._path) as there:
            _enter(there.fileno())
            try:
                yield
            finally:
                _enter(home.fileno())

    def route(self, peer: str, interface: Interface, options: Sequence[object]) -> None:
        """Sets options of ip-route(8) for connections to the peer: advmss, window, quickack."""
        self.do("ip", "route", "replace", f"{peer}/32", "dev", interface.name, *options)

    def close(self) -> None:
        for descriptor in self._descriptors:
            os.close(descriptor)
        assert self._holder.stdin is not None and self._holder.stdout is not None
        self._holder.stdin.close()
        self._holder.wait()
        self._holder.stdout.close()

    def __enter__(self) -> Namespace:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _path(self) -> str:
        return f"/proc/{self._holder.pid}/ns/net"

    def _open(self, name: str, kind: int) -> int:
        """Opens a device in this namespace. The thread enters it for the call, since a device belongs to the current
        one."""
        with self.entered():
            descriptor = os.open(TUN, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
            fcntl.ioctl(descriptor, TUNSETIFF, struct.pack("16sH22x", name.encode(), kind | IFF_NO_PI))
        return descriptor


def _enter(namespace: int) -> None:
    if ctypes.CDLL(None, use_errno=True).setns(namespace, CLONE_NEWNET) != 0:
        raise WhitError(f"setns: {os.strerror(ctypes.get_errno())}", 1)
