# SPDX-License-Identifier: MIT
"""The figures that the papers give, and the experiments that answer them: acceptance.toml."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Item:
    row: str
    says: str
    theirs: str
    by: Sequence[str]


_GIVEN = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())
PAPERS: Mapping[str, str] = _GIVEN["papers"]
ITEMS, FORMULAS = (
    [Item(row, says, theirs, by.split()) for row, (says, theirs, by) in _GIVEN[kind].items()]
    for kind in ("items", "formulas")
)
