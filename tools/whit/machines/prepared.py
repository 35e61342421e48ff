# SPDX-License-Identifier: MIT
"""Asks a MariaDB whether it can prepare statements, as the image will ask it to (MySQL's protocol, version 10)."""

import hashlib
import socket
import struct
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from whit.compiler.statements import Need

TIMEOUT_S = 10.0
_LONG_PASSWORD, _WITH_DATABASE, _PROTOCOL_41, _SECURE, _PLUGIN = 0x1, 0x8, 0x200, 0x8000, 0x80000
_UTF8MB4 = 45
_PREPARE, _CLOSE = b"\x16", b"\x19"
_ERROR = 0xFF
_TYPE, _DIGITS = 6, 3  # bytes from the end of a column's definition
_INTEGERS, _REALS, _DECIMALS, _NULL = (1, 2, 3, 8, 9, 13, 16), (4, 5), (0, 246), 6
_NAMES = {1: "a TINYINT", 2: "a SMALLINT", 3: "an INT", 8: "a BIGINT", 9: "a MEDIUMINT", 13: "a YEAR", 16: "a BIT"}
_NAMES |= {4: "a FLOAT", 5: "a DOUBLE", 7: "a TIMESTAMP", 10: "a DATE", 11: "a TIME", 12: "a DATETIME"}
METHOD = b"mysql_native_password"


class _Connection:
    """Packets: three octets of length, one of sequence, and the payload."""

    def __init__(self, connection: socket.socket) -> None:
        self._file, self._socket, self._sequence = connection.makefile("rb"), connection, 0

    def read(self) -> bytes:
        head = self._file.read(4)
        if len(head) != 4:
            raise ConnectionError("MariaDB has closed the connection")
        self._sequence = head[3] + 1
        return self._file.read(int.from_bytes(head[:3], "little"))

    def write(self, payload: bytes, *, first: bool = True) -> None:
        sequence = 0 if first else self._sequence
        self._socket.sendall(len(payload).to_bytes(3, "little") + bytes((sequence % 256,)) + payload)


@dataclass(frozen=True)
class Column:
    """A column: its type, by the numbers of the protocol."""

    type: int
    decimals: int

    @property
    def name(self) -> str:
        """The type's name in SQL."""
        if self.type in _DECIMALS:
            return f"a DECIMAL with {self.decimals} digits behind the point" if self.decimals else "a DECIMAL"
        return _NAMES.get(self.type, "a text")

    def serves(self, kind: str) -> bool:
        """True if the column serves, as row_serves() of database/column.c decides."""
        is_int, is_decimal, is_real = self.type in _INTEGERS, self.type in _DECIMALS, self.type in _REALS
        if self.type == _NULL:
            return True
        if kind == Need.TEXT:
            return not (is_int or is_real)
        return (
            is_int or (is_decimal and (kind == Need.NUMBER or self.decimals == 0)) or (is_real and kind == Need.NUMBER)
        )


@dataclass(frozen=True)
class Prepared:
    """The database's answer to a statement: its mistake, or the columns of its rows."""

    mistake: str = ""
    columns: tuple[Column, ...] = ()


def prepared(
    port: int, user: str, password: bytes, database: str, statements: Sequence[str], address: str = "127.0.0.1"
) -> list[Prepared]:
    """Each statement's. OSError: it cannot be asked."""
    with socket.create_connection((address, port), TIMEOUT_S) as opened:
        connection = _Connection(opened)
        _log_in(connection, user, password, database)
        return [_prepared(connection, sql) for sql in statements]


def _log_in(connection: _Connection, user: str, password: bytes, database: str) -> None:
    greeting = connection.read()
    rest = greeting[greeting.index(b"\0") + 5 :]
    nonce = rest[:8] + rest[27:39]
    flags = _LONG_PASSWORD | _WITH_DATABASE | _PROTOCOL_41 | _SECURE | _PLUGIN
    answer = _native(nonce, password)
    payload = struct.pack("<IIB23x", flags, 1 << 24, _UTF8MB4) + user.encode() + b"\0"
    payload += bytes((len(answer),)) + answer + database.encode() + b"\0" + METHOD + b"\0"
    connection.write(payload, first=False)
    if (said := connection.read())[0] != 0:
        raise ConnectionError(f"MariaDB refuses the log-in: {_text(said)}")


def _native(nonce: bytes, password: bytes) -> bytes:
    if not password:
        return b""
    once = hashlib.sha1(password).digest()
    key = hashlib.sha1(nonce + hashlib.sha1(once).digest()).digest()
    return bytes(a ^ b for a, b in zip(once, key, strict=True))


def _prepared(connection: _Connection, sql: str) -> Prepared:
    connection.write(_PREPARE + sql.encode())
    said = connection.read()
    if said[0] == _ERROR:
        return Prepared(_text(said))
    number, columns, arguments = struct.unpack_from("<IHH", said, 1)
    found: list[bytes] = []
    for cnt in (arguments, columns):
        found = [connection.read() for _ in range(cnt)]
        if cnt:
            connection.read()  # the packet that ends them
    connection.write(_CLOSE + struct.pack("<I", number))
    return Prepared(columns=tuple(Column(one[-_TYPE], one[-_DIGITS]) for one in found))


def _text(error: bytes) -> str:
    """Returns the text of an error, after its number and SQLSTATE."""
    text = error[3:].decode(errors="replace")
    with suppress(IndexError):
        return text[6:] if text[0] == "#" else text
    return text
