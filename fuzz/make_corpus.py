# SPDX-License-Identifier: MIT
"""Writes fuzz/corpus: small named seeds, in the language of script.c for frames and slip, octets of requests for http.

PYTHONPATH=tools python -m fuzz.make_corpus
"""

from enum import IntEnum
from pathlib import Path

from .database_corpus import seeds as database
from .sealed_corpus import seeds as sealed
from .service_calls import services
from .signed_calls import signed
from .tls_corpus import seeds as tls

CORPUS = Path(__file__).parent / "corpus"


class Op(IntEnum):
    """enum operation of script.c."""

    RAW = 0
    IP = 1
    SYN = 2
    SEGMENT = 3
    REQUEST = 4
    ACK = 5
    ADVANCE = 6
    LATE = 7
    OUTPUT = 8
    REFUSE = 9
    PIECES = 10
    ARP = 11
    ECHO = 12
    FAIL = 13
    SPOIL = 14
    RESET = 15
    ACK_PART = 16
    BEND = 17
    STREAM = 18
    SAY = 19
    LOSE = 20


(
    INDEX,
    LONG,
    CODED,
    LINES,
    COUNT,
    FILL,
    FILL_MUCH,
    FICKLE,
    HEAD,
    NONE_MATCH,
    MISSING,
    BODY,
    OLD,
    PIPELINED,
    HEAD_LINES,
) = range(15)
"""Places in script.c's table of requests."""

SECOND, TWO_MINUTES, OPEN = 32, 255, 0xFF
"""Of ADVANCE: 1024 ms, and its longest; of a window: 65535."""


def script(*operations: bytes, clock: int = 0, pieces: int = 0, between: int = 0) -> bytes:
    return bytes((clock, 1, pieces, between)) + b"".join(operations)


def op(operation: Op, *operands: int, octets: bytes = b"") -> bytes:
    return bytes((operation, *operands)) + octets


def syn(client: int, isn: int = 1, mss: int = 67) -> bytes:
    return op(Op.SYN, client, isn, mss)


def request(client: int, index: int, *, first: int = 0, length: int = 0, flags: int = 0) -> bytes:
    return op(Op.REQUEST, client, index, first, length, flags)


def segment(
    client: int, payload: bytes = b"", *, seq: int = 0, ack: int = 0, flags: int = 0x10, wnd: int = OPEN
) -> bytes:
    return op(Op.SEGMENT, client, seq, ack, flags, wnd, len(payload), octets=payload)


def ack(client: int, wnd: int = OPEN) -> bytes:
    return op(Op.ACK, client, wnd)


def ack_part(client: int, part: int, *, times: int = 1, wnd: int = OPEN) -> bytes:
    return op(Op.ACK_PART, client, part, wnd, times - 1)


def advance(n: int) -> bytes:
    return op(Op.ADVANCE, n)


OUTPUT = op(Op.OUTPUT, 0)
FIN = 0x01
"""Of request's flags, which are added to ACK."""


def asked(client: int, index: int, **more: int) -> bytes:
    """Returns the handshake, the request, and the engine's output."""
    return syn(client) + request(client, index, **more) + OUTPUT


def to_the_end(client: int, rounds: int = 8) -> bytes:
    return (ack(client) + OUTPUT) * rounds


