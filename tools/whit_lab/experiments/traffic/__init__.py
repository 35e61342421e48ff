# SPDX-License-Identifier: MIT
"""Every packet of a GET, and an application's traffic while it loads and runs.

The source is INRIA RT-0349 (dynaWeb), Figures 1 and 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from whit.errors import WhitError
from whit.ladder.steps import Ladder
from whit.model.policy import Options, linux, windows_xp
from whit_lab import papers
from whit_lab.experiment import Figure, Found, Progress, Row, Sheet, Stacks
from whit_lab.experiments.strategies.runs import S0, S1, S2, S2_LARGE, S3, S4
from whit_lab.experiments.traffic import count
from whit_lab.experiments.traffic.runs import (
    CHUNK,
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
from whit_lab.instruments import models
from whit_lab.instruments.instructions import REQUEST_LEN
from whit_lab.model import dynaweb
from whit_testbed.lwip_build import VERSION, shared_object

OURS, UIP, MINI, LWIP = "ours", "one in flight (model of uIP)", "MSS 200, closes (model of miniWeb)", "lwIP"
SHORT = {OURS: "ours", UIP: "model of uIP", MINI: "model of miniWeb", LWIP: "lwIP"}
XP, LINUX = "Windows XP", "Linux"
KEYS = {XP: "xp", LINUX: "linux"}
MSS = 1460
FULL = "S0: file"
SAVED = (count.ACK_2, count.ACK_3, count.ACK_4)  # if these are not sent, data carry all others
MOST_HEAD = sum(models.UIP_HEAD)  # bytes, fitted to 001 Tables 2 and 3: no paper prints them
HEAD_SHARE = MSS // 10
POLLS, FEW = 20, 3
SEED = 1
SHOWN = 3  # polls in a ladder
CLIENTS: Mapping[str, Callable[[], Options]] = {XP: windows_xp, LINUX: linux}
CASES = (S0, S1, S2, S2_LARGE, S3, S4)
LOSSES = (
    (S1, (1, 2), "S1, both segments lost", XP, windows_xp),
    (S4, (3, 6), "S4, segments 3 and 6 lost", LINUX, linux),
)


def run(progress: Progress, *, reduced: bool = False) -> Iterator[Found]:
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
    lwip_settings = f"{VERSION}, its web server, on Ethernet, whose own octets are not counted" if library else "none"
    yield {"chunk": CHUNK, "request_octets": REQUEST_LEN, "polls": polls, "lwip": lwip_settings, "seed": SEED}
    yield from figures(measured)
    yield from rows(measured)
    yield from (_packets(measured), _strategies(measured))
    yield from series(measured)
    yield from _ladders(measured)
    for case, lost, words, client, options in LOSSES:
        yield with_losses(several, options(), case.target, lost, f"{case.size} octets by {words}: ours, {client}")
    yield from notes(measured, reload, lwip=bool(library))


def _lwip() -> Path | None:
    """Returns lwIP's library, or None if it cannot be built here."""
    try:
        return shared_object()
    except WhitError:
        return None


def _ladders(measured: Measured) -> Iterator[Ladder]:
    for server in (server for server in (OURS, LWIP, UIP) if server in measured.servers):
        yield measured.alone[server, XP].ladder
    for client in CLIENTS:
        yield measured.sessions[OURS, client].begin
    if LWIP in measured.servers:
        yield measured.sessions[LWIP, XP].begin


# ---------------------------------------------------------------- what is shown


@dataclass(frozen=True)
class Measured:
    """Results by server and client; `cases` by strategy and client."""

    alone: dict[tuple[str, str], Visit] = field(default_factory=dict)
    sessions: dict[tuple[str, str], Session] = field(default_factory=dict)
    cases: dict[tuple[str, str], Visit] = field(default_factory=dict)

    @property
    def servers(self) -> Sequence[str]:
        return list(dict.fromkeys(server for server, _ in self.alone))

    def poll(self, server: str, client: str) -> count.Traffic:
        """Returns the poll with the most traffic."""
        return max((visit.traffic for visit in self.sessions[server, client].polls), key=lambda one: one.octets)


def figure2(optional: bool) -> Mapping[str, int]:
    """Returns the IP and TCP bytes of the figure's packets, by the parts of Whit's traffic."""
    names = dict(zip(count.PARTS, papers.FIGURE2, strict=True))
    kept = {part: name for part, name in names.items() if optional or name not in papers.FIGURE2_OPTIONAL}
    return {
        part: count.HEADS if part in (count.GET, count.ANSWER) else papers.FIGURE2[name] for part, name in kept.items()
    }


def _head_len(visit: Visit, target: int = 0) -> int:
    response = visit.responses[target]
    return response.raw.index(b"\r\n\r\n") + 4


def _ours(measured: Measured) -> list[count.Traffic]:
    """Returns all traffic of Whit."""
    visits = [visit for (server, _), visit in measured.alone.items() if server == OURS]
    sessions = [session for (server, _), session in measured.sessions.items() if server == OURS]
    visits += [visit for session in sessions for visit in (session.load, *session.polls)]
    return [visit.traffic for visit in (*visits, *measured.cases.values())]


