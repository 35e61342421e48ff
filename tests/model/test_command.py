# SPDX-License-Identifier: MIT
"""`whit model` prints the models' results; impossible settings give one line."""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from whit.cli import app
from whit.errors import WhitError
from whit.model import Client, Item, Link, Server, read_link, response
from whit.model.policy import AckPolicy
from whit.model.words import RATES, read_size, say_link
from whit.paths import ROOT
from whit_lab.model import PRESETS, Question, charge, compare
from whit_lab.model.cli import Options, read_question
from whit_lab.model.comparison import ONE, refined
from whit_lab.model.sweep import sweeps
from whit_lab.papers import UIP_TABLE2_MODEL_S


def call(*words: str) -> str:
    """Returns the output of `whit model`."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        app(["model", *words], prog_name="whit", standalone_mode=False)
    return out.getvalue()


def told(*words: str) -> Any:
    return json.loads(call(*words, "--json", "-"))


def test_figure_1_without_a_word() -> None:
    """001 section 4.3: 11.2, 4.1, 300."""
    answers = {one["strategy"]: one for one in told()["strategies"]}
    assert list(answers) == ["one", "S0", "S1", "S2", "S3", "S4"]
    setting = PRESETS["figure1"].link
    for name, one in answers.items():
        assert one["paper"]["st_s"] == pytest.approx(charge.strategy_s(setting, name, 8000), abs=1e-6)
        assert one["paper"]["charge_bs"] == pytest.approx(charge.strategy_charge(setting, name, 8000), abs=1e-6)
    own = response(Link(100_000, 0.05, half_duplex=True), Client(), Server(buffer=1460), Item("", 400, 100, 8000))
    assert answers["S0"]["refined"]["whole_s"] == pytest.approx(own.whole_s, abs=1e-6)
    assert answers["S0"]["refined"]["segments"] == 6
    ratios = told()["ratios"]
    assert (round(ratios["s0"], 1), round(ratios["s3"], 1), ratios["equal_buffer"]) == (11.3, 4.0, 299)


def test_the_page_shows_what_is_printed() -> None:
    shown = (ROOT / "docs" / "model.md").read_text().split("```\n")[1]
    assert [line.rstrip() for line in call().splitlines()] == shown.splitlines()


def test_a_preset_tells_its_reading() -> None:
    printed = call("--preset", "uip", "--size", "5805")
    assert f"{UIP_TABLE2_MODEL_S['png']:.2f} s as a file" in printed


def test_a_terminal_sees_both_models() -> None:
    lines = call("--link", "10kB/s,50ms,half,1%", "--strategy", "s0", "--strategy", "s3").splitlines()
    assert lines[0].startswith("10 kB/s, round trip 50 ms, half duplex, 1 % loss each way; MSS 1460")
    assert [line.split()[0] for line in lines if re.match(r"S\d ", line)] == ["S0", "S3"]


def test_the_plot_is_the_same_each_time(tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.svg" for name in "ab"]
    for file in files:
        call("--plot", str(file), "--size", "4000", "--strategy", "s1")
    assert files[0].read_bytes() == files[1].read_bytes()


def test_the_plot_has_both_models() -> None:
    charts = sweeps(read_question(Options(size="4000"), PRESETS["figure1"]), [ONE, "S0", "S3"])
    assert [chart.title.split()[0] for chart in charts] == ["Sending", "Memory", "Sending"]
    for chart in charts:
        assert {line.whose for line in chart.lines} == {"ours", "paper"}
        assert all(len(line.points) > 4 for line in chart.lines)
    refined, papers = charts[2].lines
    assert papers.points[2][1] > papers.points[1][1]  # 001 Figure 1: three in flight are very bad
    assert refined.points[2][1] <= refined.points[1][1]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--link", "10"), "--link 10: 10 is neither a rate nor an option of a link; expected such as 10kB/s,50ms"),
        (("--link", "1kB/s,2kB/s"), "2kB/s is a second rate"),
        (("--link", "10Mb/s"), "10Mb/s may be bytes, 10MB/s, or bits, 10Mbit/s"),
        (("--link", ""), "an empty word"),
        (("--link", "50%"), "50% is not a loss of 0 to 40 %"),
        (("--link", "half"), "neither a rate nor a round trip"),
        (("--link", "1B/s"), "not a rate of 10 B/s to 1000 MB/s"),
        (("--size", "-3"), "--size -3: expected bytes, 1 to 16777216"),
        (("--mss", "20"), "--mss 20: expected 88 to 1460"),
        (("--window", "10"), "--window 10: expected bytes, 1460 to 65535"),
        (("--in-flight", "0"), "--in-flight 0: expected 1 to 64 segments"),
        (("--strategy", "s9"), "--strategy s9: expected one, S0"),
        (("--ack", "never"), "--ack never: expected every, delayed, late, xp, linux"),
        (("--preset", "none"), "--preset none: expected figure1"),
        (("--plot", "x.pdf"), "--plot x.pdf: expected a name that ends in .svg or .png"),
        (("--json", "/nowhere/x"), "--json /nowhere/x: expected a file in a directory that exists"),
    ],
)
def test_what_cannot_be_is_told_in_a_line(words: tuple[str, ...], expected: str) -> None:
    with pytest.raises(WhitError) as told:
        call(*words)
    assert expected in str(told.value) and "\n" not in str(told.value) and told.value.code == 2


LINKS = some.builds(
    Link,
    rate=some.sampled_from([1000.0, 14_400.0, 1e6]),
    rtt_s=some.sampled_from([0.0, 0.005, 1.0]),
    half_duplex=some.booleans(),
    loss=some.sampled_from([0.0, 0.01]),
)


@given(LINKS)
def test_a_link_is_read_as_it_is_written(link: Link) -> None:
    words = [f"{link.rate:.0f}B/s", f"{1000 * link.rtt_s:g}ms", "half" if link.half_duplex else "full"]
    assert read_link(",".join([*words, f"{100 * link.loss:g}%"])) == link
    assert say_link(link).count("loss") == (link.loss > 0)


def test_units() -> None:
    rates = [read_link(text).rate for text in ("115200baud", "1Mbit/s", "8kbit/s", "1.5 MB/s")]
    assert rates == [11_520, 125_000, 1000, 1_500_000]
    assert {unit.lower() for unit in RATES} == set(RATES)
    assert [read_size("--size", text) for text in ("8kB", "5805", "1.5 kb")] == [8000, 5805, 1500]
    with pytest.raises(WhitError, match="--size 1GB: expected bytes"):
        read_size("--size", "1GB")


@pytest.mark.parametrize("policy", [AckPolicy.EVERY, AckPolicy.DELAYED])
@pytest.mark.parametrize("content", [600, 1460, 8000])
def test_one_in_flight_is_the_papers(policy: AckPolicy, content: int) -> None:
    """The papers' model and the refined one agree where both apply."""
    question = Question(Link(100_000, 0.05), Client(ack=policy), Server(), content, 400, 0)
    own = refined(question, ONE)
    assert own is not None
    papers = compare(question, (ONE,)).answers[0]
    # the papers omit only the acknowledgment's own time, on a full duplex line
    acks_s = own.segments * 40 / 100_000
    assert own.st_s == pytest.approx(papers.paper_s + acks_s, abs=1e-6)
    assert own.charge_bs == pytest.approx(papers.paper_charge_bs, rel=0.02)


