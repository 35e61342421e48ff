# SPDX-License-Identifier: MIT
"""One check for each function of a web server that the papers compare, all in virtual time.

A check sends requests to the engine and observes its answers.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from whit.model.policy import Options
from whit.paths import ROOT
from whit.wire.http import request
from whit.wire.packet import TCP_PROTOCOL, Ethernet, Icmp, Ipv4, ip
from whit.wire.units import MS
from whit_lab.instruments.served import application_of
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment
from whit_testbed.net import Net
from whit_testbed.trace import Peer, Raw

SMALL, LARGE = 600, 8192  # bytes: less than a segment, and more than six
UDP = 17
MORE_FRAGMENTS = 0x2000
GET_SMALL = request("/small.txt")
CHUNK = 32  # bytes that a full segment may be below the MSS


def octets(length: int) -> bytes:
    """Returns the content of every resource of that length."""
    return bytes(ord("a") + (index + index // 26) % 26 for index in range(length))


def application() -> Path:
    files = {path.name: path.read_bytes() for path in (ROOT / "lab" / "functions").iterdir()}
    files |= {"small.txt": octets(SMALL), "large.txt": octets(LARGE)}
    return application_of("functions", files)


@dataclass(frozen=True)
class Seen:
    """A check's result: True if the engine has the function, and the observation."""

    has: bool
    what: str


Check = Callable[[Engine], Seen]


def udp(engine: Engine) -> Seen:
    raw = Raw(engine)
    raw.ipv4(UDP, bytes((0xC0, 0, 0, 7, 0, 12, 0, 0)) + b"ping")
    answers = [Ipv4.parse(Ethernet.parse(frame).payload) for _, frame in raw.queue]
    has = any(answer.protocol == UDP for answer in answers)
    return Seen(has, "ICMP port unreachable" if answers and not has else "nothing is answered")


def icmp(engine: Engine) -> Seen:
    raw = Raw(engine)
    payload = octets(56)
    raw.icmp(8, payload=payload)
    answered = bool(raw.queue) and Icmp.parse(raw.next_datagram().payload).payload == payload
    return Seen(answered, "echo")


def ip_options(engine: Engine) -> Seen:
    """Sends three NOPs, then an empty Record Route option."""
    peer = Peer(engine)
    segment = peer.make("S", mss=1460).pack(peer.address, peer.server)
    peer.ipv4(TCP_PROTOCOL, segment, options=bytes((1, 7, 7, 4, 0, 0, 0, 0)))
    return Seen(len(peer.queue) == 1, "passed over")


