# SPDX-License-Identifier: MIT
"""The small and the fast kind of the engine behave alike, for mutated requests split at random: answers, counters and
the log agree. Every segment of their responses agrees too, for all windows, MSS and losses."""

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.harness import opened
from tests.support import MADE_FILES, built, target
from whit.model.policy import AckPolicy, Options
from whit.paths import ROOT
from whit.wire.packet import IPV4, TCP_PROTOCOL, Ethernet, Ipv4, Segment, flags_of, ip, mss_option
from whit.wire.units import MS
from whit_testbed import engine as sim_engine
from whit_testbed.engine import Engine, SharedObject
from whit_testbed.http import Client
from whit_testbed.link import Impairment
from whit_testbed.net import Net

pytestmark = pytest.mark.skipif(target() != "inprocess", reason="looks at kinds of the in-process engine")

REQUESTS = 2500  # for each application
RESET = 16  # requests, after which both start anew
CLIENT, CLIENT_MAC = ip("10.0.0.2"), bytes.fromhex("0200aabbcc02")
HEADERS = 54  # octets of a frame before the segment's data
SEQ = slice(38, 42)

METHODS = ("GET", "GET", "GET", "GET", "HEAD", "POST", "POST", "PUT", "BREW")
PATHS = (
    "/", "/n33.bin", "/prose.txt", "/typed?octet=1&number=2&text=a+%62", "/form", "/form?octet=3", "/n1.bin?a",
    "/%6e1.bin", "http://a.b:80/n1.bin", "http://[::1]:8/", "http://h", "http://h?x", "*", "/upload",
    "/page?what=plain", "/plain_volatile?len=9",
)  # fmt: skip
VERSIONS = ("HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/1.7", "HTTP/2.0")
LINES = (
    "Host: a", "Host: a.b:80", "hOST:\t[::1]:80 ", "Host: a,b", "Connection: close", "Connection: keep-alive, x",
    "Accept-Encoding: gzip;q=0.5, br , deflate", "Accept-Encoding: gzip;q=0.00, x-gzip; q=0", "Accept-Encoding: br;q=1",
    'If-None-Match: "00000000", W/"1234abcd"', 'If-None-Match: "x", *', "If-Match: *", 'If-Match: W/"01234567" , "0"',
    "Content-Length: 7", "Content-Length: 99999999999", "Content-Length:\t0 ", "Transfer-Encoding: chunked",
    "Transfer-Encoding: , gzip", "Expect: 100-continue", "Content-Type: application/x-www-form-urlencoded",
    "Content-Type: text/plain;a=b", "User-Agent: Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 \xfc\x80\xff end",
    "X: \t", "Connectio: x", "Content-Lengthy: 3", "Accept: text/html,application/xhtml+xml;q=0.9,*/*;q=0.8",
)  # fmt: skip
OCTETS = b'\r\n \t:,;"/?%Aa0*W\0\x1f\x7f\x80\xff'


