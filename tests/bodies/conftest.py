# SPDX-License-Identifier: MIT
"""Engines with tests/apps/bodies, which takes bodies of every kind."""

from tests.harness import engine_of, maker_of
from whit.paths import ROOT

APP = ROOT / "tests" / "apps" / "bodies"

make = maker_of(APP)
bodies = engine_of(APP)
