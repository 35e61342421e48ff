# SPDX-License-Identifier: MIT
"""The console: its cartridge, its save memory, its link port, its keys."""

import contextlib
import subprocess
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.served import READY_TIMEOUT_S
from tests.targets.machines import WHY_NOT
from whit.image.build import BuildResult, build
from whit.image.symbols import STACK, symbols
from whit.machines.emulator import build_machine
from whit.machines.free_port import free_port
from whit.machines.keypad import names_of
from whit.paths import ROOT
from whit_testbed.machine import Line, Machine, MachineFailed

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(WHY_NOT["gba"]()), reason=WHY_NOT["gba"]())]

RECORD_LEN = 32  # octets that tests/apps/record writes at once
SAVE_LEN, SEED_LEN = 0x8000, 16
BOOT_S = 0.1
COMMIT_WRITES_MAX = 200  # of save memory, for one record


@pytest.fixture(scope="module")
def library() -> Path:
    return build_machine("gba").with_name("libwhit_gba.so")


@pytest.fixture(scope="module")
def record() -> BuildResult:
    return build(ROOT / "tests" / "apps" / "record", target="gba")


def rom(built: BuildResult) -> Path:
    assert built.flashable is not None
    return built.flashable


def blank(path: Path) -> Path:
    path.write_bytes(b"\xff" * (SAVE_LEN - SEED_LEN) + bytes(range(SEED_LEN)))
    return path


def line_of(machine: Machine, built: BuildResult) -> Line:
    line = Line(machine, bytes(built.application.board.address))
    line.idle(BOOT_S)
    return line


def ask(line: Line, target: str) -> bytes:
    client = line.host().client()
    client.ask(target)
    line.run(client)
    assert [response.status for response in client.responses] == [200]
    return client.responses[0].body


def test_header(record: BuildResult) -> None:
    """Loaders find a branch, the fixed octet and the sum over both; the vendor's picture is absent."""
    octets = rom(record).read_bytes()
    assert octets[3] == 0xEA
    assert octets[4:0xA0] == bytes(156)
    assert octets[0xB2] == 0x96
    assert (sum(octets[0xA0:0xBE]) + 0x19) % 256 == 0
    assert octets.index(b"SRAM_V") % 4 == 0


def test_boot_stack_and_sleep(library: Path, record: BuildResult, tmp_path: Path) -> None:
    stack = symbols(record, *STACK)
    with Machine(library, rom(record), persistent=blank(tmp_path / "save")) as machine:
        line = line_of(machine, record)
        assert ask(line, "/read") == bytes(RECORD_LEN), "what was never written is zero"
        used = machine.stack_used(stack[STACK[0]], stack[STACK[1]])
        assert 50 < used < 2000
        slept, cycle = machine.slept, machine.cycle
        line.idle(1)
        assert machine.slept - slept > 0.9 * (machine.cycle - cycle), "with nothing to do the processor halts"


def test_each_start_has_numbers_of_its_own(library: Path, record: BuildResult, tmp_path: Path) -> None:
    """The same cartridge, switched on again and again by the same hand at the same moment."""
    save = blank(tmp_path / "save")
    cookies = set()
    for _ in range(8):
        with Machine(library, rom(record), persistent=save, seed=1) as machine:
            line = line_of(machine, record)
            connection = line.host().connect(iss=1000, port=4000)
            line.loop.run(lambda opened=connection: bool(opened.irs))  # type: ignore[misc]
            cookies.add(connection.irs)
    assert len(cookies) == 8


