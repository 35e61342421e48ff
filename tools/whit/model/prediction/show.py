# SPDX-License-Identifier: MIT
"""Predictions as a table: `whit report APP --link`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rich.table import Table

from whit.errors import WhitError
from whit.image.build import BuildResult
from whit.image.cost import number, plain_table
from whit.model.parties import DATAGRAM, SLIP, Client, Link, Tls
from whit.model.prediction.found import BROWSER, EXPERIMENT, Found, Processor, found
from whit.model.prediction.lengths import Length, generated_lengths, kept_len, length_of
from whit.model.prediction.page import Load, Page, pages
from whit.model.prediction.predict import Prediction, Setting, predict
from whit.model.words import read_link, read_then, say_link
from whit.paths import ROOT
from whit.suggest import did_you_mean
from whit.targets import find_target

HANDSHAKE = (
    "By HTTPS a first visit begins with a full handshake on each connection, in which the server sends {flight} bytes; "
    "the processor's part of it is not in these times."
)
RECORD, RECORD_OF_DEVICE = 1460, 536  # WHIT_TLS_RECORD
EXTENSIONS, VERIFY, FINISHED, TICKET = 21, 80, 36, 82  # octets of messages (tls_flight.c)
HELLO_RECORDS = 127 + 6
NEVER = "No error of the model is known: ./whit lab contacts finds it."


def prediction(
    result: BuildResult, link_text: str, then: Sequence[str], overrides: Mapping[str, object]
) -> list[str | Table]:
    """Returns the output of `--link`. then: TARGET or TARGET,BYTES, requested by scripts of the first page at once.
    WhitError: the application does not have that target."""
    application = result.application
    link = link_of(link_text, result)
    named = [read_then(text) for text in then]
    loaded = pages(application)
    if not loaded:
        return ["[bold]load times[/bold]: no page is a file; a prediction needs its HTML"]
    loaded = [_with(loaded[0], named, result), *loaded[1:]]
    targets = {load.target for page in loaded for load in page.loads if load.resource.made_later}
    generated = generated_lengths(application, sorted(targets), overrides)
    for target, octets in named:
        if target not in generated and target in targets:
            raise WhitError(
                f"--then {target}: the application does not answer it by 200; expected what a script asks for"
            )
        if octets is not None:
            if target not in targets:
                raise WhitError(
                    f"--then {target},{octets}: a file has the length that it has; expected --then {target}"
                )
            known = generated[target]
            generated[target] = replace(known, content=octets, again=(known.head, octets))
    known_error = found()
    processor = _processor(result, known_error)
    setting = Setting(link, application.limits, processor=processor, kept=kept_len(application))
    predictions = [predict(page, setting, generated) for page in loaded]
    tables: list[str | Table] = [_table(predictions, known_error)]
    if tls := tls_of(result):
        by_tls = [predict(page, replace(setting, tls=tls), generated) for page in loaded]
        tables += ["", _table(by_tls, known_error, "page by HTTPS"), HANDSHAKE.format(flight=number(tls.flight))]
    asked = f"requests of {setting.request} bytes, gzip; client: {setting.client.ack.value}"
    notes = _notes(loaded, setting, result, known_error, generated)
    return ["", *tables, f"{say_link(link)}; {asked}", *notes]


def link_of(text: str, result: BuildResult) -> Link:
    """Returns the link. A device on a serial line frames by SLIP, unless the text says otherwise."""
    return read_link(text, framing=SLIP if find_target(result.target).link == "slip" else DATAGRAM)


def _with(page: Page, named: Sequence[tuple[str, int | None]], result: BuildResult) -> Page:
    """Adds the scripts' requests. They begin once style sheets and scripts are loaded."""
    by_url = {url: resource for resource in result.application.resources for url in resource.urls}
    loads = list(page.loads)
    for target, _ in named:
        resource = by_url.get(target.partition("?")[0])
        if resource is None:
            expected = f"expected one of {', '.join(by_url)}{did_you_mean(target, by_url)}"
            raise WhitError(f"--then {target}: the application has no such target; {expected}")
        if all(load.target != target for load in loads):
            loads.append(Load(target, resource, "asked", page.ready))
    asked = tuple(one for one in page.asked if all(load.target.partition("?")[0] != one for load in loads))
    return replace(page, loads=tuple(loads), asked=asked)


