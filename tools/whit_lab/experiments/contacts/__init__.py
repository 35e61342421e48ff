# SPDX-License-Identifier: MIT
"""The address book of EMSOFT 2009 (Smews), Tables 2 and 3: time, model and memory charge of every content."""

from collections.abc import Iterator, Mapping, Sequence

from whit.wire.units import SECOND
from whit_lab import papers
from whit_lab.experiment import Bars, Beside, Figure, Found, Line, Lines, Progress, Row, Series, Sheet, against
from whit_lab.experiments.contacts import empty, peers
from whit_lab.experiments.contacts.model import Measured, errors, line_only, predictions
from whit_lab.experiments.contacts.runs import (
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
FEWER = ("index", "png", "cb_extract", "cb_add")  # contents of the reduced form
SEED = 1


def run(progress: Progress, *, reduced: bool = False) -> Iterator[Found]:
    chosen = tuple(content for content in CONTENTS if not reduced or content.key in FEWER)
    measured = measure_all(chosen, CONNECTIONS[:1] if reduced else CONNECTIONS, progress)
    predicted = predictions(measured)
    known = measured.profile
    yield {
        "page_application": f"apps/contacts with all 14 contacts: its list is {measured.list_len} octets",
        "processor_octet_us": round(known.octet_s * 1e6, 2),
        "processor_request_ms": {key: round(s * 1e3, 2) for key, s in known.request_s.items()},
        "processor_gap_ms": {key: round(s * 1e3, 2) for key, s in known.gap_s.items()},
        "seed": SEED,
    }
    yield from figures(measured, predicted)
    yield from rows(measured, predicted)
    yield from empty.measure(avr(), progress, reduced=reduced)
    yield from (sheet(measured, predicted), charge_sheet(measured))
    yield from series(measured, predicted)
    yield from measured.ladders
    yield from notes(measured)


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


# ---------------------------------------------------------------- what is shown


MODEL_ERROR_PERCENT, PAGE_S, ADD_CHARGE_BS = 5.0, 1.8, 1.5
HEADS = 42  # bytes of TCP, IP and SLIP around a request
PAPER_PAGE = papers.SMEWS_TABLE2_S["page"]
LABELS = {
    "index": "index.html 752 B",
    "css": "style.css 826 B",
    "js": "script.js 3613 B",
    "png": "logo.png 5805 B",
    "cb_extract": "cb_extract 1915 B",
    "cb_get": "cb_get 28 B",
    "cb_add": "cb_add 2 B",
}


def figures(measured: Measured, predicted: Mapping[str, float]) -> Iterator[Figure]:
    worst = max(abs(error) for error in errors(measured, predicted).values())
    files = [measured.charges[content.key] for content in measured.contents if content.strategy == "S0"]
    held = round(measured.charges["cb_add"], 3)
    listed = f"a list of {measured.list_len} B (the papers': 1915)"
    slowest = f"connections: {_counts(measured)}, the slowest"
    what_page = f"the address book's page, {listed}, {slowest}"
    what_1915 = f"the same page with the papers' list of 1915 B, {slowest}"
    yield Figure("model_error_percent_max", "the refined model's error, at most", worst, "%", MODEL_ERROR_PERCENT)
    yield Figure("page_seconds", what_page, round(max(measured.real_pages.values()), 3), "s", PAGE_S)
    yield Figure("page_1915_seconds", what_1915, round(max(measured.pages.values()), 3), "s", PAGE_S)
    yield Figure("cb_add_charge_bs", "memory charge of cb_add's answer, 2 B and its head", held, "B·s", ADD_CHARGE_BS)
    yield Figure("static_charge_bs", "memory charge of the files, at most", max(files), "B·s", 0)
    for key, error in errors(measured, predicted).items():
        yield Beside(f"model_error_{key}", f"the refined model's error: {key}", error, "%")
    what = "the page with a list of 1915 B, as a browser asks that takes gzip"
    yield Beside("page_1915_gzip_seconds", what, round(measured.gzip_page_s, 3), "s")


def _counts(measured: Measured) -> str:
    return " or ".join(str(count) for count in measured.pages)


def _line_only_error(measured: Measured) -> float:
    wrong = errors(measured, line_only(measured))
    return max(abs(wrong[content.key]) for content in measured.contents if content.strategy == "S0")


def rows(measured: Measured, predicted: Mapping[str, float]) -> Iterator[Row]:
    worst, source = max(abs(error) for error in errors(measured, predicted).values()), "001 section 5.3.1"
    papers_error, alone = papers.MODEL_ERROR_PERCENT, _line_only_error(measured)
    yield Row("error of the model, at most", worst, papers_error, "%", source)
    yield Row("... for files, not told what the processor takes", alone, papers_error, "%", source)
    servers = {"Smews": papers.SMEWS_TABLE2_S, "Miniweb": papers.MINIWEB_TABLE2_S, "uIP": papers.UIP_TABLE2_S}
    for content in measured.contents:
        key, ours = content.key, round(measured.ours[content.key].whole_s, 3)
        theirs = {f"001 Table 2, {name}": table[key] for name, table in servers.items() if key in table}
        theirs["one in flight, head apart (model of uIP), same line"] = peers.seconds(measured.uip[key].whole_us)
        yield from against(LABELS[key], ours, "s", theirs)
    listed = {"Smews": "list of 1915 B", "Miniweb": "files only", "uIP": "list of 1915 B"}
    pages = {f"001 Table 2, {name} ({words})": servers[name]["page"] for name, words in listed.items()}
    yield from (row for label, ours in _pages(measured).items() for row in against(label, ours, "s", pages))
    for content in measured.contents:
        key, label = content.key, LABELS[content.key]
        acked, theirs_s = peers.seconds(measured.uip[key].acked_us), papers.UIP_TABLE2_S[key]
        yield Row(f"model of uIP, acked: {label}", acked, theirs_s, "s", "001 Table 2, uIP", "near")
        if key in measured.miniweb:
            whole, theirs_s = peers.seconds(measured.miniweb[key].whole_us), papers.MINIWEB_TABLE2_S[key]
            yield Row(f"model of miniWeb: {label}", whole, theirs_s, "s", "001 Table 2, Miniweb", "near")
    for (name, count), seconds in measured.peer_pages.items():
        whose, table = ("uIP", "uIP") if name == peers.UIP else ("miniWeb", "Miniweb")
        label = f"model of {whose}: page, {_connections(count)}"
        yield Row(label, round(seconds, 3), servers[table]["page"], "s", "001 Table 2", "near")
    for key in (key for key in papers.SMEWS_TABLE3_BS if key in measured.charges):
        ours, label, uip = measured.charges[key], LABELS[key], papers.UIP_TABLE3_BS[key]
        tables = {"001 Table 3, Smews": papers.SMEWS_TABLE3_BS[key], "001 Table 3, uIP": uip}
        yield from against(f"memory charge, {label}", round(ours, 3), "B·s", tables)
        whole = round(ours + measured.apart[key], 3)
        yield Row(f"... with rerun points and arguments, {label}", whole, uip, "B·s", "001 Table 3, uIP")


def _connections(count: int) -> str:
    return "1 connection" if count == 1 else f"{count} connections"


def _pages(measured: Measured) -> dict[str, float]:
    pages = {f"page, list of 1915 B, {_connections(count)}": s for count, s in measured.pages.items()}
    pages |= {f"page, list of {measured.list_len} B, {_connections(n)}": s for n, s in measured.real_pages.items()}
    pages["page, list of 1915 B, gzip, 1 connection"] = measured.gzip_page_s
    return {label: round(seconds, 3) for label, seconds in pages.items()}


TABLES = (  # columns of the sheet: model and measurement of each server
    (papers.UIP_TABLE2_MODEL_S, papers.UIP_TABLE2_S),
    (papers.MINIWEB_TABLE2_MODEL_S, papers.MINIWEB_TABLE2_S),
    (papers.SMEWS_TABLE2_MODEL_S, papers.SMEWS_TABLE2_S),
)


def sheet(measured: Measured, predicted: Mapping[str, float]) -> Sheet:
    columns = (
        "content", "uIP model", "uIP", "Miniweb model", "Miniweb", "Smews model", "Smews",
        "one in flight, run", "... acked", "MSS 200, run", "ours", "... acked", "ours by the model", "error",
    )  # fmt: skip
    wrong = {key: f"{error:+.1f} %" for key, error in errors(measured, predicted).items()}
    rows = []
    for content in measured.contents:
        key, ours, uip = content.key, measured.ours[content.key], measured.uip[content.key]
        mini = measured.miniweb.get(key)
        theirs = [f"{table[key]:.2f}" if key in table else "" for both in TABLES for table in both]
        runs = [uip.whole_us / SECOND, uip.acked_us / SECOND, mini.whole_us / SECOND if mini else None]
        seconds = [*runs, ours.whole_s, ours.acked_s, predicted[key]]
        rows.append((LABELS[key], *theirs, *map(_text, seconds), wrong[key]))
    for count, page_s in measured.pages.items():
        theirs = [cell for _, table in TABLES for cell in ("", f"{table['page']:g}" if count == 1 else "")]
        one, mini_s = (measured.peer_pages.get((name, count)) for name in (peers.UIP, peers.MINIWEB))
        own = [_text(page_s), "", _text(predicted.get(f"page_{count}")), wrong.get(f"page_{count}", "")]
        rows.append((f"page, list of 1915 B, {_connections(count)}", *theirs, _text(one), "", _text(mini_s), *own))
    return Sheet("Table 2 with our columns, in seconds", columns, rows)


def _text(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:.3f}"


def charge_sheet(measured: Measured) -> Sheet:
    rows = []
    for content in measured.contents:
        key = content.key
        generated = key in papers.UIP_TABLE3_BS
        uip = f"{papers.UIP_TABLE3_BS[key]:g}" if generated else ""
        smews = f"{papers.SMEWS_TABLE3_BS[key]:g}" if generated else ""
        model = f"{measured.uip[key].charge:.1f}" if generated else ""
        ours, more = measured.charges[key], measured.apart[key]
        rows.append((LABELS[key], uip, smews, model, f"{ours:.2f}", f"{ours + more:.2f}"))
    columns = ("content", "uIP", "Smews", "one in flight, run", "ours", "... with rerun points and arguments")
    return Sheet("Table 3 with our columns: memory charge in octet seconds", columns, rows)


def series(measured: Measured, predicted: Mapping[str, float]) -> Iterator[Series]:
    amounts = {f"ours, {label.removeprefix('page, ')}": s for label, s in _pages(measured).items()}
    amounts |= {"Smews (001)": papers.SMEWS_TABLE2_S["page"], "uIP (001)": papers.UIP_TABLE2_S["page"]}
    amounts |= {"Miniweb (001), files only": papers.MINIWEB_TABLE2_S["page"]}
    charges = {"ours": measured.charges["cb_add"], "Smews (001)": papers.SMEWS_TABLE3_BS["cb_add"]}
    charges |= {"uIP (001)": papers.UIP_TABLE3_BS["cb_add"]}
    yield _lines(measured, predicted, "Files", files=True)
    yield _lines(measured, predicted, "Generated", files=False)
    yield Bars("The whole page", "milliseconds", {name: 1000 * s for name, s in amounts.items()})
    yield Bars("Memory charge of cb_add's answer", "octet seconds", charges, log=True)


def _lines(measured: Measured, predicted: Mapping[str, float], title: str, *, files: bool) -> Lines:
    contents = [content for content in measured.contents if (content.strategy == "S0") == files]
    contents.sort(key=lambda content: content.size)

    def points(seconds: Mapping[str, float]) -> list[tuple[float, float]]:
        return [(content.size, seconds[content.key]) for content in contents if content.key in seconds]

    lines = [
        Line("ours", points({key: answered.whole_s for key, answered in measured.ours.items()})),
        Line("ours by the model", points(predicted), "model"),
        Line("one in flight, run", points({k: x.whole_us / SECOND for k, x in measured.uip.items()}), "peer"),
    ]
    if files:
        miniweb = points({key: exchange.whole_us / SECOND for key, exchange in measured.miniweb.items()})
        lines.append(Line("MSS 200, run", miniweb, "peer"))
    lines += [
        Line("Smews (001 Table 2)", points(papers.SMEWS_TABLE2_S), "paper"),
        Line("uIP (001 Table 2)", points(papers.UIP_TABLE2_S), "paper"),
    ]
    if files:
        lines.append(Line("Miniweb (001 Table 2)", points(papers.MINIWEB_TABLE2_S), "paper"))
    return Lines(f"{title}: time by size", "octets of content", "seconds", lines)


def notes(measured: Measured) -> Iterator[str]:
    octet_s, asked = measured.profile.octet_s, next(iter(measured.ours.values())).octets
    later_ms = 1000 * (asked + HEADS) * (octet_s - 1 / peers.RATE)
    read = "as fast as the line brings them" if later_ms < 1 else f"{later_ms:.0f} ms later than on the line alone"
    listed_s, gzip_s = max(measured.pages.values()), measured.gzip_page_s
    yield (
        f"A request of {asked} octets is read {read}. While the processor sends it does "
        "not read, so more connections than one gain nothing."
    )
    if "cb_add" in measured.ours:
        asleep = 1000 * measured.ours["cb_add"].asleep_s
        yield (
            f"cb_add waits {asleep:.0f} ms for the EEPROM of this processor, 1.8 to 3.4 ms an octet, before it says "
            "that the contact is kept. The paper does not say where Smews keeps it. Meanwhile its arguments are held, "
            f"{measured.arguments} octets: {measured.arguments * asleep / 1000:.1f} B·s that no run in-process has."
        )
    yield (
        "cb_extract runs twice for what its first segment carries: once to see whether it is all, so that its length "
        "can be told; EEPROM is read octet by octet. With the paper's 1915 octets the page takes "
        f"{listed_s:.2f} s uncompressed, with gzip, which browsers take, {gzip_s:.2f} s; Smews took {PAPER_PAGE:g} s. "
        "page_seconds is of the application in "
        f"the tree, whose book is full with 14 contacts: its list is {measured.list_len} octets."
    )
