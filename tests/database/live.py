# SPDX-License-Identifier: MIT
"""A real MariaDB with users of each way to log in. Real sockets carry the client's octets."""

import contextlib
import select
import socket
import time
from collections.abc import Callable
from glob import glob
from pathlib import Path

from tests.database.library import WAITS, Database, ffi
from whit.machines.free_port import free_port
from whit.machines.mariadb import MariaDB
from whit_lab.real.unpacked import UNPACKED

PASSWORD = "geheim: ä'\"\\"
SQL = r"""
CREATE DATABASE whit CHARACTER SET utf8mb4;
CREATE USER native@'%' IDENTIFIED VIA mysql_native_password USING PASSWORD('{}');
CREATE USER nobody@'%' IDENTIFIED BY '';
GRANT ALL ON whit.* TO native@'%';
GRANT ALL ON whit.* TO nobody@'%';
USE whit;
CREATE TABLE item (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, name VARCHAR(200), price DECIMAL(9, 2));
CREATE TABLE many (number INT PRIMARY KEY, text VARCHAR(100));
INSERT INTO many SELECT seq, CONCAT('row ', seq) FROM seq_1_to_5000;
"""
ED25519 = r"""
CREATE USER signed@'%' IDENTIFIED VIA ed25519 USING PASSWORD('{}');
GRANT ALL ON whit.* TO signed@'%';
"""
PLUGINS = (str(UNPACKED / "usr/lib/mysql/plugin"), "/usr/lib/mysql/plugin", "/usr/lib64/mysql/plugin")


def plugin_directory() -> str | None:
    """Returns the directory of MariaDB's ed25519 plugin, or None."""
    return next((there for there in PLUGINS if glob(f"{there}/auth_ed25519.so")), None)


def start(directory: Path) -> MariaDB:
    """A server with the tables and users above."""
    escaped = PASSWORD.replace("\\", "\\\\").replace("'", "''")
    plugins = plugin_directory()
    options = [f"--plugin-dir={plugins}", "--plugin-load-add=auth_ed25519"] if plugins else []
    server = MariaDB(directory, free_port(), options=options)
    server.start((SQL + (ED25519 if plugins else "")).replace("{}", escaped))
    return server


class Wires:
    """Carries octets between the library's connections and a server. Between two of its turns, time is the clock's."""

    def __init__(self, database: Database, port: int) -> None:
        self._database, self.port = database, port
        self._sockets: dict[int, socket.socket] = {}
        self._start, self._first_ms = time.monotonic(), database.now_ms
        self.passed: list[tuple[str, bytes]] = []  # sender and message, in turn

    def turn(self, wait_s: float = 0.02) -> None:
        c = self._database.c
        for client in range(1, 17):
            state = c.client_state(client)
            if state == 1:
                self._open(client)
            elif state == 0 and client in self._sockets:
                self._sockets.pop(client).close()
            if c.client_state(client) == 2 and client in self._sockets:
                wait_s = 0 if self._send(client) else wait_s
        opened = {s: client for client, s in self._sockets.items() if c.client_state(client) == 2}
        readable = {s: client for s, client in opened.items() if c.test_room(client)}
        for ready in select.select(list(readable), [], [], wait_s)[0]:
            self._receive(readable[ready], ready)
        self._database.now_ms = self._first_ms + int(1000 * (time.monotonic() - self._start))
        c.test_time(self._database.now_ms)

    def _open(self, client: int) -> None:
        if client in self._sockets:
            self._sockets.pop(client).close()
        try:
            self._sockets[client] = socket.create_connection(("127.0.0.1", self.port), timeout=5)
            self._database.c.test_state(client, 2)
        except OSError:
            self._database.c.test_state(client, 4)

    def _send(self, client: int) -> int:
        octets = ffi.new("uint8_t[]", 1 << 16)
        if sent := self._database.c.test_sent(client, octets):
            with contextlib.suppress(OSError):
                self._sockets[client].sendall(self._said("client", bytes(ffi.buffer(octets, sent))))
        return int(sent)

    def _receive(self, client: int, ready: socket.socket) -> None:
        try:
            octets = ready.recv(self._database.c.test_room(client))
        except OSError:
            self._database.c.test_state(client, 4)
            return
        if octets:
            self._database.c.test_receive(client, self._said("server", octets), len(octets))
        else:
            self._database.c.test_state(client, 3)

    def _said(self, who: str, octets: bytes) -> bytes:
        if self.passed and self.passed[-1][0] == who:
            octets_before = self.passed.pop()[1]
            self.passed.append((who, octets_before + octets))
        else:
            self.passed.append((who, octets))
        return octets

    def until(self, ask: Callable[[], int]) -> int:
        """Turns until the answer is not that it waits."""
        while (status := ask()) == WAITS:
            self.turn()
        return status

    def close(self) -> None:
        for one in self._sockets.values():
            one.close()
