# SPDX-License-Identifier: MIT
"""The bare PC and its comparison: the counter is right, and the reduced form keeps its bounds. The guest serves and is
counted where it has been built."""

import shutil
import struct
import subprocess
import time
from pathlib import Path

import pytest

from tests.lab.reduced import reduced
from tests.targets.machines import skipped_without
from whit.errors import WhitError
from whit.machines import mariadb
from whit_lab import papers
from whit_lab.experiment import Result
from whit_lab.experiments.pc import cost, dynamic, pages, rates
from whit_lab.experiments.pc.phases import phases
from whit_lab.experiments.pc.systems import OURS, THEIRS, dynamic_system, system
from whit_lab.real import counted_pc, debian, namespace
from whit_lab.real.capture import capture
from whit_lab.real.counted_pc import CARDS, DEVICE, QEMU, Counts
from whit_lab.real.load import clients

NO_PC = counted_pc.why_not() or ("" if shutil.which("gcc") else "gcc is not installed")


def no_database() -> str:
    try:
        mariadb.program("mariadbd")
        mariadb.program("mariadb-install-db")
    except WhitError as error:
        return str(error)
    return ""


NO_DATABASE = no_database()
NO_GUEST = NO_PC or namespace.why_not() or debian.why_not()
DONE = b"*"
ROUNDS = 20_000, 2_020_000
LOOP = 5  # instructions of a round
FIRMWARE = 0.01  # of all: what it executes differs a little from start to start

needs_namespace = pytest.mark.skipif(bool(namespace.why_not()), reason=namespace.why_not())
needs_database = pytest.mark.skipif(bool(NO_DATABASE), reason=NO_DATABASE)
pytestmark = [pytest.mark.xdist_group("lab"), pytest.mark.slow]


def boot_sector(rounds: int) -> bytes:
    """mov esi, rounds; 1: mov cx, 16; mov di, 0x8000; rep stosb; dec esi; jnz 1; out 0xe9, '*'; cli; hlt."""
    loop = b"\xb9\x10\x00\xbf\x00\x80\xf3\xaa\x66\x4e"
    code = b"\x66\xbe" + struct.pack("<I", rounds) + loop + b"\x75" + struct.pack("b", -len(loop) - 2)
    code += b"\xb0" + DONE + b"\xe6\xe9\xfa\xf4"
    return (code.ljust(510, b"\0") + b"\x55\xaa").ljust(1 << 20, b"\0")


def counted(there: Path, rounds: int) -> Counts:
    disk, counts = there / f"{rounds}.img", there / f"{rounds}.counts"
    disk.write_bytes(boot_sector(rounds))
    command = [QEMU, "-machine", "pc", "-m", "16M", "-cpu", "max", "-display", "none", "-nodefaults", "-no-reboot"]
    command += ["-icount", "shift=0,sleep=off", "-rtc", "clock=vm,base=2020-01-01"]  # a firmware that waits is the same
    command += ["-chardev", "stdio,id=out", "-device", "isa-debugcon,iobase=0xe9,chardev=out"]
    command += ["-drive", f"if=ide,format=raw,file={disk}", "-plugin", f"{counted_pc.counter()},into={counts}"]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        assert process.stdout.read(1) == DONE
        time.sleep(0.2)  # until it is halted
        first = counts.read_bytes()
        time.sleep(0.5)
        assert counts.read_bytes() == first, "a processor that is halted was counted"
    finally:
        process.kill()
        process.communicate()
    return Counts(*struct.unpack("=QQ", first))


@pytest.mark.skipif(bool(NO_PC), reason=NO_PC)
def test_instructions_are_counted_exactly(tmp_path: Path) -> None:
    few, many = (counted(tmp_path, rounds) for rounds in ROUNDS)
    wanted = LOOP * (ROUNDS[1] - ROUNDS[0])
    assert abs((many - few).low - wanted) < FIRMWARE * wanted
    assert few.high == many.high == 0


def test_a_turn_that_the_machine_disturbed_does_not_count() -> None:
    """The median over the turns excludes single disturbances, and idle time is subtracted."""

    def turn(each: int, once: int, began: int) -> cost.Turn:
        marks = [(0.0, began), (1.0, began + once + 100 * each + 7), (3.0, began + 2 * once + 300 * each + 21)]
        return cost.Turn(tuple(cost._Mark(time_s, low, 0) for time_s, low in marks), 100)  # type: ignore[arg-type]

    several = [turn(1000, 40_000, 0), turn(1000, 90_000, 5), turn(1001, 0, 9), turn(9999, 0, 9), turn(999, 3, 9)]
    found = cost.Asked(several, 151).cost(idle=7)
    assert found.instructions == found.programs == 1000
    assert found.spread_percent == 900.0


@pytest.fixture(scope="module", name="result")
def reduced_result() -> Result:
    return reduced("pc")


