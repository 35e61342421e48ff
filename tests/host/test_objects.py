# SPDX-License-Identifier: MIT
"""An image is built from the files of the engine that it needs: some parts come in two kinds."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from whit.compiler import Application
from whit.image.build import Settings, build
from whit.paths import ROOT
from whit.targets import TARGETS
from whit_lab.experiments.memory import CONTACTS, SMALLEST

pytestmark = pytest.mark.slow

KINDS = {
    "slip": {"slip", "engine_slip"},
    "ethernet": {"ethernet", "engine_ethernet"},
    "scan": {"table_scan"},
    "hash": {"table_hash"},
    "small": {"recovery_small"},
    "full": {"recovery_full"},
    "octets": {"head_octets"},
    "code": {"head_code"},
    "small sum": {"checksum_small"},
    "wide sum": {"checksum_wide"},
    "plain": {"segment_plain"},
    "template": {"segment_template"},
    "small hash": {"keyed_hash_small"},
    "unrolled hash": {"keyed_hash_unrolled"},
}
SMALL_KINDS = ("octets", "small sum", "plain", "small hash")
FAST_KINDS = ("code", "wide sum", "template", "unrolled hash")
FAST = ("linux", "riscv", "pc")  # targets whose port chooses the fast kinds
ALL = {path.stem for path in (ROOT / "engine").rglob("*.c")}
CLIENTS = {path.stem for path in (ROOT / "engine" / "outgoing").glob("*.c")}
LOG = {name for name in ALL if name.startswith("log")}
TLS = {path.stem for path in (ROOT / "engine" / "tls").glob("*.c")} | {name for name in ALL if name.endswith("_tls")}
WSS = {path.stem for path in (ROOT / "engine" / "wss").glob("*.c")}
WSS |= {"service_signed"}
COMMON = ALL - LOG - CLIENTS - TLS - WSS - {name for names in KINDS.values() for name in names}


def compiled(directory: Path) -> set[str]:
    """Returns the engine's files that Ninja compiles."""
    commands = json.loads((directory / "compile_commands.json").read_text())
    files = [Path(command["file"]) for command in commands]
    for unity in (file for file in files if file.parent.name == "Unity"):
        files += map(Path, re.findall(r'^#include "(.*)"$', unity.read_text(), re.MULTILINE))
    return {file.stem for file in files if file.is_relative_to(ROOT / "engine")}


def _configure_only(settings: Settings, application: Application) -> str:
    """Ninja has CMake run again when one of its files has changed."""
    subprocess.run(["ninja", "-C", settings.directory, "build.ninja"], check=True, capture_output=True)
    return ""  # no warnings


@pytest.mark.parametrize("target", sorted(TARGETS))
@pytest.mark.parametrize(
    ("recovery", "connections", "table"), [("small", 3, "scan"), ("full", 3, "scan"), ("small", 200, "hash")]
)
def test_files_follow_from_target_and_settings(
    counter: Path, monkeypatch: pytest.MonkeyPatch, target: str, recovery: str, connections: int, table: str
) -> None:
    """CMake configures; it compiles only its own probes."""
    machine = TARGETS[target]
    if machine.toolchain and shutil.which(machine.toolchain + "gcc") is None:
        pytest.skip(f"{machine.toolchain}gcc is not installed")
    monkeypatch.setattr("whit.image.build._ninja", _configure_only)
    overrides: dict[str, object] = {"recovery": recovery, "connections": connections}
    if table == "hash":
        overrides["client.connections"] = 2
    result = build(counter, target=target, overrides=overrides, check_budget=False)
    wanted = COMMON | KINDS[recovery] | KINDS[table] | KINDS[machine.link]
    wanted = wanted.union(*(KINDS[kind] for kind in (FAST_KINDS if target in FAST else SMALL_KINDS)))
    if table == "hash":
        wanted = wanted | CLIENTS
    assert compiled(result.directory) == (wanted | LOG if machine.logs else wanted)


@pytest.mark.skipif(shutil.which("avr-gcc") is None, reason="gcc-avr is not installed")
def test_the_smallest_avr_image_has_the_small_recovery() -> None:
    """The image of contacts_ram_bytes_avr: a variable `small` of its toolchain file gave it the other recovery."""
    result = build(CONTACTS, target="avr", overrides=SMALLEST, check_budget=False)
    kinds = ("small", "scan", "slip", *SMALL_KINDS)
    assert compiled(result.directory) == COMMON.union(*(KINDS[kind] for kind in kinds))