def ip_reassembly(engine: Engine) -> Seen:
    raw = Raw(engine)
    message = Icmp(8, 0, b"\0\1\0\1", octets(56)).pack()
    raw.ipv4(1, message[:32], fragment=MORE_FRAGMENTS, identification=7)
    raw.ipv4(1, message[32:], fragment=32 // 8, identification=7)
    dropped = engine.counters["drop_ip_fragment"]
    return Seen(bool(raw.queue), f"{dropped} of 2 fragments dropped")


def tcp_options(engine: Engine) -> Seen:
    """Window scale, SACK, time stamps and an unknown option precede the MSS. Time stamps come with data too."""
    stamps = bytes((8, 10, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1))
    peer = Peer(engine)
    peer.send("S", options=bytes((3, 3, 7, 4, 2, 254, 4, 1, 1, 1)) + stamps[:10] + bytes((2, 4, 200 >> 8, 200 & 255)))
    peer.expect("SA", ack=1)
    peer.send("A", seq=1, ack=1)
    peer.send("PA", seq=1, ack=1, payload=request("/large.txt"), options=stamps)
    longest = max((len(segment.payload) for segment in peer.take_all()), default=0)
    return Seen(200 - CHUNK <= longest <= 200, "walked through; the MSS is used")


def urgent_data(engine: Engine) -> Seen:
    peer = Peer(engine)
    peer.handshake()
    peer.send("PAU", seq=1, ack=1, payload=GET_SMALL, urgent=3)
    answer = b"".join(segment.payload for segment in peer.take_all())
    return Seen(answer.endswith(octets(SMALL)), "taken in line")


def _repeated_after_ms(engine: Engine, rtt_ms: int, address: str) -> int:
    """Returns the time until an unacknowledged segment is retransmitted, after five round trips of `rtt_ms`."""
    peer = Peer(engine, address=address, mac=b"\x02\x00" + ip(address))
    peer.handshake()
    seq = at = 1
    for _ in range(5):
        peer.send("PA", seq=seq, ack=at, payload=GET_SMALL)
        seq += len(GET_SMALL)
        peer.wait(rtt_ms)
        at += sum(len(segment.payload) for segment in peer.take_all() if segment.seq == at)
        peer.send("A", seq=seq, ack=at)
    peer.send("PA", seq=seq, ack=at, payload=GET_SMALL)
    begin = engine.now_ms
    peer.take_all()
    return peer.next_frame(within=10_000)[0] - begin


def rtt_estimation(engine: Engine) -> Seen:
    """Uses two paths to one engine: the timer follows the host behind each."""
    short = _repeated_after_ms(engine, 20, "10.0.0.2")
    long = _repeated_after_ms(engine, 800, "10.0.0.3")
    what = f"sent again after {short} ms where the RTT is 20 ms, after {long} ms where it is 800 ms"
    return Seen(short < 800 < long, what)


def post(engine: Engine) -> Seen:
    net = Net(engine)
    form = "Content-Type: application/x-www-form-urlencoded"
    response = net.get(net.host().client(), "/form", form, "Content-Length: 9", method="POST", body=b"number=41")
    return Seen(response.body == b"42", "a form's field, computed with")


def url_reading(engine: Engine) -> Seen:
    net = Net(engine)
    client = net.host().client()
    bodies = [net.get(client, target).body for target in ("/small.txt", "/large.txt", "/volatile?len=7")]
    missing = net.get(client, "/missing").status
    has = bodies == [octets(SMALL), octets(LARGE), octets(7)] and missing == 404
    return Seen(has, "by path and typed arguments; 404 for others")


def mss_adaptation(engine: Engine) -> Seen:
    """Runs two clients at once, each with an MSS of its own."""
    longest = {}
    peers = {mss: Peer(engine, port=40000 + mss) for mss in (200, 536, 1460)}
    for mss, peer in peers.items():
        peer.handshake(mss=mss)
    for mss, peer in peers.items():
        peer.send("PA", seq=1, ack=1, payload=request("/large.txt"))
        longest[mss] = max(len(segment.payload) for segment in peer.take_all())
    has = all(mss - CHUNK < longest[mss] <= mss for mss in longest)
    return Seen(has, ", ".join(f"{longest[mss]} of {mss}" for mss in longest) + " octets")


def multiple_connections(engine: Engine) -> Seen:
    """Several connections have a response in flight at the same time."""
    peers = [Peer(engine, port=41000 + number) for number in range(3)]
    for peer in peers:
        peer.handshake()
    for peer in peers:
        peer.send("PA", seq=1, ack=1, payload=request("/large.txt"), wnd=1000)
    begun = [peer.take_all() for peer in peers]
    ended = [peer.receive(seq=1 + len(request("/large.txt")), at=1) for peer in peers] if all(begun) else []
    return Seen(all(begun) and len(ended) == 3, f"{sum(map(bool, begun))} responses in flight at once")


def multiple_in_flight(engine: Engine) -> Seen:
    peer = Peer(engine)
    peer.handshake()
    peer.send("PA", seq=1, ack=1, payload=request("/large.txt"))
    flight = peer.take_all()
    return Seen(len(flight) > 2, f"{len(flight)} before any acknowledgment")


def persistent_connections(engine: Engine) -> Seen:
    net = Net(engine)
    client = net.host().client()
    for target in ("/small.txt", "/volatile?len=9", "/large.txt", "/persistent_thread?len=9000"):
        net.get(client, target)
    connection = client.connection
    return Seen(not connection.peer_closed and len(client.responses) == 4, "4 kinds of responses on a connection")


def generation(engine: Engine) -> Seen:
    net = Net(engine)
    client = net.host().client()
    kinds = ("persistent", "volatile", "idempotent")
    sizes = {**dict.fromkeys(kinds, SMALL), **{f"{kind}_thread": LARGE for kind in kinds}}
    good = [net.get(client, f"/{name}?len={size}").body == octets(size) for name, size in sizes.items()]
    return Seen(all(good), f"{sum(good)} kinds of generators")


def pre_calculation(engine: Engine) -> Seen:
    net = Net(engine)
    before = engine.static_checksum_octets
    total = 0
    for mss in (200, 536, 1460):
        client = net.host().client(Options(mss=mss))
        total += sum(len(net.get(client, target).body) for target in ("/small.txt", "/large.txt"))
    summed = engine.static_checksum_octets - before
    return Seen(summed == 0, f"{summed} of {total} octets of files added up")


def congestion_control(engine: Engine) -> Seen:
    """Checks the window that acknowledgments open, and its size after a loss."""
    peer = Peer(engine)
    peer.handshake(mss=88)
    asked = request("/large.txt")
    peer.send("PA", seq=1, ack=1, payload=asked)
    first = peer.take_all()
    for segment in first:
        peer.send("A", seq=1 + len(asked), ack=segment.seq + len(segment.payload))
    second = peer.take_all()
    lost = second[0].seq
    for _ in second[1:]:
        peer.send("A", seq=1 + len(asked), ack=lost)
    again = peer.take_all()
    peer.send("A", seq=1 + len(asked), ack=max(segment.seq + len(segment.payload) for segment in [*second, *again]))
    third = peer.take_all()
    repeated = any(segment.seq == lost for segment in again)
    what = f"{len(first)} segments, then {len(second)}; {len(third)} after a loss"
    return Seen(len(first) < len(second) > len(third) and repeated, what)


def regeneration(engine: Engine) -> Seen:
    net = Net(engine, up=Impairment(delay_us=5 * MS, loss=0.1), seed=3)
    body = net.get(net.host().client(), f"/volatile_thread?len={4 * LARGE}", for_s=600).body
    lost = net.down.lost_cnt
    what = f"{lost} segments with generated content lost and made again, none of it kept"
    return Seen(body == octets(4 * LARGE) and lost > 0 and engine.meter.held_max[0] == 0, what)


def zero_window(engine: Engine) -> Seen:
    peer = Peer(engine)
    peer.handshake()
    peer.send("PA", seq=1, ack=1, payload=GET_SMALL, wnd=0)
    silent = not any(segment.payload for segment in peer.take_all())
    probes = peer.take_all(within=10_000)
    return Seen(silent and bool(probes), f"probed {len(probes)} times in 10 s")


def revalidation(engine: Engine) -> Seen:
    net = Net(engine)
    client = net.host().client()
    etag = net.get(client, "/large.txt").field("etag")
    status = net.get(client, "/large.txt", f"If-None-Match: {etag}").status
    return Seen(status == 304, f"{status} for a known entity tag")


def coding(engine: Engine) -> Seen:
    net = Net(engine)
    response = net.get(net.host().client(), "/large.txt", "Accept-Encoding: gzip")
    gzip = response.field("content-encoding") == "gzip"
    return Seen(gzip, f"{len(response.body)} octets of {LARGE} by gzip, compressed before")


def content_length(engine: Engine) -> Seen:
    """S15: a response has its length if it is known before the first byte is sent."""
    net = Net(engine)
    client = net.host().client()
    targets = ("/small.txt", "/large.txt", f"/persistent?len={SMALL}", f"/volatile?len={SMALL}")
    lengths = [net.get(client, target).field("content-length") for target in targets]
    return Seen(lengths == [str(SMALL), str(LARGE), str(SMALL), str(SMALL)], "files, and what a function says")


def chunked(engine: Engine) -> Seen:
    """S15: other responses are chunked; only for HTTP/1.0 the connection's end marks their end."""
    net = Net(engine)
    client = net.host().client()
    codings = [
        net.get(client, f"/{p}_thread?len={LARGE}").field("transfer-encoding") for p in ("persistent", "volatile")
    ]
    old = net.host().client()
    closed = net.get(old, f"/volatile_thread?len={LARGE}", version="1.0")
    has = codings == ["chunked"] * 2 and closed.body == octets(LARGE) and not client.connection.peer_closed
    return Seen(has, "what a thread says; HTTP/1.0 gets a close")


def choice_by_time(engine: Engine) -> Seen:
    """S14: the output of an expensive idempotent generator is kept, a cheap one runs again."""
    net = Net(engine, up=Impairment(delay_us=5 * MS))
    client = net.host().client()
    chosen = []
    for cost_us in (0, 400_000, 0):
        before = engine.counters["count_kept"]
        net.get(client, f"/idempotent_thread?len={LARGE}&cost_us={cost_us}")
        chosen.append("S3" if engine.counters["count_kept"] > before else "S4")
    return Seen(chosen == ["S4", "S3", "S4"], f"{chosen[0]} at 0 ms for a run, {chosen[1]} at 400 ms")


# Checks by their name in papers.FUNCTIONS.
TABLE: Mapping[str, Check] = {
    "UDP": udp,
    "ICMP": icmp,
    "IP options": ip_options,
    "IP reassembly": ip_reassembly,
    "TCP options": tcp_options,
    "TCP urgent data": urgent_data,
    "TCP RTT estimation": rtt_estimation,
    "POST requests": post,
    "URL reading": url_reading,
    "TCP MSS adaptation": mss_adaptation,
    "Multiple TCP conn.": multiple_connections,
    "Multiple in-flight packets": multiple_in_flight,
    "HTTP persistent conn.": persistent_connections,
    "Contents generation": generation,
    "Checksum pre-calculation": pre_calculation,
}
# Functions that the paper's table does not name.
BEYOND: Mapping[str, Check] = {
    "Congestion control": congestion_control,
    "Regeneration on loss": regeneration,
    "Zero-window probes": zero_window,
    "Entity tags": revalidation,
    "Content coding": coding,
    "Content-Length where known (S15)": content_length,
    "Chunked coding elsewhere (S15)": chunked,
    "Choice by computation time (S14)": choice_by_time,
}