@pytest.mark.root
@needs_namespace
@needs_database
@skipped_without("pc")
def test_bounds_that_need_no_guest_hold(result: Result) -> None:
    assert {figure.name for figure in result.figures} == {
        "pc_formula_error_percent", "pc_image_bytes", "pc_idle_bytes_per_connection", "pc_connections",
    }  # fmt: skip
    assert [figure.name for figure in result.figures if not figure.holds] == []
    values = {figure.name: figure.value for figure in result.beside}
    assert 5_000 < values["pc_keepalive_instructions"] < values["pc_static_instructions"] < 100_000
    assert values["pc_static_instructions"] < values["pc_dynamic_instructions"] < 150_000
    assert values["pc_dynamic_keepalive_instructions"] < values["pc_dynamic_instructions"]
    assert 20 <= values["pc_boot_ms"] < 10_000  # the clock is measured for 20 ms


@pytest.mark.root
@pytest.mark.skipif(bool(NO_GUEST), reason=NO_GUEST)
@pytest.mark.parametrize("name", THEIRS)
def test_the_guest_serves_and_is_counted(name: str) -> None:
    """The guest's kernel works in the upper half of the address space, its server in the lower."""
    with counted_pc.counted_pc(system(name), CARDS[0]) as pc:
        before = pc.counts
        with clients(pc.namespace, [pages.FILE], 4, keep=False) as asking:
            asking.ask(100)
        used = pc.counts - before
    assert used.low > 100 * 5_000
    assert used.high > 100 * 20_000


@pytest.mark.root
@needs_namespace
@skipped_without("pc")
def test_pages_at_a_rate() -> None:
    points = rates.measure(system(OURS), CARDS[0])
    assert [one.rate for one in points[:3]] == list(rates.RATES[:3])
    assert all(one.answered == 1 and one.response_ms > 0 and one.connection_ms > 0 for one in points[:3])


def test_the_formula_gives_the_paper_s_table() -> None:
    for (of_pages, of_files), printed in papers.BARE_PC_TABLE1_MB_S.items():
        octets = of_pages * papers.bare_pc_octets(papers.BARE_PC_PAGE)
        octets += of_files * papers.bare_pc_octets(papers.BARE_PC_FILE)
        assert abs(octets * 8 / 1e6 - printed) < 0.06, (of_pages, of_files)


def test_the_pages_have_the_paper_s_sizes() -> None:
    for size in papers.BARE_PC_DATASETS:
        assert len(pages.page(size, php=False).body) == size
    templates = pages.CATALOGUE / "paper.jinja", pages.SOURCES / "paper.php"
    assert [path.stat().st_size for path in templates] == [papers.BARE_PC_TEMPLATE] * 2


def test_a_mix_is_even_and_has_what_it_says() -> None:
    for work in dynamic.MIXED:
        asked = [page.target for page in work.pages(php=False)]
        assert (asked.count("/paper"), len(asked)) == (work.dynamic, work.static + work.dynamic)
        gaps = [len(run) for run in "".join("f" if one == pages.FILE.target else "p" for one in asked).split("p")[:-1]]
        assert max(gaps) - min(gaps) <= 1


@pytest.mark.root
@needs_namespace
@needs_database
@skipped_without("pc")
def test_pages_from_the_database_and_its_phases(tmp_path: Path) -> None:
    """Pages of all sizes use one connection, which is opened once and asked for each page."""
    with counted_pc.counted_pc(dynamic_system(OURS), CARDS[0]) as pc, pages.database(tmp_path, pc.namespace):
        with capture(pc.namespace, DEVICE) as seen:
            for size in papers.BARE_PC_DATASETS:
                with clients(pc.namespace, [pages.page(size, php=False)], 1, keep=False) as asking:
                    asking.ask(10)
            found = phases(seen.segments())
        before = pc.counts
        with clients(pc.namespace, dynamic.MIXED[0].pages(php=False), 4, keep=True) as asking:
            asking.ask(44)
        assert (pc.counts - before).low > 44 * 5_000
    assert (len(found.handshakes), len(found.logins), len(found.ends)) == (1, 1, 0)
    assert len(found.answers) == 30
    assert all(0 < ms < 5_000 for ms in (*found.handshakes, *found.logins, *found.answers))


@pytest.mark.root
@needs_database
@pytest.mark.skipif(bool(NO_GUEST), reason=NO_GUEST)
@pytest.mark.parametrize("name", THEIRS)
def test_php_in_the_guest_gives_the_same_pages(name: str, tmp_path: Path) -> None:
    with counted_pc.counted_pc(dynamic_system(name), CARDS[0]) as pc, pages.database(tmp_path, pc.namespace):
        for page in (pages.FILE, *(pages.page(size, php=True) for size in papers.BARE_PC_DATASETS)):
            for keep in (False, True):
                with clients(pc.namespace, [page], 4, keep=keep) as asking:
                    asking.ask(12)
