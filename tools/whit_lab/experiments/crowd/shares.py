# SPDX-License-Identifier: MIT
"""Waits of an honest newcomer, beside many connections of few hosts, and beside many slow hellos. Virtual time."""

import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from whit.image.build import build
from whit.model.policy import Options
from whit.wire.units import MS, SECOND
from whit_lab.experiment import Figure, Found, Progress, Sheet
from whit_lab.experiments.crowd import newcomer
from whit_lab.experiments.crowd.newcomer import PATIENCE_S, SLOTS, SMALL_TARGET, Besieger, waited
from whit_lab.experiments.crowd.soak import LINUX
from whit_lab.instruments import secured
from whit_lab.instruments.served import BIG, application_of, content
from whit_testbed.client import Connection
from whit_testbed.engine import Engine
from whit_testbed.http import Client
from whit_testbed.link import Impairment
from whit_testbed.net import Host, Net
from whit_testbed.tls import Client as TlsClient

HOSTS: Mapping[str, tuple[int, int]] = {"300_of_one_host": (300, 1), "60_of_20_hosts": (60, 20)}  # connections, hosts
BOUND_S = {"300_of_one_host": 2, "60_of_20_hosts": 4}
SLOW_HELLOS, HELLO_BOUND_S = 100, 3
SAME_HOST, SAME_HOST_BOUND_S = 300, 2  # connections with incomplete requests, of the newcomer's own host
NEWCOMERS, REDUCED_NEWCOMERS = 8, 2
BEGIN_S = 5
ONE_HOST = "10.1.0.1"
HELLO = TlsClient(name=secured.NAME).out


class Mute(Besieger):
    """Requests a large file and reads nothing."""

    options = Options(window=1460, rto_min=200 * MS)

    def begin(self, client: Client) -> None:
        super().begin(client)
        client.connection.pause()


class Silent(Besieger):
    """Requests a small file and acknowledges nothing. It handles a RST."""

    options = LINUX

    def begin(self, client: Client) -> None:
        client.ask(SMALL_TARGET)
        data = client.connection.on_data

        def gone() -> None:
            data()
            client.connection.vanish()

        client.connection.on_data = gone