def test_more_segments_in_flight_than_two_are_no_slower() -> None:
    times = []
    for count in (1, 2, 4, 8):
        question = Question(Link(100_000, 0.05), Client(), Server(), 20_000, 400, 100, in_flight=count)
        own = refined(question, "S0")
        assert own is not None
        times.append(own.st_s)
    assert times == sorted(times, reverse=True)


def test_s1_needs_room() -> None:
    question = Question(Link(100_000, 0.05), Client(), Server(buffer=1460), 8000, 400, 100)
    assert refined(question, "S1") is None
    assert refined(question, "S3") is not None


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    full = tmp_path / "full"
    full.symlink_to("/dev/full")
    for option in ("--json", "--plot"):
        shown = full if option == "--json" else full.rename(tmp_path / "full.svg")
        with pytest.raises(WhitError, match=r"No space left on device; expected a file that can be written"):
            call(option, str(shown))


def test_a_terminal_may_lack_letters_and_an_output_may_be_full() -> None:
    command = [sys.executable, "-P", "-m", "whit", "model", "--strategy", "s0"]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "tools"), "PYTHONIOENCODING": "latin-1"}
    few = subprocess.run(command, env=environment, capture_output=True)
    assert (few.returncode, few.stderr) == (0, b"") and b"S0" in few.stdout
    with open("/dev/full", "w") as full:
        none = subprocess.run(command, env=environment, stdout=full, stderr=subprocess.PIPE, text=True)
    assert (none.returncode, none.stderr) == (1, "whit: the output: No space left on device\n")
