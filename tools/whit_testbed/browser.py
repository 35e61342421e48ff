# SPDX-License-Identifier: MIT
"""A browser that loads a page: a few connections, dependent items, and repeated requests."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from whit.model.policy import Options
from whit.wire.http import Cut, Response
from whit_testbed.client import State
from whit_testbed.http import Client
from whit_testbed.link import Loop
from whit_testbed.net import Host


@dataclass(frozen=True)
class Item:
    """An item of a page. It is requested when all of `after` are loaded."""

    target: str
    after: tuple[str, ...] = ()


class Browser:
    """Loads `items`. `request` writes the request for a target, given the response of an earlier visit.

    If a connection is reset, refused or closed before the response is complete, its request is repeated on another one.
    After `try_max` attempts the item is among the `failed` (RFC 9112, 9.3.1: these are all GET).

    `late`: a request takes the first connection that opens or becomes free, as in Chromium. Otherwise it waits for the
    connection that was opened for it.
    """

    def __init__(
        self,
        host: Host,
        loop: Loop,
        items: Sequence[Item],
        request: Callable[[str, Response | None], bytes],
        *,
        options: Options | None = None,
        connection_max: int = 2,
        try_max: int = 3,
        late: bool = False,
    ) -> None:
        self.failed: set[str] = set()
        self.again_cnt = 0  # repeated requests
        self.responses: dict[str, Response] = {}
        self.times_us: dict[str, int] = {}  # when each item was loaded, since the beginning
        self._host, self._loop, self._items, self._request = host, loop, items, request
        self._options = options or Options()
        self._connection_max = connection_max
        self._try_max, self._late = try_max, late
        self._refused_cnt = 0  # connections
        self._tries: dict[str, int] = {}
        self._begin_us = loop.now_us
        self._known: dict[str, Response] = {}
        self._asked: set[str] = set()
        self._busy: dict[int, str] = {}  # by index of the client
        self._clients: list[Client] = []

    @property
    def clients(self) -> Sequence[Client]:
        """The clients of its connections."""
        return self._clients

    def load(self, *, for_s: float = 120) -> float:
        """Loads the page. Returns the seconds from the first SYN, or first request on a kept connection, to the last
        byte.

        It ends early if no item can be loaded any more. Raises Deadlock after `for_s`.
        """
        self._known = self.responses | {target: r for target, r in self._known.items() if target not in self.responses}
        self.responses, self.times_us, self._asked = {}, {}, set()
        self.failed, self.again_cnt, self._tries, self._refused_cnt = set(), 0, {}, 0
        self._begin_us = self._loop.now_us
        self._look()
        self._loop.run(self._done, for_us=int(for_s * 1e6))
        return (self._loop.now_us - self._begin_us) / 1e6

    def _done(self) -> bool:
        return len(self.responses) == len(self._items) or (bool(self.failed) and not self._busy)

    def leave(self) -> None:
        """Closes its connections."""
        for client in self._clients:
            client.connection.close()
        self._clients, self._busy = [], {}

    def _look(self) -> None:
        for index, client in enumerate(self._clients):
            if index in self._busy and not client.waiting:
                target = self._busy.pop(index)
                self.responses[target] = client.responses[-1]
                self.times_us[target] = self._loop.now_us - self._begin_us
            elif index in self._busy and client.ended:
                self._lost(self._busy.pop(index))
        due = [item.target for item in self._items if item.target not in self._asked and self._is_due(item)]
        while due:
            free = self._free(len(due))
            if free is None:
                break
            target = due.pop(0)
            self._asked.add(target)
            self._tries[target] = self._tries.get(target, 0) + 1
            self._busy[free] = target
            self._clients[free].send(self._request(target, self._known.get(target)), "GET")
        if self._refused_cnt >= self._try_max:
            self.failed.update(due)

    def _is_due(self, item: Item) -> bool:
        return item.target not in self.failed and all(target in self.responses for target in item.after)

    def _lost(self, target: str) -> None:
        """Handles a connection that ended without the response."""
        if self._tries[target] < self._try_max:
            self._asked.discard(target)
            self.again_cnt += 1
        else:
            self.failed.add(target)

    def _free(self, wanted: int) -> int | None:
        """Returns a connection for one of `wanted` waiting requests, or None if they have to wait."""
        opening = 0
        for index, client in enumerate(self._clients):
            if index in self._busy:
                continue
            if client.ended or _is_last(client):
                if client.connection.refused:
                    self._refused_cnt += 1
                    if self._refused_cnt >= self._try_max:
                        return None
                client.connection.close()
                self._clients[index] = client = self._connect()
            if not self._late or client.connection.state is State.OPEN:
                return index
            opening += 1
        while len(self._clients) < self._connection_max and opening < wanted:
            self._clients.append(self._connect())
            if not self._late:
                return len(self._clients) - 1
            opening += 1
        return None

    def _connect(self) -> Client:
        client = self._host.client(self._options)
        told = client.connection.on_data

        def data() -> None:
            with contextlib.suppress(Cut):
                told()
            self._look()

        client.connection.on_data = data
        return client


def _is_last(client: Client) -> bool:
    """True if the connection ends with the last response (RFC 9112, 9.3)."""
    last = client.responses[-1] if client.responses else None
    return last is not None and (last.version == "HTTP/1.0" or (last.field("connection") or "").lower() == "close")