class Dripper:
    """Sends a byte of its request each half second, out of step with the others, and reconnects at once."""

    octets = newcomer.Sender.octets
    started = 0

    def __init__(self, net: Net, host: Host) -> None:
        self.net, self.host = net, host
        Dripper.started += 1
        net.loop.after(Dripper.started * 7 * MS % (SECOND // 2), self._begin)

    def _begin(self) -> None:
        self.sent, self.connection = 0, self.host.connect(LINUX)
        self._drip()

    def _drip(self) -> None:
        if self.connection.reset or self.connection.peer_closed:
            self._begin()
            return
        if self.sent < len(self.octets) - 1:
            self.connection.send(self.octets[self.sent : self.sent + 1])
            self.sent += 1
        self.net.loop.after(SECOND // 2, self._drip)


SIEGES: Mapping[str, type[Besieger]] = {
    "readers of two octets a second": newcomer.Reader,
    "readers of a segment a second": newcomer.SegmentReader,
    "readers that acknowledge a segment in a second": newcomer.LateAcknowledger,
    "clients that vanish in mid-transfer": newcomer.Vanished,
    "senders of an octet a second": newcomer.Sender,
    "clients that read nothing": Mute,
    "clients that acknowledge nothing of a small file": Silent,
}


class Greeter:
    """Begins a handshake: sends `first` bytes of its hello at once, then one each second."""

    def __init__(self, net: Net, host: Host, first: int) -> None:
        self.net, self.host, self.first = net, host, first
        self.connection = self._connect()
        net.loop.after(SECOND, self._second)

    def _connect(self) -> Connection:
        self.sent = self.first
        connection = self.host.connect(LINUX, remote_port=secured.PORT)
        connection.send(HELLO[: self.sent])
        return connection

    def _second(self) -> None:
        if self.connection.reset or self.connection.peer_closed:
            self.connection = self._connect()
        elif self.sent < len(HELLO) - 1:
            self.connection.send(HELLO[self.sent : self.sent + 1])
            self.sent += 1
        self.net.loop.after(SECOND, self._second)


HELLOS = {"an octet a second": 1, "100 octets, then one a second": 100, "whole hellos, and nothing more": len(HELLO)}


def waits(
    image: Path,
    siege: Callable[[Net, Host], object],
    connections: int,
    hosts: int,
    count: int,
    *,
    newcomer_of: str = "10.2.0.{}",
    seed: int = 1,
) -> list[float]:
    """Returns the seconds that each newcomer waits."""
    found = []
    with Engine(image, seed=seed) as engine:
        engine.keeps_frames = True
        net = Net(engine, up=Impairment(delay_us=MS // 2), seed=seed)
        for number in range(connections):
            siege(net, net.host(f"10.1.0.{1 + number % hosts}"))
        net.idle(BEGIN_S)
        for number in range(count):
            begin_us = net.loop.now_us
            client = net.host(newcomer_of.format(1 + number)).client(LINUX)
            client.ask(SMALL_TARGET)
            found.append(waited(net, client, begin_us))
            net.loop.run(for_us=max(0, begin_us + SECOND - net.loop.now_us))
    return found


def hello_image(slots: int) -> Path:
    files = application_of("hellos", {f"{newcomer.SMALL}.bin": content(newcomer.SMALL)})
    overrides = {"connections": slots, "buffer": 8192, **secured.settings()}
    return build(files, target="inprocess", overrides=overrides).image


def hello_waits(image: Path, first: int, connections: int, count: int, *, one_host: bool = False) -> list[float]:
    """Returns the same by HTTPS, beside clients with slow hellos. one_host: all clients and newcomers share a host."""
    found = []
    with Engine(image, key=secured.device_key()) as engine:
        engine.keeps_frames = True
        net = Net(engine, up=Impairment(delay_us=MS // 2))
        for number in range(connections):
            Greeter(net, net.host(f"10.1.0.{1 + (0 if one_host else number)}"), first)
        net.idle(BEGIN_S)
        for number in range(count):
            begin_us = net.loop.now_us
            client = secured.Secured(net, LINUX, address=ONE_HOST if one_host else f"10.2.0.{1 + number}")
            client.ask(SMALL_TARGET)
            found.append(_hello_waited(net, client, begin_us))
            net.loop.run(for_us=max(0, begin_us + SECOND - net.loop.now_us))
    return found


def _hello_waited(net: Net, client: secured.Secured, begin_us: int) -> float:
    over: list[bool] = []
    net.loop.at(begin_us + PATIENCE_S * SECOND, lambda: over.append(True))
    net.loop.run(lambda: bool(over or client.responses) or client.has_ended)
    client.connection.abort()
    return (net.loop.now_us - begin_us) / SECOND if client.responses else float(PATIENCE_S)


def list_octets() -> tuple[int, int]:
    """Returns flash and RAM of the drivers' lists of frames: drivers/later.c, fair.c, frames.c, promised.c."""
    files = application_of("newcomer", {f"{size}.bin": content(size) for size in (newcomer.SMALL, BIG)})
    there = build(files, target="linux").image.parent
    objects = [next(there.rglob(f"{name}.c.o")) for name in ("later", "fair", "frames", "promised")]
    lines = subprocess.run(["size", *objects], check=True, capture_output=True, text=True).stdout.splitlines()[1:]
    sizes = [tuple(map(int, line.split()[:3])) for line in lines]
    return sum(text + data for text, data, _ in sizes), sum(data + bss for _, data, bss in sizes)


def measure(progress: Progress, *, reduced: bool) -> Iterator[Found]:
    count = REDUCED_NEWCOMERS if reduced else NEWCOMERS
    rows, longest = [], dict.fromkeys((*HOSTS, "100_slow_hellos", "partial_of_its_host"), 0.0)

    def note(slots: int, siege: str, hosts: str, seconds: list[float]) -> None:
        rows.append((str(slots), siege, hosts.replace("_", " "), f"{max(seconds):.3f}"))
        longest[hosts] = max(longest[hosts], *seconds)

    for number, slots in enumerate(SLOTS):
        there = newcomer.image(slots)
        for siege, kind in SIEGES.items():
            progress(f"newcomers beside {siege}, {slots} slots", number / len(SLOTS))
            for hosts, (connections, host_cnt) in HOSTS.items():
                note(slots, siege, hosts, waits(there, kind, connections, host_cnt, count))
        drips = waits(there, Dripper, SAME_HOST, 1, count, newcomer_of=ONE_HOST)
        note(slots, "senders of an octet in half a second", "partial_of_its_host", drips)
        there = hello_image(slots)
        for siege, first in HELLOS.items():
            progress(f"newcomers by HTTPS beside hellos of {siege}, {slots} slots", number / len(SLOTS))
            note(slots, siege, "100_slow_hellos", hello_waits(there, first, SLOW_HELLOS, count))
            if first < len(HELLO):
                hellos = hello_waits(there, first, SLOW_HELLOS, count, one_host=True)
                note(slots, f"hellos of {siege}", "partial_of_its_host", hellos)
    beside = "the longest wait of a newcomer, seven kinds of clients that keep their slots, 4 and 64 slots"
    for hosts in HOSTS:
        yield Figure(f"newcomer_beside_{hosts}_seconds", beside, round(longest[hosts], 3), "s", BOUND_S[hosts])
    hello = "the longest wait of a newcomer by HTTPS beside 100 hosts with slow or single hellos, 4 and 64 slots"
    seconds = round(longest["100_slow_hellos"], 3)
    yield Figure("newcomer_beside_100_slow_hellos_seconds", hello, seconds, "s", HELLO_BOUND_S)
    own = "the longest wait of a whole request beside 300 partial ones of its own host, of a hello beside 100"
    seconds = round(longest["partial_of_its_host"], 3)
    yield Figure("newcomer_beside_partial_of_its_host_seconds", own, seconds, "s", SAME_HOST_BOUND_S)
    flash, ram = list_octets()
    yield Figure("kept_frames_flash", "drivers/later.c, fair.c, frames.c and promised.c on Linux: flash", flash, "B")
    yield Figure("kept_frames_ram", "... RAM, for 1 024 frames of 1 518 octets", ram, "B")
    columns = ("slots", "siege", "from", "longest")
    yield Sheet(f"{count} newcomers beside connections of few hosts, and slow hellos: seconds", columns, rows)
