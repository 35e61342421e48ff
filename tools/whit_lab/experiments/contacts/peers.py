# SPDX-License-Identifier: MIT
"""The address book on other servers on the same line, in virtual time.

The others are model servers; the engine runs with its meter.
"""

from collections.abc import Sequence
from typing import cast

from whit.errors import WhitError
from whit.image.build import build
from whit.model.policy import windows_xp
from whit.wire.units import MS, SECOND
from whit_lab.experiments.contacts.runs import PAGE, RTT_MS, Content, application, contents_by_target, records
from whit_lab.instruments import models
from whit_lab.instruments.browser import browser
from whit_lab.instruments.exchange import Exchange, Visitor
from whit_lab.instruments.instructions import request
from whit_testbed.browser import Item
from whit_testbed.classic import Classic
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment
from whit_testbed.net import Net

RATE = 10_000  # bytes a second, each way
LINE = Impairment(rate=RATE, delay_us=RTT_MS * MS // 2)
UIP, MINIWEB = "uip", "miniweb"


def server(name: str) -> Classic:
    return (models.uip if name == UIP else models.miniweb)(contents_by_target())


def exchange(name: str, content: Content, seed: int) -> Exchange:
    model = server(name)
    net = Net(cast(Engine, model), up=LINE, seed=seed)
    expected = contents_by_target()(content.target)
    return Visitor(net, windows_xp(), lambda: model.held).get(content.target, expected, request(content.target))


def page_s(name: str, connections: int, seed: int) -> float:
    """Returns the seconds of the page. miniWeb has no generators: as in the papers, its page is the four files."""
    items: Sequence[Item] = PAGE if name == UIP else PAGE[:4]
    net = Net(cast(Engine, server(name)), up=LINE, seed=seed)
    return browser(net, items, windows_xp(), connection_max=connections).load()


def charges(contents: Sequence[Content], seed: int) -> tuple[dict[str, float], dict[str, float], int]:
    """Returns byte seconds held for a response: of content, of everything else, and the largest arguments in bytes.

    The engine's own meter counts them until the last acknowledgment.
    """
    image = build(application(), target="inprocess", link="slip", meter=True, check_budget=False).image
    held, apart, arguments = {}, {}, 0
    for content in contents:
        with Engine(image, link="slip", seed=seed, persistent=records()) as engine:
            net = Net(engine, up=LINE, seed=seed)
            client = net.host().client(windows_xp())
            net.idle(1)
            before = engine.meter.charge
            client.send(request(content.target))
            net.run(client)
            response = client.responses[-1]
            if response.status != 200 or len(response.body) != content.size:
                raise WhitError(f"lab: {content.target}: {response.status}, expected its content", 1)
            net.idle(2)
            if engine.meter.held[0]:
                raise WhitError(f"lab: {content.target}: {engine.meter.held[0]} octets are held, expected none", 1)
            charge = [now - earlier for earlier, now in zip(before, engine.meter.charge, strict=True)]
            held[content.key], apart[content.key] = charge[0], sum(charge[1:])
            arguments = max(arguments, engine.meter.held_max[2])
    return held, apart, arguments


def seconds(us: int) -> float:
    return round(us / SECOND, 3)