class Pair:
    """The two kinds, which get the same frames and must send the same."""

    def __init__(self, directory: Path) -> None:
        # More than 64 idle places, so that both kinds use tags of 32 bits.
        limits = {"connections": 8, "idle": 65, "target_max": 64, "fields_max": 260}
        self.engines = [opened(directory, log=True, heads=heads, **limits) for heads in ("octets", "code")]
        self.port = 20000

    def frame(self, segment: Segment, split: list[int] | None = None) -> list[bytes]:
        server = self.engines[0].identity
        datagram = Ipv4(CLIENT, server.address, TCP_PROTOCOL, segment.pack(CLIENT, server.address))
        frame = Ethernet(server.mac, CLIENT_MAC, IPV4, datagram.pack()).pack()
        sent = []
        for engine in self.engines:
            engine.frame_in(frame, split)
            sent.append(engine.frames_out())
        assert sent[0] == sent[1]
        return sent[0]

    def request(self, octets: bytes, rng: random.Random) -> bytes:
        """Sends a request on a new connection, and returns the answer."""
        self.port = self.port + 1 if self.port < 60000 else 20000
        seq, answer = 1, b""
        [accepted] = self.frame(self._segment("S", 0, 0, b"", mss_option(1460)))
        ack = int.from_bytes(accepted[SEQ], "big") + 1
        for piece in pieces(octets, rng):
            split = sorted(rng.sample(range(1, HEADERS + len(piece)), 2)) if rng.random() < 0.3 else None
            answer += b"".join(frame[HEADERS:] for frame in self.frame(self._segment("PA", seq, ack, piece), split))
            seq += len(piece)
        self.frame(self._segment("RA", seq, ack, b""))
        return answer

    def compare(self) -> None:
        """Compares counters and logs, which are not on the wire; then resets both engines."""
        small, fast = self.engines
        assert small.counters == fast.counters
        assert small.take_log() == fast.take_log()
        for engine in self.engines:
            engine.reset()

    def close(self) -> None:
        for engine in self.engines:
            engine.close()

    def _segment(self, flags: str, seq: int, ack: int, payload: bytes, options: bytes = b"") -> Segment:
        return Segment(self.port, 80, seq, ack, flags_of(flags), payload=payload, options=options)


def pieces(octets: bytes, rng: random.Random) -> Iterator[bytes]:
    """Segments of it: one, or a few, or of some octets each."""
    most = rng.choice((1400, 1400, 100, 9))
    while octets:
        length = rng.randint(1, most) if most < 1400 else most
        yield octets[:length]
        octets = octets[length:]


def mutated(octets: bytes, rng: random.Random) -> bytes:
    for _ in range(rng.choice((0, 0, 1, 1, 2, 3))):
        at = rng.randrange(len(octets))
        if rng.random() < 0.3:
            at = max(octets.find(rng.choice((b"\r", b"\n", b":", b" "))[0], at), 0)
        cut = rng.randint(at, min(at + 30, len(octets)))
        kind = rng.randrange(7)
        if kind == 0:
            octets = octets[:at] + bytes([rng.choice(OCTETS)]) + octets[at + 1 :]
        elif kind == 1:
            octets = octets[:at] + octets[at + 1 :]  # of CR LF, one alone
        elif kind == 2:
            octets = octets[:at] + bytes([rng.choice(OCTETS)]) + octets[at:]
        elif kind == 3:
            octets = octets[:at] + octets[at:cut].swapcase() + octets[cut:]
        elif kind == 4:
            octets = octets[:cut] + octets[at:]
        elif kind == 5:
            octets = octets[:at] + bytes([rng.randrange(256)]) + octets[at + 1 :]
        else:
            octets = octets[:at] + rng.choice((b"a", b" ", b"0", b",")) * rng.randint(1, 300) + octets[at:]
    return octets


def a_request(rng: random.Random) -> bytes:
    lines = [rng.choice(LINES) for _ in range(rng.randint(0, 7))]
    host = ["Host: a"] if rng.random() < 0.8 and not any(line.lower().startswith("host") for line in lines) else []
    first = f"{rng.choice(METHODS)} {rng.choice(PATHS)} {rng.choice(VERSIONS)}"
    text = "".join(f"{line}\r\n" for line in [first, *host, *lines, ""])
    return mutated(text.encode("latin-1") + rng.choice((b"", b"", b"octet=7", b"GET / HTTP/1.1\r\n")), rng)


@pytest.mark.parametrize("name", ["basic", "bodies", "answers", "strategies"])
def test_same(application: Path, name: str, seed: int) -> None:
    rng = random.Random(f"{name} {seed}")
    pair = Pair(application if name == "basic" else ROOT / "tests" / "apps" / name)
    seen: Counter[bytes] = Counter()
    for number in range(REQUESTS):
        octets = a_request(rng)
        try:
            seen[pair.request(octets, rng)[9:12]] += 1
            if number % RESET == 0:
                pair.compare()
        except AssertionError:
            print(f"request {number}: {octets!r}")
            raise
    pair.close()
    assert min(seen[status] for status in (b"200", b"400", b"404", b"414", b"431", b"501", b"505")) >= 10, seen


