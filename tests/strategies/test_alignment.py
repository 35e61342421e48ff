# SPDX-License-Identifier: MIT
"""A handler's state is aligned for addresses and numbers of 64 bits, whatever other requests' blocks precede it and
end."""

import re

import pytest

from tests.harness import engine_of, opened
from tests.support import sanitized, target
from whit.model.policy import Options
from whit.paths import ROOT
from whit.wire.units import MS
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment
from whit_testbed.net import Net

pytestmark = pytest.mark.skipif(target() != "inprocess", reason="of hosts of 64 bits")
APP = ROOT / "tests" / "apps" / "aligned"
WORDS = " some words that fill the room that there is "
SUM = sum(b"0123456789")
LONG = 200  # turns, of 46 octets: more than the shared buffer


engine = engine_of(APP, scope="module", alignment=8)  # as on Linux


def said(turns: int) -> str:
    return f"y{WORDS}" * turns + str(SUM * turns // 10)


@pytest.mark.parametrize("kind", ["volatile", "persistent"])
def test_threads_beside_each_other(engine: Engine, kind: str) -> None:
    """Arguments of all lengths shift the state behind them."""
    net = Net(engine, up=Impairment(delay_us=MS, loss=0.02), seed=3)
    options = Options(mss=536)
    for length in range(0, 20, 3):
        clients = [net.host(f"10.0.0.{2 + number}").client(options) for number in range(3)]
        for number, client in enumerate(clients):
            client.ask(f"/get_{kind}?cnt={LONG if number != 1 else 10}&text={'x' * length}")
        net.run(*clients)
        bodies = [client.responses[-1].body.decode() for client in clients]
        assert bodies == [said(LONG), said(10), said(LONG)]


def test_forms_and_parts_beside_threads(engine: Engine) -> None:
    net = Net(engine, up=Impairment(delay_us=MS), seed=3)
    for length in range(0, 20, 3):
        thread, form, part = (net.host(f"10.0.0.{2 + number}").client(Options(mss=536)) for number in range(3))
        octets = bytes(range(1, 1 + length)) * 40
        thread.ask(f"/get_persistent?cnt={LONG}&text={'x' * length}")
        fields = f"cnt={LONG}&text={'x' * length}"
        form.send(
            f"POST /form HTTP/1.1\r\nHost: thing\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            f"Content-Length: {len(fields)}\r\n\r\n{fields}".encode(),
            "POST",
        )
        head = f"POST /part HTTP/1.1\r\nHost: thing\r\nContent-Length: {len(octets)}\r\n\r\n"
        part.send(head.encode() + octets, "POST")
        net.run(thread, form, part)
        bodies = [client.responses[-1].body.decode() for client in (thread, form, part)]
        assert bodies == [said(LONG), said(LONG), f"y{sum(octets)}"]


def test_it_would_tell(engine: Engine) -> None:
    """The handler that looks is the one that answered: of an image with less, some state lies elsewhere."""
    if sanitized():
        pytest.skip("the sanitizer ends the process there")
    with opened(APP, alignment=4) as other:
        net = Net(other, up=Impairment(delay_us=MS), seed=3)
        bodies = [net.get(net.host().client(), f"/get_persistent?cnt={cnt}").body.decode() for cnt in (1, 2)]
        assert any(re.search("^n", body) for body in bodies)
