# SPDX-License-Identifier: MIT
"""The order of sending: one segment of each of the engine's slots in turn (engine/core/table_scan.c)."""

from __future__ import annotations

from whit.model.passed import Connection, Sending


class Slots:
    """A slot is taken by a request, and free again when the response is acknowledged."""

    def __init__(self, count: int) -> None:
        self._slots: list[Connection | None] = [None] * count
        self._turn = 0

    def take(self, connection: Connection) -> bool:
        """False: none is free. A connection keeps the one that it has."""
        if connection in self._slots:
            return True
        if None not in self._slots:
            return False
        self._slots[self._slots.index(None)] = connection
        return True

    def release(self, connection: Connection) -> None:
        if connection in self._slots:
            self._slots[self._slots.index(connection)] = None

    def next_ready(self) -> Sending | None:
        for _ in self._slots:
            self._turn = (self._turn + 1) % len(self._slots)
            connection = self._slots[self._turn]
            sending = connection.sending if connection else None
            if sending and sending.ready:
                sending.ready = False
                return sending
        return None