def _processor(result: BuildResult, known: Found | None) -> Processor | None:
    if result.target != "avr" or known is None or known.processor is None:
        return None
    return known.processor.at(result.application.board.avr_clock_hz)


def tls_of(result: BuildResult) -> Tls | None:
    """Returns the overhead of HTTPS; None if the application has no HTTPS."""
    https = result.application.https
    if https is None:
        return None
    target = find_target(result.target)
    shares = "WHIT_DRIVER_COPIES=1" in (ROOT / "ports" / target.port / "port.cmake").read_text()
    whole = RECORD if target.name == "linux" else RECORD_OF_DEVICE
    if shares:  # sealed_record_len() of response/response_tls.c
        whole = Client().mss // -(-Client().mss // whole)
    record = whole - Tls.AROUND
    messages = EXTENSIONS + len(https.message) + VERIFY + FINISHED
    flight = HELLO_RECORDS + messages + Tls.AROUND * -(-messages // record) + TICKET + Tls.AROUND
    return Tls(record, flight, shares)


def _table(predictions: Sequence[Prediction], known: Found | None, what: str = "page") -> Table:
    table = plain_table(what, "requests")
    for column in ("connections", "first visit", "bytes", "again", "bytes"):
        table.add_column(column, justify="right")
    for one in predictions:
        named = (one.page.url, str(len(one.page.loads)))
        for visit in one.visits:
            first, again = _seconds(visit.first_s, known), _seconds(visit.again_s, known)
            table.add_row(*named, str(visit.connections), first, number(one.octets), again, number(one.again_octets))
            named = ("", "")
    return table


def _seconds(seconds: float, known: Found | None) -> str:
    around = f" ± {seconds * known.percent / 100:.2f}" if known else ""
    return f"{seconds:.2f}{around} s"


def _notes(
    loaded: Sequence[Page],
    setting: Setting,
    result: BuildResult,
    known: Found | None,
    generated: Mapping[str, Length],
) -> list[str]:
    lines = [NEVER if known is None else _error(known)]
    if setting.link.loss:
        lines.append(
            "With loss it is a mean that is to be expected: one visit may take much longer, and ± knows nothing of it."
        )
    if setting.processor:
        hz = result.application.board.avr_clock_hz
        lines.append(
            f"The processor's time is that of the same run, at {hz / 1e6:g} MHz; a generator's own is not in it."
        )
    else:
        lines.append("The processor takes no time here.")
    for page in loaded:
        if page.asked:
            names = ", ".join(page.asked)
            lines.append(f"{page.url}: its scripts name {names}; --then TARGET counts what they ask for at once")
        if page.missing:
            lines.append(f"{page.url}: names {', '.join(page.missing)}, which the application does not have")
        if page.elsewhere:
            lines.append(f"{page.url}: {', '.join(page.elsewhere)} comes from elsewhere and is not counted")
        lost = [load.target for load in page.loads if length_of(load, generated, 0) is None]
        if lost:
            lines.append(f"{page.url}: {', '.join(lost)} is not counted")
    return lines


def _error(known: Found) -> str:
    told = (
        f"±: the model was off by {known.percent:g} % at most in the laboratory: experiment {EXPERIMENT}, "
        f"{known.cnt} contents and pages on an emulated AVR ({known.where})."
    )
    if known.browser_percent is None:
        return told
    return f"{told} A page in Chromium was off virtual time by {known.browser_percent:g} % (experiment {BROWSER})."
