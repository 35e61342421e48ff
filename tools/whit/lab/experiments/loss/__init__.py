# SPDX-License-Identifier: MIT
"""A page over hops that lose frames: what dynaWeb's and Smews' authors left to future work (000 section 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from whit.lab.experiment import Experiment, Progress, Result
from whit.lab.experiments.loss import show as show
from whit.lab.experiments.loss.page import (
    BODIES,
    CONNECTIONS,
    LWIP,
    LWIP_8,
    OURS,
    PATIENCE_S,
    RATE,
    SND_BUF,
    Loaded,
    Servers,
    Way,
    ladder,
    servers,
)

RTTS_MS = (50, 200, 1000)
LOSSES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2)
HOPS = (1, 2, 3, 4, 5)
HOP_RTT_MS = 200  # of each: five have 1 s
HOP_LOSSES = (0.0, 0.01, 0.05, 0.1, 0.2)
CLIENT = "Linux' acknowledgments, a retransmission after 200 ms at least, a SYN's after 1 s; window 65 535 octets"
FEWER = 20  # pages of the reduced form
LADDER, LADDER_SEED = Way(200, 0.1), 5


@dataclass(frozen=True)
class LossExperiment:
    pages: int = 100  # at each point, with seeds of their own
    hop_pages: int = 50
    seed: int = 1
    name: str = "loss"
    title: str = "Loss: a page over one to five hops that lose frames"
    answers_to: str = "How long does a page take where frames are lost, over several hops, and what does a server hold?"
    paper: str = "000 §6; 001 §6"
    rows: Sequence[str] = ("D33", "S31")
    seconds: int = 60
    main: Sequence[str] = ("complete_percent", "static_charge_bs", "time_over_lwip_5")

    def run(self, progress: Progress, *, reduced: bool = False) -> Result:
        progress("building", 0.0)
        both = servers()
        points = _points(self.pages, self.hop_pages)
        if reduced:
            points = {Way(200, 0.0): 1, **dict.fromkeys((Way(200, 0.05), Way(200, 0.2), Way(200, 0.05, 5)), FEWER)}
        pages = self._load(both, points, progress)
        progress("done", 1.0)
        return Result(
            self._settings(both, points),
            show.figures(pages),
            show.series(pages),
            show.beside(pages),
            show.rows(pages),
            [show.sheet("One hop", pages, hops=False), show.sheet("Several hops", pages, hops=True)],
            [ladder(both, LADDER, LADDER_SEED, "A page and its picture, RTT 200 ms, 10 % lost each way")],
            show.notes(pages),
        )

    def _load(self, both: Servers, points: Mapping[Way, int], progress: Progress) -> show.Pages:
        pages: dict[str, dict[Way, Sequence[Loaded]]] = {name: {} for name in (OURS, LWIP, LWIP_8)}
        for index, (way, count) in enumerate(points.items()):
            progress(show.named(way), 0.05 + 0.95 * index / len(points))
            for name, loaded in pages.items():
                loaded[way] = [both.load(name, way, seed) for seed in range(self.seed, self.seed + count)]
        return pages

    def _settings(self, both: Servers, points: Mapping[Way, int]) -> dict[str, object]:
        octets = "a Cortex-M3" if both.elements else "this machine: no compiler for a Cortex-M3"
        lossy = [way for way in points if way.loss]
        return {
            "page": f"the {len(BODIES)} files of apps/contacts, {sum(map(len, BODIES.values()))} octets",
            "hop": f"{RATE / 1000:g} kB/s each way, full duplex; stores a frame and forwards it",
            "loss": "of each frame, by each hop, each way; over n hops 1 - (1 - p)^n of the frames are lost",
            "rtt": "of each hop",
            "mss": 1460,
            "client": CLIENT,
            "browser": f"at most {CONNECTIONS} connections; a request takes the first that is open and free; one whose "
            "connection ends too early is sent again on another, 3 times in all",
            "time": "from the SYN to the last octet; both know each other's MAC address",
            "not_complete": f"not there after {PATIENCE_S:g} s, or given up: counts as {PATIENCE_S:g} s",
            "lwip": "; ".join(f"{name}: send buffer of {octets} octets" for name, octets in SND_BUF.items()),
            "charge": f"until the page is there; octets as on {octets}",
            "pages": f"{max(points.values())} at each point of one hop, {min(points[way] for way in lossy)} at others",
            "seed": f"{self.seed}, and the next ones",
        }


def _points(pages: int, hop_pages: int) -> dict[Way, int]:
    """Pages by way, without loss one: all are the same."""
    one_hop = {Way(rtt_ms, loss): pages for rtt_ms in RTTS_MS for loss in LOSSES}
    several = {Way(HOP_RTT_MS, loss, hops): hop_pages for loss in HOP_LOSSES for hops in HOPS[1:]}
    return {way: count if way.loss else 1 for way, count in {**one_hop, **several}.items()}


EXPERIMENT: Experiment = LossExperiment()
