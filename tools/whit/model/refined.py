# SPDX-License-Identifier: MIT
"""The refined model: times of this engine's responses on a link, by segment, including pure acknowledgments.

link = Link(10_000, 0.005)
response_s(link, Client(), Server(), request_octets=400, head_octets=90, content_octets=5805)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from whit.model.loss import expected_s, page_expected_s
from whit.model.parties import Client, Item, Link, Server, Tls
from whit.model.passed import Connection, Passed
from whit.model.schedule import Schedule

__all__ = ["Client", "Item", "Link", "Server", "page", "page_s", "response", "response_s"]


def response(link: Link, client: Client, server: Server, item: Item, *, warm: bool = True) -> Passed:
    """Computes one response on an idle link without loss. warm: on an open connection."""
    schedule = Schedule(link, client, server, lambda passed: None)
    schedule.ask(schedule.connection(opened=warm), item, resolve=link.resolve)
    schedule.run()
    return schedule.passed[0]


def response_s(
    link: Link,
    client: Client,
    server: Server,
    request_octets: int,
    head_octets: int,
    content_octets: int,
    strategy: str = "S0",
    *,
    warm: bool = True,
) -> float:
    """Returns the time from the request's first octet (cold: the SYN's) at the client to the response's last octet
    there; with loss, the expected time."""
    item = Item("", request_octets, head_octets, content_octets, strategy)
    passed = response(link, client, server, item, warm=warm)
    return passed.whole_s + expected_s(passed, link, client, server)


def page(
    link: Link, client: Client, server: Server, items: Sequence[Item], *, warm: bool = False, tls: Tls | None = None
) -> Mapping[str, Passed]:
    """Returns the responses of a page. Each item is requested once all of its `after` are loaded, on the first idle one
    of `client.connections`. warm: these are open. tls: each new connection begins with a handshake."""
    connections: list[Connection] = []
    waiting: dict[str, tuple[Connection, Item]] = {}  # by the name of the handshake that is ahead
    arrived: dict[str, Passed] = {}
    asked: set[str] = set()

    def look(passed: Passed | None = None) -> None:
        if passed and passed.item.name in waiting:
            connection, item = waiting.pop(passed.item.name)
            schedule.ask(connection, item)
        elif passed:
            arrived[passed.item.name] = passed
        for item in items:
            if item.name in asked or not all(name in arrived for name in item.after):
                continue
            free = next((one for one in connections if not one.busy), None)
            if free is None:
                if len(connections) == client.connections:
                    return
                free = schedule.connection(opened=warm)
                connections.append(free)
            resolve = link.resolve and not asked
            asked.add(item.name)
            if tls and not free.opened:
                hello = Item(f"handshake of connection {len(connections)}", tls.hello, tls.flight, 0)
                waiting[hello.name] = free, replace(item, request=item.request + tls.finished)
                item = hello
            schedule.ask(free, item, resolve=resolve)

    schedule = Schedule(link, client, server, look)
    look()
    schedule.run()
    missing = [item.name for item in items if item.name not in arrived]
    if missing:
        raise ValueError(f"never asked for, by what must be there before: {', '.join(missing)}")
    return arrived


def page_s(
    link: Link, client: Client, server: Server, items: Sequence[Item], *, warm: bool = False, tls: Tls | None = None
) -> float:
    """Returns the time from the client's first octet to its last received one; with loss, the expected time."""
    passed = page(link, client, server, items, warm=warm, tls=tls)
    whole = max((one.whole_s for one in passed.values()), default=0.0)
    return whole + page_expected_s(passed, link, client, server)
