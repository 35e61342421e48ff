# SPDX-License-Identifier: MIT
"""Frames joined for a TAP device (drivers/joined.c): after Linux cuts them they equal the segments passed. The device
is a socket that keeps messages apart, so that each write is visible."""

import ctypes
import os
import random
import socket
import struct
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from whit.paths import ROOT
from whit.wire.packet import Ethernet, Flags, Ipv4, Segment, checksum, ip

OURS, THEIRS, OTHER = ip("10.7.0.2"), ip("10.7.0.1"), ip("10.7.0.3")
MACS = b"\2\0\0\0\0\1", b"\2\0\0\0\0\2"
PLAIN, TCPV4, NEEDS_CSUM = 0, 1, 1  # of struct virtio_net_hdr
HEAD = 54  # octets of a frame before its data
FULL = 1440
PLACES = 1024  # of joined.c


def frame(seq: int, data: bytes | int, flags: Flags = Flags.A, *, port: int = 40000, **fields: object) -> bytes:
    payload = random.Random(seq).randbytes(data) if isinstance(data, int) else data
    segment = Segment(80, port, seq, 7, flags, 5840, payload)
    datagram = Ipv4(OURS, THEIRS, 6, b"")
    for name, value in fields.items():
        setattr(segment if hasattr(segment, name) else datagram, name, value)
    datagram.payload = segment.pack(datagram.src, datagram.dst)
    return Ethernet(*MACS, 0x0800, datagram.pack()).pack(False)


def cut(message: bytes) -> list[bytes]:
    """Cuts a message as Linux does for a wire: each part has gso_size octets of data; only the last has PSH and FIN."""
    flags, kind, head_len, size, start, offset = struct.unpack("=BBHHHH", message[:10])
    octets = message[10:]
    if kind == PLAIN:
        assert flags == 0
        return [octets]
    assert (flags, kind, head_len, start, offset) == (NEEDS_CSUM, TCPV4, HEAD, 34, 16)
    (total,) = struct.unpack_from(">H", octets, 16)
    assert total == len(octets) - 14 and checksum(octets[14:34]) == 0
    pseudo = octets[26:34] + struct.pack(">HH", 6, total - 20)
    (told,) = struct.unpack_from(">H", octets, 50)
    assert told == ~checksum(pseudo) & 0xFFFF
    whole = Segment(*struct.unpack(">HHII", octets[34:46]), Flags(octets[47]), struct.unpack(">H", octets[48:50])[0])
    datagram, data, cuts = Ipv4(octets[26:30], octets[30:34], 6, b""), octets[HEAD:], []
    for at in range(0, len(data), size):
        last = at + size >= len(data)
        one = replace(whole, seq=whole.seq + at, payload=data[at : at + size])
        one.flags = whole.flags if last else whole.flags & ~(Flags.P | Flags.F)
        datagram.payload = one.pack(datagram.src, datagram.dst)
        cuts.append(octets[:14] + datagram.pack())
    return cuts


class Device:
    """A device that records the writes to it."""

    def __init__(self, image: Path) -> None:
        self.joined = ctypes.CDLL(str(image))
        self.ours, self.theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.ours.setblocking(False)
        self.theirs.setblocking(False)

    def open(self, *, has_header: bool = True) -> None:
        self.joined.joined_open(self.ours.fileno(), has_header)

    def send(self, *frames: bytes) -> None:
        for octets in frames:
            self.joined.joined_send(octets, ctypes.c_size_t(len(octets)))

    def written(self) -> list[bytes]:
        messages = []
        try:
            while True:
                messages.append(self.theirs.recv(1 << 17))
        except BlockingIOError:
            return messages

    def flushed(self) -> list[bytes]:
        self.joined.joined_flush()
        return self.written()


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("joined") / "joined.so"
    flags = ("-shared", "-fPIC", "-O1", "-D_GNU_SOURCE", "-I", ROOT / "drivers", "-I", ROOT / "include")
    subprocess.run(["cc", *flags, ROOT / "drivers" / "joined.c", "-o", made], check=True)
    return made


@pytest.fixture
def device(image: Path) -> Iterator[Device]:
    made = Device(image)
    made.open()
    yield made
    made.joined.joined_flush()
    made.ours.close()
    made.theirs.close()


def row(count: int, *, begin: int = 1000, port: int = 40000) -> list[bytes]:
    return [frame(begin + at * FULL, FULL, port=port) for at in range(count)]


def test_burst_is_one_write(device: Device) -> None:
    frames = [*row(9), frame(1000 + 9 * FULL, 500, Flags.A | Flags.P)]
    device.send(*frames)
    (message,) = device.flushed()
    assert cut(message) == frames
    assert device.flushed() == []


def test_lone_segment_is_what_it_was(device: Device) -> None:
    (only,) = row(1)
    device.send(only)
    assert device.flushed() == [bytes(10) + only]


@pytest.mark.parametrize("last", [Flags.A | Flags.P, Flags.A | Flags.F, Flags.A | Flags.P | Flags.F])
def test_nothing_follows_psh_and_fin(device: Device, last: Flags) -> None:
    frames = [*row(2), frame(1000 + 2 * FULL, FULL, last), frame(1000 + 3 * FULL, FULL)]
    device.send(*frames)
    first, second = device.flushed()
    assert cut(first) == frames[:3] and cut(second) == frames[3:]


