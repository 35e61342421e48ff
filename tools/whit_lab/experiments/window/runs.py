# SPDX-License-Identifier: MIT
"""Downloads over Ethernet from the engine, a model server or lwIP, in virtual time: bytes a second."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from whit.errors import WhitError
from whit.image.build import BuildResult, build
from whit.model.policy import AckPolicy, Options
from whit.paths import ROOT
from whit.wire.http import parse_response, request
from whit.wire.units import MS, SECOND
from whit_lab import papers
from whit_lab.instruments.served import content, files_application
from whit_testbed.classic import Behaviour, Classic
from whit_testbed.client import Connection, State
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment
from whit_testbed.lwip import MSS, Content, Lwip
from whit_testbed.net import Net, Server

RATE = papers.ETHERNUT_BITS_PER_S // 8  # bytes a second, each way
FRAMING = 24  # bytes: preamble 8, FCS 4, gap 12
FRAME_MIN = 60  # bytes, without FCS
HEADS = 54  # bytes: Ethernet, IP, TCP
DELAYS_MS = (0, 10, 20)  # of a round trip, in the client's direction
ACK = {"off": AckPolicy.EVERY, "on": AckPolicy.DELAYED}
DELAYED_ACK_US = 200 * MS
FILE = papers.UIP_FILE  # bytes with one or two in flight, at most
WINDOWS_MAX = 1000  # most windows of the file
LARGE = 400_000  # bytes with more in flight
LARGE_REDUCED = 200_000
BUFFERS = (192, 256, 512, 768, 1024, 1536, 2048)  # bytes, of the application with a generator
KEEP = "Connection: keep-alive"


@dataclass(frozen=True)
class Download:
    """Results of a download.

    kb_s: after a quarter of the bytes, content only, in thousands a second. held: most bytes of RAM that the server
    used: for sent data, rerun points, arguments.
    """

    kb_s: float
    held: int = 0


def client(delayed: str, *, window: int = 65535, mss: int = MSS) -> Options:
    """Returns options. delayed: acknowledgments, "off" or "on"."""
    return Options(mss=mss, window=window, ack=ACK[delayed], delayed_ack=DELAYED_ACK_US)


def frame_us(payload: int) -> float:
    """Returns the time for which a frame with `payload` bytes of data occupies one direction."""
    return (max(FRAME_MIN, HEADS + payload) + FRAMING) * SECOND / RATE


def limit_kb_s(mss: int = MSS) -> float:
    """Returns the throughput of full segments without a pause."""
    return mss / frame_us(mss) * 1000


def formula_kb_s(window: int, in_flight: int, delay_ms: int, delayed: str) -> float:
    """Returns the throughput of one or two segments in flight that share a window.

    A round trip is the data, the delay and an acknowledgment. A single segment waits for a delayed one; the second of
    two is acknowledged at once.
    """
    segment = window // in_flight
    data_us, trip_us = frame_us(segment), delay_ms * MS + frame_us(0)
    if in_flight == 1:
        round_us = data_us + trip_us + (DELAYED_ACK_US if delayed == "on" else 0)
    elif delayed == "on":
        round_us = 2 * data_us + trip_us
    else:
        round_us = max(2 * data_us, data_us + trip_us)
    return segment * in_flight / round_us * 1000


def file_image() -> Path:
    """Builds a file in flash: S0."""
    return build(files_application((LARGE, LARGE_REDUCED)), target="inprocess", meter=True).image


def generator(buffer: int = BUFFERS[-1]) -> BuildResult:
    """Builds a generator of null bytes: S4."""
    return build(ROOT / "lab" / "window", target="inprocess", meter=True, overrides={"buffer": buffer})


def from_engine(
    image: Path, octets: int, options: Options, delay_ms: int, seed: int, *, generated: bool = False
) -> Download:
    target, body = (f"/zeros?length={octets}", bytes(octets)) if generated else (f"/{octets}.bin", content(octets))
    with Engine(image, seed=seed) as engine:
        return Download(_kb_s(engine, target, body, options, delay_ms, seed), sum(engine.meter.held_max))


def from_model(window: int, in_flight: int, delayed: str, delay_ms: int, seed: int) -> Download:
    """Runs the model server with `in_flight` segments in flight, which share the window."""
    body = bytes(min(FILE // window, WINDOWS_MAX) * window)
    server = model(body, window, in_flight)
    return Download(_kb_s(server, "/", body, client(delayed), delay_ms, seed), window)


def model(body: bytes, window: int, in_flight: int) -> Classic:
    head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body)
    return Classic(lambda target: (head, body), Behaviour(in_flight=in_flight, mss=window // in_flight))


@dataclass(frozen=True)
class Peer:
    """lwIP as a peer. sizes: of its memory (lwip_build.sizes_32)."""

    library: Path
    sizes: Mapping[str, int] | None

    def download(
        self, octets: int, snd_buf: int, write_max: int, options: Options, delay_ms: int, seed: int
    ) -> Download:
        body = bytes(octets)
        with self.start(body, snd_buf, write_max) as server:
            kb_s = _kb_s(server, "/zeros", body, options, delay_ms, seed)
            return Download(kb_s, server.held_max.transfer)

    def start(self, body: bytes, snd_buf: int, write_max: int) -> Lwip:
        contents = {"/zeros": Content(body, generated=True)}
        return Lwip(self.library, contents, snd_buf=snd_buf, write_max=write_max, sizes=self.sizes)


def opened(server: Server, options: Options, delay_ms: int, seed: int) -> tuple[Net, Connection]:
    """Opens a connection on the line."""
    up = Impairment(delay_us=delay_ms * MS, rate=RATE, overhead=FRAMING)
    net = Net(server, up=up, down=Impairment(rate=RATE, overhead=FRAMING), seed=seed)
    for link in (net.up, net.down):
        link.wire_len = lambda frame: max(FRAME_MIN, len(frame))
    connection = net.host().connect(options)
    net.loop.run(lambda: connection.state is State.OPEN)
    net.idle(1)
    return net, connection


def _kb_s(server: Server, target: str, body: bytes, options: Options, delay_ms: int, seed: int) -> float:
    net, connection = opened(server, options, delay_ms, seed)
    stream = connection.input.stream
    arrivals: list[tuple[int, int]] = []

    def ended() -> bool:
        whole = len(stream) > len(body) and (stream.endswith(b"\r\n0\r\n\r\n") or _by_length(stream, len(body)))
        return whole or connection.peer_closed or connection.reset

    connection.on_data = lambda: arrivals.append((net.loop.now_us, len(stream)))
    connection.send(request(target, KEEP))
    net.loop.run(ended, for_us=100_000 * SECOND)
    response = parse_response(bytes(stream), closed=connection.peer_closed)
    if response is None or response.status != 200 or response.body != body:
        raise WhitError(f"lab: {target}: {len(stream)} octets came, expected 200 and {len(body)} octets of content", 1)
    return _steady(arrivals, len(body) / len(response.raw))


def _by_length(stream: bytearray, length: int) -> bool:
    head = stream.find(b"\r\n\r\n", 0, 1000)
    return b"\r\nContent-Length: " in stream[:head] and len(stream) >= head + 4 + length


def _steady(arrivals: Sequence[tuple[int, int]], share: float) -> float:
    """Returns the steady rate. share: content among the received bytes."""
    end_us, octets = arrivals[-1]
    begin_us, before = next(arrival for arrival in arrivals if arrival[1] >= octets / 4)
    return round((octets - before) * share / (end_us - begin_us) * 1000, 3)