def scripts() -> dict[str, bytes]:
    get = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    seeds = {
        f"get_{index:02}": script(asked(0, index), to_the_end(0), request(0, INDEX), OUTPUT, ack(0))
        for index in range(16)
    }
    return seeds | {
        "close_by_peer": script(asked(0, INDEX), ack(0), segment(0, flags=0x11), OUTPUT, segment(0)),
        "fin_with_request": script(asked(0, LONG, flags=FIN), to_the_end(0)),
        "reset": script(asked(0, LONG), op(Op.RESET, 0, 0), request(0, INDEX)),
        "blind_reset": script(asked(0, LONG), op(Op.RESET, 0, 9), OUTPUT, ack(0)),
        "keep_alive_probe": script(asked(0, INDEX), ack(0), segment(0, b"x", seq=0x60), op(Op.ADVANCE, SECOND)),
        "closed_window": script(
            syn(0), segment(0, get[:4]), segment(0, get[4:], wnd=0), OUTPUT, advance(90), ack(0), OUTPUT
        ),
        "window_of_one": script(asked(0, LINES), (ack(0, 1) + OUTPUT) * 5, to_the_end(0)),
        "window_shrinks": script(asked(0, LONG), ack(0, 30), OUTPUT, ack(0, 0), advance(SECOND), to_the_end(0)),
        "lost_segment": script(asked(0, LONG), advance(SECOND), advance(60), to_the_end(0)),
        "lost_first": script(asked(0, LINES), ack_part(0, 0, times=4), OUTPUT, to_the_end(0)),
        "fast_recovery": script(
            asked(0, LONG),
            to_the_end(0, 2),
            *(ack_part(0, n, times=4) + OUTPUT for n in (0, 80, 80, 0, 255)),
            to_the_end(0),
        ),
        "tail_probe": script(asked(0, LINES), advance(5), to_the_end(0, 2), advance(20), advance(40), to_the_end(0)),
        "ip_options": script(op(Op.BEND, 0, 0, 2), asked(0, INDEX), op(Op.BEND, 0, 0, 10), request(0, INDEX)),
        "fragment": script(
            syn(0), op(Op.BEND, 6, 0x20, 0), request(0, INDEX), op(Op.BEND, 12, 0x70, 0), request(0, INDEX)
        ),
        "arp_for_a_peer": script(
            *(asked(n, LONG) + op(Op.ARP, n, 2, 0) for n in (0, 2, 3)),
            advance(SECOND),
            *(op(Op.ARP, n, 2, 0) for n in (0, 2, 3)),
        ),
        "given_up": script(asked(0, LINES), *[advance(TWO_MINUTES)] * 2),
        "small_mss": script(syn(0, mss=11), request(0, LONG), OUTPUT, to_the_end(0, 12)),
        "request_in_pieces": script(
            *(request(0, LINES, first=n, length=7) + OUTPUT for n in range(0, 70, 7)), pieces=1
        ),
        "slow_request": script(syn(0), request(0, INDEX, length=9), advance(100), OUTPUT, to_the_end(0)),
        "octet_by_octet": script(asked(0, PIPELINED), to_the_end(0), pieces=1, between=3),
        "wrong_sum": script(syn(0), op(Op.SPOIL, 1), request(0, COUNT), OUTPUT, request(0, COUNT), OUTPUT, ack(0)),
        "many": script(*(asked(n, LONG) for n in range(4)), *(to_the_end(n, 6) for n in range(4))),
        "many_stalled": script(
            *(syn(n) + request(n, LINES, length=20) for n in range(4)), advance(60), asked(3, INDEX)
        ),
        "waits_for_room": script(*(asked(n, FILL) for n in range(3)), *(to_the_end(n, 3) for n in range(3))),
        "busy_driver": script(op(Op.REFUSE, 5), asked(0, LONG), OUTPUT, advance(SECOND), to_the_end(0)),
        "driver_not_ready": script(op(Op.REFUSE, 140), asked(0, LONG), OUTPUT, advance(SECOND), to_the_end(0)),
        "memory_fails": script(op(Op.FAIL), asked(0, COUNT), ack(0)),
        "clock_wraps": script(asked(0, LONG), advance(70), to_the_end(0), clock=2),
        "pipelined_behind_response": script(asked(0, LONG), request(0, COUNT), request(0, INDEX), to_the_end(0, 12)),
        "again_on_same_port": script(asked(0, INDEX), ack(0), asked(0, COUNT), ack(0), request(0, INDEX), OUTPUT),
        "echo": script(op(Op.ECHO, 0, 8), op(Op.ECHO, 0, 200), pieces=3),
        "datagrams": script(op(Op.IP, 0, 17, 4, octets=b"data"), op(Op.IP, 1, 6, 20, octets=bytes(20))),
    }


def ethernet_only() -> dict[str, bytes]:
    return {
        "arp_request": script(op(Op.ARP, 0, 1, 0), op(Op.ARP, 3, 2, 0)),
        "raw": script(op(Op.RAW, 16, octets=b"\2\0\0\0\0\1\2\0\0\0\0\2\x08\0E\0")),
    }


def slip_only() -> dict[str, bytes]:
    return {
        "escapes": script(op(Op.RAW, 9, octets=b"\xc0\xdb\xdc\xdb\xdd\xdb\x41\xc0\xc0"), asked(0, INDEX)),
        "spoilt_end": script(op(Op.RAW, 4, octets=b"\x45\xdb\xc0\xdb"), asked(0, INDEX)),
    }


def stream(client: int, index: int) -> bytes:
    return op(Op.STREAM, client, index)


def say(client: int, length: int = 0, *, distance: int = 0, flags: int = 0, wnd: int = OPEN) -> bytes:
    return op(Op.SAY, client, distance, length, flags, wnd)