def figures(measured: Measured) -> Iterator[Figure]:
    least, every = len(figure2(optional=False)), len(figure2(optional=True))
    alone = max(measured.alone[OURS, client].traffic.datagrams for client in KEYS)
    yield Figure("datagrams_alone", f"a GET with its connection (Figure 2: {least} to {every})", alone, "", least)
    for client, key in KEYS.items():  # the figure's client acknowledges late, Linux at once
        further = max(visit.traffic.datagrams for visit in measured.sessions[OURS, client].polls)
        what = f"a further GET on the connection: {client} (Figure 2: 2 to 4)"
        yield Figure(f"datagrams_further_{key}", what, further, "", 2 if client == XP else 3)
    passed = _ours(measured)
    what = "ACK 2: void acknowledgments of requests, of all that passed (Figure 2: optional)"
    yield Figure("acks_of_requests", what, sum(len(one.parts[count.ACK_2]) for one in passed), "", 0)
    most = max(one.largest for one in passed)
    yield Figure("largest_datagram", "of all that passed", most, "B", MSS + count.HEADS)
    full, output = max(measured.cases[FULL, XP].traffic.data[1:-1]), dynaweb.output_size(MSS, CHUNK)
    what = f"content of a full segment of a file: chunks of {CHUNK} in an MSS of {MSS}"
    yield Figure("largest_output", what, full, "B", output, output)
    session = measured.sessions[OURS, XP]
    what = f"HTTP head of the two octets of state (uIP by 001's model: {MOST_HEAD})"
    yield Figure("head_generated_octets", what, _head_len(session.polls[0]), "B", MOST_HEAD)
    what = "HTTP head of the page, with entity tag, Vary and Cache-Control"
    yield Figure("head_file_octets", what, _head_len(session.load), "B", HEAD_SHARE)
    load = max(measured.sessions[OURS, client].load.traffic.octets for client in KEYS)
    yield Figure("load_octets", "the load, both ways, the worse client", load, "B", papers.FIGURE1_LOADING)
    for client, key in KEYS.items():
        poll, limit = measured.poll(OURS, client).octets, papers.FIGURE1_RUNNING if client == XP else None
        yield Figure(f"poll_octets_{key}", f"a poll, both ways, the largest: {client}", poll, "B", limit)


def rows(measured: Measured) -> Iterator[Row]:
    ours = measured.alone[OURS, XP].traffic
    for optional, words in ((False, "without the optional ones"), (True, "with the optional ones")):
        sizes, source = figure2(optional), f"000 Figure 2, {words}"
        yield Row("packets of one GET", ours.datagrams, len(sizes), "", source)
        yield Row("octets of TCP and IP of one GET", ours.around, sum(sizes.values()), "B", source)
    for client in KEYS:
        poll = measured.poll(OURS, client)
        for acks, words in ((0, "without ACK 2 and 3"), (2, "with ACK 2 and 3")):
            theirs = 2 * count.HEADS + acks * count.HEADS
            yield Row(f"TCP and IP of a further GET, {client}", poll.around, theirs, "B", f"000 Fig. 2, {words}")
        theirs = papers.FIGURE1_RUNNING
        yield Row(f"all of a poll, {client}", poll.octets, theirs, "B", "000 Figure 1: content of an answer")
    load = measured.sessions[OURS, XP].load.traffic.octets
    yield Row("all of a load", load, papers.FIGURE1_LOADING, "B", "000 Figure 1: content of an answer")
    for server in measured.servers[1:]:
        source = f"{server}, same run"
        for client in KEYS:
            theirs_load = measured.sessions[server, client].load.traffic.octets
            ours_load = measured.sessions[OURS, client].load.traffic.octets
            yield Row(f"load of apps/buttons, {client}", ours_load, theirs_load, "B", source)
            poll, other = measured.poll(OURS, client), measured.poll(server, client)
            if server != MINI:
                yield Row(f"poll, {client}", poll.octets, other.octets, "B", source)
        page, theirs_page = (measured.sessions[one, XP].load for one in (OURS, server))
        yield Row("HTTP head of a file", _head_len(page), _head_len(theirs_page), "B", source)
    full = measured.cases[FULL, XP].traffic
    share = 100 * full.around / full.kinds[count.CONTENT]
    formula = 100 * dynaweb.overhead(MSS, dynaweb.CONTINUOUS[0])
    what = f"TCP and IP around {full.kinds[count.CONTENT]} octets of a file"
    yield Row(what, round(share, 2), round(formula, 2), "%", "000 section 3.2, one ACK for two segments")


