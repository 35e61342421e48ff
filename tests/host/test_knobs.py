# SPDX-License-Identifier: MIT
"""include/whit/config.h: a build with contradictory settings ends with a line that names the setting to change."""

import subprocess
from itertools import permutations

import pytest

from whit.paths import ROOT

LIMITS = ROOT / "tests" / "compiler" / "golden" / "out"
FLAT = ROOT / "ports" / "flat"
CONTRACTS = ("config.h", "driver.h", "engine.h", "port.h")


def compiled(source: str, *definitions: str) -> str:
    """Returns the compiler's messages, or ""."""
    places = [f"-I{place}" for place in (ROOT / "include", FLAT, LIMITS)]
    words = ["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", *places]
    words += ["-iquote", str(ROOT / "engine"), *(f"-D{definition}" for definition in definitions)]
    return subprocess.run([*words, "-xc", "-"], input=source, capture_output=True, text=True).stderr


@pytest.mark.parametrize(
    ("definitions", "told"),
    [
        (("WHIT_GIVES_TURNS=1",), "set WHIT_KEEPS_FRAMES=1"),
        (("WHIT_HOLDS_FRAMES=1",), "set WHIT_KEEPS_FRAMES=1"),
        (("WHIT_CLOSES_IDLE=1",), "set WHIT_KEEPS_FRAMES=1"),
        (("WHIT_LEAVES_SLOTS=1", "WHIT_KEEPS_FRAMES=1"), "set one of them"),
        (("WHIT_HAS_PAGES=1",), "set WHIT_HAS_LOG=1"),
        (("WHIT_REPEATS_USUAL=65",), "expected 0 to 64 segments"),
        (("WHIT_HASHES_KEPT=65",), "expected 0 or a power of two"),
        (("WHIT_HASHES_KEPT=-64",), "expected 0 or a power of two"),
        (("WHIT_ECHO_OWN=1473",), "expected 0 to 1472 bytes"),
        (("WHIT_TLS_RECORD=139",), "expected 140 to 16406 bytes"),
        (("WHIT_TLS_RECORD=16407",), "expected 140 to 16406 bytes"),
        (("WHIT_TLS_BUFFER=61441",), "expected 0 to 61440 bytes"),
        (("WHIT_TLS_KEYS=0",), "expected 1 to 65536"),
        (("WHIT_TLS_KEYS=65537",), "expected 1 to 65536"),
        (("WHIT_HTTPS_IDLE_USUAL=-1",), "expected 0 to 100000 connections"),
        (("WHIT_WSS_SEEN=0",), "expected 1 or more"),
        (("WHIT_WSS_STEP_S=0",), "expected 1 or more"),
    ],
)
def test_a_contradiction_is_an_error(definitions: tuple[str, ...], told: str) -> None:
    complaints = compiled('#include "whit/config.h"\n', *definitions)
    assert complaints.count("error: #error") == 1
    assert told in complaints and definitions[0].partition("=")[0] in complaints


def test_an_alignment_is_a_power_of_two() -> None:
    assert compiled('#include "core/tables.h"\n', "WHIT_ALIGNMENT=8") == ""
    assert "WHIT_ALIGNMENT: expected 1, 2, 4 or 8 bytes" in compiled('#include "core/tables.h"\n', "WHIT_ALIGNMENT=6")
    assert "WHIT_ALIGNMENT: expected 1, 2, 4 or 8 bytes" in compiled('#include "core/tables.h"\n', "WHIT_ALIGNMENT=16")


def test_templates_of_segments_want_the_wide_checksum() -> None:
    """The linker complained of checksum_20() there."""
    assert "set(port_checksum wide)" in compiled('#include "core/checksum_small.c"\n', "WHIT_FAST=1")


@pytest.mark.parametrize("order", list(permutations(CONTRACTS, 2)), ids="-".join)
def test_contracts_are_included_in_any_order(order: tuple[str, ...]) -> None:
    """An include of config.h before the port's whit_flash.h must not define WHIT_FLASH_IS_MEMORY."""
    includes = "".join(f'#include "whit/{name}"\n' for name in order)
    assert compiled(f'{includes}_Static_assert(WHIT_FLASH_IS_MEMORY, "as ports/flat says");\n') == ""