def said(client: int, index: int, *, length: int = 0, mss: int = 67) -> bytes:
    """Returns the handshake, a request of fuzz/requests_strategies.c in segments of `length` octets, and the engine's
    output."""
    return syn(client, mss=mss) + stream(client, index) + (say(client, length) + OUTPUT) * (60 if length else 1)


THREAD, RERUN, NOTE, WRITE_AND_STAY, EXPECTED, CHUNKED, PIPELINED_KINDS = 6, 10, 19, 22, 37, 38, 47
"""Places in the table there."""
REQUESTS = 52


def strategies() -> dict[str, bytes]:
    one = {f"ask_{index:02}": script(said(0, index), to_the_end(0, 12)) for index in range(REQUESTS)}
    bodies = {
        f"body_{index}": script(said(0, index, length=70), advance(20), to_the_end(0, 4)) for index in range(33, 46)
    }
    lossy = {
        f"lost_{index:02}": script(
            syn(0),
            stream(0, index),
            op(Op.LOSE, 1),
            say(0),
            OUTPUT,
            advance(SECOND),
            ack_part(0, 128),
            OUTPUT,
            op(Op.REFUSE, 2),
            to_the_end(0, 3),
            ack_part(0, 60, times=4),
            OUTPUT,
            advance(70),
            to_the_end(0, 6),
        )
        for index in (*range(17), NOTE, 24, 25, 26, 50, 51)
    }
    narrow = {
        f"narrow_{index:02}": script(
            syn(0, mss=12),
            stream(0, index),
            say(0, wnd=100),
            op(Op.OUTPUT, 1),
            advance(SECOND),
            (ack(0, 20) + OUTPUT) * 3,
            (ack_part(0, 99, wnd=120) + OUTPUT) * 3,
            ack(0, 0),
            advance(SECOND),
            to_the_end(0, 6),
        )
        for index in (*range(17), NOTE, 24, 25, 50, 51)
    }
    return (
        one
        | bodies
        | lossy
        | narrow
        | {
            "many": script(
                *(said(n, index) for n, index in enumerate((THREAD, RERUN, 0, 15))), *(to_the_end(n) for n in range(4))
            ),
            "together": script(*(said(n, RERUN) for n in range(3)), *([ack(n) + OUTPUT for n in range(3)] * 6)),
            "overwritten": script(
                said(0, 21),
                ack(0),
                said(1, NOTE),
                said(2, 21),
                ack(2),
                stream(2, WRITE_AND_STAY),
                say(2),
                OUTPUT,
                advance(SECOND),
                advance(SECOND),
                to_the_end(1),
            ),
            "timers": script(
                said(0, NOTE), to_the_end(0), advance(145), said(0, NOTE), ack_part(0, 50), advance(145), to_the_end(0)
            ),
            "closed_gate": script(
                said(0, 7), said(1, 17), to_the_end(0, 4), advance(60), to_the_end(0, 4), said(1, 12), to_the_end(1)
            ),
            "own_twice": script(said(0, 9), said(1, 9), to_the_end(0, 5), to_the_end(1, 5)),
            "continue_late": script(
                said(0, EXPECTED), advance(SECOND), (ack(0) + say(0, 200) + OUTPUT) * 12, to_the_end(0)
            ),
            "body_again": script(said(0, CHUNKED, length=100), say(0, 100, distance=0x5F + 80), OUTPUT, to_the_end(0)),
            "pipelined": script(said(0, PIPELINED_KINDS), to_the_end(0, 16)),
            "from_behind": script(
                syn(0), stream(0, CHUNKED), say(0, 90, distance=90), say(0, 90), say(0, 0), OUTPUT, to_the_end(0)
            ),
        }
    )


def requests() -> dict[str, bytes]:
    host = b"Host: a\r\n"
    texts = {
        "plain": b"GET / HTTP/1.1\r\n" + host + b"\r\n",
        "pipelined": (b"GET / HTTP/1.1\r\n" + host + b"\r\n") * 3,
        "typed": b"GET /lines?cnt=30&text=a+b%20c&off=-3&flag=1 HTTP/1.1\r\n" + host + b"\r\n",
        "argument_out_of_range": b"GET /lines?cnt=256 HTTP/1.1\r\n" + host + b"\r\n",
        "argument_twice": b"GET /lines?cnt=1&cnt=2 HTTP/1.1\r\n" + host + b"\r\n",
        "absolute": b"GET http://a:80/long%2Etxt?x HTTP/1.1\r\n" + host + b"\r\n",
        "coding": b"GET /long.txt HTTP/1.1\r\n" + host + b"Accept-Encoding: gzip;q=0.5, br;q=1.000, *;q=0\r\n\r\n",
        "tags": b"GET / HTTP/1.1\r\n" + host + b'If-None-Match: W/"ab4fc077", "x", *\r\nIf-Match: "ab4fc077"\r\n\r\n',
        "length": b"POST / HTTP/1.1\r\n" + host + b"Content-Length: 10\r\n\r\n0123456789",
        "chunked": b"POST / HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "expect": b"PUT / HTTP/1.1\r\n" + host + b"Expect: 100-continue\r\nConnection: close, x\r\n\r\n",
        "asterisk": b"OPTIONS * HTTP/1.1\r\n" + host + b"\r\n",
        "old": b"\r\nHEAD /count HTTP/1.0\r\n\r\n",
        "long_target": b"GET /" + b"a" * 100 + b" HTTP/1.1\r\n",
        "long_fields": b"GET / HTTP/1.1\r\n" + b"X: " + b"y" * 520,
    }
    return {name: bytes((11, 8)) + text for name, text in texts.items()}


