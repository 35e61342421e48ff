# SPDX-License-Identifier: MIT
"""The address book of EMSOFT 2009 (Smews), Tables 2 and 3: time, model and memory charge of every content."""

from __future__ import annotations

from collections.abc import Sequence

from whit.lab import papers
from whit.lab.experiment import Progress, Result
from whit.lab.experiments.contacts import empty, peers, show
from whit.lab.experiments.contacts.model import Measured, predictions
from whit.lab.experiments.contacts.runs import (
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

CONNECTIONS = (1, 6)
FEWER = ("index", "png", "cb_extract", "cb_add")  # of the reduced form
SEED = 1


def run(progress: Progress, *, reduced: bool = False) -> Result:
    chosen = tuple(content for content in CONTENTS if not reduced or content.key in FEWER)
    measured = measure_all(chosen, CONNECTIONS[:1] if reduced else CONNECTIONS, progress)
    predicted = predictions(measured)
    figures, beside, rows = empty.measure(avr(), progress, reduced=reduced)
    known = measured.profile
    settings = {
        "page_application": f"apps/contacts with all 14 contacts: its list is {measured.list_len} octets",
        "processor_octet_us": round(known.octet_s * 1e6, 2),
        "processor_request_ms": {key: round(s * 1e3, 2) for key, s in known.request_s.items()},
        "processor_gap_ms": {key: round(s * 1e3, 2) for key, s in known.gap_s.items()},
        "seed": SEED,
    }
    return Result(
        settings,
        [*show.figures(measured, predicted), *figures],
        show.series(measured, predicted),
        [*show.beside(measured, predicted), *beside],
        [*show.rows(measured, predicted), *rows],
        [show.sheet(measured, predicted), show.charge_sheet(measured)],
        measured.ladders,
        show.notes(measured),
    )


def measure_all(chosen: Sequence[Content], connections: Sequence[int], progress: Progress) -> Measured:
    progress("building", 0.0)
    built, real = avr(application()), avr()
    progress("the processor by itself", 0.3)
    known = profile(built, CONTENTS if len(chosen) == len(CONTENTS) else chosen)
    progress("each content", 0.4)
    ours = measure(built, chosen)
    progress("memory held", 0.5)
    held, apart, arguments = peers.charges(chosen, SEED)
    progress("model servers", 0.6)
    uip = {content.key: peers.exchange(peers.UIP, content, SEED) for content in chosen}
    files = [content for content in chosen if content.key in papers.MINIWEB_TABLE2_S]
    miniweb = {content.key: peers.exchange(peers.MINIWEB, content, SEED) for content in files}
    progress("pages", 0.7)
    limits = built.application.limits
    measured = Measured(chosen, known, ours, held, apart, arguments, uip, miniweb, limits)
    for count in connections:
        title = "The address book's page, one connection" if count == 1 else ""
        measured.pages[count], _, ladder = page(built, records(), count, title=title)
        measured.real_pages[count], measured.list_len, _ = page(real, real_records(real), count)
        measured.peer_pages[peers.UIP, count] = peers.page_s(peers.UIP, count, SEED)
        measured.ladders += [ladder] if ladder else []
    measured.peer_pages[peers.MINIWEB, 1] = peers.page_s(peers.MINIWEB, 1, SEED)
    measured.gzip_page_s = page(built, records(), 1, gzip=True)[0]
    return measured
