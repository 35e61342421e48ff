# SPDX-License-Identifier: MIT
"""The AVR's own: its EEPROM when power fails, its secret, its serial line, all in the emulated machine's time."""

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.targets.machines import WHY_NOT
from whit.errors import WhitError
from whit.image.build import BuildResult, build
from whit.image.symbols import symbols
from whit.machines.emulator import build_machine
from whit.model.policy import Options
from whit.paths import ROOT
from whit.wire.http import Response
from whit_lab.experiments.contacts import empty
from whit_lab.experiments.contacts.runs import CLOCK_HZ, avr
from whit_testbed.engine import counter_names
from whit_testbed.machine import Line, Machine, MachineFailed

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(WHY_NOT["avr"]()), reason=WHY_NOT["avr"]() or "-")]

BOOT_S = 0.8
ADA = {"name": "Ada", "phone": "1815", "mail": "ada@example.org"}
GRACE = {"name": "Grace", "phone": "1906", "mail": "grace@example.org"}
WRITES_MAX = 400  # of the EEPROM, for one contact


@pytest.fixture(scope="module")
def built() -> BuildResult:
    return avr()


@pytest.fixture(scope="module")
def library() -> Path:
    return build_machine("avr").with_name("libwhit_avr.so")


Power = Callable[[Path | None], Machine]


@pytest.fixture
def power(built: BuildResult, library: Path) -> Power:
    return lambda eeprom: Machine(library, built.image, hz=CLOCK_HZ, persistent=eeprom, seed=1)


def line_of(machine: Machine, built: BuildResult) -> Line:
    """The machine has just got power; it listens now."""
    line = Line(machine, bytes(built.application.board.address))
    line.idle(BOOT_S)
    return line


def get(line: Line, target: str, port: int | None = None) -> Response:
    client = line.host().client(replace(Options(), rto_min=10_000_000), **({} if port is None else {"port": port}))
    client.ask(target)
    line.run(client)
    client.connection.close()
    return client.responses[0]


def query(contact: dict[str, str]) -> str:
    return "/cb_add?" + "&".join(f"{key}={value.replace('@', '%40')}" for key, value in contact.items())


def contacts(line: Line) -> list[dict[str, str]]:
    """Returns all entries of the book, field by field."""
    entries = json.loads(get(line, "/cb_extract").body)
    return [json.loads(get(line, f"/cb_get?id={entry['id']}").body) for entry in entries]


