# SPDX-License-Identifier: MIT
"""Every packet of a GET, and what an application takes of the line when it loads and when it runs: INRIA RT-0349
(dynaWeb), Figures 1 and 2."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from whit.errors import WhitError
from whit.lab.experiment import Progress, Result
from whit.lab.experiments.strategies.runs import S0, S1, S2, S2_LARGE, S3, S4
from whit.lab.experiments.traffic import show as traffic_show
from whit.lab.experiments.traffic.runs import (
    CHUNK,
    STATE,
    STATE_LEN,
    Served,
    at,
    buttons,
    contents,
    lwip,
    model,
    strategies,
    whit,
    with_losses,
)
from whit.lab.experiments.traffic.show import LINUX, LWIP, MINI, OURS, UIP, XP, Measured
from whit.lab.instruments import models
from whit.lab.instruments.instructions import REQUEST_LEN
from whit.ladder.steps import Ladder
from whit.sim.lwip_build import VERSION, shared_object
from whit.sim.policy import Options, linux, windows_xp

POLLS, FEW = 20, 3
SEED = 1
SHOWN = 3  # polls in a ladder
CLIENTS: Mapping[str, Callable[[], Options]] = {XP: windows_xp, LINUX: linux}
CASES = (S0, S1, S2, S2_LARGE, S3, S4)
LOSSES = (
    (S1, (1, 2), "S1, both segments lost", XP, windows_xp),
    (S4, (3, 6), "S4, segments 3 and 6 lost", LINUX, linux),
)


def run(progress: Progress, *, reduced: bool = False) -> Result:
    progress("building", 0.0)
    polls = FEW if reduced else POLLS
    console, library = buttons(), _lwip()
    servers: dict[str, Callable[[], Served]] = {
        OURS: lambda: whit(console, SEED),
        UIP: lambda: model(models.uip, contents()),
        MINI: lambda: model(models.miniweb, contents()),
    }
    if library:
        servers[LWIP] = lambda: lwip(library)
    measured = Measured()
    for index, (server, make) in enumerate(servers.items()):
        progress(server, 0.2 + 0.6 * index / len(servers))
        for client, options in CLIENTS.items():
            key = server, client
            with at(make(), options(), SEED) as place:
                measured.alone[key] = place.alone(f"One GET of {STATE_LEN} octets: {server}, {client}", STATE)
            with at(make(), options(), SEED) as place:
                title = f"apps/buttons, its page and {SHOWN} polls: {server}, {client}"
                measured.sessions[key] = place.session(title, polls, SHOWN)
    with at(servers[OURS](), windows_xp(), SEED) as place:
        reload = place.reload()
    progress("strategies", 0.9)
    several = strategies()
    for case in CASES:
        label = case.label.partition(",")[0]
        for client, options in CLIENTS.items():
            with at(whit(several, SEED), options(), SEED) as place:
                measured.cases[label, client] = place.further(label, case.target)
    lossy = [
        with_losses(several, options(), case.target, lost, f"{case.size} octets by {words}: ours, {client}")
        for case, lost, words, client, options in LOSSES
    ]
    lwip_settings = f"{VERSION}, its web server, on Ethernet, whose own octets are not counted" if library else "none"
    return Result(
        {"chunk": CHUNK, "request_octets": REQUEST_LEN, "polls": polls, "lwip": lwip_settings, "seed": SEED},
        traffic_show.figures(measured),
        traffic_show.series(measured),
        compared=traffic_show.rows(measured),
        sheets=traffic_show.sheets(measured),
        ladders=_ladders(measured, lossy),
        notes=traffic_show.notes(measured, reload, lwip=bool(library)),
    )


def _lwip() -> Path | None:
    """None: it cannot be had here."""
    try:
        return shared_object()
    except WhitError:
        return None


def _ladders(measured: Measured, lossy: Sequence[Ladder]) -> list[Ladder]:
    alone = [measured.alone[server, XP].ladder for server in (OURS, LWIP, UIP) if (server, XP) in measured.alone]
    polls = [measured.sessions[OURS, client].begin for client in CLIENTS]
    polls += [measured.sessions[LWIP, XP].begin] if (LWIP, XP) in measured.sessions else []
    return [*alone, *polls, *lossy]
