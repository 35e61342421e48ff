# SPDX-License-Identifier: MIT
"""The prediction equals the time that a browser takes with the engine itself, in virtual time."""

import contextlib
import io
import json
import statistics
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from whit.cli import app
from whit.errors import WhitError
from whit.image.build import BuildResult, build
from whit.model.policy import AckPolicy, Options
from whit.model.prediction import show
from whit.model.prediction.found import (
    BROWSER,
    BROWSER_FIGURE,
    EXPERIMENT,
    FIGURES,
    PUBLISHED,
    RESULTS,
    Found,
    Processor,
    found,
)
from whit.model.prediction.lengths import file_length, generated_lengths, kept_len
from whit.model.prediction.page import Load, pages
from whit.model.prediction.predict import Setting, predict
from whit.model.words import read_link
from whit.paths import ROOT
from whit.wire.http import Response
from whit_lab import cli as lab_cli
from whit_lab import publish, registry
from whit_lab.experiments.contacts.runs import GZIP
from whit_lab.instruments.instructions import request
from whit_testbed.browser import Browser, Item
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment
from whit_testbed.net import Net

pytestmark = pytest.mark.xdist_group("lab")  # its builds once

APP = ROOT / "apps" / "contacts"
WITHIN = 0.05
LOSS_WITHIN = 0.15


@pytest.fixture(scope="module")
def built() -> BuildResult:
    return build(APP, target="inprocess", link="slip")


def ask(target: str, known: Response | None) -> bytes:
    etag = known.field("etag") if known else None
    told = f"If-None-Match: {etag}\r\n" if etag else ""
    return request(target, GZIP + told, 400 + len(told))


@pytest.mark.parametrize("link_text", ["10kB/s,50ms,slip", "10kB/s,5ms,half,slip", "100kB/s,50ms,slip"])
@pytest.mark.parametrize("connections", [1, 2, 6])
def test_a_browser_takes_as_long(built: BuildResult, link_text: str, connections: int) -> None:
    link = read_link(link_text)
    page = pages(built.application)[0]
    listed = next(one for one in built.application.resources if one.path == "cb_extract")
    page = replace(page, loads=(*page.loads, Load("/cb_extract", listed, "asked", page.ready)))
    lengths = generated_lengths(built.application, ["/cb_extract"])
    said = predict(page, Setting(link, built.application.limits), lengths, [connections])
    assert link.rate is not None
    with Engine(built.image, link="slip") as engine:
        net = Net(
            engine, up=Impairment(rate=int(link.rate), delay_us=int(link.rtt_s * 5e5)), half_duplex=link.half_duplex
        )
        items = [Item(load.target, load.after) for load in page.loads]
        options = Options(ack=AckPolicy.DELAYED)
        browser = Browser(net.host(), net.loop, items, ask, options=options, connection_max=connections)
        first_s = browser.load()
        octets = sum(len(response.raw) for response in browser.responses.values())
        net.idle(2)
        again_s = browser.load()
        assert {response.status for response in browser.responses.values()} == {200, 304}
        again_octets = sum(len(response.raw) for response in browser.responses.values())
    assert (said.octets, said.again_octets) == (octets, again_octets)
    assert said.visits[0].first_s == pytest.approx(first_s, rel=WITHIN)
    assert said.visits[0].again_s == pytest.approx(again_s, rel=WITHIN)


def test_a_response_by_ethernet_tells_how_long_it_is_kept() -> None:
    """49 octets of each, which a slow serial line does without."""
    ethernet, serial = (build(APP, target="inprocess", link=link).application for link in ("ethernet", "slip"))
    assert (kept_len(ethernet), kept_len(serial)) == (len("Connection: keep-alive\r\nKeep-Alive: timeout=120\r\n"), 0)
    with Engine(build(APP, target="inprocess").image) as engine:
        net = Net(engine)
        for resource in (one for one in ethernet.resources if not one.made_later):
            response = net.get(net.host().client(), resource.urls[0])
            identity = replace(resource, representations=resource.representations[:1])
            length = file_length(identity, kept_len(ethernet))
            assert length.head + length.content == len(response.raw), resource.path


def test_with_loss_a_mean_is_foreseen(built: BuildResult) -> None:
    link = read_link("10kB/s,50ms,slip,2%")
    page = pages(built.application)[0]
    said = predict(page, Setting(link, built.application.limits), {}, [1]).visits[0]
    free = predict(page, Setting(replace(link, loss=0.0), built.application.limits), {}, [1]).visits[0]
    options = Options(ack=AckPolicy.DELAYED)
    first, again = [], []
    for seed in range(60):
        with Engine(built.image, link="slip", seed=seed) as engine:
            net = Net(engine, up=Impairment(rate=10_000, delay_us=25_000, loss=link.loss), seed=seed)
            items = [Item(load.target, load.after) for load in page.loads]
            browser = Browser(net.host(), net.loop, items, ask, options=options, connection_max=1)
            first.append(browser.load())
            net.idle(2)
            again.append(browser.load())
    assert said.first_s == pytest.approx(statistics.mean(first), rel=LOSS_WITHIN)
    assert said.again_s == pytest.approx(statistics.mean(again), rel=LOSS_WITHIN)
    assert said.first_s > 1.05 * free.first_s


def test_without_entity_tags_everything_comes_again() -> None:
    tagged = build(APP, target="inprocess").application.resources
    plain = build(APP, target="inprocess", overrides={"entity_tags": 0}).application.resources
    for one, other in zip(tagged, plain, strict=True):
        if not one.made_later:
            assert file_length(one, 0).again[1] == 0
            assert file_length(other, 0).again == (file_length(other, 0).head, file_length(other, 0).content)