def bodies() -> dict[str, bytes]:
    """Requests with a body for fuzz/strategies."""
    host, octets = b" HTTP/1.1\r\nHost: a\r\n", (b"ABC\r\n--b-xDE\r\r\n-\nFGH\r\n--b\r\n--b--IJKLM" * 8)[:300]
    form, parts = b"Content-Type: application/x-www-form-urlencoded\r\n", b'multipart/form-data; boundary="b-b"\r\n'
    part = b'Content-Disposition: form-data; name="n"; filename="a"\r\n'
    texts = {
        "form": b"POST /form" + host + form + b"Content-Length: 18\r\n\r\nlen=9&text=%61bc+d",
        "form_chunked": b"PUT /form" + host + form + b"Transfer-Encoding: chunked\r\n\r\n"
        b"5\r\nlen=9\r\n7;x=y\r\n&text=a\r\n0\r\nA: b\r\n\r\n",
        "raw": b"POST /upload" + host + b"Content-Type: text/plain\r\nContent-Length: 301\r\n\r\n" + octets + b"$",
        "whole": b"POST /whole" + host + b"Content-Length: 21\r\n\r\n" + octets[:20] + b"$",
        "slow": b"POST /slow"
        + host
        + b"Content-Length: 81\r\n\r\n"
        + octets[:80]
        + b"$GET /kept?len=5"
        + host
        + b"\r\n",
        "expects": b"POST /upload" + host + b"Expect: 100-continue\r\nContent-Type: application/octet-stream\r\n"
        b"Content-Length: 21\r\n\r\n" + octets[:20] + b"$GET /kept?len=3" + host + b"\r\n",
        "refused": b"POST /upload" + host + b"Content-Type: image/png\r\nContent-Length: 3\r\n\r\nabc",
        "too_long": b"POST /upload" + host + b"Content-Type: text/plain\r\nContent-Length: 4001\r\n\r\nabc",
        "nobody": b"POST /kept" + host + b"Content-Length: 3\r\n\r\nabc",
    }
    whole = b"x\r\n--b-b\r\n" + part + b"\r\n" + octets[:50] + b"$\r\n--b-b  \r\n" + part
    whole += b"Content-Type: text/plain\r\n\r\n\r\n--b-\r\n--b-b--\r\nx"
    for path in (b"upload", b"whole"):
        head = b"POST /" + path + host + b"Content-Type: " + parts
        texts[f"multipart_{path.decode()}"] = head + b"Content-Length: %d\r\n\r\n" % len(whole) + whole
        chunked = b"".join(b"%x\r\n%b\r\n" % (len(c), c) for n in range(0, len(whole), 20) for c in [whole[n : n + 20]])
        texts[f"chunked_{path.decode()}"] = head + b"Transfer-Encoding: chunked\r\n\r\n" + chunked + b"0\r\n\r\n"
    return texts


def main() -> None:
    for directory, seeds in (
        ("frames", scripts() | ethernet_only()),
        ("slip", scripts() | slip_only()),
        ("strategies", strategies()),
        ("http", requests()),
        ("http_body", {name: bytes((70, 20)) + text for name, text in bodies().items()}),
        ("tls", tls()),
        ("sealed", sealed()),
        ("signed", signed()),
        ("database", database()),
        ("services", {name: bytes((9, 1, 3, 60)) + text for name, text in services().items()}),
        ("bodies", {name: bytes((9, 1, 3, 60)) + text for name, text in bodies().items()}),
    ):
        there = CORPUS / directory
        there.mkdir(parents=True, exist_ok=True)
        for path in there.iterdir():
            path.unlink()
        for name, octets in seeds.items():
            (there / name).write_bytes(octets)


if __name__ == "__main__":
    main()
