# SPDX-License-Identifier: MIT
"""A client's namespace with a server behind the relay, ready for requests. Both end with the block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from whit.image.build import BuildResult
from whit.machines.emulator import build_machine
from whit_lab.real import servers, virtual
from whit_lab.real.hosted import ROUTED, TAP, Hosted, hosted
from whit_lab.real.namespace import Namespace
from whit_lab.real.relay import CLIENT, SERVER, Relay, Wire, to_engine, to_kernel, to_machine
from whit_testbed.machine import Machine

LINE = "line0"


@dataclass(frozen=True)
class Placed:
    """A server behind a relay, and its client's namespace."""

    relay: Relay
    client: Namespace


@contextmanager
def engine(image: Path, wire: Wire, options: Sequence[object] = ()) -> Iterator[Placed]:
    """The in-process engine over SLIP. Options are those of the client's route: advmss, window, quickack."""
    with Namespace() as client, virtual.engine(image, wire.seed + 1) as served:
        line = client.interface(LINE, CLIENT, SERVER)
        client.route(SERVER, line, options)
        yield Placed(to_engine(line, served, wire), client)


@contextmanager
def server(name: str, files: Mapping[str, bytes], wire: Wire, control: str = "") -> Iterator[Placed]:
    """Runs nginx or Apache on the kernel of a namespace of its own. control: its congestion control."""
    with Namespace() as client, Namespace() as there:
        if control:
            there.do("sh", "-c", f"echo {control} > /proc/sys/net/ipv4/tcp_congestion_control")
        near, far = client.interface(LINE, CLIENT, SERVER), there.interface(LINE, SERVER, CLIENT)
        with servers.serving(name, there, files):
            yield Placed(to_kernel(near, far, wire), client)


@contextmanager
def shipped(app: Path, wire: Wire) -> Iterator[tuple[Placed, Hosted]]:
    """Runs `./whit run` on a TAP device of a namespace of its own, which routes the relay's packets."""
    with Namespace() as client, Namespace() as there:
        near, far = client.interface(LINE, CLIENT, ROUTED), there.interface(LINE, SERVER, CLIENT)
        there.do("sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward")
        with hosted(app, there, TAP, quiet=True, routed=True) as at:
            yield Placed(to_kernel(near, far, wire), client), replace(at, namespace=client)


@contextmanager
def machine(name: str, built: BuildResult, *, hz: int, delay_us: int, boot_s: float) -> Iterator[Placed]:
    """Runs an image on an emulated machine at the device's speed; the rate is that of its line."""
    library = build_machine(name).with_name(f"libwhit_{name}.so")
    with Namespace() as client, Machine(library, built.image, hz=hz, seed=1) as device:
        line = client.interface(LINE, CLIENT, SERVER)
        yield Placed(to_machine(line, device, delay_us=delay_us, boot_s=boot_s), client)
