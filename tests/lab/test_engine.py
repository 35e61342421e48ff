# SPDX-License-Identifier: MIT
"""Each figure of the engine is measured, and each measurement can detect a change."""

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.lab.reduced import measured, reduced
from whit.errors import WhitError
from whit.image.build import build
from whit.image.sizes import ENGINE
from whit.model.policy import AckPolicy
from whit.paths import ROOT
from whit_lab import cli
from whit_lab.experiment import Figure, Result
from whit_lab.instruments import instructions
from whit_lab.instruments.checksums import static_checksum_octets
from whit_lab.instruments.files_entered import Read, Reader
from whit_lab.instruments.followed import FOLLOWED
from whit_lab.instruments.image import look
from whit_lab.instruments.instructions import REQUEST_LEN, read_costs, request
from whit_lab.instruments.questions import ENTRY_CALLS, EXCEPTIONS, QUESTIONS, repeated
from whit_lab.instruments.served import BIG, SEVERAL, files_application
from whit_lab.instruments.transfer import RTT_US, first_response, tail_loss
from whit_lab.kept import kept, same
from whit_lab.plot import draw
from whit_lab.registry import find
from whit_lab.show import MISSED, print_result

HOST = 4 + 2 + 2 + 6  # of its place: address, round-trip time and its variation, MAC address
CONTACTS = str(ROOT / "apps" / "contacts")
# The least and the most plausible value of each figure, and whether its limit holds.
SANE = {
    "slot_bytes": (24, 64),
    "idle_bytes": (4, 16),
    "engine_globals_bytes": (60, 1000),
    "engine_flash_bytes": (4000, 60_000),
    "engine_lines": (3000, 20_000),
    "static_checksum_ops": (0, 1_000_000),
    "get_instructions": (1500, 8000),
    "segment_instructions": (100, 600),  # one that is not made from the last one takes 1 100
    "get_file_changes": (40, 2000),
    "get_files": (10, 100),
    "get_asked_again": (0, 100),
    "thread_file_changes": (100, 10_000),
    "thread_files": (10, 100),
    "thread_asked_again": (0, 100),
    "post_file_changes": (100, 2000),
    "post_files": (10, 100),
    "post_asked_again": (0, 100),
    "post_instructions_fast": (2000, 30_000),
    "post_instructions_small": (4000, 40_000),
    "file_57k_rtts": (3, 50),  # 10 segments, then 20: no sender that keeps to RFC 6928 takes fewer
    "file_57k_rtts_local": (1, 50),
    "service_answer_segments": (1, 8),
    "tail_loss_rtts": (1, 60),
}
LIMITS = {
    "slot_bytes": 32,
    "idle_bytes": 8,
    "engine_globals_bytes": 180,
    "engine_flash_bytes": 13_700,
    "engine_lines": 6500,
    "static_checksum_ops": 0,
    "get_instructions": 4700,
    "segment_instructions": 330,
    "get_file_changes": 360,
    "get_files": 24,
    "get_asked_again": 0,
    "thread_file_changes": 1210,
    "thread_files": 27,
    "thread_asked_again": 0,
    "post_file_changes": 610,
    "post_files": 34,
    "post_asked_again": 0,
    "post_instructions_fast": 10_500,
    "post_instructions_small": 17_000,
    "file_57k_rtts": 3,
    "file_57k_rtts_local": 2,
    "service_answer_segments": 1,
    "tail_loss_rtts": 3,
}

needs_tools = pytest.mark.skipif(
    not (shutil.which("valgrind") and shutil.which("arm-none-eabi-gcc")), reason="needs valgrind and arm-none-eabi-gcc"
)
pytestmark = pytest.mark.xdist_group("lab")  # its builds once


@pytest.fixture(scope="module", name="reduced")
def reduced_result() -> Result:
    return reduced("engine")


@needs_tools
def test_every_figure_is_measured(reduced: Result) -> None:
    written = json.loads(json.dumps(kept(reduced)))
    assert {figure["name"]: figure["limit"] for figure in written["figures"]} == LIMITS
    for figure in written["figures"]:
        least, most = SANE[figure["name"]]
        assert least <= figure["value"] <= most, figure


