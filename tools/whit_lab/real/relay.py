# SPDX-License-Identifier: MIT
"""The link between the kernel's TCP and a server, in real time.

Delay, rate, half duplex, queue and loss are those of whit_testbed.link. The same settings run in virtual time beside
it.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from whit.errors import WhitError
from whit.wire.packet import TCP_PROTOCOL, Ethernet, Ipv4, Malformed, Segment, ip, slip_encode
from whit_lab.real.clock import RealLoop
from whit_lab.real.namespace import Interface
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment, Link, Medium
from whit_testbed.machine import Line, Machine
from whit_testbed.net import Host, Net, Network

CLIENT, SERVER = "10.7.0.1", "10.7.0.2"
LINKTYPE_ETHERNET, LINKTYPE_RAW = 1, 101  # of a pcap file


@dataclass(frozen=True)
class Wire:
    """Impairment of each direction of a link."""

    up: Impairment
    down: Impairment
    half_duplex: bool = False
    seed: int = 0


def slip_len(datagram: bytes) -> int:
    return len(slip_encode(datagram))


class Seen:
    """Traffic at the client's side of the link: frames that left it, and frames that arrived."""

    def __init__(self, *, ethernet: bool = False) -> None:
        self.frames: list[tuple[int, bool, bytes]] = []  # (time in µs, from the client, frame)
        self._ethernet = ethernet

    def segments(self, *, up: bool) -> list[tuple[int, Segment]]:
        return [(time_us, segment) for time_us, from_client, segment in self._parsed() if from_client == up]

    def requests(self) -> list[bytes]:
        """Returns the client's data, by segment."""
        return [segment.payload for _, segment in self.segments(up=True) if segment.payload]

    def save(self, path: Path) -> None:
        """Writes a pcap file."""
        kind = LINKTYPE_ETHERNET if self._ethernet else LINKTYPE_RAW
        octets = bytearray(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, kind))
        for time_us, _, frame in sorted(self.frames, key=lambda entry: entry[0]):
            octets += struct.pack("<IIII", *divmod(time_us, 1_000_000), len(frame), len(frame)) + frame
        path.write_bytes(octets)

    def _parsed(self) -> list[tuple[int, bool, Segment]]:
        found = []
        for time_us, up, frame in self.frames:
            try:
                datagram = Ipv4.parse(Ethernet.parse(frame).payload if self._ethernet else frame)
                if datagram.protocol == TCP_PROTOCOL:
                    found.append((time_us, up, Segment.parse(datagram.payload, datagram.src, datagram.dst)))
            except Malformed:
                continue
        return found


class Kernel(Host):
    """The kernel of a namespace as a host on a network of whit_testbed. It has its own ARP and its own connections."""

    def __init__(self, net: Network, interface: Interface, seen: Seen, address: str = CLIENT) -> None:
        super().__init__(net, ip(address), b"\x02\x00" + ip(address))
        self._interface, self._seen = interface, seen
        self._loop = net.loop
        if not isinstance(net.loop, RealLoop):
            raise WhitError("relay: expected a network in real time", 1)
        net.loop.reader(interface.descriptor, self._read)

    def frame_in(self, frame: bytes, begun_us: int) -> None:
        self._seen.frames.append((self._loop.now_us, False, frame))
        self._interface.write(frame)

    def _read(self) -> None:
        while (frame := self._interface.read()) is not None:
            self._seen.frames.append((self._loop.now_us, True, frame))
            self.net.up.send(frame)


class Relay:
    """A client's kernel and a server. `up` and `down` count frames; an emulated machine's line has no counters."""

    def __init__(self, loop: RealLoop, seen: Seen, up: Link | None, down: Link | None, net: Net | Line | None) -> None:
        self.loop, self.seen = loop, seen
        self.up, self.down = up, down
        self.net = net  # the engine's or the machine's; a kernel has none

    def run(self, until: Callable[[], bool], *, for_s: float) -> None:
        """Runs until the condition is true. Raises Deadlock after `for_s`."""
        self.loop.run(until, for_us=int(for_s * 1e6))

    def idle(self, seconds: float) -> None:
        self.loop.run(for_us=int(seconds * 1e6))


def to_engine(
    client: Interface, engine: Engine, wire: Wire, *, wire_len: Callable[[bytes], int] | None = None
) -> Relay:
    """Connects the in-process engine, as `Net` does in virtual time. Its address must be SERVER."""
    loop, seen = RealLoop(), Seen(ethernet=engine.link == "ethernet")
    net = Net(engine, up=wire.up, down=wire.down, half_duplex=wire.half_duplex, seed=wire.seed, loop=loop)
    if wire_len:
        net.up.wire_len = net.down.wire_len = wire_len
    kernel = Kernel(net, client, seen)
    net.hosts[kernel.address] = kernel
    return Relay(loop, seen, net.up, net.down, net)


def to_machine(client: Interface, machine: Machine, *, delay_us: int, boot_s: float) -> Relay:
    """Connects an emulated machine at the end of its serial line, which sets the rate."""
    loop, seen = RealLoop(), Seen()
    line = Line(machine, ip(SERVER), delay_us=delay_us, loop=loop)
    kernel = Kernel(line, client, seen)
    line.hosts[kernel.address] = kernel
    relay = Relay(loop, seen, None, None, line)
    relay.idle(boot_s)
    return relay


def to_kernel(
    client: Interface, server: Interface, wire: Wire, *, wire_len: Callable[[bytes], int] = slip_len
) -> Relay:
    """Connects the kernel of another namespace, with a real server."""
    loop, seen = RealLoop(), Seen()
    medium = Medium()

    def arrived(frame: bytes, begun_us: int) -> None:
        seen.frames.append((loop.now_us, False, frame))
        client.write(frame)

    def serve(frame: bytes, begun_us: int) -> None:
        server.write(frame)

    rng_up, rng_down = (random.Random(wire.seed * 2 + number) for number in (1, 2))
    up = Link(loop, serve, wire.up, rng=rng_up, medium=medium, wire_len=wire_len)
    shared = medium if wire.half_duplex else None
    down = Link(loop, arrived, wire.down, rng=rng_down, medium=shared, wire_len=wire_len)

    def leave() -> None:
        while (frame := client.read()) is not None:
            seen.frames.append((loop.now_us, True, frame))
            up.send(frame)

    def answer() -> None:
        while (frame := server.read()) is not None:
            down.send(frame)

    loop.reader(client.descriptor, leave)
    loop.reader(server.descriptor, answer)
    return Relay(loop, seen, up, down, None)
