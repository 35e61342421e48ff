# SPDX-License-Identifier: MIT
"""apps/live: readings that a timer changes."""

import json

from tests.harness import Make
from tests.http.app_client import BAD
from whit_testbed.net import Net


def test_readings(make_app: Make) -> None:
    net = Net(make_app("live"), up=BAD, down=BAD, seed=3)
    client = net.host().client()
    seen = set()
    for number in range(1, 31):
        readings = json.loads(net.get(client, "/readings").body)
        assert readings["requests"] == number
        assert 10 < readings["celsius"] < 32
        seen.add(readings["celsius"])
        net.idle(1)
    assert len(seen) > 10
    assert readings["uptime_s"] >= 30
