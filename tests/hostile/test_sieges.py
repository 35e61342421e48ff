# SPDX-License-Identifier: MIT
"""A newcomer has its turn beside hosts with many connections each, at a driver that keeps frames.

docs/internals/security.md, "Slots", has the rules.
"""

import pytest

from tests.support import target
from whit_lab.experiments.crowd import newcomer, shares

pytestmark = pytest.mark.skipif(target() != "inprocess", reason="drivers/later.c is part of images for this machine")
COUNT = 3  # newcomers


@pytest.mark.parametrize("siege", shares.SIEGES)
@pytest.mark.parametrize("hosts", shares.HOSTS)
@pytest.mark.parametrize("slots", newcomer.SLOTS)
def test_a_newcomer_beside_many_connections_of_few_hosts(slots: int, hosts: str, siege: str) -> None:
    connections, host_cnt = shares.HOSTS[hosts]
    waits = shares.waits(newcomer.image(slots), shares.SIEGES[siege], connections, host_cnt, COUNT)
    assert max(waits) <= shares.BOUND_S[hosts]


@pytest.mark.parametrize("siege", shares.SIEGES)
@pytest.mark.parametrize("slots", newcomer.SLOTS)
def test_a_newcomer_beside_a_host_for_each_slot(slots: int, siege: str) -> None:
    """A host loses its only slot when a newcomer waits and the slot was served for two seconds."""
    assert max(shares.waits(newcomer.image(slots), shares.SIEGES[siege], slots, slots, COUNT)) <= 2


@pytest.mark.parametrize("siege", shares.HELLOS)
@pytest.mark.parametrize("slots", newcomer.SLOTS)
def test_a_newcomer_by_https_beside_slow_hellos(slots: int, siege: str) -> None:
    waits = shares.hello_waits(shares.hello_image(slots), shares.HELLOS[siege], shares.SLOW_HELLOS, COUNT)
    assert max(waits) <= shares.HELLO_BOUND_S


@pytest.mark.parametrize("slots", newcomer.SLOTS)
def test_a_whole_request_beside_partial_ones_of_its_own_host(slots: int) -> None:
    """All clients behind one address, and all of a machine without `--tap`, are one host."""
    there = newcomer.image(slots)
    waits = shares.waits(there, shares.Dripper, shares.SAME_HOST, 1, COUNT, newcomer_of=shares.ONE_HOST)
    assert max(waits) <= shares.SAME_HOST_BOUND_S


@pytest.mark.parametrize("first", (1, 100))
@pytest.mark.parametrize("slots", newcomer.SLOTS)
def test_a_whole_hello_beside_slow_ones_of_its_own_host(slots: int, first: int) -> None:
    waits = shares.hello_waits(shares.hello_image(slots), first, shares.SLOW_HELLOS, COUNT, one_host=True)
    assert max(waits) <= shares.SAME_HOST_BOUND_S
