# SPDX-License-Identifier: MIT
"""Servers that a test writes octet by octet: packets, and the order of messages."""

import struct
from collections.abc import Callable, Sequence

from tests.database.library import FAILED, RING, ROW, WAITS, Database, Query, Value, ffi

NONCE = bytes(range(1, 21))
CAPABILITIES = 0x000FF7FF  # of a server that has all that we know of
TINY, LONG, LONGLONG, VAR_STRING = 1, 3, 8, 253


def packet(sequence: int, payload: bytes) -> bytes:
    return len(payload).to_bytes(3, "little") + bytes([sequence & 255]) + payload


def packets(sequence: int, *payloads: bytes) -> bytes:
    """Returns packets in sequence."""
    return b"".join(packet(sequence + number, payload) for number, payload in enumerate(payloads))


def text(octets: bytes) -> bytes:
    """Returns the octets behind their length."""
    assert len(octets) < 1 << 16
    return (bytes([len(octets)]) if len(octets) < 251 else b"\xfc" + struct.pack("<H", len(octets))) + octets


def greeting(
    plugin: bytes = b"mysql_native_password",
    *,
    version: int = 10,
    name: bytes = b"5.5.5-test",
    can: int = CAPABILITIES,
    nonce: bytes = NONCE,
) -> bytes:
    low, high = struct.pack("<H", can & 0xFFFF), struct.pack("<H", can >> 16)
    begin = bytes([version]) + name + b"\0" + struct.pack("<I", 7) + nonce[:8] + b"\0"
    return begin + low + b"\x2d\x02\0" + high + b"\x15" + bytes(10) + nonce[8:] + b"\0" + plugin + b"\0"


def ok(*, inserted: bytes = b"\0", status: int = 2, warnings: int = 0) -> bytes:
    return b"\0\0" + inserted + struct.pack("<HH", status, warnings)


def error(number: int, said: bytes = b"no") -> bytes:
    return b"\xff" + struct.pack("<H", number) + b"#HY000" + said


def end(*, status: int = 2, warnings: int = 0) -> bytes:
    return b"\xfe" + struct.pack("<HH", warnings, status)


def switch(plugin: bytes, nonce: bytes = NONCE) -> bytes:
    return b"\xfe" + plugin + b"\0" + nonce + b"\0"


def column(kind: int, *, flags: int = 0, name: bytes = b"c") -> bytes:
    names = b"".join(map(text, (b"def", b"whit", b"t", b"t", name, name)))
    return names + b"\x0c" + struct.pack("<HIBHBH", 45, 100, kind, flags, 0, 0)


def prepared(number: int = 1, *, columns: int = 0, parameters: int = 0) -> list[bytes]:
    """Returns a server's answer to a prepared statement, with the definitions."""
    said = [b"\0" + struct.pack("<IHHBH", number, columns, parameters, 0, 0)]
    said += [*([column(VAR_STRING)] * parameters), end()] if parameters else []
    return said + ([*([column(VAR_STRING)] * columns), end()] if columns else [])


def row(*values: bytes | None) -> bytes:
    """Returns values in the format of the wire."""
    nulls = bytearray((len(values) + 9) // 8)
    for number, value in enumerate(values):
        if value is None:
            nulls[(number + 2) // 8] |= 1 << (number + 2) % 8
    return b"\0" + bytes(nulls) + b"".join(value for value in values if value is not None)


def answer(kinds: Sequence[int], rows: Sequence[bytes]) -> bytes:
    """Returns the answer to an execution: definitions and rows."""
    definitions = [bytes([len(kinds)]), *map(column, kinds), end()]
    return packets(1, *definitions, *rows, end())


class Server:
    """Sends one text when a connection opens, and the next one after each complete message of the client."""

    def __init__(self, says: Sequence[bytes], splits: Callable[[int], int] = lambda left: left) -> None:
        """splits: the number of octets that arrive at once, by the number left."""
        self._waiting, self._splits = list(says), splits
        self._coming, self._silent = b"", 0
        self.heard: list[bytearray] = [bytearray()]

    def turn(self, database: Database) -> None:
        """Moves octets; where nothing moves, time goes by."""
        opened = database.clients()
        if not opened:
            database.wait(database.settings.timeout_ms // 4)
            return
        client, moved = opened[0], False
        if database.c.client_state(client) == 1:
            database.c.test_state(client, 2)
            self._next()
        octets = ffi.new("uint8_t[]", RING)
        if sent := database.c.test_sent(client, octets):
            self.heard[-1] += bytes(ffi.buffer(octets, sent))
        elif not self._coming and self.heard[-1] and self._waiting:
            self.heard.append(bytearray())
            self._next()
        left = len(self._coming)
        part = min(database.c.test_room(client), self._splits(left), left) if left else 0
        if part and database.c.client_state(client) == 2:
            database.c.test_receive(client, self._coming[:part], part)
            self._coming = self._coming[part:]
            moved = True
        self._silent = 0 if moved or sent else self._silent + 1
        if self._silent > 2:
            database.wait(database.settings.timeout_ms // 4)

    def _next(self) -> None:
        self._coming, self._waiting = (self._waiting[0], self._waiting[1:]) if self._waiting else (b"", [])

    def until(self, database: Database, ask: Callable[[], int]) -> int:
        """Turns until the answer is not that it waits."""
        while (status := ask()) == WAITS:
            self.turn(database)
        return status


LOGIN = (packet(0, greeting()), packet(2, ok()))


def asked(database: Database, server: Server, query: Query) -> tuple[int, list[list[Value]]]:
    """The last status, and the rows."""
    rows = []
    status = server.until(database, query.begin)
    while status == ROW:
        rows.append(query.row())
        status = server.until(database, query.next)
    return status, rows


def fails(database: Database, says: Sequence[bytes], event: str, query: Query | None = None) -> Query:
    """Fails unless such a server costs this error, counted once, and its connection."""
    query = query or Query(database, 0)
    before = database.events()
    status, _ = asked(database, Server(says), query)
    after = database.events()
    happened = {name: count - before.get(name, 0) for name, count in after.items()}
    assert (status, happened.get(event)) == (FAILED, 1), (status, happened)
    assert database.clients() == []
    return query


def works(database: Database, query: Query | None = None) -> None:
    """An honest server is asked afterwards, when the pause is over. The query is one without arguments."""
    database.wait(3000)
    server = Server([*LOGIN, packets(1, *prepared(columns=1)), answer([LONG], [row(b"\x2a\0\0\0")])])
    assert asked(database, server, query or Query(database, 0)) == (2, [[42]])
