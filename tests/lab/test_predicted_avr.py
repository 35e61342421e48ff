# SPDX-License-Identifier: MIT
"""The prediction of `whit report --link` for a page on an AVR, from the laboratory's figures, agrees with the emulated
processor."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.lab.reduced import reduced
from whit.model.prediction.found import EXPERIMENT, FIGURES, found
from whit.model.prediction.lengths import ETAG_LINE, generated_lengths
from whit.model.prediction.page import Load, pages
from whit.model.prediction.predict import Setting, predict
from whit.model.words import read_link
from whit_lab.experiments.contacts.empty import load
from whit_lab.experiments.contacts.runs import GZIP, RTT_MS, avr
from whit_lab.instruments.instructions import REQUEST_LEN
from whit_lab.kept import kept

pytestmark = pytest.mark.xdist_group("lab")  # its builds once
WITHIN = 0.05
LIST = "/cb_extract"


def test_a_page_from_an_avr(tmp_path: Path) -> None:
    """The requests are equally long at both visits."""
    (tmp_path / EXPERIMENT).mkdir()
    (tmp_path / EXPERIMENT / FIGURES).write_text(json.dumps(kept(reduced(EXPERIMENT))))
    known = found(tmp_path / "none.json", tmp_path)
    assert known is not None and known.processor is not None and 0 < known.percent <= 5
    built = avr()
    application = built.application
    page = pages(application)[0]
    listed = next(one for one in application.resources if LIST in one.urls)
    page = replace(page, loads=(*page.loads, Load(LIST, listed, "asked", page.ready)))
    processor = known.processor.at(application.board.avr_clock_hz)
    link = read_link(f"10kB/s,{RTT_MS}ms,slip")
    setting = Setting(link, application.limits, processor=processor, request=REQUEST_LEN)
    lengths = generated_lengths(application, [LIST])
    without = replace(setting, processor=None)
    for connections in (1, 4):
        run = load(built, GZIP, connections)
        first = predict(page, setting, lengths, [connections]).visits[0]
        again = predict(page, replace(setting, request=REQUEST_LEN - ETAG_LINE), lengths, [connections]).visits[0]
        assert first.first_s == pytest.approx(run.first_s, rel=WITHIN)
        assert again.again_s == pytest.approx(run.again_s, rel=WITHIN)
        quick = predict(page, without, lengths, [1]).visits[0]
        assert quick.first_s < 0.97 * run.first_s