@needs_tools
def test_parts_add_up(reduced: Result) -> None:
    figures = {figure.name: figure.value for figure in [*reduced.figures, *reduced.beside]}
    groups = ("link_ip", "tcp", "connections", "http", "content", "common", "c_library", "elsewhere", "driver")
    for prefix, whole in (("flash", "engine_flash_bytes"), ("get", "get_instructions")):
        assert sum(figures.get(f"{prefix}_{group}", 0) for group in groups) == figures[whole]
    assert "flash_elsewhere" not in figures, "a file of engine/ has no group in tools/whit/image/groups.py"


@needs_tools
def test_same_seed_same_figures(reduced: Result) -> None:
    again = same(measured("engine"))
    assert kept(again) == kept(reduced)


@needs_tools
def test_limits(reduced: Result, capsys: pytest.CaptureFixture[str]) -> None:
    """Limits that hold must keep holding. Missed limits are printed; a figure that holds again leaves this list."""
    missed = {figure.name: figure.value for figure in reduced.figures if not figure.holds}
    with capsys.disabled():
        for name, value in missed.items():
            print(f"\n{MISSED}: {name} {value:g}, at most {LIMITS[name]}", end="")
    known = {
        *("engine_flash_bytes", "engine_globals_bytes", "segment_instructions", "get_instructions"),
        *("engine_lines", "get_file_changes", "thread_file_changes", "get_files", "thread_files", "post_files"),
        *("post_instructions_fast", "post_instructions_small", "post_asked_again"),
    }
    assert set(missed) <= known


@needs_tools
@pytest.mark.slow
def test_a_connection_more_costs_a_slot(tmp_path: Path) -> None:
    """A further connection adds the size of a slot and its host's place to the RAM; an idle one likewise adds
    its size."""
    plain = look(CONTACTS, "cortex-m")
    limits = plain.built.application.limits
    there = tmp_path / "contacts"
    shutil.copytree(CONTACTS, there)
    sized = re.compile(r"^(connections|idle)\b.*\n", re.MULTILINE)
    rest = sized.sub("", (there / "app.toml").read_text())
    for connections, idle, added in ((1, 0, plain.slot + HOST), (0, 1, plain.idle)):
        sizes = limits.connections + connections, limits.idle + idle
        keys = "connections = {}\nidle = {}\n".format(*sizes)
        (there / "app.toml").write_text(keys + rest)
        assert look(there, "cortex-m").sizes.parts[ENGINE].ram - plain.sizes.parts[ENGINE].ram == added


def test_the_meter_counts() -> None:
    """A window below a chunk makes the engine sum static octets: the meter, usually 0, must then read more."""
    built = build(CONTACTS, target="inprocess", meter=True)
    octets, responses = static_checksum_octets(built.image, built.application, mss=1460, window=50)
    assert octets > 0
    assert responses == 3 * sum(len(one.representations) for one in built.application.resources if not one.generator)


@pytest.mark.parametrize("policy", [AckPolicy.EVERY, AckPolicy.DELAYED])
def test_a_transfer_is_whole_and_in_order(policy: AckPolicy) -> None:
    image = build(files_application(), target="inprocess", overrides={"link.local": False}).image
    transfer = first_response(image, BIG, policy, seed=3)
    octets = [count for _, count in transfer.arrivals]
    assert octets == sorted(octets)
    assert octets[-1] > BIG
    assert transfer.whole_us / RTT_US >= 3


def test_a_lost_segment_costs_time() -> None:
    image = build(files_application(), target="inprocess", overrides={"link.local": False}).image
    assert tail_loss(image, SEVERAL[0], AckPolicy.EVERY, seed=3) > 1


def test_requests_have_the_length_that_is_said() -> None:
    assert [len(request("/", coding)) for coding in instructions.CODINGS] == [REQUEST_LEN] * 2


def test_changes_of_file_are_counted() -> None:
    """A change counts from one function to the next in another file, and so does the way back."""
    read = Read(["a.c", "a.c", "b.c", "a.c", "c.c", "c.c"])
    assert (read.changes, read.files) == (3, {"a.c", "b.c", "c.c"})
    assert Read([]).changes == 0


def test_a_request_is_followed_through_the_engine(tmp_path: Path) -> None:
    """The trace covers the frame up to the last acknowledgment; a file takes another path than a thread's output."""
    file, thread = FOLLOWED["get"], FOLLOWED["thread"]
    reader = Reader(file.application(), tmp_path)
    reads = [reader.read(one.request) for one in (file, thread)]
    names = [{Path(one).name for one in read.files} for read in reads]
    both = {"engine.c", "tcp_in.c", "head.c", "response.c", "tcp_out.c", "judge.c", "ip.c"}
    assert all(both <= one for one in names)
    assert [one & {"file.c", "kept.c", "out.c"} for one in names] == [{"file.c"}, {"file.c", "kept.c", "out.c"}]
    assert Path(reads[0].entered[0]).name == "engine.c"
    with pytest.raises(WhitError, match="ended with 2"):
        reader.read(file.request.replace(b"4000", b"x" * 2000))  # more than a segment


