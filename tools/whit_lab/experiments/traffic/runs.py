# SPDX-License-Identifier: MIT
"""Visits to an application by clients in virtual time, and their ladders."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from whit.compiler.model import Application
from whit.errors import WhitError
from whit.image.build import BuildResult, build
from whit.ladder.datagram import read_tcp
from whit.ladder.steps import Ladder
from whit.model.policy import Options
from whit.paths import ROOT
from whit.wire.http import Response
from whit_lab.experiments.traffic.count import Traffic, traffic
from whit_lab.instruments.browser import browser
from whit_lab.instruments.exchange import datagram_len
from whit_lab.instruments.instructions import request
from whit_lab.instruments.served import strategies_application
from whit_testbed.browser import Item
from whit_testbed.classic import Classic
from whit_testbed.engine import Engine
from whit_testbed.http import Client
from whit_testbed.ladder_watch import record
from whit_testbed.link import Impairment
from whit_testbed.lwip import Content, Lwip
from whit_testbed.lwip_build import sizes_32
from whit_testbed.net import Host, Net, Server

RATE = 14_400  # bytes a second, as in the paper's measurements
APP = ROOT / "apps" / "buttons"
STATE, STATE_LEN = "/buttons", 2
PAGE = (Item("/"), Item("/script.js", ("/",)))
FILES = {"/": APP / "index.html", "/script.js": APP / "script.js"}
PAUSE_S = 0.04  # from an answer to the next request, as in apps/buttons
QUIET_S = 1.0  # longer than any delayed acknowledgment
_NAMES = {"/": "/index.html"}  # names that its web server uses
CHUNK = 32  # bytes, the papers'
SEEN = {"counter_bits": 16}


@dataclass(frozen=True)
class Served:
    """A running server, and the data that its ladders need."""

    server: Server
    application: Application | None = None
    held: Callable[[], int] | None = None


@dataclass(frozen=True)
class Visit:
    ladder: Ladder
    traffic: Traffic
    responses: Sequence[Response]


@dataclass(frozen=True)
class Session:
    """An application that is loaded once, then polled on the open connections, if there are any."""

    load: Visit
    polls: Sequence[Visit]
    begin: Ladder = field(repr=False)  # the load and the first polls


def buttons() -> BuildResult:
    """Builds the console's application with a meter and counters. From these, a ladder shows held memory and its
    times."""
    return build(APP, target="inprocess", link="slip", meter=True, overrides=SEEN)


def strategies() -> BuildResult:
    """Builds a content for each strategy."""
    overrides = {**SEEN, "chunk": CHUNK}
    return build(strategies_application(), target="inprocess", link="slip", meter=True, overrides=overrides)


def whit(result: BuildResult, seed: int) -> Served:
    return Served(Engine(result.image, link="slip", seed=seed), result.application)


def contents() -> Mapping[str, bytes]:
    return {**{target: path.read_bytes() for target, path in FILES.items()}, STATE: bytes(STATE_LEN)}


def lwip(library: Path) -> Served:
    """Returns lwIP with the same contents, on Ethernet; Ethernet's own bytes are not counted.

    Memory is that of a Cortex-M, if there is a compiler for it.
    """
    known = {
        _NAMES.get(target, target): Content(body, generated=target == STATE) for target, body in contents().items()
    }
    server = Lwip(library, known, sizes=sizes_32())
    return Served(server, held=lambda: server.held.transfer)


def model(kind: Callable[..., Classic], served: Mapping[str, bytes]) -> Served:
    """Returns a configuration of the model server."""
    server = kind(served.__getitem__)
    return Served(cast(Server, server), held=lambda: server.held)


@contextmanager
def at(served: Served, options: Options, seed: int) -> Iterator[Place]:
    """Yields a client beside the server; both end with the block."""
    try:
        yield Place(served, options, seed)
    finally:
        if isinstance(served.server, Engine | Lwip):
            served.server.close()


class Place:
    """A client's host at the other end of the papers' line: half duplex, no latency."""

    def __init__(self, served: Served, options: Options, seed: int) -> None:
        self.served, self.options = served, options
        self.net = Net(served.server, up=Impairment(rate=RATE), half_duplex=True, seed=seed)
        self.host: Host = self.net.host()
        if served.server.link == "ethernet":
            self.net.up.wire_len = self.net.down.wire_len = datagram_len
            self._resolve()

    def _resolve(self) -> None:
        """Resolves both addresses before the measurement."""
        client = self.host.client(self.options)
        self.net.idle(QUIET_S)
        client.connection.close()
        self.net.idle(QUIET_S)

    def visit(self, title: str, act: Callable[[], Sequence[Response]]) -> Visit:
        responses: list[Response] = []
        served, heard = self.served, lambda: responses.extend(act())
        ladder = record(self.net, title, heard, application=served.application, held=served.held)
        for response in responses:
            if response.status not in (200, 304):
                raise WhitError(f"lab: {title}: {response.status}, expected 200 or 304", 1)
        return Visit(ladder, traffic(ladder, responses), responses)

    # ---------------------------------------------------------------- what passes

    def alone(self, title: str, target: str) -> Visit:
        """Sends one GET on a connection that ends behind the answer."""

        def act() -> Sequence[Response]:
            client = self.host.client(self.options)
            self._ask(client, request(target).replace(b"keep-alive", b"close"))
            self._end(client)
            return client.responses

        return self.visit(title, act)

    def further(self, title: str, target: str, before: Callable[[], None] = lambda: None) -> Visit:
        """Sends a GET on a used connection, which is then silent. `before` is called ahead of it."""
        client = self.host.client(self.options)
        self._ask(client, request(target))
        before()
        return self.visit(title, lambda: self._ask(client, request(target)))

    def _ask(self, client: Client, octets: bytes, pause_s: float = QUIET_S) -> Sequence[Response]:
        """Returns the response, after the line has been quiet."""
        before = len(client.responses)
        client.send(octets)
        self.net.run(client)
        self.net.idle(pause_s)
        return client.responses[before:]

    def session(self, title: str, polls: int, shown: int) -> Session:
        """Loads and polls by a browser with one connection: each item is requested after the one before it has
        arrived."""
        visitor = browser(self.net, PAGE, self.options)

        def load() -> Sequence[Response]:
            visitor.load()
            self.net.idle(PAUSE_S)
            for client in visitor.clients:
                if client.ended:
                    self._end(client)
            return list(visitor.responses.values())

        def poll() -> Sequence[Response]:
            client = visitor.clients[0]
            if client.ended:
                client = self.host.client(self.options)
            responses = self._ask(client, request(STATE), PAUSE_S)
            if client is not visitor.clients[0]:
                self._end(client)
            return responses

        loaded = self.visit("the load", load)
        asked = [self.visit(f"{STATE}, {index}", poll) for index in range(polls)]
        self.net.idle(QUIET_S)
        visitor.leave()
        self.net.idle(QUIET_S)
        # The second load, on new connections, in the same picture.
        again = self.visit(title, lambda: [*load(), *(response for _ in range(shown) for response in poll())])
        return Session(loaded, asked, again.ladder)

    def reload(self) -> Visit:
        """Reloads the page on the open connection. The browser has it cached, and revalidates it."""

        visitor = browser(self.net, PAGE, self.options, again=True)
        visitor.load()
        self.net.idle(QUIET_S)

        def load() -> Sequence[Response]:
            visitor.load()
            self.net.idle(PAUSE_S)
            return list(visitor.responses.values())

        return self.visit("the load again", load)

    def _end(self, client: Client) -> None:
        client.connection.close()
        self.net.loop.run(lambda: client.connection.finished)
        self.net.idle(0.1)  # waits for the last acknowledgment


def with_losses(result: BuildResult, options: Options, target: str, nths: Sequence[int], title: str) -> Ladder:
    """Returns a ladder in which these segments of an answer are lost once. 1 is the first segment with data."""
    seen: set[int] = set()

    def drop(frame: bytes) -> bool:
        segment = read_tcp(frame)
        if segment is None or segment.payload_len == 0 or segment.seq in seen:
            return False
        seen.add(segment.seq)
        return len(seen) in nths

    with at(whit(result, 1), options, 1) as place:

        def watch() -> None:
            place.net.down.drop = drop

        return place.further(title, target, watch).ladder
