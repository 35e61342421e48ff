# SPDX-License-Identifier: MIT
"""A browser that loads a page: a few connections, and what depends on what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from whit.sim.http import Client, Response
from whit.sim.link import Loop
from whit.sim.net import Host
from whit.sim.policy import Options


@dataclass(frozen=True)
class Item:
    """Something that a page consists of. It is asked for when all of `after` are there."""

    target: str
    after: tuple[str, ...] = ()


class Browser:
    """Loads `items`. `request` writes the request for a target, given the response of an earlier visit."""

    def __init__(
        self,
        host: Host,
        loop: Loop,
        items: Sequence[Item],
        request: Callable[[str, Response | None], bytes],
        *,
        options: Options | None = None,
        connection_max: int = 2,
    ) -> None:
        self.responses: dict[str, Response] = {}
        self.times_us: dict[str, int] = {}  # when each was there, since the beginning
        self._host, self._loop, self._items, self._request = host, loop, items, request
        self._options = options or Options()
        self._connection_max = connection_max
        self._begin_us = loop.now_us
        self._known: dict[str, Response] = {}
        self._asked: set[str] = set()
        self._busy: dict[int, str] = {}  # by index of the client
        self._clients: list[Client] = []

    @property
    def clients(self) -> Sequence[Client]:
        """One for each connection that it has."""
        return self._clients

    def load(self, *, for_s: float = 120) -> float:
        """Seconds from the first SYN, or request on a connection that is kept, to the last octet."""
        self._known = self.responses | {target: r for target, r in self._known.items() if target not in self.responses}
        self.responses, self.times_us, self._asked = {}, {}, set()
        self._begin_us = self._loop.now_us
        self._look()
        self._loop.run(lambda: len(self.responses) == len(self._items), for_us=int(for_s * 1e6))
        return (self._loop.now_us - self._begin_us) / 1e6

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
        for item in self._items:
            if item.target not in self._asked and all(target in self.responses for target in item.after):
                free = self._free()
                if free is None:
                    return
                self._asked.add(item.target)
                self._busy[free] = item.target
                self._clients[free].send(self._request(item.target, self._known.get(item.target)), "GET")

    def _free(self) -> int | None:
        for index, client in enumerate(self._clients):
            if index not in self._busy:
                if client.ended or _is_last(client):
                    client.connection.close()
                    self._clients[index] = self._connect()
                return index
        if len(self._clients) == self._connection_max:
            return None
        self._clients.append(self._connect())
        return len(self._clients) - 1

    def _connect(self) -> Client:
        client = self._host.client(self._options)
        told = client.connection.on_data

        def data() -> None:
            told()
            self._look()

        client.connection.on_data = data
        return client


def _is_last(client: Client) -> bool:
    """RFC 9112, 9.3: whether the connection ends with the response that came last."""
    last = client.responses[-1] if client.responses else None
    return last is not None and (last.version == "HTTP/1.0" or (last.field("connection") or "").lower() == "close")
