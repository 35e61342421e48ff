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


ALPN, NO_SHARE, TICKET, LIMIT, EARLY, STALE, AGAIN, FORGED = (1 << bit for bit in range(8))
ZERO_RTT = ALPN | TICKET | EARLY
AES, BOTH = 64, 128  # enum hello_suites of sealed.h
REQUEST, CUT, OCTETS, UPDATE = range(4)
SECOND, TWO_MINUTES, OPEN = 32, 255, 0xFF
OUTPUT = bytes((Op.OUTPUT, 0))


def op(operation: Op, *operands: int, octets: bytes = b"") -> bytes:
    return bytes((operation, *operands)) + octets


def say(client: int, length: int = 0, *, times: int = 1, flags: int = 0) -> bytes:
    return (op(Op.SAY, client, 0, length, flags, OPEN) + OUTPUT) * times


def heard(client: int, rounds: int = 4) -> bytes:
    return (op(Op.ACK, client, OPEN) + OUTPUT) * rounds


def hello(client: int, form: int = ALPN, suites: int = 0) -> bytes:
    return op(Op.HELLO, client, form, suites)


def greeted(client: int, form: int = ALPN, *, mss: int = 67, length: int = 0, suites: int = 0) -> bytes:
    """SYN, hello, and the flight is heard; the pause behind another handshake is over then."""
    times = 8 if length else 1
    said = op(Op.SYN, client, 1, mss) + hello(client, form, suites) + say(client, length, times=times)
    return said + op(Op.ADVANCE, 10) + OUTPUT + heard(client)


def opened(client: int, form: int = ALPN, *, mss: int = 67, suites: int = 0) -> bytes:
    return greeted(client, form, mss=mss, suites=suites) + op(Op.FINISH, client, 0, 0) + say(client) + heard(client, 1)


def sealed(client: int, kind: int, n: int = 0, octets: bytes = b"") -> bytes:
    return op(Op.SEAL, client, kind, n, octets=octets)


def asked(client: int, index: int, *, rounds: int = 12) -> bytes:
    return sealed(client, REQUEST, index) + say(client) + heard(client, rounds)


def later(steps: int) -> bytes:
    return op(Op.ADVANCE, steps)


def early(
    client: int,
    *records: bytes,
    form: int = ZERO_RTT,
    n: int = 1,
    length: int = 0,
    finish: bytes | None = None,
) -> bytes:
    """A connection of a client that has a ticket: early data beside the hello, the flight, Finished."""
    end = op(Op.FINISH, client, 0, 0) if finish is None else finish
    said = op(Op.SYN, client, 1, 67) + op(Op.HELLO, client, form, n) + b"".join(records)
    said += say(client, length, times=24 if length else 1) + op(Op.ADVANCE, 10) + OUTPUT + heard(client, 6)
    return said + end + say(client) + heard(client, 8)


def early_seeds() -> dict[str, bytes]:
    """Returns seeds for fuzz/strategies: 1 and 11 may be asked twice, 0 and 6 not; 36 has a body."""
    first = opened(0) + op(Op.RESET, 0, 0)
    again = op(Op.SYN, 1, 2, 67) + op(Op.HELLO, 1, AGAIN, 0) + say(1) + op(Op.ADVANCE, 10) + OUTPUT + heard(1, 6)
    asks = {index: sealed(0, REQUEST, index) for index in (0, 1, 6, 10, 11, 33, 36, 46, 47)}
    made = {f"ask_{index}": early(0, one) + asked(0, 1) for index, one in asks.items()}
    made |= {
        "cut": early(0, sealed(0, CUT | 6 << 2, 2), length=60),
        "octet_by_octet": early(0, sealed(0, REQUEST, 11), length=12),
        "two": early(0, asks[11], asks[0], asks[1]),
        "half": early(0, sealed(0, OCTETS, 9, b"GET /kep\x17"), finish=b"")
        + op(Op.FINISH, 0, 0, 0)
        + sealed(0, OCTETS, 8, b"t HTTP/\x17")
        + say(0)
        + heard(0),
        "ended_early": early(0, asks[11], sealed(0, UPDATE)),
        "never_ended": early(0, asks[11], finish=op(Op.FINISH, 0, 2, 0)),
        "more_behind": early(0, asks[11], finish=asks[0] + say(0) + heard(0) + op(Op.FINISH, 0, 0, 0)),
        "behind_its_end": early(0, sealed(0, UPDATE), asks[0]),
        "alert": early(0, sealed(0, OCTETS, 3, b"\1\0\x15")),
        "no_content": early(0, sealed(0, OCTETS, 5, b"\x14\0\0\x20\x16")),
        "forged": early(0, asks[11], form=ZERO_RTT | FORGED),
        "stale": early(0, asks[0], form=ZERO_RTT | STALE) + asked(0, 1),
        "other_protocol": early(0, asks[0], form=TICKET | EARLY),
        "no_share": early(0, asks[0], form=ZERO_RTT | NO_SHARE, finish=hello(0)) + op(Op.ADVANCE, 10) + OUTPUT,
        "same_twice": early(0, asks[11]) + op(Op.RESET, 0, 0) + early(0, asks[11]),
        "another_twice": early(0, asks[11]) + op(Op.RESET, 0, 0) + early(0, asks[11], n=2),
        "replayed": early(0, asks[11]) + again,
        "replayed_once": early(0, asks[0]) + again + op(Op.FINISH, 1, 0, 0) + say(1) + heard(1),
        "replayed_before": early(0, asks[0], finish=again),
        "replayed_late": early(0, asks[11]) + later(200) + again,
        "old_ticket": later(TWO_MINUTES) * 62 + early(0, asks[11]),
        "broken": early(0, asks[11], op(Op.BREAK, 0, 230, 1)),
        "lost_flight": early(0, asks[11], op(Op.LOSE, 3)) + later(SECOND) + heard(0, 8),
        "refused": early(0, asks[11], op(Op.REFUSE, 2)) + later(SECOND) + heard(0, 8),
        "fin": early(0, asks[6], finish=say(0, flags=1)),
        "body_cut": early(0, sealed(0, CUT | 63 << 2, 36), length=255),
    }
    names, gone = list(made), op(Op.RESET, 0, 0) + op(Op.RESET, 1, 0)
    groups = [names[at : at + 4] for at in range(0, len(names), 4)]  # as most of an input's time goes to its end
    return {f"early_{group[0]}": first + gone.join(made[name] for name in group) for group in groups}


