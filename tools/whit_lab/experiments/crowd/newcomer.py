# SPDX-License-Identifier: MIT
"""Besiegers that hold every slot, and the wait of an honest newcomer beside them. Virtual time."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from whit.image.build import build
from whit.model.policy import AckPolicy, Options
from whit.wire.http import request
from whit.wire.units import MS, SECOND
from whit_lab.experiment import Bars, Figure, Found, Progress, Sheet
from whit_lab.experiments.crowd.soak import LINUX
from whit_lab.instruments.served import BIG, application_of, content
from whit_testbed.engine import Engine
from whit_testbed.http import Client
from whit_testbed.link import Impairment
from whit_testbed.net import Host, Net

SLOTS = (4, 64)
NEWCOMERS, REDUCED_NEWCOMERS = 20, 5
BEGIN_S = 5  # all besiegers are connected when the first newcomer comes; then one comes each second
PATIENCE_S = 60
SMALL = 33  # bytes of the newcomers' file
READ = 2  # bytes that a slow reader takes each second
BIG_TARGET, SMALL_TARGET = f"/{BIG}.bin", f"/{SMALL}.bin"


class Besieger:
    """Holds a slot in its way, and reconnects when it is evicted."""

    options = LINUX

    def __init__(self, net: Net, host: Host) -> None:
        self.net, self.host = net, host
        self.seconds = 0  # of its connection
        self.client = self._connect()
        net.loop.after(SECOND, self._second)

    def _connect(self) -> Client:
        self.seconds = 0
        client = self.host.client(self.options)
        self.begin(client)
        return client

    def _second(self) -> None:
        self.seconds += 1
        if self.client.ended or self.client.connection.reset:
            self.client = self._connect()
        else:
            self.hold(self.client)
        self.net.loop.after(SECOND, self._second)

    def begin(self, client: Client) -> None:
        client.ask(BIG_TARGET)

    def hold(self, client: Client) -> None: ...


class Reader(Besieger):
    """Reads some bytes of a large file each second."""

    options = Options(window=READ, rto_min=200 * MS)

    def begin(self, client: Client) -> None:
        super().begin(client)
        client.connection.pause()

    def hold(self, client: Client) -> None:
        client.connection.resume()
        client.connection.pause()


class SegmentReader(Reader):
    """Reads a segment each second."""

    options = Options(window=1460, rto_min=200 * MS)


class LateAcknowledger(Besieger):
    """Always has room for a segment, and acknowledges data after most of a second."""

    options = Options(window=1460, ack=AckPolicy.LATE, delayed_ack=900 * MS, rto_min=200 * MS)


class Vanished(Besieger):
    """Vanishes in the middle of a transfer, and is replaced by another client."""

    options = Options(window=2920, rto_min=200 * MS)

    def begin(self, client: Client) -> None:
        super().begin(client)
        received = client.connection.on_data

        def data() -> None:
            received()
            if len(client.connection.input.stream) > 10_000:
                client.connection.vanish()

        client.connection.on_data = data


class Sender(Besieger):
    """Sends a byte of its request each second."""

    octets = request(BIG_TARGET)

    def begin(self, client: Client) -> None:
        client.connection.send(self.octets[:1])

    def hold(self, client: Client) -> None:
        if self.seconds < len(self.octets):
            client.connection.send(self.octets[self.seconds : self.seconds + 1])


# The besiegers, and their number beside one for each slot.
SIEGES: Mapping[str, tuple[type[Besieger], int]] = {
    "readers of two octets a second": (Reader, 0),
    "readers of a segment a second": (SegmentReader, 0),
    "readers that acknowledge a segment in a second": (LateAcknowledger, 0),
    "clients that vanish in mid-transfer": (Vanished, 0),
    "senders of an octet a second": (Sender, 96),
}
# The engine never evicts a host whose only slot makes progress. These besiegers keep their slots as long as their
# transfer lasts. A newcomer waits until one of these ends, at most for one transfer.
TRANSFER_S = 36  # 57 254 bytes, 1 456 in 0.9 s
PROTECTED_FROM = "each a host"
PROTECTED = ("readers of a segment a second", "readers that acknowledge a segment in a second")
HOSTS: Mapping[str, Callable[[int], str]] = {
    "each a host": lambda number: f"10.1.{number // 250}.{1 + number % 250}",
    "one host": lambda number: "10.1.0.1",
}


def measure(progress: Progress, *, reduced: bool) -> Iterator[Found]:
    waits: dict[tuple[int, str, str], list[float]] = {}
    count = REDUCED_NEWCOMERS if reduced else NEWCOMERS
    for slots in SLOTS:
        there = image(slots)
        for siege in SIEGES:
            progress(f"newcomers beside {siege}, {slots} slots", len(waits) / (len(SLOTS) * len(SIEGES) * len(HOSTS)))
            for hosts in HOSTS:
                waits[slots, siege, hosts] = newcomers(there, slots, siege, hosts, count)
    beside = "the longest wait of a newcomer for a small file, beside {} that hold all slots, 4 and 64"
    longest = [0.0, 0.0]  # beside the others, beside the protected ones
    for (_, siege, hosts), seconds in waits.items():
        protected = siege in PROTECTED and hosts == PROTECTED_FROM
        longest[protected] = max(longest[protected], *seconds)
    slow = "slow readers, slow senders and clients"
    movers = "hosts with one transfer each, of a segment a second,"
    yield Figure("newcomer_seconds", beside.format(slow), round(longest[0], 3), "s", 2)
    yield Figure("newcomer_beside_movers_seconds", beside.format(movers), round(longest[1], 3), "s", TRANSFER_S)
    rows = [
        (str(slots), siege, hosts, f"{sorted(seconds)[len(seconds) // 2]:.3f}", f"{max(seconds):.3f}")
        for (slots, siege, hosts), seconds in waits.items()
    ]
    title = f"{count} newcomers one after the other, each for {SMALL} octets from the SYN on, beside a siege: seconds"
    yield Sheet(title, ("slots", "siege", "from", "median", "longest"), rows)
    bars = {f"{siege}, {slots} slots, {hosts}": max(seconds) for (slots, siege, hosts), seconds in waits.items()}
    yield Bars("The longest wait of a newcomer", "seconds", bars)


def image(slots: int) -> Path:
    files = application_of("newcomer", {f"{size}.bin": content(size) for size in (SMALL, BIG)})
    return build(files, target="inprocess", overrides={"connections": slots}).image


def newcomers(image: Path, slots: int, siege: str, hosts: str, count: int, *, seed: int = 1) -> list[float]:
    """Returns the seconds that each newcomer waits; PATIENCE_S if it got no answer."""
    kind, more = SIEGES[siege]
    found = []
    with Engine(image, seed=seed) as engine:
        engine.keeps_frames = True
        net = Net(engine, up=Impairment(delay_us=MS // 2), seed=seed)
        for number in range(slots + more):
            kind(net, net.host(HOSTS[hosts](number)))
        net.idle(BEGIN_S)
        for number in range(count):
            begin_us = net.loop.now_us
            client = net.host(f"10.2.0.{1 + number}").client(LINUX)
            client.ask(SMALL_TARGET)
            found.append(waited(net, client, begin_us))
            net.loop.run(for_us=max(0, begin_us + SECOND - net.loop.now_us))
    return found


def waited(net: Net, client: Client, begin_us: int) -> float:
    """Waits for the response, a reset, or the end of the newcomer's patience; then the newcomer leaves."""
    over: list[bool] = []
    net.loop.at(begin_us + PATIENCE_S * SECOND, lambda: over.append(True))
    net.loop.run(lambda: bool(over) or not client.waiting or client.ended)
    answered = bool(client.responses) and client.responses[0].status == 200
    client.connection.abort()
    return (net.loop.now_us - begin_us) / SECOND if answered else float(PATIENCE_S)
