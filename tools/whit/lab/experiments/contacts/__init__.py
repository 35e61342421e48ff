# SPDX-License-Identifier: MIT
"""The address book of EMSOFT 2009 (Smews), Tables 2 and 3: time, model and memory charge of every content."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from whit.build import BuildResult
from whit.lab import papers
from whit.lab.experiment import Experiment, Progress, Result
from whit.lab.experiments.contacts import peers as peers
from whit.lab.experiments.contacts import show as show
from whit.lab.experiments.contacts.model import Measured, predictions
from whit.lab.experiments.contacts.run import (
    CONTENTS,
    Content,
    application,
    avr,
    measure,
    page,
    profile,
    real_records,
    records,
)
from whit.lab.experiments.cycles.avr import BAUD, CLOCK_HZ, RTT_MS
from whit.lab.instruments.instructions import REQUEST_LEN
from whit.ladder.steps import Ladder
from whit.paths import ROOT
from whit.sim.policy import XP_WINDOW, windows_xp

CONNECTIONS = (1, 6)
FEWER = ("index", "png", "cb_extract", "cb_add")  # of the reduced form


@dataclass(frozen=True)
class ContactsExperiment:
    seed: int = 1
    name: str = "contacts"
    title: str = "Address book on an AVR: time, model and memory charge"
    answers_to: str = (
        "How long does each content of the papers' application take on a card, and does the model know it?"
    )
    paper: str = "001 Tables 2, 3"
    rows: Sequence[str] = ("S23", "S24", "S25", "S27", "S28", "S29", "S30")
    seconds: int = 30

    def run(self, progress: Progress, *, reduced: bool = False) -> Result:
        chosen = tuple(content for content in CONTENTS if not reduced or content.key in FEWER)
        connections = CONNECTIONS[:1] if reduced else CONNECTIONS
        progress("building", 0.0)
        measured = self._measure(chosen, connections, progress)
        progress("done", 1.0)
        predicted = predictions(measured)
        return Result(
            self._settings(measured),
            show.figures(measured, predicted),
            show.series(measured, predicted),
            show.beside(measured, predicted),
            show.rows(measured, predicted),
            [show.sheet(measured, predicted), show.charge_sheet(measured)],
            measured.ladders,
            show.notes(measured),
        )

    def _measure(self, chosen: Sequence[Content], connections: Sequence[int], progress: Progress) -> Measured:
        built, real = avr(application()), avr(ROOT / "apps" / "contacts")
        progress("the processor by itself", 0.3)
        known = profile(built, CONTENTS if len(chosen) == len(CONTENTS) else chosen)
        progress("each content", 0.4)
        ours = measure(built, chosen)
        progress("memory held", 0.5)
        held, apart, arguments = peers.charges(chosen, self.seed)
        progress("model servers", 0.6)
        uip = {content.key: peers.exchange(peers.UIP, content, self.seed) for content in chosen}
        files = [content for content in chosen if content.key in papers.MINIWEB_TABLE2_S]
        miniweb = {content.key: peers.exchange(peers.MINIWEB, content, self.seed) for content in files}
        progress("pages", 0.7)
        pages: dict[int, float] = {}
        real_pages: dict[int, float] = {}
        peer_pages: dict[tuple[str, int], float] = {}
        ladders: list[Ladder] = []
        list_len = 0
        for count in connections:
            title = "The address book's page, one connection" if count == 1 else ""
            pages[count], _, ladder = page(built, records(), count, title=title)
            real_pages[count], list_len, _ = page(real, real_records(real), count)
            peer_pages[peers.UIP, count] = peers.page_s(peers.UIP, count, self.seed)
            ladders += [ladder] if ladder else []
        peer_pages[peers.MINIWEB, 1] = peers.page_s(peers.MINIWEB, 1, self.seed)
        gzip_page_s = page(built, records(), 1, gzip=True)[0]
        return Measured(
            chosen,
            known,
            ours,
            held,
            apart,
            arguments,
            uip,
            miniweb,
            _limits(built),
            pages,
            real_pages,
            gzip_page_s,
            list_len,
            peer_pages,
            ladders,
        )

    def _settings(self, measured: Measured) -> dict[str, object]:
        return {
            "processor": f"emulated ATmega1284P, {CLOCK_HZ // 1_000_000} MHz",
            "line": f"SLIP, {BAUD} baud, 10 kB/s, full duplex; {RTT_MS} ms of round trip beside what octets take",
            "client": windows_xp().ack.value,
            "client_window": XP_WINDOW,
            "request_octets": REQUEST_LEN,
            "application": "lab/contacts: the files of apps/contacts, which have the paper's sizes to the octet, and "
            "generators that say as many octets as the paper's",
            "page_application": f"apps/contacts with all 14 contacts: its list is {measured.list_len} octets",
            "time": "from the request's first octet to the response's last one, connection open; a page's from the SYN",
            "acked": "... to the last acknowledgment's arrival: a lone segment's is 200 ms late",
            "content_coding": "none, but where said",
            "charge": "of content, in-process, same line, without the processor's time",
            "processor_octet_us": round(measured.profile.octet_s * 1e6, 2),
            "processor_request_ms": {key: round(s * 1e3, 2) for key, s in measured.profile.request_s.items()},
            "processor_gap_ms": {key: round(s * 1e3, 2) for key, s in measured.profile.gap_s.items()},
            "processor_times": "of shorter requests without latency; what the model knows of the processor",
            "seed": self.seed,
        }


def _limits(built: BuildResult) -> dict[str, int]:
    limits = built.application.limits
    return {"buffer": limits.buffer, "slots": limits.connections, "chunk": limits.chunk}


EXPERIMENT: Experiment = ContactsExperiment()