def aes_seeds() -> dict[str, bytes]:
    """Returns seeds for images that have both suites; others refuse a hello with AES alone."""
    aes, gone = opened(0, suites=AES), op(Op.RESET, 0, 0)
    asks = asked(0, 1) + asked(0, 4)
    again = ALPN | TICKET
    early_ask = sealed(0, REQUEST, 11)
    return {
        "aes_ask": aes + asks + asked(0, 47),
        "aes_both": opened(0, suites=BOTH) + asks,
        "aes_resumed": aes + asked(0, 0) + later(40) + opened(0, again, suites=AES) + asks,
        "aes_then_other": aes + gone + opened(0, again) + asks + gone + opened(0, again, suites=AES) + asked(0, 1),
        "aes_other_hello": op(Op.SYN, 0, 1, 67)
        + hello(0, NO_SHARE, AES)
        + say(0)
        + heard(0)
        + hello(0, ALPN, BOTH)
        + say(0)
        + heard(0),
        "aes_cut": aes + sealed(0, CUT | 6 << 2, 3) + say(0, 40, times=14) + heard(0, 6),
        "aes_record_in_parts": aes + sealed(0, REQUEST, 4) + say(0, 11, times=9) + heard(0),
        "aes_padded": aes + sealed(0, REQUEST | 63 << 2, 4) + say(0, 50, times=5) + heard(0),
        "aes_update": aes + sealed(0, UPDATE, 1) + say(0) + heard(0) + asked(0, 0),
        "aes_broken": aes + sealed(0, REQUEST, 4) + op(Op.BREAK, 0, 60, 1) + say(0) + heard(0),
        "aes_broken_tag": aes + sealed(0, REQUEST, 4) + op(Op.BREAK, 0, 200, 1) + say(0) + heard(0),
        "aes_lost_answer": aes + op(Op.LOSE, 2) + asked(0, 1) + later(SECOND) + heard(0, 12),
        "aes_limit": opened(0, ALPN | LIMIT, suites=AES) + asked(0, 1) + asked(0, 3),
        "aes_beside_other": aes + opened(1) + asked(0, 1) + asked(1, 1) + later(SECOND) + asked(0, 0) + asked(1, 0),
        "aes_idle": aes + asked(0, 4) + later(TWO_MINUTES) + opened(0, again, suites=AES) + asked(0, 0),
        "aes_early": aes + gone + early(0, early_ask, n=AES | 1) + asked(0, 1),
        "aes_early_cut": aes + gone + early(0, sealed(0, CUT | 6 << 2, 2), n=AES | 1, length=60),
        "aes_early_by_both": aes + gone + early(0, early_ask, n=BOTH | 1) + asked(0, 1),
        "aes_early_by_other": aes + gone + early(0, early_ask) + asked(0, 1),
        "other_early_by_aes": opened(0) + gone + early(0, early_ask, n=AES | 1) + asked(0, 1),
    }


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
    return {name: bytes((0, 1, 0, 0)) + octets for name, octets in (made | early_seeds() | aes_seeds()).items()}
