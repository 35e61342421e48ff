# SPDX-License-Identifier: MIT
"""The console's times in the reduced form, and the model server beside the paper's."""

from dataclasses import replace

import pytest

from tests.lab.reduced import measured
from tests.lab.reduced import reduced as result_of
from whit.model.policy import linux, windows_xp
from whit_lab.experiment import Result
from whit_lab.experiments.ajax import SIZES, console, on_console, one_in_flight
from whit_lab.kept import kept, same
from whit_lab.papers import DYNAWEB_TABLE4_MS, UIP_TABLE4_MS

pytestmark = pytest.mark.xdist_group("lab")  # its builds once


@pytest.fixture(scope="module")
def reduced() -> Result:
    return result_of("ajax")


def test_bounds_are_dynawebs(reduced: Result) -> None:
    limits = {figure.name: figure.limit for figure in reduced.figures}
    expected = {f"load_{client}_ms": load for client, (load, _) in DYNAWEB_TABLE4_MS.items()}
    assert limits == expected | {f"service_{client}_ms": service for client, (_, service) in DYNAWEB_TABLE4_MS.items()}
    assert {figure.name for figure in reduced.figures if not figure.holds} == set()


def test_same_seed_same_bytes(reduced: Result) -> None:
    assert kept(same(measured("ajax"))) == kept(reduced)


def test_ladders_show_the_state_of_both_clients(reduced: Result) -> None:
    assert len(reduced.ladders) == 2
    assert all(any(step.kind == "request" for step in ladder.steps) for ladder in reduced.ladders)


def test_the_model_of_uip_loads_as_the_paper_measured() -> None:
    """Delayed acknowledgments take the time on XP; Linux has none at first."""
    load, service = UIP_TABLE4_MS["xp"]
    on_xp, on_linux = (one_in_flight(options, 11_520, 3, 1) for options in (windows_xp(), linux()))
    assert on_xp.load == pytest.approx(load, rel=0.05)
    assert on_xp.slowest == pytest.approx(service, rel=0.15)
    assert on_linux.load < on_xp.load / 2
    assert on_linux.slowest < on_xp.slowest / 4


def test_a_client_that_takes_little_makes_it_slower() -> None:
    """A time that does not depend on the line would hold any bound."""
    built = console()
    usual, _ = on_console(built, windows_xp(), 1, "usual")
    small, _ = on_console(built, replace(windows_xp(), mss=200), 1, "small")
    octets = sum(SIZES.values()) / 11.52  # ms
    assert octets < usual.load < small.load
