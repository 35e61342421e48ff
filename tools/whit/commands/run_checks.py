# SPDX-License-Identifier: MIT
"""Checks of `whit run` before the build. They write nothing and truncate nothing."""

import fcntl
import os
import re
import socket
from ipaddress import IPv4Address, IPv4Interface
from pathlib import Path

from whit.commands.secured import check_ports
from whit.compiler import CompileError
from whit.compiler.application import board_of, identity_of
from whit.compiler.device import Identity
from whit.errors import WhitError
from whit.image import c_messages
from whit.image.build import find_application
from whit.ladder.write import DRAWN
from whit.machines import emulator
from whit.machines.qemu_link import LINK_FAILED, check_port
from whit.machines.run_options import RunOptions
from whit.output import check_output
from whit.targets import find_target

NAME_MAX = 15  # octets of an interface's name: IFNAMSIZ of Linux without the NUL
IFF_TAP, IFF_MULTI_QUEUE = 0x0002, 0x0100  # linux/if_tun.h
CAP_NET_ADMIN = 12
LOCKED = {"linux": "persistent.bin.lock", "avr": "avr.bin", "pc": "pc.disk"}
"""The file beside the data that a server locks, by target. Other targets lock TARGET.nor."""


def check_run(options: RunOptions) -> None:
    """WhitError: an option is wrong, or this machine cannot run it."""
    directory = find_application(options.app_dir)
    if options.target != "linux" and options.target not in emulator.EMULATORS:
        find_target(options.target)
        raise WhitError(emulator.runs_here(options.target))
    check_gateway(options)
    try:
        found = identity_of(directory, emulator.placed(options).overrides)
    except CompileError as error:
        raise WhitError(c_messages.near(str(error))) from error
    https = check_ports(options, found)
    for option, path, suffixes in (("--pcap", options.pcap, ()), ("--ladder", options.ladder, DRAWN)):
        if path is not None:
            check_output(option, path, suffixes)
    if options.tap is not None:
        _check_address(options)
        _check_tap(options.tap)
    else:
        _check_host(options.host)
        check_port(options.host, "--port", options.port)
        if https:
            check_port(options.host, "--https-port", options.https_port)
    _check_data(options, found)


def check_gateway(options: RunOptions) -> None:
    """WhitError: --gateway is no address, or outside the network."""
    if options.gateway is None:
        return
    try:
        gateway = IPv4Address(options.gateway)
    except ValueError:
        raise WhitError(f"--gateway {options.gateway}: expected an IPv4 address, such as 10.7.0.1") from None
    try:
        said = board_of(find_application(options.app_dir), options.overrides)
        address = options.address or f"{'.'.join(map(str, said.address))}/{said.prefix}"
        link = IPv4Interface(address).network
    except (CompileError, ValueError):
        return
    if gateway not in link:
        raise WhitError(f"--gateway {gateway}: expected an address in {link}, the network of {address}")


def _check_host(host: str) -> None:
    try:
        IPv4Address("127.0.0.1" if host == "localhost" else host)
    except ValueError:
        expected = "expected an IPv4 address of this machine, such as 127.0.0.1, or 0.0.0.0 for all"
        raise WhitError(f"--host {host}: {expected}") from None


def _check_address(options: RunOptions) -> None:
    """Accepts the same addresses as ports/linux/options.c."""
    if options.address is None:
        return
    try:
        interface = IPv4Interface(options.address if "/" in options.address else "")
        link = interface.network
        is_right = 1 <= link.prefixlen <= 30 and interface.ip not in (link.network_address, link.broadcast_address)
    except ValueError:
        is_right = False
    if not is_right:
        expected = "expected a host's IPv4 address and a prefix length of 1..30, such as 10.7.0.2/24"
        raise WhitError(f"--address {options.address}: {expected}")


def _check_tap(name: str) -> None:
    if not 1 <= len(os.fsencode(name)) <= NAME_MAX or name in (".", "..") or re.search(r"[/:\s]", name):
        raise WhitError(f"--tap {name}: expected the name of a network interface, 1 to {NAME_MAX} characters")
    if name not in (known for _, known in socket.if_nameindex()):
        if not Path("/dev/net/tun").exists():
            way_out = "load the kernel's module: modprobe tun, or run without --tap"
            raise WhitError(f"/dev/net/tun: no such file; {way_out}", LINK_FAILED)
        if not _may_make_devices():
            raise WhitError(f"--tap {name}: no such device, and you may not make one; start as root", LINK_FAILED)
        return
    device = Path("/sys/class/net", name)
    try:
        flags = int((device / "tun_flags").read_text(), 16)
    except OSError:
        flags = 0
    if not flags & IFF_TAP:
        raise WhitError(f"--tap {name}: this interface is no TAP device: give another name", LINK_FAILED)
    if not flags & IFF_MULTI_QUEUE and _has_carrier(device):
        raise WhitError(f"--tap {name}: another program has this device: give another name", LINK_FAILED)


def _has_carrier(device: Path) -> bool:
    """True while a program has a TAP device open. False if the interface is down."""
    try:
        return (device / "carrier").read_text().strip() == "1"
    except OSError:
        return False


def _may_make_devices() -> bool:
    found = re.search(r"^CapEff:\s*([0-9a-f]+)$", Path("/proc/self/status").read_text(), re.MULTILINE)
    return found is None or bool(int(found[1], 16) >> CAP_NET_ADMIN & 1)


def _check_data(options: RunOptions, found: Identity) -> None:
    """The place can be written, and no other server has its data there."""
    directory = options.data_place(found.name)
    there = next(one for one in (directory, *directory.absolute().parents) if os.path.lexists(one))
    if not there.is_dir():
        raise WhitError(f"{there}: Not a directory; name a directory that can be written with --data")
    if not os.access(there, os.W_OK | os.X_OK):
        raise WhitError(f"{there}: Permission denied; name a directory that can be written with --data")
    locked = directory / LOCKED.get(options.target, f"{options.target}.nor")
    if not found.keeps or not locked.exists():
        return
    try:
        with locked.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        data = locked.with_suffix("") if options.target == "linux" else locked
        way_out = "end it, or give this one a place of its own with --data"
        raise WhitError(f"{data}: another server keeps its data there; {way_out}", 1) from None
    except OSError:  # the server reports it
        return
