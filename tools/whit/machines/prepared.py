# SPDX-License-Identifier: MIT
"""Asks a MariaDB whether it can prepare statements, as the image will ask it to (MySQL's protocol, version 10)."""

import hashlib
import socket
import struct
from collections.abc import Sequence
from contextlib import suppress

TIMEOUT_S = 10.0
_LONG_PASSWORD, _WITH_DATABASE, _PROTOCOL_41, _SECURE, _PLUGIN = 0x1, 0x8, 0x200, 0x8000, 0x80000
_UTF8MB4 = 45
_PREPARE, _CLOSE = b"\x16", b"\x19"
_ERROR = 0xFF
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


def mistakes(
    port: int, user: str, password: bytes, database: str, statements: Sequence[str], address: str = "127.0.0.1"
) -> list[str]:
    """What it says against each statement; "": nothing. OSError: it cannot be asked."""
    with socket.create_connection((address, port), TIMEOUT_S) as opened:
        connection = _Connection(opened)
        _log_in(connection, user, password, database)
        return [_mistake(connection, sql) for sql in statements]


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


def _mistake(connection: _Connection, sql: str) -> str:
    connection.write(_PREPARE + sql.encode())
    said = connection.read()
    if said[0] == _ERROR:
        return _text(said)
    number, columns, arguments = struct.unpack_from("<IHH", said, 1)
    for cnt in (arguments, columns):
        for _ in range(cnt + 1 if cnt else 0):  # definitions, and what ends them
            connection.read()
    connection.write(_CLOSE + struct.pack("<I", number))
    return ""


def _text(error: bytes) -> str:
    """Behind its number and SQLSTATE."""
    text = error[3:].decode(errors="replace")
    with suppress(IndexError):
        return text[6:] if text[0] == "#" else text
    return text
