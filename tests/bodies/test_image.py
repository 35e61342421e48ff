# SPDX-License-Identifier: MIT
"""The image does not contain parts that the application does not use (DESIGN.md section 6)."""

import re
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from tests.harness import written
from whit.image.build import build
from whit.paths import ROOT

BODY = (
    r"body_(answer|run|resume|due|wake|window|refused|repeats|pending|whole|idle|claim|length|of|data|post|reader)"
    r"|body_(block_len|fields_end|type_\w+|kept)|transfer_run|form_\w+|parts?_\w+|media_\w+|in|whit_pt_in_ready"
    r"|buffer_append|request_(again|body)|line_(100|415|405_\w+)"
)
FORM = r"form_(begin|run|end)"
PARTS = r"parts_run|part_peek|in"
FORM_DATA = r"form_parts_\w+"


def symbols(directory: Path, overrides: dict[str, object] | None = None) -> set[str]:
    """Functions and objects of a program with the application."""
    result = build(
        directory, target="linux", one_unit=False, overrides=overrides
    )  # where no function goes into another one
    with result.image.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        kinds = ("STT_FUNC", "STT_OBJECT")
        return {symbol.name for symbol in table.iter_symbols() if symbol["st_info"]["type"] in kinds}


def found(pattern: str, names: set[str]) -> list[str]:
    return sorted(name for name in names if re.fullmatch(pattern, name))


@pytest.fixture(scope="module")
def form_only() -> Path:
    source = ROOT / "tests" / "apps" / "bodies" / "form.c"
    return written({"app.toml": 'name = "form"\n', "form.c": source.read_bytes()})


def test_no_body(application: Path) -> None:
    names = symbols(application)
    assert "response_walk" in names
    assert found(BODY, names) == []


def test_a_form_without_parts(form_only: Path) -> None:
    names = symbols(form_only)
    assert len(found(FORM, names)) == 3
    assert found(PARTS, names) == []
    assert found(FORM_DATA, names)  # the compiler makes some of them part of their callers
    assert found(FORM_DATA, symbols(form_only, {"form_data": False})) == []


def test_parts_and_forms() -> None:
    names = symbols(ROOT / "tests" / "apps" / "bodies")
    assert len(found(FORM, names)) == 3
    assert len(found(PARTS, names)) == 3
