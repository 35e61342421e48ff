# SPDX-License-Identifier: MIT
"""The address book's figures in the reduced form; the test proves that its checks can fail."""

import json
from dataclasses import replace

import pytest

from tests.lab.reduced import reduced as result_of
from whit.wire.units import SECOND
from whit_lab.experiment import Result
from whit_lab.experiments.contacts import FEWER, measure_all
from whit_lab.experiments.contacts.model import errors, predictions
from whit_lab.experiments.contacts.peers import UIP, exchange
from whit_lab.experiments.contacts.runs import CONTENTS, application, contents_by_target, records
from whit_lab.kept import kept
from whit_lab.papers import MINIWEB_TABLE2_S, SMEWS_TABLE2_S, UIP_TABLE2_S

pytestmark = pytest.mark.xdist_group("lab")  # its builds once
BY_KEY = {content.key: content for content in CONTENTS}


@pytest.fixture(scope="module")
def reduced() -> Result:
    return result_of("contacts")


def test_bounds(reduced: Result) -> None:
    assert {figure.name: figure.limit for figure in reduced.figures} == {
        "model_error_percent_max": 5,
        "page_seconds": 1.8,
        "page_1915_seconds": 1.8,
        "cb_add_charge_bs": 1.5,
        "static_charge_bs": 0,
        "avr_page_seconds": 1.8,
        "avr_page_gzip_seconds": 1.4,
        "avr_page_again_seconds": 0.4,
        "avr_add_cycles": 60_000,
        "avr_octet_cycles": 780,
    }
    missed = {figure.name for figure in reduced.figures if not figure.holds}
    # cb_add's answer is one segment: the client delays its acknowledgment by 200 ms, and until then the answer is kept.
    assert missed - {"page_1915_seconds"} == {"cb_add_charge_bs"}
    assert json.dumps(kept(reduced))


def test_the_book_of_the_application_is_full(reduced: Result) -> None:
    """The application's list has all of its records, so that the page shows all of them."""
    assert "all 14 contacts: its list is 467 octets" in str(reduced.settings["page_application"])


def test_what_is_held_is_seen(reduced: Result) -> None:
    """The meter reads 0 for files, and more for kept output."""
    charge = next(figure.value for figure in reduced.figures if figure.name == "cb_add_charge_bs")
    assert charge == pytest.approx(8 * 0.21, abs=0.02), "8 octets, for 200 ms and a round trip"


def test_the_page_with_the_papers_list_is_there_and_said_to_be_slower(reduced: Result) -> None:
    rows = [row for row in reduced.compared if row.name.startswith("page, list of 1915 B, 1") and row.theirs == 1.8]
    assert len(rows) == 1
    assert rows[0].worse == (rows[0].ours > 1.8)
    assert any("1915" in note for note in reduced.notes)


def test_sizes_are_the_papers() -> None:
    sizes = {content.key: content.size for content in CONTENTS}
    assert sizes == {
        "index": 752, "css": 826, "js": 3613, "png": 5805, "cb_extract": 1915, "cb_get": 28, "cb_add": 2,
    }  # fmt: skip
    assert all(len(contents_by_target()(content.target)) == content.size for content in CONTENTS)
    assert {path.name for path in application().iterdir()} >= {"index.html", "logo.png", "cb_add.c"}
    assert len(records()) == 87 * 28


@pytest.mark.parametrize("key", ["index", "cb_get", "cb_add"])
def test_the_model_of_uip_takes_what_the_paper_measured(key: str) -> None:
    """Content of one segment ends with its last acknowledgment, as in the paper's table."""
    measured = exchange(UIP, BY_KEY[key], 1)
    assert measured.acked_us / SECOND == pytest.approx(UIP_TABLE2_S[key], abs=0.03)
    assert measured.acked_us / SECOND > 4 * SMEWS_TABLE2_S[key]


@pytest.mark.parametrize("key", ["index", "css", "js", "png"])
def test_the_model_of_miniweb_takes_what_the_paper_measured(key: str) -> None:
    measured = exchange("miniweb", BY_KEY[key], 1)
    assert measured.whole_us / SECOND == pytest.approx(MINIWEB_TABLE2_S[key], abs=0.03)


def test_a_wrong_processor_is_a_wrong_prediction() -> None:
    """The error is one of the model, not of a formula that always agrees."""
    seen = measure_all([BY_KEY[key] for key in FEWER], (1,), lambda what, share: None)
    slow = replace(seen, profile=replace(seen.profile, octet_s=1.5 * seen.profile.octet_s))
    assert max(map(abs, errors(slow, predictions(slow)).values())) > 10
