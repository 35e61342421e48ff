# SPDX-License-Identifier: MIT
"""A page over hops that lose frames: what dynaWeb's and Smews' authors left to future work (000 section 6)."""

from __future__ import annotations

from collections.abc import Sequence

from whit.lab.experiment import Progress, Result
from whit.lab.experiments.loss import show as show
from whit.lab.experiments.loss.page import (
    LWIP,
    LWIP_8,
    OURS,
    Loaded,
    Way,
    ladder,
    servers,
)

RTTS_MS = (50, 200, 1000)
LOSSES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2)
HOPS = (1, 2, 3, 4, 5)
HOP_RTT_MS = 200  # of each: five have 1 s
HOP_LOSSES = (0.0, 0.01, 0.05, 0.1, 0.2)
FEWER = 20  # pages of the reduced form
LADDER, LADDER_SEED = Way(200, 0.1), 5
PAGES, HOP_PAGES = 100, 50  # at each point, with seeds of their own
SEED = 1


def run(progress: Progress, *, reduced: bool = False) -> Result:
    progress("building", 0.0)
    both = servers()
    points = _points()
    if reduced:
        points = {Way(200, 0.0): 1, **dict.fromkeys((Way(200, 0.05), Way(200, 0.2), Way(200, 0.05, 5)), FEWER)}
    pages: dict[str, dict[Way, Sequence[Loaded]]] = {name: {} for name in (OURS, LWIP, LWIP_8)}
    for index, (way, count) in enumerate(points.items()):
        progress(show.named(way), 0.05 + 0.95 * index / len(points))
        for name, loaded in pages.items():
            loaded[way] = [both.load(name, way, seed) for seed in range(SEED, SEED + count)]
    lossy = [count for way, count in points.items() if way.loss]
    settings = {
        "pages": f"{max(lossy)} at each point of one hop, {min(lossy)} at others",
        "octets": "of a Cortex-M3" if both.elements else "of this machine: no compiler for a Cortex-M3",
        "seed": f"{SEED}, and the next ones",
    }
    return Result(
        settings,
        show.figures(pages),
        show.series(pages),
        compared=show.rows(pages),
        sheets=[show.sheet("One hop", pages, hops=False), show.sheet("Several hops", pages, hops=True)],
        ladders=[ladder(both, LADDER, LADDER_SEED, "A page and its picture, RTT 200 ms, 10 % lost each way")],
        notes=show.notes(pages),
    )


def _points() -> dict[Way, int]:
    """Pages by way, without loss one: all are the same."""
    one_hop = {Way(rtt_ms, loss): PAGES for rtt_ms in RTTS_MS for loss in LOSSES}
    several = {Way(HOP_RTT_MS, loss, hops): HOP_PAGES for loss in HOP_LOSSES for hops in HOPS[1:]}
    return {way: count if way.loss else 1 for way, count in {**one_hop, **several}.items()}
