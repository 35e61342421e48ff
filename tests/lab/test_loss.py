# SPDX-License-Identifier: MIT
"""The reduced form of `loss` keeps its bounds; each of its counts can fail."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.lab.lwip_here import lwip_library
from tests.lab.reduced import reduced as reduced_result
from whit.errors import WhitError
from whit_lab.experiment import Lines, Result
from whit_lab.experiments.loss import FEWER, GROUP, at, figures, more_complete, notes, percent, rows, spread
from whit_lab.experiments.loss import page as loss_page
from whit_lab.experiments.loss.page import LWIP, LWIP_8, OURS, PATIENCE_S, Loaded, Servers, Way, servers

pytestmark = pytest.mark.xdist_group("lab")  # its builds once

LOADED = Loaded(1.0, True, 0, 0.1, 0.0, 10.0)
MISSING = replace(LOADED, seconds=PATIENCE_S, complete=False)


@pytest.fixture(scope="module")
def both() -> Iterator[Servers]:
    lwip_library()
    yield servers()


@pytest.fixture(scope="module")
def reduced(both: Servers) -> Result:
    return reduced_result("loss")


def test_bounds(reduced: Result) -> None:
    bounds = {figure.name: (figure.limit, figure.least) for figure in reduced.figures}
    assert bounds == {
        "complete_percent": (None, 100),
        "static_charge_bs": (0, None),
        **{f"time_over_lwip_{loss}": (1, None) for loss in (0, 5, 20, "hops")},
        "complete_over_lwip_hops": (None, 0),
    }
    assert {figure.name for figure in reduced.figures if not figure.holds} == set()
    assert reduced.settings["pages"] == f"{FEWER} at each point of one hop, {FEWER} at others"


def test_the_ladder_has_losses_and_the_charts_both_servers(reduced: Result) -> None:
    assert any(step.end_us is None for step in reduced.ladders[0].steps)
    assert any("fast retransmit" in event.label for event in reduced.ladders[0].events)
    for chart in reduced.series:
        assert isinstance(chart, Lines)
        assert {line.whose for line in chart.lines} == {"ours", "peer"}


def test_loss_and_hops_cost_time_and_lwip_memory(both: Servers) -> None:
    calm, lossy, far = (Way(200, 0.0), Way(200, 0.2), Way(200, 0.0, 3))
    for name in (OURS, LWIP, LWIP_8):
        times = [both.load(name, way, 2).seconds for way in (calm, lossy, far)]
        assert times[0] < min(times[1:])
    assert both.load(OURS, lossy, 2) == both.load(OURS, lossy, 2)
    assert both.load(OURS, lossy, 2).kept_bs == 0 < both.load(LWIP, lossy, 2).kept_bs
    assert both.load(OURS, calm, 2).connections_bs == pytest.approx(3 * (both.slot + both.tag) * 1.24, rel=0.01)


def test_a_page_that_never_comes_counts(both: Servers, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = both.load(OURS, Way(200, 1.0), 1)
    assert (loaded.complete, loaded.seconds, loaded.opened_s) == (False, PATIENCE_S, PATIENCE_S)
    monkeypatch.setitem(loss_page.BODIES, "/style.css", b"something else")
    with pytest.raises(WhitError, match=r"style\.css"):
        both.load(OURS, Way(200, 0.0), 1)


def test_figures_can_be_missed() -> None:
    """Each figure fails when falsified: a page is missing, octets were kept, or the other server is faster or
    complete."""
    calm, lossy = Way(200, 0.0), Way(200, 0.05)
    several = Way(200, 0.01, 5)
    ours = {calm: [LOADED], lossy: [*[LOADED] * 99, MISSING], several: [replace(LOADED, kept_bs=0.1), MISSING]}
    peer = {way: [replace(LOADED, seconds=0.9)] for way in ours}
    pages = {OURS: ours, LWIP: peer, LWIP_8: ours}
    missed = {figure.name for figure in figures(pages) if not figure.holds}
    assert missed == {figure.name for figure in figures(pages)}
    assert [row.name for row in rows(pages) if row.worse]
    assert [*notes(pages)][-1].startswith("Ours is worse in: page, RTT 200 ms, 0 % lost: median; ")


def test_the_ratio_of_groups_stands_beside_that_of_all() -> None:
    """200 pages: in one group of fifty, ours are twice as slow. The ratio is undefined if a median page is missing."""
    way, slow = Way(200, 0.1, 5), replace(LOADED, seconds=2.0)
    ours, peers = [LOADED] * 100 + [slow] * GROUP + [LOADED] * 50, [LOADED] * 200
    pages = {OURS: {way: ours}, LWIP: {way: peers}, LWIP_8: {way: peers}}
    assert spread(pages, way) == "1.00 (1.00 - 2.00)"
    assert spread({name: {way: [MISSING] * 200} for name in pages}, way) == "–"
    fewer = [LOADED] * 199 + [MISSING]
    assert more_complete({**pages, OURS: {way: fewer}}, way) == -0.5
    assert more_complete({**pages, LWIP: {way: fewer}}, way) == 0


def test_percentiles_count_what_is_missing() -> None:
    some = [replace(LOADED, seconds=float(second)) for second in range(8)] + [MISSING] * 2
    assert (at(some), at(some, 0.1), at(some, 0.9), percent(some)) == (5, 1, PATIENCE_S, 80)