RESULT = {
    "settings": {
        "processor_octet_us": 130,
        "processor_request_ms": {"index": 4.0, "png": 5.0, "cb_get": 7.0, "cb_add": 70.0},
        "processor_gap_ms": {"index": 0.0, "png": 5.0, "cb_extract": 18.0},
    },
    "figures": [{"name": "model_error_percent_max", "value": 4.5}],
    "beside": [{"name": "model_error_index", "value": 1.0}, {"name": "other", "value": 2.0}],
}


def test_the_laboratory_writes_where_the_error_is_read() -> None:
    assert PUBLISHED == publish.PUBLISHED / publish.RESULTS
    assert RESULTS == lab_cli.RESULTS
    assert {EXPERIMENT, BROWSER} <= set(registry.NAMES)
    assert BROWSER_FIGURE in (ROOT / "tools" / "whit_lab" / "experiments" / "kernel" / "__init__.py").read_text()


def test_the_error_is_read_from_a_result(tmp_path: Path) -> None:
    published, results = tmp_path / "results.json", tmp_path / "results"
    assert found(published, results) is None
    for name, fields in ((EXPERIMENT, RESULT), (BROWSER, {"figures": [{"name": BROWSER_FIGURE, "value": 20}]})):
        (results / name).mkdir(parents=True)
        (results / name / FIGURES).write_text(json.dumps(fields))
    read = found(published, results)
    assert read == Found(4.5, 1, "as run here", Processor(130e-6, 4.5e-3, 7e-3, 5e-3), 20)
    assert read is not None and read.processor is not None
    assert read.processor.at(16e6).octet_s == pytest.approx(65e-6)
    published.write_text(json.dumps({"experiments": {"contacts": {"full": {"figures": RESULT["figures"]}}}}))
    assert found(published, results) == Found(4.5, 0, "as published")
    published.write_text("{")
    assert found(published, results) == read


def printed(built: BuildResult, known: Found | None, monkeypatch: pytest.MonkeyPatch, *then: str) -> str:
    monkeypatch.setattr(show, "found", lambda: known)
    told = io.StringIO()
    console = Console(file=told, width=160, highlight=False)
    for line in show.prediction(built, "10kB/s,5ms", then, {}):
        console.print(line)
    return told.getvalue()


def test_what_is_printed(built: BuildResult, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = printed(built, None, monkeypatch)
    assert "±" not in plain and show.NEVER in plain
    assert "its scripts name /cb_add, /cb_extract, /cb_get;" in plain
    more = printed(built, Found(10.0, 9, "as published"), monkeypatch, "/cb_extract,1915")
    row = next(line for line in more.splitlines() if line.startswith("/ ")).split()
    first_s, around_s = float(row[3]), float(row[5])
    assert row[:3] == ["/", "5", "1"] and around_s == pytest.approx(first_s / 10, abs=0.006)
    assert "off by 10 % at most in the laboratory: experiment contacts, 9 contents and pages" in more
    assert "/cb_add, /cb_get;" in more


def test_an_avr_takes_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The prediction is for a device of 8 MHz, with the laboratory's figures of the application."""
    application = build(APP, target="inprocess", link="slip").application
    page = pages(application)[0]
    setting = Setting(read_link("10kB/s,5ms,slip"), application.limits)
    slow = replace(setting, processor=Processor(130e-6, 4.4e-3, 7e-3, 4.3e-3))
    quick, late = predict(page, setting, {}).visits[0], predict(page, slow, {}).visits[0]
    assert late.first_s > quick.first_s + len(page.loads) * (400 * 30e-6 + 4.4e-3)
    assert late.again_s > quick.again_s


@pytest.mark.parametrize(
    ("then", "expected"),
    [
        ("", "--then : expected a target"),
        ("http://x/cb_extract", "--then http://x/cb_extract: expected a target"),
        ("/cb_extract,", "expected a target, and perhaps the bytes"),
        ("/none", "--then /none: the application has no such target; expected one of /cb_add"),
        ("/cb_get", "--then /cb_get: the application does not answer it by 200"),
        ("/cb_extract,x", "--then /cb_extract, x: expected bytes"),
        ("/logo.png,5", "--then /logo.png,5: a file has the length that it has"),
    ],
)
def test_what_cannot_be_asked_for(
    built: BuildResult, then: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(WhitError, match=expected):
        printed(built, None, monkeypatch, then)


def test_a_target_needs_no_slash(built: BuildResult, monkeypatch: pytest.MonkeyPatch) -> None:
    assert printed(built, None, monkeypatch, "cb_extract") == printed(built, None, monkeypatch, "/cb_extract")


def test_the_command() -> None:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        words = ["report", str(APP), "--target", "inprocess", "--link", "64kbit/s,0.6s,5%"]
        app(words, prog_name="whit", standalone_mode=False)
    lines = out.getvalue().splitlines()
    assert any(line.startswith("URL ") for line in lines)
    assert any(line.startswith("/      4 ") for line in lines)
    assert any(line.startswith("8 kB/s, round trip 600 ms, full duplex, 5 % loss each way; ") for line in lines)


def test_an_unknown_target_is_told_before_any_table() -> None:
    out = io.StringIO()
    words = ["report", str(APP), "--target", "inprocess", "--link", "10kB/s,5ms", "--then", "/none"]
    with contextlib.redirect_stdout(out), pytest.raises(WhitError, match="--then /none: the application has no such"):
        app(words, prog_name="whit", standalone_mode=False)
    assert out.getvalue() == ""


def test_what_is_no_link_is_told_before_a_build() -> None:
    for words, expected in ((["--link", "fast"], "fast: fast is neither"), (["--then", "/x"], "expected --link")):
        with pytest.raises(WhitError, match=expected):
            app(["report", str(APP), *words], prog_name="whit", standalone_mode=False)