class Both:
    """Both kinds of the library as one: every call goes to both, and both must return the same."""

    def __init__(self, images: list[Path]) -> None:
        self._kinds = [SharedObject(image) for image in images]

    def __getattr__(self, name: str) -> Any:
        small, fast = (getattr(kind, name) for kind in self._kinds)
        if not callable(small):
            return small

        def call(*arguments: Any) -> Any:
            said = small(*arguments)
            assert fast(*arguments) == said, name
            return said

        return call

    def whit_inprocess_take(self, to: Any, capacity: int) -> int:
        """A frame that was sent."""
        frames = []
        for kind in self._kinds:
            length = int(kind.whit_inprocess_take(to, capacity))
            frames.append((length, bytes(to[0 : max(length, 0)])))
        assert frames[0] == frames[1]
        return frames[0][0]


FILES = ("n57254.bin", "n57254.bin", "n4000.bin", "prose.txt", "n33.bin")
BESIDE = ("/lines?cnt=200", "/n9999.bin", "/typed?octet=9&number=-9&text=nine")
ROUNDS = 15


def loads(net: Net, rng: random.Random) -> int:
    """Clients that ask for some files each, and may be gone before they have them. Returns the octets that came."""
    clients: list[Client] = []
    for _ in range(rng.choice((1, 1, 2, 4))):
        host = net.host(f"10.0.0.{rng.randint(2, 4)}")
        window = rng.choice((rng.randint(20, 1600), rng.randint(1000, 9000), 65535))
        mss = rng.choice((88, 536, 1400, 1460, rng.randint(88, 1460)))
        client = host.client(Options(mss, window, rng.choice(list(AckPolicy)), rto_min=200 * MS))
        for _ in range(rng.randint(1, 3)):
            client.ask(rng.choice(BESIDE) if rng.random() < 0.2 else "/" + rng.choice(FILES))
        clients.append(client)
        net.loop.after(rng.randint(1, 3000) * MS, client.connection.abort if rng.random() < 0.2 else lambda: None)
    over: list[bool] = []
    net.loop.after(60_000 * MS, lambda: over.append(True))
    net.loop.run(lambda: bool(over) or all(client.ended or not client.waiting for client in clients))
    for client in clients:
        for response in client.responses:
            assert response.status != 200 or response.body in WHOLE, response.body[:40]
    return sum(len(response.body) for client in clients for response in client.responses)


WHOLE = {MADE_FILES[name] for name in FILES} | {
    b"9 -9 [nine] 0 0 0 0 0",
    b"".join(b"line %d\n" % (1000000000 + i) for i in range(200)),
}


@pytest.mark.parametrize(("link", "chunk", "connections"), [("ethernet", 32, 3), ("slip", 128, 3), ("ethernet", 4, 80)])
def test_same_segments(
    application: Path, monkeypatch: pytest.MonkeyPatch, seed: int, link: str, chunk: int, connections: int
) -> None:
    limits: dict[str, Any] = {"connections": connections, "chunk": chunk}
    images = [built(application, link=link, heads=heads, **limits).image for heads in ("octets", "code")]
    monkeypatch.setattr(sim_engine, "_load", lambda image: Both(images))
    octets = 0
    for number in range(ROUNDS):
        rng = random.Random(f"{link} {chunk} {seed} {number}")
        delay, loss, reorder = rng.choice((1, 20)) * MS, rng.choice((0, 0, 0.05, 0.2)), rng.choice((0, 0.2))
        harm = Impairment(delay_us=delay, loss=loss, reorder=reorder)
        with Engine(images[0], link=link, seed=number + 1) as engine:
            octets += loads(Net(engine, up=harm, down=harm, seed=number), rng)
    assert octets > 500_000
