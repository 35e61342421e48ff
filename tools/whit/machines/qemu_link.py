# SPDX-License-Identifier: MIT
"""The network that an emulated Ethernet device is in: one that QEMU makes, or a TAP device."""

import contextlib
import ctypes
import errno
import fcntl
import ipaddress
import os
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

from whit.compiler.device import Board
from whit.errors import WhitError
from whit.image.build import BuildResult
from whit.machines.run_options import RunOptions

PORT_TAKEN, LINK_FAILED = 3, 4  # exit codes (docs/command-line.md)
# Linux's netdevice(7).
SIOCGIFFLAGS, SIOCSIFFLAGS, SIOCSIFADDR, SIOCSIFNETMASK = 0x8913, 0x8914, 0x8916, 0x891C
PIDFD_GETFD = 438  # pidfd_getfd(2), Linux 5.6
BACKLOG = 128
IFF_UP, IFF_RUNNING = 0x1, 0x40


@contextlib.contextmanager
def link(options: RunOptions, result: BuildResult) -> Iterator[None]:
    """Checks the link before the emulator starts, whose messages are unclear. Brings up a TAP device that it makes."""
    if options.tap is None:
        check_port(options.host, "--port", options.port)
        if result.application.https is not None:
            check_port(options.host, "--https-port", options.https_port)
        yield
        return
    existed = options.tap in (name for _, name in socket.if_nameindex())
    try:
        yield
    except WhitError as error:
        if "-netdev" not in str(error):  # the option that QEMU names
            raise
        raise WhitError(str(error), LINK_FAILED) from error
    if not existed:
        _bring_up(options.tap, *_device(result.application.board))


def network(options: RunOptions, result: BuildResult) -> str:
    """The emulated network is the image's own, so that one image serves there and on a TAP device."""
    if options.tap is not None:
        return f"tap,id=net,ifname={quoted(options.tap)},script=no,downscript=no"
    address, around = _device(result.application.board)
    if around.num_addresses < 8:
        raise WhitError(f"network.prefix {around.prefixlen}: expected at most 29; --tap has no such limit")
    host, name_server = _others(address, around)
    ports = [(options.port, result.application.limits.port)]
    if result.application.https is not None:
        ports.append((options.https_port, result.application.https.port))
    forwards = "".join(f",hostfwd=tcp:{options.host}:{ours}-{address}:{theirs}" for ours, theirs in ports)
    return f"user,id=net,net={around},host={host},dns={name_server},dhcpstart={address}{forwards}"


def widen_backlog(pid: int) -> None:
    """Sets a larger backlog on the listening socket of libslirp, QEMU's network, which listens with a backlog of one.
    A browser opens several connections at once; the third would wait a second until its SYN is retransmitted. A copy of
    the emulator's socket listens again and sets the backlog. Nothing changes if the kernel hands out no copy."""
    libc = ctypes.CDLL(None)
    with contextlib.suppress(OSError):
        process = os.pidfd_open(pid)
        for entry in Path(f"/proc/{pid}/fd").iterdir():
            is_socket = str(entry.readlink()).startswith("socket:")
            copy = libc.syscall(PIDFD_GETFD, process, int(entry.name), 0) if is_socket else -1
            if copy < 0:
                continue
            with socket.socket(fileno=copy) as candidate:
                if candidate.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    candidate.listen(BACKLOG)
        os.close(process)


def quoted(value: Path | str) -> str:
    """Returns the value as part of an option of QEMU."""
    return str(value).replace(",", ",,")


def host_address(board: Board) -> str:
    """Returns this machine's 127.0.0.1 in the network of QEMU."""
    return str(_others(*_device(board))[0])


def _others(address: ipaddress.IPv4Address, around: ipaddress.IPv4Network) -> list[ipaddress.IPv4Address]:
    """Returns addresses for this machine and for a name server."""
    return [other for other in (around.network_address + i for i in range(1, 4)) if other != address][:2]


def _device(board: Board) -> tuple[ipaddress.IPv4Address, ipaddress.IPv4Network]:
    address = ipaddress.IPv4Address(bytes(board.address))
    return address, ipaddress.IPv4Network((address, board.prefix), strict=False)


def check_port(host: str, option: str, port: int) -> None:
    """Checks a port, because QEMU's message is unclear. `option` is named in ours."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except PermissionError as error:
            way_out = f"ports below 1024 need privileges: give another {option}, or start as root"
            raise WhitError(f"{host}:{port}: {error.strerror}; {way_out}", LINK_FAILED) from error
        except OSError as error:
            taken = error.errno == errno.EADDRINUSE
            free = f"another program listens there: end it, or give another {option}"
            way_out = free if taken else "this machine has no such address: give another --host"
            raise WhitError(
                f"{host}:{port}: {error.strerror or error}; {way_out}", PORT_TAKEN if taken else LINK_FAILED
            ) from error


def _bring_up(name: str, address: ipaddress.IPv4Address, around: ipaddress.IPv4Network) -> None:
    """This side gets the network's first address, or the second where the device has the first."""
    first = around.network_address + 1
    ours = first + 1 if first == address else first

    def request(rest: bytes) -> bytes:
        return struct.pack("16s24s", name.encode(), rest)

    def of(ipv4: ipaddress.IPv4Address) -> bytes:
        return request(struct.pack("HH4s", socket.AF_INET, 0, ipv4.packed))

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        try:
            fcntl.ioctl(control, SIOCSIFADDR, of(ours))
            fcntl.ioctl(control, SIOCSIFNETMASK, of(around.netmask))
            (flags,) = struct.unpack_from("H", fcntl.ioctl(control, SIOCGIFFLAGS, request(b"")), 16)
            fcntl.ioctl(control, SIOCSIFFLAGS, request(struct.pack("H", flags | IFF_UP | IFF_RUNNING)))
        except OSError as error:
            way_out = "the device cannot be given an address; make and configure it yourself (ip tuntap)"
            raise WhitError(f"{name}: {error.strerror}; {way_out}", LINK_FAILED) from error