def test_power_fails_at_each_write_of_the_first_start(library: Path, record: BuildResult, tmp_path: Path) -> None:
    for writes in range(1, COMMIT_WRITES_MAX):
        with Machine(library, rom(record), persistent=blank(tmp_path / "save")) as machine:
            machine.cut(writes)
            machine.run(machine.cycle + int(BOOT_S * machine.hz))
            failed = machine.is_cut
            machine.reset()
            line = line_of(machine, record)
            assert ask(line, "/read") == bytes(RECORD_LEN), writes
            ask(line, "/write?octet=7")
            assert ask(line, "/read") == b"\7" * RECORD_LEN, writes
        if not failed:
            break
    assert RECORD_LEN < writes < COMMIT_WRITES_MAX - 1


def test_power_fails_at_each_write_of_a_record(library: Path, record: BuildResult, tmp_path: Path) -> None:
    """A record is complete or absent, and a restored one is not lost again."""
    save = blank(tmp_path / "save")
    seen = []
    for writes in range(1, COMMIT_WRITES_MAX):
        with Machine(library, rom(record), persistent=save) as machine:
            line = line_of(machine, record)
            ask(line, "/write?octet=1")
            machine.cut(writes)
            with contextlib.suppress(MachineFailed):
                ask(line, "/write?octet=254")
            failed = machine.is_cut
            machine.reset()
            found = ask(line_of(machine, record), "/read")
            assert found in (b"\1" * RECORD_LEN, b"\xfe" * RECORD_LEN), (writes, found)
            machine.reset()
            assert ask(line_of(machine, record), "/read") == found
            seen.append(found[0])
        if not failed:
            break
    assert seen == sorted(seen), "from some write on it is there"
    assert seen[0] == 1 and seen[-1] == 254
    assert len(seen) > 2 * RECORD_LEN, "the journal, then the record"


def test_what_was_written_outlives_the_emulator(library: Path, record: BuildResult, tmp_path: Path) -> None:
    save = tmp_path / "save"
    with Machine(library, rom(record), persistent=save) as machine:
        ask(line_of(machine, record), "/write?octet=200")
    assert save.stat().st_size == SAVE_LEN
    with Machine(library, rom(record), persistent=save) as machine:
        assert ask(line_of(machine, record), "/read") == b"\xc8" * RECORD_LEN


def test_typed_keys() -> None:
    assert names_of(b"x\x1b[Az?\x1bOD \n") == ["A", "Up", "B", "Left", "Select", "Start"]
    assert names_of(b"XS") == ["A", "R"]


@pytest.mark.browser
@pytest.mark.xdist_group("browser")
def test_keys_show_in_the_browser(page: Page, tmp_path: Path) -> None:
    port = free_port()
    command = [ROOT / "whit", "run", ROOT / "apps" / "buttons", "--target", "gba", "--port", str(port)]
    with (
        (tmp_path / "log").open("wb") as log,
        subprocess.Popen([*command, "--data", tmp_path], stdin=subprocess.PIPE, stdout=log, stderr=log) as run,
    ):
        try:
            assert run.stdin is not None
            wait_for(tmp_path / "log", f"http://127.0.0.1:{port}/")
            page.goto(f"http://127.0.0.1:{port}/")
            said = page.locator("#said")
            expect(said).to_have_text("press a key")
            for lines, shown, lit in (
                (b"press A\npress Left\n", "A + Left", ["A", "Left"]),
                (b"release A\npress r\npress Start\n", "Start + Left + R", ["R", "Start", "Left"]),
                (b"release Left\nrelease R\nrelease Start\n", "press a key", []),
            ):
                run.stdin.write(lines)
                run.stdin.flush()
                expect(said).to_have_text(shown)
                held = page.locator(".held")
                expect(held).to_have_count(len(lit))
                assert sorted(held.evaluate_all("keys => keys.map(key => key.id)")) == sorted(lit)
            page.goto("about:blank")
        finally:
            run.terminate()
    assert run.returncode == 0


def wait_for(log: Path, text: str) -> None:
    deadline = time.monotonic() + READY_TIMEOUT_S
    while text not in log.read_text(errors="replace"):
        assert time.monotonic() < deadline, log.read_text(errors="replace")
        time.sleep(0.1)
