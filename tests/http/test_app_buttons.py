# SPDX-License-Identifier: MIT
"""apps/buttons: one slot, a buffer of a few octets, no counters, and a page that asks without end."""

import random

import pytest

from tests.harness import Make, ask
from tests.http.app_client import BAD
from whit.model.policy import Options
from whit.paths import ROOT
from whit.wire.units import MS
from whit_testbed.net import Net

NO_KEYS_HERE = b"\x00\x80"
"""What the board of tests has: apps/buttons/board.c."""
PAGE = (ROOT / "apps" / "buttons" / "index.html").read_bytes()


def test_two_octets(make_app: Make) -> None:
    response = ask(make_app("buttons"), "/buttons")
    assert response.body == NO_KEYS_HERE
    assert response.field("content-length") == "2"


@pytest.mark.parametrize("mss", [88, 536, 1460])
def test_over_a_bad_link(make_app: Make, mss: int) -> None:
    net = Net(make_app("buttons"), up=BAD, down=BAD, seed=mss)
    client = net.host().client(Options(mss=mss))
    assert net.get(client, "/").body == PAGE
    for _ in range(30):
        assert net.get(client, "/buttons").body == NO_KEYS_HERE


def test_two_visitors_share_the_slot(make_app: Make, seed: int) -> None:
    """A client retransmits a request that finds the slot taken, and gets its answer. One idle connection is kept; the
    other client's ends with its response, and the client opens another."""
    rng = random.Random(seed)
    net = Net(make_app("buttons"), seed=seed)
    hosts = [net.host(f"10.7.0.{9 + i}") for i in range(2)]
    visits = [[host.client(Options(rto_min=200 * MS))] for host in hosts]
    for _ in range(20):
        for host, clients in zip(hosts, visits, strict=True):
            if clients[-1].ended:
                clients.append(host.client(Options(rto_min=200 * MS)))
            clients[-1].ask(rng.choice(["/", "/buttons"]))
        net.run(*(clients[-1] for clients in visits), for_s=60)
    responses = [[response for client in clients for response in client.responses] for clients in visits]
    assert {response.status for one in responses for response in one} == {200}
    assert [len(one) for one in responses] == [20, 20]
    assert sorted(len(clients) for clients in visits)[0] == 1


def test_nothing_is_counted(make_app: Make) -> None:
    engine = make_app("buttons")
    assert ask(engine, "/").status == 200
    assert not any(engine.counters.values())
