# SPDX-License-Identifier: MIT
"""An application too large for a target is refused before the build, with its size and the target's."""

import random
import re
from pathlib import Path

import pytest

from tests.compiler.support import make_app
from whit.compiler import Application, compile_application
from whit.errors import WhitError
from whit.image import room
from whit.image.export import export
from whit.paths import ROOT
from whit.targets import TARGETS, find_target

STORED = '[persistent]\nsize = 4\n[stored."p.png"]\nsize = 6000\n'
BOTH = '[persistent.visits]\nrecords = {}\ntext = {{ type = "str", size = 98 }}\n[stored."p.png"]\nsize = 1000\n'
CASES = [
    (
        STORED,
        r'app\.toml:4: \[stored\."p\.png"\] takes 12768 bytes of persistent memory and the others 4: '
        r"target avr has 3952; expected a size of at most 1850",
    ),
    (
        BOTH.format(30),
        r"app\.toml:1: \[persistent\.visits\] takes 3000 bytes of persistent memory and the others 2144: "
        r"target avr has 3916 beside a journal for the 100 bytes of a record of \[persistent\.visits\]; "
        r"expected at most 17 records",
    ),
    ("[persistent]\nsize = 3953\n", r"app\.toml:2: \[persistent\] size takes 3953 bytes .* a size of at most 3952"),
]


def compiled(directory: Path, toml: str) -> Application:
    directory.mkdir()
    app = make_app(directory / "app", {"app.toml": toml, "index.html": "x"})
    return compile_application(app, directory / "out")


@pytest.mark.parametrize(("toml", "expected"), CASES, ids=["stored", "records", "size"])
def test_persistent_memory(tmp_path: Path, toml: str, expected: str) -> None:
    application = compiled(tmp_path / "large", toml)
    with pytest.raises(WhitError) as error:
        room.check(TARGETS["avr"], application)
    assert re.search(expected, str(error.value)), error.value
    for target in ("linux", "cortex-m"):
        room.check(TARGETS[target], application)
    largest = int(re.findall(r"\d+", str(error.value))[-1])
    line = int(re.findall(r"app\.toml:(\d+)", str(error.value))[0])
    rows = toml.split("\n")
    at = next(number for number in range(line - 1, len(rows)) if re.match("size|records", rows[number]))
    for more, fits in ((0, True), (1, False)):  # the message names the largest value that fits
        rows[at] = f"{rows[at].partition(' ')[0]} = {largest + more}"
        application = compiled(tmp_path / str(more), "\n".join(rows))
        if fits:
            room.check(TARGETS["avr"], application)
        else:
            with pytest.raises(WhitError):
                room.check(TARGETS["avr"], application)


def test_the_numbers_are_those_of_the_ports() -> None:
    """ports/avr: 4096 octets less seed, heads of 8 records, and a journal of 64; ports/gba says its own."""
    journal = (ROOT / "ports" / "avr" / "persistent.c").read_text()
    record_cnt = int(re.findall(r"#define RECORD_CNT (\d+)", journal)[0])
    seed_len = int(re.findall(r"#define SEED_LEN (\d+)", (ROOT / "ports" / "avr" / "port.h").read_text())[0])
    left = 4096 - seed_len - 9 * record_cnt
    assert (find_target("avr").journal_max, find_target("avr").persistent_max) == (left, left - 64)
    said = re.findall(r"at most (\d+) octets fit", (ROOT / "ports" / "gba" / "save.c").read_text())
    assert find_target("gba").persistent_max == int(said[0])


def test_export_with_the_files_of_a_machine(tmp_path: Path) -> None:
    app = make_app(tmp_path / "app", {"app.toml": STORED, "index.html": "x"})
    for form in ("arduino", "platformio"):
        with pytest.raises(WhitError, match="takes 12768 bytes of persistent memory and the others 4: target avr has"):
            export(str(app), tmp_path / "out", form, overrides={})
        assert not (tmp_path / "out").exists()
    export(str(app), tmp_path / "out", "cmake", overrides={})
    (app / "app.toml").unlink()
    for number in range(3):
        (app / f"{number}.bin").write_bytes(random.Random(number).randbytes(30_000))
    with pytest.raises(WhitError, match=r"files take 90001 bytes of flash .* at most 65536 for target avr"):
        export(str(app), tmp_path / "other", "arduino", overrides={})
