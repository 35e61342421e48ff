# SPDX-License-Identifier: MIT
"""Builds: repetition, measurement, and the link of each variant."""

import json
import random
import shlex
import shutil
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from whit.errors import WhitError
from whit.image.build import build
from whit.image.sizes import ENGINE, FILES, HANDLERS, PORT, measure
from whit.image.stack import analyse
from whit.paths import ROOT
from whit.targets import TARGETS, Target

pytestmark = pytest.mark.slow
arm = pytest.mark.skipif(shutil.which("arm-none-eabi-gcc") is None, reason="gcc-arm-none-eabi is not installed")


avr = pytest.mark.skipif(shutil.which("avr-gcc") is None, reason="gcc-avr is not installed")


def times(directory: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in directory.rglob("*.o")}


def test_second_build_compiles_nothing(counter: Path) -> None:
    first = build(counter)
    before = times(first.directory)
    assert before
    second = build(counter)
    assert second.directory == first.directory
    assert times(second.directory) == before


def test_edit_of_a_page_compiles_only_tables(counter: Path) -> None:
    first = build(counter)
    before = times(first.directory)
    (counter / "index.html").write_text("<!doctype html><title>Counter</title><p>other")
    after = times(build(counter).directory)
    changed = {Path(name).name for name in before if after[name] != before[name]}
    assert "whit_tables.c.o" in changed
    assert not any("whit_engine.dir" in name and after[name] != before[name] for name in before), changed


def test_edit_of_any_engine_file_builds_the_image_for_tests(counter: Path) -> None:
    """The image for tests is one translation unit: Ninja knows each file of the engine, and the limits of the
    application."""
    directory = build(counter, target="inprocess").directory
    known = subprocess.run(["ninja", "-C", directory, "-t", "deps"], capture_output=True, text=True, check=True).stdout
    named = {Path(line.strip()) for line in known.splitlines()}
    engine = ROOT / "engine"
    wanted = set(engine.rglob("*.[ch]"))
    others = {"net/slip.c", "engine_slip.c", "core/table_hash.c", "recovery/recovery_small.c"}
    fast = {"http/head_code.c", "core/checksum_wide.c", "tcp/segment_template.c", "core/keyed_hash_unrolled.c"}
    without_log = {"response/log.c", "response/log_line.c"}
    not_asked_for = {path for folder in ("outgoing", "tls", "wss") for path in (engine / folder).iterdir()}
    not_asked_for |= {*engine.rglob("*_tls.c"), engine / "response" / "service_signed.c"}
    # These headers also describe the absent part.
    not_asked_for -= {engine / name / f"{name}.h" for name in ("outgoing", "tls", "wss")}
    assert wanted - named == {engine / name for name in others | fast | without_log} | not_asked_for
    assert {"whit_limits.h", "app.h"} <= {path.name for path in named}


def test_settings_have_directories_of_their_own(counter: Path) -> None:
    assert build(counter).directory != build(counter, overrides={"connections": 3}).directory


def test_a_build_is_for_the_eyes_of_its_owner(counter: Path) -> None:
    """The objects and the image may contain a password."""
    directory = build(counter, target="inprocess").directory
    assert directory.stat().st_mode & 0o777 == 0o700
    directory.chmod(0o755)  # as an earlier version left it
    build(counter, target="inprocess")
    assert directory.stat().st_mode & 0o777 == 0o700


def test_builds_at_once_do_not_collide(counter: Path) -> None:
    with ThreadPoolExecutor(3) as pool:
        images = {result.image for result in pool.map(lambda _: build(counter, target="inprocess"), range(3))}
    assert len(images) == 1 and images.pop().exists()


def test_removed_file_leaves_the_image(counter: Path) -> None:
    (counter / "secret.txt").write_text("what must not stay in the image")
    assert b"what must not stay" in build(counter).image.read_bytes()
    (counter / "secret.txt").unlink()
    assert b"what must not stay" not in build(counter).image.read_bytes()


@pytest.mark.parametrize("link", ["ethernet", "slip"])
@pytest.mark.parametrize("connections", [1, 200])
def test_every_variant_links(counter: Path, link: str, connections: int) -> None:
    result = build(counter, target="inprocess", link=link, overrides={"connections": connections}, meter=True)
    assert result.application.hashed == (connections == 200)
    symbols = subprocess.run(["nm", "--defined-only", result.image], capture_output=True, text=True, check=True).stdout
    assert " T whit_inprocess_take" in symbols and " T whit_input" in symbols
    assert (" ethernet\n" in symbols) == (link == "ethernet")