def _packets(measured: Measured) -> Sheet:
    """Returns figure 2 with columns for Whit."""
    servers = [server for server in (OURS, LWIP, UIP) if server in measured.servers]
    columns = ["packet", "from", "000 Figure 2", *(SHORT[server] for server in servers)]
    lines = []
    for part, (name, octets) in zip(count.PARTS, papers.FIGURE2.items(), strict=True):
        theirs = f"≤ {octets} B" if part in (count.GET, count.ANSWER) else f"{octets} B"
        theirs += ", optional" if name in papers.FIGURE2_OPTIONAL else ""
        cells = []
        for server in servers:
            sent = measured.alone[server, XP].traffic.parts[part]
            cells.append(" + ".join(f"{one} B" for one in sent) or ("saved" if part in SAVED else "with the data"))
        lines.append([part, _SIDES[part], theirs, *cells])
    totals = [measured.alone[server, XP].traffic for server in servers]
    lines.append(["packets", "", "9 to 11", *(str(one.datagrams) for one in totals)])
    span = " to ".join(f"{sum(figure2(optional).values())}" for optional in (False, True))
    lines.append(["octets of TCP and IP", "", f"{span} B", *(f"{one.around} B" for one in totals)])
    return Sheet("One GET of two octets on a connection of its own, Windows XP", columns, lines)


_CLIENTS = {count.PARTS[0], count.PARTS[2], count.PARTS[3], count.PARTS[6], count.PARTS[8], count.PARTS[9]}
_SIDES = {part: "client" if part in _CLIENTS else "server" for part in count.PARTS}


def _strategies(measured: Measured) -> Sheet:
    kinds = (count.CONTENT, count.HTTP_HEAD, count.CHUNKS, count.TCP_IP, count.ACKS, count.AGAIN)
    columns = ["strategy", "client", "datagrams", *kinds, "around 100 B of content"]
    lines = []
    for (label, client), visit in measured.cases.items():
        one = visit.traffic
        more = sum(one.kinds[kind] for kind in kinds[1:])
        cells = [f"{one.kinds[kind]} B" for kind in kinds]
        lines.append([label, client, str(one.datagrams), *cells, f"{100 * more / one.kinds[count.CONTENT]:.1f} B"])
    return Sheet("An answer by strategy, its request left out", columns, lines)


def series(measured: Measured) -> Iterator[Stacks]:
    order = [server for server in (OURS, LWIP, MINI, UIP) if server in measured.servers]
    ours = measured.alone[OURS, XP].traffic.kinds
    one = {"ours": _shown(ours), "000 Figure 2, all packets": _of_figure2(ours)}
    one |= {SHORT[server]: _shown(measured.alone[server, XP].traffic.kinds) for server in order[1:] if server != MINI}
    load, poll = {}, {}
    for client, key in (("XP", XP), ("Linux", LINUX)):
        for server in order:
            name = f"{SHORT[server]}, {client}"
            load[name] = _shown(measured.sessions[server, key].load.traffic.kinds)
            if server != MINI:
                poll[name] = _shown(measured.poll(server, key).kinds)
    beside = (count.TCP_IP, count.ACKS, count.HTTP_HEAD, count.REQUEST, count.CHUNKS)
    cases = {label: visit.traffic.kinds for (label, client), visit in measured.cases.items() if client == XP}
    around = {
        f"{label.split(':')[0]}, {kinds[count.CONTENT]} B": {kind: kinds[kind] for kind in beside}
        for label, kinds in cases.items()
    }
    yield Stacks("One GET of 2 octets, with its connection", "octets", one)
    yield _below("Each poll (line: 600 B, 000 Figure 1)", poll, papers.FIGURE1_RUNNING)
    yield _below("The load (line: 8 kB, 000 Figure 1)", load, papers.FIGURE1_LOADING)
    yield Stacks("What passes beside the content, by strategy", "octets", around)


def _below(title: str, amounts: Mapping[str, Mapping[str, float]], mark: float) -> Stacks:
    return Stacks(title, "octets", amounts, dict.fromkeys(amounts, float(mark)))


_ORDER = (count.TCP_IP, count.ACKS, count.HTTP_HEAD, count.REQUEST, count.CONTENT, count.OPENING, count.CLOSING)


def _shown(kinds: Mapping[str, int]) -> dict[str, float]:
    return {kind: float(kinds[kind]) for kind in _ORDER}


def _of_figure2(ours: Mapping[str, int]) -> dict[str, float]:
    """Returns the figure's packets around Whit's request, head and content, which the figure leaves open."""
    sizes = list(figure2(optional=True).values())
    opening, around, closing = sum(sizes[:3]), 2 * count.HEADS, sum(sizes[7:])
    known = {count.TCP_IP: around, count.ACKS: sizes[4] + sizes[6], count.OPENING: opening, count.CLOSING: closing}
    return {**_shown(ours), **known}


def notes(measured: Measured, reload: Visit, *, lwip: bool) -> Iterator[str]:
    yield (
        "Linux acknowledges at once as long as a connection is young: then a poll has a third datagram, and "
        f"{measured.poll(OURS, LINUX).octets} octets in all."
    )
    yield (
        "A file's head is longer than those of the models, as it carries an entity tag and says that a browser may "
        f"keep the file and ask whether it changed: then the page takes {reload.traffic.octets} octets "
        f"in all, of which {reload.traffic.kinds[count.REQUEST]} are its requests."
    )
    if not lwip:
        yield "lwIP could not be had here: its columns are missing."
