# SPDX-License-Identifier: MIT
"""Values of each type as a server sends them, at their limits; and greetings that are barely valid."""

import struct

import pytest

from tests.database.exchange import (
    LONG,
    Server,
    answer,
    asked,
    column,
    end,
    greeting,
    ok,
    packet,
    packets,
    prepared,
    row,
)
from tests.database.library import END, Database, Query, Settings

TINY, SHORT, FLOAT, DOUBLE, _, TIMESTAMP, LONGLONG, INT24, DATE, TIME, DATETIME, YEAR = 1, 2, *range(4, 14)
UNSIGNED = 0x20
LOGIN = (packet(0, greeting()), packet(2, ok()))


@pytest.fixture
def database():
    return Database(Settings(("SELECT 1",), timeout_ms=1000))


def read(database, kinds, values, flags=0):
    """The values of one row."""
    said = [bytes([len(kinds)]), *(column(kind, flags=flags) for kind in kinds), end(), row(*values), end()]
    server = Server([*LOGIN, packets(1, *prepared(columns=len(kinds))), packets(1, *said)])
    status, rows = asked(database, server, Query(database, 0))
    assert status == END and len(rows) == 1
    return rows[0]


INTEGERS = {TINY: 1, SHORT: 2, YEAR: 2, LONG: 4, INT24: 4, LONGLONG: 8}


@pytest.mark.parametrize("flags", [0, UNSIGNED])
def test_integers(database, flags):
    kinds, octets, expected = [], [], []
    for kind, length in INTEGERS.items():
        for bits in (0, 1, (1 << 8 * length - 1) - 1, 1 << 8 * length - 1, (1 << 8 * length) - 1):
            kinds.append(kind)
            octets.append(bits.to_bytes(length, "little"))
            expected.append(int.from_bytes(octets[-1], "little", signed=flags == 0))
    assert read(database, kinds, octets, flags) == expected


def test_reals(database):
    reals = [0.0, -1.5, 2.0**-126, 3.0e38]
    octets = [struct.pack("<f", real) for real in reals] + [struct.pack("<d", real) for real in reals]
    found = read(database, [FLOAT] * 4 + [DOUBLE] * 4, octets)
    assert found == [*struct.unpack("<4f", b"".join(octets[:4])), *reals]


CLOCK = struct.pack("<BBB", 3, 4, 5)
MICROSECONDS = struct.pack("<I", 60_007)
DAY = struct.pack("<HBB", 2026, 1, 29)
TIMES = {
    b"\0": b"00:00:00",
    b"\x08\0" + struct.pack("<I", 0) + CLOCK: b"03:04:05",
    b"\x08\1" + struct.pack("<I", 0) + CLOCK: b"-03:04:05",
    b"\x08\0" + struct.pack("<I", 1) + CLOCK: b"27:04:05",
    b"\x08\1" + struct.pack("<I", 4) + CLOCK: b"-99:04:05",
    b"\x08\0" + struct.pack("<IBBB", 4, 4, 59, 58): b"100:59:58",
    b"\x0c\1" + struct.pack("<I", 34) + CLOCK + MICROSECONDS: b"-819:04:05.060007",
    b"\x0c\0" + struct.pack("<IBBB", 41, 15, 0, 0) + MICROSECONDS: b"999:00:00.060007",
}
DATES = {
    (DATE, b"\0"): b"0000-00-00",
    (DATE, b"\4" + DAY): b"2026-01-29",
    (DATETIME, b"\0"): b"0000-00-00 00:00:00",
    (DATETIME, b"\4" + DAY): b"2026-01-29 00:00:00",
    (DATETIME, b"\7" + DAY + CLOCK): b"2026-01-29 03:04:05",
    (TIMESTAMP, b"\x0b" + DAY + CLOCK + MICROSECONDS): b"2026-01-29 03:04:05.060007",
}


def test_times(database):
    assert read(database, [TIME] * len(TIMES), list(TIMES)) == list(TIMES.values())


def test_dates(database):
    assert read(database, [kind for kind, _ in DATES], [octets for _, octets in DATES]) == list(DATES.values())


@pytest.mark.parametrize("absent", [0, 5, 6, 13, 14, 19])
def test_one_that_is_null_among_twenty(database, absent):
    """The bit of a column is two after its number."""
    octets = [None if number == absent else bytes([number]) for number in range(20)]
    expected = [None if number == absent else number for number in range(20)]
    assert read(database, [TINY] * 20, octets) == expected


@pytest.mark.parametrize("behind", [b"", b"mysql_native_password", b"\0"])
def test_a_greeting_that_names_no_method_has_its_nonce(database, behind):
    """The greeting ends with the nonce, or its name has no end: the server names the method after the login."""
    usual = greeting(b"")
    says = packet(0, usual[:-1] + behind)
    server = Server([says, packet(2, ok()), packets(1, *prepared(columns=1)), answer([LONG], [row(bytes(4))])])
    assert asked(database, server, Query(database, 0)) == (END, [[0]])
    assert database.events()["CONNECTED"] == 1


def said_of(value):
    """Type and octets of an argument, as an execution has them."""
    if value is None:
        return 6, b""
    if isinstance(value, int):
        return 8 | (0x8000 if value >= 1 << 63 else 0), (value & (1 << 64) - 1).to_bytes(8, "little")
    if isinstance(value, float):
        return 5, struct.pack("<d", value)
    length = bytes([len(value)]) if len(value) < 0xFB else b"\xfc" + struct.pack("<H", len(value))
    return 0xFD, length + value.encode()


KINDS = (None, -5, (1 << 64) - 1, 1.5, "", "x" * 0xFA, "y" * 0xFB, None)


@pytest.mark.parametrize("cnt", [1, 2, 7, 8, 9, 15, 16])
def test_arguments(cnt):
    """NULL has a bit, in as many octets as all arguments need."""
    statement = "SELECT " + ", ".join("?" * cnt)
    database = Database(Settings((statement,), timeout_ms=1000))
    arguments = [KINDS[(number + cnt) % len(KINDS)] for number in range(cnt)]
    answered = [bytes([1]), column(LONG), end(), row(b"\x2a\0\0\0"), end()]
    server = Server([*LOGIN, packets(1, *prepared(9, columns=1, parameters=cnt)), packets(1, *answered)])
    assert asked(database, server, Query(database, 0, arguments)) == (END, [[42]])
    nulls = sum(1 << number for number, value in enumerate(arguments) if value is None)
    types = b"".join(struct.pack("<H", said_of(value)[0]) for value in arguments)
    values = b"".join(said_of(value)[1] for value in arguments)
    said = b"\x17" + struct.pack("<IBI", 9, 0, 1) + nulls.to_bytes((cnt + 7) // 8, "little") + b"\1" + types + values
    assert [bytes(one) for one in server.heard if one][-1] == packet(0, said)
