# SPDX-License-Identifier: MIT
"""The engine's cost does not grow with idle or waiting connections. A request, and an idle turn of the main loop, take
the same instructions with none and with thousands."""

import shutil

import pytest

from whit.paths import BUILD, ROOT
from whit_lab.instruments.instructions import Counter, request

pytestmark = [
    pytest.mark.xdist_group("lab"),
    pytest.mark.skipif(shutil.which("valgrind") is None, reason="needs valgrind"),
]
IDLE, ACTIVE = 4000, 400
SAME = 0.05  # a set of tags that is half full is longer to look through than an empty one; however many sets there are
REQUEST = request("/style.css")


@pytest.fixture(scope="module", name="counter")
def counter_of_many() -> Counter:
    many = {"connections": 500, "idle": 2 * IDLE, "counter_bits": 16}  # half full, as a table should be
    return Counter(ROOT / "apps" / "contacts", BUILD / "lab", many)


@pytest.mark.parametrize(("idle", "active"), [(IDLE, 0), (0, ACTIVE), (IDLE, ACTIVE)])
@pytest.mark.parametrize("function", ["measured_get", "measured_turn"])
def test_nothing_grows(counter: Counter, function: str, idle: int, active: int) -> None:
    alone = counter.count(function, REQUEST, active=min(active, 1)).total  # a wheel without a timer is not turned
    beside = counter.count(function, REQUEST, idle=idle, active=active).total
    print(f"{function}: {alone} alone, {beside} beside {idle} idle and {active} active connections")
    assert beside <= (1 + SAME) * alone + 20
