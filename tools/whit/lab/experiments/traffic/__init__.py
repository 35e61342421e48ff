# SPDX-License-Identifier: MIT
"""Every packet of a GET, and what an application takes of the line when it loads and when it runs: INRIA RT-0349
(dynaWeb), Figures 1 and 2."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from whit.errors import WhitError
from whit.lab.experiment import Experiment, Progress, Result
from whit.lab.experiments.strategies import S0, S1, S2, S2_LARGE, S3, S4
from whit.lab.experiments.traffic import show as traffic_show
from whit.lab.experiments.traffic.runs import (
    CHUNK,
    PAUSE_S,
    RATE,
    STATE,
    STATE_LEN,
    Served,
    Session,
    Visit,
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
from whit.lab.instruments.instructions import CODINGS, REQUEST_LEN
from whit.lab.instruments.lwip_build import VERSION, shared_object
from whit.ladder.steps import Ladder
from whit.sim.policy import Options, linux, windows_xp

POLLS, FEW = 20, 3
SHOWN = 3  # polls in a ladder
CLIENTS: Mapping[str, Callable[[], Options]] = {XP: windows_xp, LINUX: linux}
CASES = (S0, S1, S2, S2_LARGE, S3, S4)
LOSSES = (
    (S1, (1, 2), "S1, both segments lost", XP, windows_xp),
    (S4, (3, 6), "S4, segments 3 and 6 lost", LINUX, linux),
)


@dataclass(frozen=True)
class TrafficExperiment:
    polls: int = POLLS
    seed: int = 1
    name: str = "traffic"
    title: str = "Traffic: every packet of a GET"
    answers_to: str = "Which packets does a GET take, which acknowledgments are saved, and what passes per poll?"
    paper: str = "000 Figures 1, 2"
    rows: Sequence[str] = ("D4", "D6")
    seconds: int = 5
    main: Sequence[str] = ("datagrams_alone", "datagrams_further_xp", "poll_octets_xp")
    in_terminal: int = 1  # ladders

    def run(self, progress: Progress, *, reduced: bool = False) -> Result:
        if reduced:
            return replace(self, polls=FEW).run(progress)
        progress("building", 0.0)
        console, library = buttons(), _lwip()
        servers: dict[str, Callable[[], Served]] = {
            OURS: lambda: whit(console, self.seed),
            UIP: lambda: model(models.uip, contents()),
            MINI: lambda: model(models.miniweb, contents()),
        }
        if library:
            servers[LWIP] = lambda: lwip(library)
        alone: dict[tuple[str, str], Visit] = {}
        further: dict[tuple[str, str], Visit] = {}
        sessions: dict[tuple[str, str], Session] = {}
        for index, (server, make) in enumerate(servers.items()):
            progress(server, 0.2 + 0.6 * index / len(servers))
            for client, options in CLIENTS.items():
                key = server, client
                with at(make(), options(), self.seed) as place:
                    alone[key] = place.alone(f"One GET of {STATE_LEN} octets: {server}, {client}", STATE)
                with at(make(), options(), self.seed) as place:
                    title = f"apps/buttons, its page and {SHOWN} polls: {server}, {client}"
                    sessions[key] = place.session(title, self.polls, SHOWN)
                if server in (OURS, LWIP):
                    with at(make(), options(), self.seed) as place:
                        further[key] = place.further("a further GET", STATE)
        with at(servers[OURS](), windows_xp(), self.seed) as place:
            gzip = place.session("compressed", 1, 0, coding=CODINGS[1])
        with at(servers[OURS](), windows_xp(), self.seed) as place:
            reload = place.reload()
        progress("strategies", 0.9)
        several = strategies()
        cases: dict[tuple[str, str], Visit] = {}
        for case in CASES:
            label = case.label.partition(",")[0]
            for client, options in CLIENTS.items():
                with at(whit(several, self.seed), options(), self.seed) as place:
                    cases[label, client] = place.further(label, case.target)
        lossy = [
            with_losses(several, options(), case.target, lost, f"{case.size} octets by {words}: ours, {client}")
            for case, lost, words, client, options in LOSSES
        ]
        progress("done", 1.0)
        measured = Measured(alone, further, sessions, cases, gzip, reload)
        return Result(
            self._settings(bool(library)),
            traffic_show.figures(measured),
            traffic_show.series(measured),
            traffic_show.beside(measured),
            traffic_show.rows(measured),
            traffic_show.sheets(measured),
            _ladders(measured, lossy),
            traffic_show.notes(measured, lwip=bool(library)),
        )

    def _settings(self, has_lwip: bool) -> dict[str, object]:
        return {
            "applications": "apps/buttons as it is; lab/strategies",
            "line": f"{RATE} octets a second, half duplex, no latency, SLIP",
            "octets": "of datagrams: IP, TCP and data; SLIP adds two ENDs and escapes to each",
            "mss": 1460,
            "chunk": CHUNK,
            "request_octets": REQUEST_LEN,
            "clients": {client: options().ack.value for client, options in CLIENTS.items()},
            "client_windows": {client: options().window for client, options in CLIENTS.items()},
            "alone": f"a connection for one GET of {STATE} with Connection: close; the client closes when all is quiet",
            "further": "the same GET on a connection that has served one; a second of silence before and behind it",
            "poll": f"{STATE} again, {PAUSE_S * 1000:.0f} ms after the answer, on the same connection if it is kept",
            "polls": self.polls,
            "lwip": f"{VERSION}, its web server, on Ethernet, whose own octets are not counted" if has_lwip else "none",
            "seed": self.seed,
        }


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


EXPERIMENT: Experiment = TrafficExperiment()
