# SPDX-License-Identifier: MIT
"""The reduced form keeps its bounds; the ladder shows every octet; the parts of Figure 2 are recognised."""

from dataclasses import replace

import pytest

from tests.lab.reduced import measured
from tests.lab.reduced import reduced as result_of
from whit.ladder.steps import Ladder, Step
from whit.ladder.text import plain
from whit.ladder.write import picture
from whit.model.policy import Options, linux, windows_xp
from whit.paths import ROOT
from whit_lab import papers
from whit_lab.experiment import Result
from whit_lab.experiments.traffic.count import (
    ACK_1,
    ACK_2,
    ACK_3,
    ACK_4,
    ACK_5,
    AGAIN,
    ANSWER,
    FIN_1,
    FIN_2,
    GET,
    PARTS,
    traffic,
)
from whit_lab.experiments.traffic.runs import STATE, Visit, at, buttons, contents, model, whit
from whit_lab.instruments import models
from whit_lab.kept import kept, same

pytestmark = pytest.mark.xdist_group("lab")  # its builds once


@pytest.fixture(scope="module")
def reduced() -> Result:
    return result_of("traffic")


def alone(options: Options) -> Visit:
    with at(whit(buttons(), 1), options, 1) as place:
        return place.alone("alone", STATE)


def test_bounds(reduced: Result) -> None:
    limits = {figure.name: figure.limit for figure in reduced.figures if figure.limit is not None}
    assert limits == {
        "datagrams_alone": 9,
        "datagrams_further_xp": 2,
        "datagrams_further_linux": 3,
        "acks_of_requests": 0,
        "largest_datagram": 1500,
        "largest_output": 1440,
        "head_generated_octets": 111,
        "head_file_octets": 146,
        "load_octets": papers.FIGURE1_LOADING,
        "poll_octets_xp": papers.FIGURE1_RUNNING,
    }
    assert {figure.name for figure in reduced.figures if not figure.holds} == set()
    names = [figure.name for figure in [*reduced.figures, *reduced.beside]]
    assert len(names) == len(set(names))


def test_same_seed_same_bytes(reduced: Result) -> None:
    again = same(measured("traffic"))
    assert kept(again) == kept(reduced)
    assert again.ladders == reduced.ladders


def test_a_ladder_shows_losses_timers_and_memory(reduced: Result) -> None:
    lossy = reduced.ladders[-1]
    assert sum(step.end_us is None for step in lossy.steps) == 2
    assert sum(step.again for step in lossy.steps) >= 2
    assert "fast retransmit" in {event.label for event in lossy.events}
    assert max(octets for _, octets in lossy.held) > 0 and lossy.held[-1][1] == 0


def test_a_client_that_acknowledges_each_segment_costs_little_more(reduced: Result) -> None:
    """No segment is retransmitted on this slow line, and S3's segments do not shrink with each acknowledgment."""
    sheet = next(sheet for sheet in reduced.sheets if "by strategy" in sheet.title)
    again, datagrams = sheet.columns.index(AGAIN), sheet.columns.index("datagrams")
    assert {row[again] for row in sheet.rows} == {"0 B"}
    kept = {row[1]: int(row[datagrams]) for row in sheet.rows if row[0].startswith("S3")}
    assert kept["Linux"] < 2 * kept["Windows XP"]


def test_what_the_docs_show_is_this(reduced: Result) -> None:
    """The commands in docs/ladder.md make these files again."""
    assert (ROOT / "docs" / "images" / "ladder.svg").read_text() == picture(reduced.ladders[-1])
    assert f"```\n{plain(reduced.ladders[0])}```\n" in (ROOT / "docs" / "ladder.md").read_text()


def test_every_octet_is_told() -> None:
    """The count includes retransmitted octets."""
    visits = [alone(options) for options in (windows_xp(), linux(), replace(windows_xp(), mss=88))]
    with at(model(models.uip, contents()), windows_xp(), 1) as place:
        session = place.session("x", 2, 1)
    visits += [session.load, *session.polls]
    for visit in visits:
        assert visit.traffic.octets == sum(step.octets for step in visit.ladder.steps)
        assert visit.traffic.datagrams == len(visit.ladder.steps)


def test_the_model_of_uip_sends_every_packet_of_the_figure_but_one() -> None:
    """The model omits the acknowledgment of the request: the answer leaves at once and carries it."""
    with at(model(models.uip, contents()), windows_xp(), 1) as place:
        parts = place.alone("x", STATE).traffic.parts
    assert [part for part in PARTS if not parts[part]] == [ACK_2]
    assert len(parts[ANSWER]) == len(parts[ACK_3]) == 3


def test_parts_of_the_figure() -> None:
    """The figure itself, as a ladder."""
    drawn = (
        ("handshake", True), ("handshake", False), ("ack", True), ("request", True), ("ack", False), ("data", False),
        ("ack", True), ("fin", False), ("ack", True), ("fin", True), ("ack", False),
    )  # fmt: skip
    octets = papers.FIGURE2.values()
    steps = [
        Step(at_us, at_us, up, kind, kind, size)
        for at_us, ((kind, up), size) in enumerate(zip(drawn, octets, strict=True))
    ]
    parts = traffic(Ladder("Figure 2", "client", "server", steps), ()).parts
    assert {part: len(sent) for part, sent in parts.items()} == dict.fromkeys(PARTS, 1)
    assert [sent[0] for sent in parts.values()] == list(octets)
    closed_first = [*steps[:7], *(replace(step, left_to_right=not step.left_to_right) for step in steps[7:])]
    assert traffic(Ladder("", "", "", closed_first), ()).parts == parts


def test_ours_closes_with_its_last_data() -> None:
    parts = alone(windows_xp()).traffic.parts
    assert not parts[FIN_1]
    assert [len(parts[part]) for part in (ACK_1, GET, ACK_2, ANSWER, ACK_3, ACK_4, FIN_2, ACK_5)] == [
        1,
        1,
        0,
        1,
        0,
        1,
        1,
        1,
    ]
