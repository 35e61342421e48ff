# SPDX-License-Identifier: MIT
"""Seeds of the fuzzer of the database's client, in the language of fuzz/database.c."""

from enum import IntEnum


class Op(IntEnum):
    """enum operation of database.c."""

    PACKET = 0
    OCTETS = 1
    GREET = 2
    AGREE = 3
    PREPARED = 4
    COLUMN = 5
    WAIT = 6
    CLIENT = 7
    ASK = 8
    NEXT = 9
    LEAVE = 10
    DEAF = 11
    LEND = 12


FEW, WANTED, CHANGE = range(3)
LONG, LONGLONG, DATETIME, TEXT = 3, 8, 12, 253
END = bytes((0xFE, 0, 0, 2, 0))
NONCE = b"abcdefghijklmnopqrst"
FAILED = 3  # distance of CLIENT_FAILED from CLIENT_OPENING


def op(operation: Op, *operands: int, which: int = 0) -> bytes:
    return bytes((operation | which << 4, *operands))


def packet(octets: bytes, which: int = 0) -> bytes:
    assert len(octets) < 255
    return op(Op.PACKET, len(octets), which=which) + octets


def ask(statement: int, *, seconds: int = 0, which: int = 0) -> bytes:
    return op(Op.ASK, statement | seconds << 4, which=which)


def columns(*kinds: int) -> bytes:
    return b"".join(op(Op.COLUMN, kind, 0) for kind in kinds)


def prepared(*kinds: int, arguments: int = 0, ends: bool = True) -> bytes:
    """Returns the answer to a prepared statement, with the definitions of arguments and columns."""
    last = packet(END) if ends else b""
    said = op(Op.PREPARED, len(kinds) | arguments << 4)
    said += columns(*[TEXT] * arguments) + last if arguments else b""
    return said + columns(*kinds) + (last if kinds else b"")


def answer(*rows: bytes, kinds: tuple[int, ...]) -> bytes:
    said = packet(bytes((len(kinds),))) + columns(*kinds) + packet(END)
    return said + op(Op.NEXT).join(map(packet, rows)) + op(Op.NEXT) + packet(END)


LOGIN = op(Op.GREET, 0) + op(Op.AGREE)
TERSE = op(Op.GREET, 1) + op(Op.AGREE)
ROW = bytes((0, 0, 42, 0, 0, 0))
ANSWERED = answer(ROW, ROW, kinds=(LONG,))
VALUES = bytes((0, 0)) + bytes((9, *range(8))) + bytes((7, 0xE8, 7, 2, 29, 23, 59, 58)) + b"\5hello"
INSERTED = packet(bytes((0, 1, 0xFC, 1, 2, 2, 0, 0, 0)))


def switch(method: bytes, nonce: bytes = NONCE) -> bytes:
    return ask(FEW) + op(Op.GREET, 0) + packet(b"\xfe" + method + b"\0" + nonce + b"\0")


def seeds() -> dict[str, bytes]:
    asked = ask(FEW) + LOGIN + prepared(LONG)
    several = ask(WANTED) + LOGIN + prepared(LONGLONG, DATETIME, TEXT, arguments=2)
    head = bytes((1,))
    return {
        "rows": asked + ANSWERED,
        "asked_twice": asked + ANSWERED + ask(FEW) + ANSWERED,
        "values": several + answer(VALUES, VALUES, kinds=(LONGLONG, DATETIME, TEXT)),
        "insert": ask(CHANGE) + LOGIN + prepared(arguments=2) + INSERTED + ask(CHANGE) + INSERTED,
        "insert_unread": op(Op.DEAF) + ask(CHANGE) + LOGIN + prepared(arguments=2) + op(Op.DEAF) + INSERTED,
        "kept": ask(FEW, seconds=9) + LOGIN + prepared(LONG) + ANSWERED + ask(FEW, seconds=9, which=1),
        "kept_until_a_change": ask(FEW, seconds=9) + LOGIN + prepared(LONG) + ANSWERED
        + ask(FEW, seconds=9, which=1) + ask(CHANGE) + prepared(arguments=2) + INSERTED + op(Op.NEXT, which=1),
        "terse": ask(FEW) + TERSE + prepared(LONG, ends=False) + packet(bytes((1, 0))) + packet(ROW)
        + op(Op.NEXT) + packet(bytes((0xFE, 0, 0, 2, 0, 0, 0))),
        "terse_said_anew": ask(FEW) + TERSE + prepared(LONG, ends=False) + packet(bytes((1, 1))) + columns(TEXT)
        + packet(b"\0\0\5hello"),
        "ed25519": switch(b"client_ed25519", NONCE + b"abcdefghijkl") + op(Op.AGREE),
        "sha2": switch(b"caching_sha2_password") + packet(b"\1\3") + op(Op.AGREE) + prepared(LONG) + ANSWERED,
        "sha2_wants_the_password": switch(b"caching_sha2_password") + packet(b"\1\4"),
        "clear_password": switch(b"mysql_clear_password"),
        "refused": ask(FEW) + op(Op.GREET, 0) + packet(b"\xff\x15\4#28000Access denied") + ask(FEW) + op(Op.WAIT, 200),
        "error_of_a_statement": asked + packet(b"\xff\x26\4#23000Duplicate") + ask(FEW) + ANSWERED,
        "statement_unknown": asked + packet(b"\xff\xdb\4#HY000Unknown") + ask(FEW) + prepared(LONG) + ANSWERED,
        "local_file": asked + packet(b"\xfb/etc/passwd"),
        "long_packet": asked + packet(head) + op(Op.OCTETS, 4) + b"\xff\xff\xff\2",
        "text_beyond_its_row": several + answer(bytes((0, 0)) + b"\xfe" + b"\xff" * 8, kinds=(TEXT,)),
        "a_client_goes_away": asked + packet(head) + op(Op.LEAVE) + ask(FEW, which=1) + columns(LONG) + packet(END)
        + packet(ROW) + packet(END) + ANSWERED,
        "a_reader_that_is_slow": asked + ANSWERED[:-10] + op(Op.WAIT, 80) + ask(FEW, which=1) + op(Op.WAIT, 80),
        "a_request_that_is_over": op(Op.LEND, which=1) + asked + packet(head) + op(Op.LEND) + ask(FEW, which=1),
        "lost": asked + packet(head) + op(Op.CLIENT, FAILED) + ask(FEW) + op(Op.WAIT, 10) + LOGIN,
        "two_connections": asked + ask(FEW, which=1) + op(Op.GREET, 0, which=1) + op(Op.AGREE, which=1) + ANSWERED,
    }  # fmt: skip