def test_a_question_is_counted_when_it_is_asked_again() -> None:
    """A question counts as repeated with equal arguments, in one entry call, without a change of its answer."""
    asked = ("buffer_find", "slot", "1")
    assert repeated([("whit_output", "0", "0"), asked, ("other", "1", "2"), asked]) == {"buffer_find": 1}
    assert not repeated([("whit_output", "0", "0"), asked, ("whit_output", "0", "0"), asked])
    assert not repeated([("whit_output", "0", "0"), asked, ("buffer_make", "slot", "1"), asked])
    assert not repeated([("whit_output", "0", "0"), asked, ("buffer_find", "slot", "2")])


def test_questions_are_functions_of_the_engine() -> None:
    """Each question, and each function that changes its answer, is the name of a function in the engine."""
    text = "".join(path.read_text() for path in sorted((ROOT / "engine").rglob("*.[ch]")))
    names = {*ENTRY_CALLS, *QUESTIONS, *(change for _, changes in QUESTIONS.values() for change in changes)}
    begins = r"^(?:CALLED |__attribute__\(\(\w+\)\) )?[a-z][\w *]*\b"
    assert not [name for name in names if not re.search(rf"{begins}{name}\(", text, re.MULTILINE)]
    assert len(EXCEPTIONS) <= 5 and set(EXCEPTIONS) <= set(QUESTIONS)


def test_callgrind_profiles_are_read(tmp_path: Path) -> None:
    """Names are given once, inlined lines count for the function around them, inclusive lines do not count."""
    engine = ROOT / "engine"
    out = tmp_path / "callgrind.out"
    out.write_text(
        f"version: 1\nevents: Ir\n\nfl=(1) {engine}/tcp/tcp_in.c\nfn=(1) tcp_head\n10 5\n"
        f"fi=(2) {engine}/core/octets.h\n3 2\n"
        f"fe=(1)\n+1 1\ncfi=(3) {engine}/net/ip.c\ncfn=(2) ipv4_head\ncalls=1 20\n12 40\n\n"
        "fl=(3)\nfn=(2)\n20 40\n\ntotals: 48\n"
    )
    cost = read_costs(out)
    assert (cost.total, cost.groups) == (48, {"TCP": 8, "link, IP": 40})


def test_missing_valgrind_is_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(WhitError, match="apt-get install valgrind") as error:
        instructions.Counter(CONTACTS, tmp_path)
    assert "\n" not in str(error.value)


def test_a_missed_limit_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    from rich.console import Console

    figures = [Figure("good", "one that holds", 3, "B", 3), Figure("bad", "one that does not", 3.01, "B", 3)]
    print_result(Console(width=120), find("engine"), Result({}, figures))
    lines = capsys.readouterr().out.splitlines()
    assert [MISSED in line for line in lines if "one that" in line] == [False, True]
    assert f"{MISSED}: bad" in lines[-1]


@needs_tools
@pytest.mark.parametrize(("suffix", "magic"), [("svg", b"<svg"), ("png", b"\x89PNG")])
def test_plot(reduced: Result, tmp_path: Path, suffix: str, magic: bytes) -> None:
    first, again = tmp_path / f"first.{suffix}", tmp_path / f"again.{suffix}"
    draw("engine", reduced.series, first)
    draw("engine", reduced.series, again)
    assert first.read_bytes().startswith(magic)
    assert first.read_bytes() == again.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["nothing"], r"expected .*\bengine\b"),
        (["sending_time"], "is it sending-time"),
        (["--json", "x.json"], "need an experiment"),
        (["--reduced"], "needs an experiment"),
        (["engine", "--plot", "x.gif"], "ends in .svg or .png"),
        (["engine", "--json", "/nowhere/x.json"], "a directory that exists"),
    ],
)
def test_mistakes(arguments: list[str], expected: str) -> None:
    with pytest.raises(WhitError, match=expected):
        cli.main(arguments)


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 0
    assert "engine" in capsys.readouterr().out
