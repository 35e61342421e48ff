# SPDX-License-Identifier: MIT
"""The virtual-time parts of the experiment crowd, in the reduced form, and its clients at a real server."""

from collections import Counter

import pytest

from whit_lab.experiment import collected
from whit_lab.experiments.crowd import examples, forgotten, newcomer, soak
from whit_lab.real import namespace
from whit_lab.real.asking import PYTHON
from whit_lab.real.hosted import SLIRP, TAP

pytestmark = [pytest.mark.xdist_group("lab"), pytest.mark.slow]


def test_files_come_whole_and_the_same_seed_gives_the_same_run() -> None:
    image = soak.image()
    first, again = (soak.soak(image, "a file", 3, 0.05, 30) for _ in range(2))
    assert first == again
    assert len(first.times_ms) == 30 and max(first.times_ms) > 100 > min(first.times_ms)


def test_a_failure_is_counted() -> None:
    """No server answers."""
    found = soak.soak(soak.image(), "a file", 3, 1.0, 3)
    assert found.failures == Counter({soak.LATE: 3}) and found.times_ms == []


def test_nobody_meets_silence() -> None:
    result = collected(forgotten.measure(lambda what, share: None, reduced=True))
    assert [figure.name for figure in result.figures if not figure.holds] == []
    assert all(sum(map(int, row[1:])) > 0 for row in result.sheets[0].rows)


@pytest.mark.parametrize("siege", ["readers of two octets a second", "clients that vanish in mid-transfer"])
def test_a_newcomer_is_served_beside_a_siege(siege: str) -> None:
    files = newcomer.image(4)
    waits = newcomer.newcomers(files, 4, siege, "each a host", 3)
    assert max(waits) <= 2
    assert waits[0] > 0.1, "nobody held a slot"


@pytest.mark.root
@pytest.mark.skipif(bool(namespace.why_not()), reason=namespace.why_not())
@pytest.mark.parametrize(("app", "link"), [("contacts", SLIRP), ("contacts", TAP), ("buttons", TAP)])
def test_six_real_clients(app: str, link: str) -> None:
    """The buttons have two places for idle connections."""
    asked = examples.crowded(app, 2, link, {PYTHON: 6}, 20)
    assert len(asked) == 120
    assert [one for one in asked if not one.is_answered] == []
