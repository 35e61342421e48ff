# SPDX-License-Identifier: MIT
"""One content on one link by the papers' model and by the refined one, strategy by strategy."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import inf

from whit.model.loss import expected_s
from whit.model.parties import Client, Item, Link, Server
from whit.model.passed import Passed
from whit.model.refined import response
from whit.model.sources import BLOCK, CHUNK_AROUND
from whit_lab.model import charge, dynaweb
from whit_lab.model.paper import Setting, in_flight_s, sending_s

ONE = charge.ONE
ALL = (ONE, *charge.STRATEGIES)
BULK = 400  # segments of a long file


@dataclass(frozen=True)
class Question:
    """Sizes in bytes. in_flight: segments at most; None: as the client's window allows, and in the papers' model any
    number. roomy: what S1 keeps has room, whatever the buffer. setting: the papers' own reading of the link."""

    link: Link
    client: Client
    server: Server
    content: int
    request: int
    head: int
    in_flight: int | None = None
    roomy: bool = False
    setting: Setting | None = None

    @property
    def papers(self) -> Setting:
        """The papers' setting. Acknowledgments take turns with data, or overlap with them."""
        if self.setting:
            return self.setting
        link, client = self.link, self.client
        late = 0.0 if client.ack.name == "EVERY" else client.delayed_ack_s
        rate = inf if link.rate is None else link.rate
        return Setting(rate, link.rtt_s, client.mss, late, charge_acks=link.half_duplex)


@dataclass(frozen=True)
class Refined:
    """A response of the refined model. Times in seconds."""

    st_s: float  # from its first byte leaving to the last acknowledgment, as the papers count
    # From the request's first byte leaving the client to the response's last one there; with loss, the expected value.
    whole_s: float
    charge_bs: float
    segments: int


@dataclass(frozen=True)
class Answer:
    """The answer for one strategy. refined: None when its content does not fit the buffer."""

    strategy: str
    paper_s: float
    paper_charge_bs: float
    refined: Refined | None


@dataclass(frozen=True)
class Bulk:
    """Long files by 000 section 3, and by the refined model."""

    name: str
    overhead: float
    throughput: float  # bytes a second
    refined: float


@dataclass(frozen=True)
class Ratios:
    """Ratios of 001 section 4.3: the time with one segment in flight, divided by a strategy's."""

    s0: float  # eq. 15
    s1: float | None  # eq. 17, for a content of one segment
    s3: float  # eq. 20
    equal_buffer: int  # bytes of S3's buffer with which it is as fast


@dataclass(frozen=True)
class Comparison:
    """The whole comparison. bulk and ratios are empty if the link has no rate, or for content alone."""

    question: Question
    answers: tuple[Answer, ...]
    bulk: tuple[Bulk, ...] = field(default=())
    ratios: Ratios | None = None


def compare(question: Question, strategies: tuple[str, ...] = ALL, *, only_content: bool = False) -> Comparison:
    """Compares the models. only_content: without long files and ratios, which need a rate."""
    answers = tuple(answer(question, strategy) for strategy in strategies)
    if only_content or question.link.rate is None:
        return Comparison(question, answers)
    return Comparison(question, answers, bulk(question), ratios(question))


def answer(question: Question, strategy: str) -> Answer:
    """Returns seconds and byte seconds of one strategy: the papers' model, and the refined one."""
    return Answer(strategy, paper_s(question, strategy), paper_charge(question, strategy), refined(question, strategy))


def paper_s(question: Question, strategy: str) -> float:
    """Returns ST by eq. 8, with at most the allowed segments in flight."""
    setting, content, limit = question.papers, question.content, question.in_flight
    if limit is None or strategy == ONE:
        return charge.strategy_s(setting, strategy, content, question.server.buffer)
    if strategy == "S3" and question.server.buffer < limit * setting.mss:
        return sending_s(setting, content, question.server.buffer, limit)
    return in_flight_s(setting, content, limit)


def paper_charge(question: Question, strategy: str) -> float:
    """Returns the charge by eq. 13 and 18, for the time of paper_s."""
    if strategy == "S1":
        return question.content * paper_s(question, "S1")
    return charge.strategy_charge(question.papers, strategy, question.content, question.server.buffer)


def refined(question: Question, strategy: str) -> Refined | None:
    """Returns the refined model, which follows the engine. None: the content does not fit S1's buffer."""
    if strategy == "S1" and not question.roomy and question.content > question.server.buffer - 2 * BLOCK - CHUNK_AROUND:
        return None
    limit = 1 if strategy == ONE else question.in_flight
    client, server = question.client, question.server
    if limit is not None:  # whole segments: a window of one segment and a file without chunks
        client = replace(client, window=min(client.window, limit * client.mss))
        server = replace(server, chunk=1) if strategy == ONE else server
    item = Item(strategy, question.request, question.head, question.content, "S0" if strategy == ONE else strategy)
    passed = response(question.link, client, server, item)
    held = one_charge(passed) if strategy == ONE else passed.charge_bs
    whole_s = passed.whole_s + expected_s(passed, question.link, client, server)
    return Refined(passed.acked_s - passed.first_s, whole_s, held, len(passed.segments))


def one_charge(passed: Passed) -> float:
    """Returns the charge of a server that keeps the segment in flight of a generated content."""
    ends = [*(begin for begin, _, _ in passed.segments[1:]), passed.acked_s]
    return sum(octets * (end - begin) for (begin, _, octets), end in zip(passed.segments, ends, strict=True))


def bulk(question: Question) -> tuple[Bulk, ...]:
    """A long file: overhead and throughput, in bytes a second (RT-0349, section 3.2), and the refined model."""
    setting, long = question.papers, replace(question, content=BULK * question.papers.mss, head=0)
    named = ((ONE, dynaweb.ONE_IN_FLIGHT), ("S0", dynaweb.CONTINUOUS))
    return tuple(
        Bulk(
            name,
            dynaweb.overhead(setting.mss, how[0]),
            dynaweb.throughput(setting.mss, *how, setting.bandwidth, setting.delayed_ack_s),
            _bulk_refined(long, name),
        )
        for name, how in named
    )


def _bulk_refined(long: Question, strategy: str) -> float:
    found = refined(replace(long, link=replace(long.link, loss=0.0), in_flight=long.in_flight), strategy)
    return long.content / found.st_s if found else 0.0


def ratios(question: Question) -> Ratios:
    """EMSOFT 2009, section 4.3: eq. 15, 17 (for a content of one segment at most), 20, and the buffer in bytes."""
    setting, content = question.papers, question.content
    return Ratios(
        charge.s0_ratio(setting, content),
        charge.s1_ratio(setting, content) if content <= setting.mss else None,
        charge.s3_ratio(setting),
        charge.equal_buffer(setting),
    )