def test_sanitized_variant_links(counter: Path) -> None:
    symbols = subprocess.run(
        ["nm", build(counter, target="inprocess", sanitize=True).image], capture_output=True, text=True, check=True
    ).stdout
    assert "__asan_init" in symbols and "__ubsan_handle" in symbols


@arm
def test_sizes_add_up(counter: Path) -> None:
    """The sizes of the map agree with the ELF file, except for alignment."""
    result = build(counter, target="cortex-m")
    sizes = measure(result.image, result.map)
    output = subprocess.run(["arm-none-eabi-size", result.image], capture_output=True, text=True, check=True).stdout
    text, data, bss = (int(word) for word in output.splitlines()[1].split()[:3])
    assert abs(sizes.flash - (text + data)) <= 0.02 * (text + data)
    assert abs(sizes.ram - (data + bss)) <= 32
    assert sizes.engine_objects["whit_slots"] == 2 * 32
    assert all(sizes.parts[part].flash > 0 for part in (ENGINE, FILES, HANDLERS, PORT))


@arm
def test_file_costs_its_length(counter: Path) -> None:
    """A file that nothing compresses adds its octets to the files' part, and nothing to the engine's."""
    before = build(counter, target="cortex-m")
    small = measure(before.image, before.map)
    (counter / "noise.bin").write_bytes(random.Random(1).randbytes(3000))
    after = build(counter, target="cortex-m")
    large = measure(after.image, after.map)
    assert 3000 <= large.parts[FILES].flash - small.parts[FILES].flash < 3700
    assert large.parts[ENGINE].flash - small.parts[ENGINE].flash <= 64


def test_up_to_date_build_is_quick(counter: Path) -> None:
    build(counter)
    started = time.monotonic()
    build(counter)
    assert time.monotonic() - started < 10


def test_unknown_target(counter: Path) -> None:
    with pytest.raises(WhitError, match="pdp11"):
        build(counter, target="pdp11")


def test_nothing_is_warned_of(contacts: Path) -> None:
    """Compiled file by file, where a warning is an error."""
    mashup = contacts.parent / "mashup"
    for app, target, link in (
        (contacts, "linux", "ethernet"),
        (contacts, "inprocess", "slip"),
        (mashup, "inprocess", "ethernet"),
    ):
        directory = build(app, target=target, link=link, one_unit=False, optimize="-O2;-Werror").directory
        commands = json.loads((directory / "compile_commands.json").read_text())
        assert len(commands) > 60
        assert all({"-Wall", "-Werror"} <= set(shlex.split(command["command"])) for command in commands)


def test_nothing_is_warned_of_in_one_unit(contacts: Path) -> None:
    """One unit of all files, which see each other's names, compiles without a warning."""
    directory = build(contacts).directory
    commands = json.loads((directory / "compile_commands.json").read_text())
    (unit,) = [one for one in commands if one["file"].endswith("unity_0_c.c") and "whit_engine.dir" in one["file"]]
    words = [*shlex.split(unit["command"]), "-Werror", "-fsyntax-only", "-o", "/dev/null"]
    done = subprocess.run(words, cwd=unit["directory"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@avr
def test_constants_out_of_reach_of_the_avr(counter: Path) -> None:
    """Pointers of 16 bits name the first 64 KiB of program memory: an image with more would serve something else."""
    for number in range(3):
        (counter / f"{number}.bin").write_bytes(random.Random(number).randbytes(30_000))
    with pytest.raises(WhitError, match=r"the files take 900\d\d bytes .* at most 65536 .* is 0\.bin"):
        build(counter, target="avr")
    (counter / "2.bin").unlink()
    (counter / "1.bin").write_bytes(random.Random(1).randbytes(35_000 - 4_000))
    (counter / "3.bin").write_bytes(random.Random(3).randbytes(4_000))
    with pytest.raises(WhitError, match="ld: files and tables take more than the 64 KiB"):
        build(counter, target="avr")
    (counter / "0.bin").unlink()
    (counter / "1.bin").unlink()
    assert build(counter, target="avr").image.exists()


@avr
def test_file_larger_than_an_array_of_the_avr(counter: Path) -> None:
    (counter / "large.bin").write_bytes(random.Random(1).randbytes(32_768))
    with pytest.raises(WhitError, match=r"large\.bin: 32768 bytes as identity: expected at most 32767"):
        build(counter, target="avr")


def test_stack_of_tools_that_the_proof_does_not_know(counter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new board may have any compiler."""
    monkeypatch.setitem(TARGETS, "bench", Target("bench", "template", "a bench", "slip", ".elf", "-Os", "xtensa-"))
    with pytest.raises(WhitError, match=r"bench: the stack cannot be proven: expected the tools avr-, .* xtensa-"):
        analyse(replace(build(counter), target="bench"))
