# SPDX-License-Identifier: MIT
"""Seeds of connections under TLS, in the language of script.c; make_corpus.py writes them."""

from enum import IntEnum


class Op(IntEnum):
    """enum operation of script.c and enum sealed_operation of fuzz.h, as far as they are used here."""

    SYN = 2
    ACK = 5
    ADVANCE = 6
    OUTPUT = 8
    REFUSE = 9
    RESET = 15
    ACK_PART = 16
    SAY = 19
    LOSE = 20
    HELLO = 21
    FINISH = 22
    SEAL = 23
    BREAK = 24


ALPN, NO_SHARE, TICKET, LIMIT, EARLY = (1 << bit for bit in range(5))
REQUEST, CUT, OCTETS, UPDATE = range(4)
SECOND, TWO_MINUTES, OPEN = 32, 255, 0xFF
OUTPUT = bytes((Op.OUTPUT, 0))


def op(operation: Op, *operands: int, octets: bytes = b"") -> bytes:
    return bytes((operation, *operands)) + octets


def say(client: int, length: int = 0, *, times: int = 1, flags: int = 0) -> bytes:
    return (op(Op.SAY, client, 0, length, flags, OPEN) + OUTPUT) * times


def heard(client: int, rounds: int = 4) -> bytes:
    return (op(Op.ACK, client, OPEN) + OUTPUT) * rounds


def hello(client: int, form: int = ALPN) -> bytes:
    return op(Op.HELLO, client, form, 0)


def greeted(client: int, form: int = ALPN, *, mss: int = 67, length: int = 0) -> bytes:
    """SYN, hello, and the flight is heard; the pause behind another handshake is over then."""
    times = 8 if length else 1
    said = op(Op.SYN, client, 1, mss) + hello(client, form) + say(client, length, times=times)
    return said + op(Op.ADVANCE, 10) + OUTPUT + heard(client)


def opened(client: int, form: int = ALPN, *, mss: int = 67) -> bytes:
    return greeted(client, form, mss=mss) + op(Op.FINISH, client, 0, 0) + say(client) + heard(client, 1)


def sealed(client: int, kind: int, n: int = 0, octets: bytes = b"") -> bytes:
    return op(Op.SEAL, client, kind, n, octets=octets)


def asked(client: int, index: int, *, rounds: int = 12) -> bytes:
    return sealed(client, REQUEST, index) + say(client) + heard(client, rounds)


def later(steps: int) -> bytes:
    return op(Op.ADVANCE, steps)


def seeds() -> dict[str, bytes]:
    flip = [op(Op.BREAK, 0, place, 1) for place in (5, 60, 130, 200)]
    alert = bytes((1, 0, 21))
    made = {
        **{f"ask_{index:02}": opened(0) + asked(0, index) + asked(0, 0) for index in range(0, 52, 3)},
        "cut_hello": greeted(0, length=30) + op(Op.FINISH, 0, 1, 0) + say(0, 9, times=9) + asked(0, 1),
        "retried": op(Op.SYN, 0, 1, 67) + hello(0, NO_SHARE) + say(0) + heard(0) + hello(0) + say(0) + heard(0),
        "resumed": opened(0) + asked(0, 0) + later(40) + opened(0, ALPN | TICKET) + asked(0, 4),
        "limit": opened(0, ALPN | LIMIT) + asked(0, 1) + asked(0, 3),
        "early": greeted(0, EARLY) + op(Op.FINISH, 0, 0, 0) + say(0) + asked(0, 2),
        "records_of_7": opened(0) + sealed(0, CUT | 6 << 2, 3) + say(0, 40, times=14) + heard(0, 6),
        "record_in_parts": opened(0) + sealed(0, REQUEST, 4) + say(0, 11, times=9) + heard(0),
        "padded": opened(0) + sealed(0, REQUEST | 63 << 2, 4) + say(0, 50, times=5) + heard(0),
        "two_requests": opened(0) + sealed(0, REQUEST, 0) + sealed(0, REQUEST, 4) + say(0) + heard(0, 6),
        "update": opened(0) + sealed(0, UPDATE, 1) + say(0) + heard(0) + asked(0, 0),
        "update_amid": opened(0) + sealed(0, CUT | 9 << 2, 4) + sealed(0, UPDATE, 1) + say(0) + heard(0, 6),
        "update_half": opened(0) + sealed(0, UPDATE, 0) + sealed(0, REQUEST, 4) + say(0) + heard(0),
        "close": opened(0) + sealed(0, OCTETS, len(alert), alert) + say(0, flags=1) + heard(0),
        "empty_record": opened(0) + sealed(0, OCTETS, 1, b"\x17") + say(0) + asked(0, 0),
        "idle": opened(0) + opened(1) + asked(0, 4) + later(SECOND) + asked(1, 0) + later(SECOND) + asked(0, 0),
        "idle_too_long": opened(0) + asked(0, 0) + later(TWO_MINUTES) + asked(0, 0),
        "evicted": b"".join(opened(client) + asked(client, 0) for client in (0, 1, 2, 0, 1)),
        "three_at_once": b"".join(greeted(client) for client in (0, 1, 2)),
        "beside_plain": opened(0) + op(Op.SYN, 3, 1, 67) + asked(0, 4),
        "lost_flight": op(Op.SYN, 0, 1, 30) + op(Op.LOSE, 2) + hello(0) + say(0) + later(SECOND) + heard(0, 8),
        "lost_answer": opened(0) + op(Op.LOSE, 2) + asked(0, 1) + later(SECOND) + heard(0, 12),
        "part_acknowledged": opened(0, mss=20)
        + sealed(0, REQUEST, 1)
        + say(0)
        + (op(Op.ACK_PART, 0, 100, OPEN, 3) + OUTPUT) * 5
        + heard(0, 12),
        "small_window": opened(0) + sealed(0, REQUEST, 3) + say(0) + (op(Op.ACK, 0, 9) + OUTPUT) * 6 + heard(0, 12),
        "refused": opened(0) + op(Op.REFUSE, 3) + asked(0, 1) + later(SECOND) + heard(0),
        "reset": greeted(0) + op(Op.RESET, 0, 0) + opened(0) + asked(0, 0),
        "fin_amid": greeted(0) + op(Op.FINISH, 0, 0, 0) + sealed(0, REQUEST, 4) + say(0, flags=1) + heard(0),
        **{f"hello_{n}": op(Op.SYN, 0, 1, 67) + hello(0) + one + say(0) + heard(0) for n, one in enumerate(flip)},
        **{f"broken_{n}": opened(0) + sealed(0, REQUEST, 4) + one + say(0) + heard(0) for n, one in enumerate(flip)},
    }
    return {name: bytes((0, 1, 0, 0)) + octets for name, octets in made.items()}