def test_nothing_follows_a_shorter_segment(device: Device) -> None:
    frames = [*row(2), frame(1000 + 2 * FULL, 700), frame(1000 + 2 * FULL + 700, 700)]
    device.send(*frames)
    first, second = device.flushed()
    assert cut(first) == frames[:3] and cut(second) == frames[3:]


NEVER: dict[str, Callable[[int], bytes]] = {
    "a gap": lambda seq: frame(seq + 1, FULL),
    "octets that were sent": lambda seq: frame(seq - 32, FULL),
    "the same again": lambda seq: frame(seq - FULL, FULL),
    "a longer one": lambda seq: frame(seq, FULL + 1),
    "another acknowledgment": lambda seq: frame(seq, FULL, ack=8),
    "another window": lambda seq: frame(seq, FULL, wnd=5841),
    "another flag": lambda seq: frame(seq, FULL, Flags.A | Flags.E),
    "an urgent pointer": lambda seq: frame(seq, FULL, urgent=1),
    "an option": lambda seq: frame(seq, FULL - 4, options=b"\1\1\1\0"),
    "another host": lambda seq: frame(seq, FULL, dst=OTHER),
    "another source": lambda seq: frame(seq, FULL, src=OTHER),
    "another port of ours": lambda seq: frame(seq, FULL, sport=81),
    "another connection": lambda seq: frame(seq, FULL, port=40001),
    "a connection of the same place": lambda seq: frame(seq, FULL, port=40000 + PLACES),
    "another time to live": lambda seq: frame(seq, FULL, ttl=63),
    "a fragment": lambda seq: frame(seq, FULL, fragment=0x2000),
}


@pytest.mark.parametrize("what", NEVER)
def test_never_joined(device: Device, what: str) -> None:
    frames = [*row(2), NEVER[what](1000 + 2 * FULL)]
    device.send(*frames)
    first, second = device.flushed()
    assert cut(first) == frames[:2] and cut(second) == frames[2:]


def test_other_links_frames_go_at_once(device: Device) -> None:
    arp = Ethernet(*MACS, 0x0806, bytes(28)).pack(False)
    device.send(arp)
    assert device.written() == [bytes(10) + arp]


@pytest.mark.parametrize("flags", [Flags.A, Flags.R | Flags.A, Flags.F | Flags.A])
def test_empty_segment_comes_after_what_was_sent_before(device: Device, flags: Flags) -> None:
    frames, empty = row(3), frame(1000 + 3 * FULL, 0, flags)
    device.send(*frames, empty)
    first, second = device.written()
    assert cut(first) == frames and cut(second) == [empty]


def test_no_more_than_a_datagram_holds(device: Device) -> None:
    frames = row(100)
    device.send(*frames)
    messages = device.flushed()
    assert [octets for message in messages for octets in cut(message)] == frames
    assert len(messages) == 3 and all(len(message) <= 10 + 14 + 65535 for message in messages)


def test_connections_that_take_turns_are_joined(device: Device) -> None:
    rows = [row(8, port=port) for port in range(40000, 40008)]
    device.send(*(octets for turn in zip(*rows, strict=True) for octets in turn))
    assert [cut(message) for message in device.flushed()] == rows


def test_each_connection_gets_its_segments_in_order(device: Device) -> None:
    draw = random.Random(os.environ.get("WHIT_SEED", "joined"))
    ports = (40000, 40001, 40000 + PLACES)
    for _ in range(200):
        sent: dict[int, list[bytes]] = {port: [] for port in ports}
        got: dict[int, list[bytes]] = {port: [] for port in ports}
        at = dict.fromkeys(ports, 2**32 - 3000)
        for _ in range(draw.randrange(1, 60)):
            port, length = draw.choice(ports), draw.choice((0, 1, 100, FULL, FULL, FULL, 1457))
            flags = draw.choice((Flags.A, Flags.A, Flags.A, Flags.A | Flags.P, Flags.A | Flags.F))
            sent[port].append(frame(at[port] & 0xFFFFFFFF, length, flags, port=port))
            device.send(sent[port][-1])
            at[port] += draw.choice((length, length, length, 0))
        for message in device.flushed():
            for octets in cut(message):
                got[struct.unpack_from(">H", octets, 36)[0]].append(octets)
        assert got == sent


def test_without_a_header_nothing_is_joined(device: Device, capfd: pytest.CaptureFixture[str]) -> None:
    device.open(has_header=False)
    frames = row(3)
    device.send(*frames)
    assert device.flushed() == frames
    assert len(capfd.readouterr().err.splitlines()) == 1


def test_kernel_that_refuses_is_asked_once(device: Device, capfd: pytest.CaptureFixture[str]) -> None:
    descriptor = ctypes.CDLL(None).timerfd_create(1, 0)  # to write to it is EINVAL
    device.joined.joined_open(descriptor, True)
    device.send(*row(3))
    assert device.flushed() == []
    os.dup2(device.ours.fileno(), descriptor)
    frames = row(5)
    device.send(*frames)
    assert device.flushed() == [bytes(10) + octets for octets in frames]
    said = capfd.readouterr().err
    assert "takes no joined segments" in said and len(said.splitlines()) == 1
    os.close(descriptor)


def test_full_device_loses_what_it_refuses(device: Device, capfd: pytest.CaptureFixture[str]) -> None:
    """The device returns EAGAIN, as any link may; joining continues."""
    frames = row(40)
    for _ in range(20):
        device.send(*frames)
        device.joined.joined_flush()
    assert 0 < len(device.written()) < 20
    device.send(*frames)
    (message,) = device.flushed()
    assert cut(message) == frames
    assert capfd.readouterr().err == ""