def test_power_fails_at_every_write(built: BuildResult, power: Power, tmp_path: Path) -> None:
    """A contact is complete or absent; earlier contacts stay; answered changes are kept. Every seventh time, power
    fails again at a write of the next start."""
    before = tmp_path / "before.bin"
    with power(before) as machine:
        line = line_of(machine, built)
        assert json.loads(get(line, query(ADA)).body) == {"id": 0}
        line.idle(1)
    seen = set()
    for write in range(1, WRITES_MAX):
        eeprom = tmp_path / "eeprom.bin"
        shutil.copy(before, eeprom)
        with power(eeprom) as machine:
            line = line_of(machine, built)
            machine.cut(write)
            answered = False
            try:
                answered = json.loads(get(line, query(GRACE)).body) == {"id": 1}
                line.idle(1)
            except MachineFailed:
                pass
            was_cut = machine.is_cut
            machine.reset()
            if write % 7 == 0:
                machine.cut(2 + write // 7)
                with pytest.raises(MachineFailed):
                    line_of(machine, built).idle(1)
                machine.reset()
            held = contacts(line_of(machine, built))
        assert held in ([ADA], [ADA, GRACE]), f"power failed at write {write}"
        assert len(held) == 2 or not answered, f"power failed at write {write}, behind the answer"
        seen.add((len(held), answered, was_cut))
        if not was_cut:
            break
    else:
        pytest.fail(f"a contact takes more than {WRITES_MAX} writes")
    assert {(1, False, True), (2, False, True), (2, True, True), (2, True, False)} <= seen


def test_wears_evenly(built: BuildResult, power: Power, tmp_path: Path) -> None:
    """A value that is already stored is not written: another start writes only the seed's octets."""
    eeprom = tmp_path / "eeprom.bin"
    with power(eeprom) as machine:
        line_of(machine, built)
        first = eeprom.read_bytes()
        machine.reset()
        line_of(machine, built)
        second = eeprom.read_bytes()
    changed = [at for at in range(4096) if first[at] != second[at]]
    assert 0 < len(changed) <= 8 and min(changed) >= 4096 - 8


def secret(line: Line) -> int:
    """Returns a number that depends only on the engine's secret: the sequence number of its SYN-ACK to a fixed peer."""
    connection = line.host().connect(port=50000, iss=1)
    line.idle(0.2)
    assert connection.opened_us is not None
    return connection.irs


def test_a_secret_of_each_start(built: BuildResult, power: Power, tmp_path: Path) -> None:
    """The secret depends on RAM at power-up and on the EEPROM: another start with the same RAM has another secret."""
    eeprom = tmp_path / "eeprom.bin"
    with power(None) as machine:
        again = [secret(line_of(machine, built))]
        machine.reset()
        again.append(secret(line_of(machine, built)))
    with power(None) as machine:
        assert secret(line_of(machine, built)) == again[0]  # nothing else goes into it
    kept = []
    for _ in range(2):
        with power(eeprom) as machine:
            kept.append(secret(line_of(machine, built)))
    assert kept[0] == again[0]
    assert len({*again, kept[1]}) == 3


def test_page(built: BuildResult) -> None:
    """The figure of `./whit lab contacts`, with two connections."""
    loaded = empty.load(built, "", 2)
    assert loaded.first_s <= 1.8
    assert loaded.again_s <= 0.4


def test_new_contact_is_answered_in_time(built: BuildResult) -> None:
    assert empty.add(built).awake <= 60_000


def test_rts_holds_the_line(built: BuildResult, power: Power) -> None:
    """Requests that come while a segment goes out find a receiver of 32 octets, and yet no checksum fails."""
    with power(None) as machine:
        line = line_of(machine, built)
        clients = [line.host().client() for _ in range(4)]
        for client in clients:
            for _ in range(3):
                client.ask("/logo.png")
        line.run(*clients, for_s=60)
        assert all(len(client.responses) == 3 for client in clients)
        counters = symbols(built, "whit_counters")["whit_counters"]
        names = counter_names()
        counted = dict(zip(names, machine.peek(counters, len(names)), strict=True))
        drops = ("drop_frame_short", "drop_frame_line", "drop_ip_header", "drop_ip_checksum", "drop_tcp_checksum")
        assert {name: counted[name] for name in drops} == dict.fromkeys(drops, 0)
        assert counted["count_requests"] == 12


def test_an_overrun_is_dropped_and_comes_again(built: BuildResult, power: Power) -> None:
    """A peer ignores RTS: part of its octets is lost, retransmitted, and answered."""
    with power(None) as machine:
        line = line_of(machine, built)
        assert get(line, "/style.css").status == 200
        line.send(b"\xc0" * 3 + b"\x45" + b"\x00" * 700)  # no datagram
        assert get(line, "/style.css").status == 200


def test_resets_what_it_does_not_know(built: BuildResult, power: Power) -> None:
    with power(None) as machine:
        line = line_of(machine, built)
        connection = line.host().connect(remote_port=81)
        line.idle(0.5)
        assert connection.refused


@pytest.mark.parametrize("setting", ["link.baud", "avr.clock_hz"])
def test_a_rate_that_the_clock_cannot_make(setting: str) -> None:
    """The build reports it in one line."""
    value = {"link.baud": 3_999_999, "avr.clock_hz": 1_234_567}[setting]
    with pytest.raises(WhitError, match=re.escape(setting)):
        build(ROOT / "apps" / "contacts", target="avr", overrides={setting: value})
